"""Changes to a text that leave the author's layout alone.

What is inserted looks like what stands beside it: the same line ending, the same indentation, the same space behind
colons and commas. Nothing else of the text is touched.
"""

from __future__ import annotations

import json
import re
from collections import namedtuple

from rui_common.members import UNKNOWN, Span
from rui_common.reader import skip_space

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rui_common.document import Document, Member
    from rui_common.paths import Path

_LAST_LINE = re.compile(r"[^\r\n]*\Z")
_LINE_END = re.compile(r"\r\n|\r|\n")


class Edit(namedtuple("Edit", ("span", "text"))):
    """One replacement.

    Attributes:
        span: what is replaced, in code points; an empty range inserts.
        text: what stands there afterwards.
    """

    __slots__ = ()
    span: Span
    text: str


def apply(text: str, edits: Iterable[Edit]) -> str:
    """Make several changes at once.

    Args:
        text: the text that the ranges of `edits` belong to.
        edits: the changes in any order. Insertions at one place stand in the order given.

    Raises:
        ValueError: two of them change the same characters.
    """
    parts: list[str] = []
    at = 0
    for span, new in sorted(edits, key=lambda edit: edit.span):
        if span.start < at:
            raise ValueError(f"edits overlap at offset {span.start}")
        parts += (text[at : span.start], new)
        at = span.end
    return "".join((*parts, text[at:]))


def set_value(document: Document, path: Path, value: object) -> Edit | None:
    """Replace the value at `path`; None if there is none in the text."""
    member = document.find(path)
    return None if member is None or member.span is None else Edit(member.span, _json(value))


def rename_key(document: Document, path: Path, name: str) -> Edit | None:
    """Give the property at `path` another name; None if it is not in the text."""
    member = document.find(path)
    return None if member is None or member.key_span is None else Edit(member.key_span, _json(name))


def insert_property(document: Document, path: Path, value: object, order: Sequence[str]) -> Edit | None:
    """Add a property to an object that exists.

    Args:
        document: the document.
        path: the path of the property; it must not be there yet.
        value: its value.
        order: the names of an object of this shape in canonical order: it stands behind the nearest before it.

    Returns:
        The insertion; None if there is no such object.
    """
    container = document.find(path[:-1])
    if container is None or container.start == UNKNOWN or document.text[container.start] != "{":
        return None
    style = _Style(document, path[:-1], container)
    name = str(path[-1])
    pair = f"{_json(name)}:{style.space}{_json(value, style.space)}"
    before = order[: order.index(name)] if name in order else order
    members = style.members
    anchors = [index for index, member in enumerate(members) if member.step in before and member.start != UNKNOWN]
    if anchors:
        anchor = max(anchors, key=lambda index: before.index(str(members[index].step)))
        return Edit(Span(members[anchor].end, members[anchor].end), f",{style.gap_at(anchor)}{pair}")
    if members:
        at = _start(members[0])
        return Edit(Span(at, at), f"{pair},{style.gap_at(0)}")
    return style.fill(pair)


def append_element(document: Document, path: Path, value: object) -> Edit | None:
    """Add an element to the end of the array at `path`; None if there is no such array."""
    container = document.find(path)
    if container is None or container.start == UNKNOWN or document.text[container.start] != "[":
        return None
    style = _Style(document, path, container)
    if not style.members:
        return style.fill(_json(value, style.space))
    last = len(style.members) - 1
    at = style.members[last].end
    return Edit(Span(at, at), f",{style.gap_at(last)}{_like(document, style.members[last], value, style.space)}")


def remove_member(document: Document, path: Path) -> Edit | None:
    """Take a property or an element away, with the comma that it no longer needs; None if it is not there."""
    found, container = document.find(path), document.find(path[:-1])
    if found is None or found.span is None or not path or container is None:
        return None
    members = document.members(path[:-1])
    index = next((index for index, member in enumerate(members) if member.start == found.start), 0)
    if index + 1 < len(members):
        return Edit(Span(_start(found), _start(members[index + 1])), "")
    if index:
        return Edit(Span(members[index - 1].end, found.end), "")
    return Edit(Span(container.start + 1, container.end - 1), "")


def _json(value: object, space: str = " ") -> str:
    return json.dumps(value, ensure_ascii=False, separators=("," + space, ":" + space))


def _start(member: Member) -> int:
    return member.start if member.key_span is None else member.key_span.start


def _like(document: Document, model: Member, value: object, space: str) -> str:
    """`value` as JSON; an object is laid out over several lines where `model` is."""
    inside = tuple(model.members() or ())
    if not isinstance(value, dict) or not value or not inside or document.text[model.start] != "{":
        return _json(value, space)
    opening = document.text[model.start + 1 : _start(inside[0])]
    closing = document.text[inside[-1].end : model.end - 1]
    if not _LINE_END.search(opening):
        return _json(value, space)
    pairs = (f"{_json(name)}:{space}{_json(below, space)}" for name, below in value.items())
    return "{" + opening + f",{opening}".join(pairs) + closing + "}"


class _Style:
    """How an object or array is laid out.

    Attributes:
        members: its members in text order.
        space: what stands behind a colon.
    """

    __slots__ = ("_container", "_text", "members", "space")

    def __init__(self, document: Document, path: Path, container: Member) -> None:
        self._text = document.text
        self._container = container
        self.members = document.members(path)
        self.space = _space_behind_colon(document, path)

    def gap_at(self, index: int) -> str:
        """What stands between a comma and the member behind it, as near to member `index` as there is one."""
        if len(self.members) > 1:
            index = max(1, index)
            end, start = self.members[index - 1].end, _start(self.members[index])
            return self._text[end:start].partition(",")[2]
        opening = self._text[self._container.start + 1 : _start(self.members[0])]
        return opening if _LINE_END.search(opening) else self.space

    def fill(self, member: str) -> Edit:
        """Put the first member into an empty object or array."""
        inner = Span(self._container.start + 1, self._container.end - 1)
        blank = self._text[inner.start : inner.end]
        line_end = _LINE_END.search(blank)
        if line_end is None:
            return Edit(inner, member)
        last_line = _LAST_LINE.search(blank)
        indent = "" if last_line is None else last_line.group()
        unit = "\t" if indent.startswith("\t") else "  "
        return Edit(inner, f"{line_end.group()}{indent}{unit}{member}{line_end.group()}{indent}")


def _space_behind_colon(document: Document, path: Path) -> str:
    """As in the object at `path`; if nothing in there tells, as in the nearest around it."""
    for length in range(len(path), -1, -1):
        for member in document.members(path[:length]):
            if member.key_span is not None and member.start != UNKNOWN:
                colon = skip_space(document.text, member.key_span.end).end()
                return "" if colon + 1 == member.start else " "
    return " "
