"""The few pieces of Markdown that the pages are made of."""

from __future__ import annotations

import json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

MAX_LINE = 96
"""A snippet that is longer than this is broken into lines."""


def page(*parts: str) -> str:
    """Parts with an empty line between them and a line end behind the last."""
    return "\n\n".join(part.strip("\n") for part in parts if part) + "\n"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; bars and line ends in its cells are made harmless."""
    lines = [_row(head), "|" + "---|" * len(head), *(_row(row) for row in rows)]
    return "\n".join(lines)


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"


def bullets(items: Iterable[str]) -> str:
    """A list, one line an item."""
    return "\n".join(f"- {item}" for item in items)


def block(text: str, language: str = "json") -> str:
    """A fenced block of code."""
    return f"```{language}\n{text}\n```"


def json_block(value: object) -> str:
    """A JSON value, indented by two."""
    return block(pretty(value))


def snippet(text: str) -> str:
    """JSON text: on one line if that is short, or if it is no JSON at all and has to stay as it is."""
    if len(text) <= MAX_LINE:
        return block(text)
    try:
        value: object = json.loads(text)
    except ValueError:
        return block(text)
    return json_block(value)


def pretty(value: object, indent: str = "") -> str:
    """JSON text for people: what fits on a line stands on one."""
    line = json.dumps(value, ensure_ascii=False)
    if len(indent) + len(line) <= MAX_LINE or not isinstance(value, dict | list):
        return line
    further = indent + "  "
    if isinstance(value, dict):
        rows = [f"{further}{json.dumps(name)}: {pretty(inner, further)}" for name, inner in value.items()]
        return "{\n" + ",\n".join(rows) + f"\n{indent}}}"
    rows = [f"{further}{pretty(inner, further)}" for inner in value]
    return "[\n" + ",\n".join(rows) + f"\n{indent}]"


def code(text: str) -> str:
    """Words in the type of code."""
    return f"`{text}`"


def or_none(parts: Iterable[str]) -> str:
    """Words in the type of code, by commas, or a dash for none."""
    return ", ".join(code(part) for part in parts) or "—"


def deeper(markdown: str, levels: int = 1) -> str:
    """The same page with every heading some levels further down; code stays as it is."""
    lines, in_code = [], False
    for line in markdown.split("\n"):
        if line.startswith("```"):
            in_code = not in_code
        lines.append("#" * levels + line if line.startswith("#") and not in_code else line)
    return "\n".join(lines)
