"""Fixes for lists and objects of another structure: all content is kept."""

from __future__ import annotations

import json

from rui_common.editing.edits import Edit, rename_key, replace_by_property
from rui_common.fixes.model import fixes_from
from rui_common.syntax.spans import Span
from rui_common.syntax.tree import UNKNOWN
from rui_common.validation.hints import Dissolve, ListByKey, PutInList, PutInto, TakeElement, TakeValue

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rui_common.fixes.model import Fix
    from rui_common.syntax.document import Document
    from rui_common.syntax.paths import Path
    from rui_common.syntax.tree import Member
    from rui_common.validation.model import Suggestion


def restructure(document: Document, path: Path, suggestion: Suggestion | None) -> list[Fix]:
    """Return the fix that carries out a suggestion about the structure of the value at `path`."""
    if isinstance(suggestion, Dissolve):
        return _dissolve(document, path[:-1], suggestion)
    member = document.find(path)
    if member is None or member.span is None or suggestion is None:
        return []
    if isinstance(suggestion, ListByKey):
        return _list_by_key(document, path, suggestion.name)
    if isinstance(suggestion, TakeElement):
        edits, is_only = replace_by_property(document, (*path, 0))
        return fixes_from("Remove the array around it", edits, is_safe=is_only)
    if isinstance(suggestion, TakeValue):
        edits, is_only = replace_by_property(document, (*path, suggestion.name))
        return fixes_from("Remove the object around the array", edits, is_safe=is_only)
    return _put_into(member.span, suggestion)


def _dissolve(document: Document, path: Path, suggestion: Dissolve) -> list[Fix]:
    """Replace properties of the object at `path` by the properties of their values."""
    *holders, key = suggestion.place
    if not suggestion.name:
        holders.append(key)
    edits: list[Edit | None] = []
    for size in range(1, len(holders) + 1):
        edits += _dissolving(document, (*path, *holders[:size]))
    is_safe = len(edits) == 2
    if suggestion.name not in ("", key):
        edits.append(rename_key(document, (*path, *suggestion.place), suggestion.name))
        is_safe = False  # Renaming is another fix.
    title = f'Replace "{holders[0]}" by its properties'
    return fixes_from(title, edits, is_safe=is_safe)


def _dissolving(document: Document, path: Path) -> list[Edit | None]:
    """Return the edits that replace the property at `path` by the properties of its value."""
    member = document.find(path)
    inner = document.members(path)
    steps = [one.step for one in (*inner, *document.members(path[:-1]))]
    if member is None or member.key_span is None or not inner or len({*steps}) < len(steps):
        return [None]
    first = inner[0].key_span
    if first is None or any(one.start == UNKNOWN for one in (*inner, member)):
        return [None]
    return [Edit(Span(member.key_span.start, first.start), ""), Edit(Span(inner[-1].end, member.end), "")]


def _put_into(span: Span, suggestion: Suggestion) -> list[Fix]:
    """Put a value into a new array, or into an object as one of its properties."""
    if isinstance(suggestion, PutInList):
        return fixes_from("Wrap in an array", _around(span, "[", "]"), is_safe=True)
    if isinstance(suggestion, PutInto):
        name = json.dumps(suggestion.name)
        return fixes_from(f"Wrap in an object with {name}", _around(span, f"{{{name}: ", "}"), is_safe=True)
    return []


def _around(span: Span, before: str, after: str) -> list[Edit | None]:
    return [Edit(Span(span.start, span.start), before), Edit(Span(span.end, span.end), after)]


def _list_by_key(document: Document, path: Path, name: str) -> list[Fix]:
    """Write an object of objects as an array. It is not safe if an object has the property already."""
    outer = document.find(path)
    members = document.members(path)
    keys = {member.step for member in members}
    if outer is None or len(keys) < len(members) or any(member.start == UNKNOWN for member in members):
        return []
    edits: list[Edit | None] = [
        Edit(Span(outer.start, outer.start + 1), "["),
        Edit(Span(outer.end - 1, outer.end), "]"),
    ]
    is_safe = True
    for member in members:
        inner = document.members((*path, member.step))
        if member.key_span is None or not inner:
            return []
        if name in [one.step for one in inner]:
            is_safe = False
            edits.append(Edit(Span(member.key_span.start, member.start), ""))
        else:
            edits.append(_key_as_property(document, member, inner[0], name))
    return fixes_from(f'Convert to an array, with each key as "{name}"', edits, is_safe=is_safe)


def _key_as_property(document: Document, member: Member, first: Member, name: str) -> Edit:
    """Replace the key of an object by a first property of the object, with the layout of the next one."""
    assert member.key_span is not None  # noqa: S101  a property
    first_start = first.start if first.key_span is None else first.key_span.start
    gap = document.text[member.start + 1 : first_start]
    text = f"{{{gap}{json.dumps(name)}: {json.dumps(str(member.step), ensure_ascii=False)},"
    if not gap:
        text += " "
    return Edit(Span(member.key_span.start, member.start + 1), text)
