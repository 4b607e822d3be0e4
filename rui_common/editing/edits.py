"""Edits of a text that keep the author's layout.

Inserted text has the layout of its neighbours: line ending, indentation, spaces after colons and commas. The rest of
the text does not change.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from difflib import SequenceMatcher

from rui_common.syntax.document import Document
from rui_common.syntax.paths import Path
from rui_common.syntax.reader import skip_blanks
from rui_common.syntax.spans import Edit, Span, line_start
from rui_common.syntax.tree import Member

_FIRST_INDENT = re.compile(r"[{\[][ \t]*(?:\r\n|\r|\n)([ \t]+)[^ \t\r\n]")
_MAX_START = 2_000  # Characters in which an indented line is searched
INDENT = "  "
_TOKEN = re.compile(r'"(?:[^"\\\r\n]|\\[^\r\n])*"|[ \t]+|\r\n|[^"\s\[\]{},:]+|[\s\S]')
_MAX_TOKENS = 200  # Maximum number of tokens in a difference that are compared; the time of the comparison is cubic
WIDTH = 100  # Maximum length, in code points, of a line with several values


def apply(text: str, edits: Iterable[Edit]) -> str:
    """Apply edits, in any order, at once. Insertions at one offset keep their order.

    Raises:
        ValueError: two edits overlap.
    """
    fragments: list[str] = []
    end = 0
    for replaced, new in sorted(edits, key=lambda edit: edit.span):
        if replaced.start < end:
            raise ValueError(f"edits overlap at offset {replaced.start}")
        fragments += (text[end : replaced.start], new)
        end = replaced.end
    return "".join((*fragments, text[end:]))


def text_edits(before: str, after: str) -> list[Edit]:
    """Return the edits, by lines and in those by tokens, that turn `before` into `after`: in order and not adjacent."""
    edits: list[Edit] = []
    lines = _changes(before.splitlines(keepends=True), after.splitlines(keepends=True))
    for start, removed, inserted in lines:
        old = _TOKEN.findall(removed)
        new = _TOKEN.findall(inserted)
        if len(old) > _MAX_TOKENS or len(new) > _MAX_TOKENS:
            edits.append(Edit(Span(start, start + len(removed)), inserted))
            continue
        for offset, token, replacement in _changes(old, new):
            token_start = start + offset
            edits.append(Edit(Span(token_start, token_start + len(token)), replacement))
    return edits


def _changes(old: list[str], new: list[str]) -> Iterator[tuple[int, str, str]]:
    """Yield the differences of two texts in pieces: the offset, the old and the new text."""
    offset = 0
    for tag, old_start, old_end, new_start, new_end in SequenceMatcher(None, old, new).get_opcodes():
        removed = "".join(old[old_start:old_end])
        if tag != "equal":
            yield offset, removed, "".join(new[new_start:new_end])
        offset += len(removed)


def set_value(document: Document, path: Path, value: object) -> Edit | None:
    """Replace the value at `path`; None if the text has none."""
    member = document.find(path)
    if member is None or member.span is None:
        return None
    return Edit(member.span, _json(value))


def rename_key(document: Document, path: Path, name: str) -> Edit | None:
    """Rename the property at `path`; None if it is not in the text."""
    member = document.find(path)
    if member is None or member.key_span is None:
        return None
    return Edit(member.key_span, _json(name))


def insert_properties(document: Document, path: Path, values: dict[str, object], order: Sequence[str]) -> list[Edit]:
    """Add new properties to the object at `path`; empty if there is no such object.

    A property is inserted after the nearest existing one that precedes it in `order`, the canonical one of the shape.
    """
    container = document.find(path)
    if container is None or container.is_missing or document.text[container.start] != "{":
        return []
    style = Style(document, path, container)
    pairs = {
        name: f"{_json(name)}:{style.space}{style.write(value, is_element=False)}" for name, value in values.items()
    }
    if not style.members:
        return [style.fill(pairs.values())]
    by_span: dict[Span, str] = {}
    for name, pair in pairs.items():
        # Insertions at one offset become one edit, as not every editor applies them in the right order.
        edit = _insertion(style, name, pair, order)
        by_span[edit.span] = by_span.get(edit.span, "") + edit.text
    return [Edit(span, text) for span, text in by_span.items()]


def _insertion(style: "Style", name: str, pair: str, order: Sequence[str]) -> Edit:
    if name in order:
        order = order[: order.index(name)]
    members = style.members
    anchors = [index for index, member in enumerate(members) if member.step in order and not member.is_missing]
    if anchors:
        anchor = max(anchors, key=lambda index: order.index(str(members[index].step)))
        end = members[anchor].end
        return Edit(Span(end, end), f",{style.gap_at(anchor)}{pair}")
    start = members[0].first_offset
    return Edit(Span(start, start), f"{pair},{style.gap_at(0)}")


def append_elements(document: Document, path: Path, values: Sequence[object]) -> Edit | None:
    """Add elements to the end of the array at `path`; None if there is no such array."""
    container = document.find(path)
    if container is None or container.is_missing or document.text[container.start] != "[":
        return None
    style = Style(document, path, container)
    if not style.members:
        return style.fill([style.write(value) for value in values])
    return insert_texts(document, path, len(style.members) - 1, [style.write(value) for value in values])


def insert_texts(
    document: Document, path: Path, index: int, texts: Sequence[str], *, before: bool = False
) -> Edit | None:
    """Insert elements, given as text, after (or before) the element at `index` of an array; None if it is missing."""
    container = document.find(path)
    anchor = document.find((*path, index))
    if container is None or anchor is None or anchor.span is None:
        return None
    gap = Style(document, path, container).gap_at(index)
    if before:
        return Edit(Span(anchor.start, anchor.start), "".join(f"{text},{gap}" for text in texts))
    return Edit(Span(anchor.end, anchor.end), "".join(f",{gap}{text}" for text in texts))


def remove_member(document: Document, path: Path) -> Edit | None:
    """Remove a property or an element, and the comma that is no longer needed; None if it is not in the text."""
    member = document.find(path)
    if member is None or not path:
        return None
    # An array may have 100,000 elements, and as many to remove.
    step = member.step
    index = step if isinstance(step, int) else document.members(path[:-1]).index(member)
    return remove_members(document, path[:-1], index, index)


def remove_members(document: Document, path: Path, first: int, last: int) -> Edit | None:
    """Remove adjacent members of one object or array by their places in it; None if the last one has no value."""
    container = document.find(path)
    members = document.members(path)
    if container is None or members[last].is_missing:
        return None
    if last + 1 < len(members):
        return Edit(Span(members[first].first_offset, members[last + 1].first_offset), "")
    if first:
        return Edit(Span(members[first - 1].last_offset, members[last].end), "")
    return Edit(Span(container.start + 1, container.end - 1), "")


def remove_duplicate(document: Document, path: Path, key: Span) -> Edit | None:
    """Remove the property with the key at `key`, which a later one overrides; None if an overridden object has it."""
    keys = [member.key_span for member in document.members(path[:-1])]
    if key not in keys:
        return None
    index = keys.index(key)
    return remove_members(document, path[:-1], index, index)


def indent_at(text: str, offset: int) -> str:
    return skip_blanks(text, line_start(text, offset)).group()


def end_before(text: str, offset: int) -> int:
    """Return the offset after the last character before `offset` that is not white space."""
    while offset and text[offset - 1] in " \t\r\n":
        offset -= 1
    return offset


def line_end_of(text: str) -> str:
    """Return the line ending of a text; ``""`` if it has only one line."""
    return next((line_end for line_end in ("\r\n", "\n", "\r") if line_end in text), "")


def indent_unit(text: str) -> str:
    """Return the indentation of one level: that of the first line in a bracket, relative to the line of the bracket."""
    first = _FIRST_INDENT.search(text, 0, _MAX_START)
    if first is None:
        return INDENT
    outer = indent_at(text, first.start())
    if first[1] == outer or not first[1].startswith(outer):
        return INDENT
    return first[1].removeprefix(outer)


def reindent(text: str, before: str, after: str) -> str:
    """Return the text of a value with another indentation of the line on which it begins.

    Strings contain no line ends, so they do not change.
    """
    if before == after:
        return text
    return re.sub(r"(?<=[\r\n])" + re.escape(before) + r"(?!\n)", lambda _: after, text)


def with_unit(text: str, old_unit: str, unit: str) -> str:
    """Return a text whose levels are indented by `unit` instead of `old_unit`."""
    return re.sub(rf"(?<=\n)(?:{old_unit})+", lambda match: unit * (len(match[0]) // len(old_unit)), text)


def _json(value: object, space: str = " ") -> str:
    return json.dumps(value, ensure_ascii=False, separators=("," + space, ":" + space))


class SeveralLines(dict[str, object]):
    """An object that `format_json` prints on several lines even if it is a short element: a node."""


def format_json(
    value: object,
    indent: str = "",
    *,
    unit: str = INDENT,
    line_end: str = "\n",
    space: str = " ",
    is_element: bool = True,
    write: Callable[[object], str] = _json,
) -> str:
    """Return `value` as JSON over several lines.

    Short lists and elements without objects or arrays in them are on one line.

    Args:
        indent: the indentation of the line on which it begins; `unit` is that of one level.
        space: the text after colons and commas.
        is_element: whether it is an element rather than the value of a property, where objects have several lines.
        write: returns the text of a key or scalar.
    """
    if isinstance(value, dict):
        brackets = "{}"
        values = list(value.values())
        keys = [f"{write(name)}:{space}" for name in value]
    elif isinstance(value, list):
        brackets = "[]"
        values = value
        keys = [""] * len(value)
    else:
        return write(value)
    if not value:
        return brackets
    may_be_flat = isinstance(value, list) or (is_element and not isinstance(value, SeveralLines))
    if may_be_flat and not any(isinstance(inner, dict | list) for inner in values):
        members = f",{space}".join(key + write(inner) for key, inner in zip(keys, values, strict=True))
        if len(indent) + len(members) + 2 <= WIDTH:
            return f"{brackets[0]}{members}{brackets[1]}"
    deeper = indent + unit
    lines = [
        deeper + key + format_json(
            inner, deeper,
            unit=unit, line_end=line_end, space=space, is_element=isinstance(value, list), write=write,
        )
        for key, inner in zip(keys, values, strict=True)
    ]  # fmt: skip
    members = f",{line_end}".join(lines)
    return f"{brackets[0]}{line_end}{members}{line_end}{indent}{brackets[1]}"


class Style:
    """The layout of an object or array."""

    def __init__(self, document: Document, path: Path, container: Member) -> None:
        self._text = document.text
        self.members = document.members(path)  # the members in text order
        self.space = space_after_colon(document.text, container.start)  # the text after a colon
        self._content = Span(container.start + 1, container.end - 1)
        end = self._content.end
        if self.members:
            end = self.members[0].first_offset
        self.opening = self._text[self._content.start : end]  # white space
        self.line_end = line_end_of(self.opening)  # before the first member; `""` if that is in the same line
        self.indent = indent_at(self._text, container.start)  # the indentation of the line on which it begins
        self._unit = indent_unit(self._text)

    @property
    def member_indent(self) -> str:
        """The indentation of members on lines of their own."""
        if self.members and self.line_end:
            return indent_at(self._text, self.members[0].first_offset)
        return self.indent + self._unit

    def gap_at(self, index: int) -> str:
        """Return the text between a comma and the next member, taken from near the member at `index`."""
        if len(self.members) > 1:
            index = max(1, index)
            gap = self._text[self.members[index - 1].end : self.members[index].first_offset]
            return gap.partition(",")[2]
        if self.line_end:
            return self.opening
        return self.space

    def write(self, value: object, *, is_element: bool = True) -> str:
        """Return `value` as JSON, over several lines if the members are on lines of their own (see `format_json`)."""
        if not self.line_end:
            return _json(value, self.space)
        return format_json(
            value, self.member_indent, unit=self._unit, line_end=self.line_end, space=self.space, is_element=is_element
        )

    def fill(self, texts: Iterable[str]) -> Edit:
        """Insert the first members into an empty object or array."""
        if not self.line_end:
            return Edit(self._content, f",{self.space}".join(texts))
        gap = f"{self.line_end}{self.member_indent}"
        return Edit(self._content, gap + f",{gap}".join(texts) + self.line_end + self.indent)


def space_after_colon(text: str, start: int = 0) -> str:
    """Return the space after the first colon in the object at `start`, or in the text if it has none."""
    colon = text.find('":', start)
    if colon < 0:
        colon = text.find('":')
    if colon < 0 or text[colon + 2 : colon + 3].isspace():
        return " "
    return ""
