"""Sort the properties of a document into canonical order; each keeps its layout."""

from __future__ import annotations

from rui_common.editing.edits import Edit, apply_within, full_span
from rui_common.editing.normal_form import normalize
from rui_common.vocabulary.rui_0_1 import VOCABULARY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from rui_common.syntax.document import Document
    from rui_common.syntax.tree import Member
    from rui_common.vocabulary.schema import Vocabulary


def sort_properties(document: Document, vocabulary: Vocabulary = VOCABULARY) -> list[Edit]:
    """The edits that put the properties of every object into canonical order (docs/decisions.md, section 5).

    Properties change places with key, value and layout. Commas, and the white space around them, stay in place.

    Args:
        document: the document. A document with syntax errors or duplicate keys is not changed.
    """
    value = document.value
    root = document.find(())
    if not document.valid or not isinstance(value, dict) or root is None or document.duplicate_keys():
        return []
    return list(_edits(document.text, root, value, normalize(value, vocabulary)))


def _edits(text: str, member: Member, value: object, ordered: object) -> Iterator[Edit]:
    """The edits in one value; `ordered` is its normal form."""
    if isinstance(value, dict) and isinstance(ordered, dict):
        if list(value) != list(ordered):
            yield from _permutation(text, member, value, ordered)
        elif any(isinstance(inner, dict | list) for inner in value.values()):
            for inner in member.members() or ():
                name = str(inner.step)
                yield from _edits(text, inner, value[name], ordered[name])
    elif isinstance(value, list) and isinstance(ordered, list) and _is_unordered(value, ordered):
        for inner, element, ordered_element in zip(member.members() or (), value, ordered, strict=True):
            yield from _edits(text, inner, element, ordered_element)


def _permutation(text: str, member: Member, value: dict[str, object], ordered: dict[str, object]) -> Iterator[Edit]:
    by_name = {str(inner.step): inner for inner in member.members() or ()}
    for (name, slot), new_name in zip(by_name.items(), ordered, strict=True):
        if name == new_name:
            yield from _edits(text, slot, value[name], ordered[name])
        else:
            moved = by_name[new_name]
            inner_edits = _edits(text, moved, value[new_name], ordered[new_name])
            yield Edit(full_span(slot), apply_within(text, full_span(moved), inner_edits))


def _is_unordered(value: object, ordered: object) -> bool:
    """Whether an object in `value` is not in canonical order. Most documents are sorted, so this check is cheap."""
    if isinstance(value, dict) and isinstance(ordered, dict):
        return list(value) != list(ordered) or any(_is_unordered(value[name], ordered[name]) for name in value)
    if isinstance(value, list) and isinstance(ordered, list):
        return any(_is_unordered(*pair) for pair in zip(value, ordered, strict=True))
    return False
