"""Common functions of the modules that find fixes: titles, and fixes that set one value."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from rui_common.editing.edits import set_value
from rui_common.editing.generate import ValueGenerator
from rui_common.fixes.model import MAX_FIXES, Fix, fixes_from
from rui_common.json_values import as_object
from rui_common.syntax.paths import Path, value_at
from rui_common.validation.analysis import Analysis
from rui_common.validation.meant import Meant
from rui_common.validation.node import Node
from rui_common.validation.wording import as_json, shorten
from rui_common.vocabulary.schema import Shape


def generator_at(analysis: Analysis, node: Node) -> ValueGenerator:
    """Return a generator of values for an object or array."""
    return ValueGenerator(analysis.names, node)


def description(analysis: Analysis, path: Path) -> str:
    """Return a node or element for titles, by its label, id or number: ``Section "Today"``, ``page 2``."""
    node = analysis.tree.at(path)
    name = "element"
    label: object = ""
    if node is not None:
        label = node.label or node.members.get("id")
    if node is not None and node.shape is not None:
        name = node.shape.name
    if isinstance(label, str) and label:
        return f"{name} {quote(label)}"
    if isinstance(path[-1], int):
        return f"{_words(name)} {path[-1] + 1}"
    return name


def words_of(shape: Shape) -> str:
    """Return the name of a shape in words: ``navigation item``."""
    return _words(shape.name)


def _words(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower()


def object_at(analysis: Analysis, path: Path) -> dict[str, object]:
    """Return the object at a path; an empty one if there is none."""
    return as_object(value_at(analysis.document.value, path))


def use_value(
    analysis: Analysis, path: Path, value: object, *, is_safe: bool = False, is_likely: bool = False
) -> list[Fix]:
    """Return the fix that sets the value at a path."""
    edits = [set_value(analysis.document, path, value)]
    return fixes_from(f"Use {quote(value)}", edits, is_safe=is_safe, is_likely=is_likely)


def choices(
    analysis: Analysis, path: Path, values: Sequence[str], meant: Meant | None, *, is_safe: bool = True
) -> Iterator[Fix]:
    """Yield the fixes that set the value that is meant, if there is one, or another one."""
    if meant is not None:
        yield from use_value(analysis, path, meant.text, is_safe=is_safe and meant.is_certain, is_likely=True)
    old = quote(value_at(analysis.document.value, path))
    for value in values[:MAX_FIXES]:
        if meant is None or value != meant.text:
            edit = set_value(analysis.document, path, value)
            yield from fixes_from(f"Use {quote(value)} instead of {old}", [edit])


def quote(value: object) -> str:
    """Return a value as JSON for a title; long ones are cut."""
    return shorten(as_json(value))
