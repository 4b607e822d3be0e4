"""Changes to a text that leave the author's layout alone.

What is inserted looks like what stands beside it: the same line ending, the same indentation, the same space behind
colons and commas. Nothing else of the text is touched.
"""

from __future__ import annotations

import json
import re
from collections import namedtuple

from rui_common.syntax.reader import skip_space
from rui_common.syntax.spans import Span
from rui_common.syntax.tree import UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rui_common.syntax.document import Document
    from rui_common.syntax.paths import Path
    from rui_common.syntax.tree import Member

_LAST_LINE = re.compile(r"[^\r\n]*\Z")
_LINE_END = re.compile(r"\r\n|\r|\n")
_BLANK = re.compile(r"[ \t]*")
_COLON = re.compile(r"[ \t\r\n]*:[ \t\r\n]*")
_COMMA = re.compile(r"[ \t\r\n]*,[ \t\r\n]*")
_WIDTH = 100
_scan = json.JSONDecoder().scan_once  # type: ignore[attr-defined]


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


def take_out(document: Document, path: Path) -> tuple[list[Edit], bool]:
    """Leave nothing of the object around the value at `path` but that value.

    Returns:
        The edits, none if one of them is not in the text; and whether nothing else is in that object.
    """
    outer, inner = document.find(path[:-1]), document.find(path)
    if outer is None or inner is None or outer.span is None or inner.span is None:
        return [], False
    if outer.text_at(inner.start) == '"':  # a string that holds the value as JSON
        content = json.loads(document.text[inner.start : inner.end])
        return [Edit(outer.span, content)], sum(1 for _ in document.members(path[:-1])) == 1
    around = [Edit(Span(outer.start, inner.start), ""), Edit(Span(inner.end, outer.end), "")]
    return around, sum(1 for _ in document.members(path[:-1])) == 1


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
    made = insert_properties(document, path[:-1], {str(path[-1]): value}, order)
    return made[0] if made else None


def insert_properties(document: Document, path: Path, values: dict[str, object], order: Sequence[str]) -> list[Edit]:
    """Add several properties to the object at `path`, as `insert_property` does; none if there is no such object."""
    container = document.find(path)
    if container is None or container.start == UNKNOWN or document.text[container.start] != "{":
        return []
    style = _Style(document, path, container)
    pairs = {name: f"{_json(name)}:{style.space}{style.write(value)}" for name, value in values.items()}
    if not style.members:
        return [style.fill(pairs.values())]
    together: dict[Span, str] = {}
    for name, pair in pairs.items():
        # Not every editor puts several insertions at one place in the right order.
        edit = _insertion(style, name, pair, order)
        together[edit.span] = together.get(edit.span, "") + edit.text
    return [Edit(span, text) for span, text in together.items()]


def _insertion(style: _Style, name: str, pair: str, order: Sequence[str]) -> Edit:
    before = order[: order.index(name)] if name in order else order
    members = style.members
    anchors = [index for index, member in enumerate(members) if member.step in before and member.start != UNKNOWN]
    if anchors:
        anchor = max(anchors, key=lambda index: before.index(str(members[index].step)))
        return Edit(Span(members[anchor].end, members[anchor].end), f",{style.gap_at(anchor)}{pair}")
    at = _start(members[0])
    return Edit(Span(at, at), f"{pair},{style.gap_at(0)}")


def append_element(document: Document, path: Path, value: object) -> Edit | None:
    """Add an element to the end of the array at `path`; None if there is no such array."""
    return append_elements(document, path, [value])


def append_elements(document: Document, path: Path, values: Sequence[object]) -> Edit | None:
    """Add elements to the end of the array at `path`; None if there is no such array."""
    container = document.find(path)
    if container is None or container.start == UNKNOWN or document.text[container.start] != "[":
        return None
    style = _Style(document, path, container)
    if not style.members:
        return style.fill([style.write(value) for value in values])
    last = len(style.members) - 1
    return insert_texts(document, path, last, [_like(style, style.members[last], value) for value in values])


def append_texts(document: Document, path: Path, texts: Sequence[str]) -> Edit | None:
    """Add elements, written as on a line without blanks before it, to the end of an array; None if there is none."""
    members = document.members(path)
    if not members or members[-1].key_span is not None:
        return None
    indent = indent_at(document.text, members[-1].start)
    return insert_texts(document, path, len(members) - 1, [reindent(text, "", indent) for text in texts])


def insert_texts(
    document: Document, path: Path, index: int, texts: Sequence[str], *, before: bool = False
) -> Edit | None:
    """Put elements behind (or before) the one at `index` of an array, as they are written; None if it is not there."""
    container, there = document.find(path), document.find((*path, index))
    if container is None or there is None or there.span is None:
        return None
    gap = _Style(document, path, container).gap_at(index)
    if before:
        return Edit(Span(there.start, there.start), "".join(f"{text},{gap}" for text in texts))
    return Edit(Span(there.end, there.end), "".join(f",{gap}{text}" for text in texts))


def remove_member(document: Document, path: Path) -> Edit | None:
    """Take a property or an element away, with the comma that it no longer needs; None if it is not there."""
    found = document.find(path)
    return None if found is None or not path else remove_members(document, path[:-1], [found])


def remove_members(document: Document, path: Path, unwanted: Sequence[Member]) -> Edit | None:
    """Take members of one object or array away that stand side by side; None if they do not."""
    container, members = document.find(path), document.members(path)
    starts = {member.start for member in unwanted}
    found = [index for index, member in enumerate(members) if member.start in starts]
    if container is None or not found or UNKNOWN in starts or found[-1] - found[0] + 1 != len(unwanted):
        return None
    first, last = found[0], found[-1]
    if last + 1 < len(members):
        return Edit(Span(_start(members[first]), _start(members[last + 1])), "")
    if first:
        return Edit(Span(members[first - 1].end, members[last].end), "")
    return Edit(Span(container.start + 1, container.end - 1), "")


def remove_repeated(document: Document, key: Span) -> Edit | None:
    """Take a property away whose key, which stands there, is repeated below; None if its text is broken.

    It may be in an object that is itself repeated, so that no path leads to it.
    """
    text = document.text
    try:
        value = _COLON.match(text, key.end)
        _, end = _scan(text, -1 if value is None else value.end())
    except (StopIteration, ValueError, RecursionError):
        return None
    comma = _COMMA.match(text, end)
    return None if comma is None else Edit(Span(key.start, comma.end()), "")


def indent_at(text: str, offset: int) -> str:
    """The blanks that the line of an offset begins with."""
    start = max(text.rfind(end, 0, offset) for end in "\r\n") + 1
    found = _BLANK.match(text, start)
    return "" if found is None else found.group()


def reindent(text: str, before: str, after: str) -> str:
    """JSON text with another indentation; strings have no line ends in them, so that nothing else changes.

    Args:
        text: a value; its first line stands behind something else.
        before: the indentation of the line that it begins on.
        after: the one that this line has from now on.
    """
    if before == after:
        return text
    return re.sub(r"(?<=[\r\n])" + re.escape(before) + r"(?!\n)", lambda _: after, text)


def lay_out(value: object, indent: str = "", *, unit: str = "  ", line_end: str = "\n", space: str = " ") -> str:
    """`value` as JSON over several lines; what holds no objects or arrays and is short stays on one.

    Args:
        value: any JSON value.
        indent: the indentation of the line that it begins on.
        unit: what a level is indented by.
        line_end: what ends a line.
        space: what stands behind colons and commas.
    """
    below = list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else []
    line = _json(value, space)
    if not below or (len(indent) + len(line) <= _WIDTH and not any(isinstance(one, dict | list) for one in below)):
        return line
    deeper = indent + unit
    written = [lay_out(one, deeper, unit=unit, line_end=line_end, space=space) for one in below]
    if isinstance(value, dict):
        written = [f"{_json(name)}:{space}{one}" for name, one in zip(value, written, strict=True)]
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    return opening + line_end + f",{line_end}".join(deeper + one for one in written) + line_end + indent + closing


def _json(value: object, space: str = " ") -> str:
    return json.dumps(value, ensure_ascii=False, separators=("," + space, ":" + space))


def _start(member: Member) -> int:
    return member.start if member.key_span is None else member.key_span.start


def _like(style: _Style, model: Member, value: object) -> str:
    """`value` as JSON; an object is laid out over several lines where `model` is."""
    inside = tuple(model.members() or ())
    text = style.text
    if not isinstance(value, dict) or not value or not inside or text[model.start] != "{":
        return style.write(value)
    opening = text[model.start + 1 : _start(inside[0])]
    closing = text[inside[-1].end : model.end - 1]
    if not _LINE_END.search(opening):
        return style.write(value)
    indent = opening[len(opening.rstrip(" \t")) :]
    pairs = (f"{_json(name)}:{style.space}{style.write(below, indent)}" for name, below in value.items())
    return "{" + opening + f",{opening}".join(pairs) + closing + "}"


class _Style:
    """How an object or array is laid out.

    Attributes:
        text: the text that it is in.
        members: its members in text order.
        space: what stands behind a colon.
    """

    __slots__ = ("_container", "members", "space", "text")

    def __init__(self, document: Document, path: Path, container: Member) -> None:
        self.text = document.text
        self._container = container
        self.members = document.members(path)
        self.space = _space_behind_colon(document, path)

    def gap_at(self, index: int) -> str:
        """What stands between a comma and the member behind it, as near to member `index` as there is one."""
        if len(self.members) > 1:
            index = max(1, index)
            end, start = self.members[index - 1].end, _start(self.members[index])
            return self.text[end:start].partition(",")[2]
        opening = self.text[self._container.start + 1 : _start(self.members[0])]
        return opening if _LINE_END.search(opening) else self.space

    def write(self, value: object, indent: str | None = None) -> str:
        """`value` as JSON, over several lines where the members stand on lines of their own.

        Args:
            value: what to write.
            indent: the indentation of the line that it begins on; by default that of the members.
        """
        gap = self._opening()
        line_end = _LINE_END.search(gap)
        if line_end is None:
            return _json(value, self.space)
        outer, inner = indent_at(self.text, self._container.start), gap[len(gap.rstrip(" \t")) :]
        unit = self._unit(inner)
        if not self.members:
            inner += unit
        elif inner.startswith(outer) and len(outer) < len(inner):
            unit = inner[len(outer) :]
        return lay_out(
            value, inner if indent is None else indent, unit=unit, line_end=line_end.group(), space=self.space
        )

    def _opening(self) -> str:
        """The blanks behind the opening bracket."""
        end = _start(self.members[0]) if self.members else self._container.end - 1
        return self.text[self._container.start + 1 : end]

    @staticmethod
    def _unit(indent: str) -> str:
        return "\t" if indent.startswith("\t") else "  "

    def fill(self, members: Iterable[str]) -> Edit:
        """Put the first members into an empty object or array."""
        inner = Span(self._container.start + 1, self._container.end - 1)
        blank = self._opening()
        line_end = _LINE_END.search(blank)
        if line_end is None:
            return Edit(inner, f",{self.space}".join(members))
        last_line = _LAST_LINE.search(blank)
        indent = "" if last_line is None else last_line.group()
        gap = f"{line_end.group()}{indent}{self._unit(indent)}"
        return Edit(inner, gap + f",{gap}".join(members) + f"{line_end.group()}{indent}")


def _space_behind_colon(document: Document, path: Path) -> str:
    """As in the object at `path`; if nothing in there tells, as in the nearest around it."""
    for length in range(len(path), -1, -1):
        for member in document.members(path[:length]):
            if member.key_span is not None and member.start != UNKNOWN:
                colon = skip_space(document.text, member.key_span.end).end()
                return "" if colon + 1 == member.start else " "
    return " "
