"""Elements of Markdown pages."""

import json
from collections.abc import Iterable, Sequence

from rui_common.json_values import as_json

MAX_LINE = 96  # maximum length of JSON on one line


def page(*parts: str) -> str:
    """Join parts with empty lines; empty parts are left out."""
    return "\n\n".join(part.strip("\n") for part in parts if part) + "\n"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table; bars and line ends in its cells are escaped."""
    lines = [_row(head), "|" + "---|" * len(head), *(_row(row) for row in rows)]
    return "\n".join(lines)


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"


def bullets(items: Iterable[str]) -> str:
    return "\n".join(f"- {item}" for item in items)


def numbered(items: Iterable[str]) -> str:
    return "\n".join(f"{number}. {item}" for number, item in enumerate(items, 1))


def block(text: str, language: str = "json") -> str:
    return f"```{language}\n{text}\n```"


def json_block(value: object) -> str:
    return block(pretty(value))


def snippet(text: str) -> str:
    """Return JSON text as a code block: unchanged if it is short or malformed, else over several lines."""
    if len(text) <= MAX_LINE:
        return block(text)
    try:
        value: object = json.loads(text)
    except ValueError:
        return block(text)
    return json_block(value)


def pretty(value: object, indent: str = "", width: int = MAX_LINE) -> str:
    """Return formatted JSON; objects and arrays that fit on a line of this width have one."""
    if not value or not isinstance(value, dict | list):
        return as_json(value)
    deeper = indent + "  "
    if isinstance(value, dict):
        rows = [f"{as_json(name)}: {pretty(inner, deeper, width)}" for name, inner in value.items()]
        opening = "{"
        closing = "}"
    else:
        rows = [pretty(inner, deeper, width) for inner in value]
        opening = "["
        closing = "]"
    line = f"{opening}{', '.join(rows)}{closing}"
    if len(indent) + len(line) <= width:  # Rows that have several lines are longer.
        return line
    lines = f",\n{deeper}".join(rows)
    return f"{opening}\n{deeper}{lines}\n{indent}{closing}"


def code(text: str) -> str:
    return f"`{text}`"


def code_list(parts: Iterable[str]) -> str:
    """Return inline code separated by commas; a dash if there are no parts."""
    return ", ".join(code(part) for part in parts) or "—"


def lower_headings(markdown: str) -> str:
    """Return a page with every heading one level lower; code blocks are not changed."""
    lines = []
    in_code = False
    for line in markdown.split("\n"):
        if line.startswith("```"):
            in_code = not in_code
        is_heading = line.startswith("#") and not in_code
        lines.append(f"#{line}" if is_heading else line)
    return "\n".join(lines)
