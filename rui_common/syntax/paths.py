"""Paths into a document: ``("pages", 0, "id")`` inside the program, ``pages[0].id`` on every surface."""

from __future__ import annotations

import json
import re

Path = tuple[str | int, ...]
"""The names and indices that lead from the root to a value; ``()`` is the root."""

ROOT: Path = ()

_PLAIN_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
_STEP = re.compile(
    r"""(?P<dot>\.?)(?P<name>[A-Za-z_][A-Za-z0-9_-]*)
    |   \[(?P<index>0|[1-9][0-9]*)\]
    |   \[(?P<quoted>"(?:[^"\\]|\\.)*")\]""",
    re.VERBOSE,
)


def format_path(path: Path) -> str:
    """Write a path as text (docs/decisions.md, section 3).

    Indices stand in brackets, plain names behind a dot, and any other name as a JSON string in
    brackets, so that `parse_path` reads every path back. The root is ``""``.
    """
    parts: list[str] = []
    for step in path:
        if isinstance(step, int):
            parts.append(f"[{step}]")
        elif (step.isascii() and step.isidentifier()) or _PLAIN_NAME.fullmatch(step):  # the former is quicker
            parts.append(f".{step}" if parts else step)
        else:
            parts.append(f"[{json.dumps(step, ensure_ascii=False)}]")
    return "".join(parts)


def parse_path(text: str) -> Path:
    """Read a path that `format_path` wrote.

    Raises:
        ValueError: `text` is no such path; the message says from which column on.
    """
    steps: list[str | int] = []
    at = 0
    while at < len(text):
        match = _STEP.match(text, at)
        if match is None or (match["name"] is not None and bool(match["dot"]) != bool(steps)):
            raise ValueError(f"not a path from column {at + 1} on: {text!r}")
        if match["name"] is not None:
            steps.append(match["name"])
        elif match["index"] is not None:
            steps.append(int(match["index"]))
        else:
            steps.append(_unquote(match["quoted"]))
        at = match.end()
    return tuple(steps)


def _unquote(text: str) -> str:
    name = json.loads(text)
    assert isinstance(name, str)  # noqa: S101  the pattern admits strings only
    return name


def property_name(path: Path) -> str:
    """The name of what `path` leads to: ``title``, or ``children[2]`` for an element of a list.

    This is ``{prop}`` in the message templates (docs/decisions.md, section 3).
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
        if isinstance(value, dict) and isinstance(step, str):
            value = value.get(step)
        elif isinstance(value, list) and isinstance(step, int) and 0 <= step < len(value):
            value = value[step]
        else:
            return None
    return value
