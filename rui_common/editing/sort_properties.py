"""Document → its properties in canonical order, each written as its author wrote it."""

from __future__ import annotations

from rui_common.editing.edits import Edit
from rui_common.editing.normal_form import normalize
from rui_common.syntax.spans import Span
from rui_common.vocabulary.rui_0_1 import VOCABULARY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from rui_common.syntax.document import Document
    from rui_common.syntax.tree import Member
    from rui_common.vocabulary.schema import Vocabulary


def sort_properties(document: Document, vocabulary: Vocabulary = VOCABULARY) -> list[Edit]:
    """The changes that put the properties of every object into canonical order (docs/decisions.md, section 5).

    Properties change places with key, value and layout; commas, and the blanks around them, stay where they are.

    Args:
        document: the document. Nothing is done to one that is broken or has repeated keys.
        vocabulary: what gives the order.
    """
    value, root = document.value, document.find(())
    if not document.valid or not isinstance(value, dict) or root is None or document.duplicate_keys():
        return []
    return list(_edits(document.text, root, value, normalize(value, vocabulary)))


def _edits(text: str, member: Member, value: object, ordered: object) -> Iterator[Edit]:
    """The changes within one value; `ordered` is the same in canonical order."""
    if isinstance(value, dict) and isinstance(ordered, dict):
        if list(value) != list(ordered):
            yield from _sorted(text, member, value, ordered)
        elif any(isinstance(below, dict | list) for below in value.values()):
            for inside in member.members() or ():
                yield from _edits(text, inside, value[str(inside.step)], ordered[str(inside.step)])
    elif isinstance(value, list) and isinstance(ordered, list) and _differ(value, ordered):
        for inside, below, there in zip(member.members() or (), value, ordered, strict=True):
            yield from _edits(text, inside, below, there)


def _sorted(text: str, member: Member, value: dict[str, object], ordered: dict[str, object]) -> Iterator[Edit]:
    by_name = {str(inside.step): inside for inside in member.members() or ()}
    for (name, slot), wanted in zip(by_name.items(), ordered, strict=True):
        if name == wanted:
            yield from _edits(text, slot, value[name], ordered[name])
        else:
            moved = by_name[wanted]
            yield Edit(_span(slot), _written(text, moved, value[wanted], ordered[wanted]))


def _written(text: str, member: Member, value: object, ordered: object) -> str:
    """The text of a property, what is in it being in order."""
    span = _span(member)
    parts: list[str] = []
    at = span.start
    for inner, new in sorted(_edits(text, member, value, ordered), key=lambda edit: edit.span):
        parts += (text[at : inner.start], new)
        at = inner.end
    return "".join((*parts, text[at : span.end]))


def _span(member: Member) -> Span:
    return Span(member.start if member.key_span is None else member.key_span.start, member.end)


def _differ(value: object, ordered: object) -> bool:
    """Whether anything in there is out of order; quick, as mostly nothing is."""
    if isinstance(value, dict) and isinstance(ordered, dict):
        return list(value) != list(ordered) or any(_differ(value[name], ordered[name]) for name in value)
    if isinstance(value, list) and isinstance(ordered, list):
        return any(_differ(below, there) for below, there in zip(value, ordered, strict=True))
    return False
