"""A fix: a title and edits. What the modules that find fixes have in common."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from rui_common.editing.edits import set_value
from rui_common.json_values import as_json
from rui_common.syntax.paths import Path, value_at
from rui_common.syntax.spans import Edit
from rui_common.texts import shorten
from rui_common.validation.analysis import Analysis
from rui_common.validation.meant import Meant

MAX_FIXES = 5  # Maximum number of alternatives of one kind, such as allowed values


class Fix(NamedTuple):
    """A change of the text that removes a diagnostic."""

    title: str  # text for a menu, such as `Rename to "label"`
    edits: tuple[Edit, ...]  # the changes of the document's text; never empty
    is_safe: bool  # whether the fix may be applied without review. See `rui_common.fixes.quick_fixes`.
    discards: bool = False  # whether text or objects of the author are lost. Such a fix is never the first one.
    is_likely: bool = False  # whether the author probably means it, as the hint says; it comes after the safe ones


def fixes_from(
    title: str, edits: Iterable[Edit | None], *, is_safe: bool = False, discards: bool = False, is_likely: bool = False
) -> list[Fix]:
    """Return a list of one fix; empty if an edit is missing or there are none."""
    all_edits = tuple(edits)
    present = tuple(edit for edit in all_edits if edit is not None)
    if present and len(present) == len(all_edits):
        return [Fix(title, present, is_safe, discards, is_likely)]
    return []


def is_broken(analysis: Analysis, path: Path) -> bool:
    """Return whether there is a syntax error in the value at a path, which may end elsewhere than it is read."""
    member = analysis.document.find(path)
    return member is not None and next(member.incomplete(), None) is not None


def description(analysis: Analysis, path: Path) -> str:
    """Return a node or element for titles, by its name or number: ``Section "Today"``, ``element 2``."""
    node = analysis.tree.at(path)
    if node is not None:
        return node.description
    return f"element {int(path[-1]) + 1}"


def use_value(
    analysis: Analysis, path: Path, value: object, *, is_safe: bool = False, is_likely: bool = False
) -> list[Fix]:
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
