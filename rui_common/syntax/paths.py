"""Paths into a document: ``("pages", 0, "id")`` in the program, ``pages[0].id`` on every surface."""

import json
import re

Path = tuple[str | int, ...]  # The names and indices that lead from the root to a value. `()` is the root.

# Compiled on first use (`re` keeps it): checking a valid document does not need it.
_STEP = r"""(?x)
        (?P<dot>\.?)(?P<name>[A-Za-z_][A-Za-z0-9_-]*)
    |   \[(?P<index>0|[1-9][0-9]*)\]
    |   \[(?P<quoted>"(?:[^"\\]|\\.)*")\]"""


def format_path(path: Path) -> str:
    """Write a path as text (docs/decisions.md, section 3).

    An index is in brackets, a simple name follows a dot, and any other name is a JSON string in brackets.
    The root is ``""``. `parse_path` is the inverse.
    """
    parts: list[str] = []
    for step in path:
        if isinstance(step, int):
            parts.append(f"[{step}]")
        elif _is_simple_name(step):
            parts.append(f".{step}")
        else:
            parts.append(f"[{json.dumps(step, ensure_ascii=False)}]")
    return "".join(parts).removeprefix(".")


def _is_simple_name(step: str) -> bool:
    return step.isascii() and not step.startswith("-") and step.replace("-", "_").isidentifier()


def parse_path(text: str) -> Path:
    """Read a path that `format_path` wrote.

    Raises:
        ValueError: `text` is not a path. The message contains the column of the error.
    """
    steps: list[str | int] = []
    step_pattern = re.compile(_STEP)
    offset = 0
    while offset < len(text):
        match = step_pattern.match(text, offset)
        if match is None or (match["name"] is not None and bool(match["dot"]) != bool(steps)):
            raise ValueError(f"not a path from column {offset + 1} on: {text!r}")
        if match["name"] is not None:
            steps.append(match["name"])
        elif match["index"] is not None:
            steps.append(int(match["index"]))
        else:
            steps.append(str(json.loads(match["quoted"])))
        offset = match.end()
    return tuple(steps)


def property_name(path: Path) -> str:
    """Return the name of the value at `path`: ``title``, or ``children[2]`` for an element of a list.

    It replaces ``{prop}`` in message templates (docs/decisions.md, section 3).
    """
    if not path:
        return ""
    last = path[-1]
    if isinstance(last, str):
        return last
    owner = path[-2] if len(path) > 1 else ""
    return f"{owner}[{last}]"


def value_at(value: object, path: Path) -> object:
    """The value at `path` below `value`; None if there is none."""
    for step in path:
        if isinstance(value, dict):
            value = value.get(step)
        elif isinstance(value, list) and isinstance(step, int) and 0 <= step < len(value):
            value = value[step]
        else:
            return None
    return value


def text_at(value: object, *names: str) -> str:
    """The text at a path of names below `value`; ``""`` if there is none."""
    text = value_at(value, names)
    if isinstance(text, str):
        return text
    return ""
