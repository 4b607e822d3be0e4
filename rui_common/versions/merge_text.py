"""The text of a merged document: ours with edits, and conflicts between the markers of git.

The markers are around whole members, with the commas that they need, so that either choice is valid JSON.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rui_common.editing.edits import (
    WIDTH,
    Style,
    format_json,
    indent_at,
    indent_unit,
    line_end_of,
    reindent,
    space_after_colon,
)
from rui_common.json_values import is_same_json
from rui_common.syntax.conflicts import Markers
from rui_common.syntax.document import Document
from rui_common.syntax.paths import Path, value_at
from rui_common.syntax.tree import Member
from rui_common.versions.merge_inputs import Side
from rui_common.versions.merge_order import align, merge_names
from rui_common.versions.merge_tree import Piece

_LINE_END = re.compile(r"\r\n|\r|\n")


class Difference(NamedTuple):
    """A member that is in conflict."""

    owner: Piece  # the innermost element around it, or the root
    path: Path  # its path from the owner
    ours: Piece | None  # what it is in ours; None if it is absent
    theirs: Piece | None  # what it is in theirs; None if it is absent
    is_order: bool = False  # whether it is a list whose elements are in two orders


class _Item(NamedTuple):
    """Members at one place: one text without a conflict, else those of both sides."""

    texts: tuple[list[str], list[str]]  # the texts of the members, by side. Without a conflict both are the same.
    number: int | None = None  # the index of the member in ours, if it is one there
    is_conflict: bool = False  # whether the sides differ
    base: Sequence[str] = ()  # the texts of the base, if the sides differ and it is shown


def _together(items: list[_Item]) -> _Item:
    """Return one conflict with the members of several places."""
    ours, theirs = ([text for item in items for text in item.texts[side]] for side in (0, 1))
    return _Item((ours, theirs), is_conflict=True, base=[text for item in items for text in item.base])


class MergeWriter:
    """Writes a merged document of two valid documents, with markers of a length.

    The base is shown as far as it can be read, if `markers` say so.
    """

    def __init__(self, base: Document | None, ours: Document, theirs: Document, markers: Markers) -> None:
        self._documents = {Side.OURS: ours, Side.THEIRS: theirs}
        self._base = base if markers.with_base else None
        self._ours = ours
        self._markers = markers
        self._unit = indent_unit(ours.text)
        self._space = space_after_colon(ours.text)
        # git knows no lines that end in CR alone: its markers would not be read.
        self._line_end = "\n"
        if line_end_of(ours.text) == "\r\n":
            self._line_end = "\r\n"
        self.differences: list[Difference] = []  # the conflicts that were written, in text order

    def write(self, ours: Piece, theirs: Piece) -> str:
        """Return the text of a document: of two versions of the root, each with the preference for one side."""
        root = self._member(())
        text = self._ours.text
        if is_same_json(ours.value, theirs.value):
            written = self._text(ours, "")
        else:
            written = self._container(ours, theirs, ours)
        return text[: root.start] + written + text[root.end :]

    def _member(self, path: Path, side: Side = Side.OURS) -> Member:
        member = self._documents[side].find(path)
        assert member is not None  # noqa: S101  the paths of pieces exist
        return member

    # Values without a conflict

    def _text(self, piece: Piece, indent: str, *, is_flat: bool = False) -> str:
        """Return the text of a value; `indent` is that of its line, `is_flat` whether it is inside of a line."""
        for side, path in piece.paths.items():
            document = self._documents[side]
            member = self._member(path, side)
            if is_same_json(piece.value, value_at(document.value, path)):
                text = document.text[member.start : member.end]
            elif piece.members is not None:
                text = self._container(piece, piece, piece, side)
            else:
                continue
            has_lines = _LINE_END.search(text) is not None
            if side is Side.THEIRS and self._is_in_other_style(piece, text, has_lines=has_lines, is_flat=is_flat):
                break
            if has_lines:
                text = reindent(_LINE_END.sub(self._line_end, text), indent_at(document.text, member.start), indent)
            return text
        if is_flat:
            return json.dumps(piece.value, ensure_ascii=False, separators=(f",{self._space}", f":{self._space}"))
        return format_json(piece.value, indent, unit=self._unit, line_end=self._line_end, space=self._space)

    def _is_in_other_style(self, piece: Piece, text: str, *, has_lines: bool, is_flat: bool) -> bool:
        """Return whether an object or array of theirs has another layout than ours would have."""
        theirs = self._documents[Side.THEIRS].text
        if not isinstance(piece.value, dict | list):
            return False
        if is_flat:
            return has_lines or space_after_colon(theirs) != self._space
        if has_lines:
            return indent_unit(theirs) != self._unit
        return len(text) > WIDTH

    # Objects and arrays

    def _container(self, ours: Piece, theirs: Piece, owner: Piece, side: Side = Side.OURS) -> str:
        """Return the text of an object or array whose members may differ, in the layout that it has in a side."""
        path = ours.paths[side]
        layout = _Layout(self._documents[side], side, path, self._member(path, side), self._line_end)
        if isinstance(ours.members, dict) and isinstance(theirs.members, dict):
            names = merge_names([*ours.members], [*theirs.members])
            pairs = ((ours.members.get(name), theirs.members.get(name)) for name in names)
            items = [self._item(pair, name, layout, owner) for pair, name in zip(pairs, names, strict=True)]
        else:
            items = [*self._elements(ours, theirs, layout, owner)]
        return layout.brackets[0] + self._joined(items, layout) + layout.brackets[1]

    def _elements(self, ours: Piece, theirs: Piece, layout: _Layout, owner: Piece) -> Iterator[_Item]:
        by_key, theirs_by_key = (
            {piece.entry.key: piece for _, piece in side.children if piece.entry is not None} for side in (ours, theirs)
        )
        for keys, their_keys in align([*by_key], [*theirs_by_key]):
            if keys == their_keys:
                yield self._item((by_key[keys[0]], theirs_by_key[keys[0]]), None, layout, owner)
                continue
            sides = [by_key[key] for key in keys], [theirs_by_key[key] for key in their_keys]
            path = layout.path[len(owner.paths[Side.OURS]) :]
            in_both = {*keys} & {*their_keys}
            if in_both:
                self.differences.append(Difference(owner, path, ours, theirs, is_order=True))
            for key in dict.fromkeys((*keys, *their_keys)):
                pair = by_key.get(key), theirs_by_key.get(key)
                if key not in in_both or (pair[0] and pair[1] and not is_same_json(pair[0].value, pair[1].value)):
                    self.differences.append(Difference(owner, path, *pair))
            yield self._conflict(sides, self._base_elements(sides, owner, path), "", layout)

    def _base_elements(self, sides: tuple[list[Piece], list[Piece]], owner: Piece, path: Path) -> list[Path]:
        """Return the paths in the base of some elements of a list that are in the same list there, in its order."""
        base = owner.entry.of(Side.BASE) if owner.entry else None
        if base is None:
            return []
        found = {
            element.path for pieces in sides for piece in pieces
            if piece.entry and (element := piece.entry.of(Side.BASE)) and element.parent is base
        }  # fmt: skip
        list_path = (*base.path, *path)
        return sorted(element_path for element_path in found if element_path[:-1] == list_path)

    def _item(self, pair: tuple[Piece | None, Piece | None], name: str | None, layout: _Layout, owner: Piece) -> _Item:
        """Return the text of a property, or of an element without a name: of a piece for each side that has it."""
        ours, theirs = pair
        key = layout.key_text(name)
        if ours is not None and theirs is not None:
            index = layout.index_of(ours, name)
            if is_same_json(ours.value, theirs.value):
                text = key + self._text(ours, layout.inner, is_flat=layout.is_flat)
                return _Item(([text], [text]), index)
            if self._is_nested(ours, theirs, layout):
                inner_owner = ours
                if ours.entry is None:
                    inner_owner = owner
                text = key + self._container(ours, theirs, inner_owner)
                return _Item(([text], [text]), index)
        path = layout.path[len(owner.paths[Side.OURS]) :]
        if name is not None:
            path = (*path, name)
        self.differences.append(Difference(owner, path, ours, theirs))
        entry = owner.entry
        if name is None:
            entry = next((piece.entry for piece in pair if piece is not None), None)
            path = ()
        element = entry.of(Side.BASE) if entry else None
        base_paths = [] if element is None else [(*element.path, *path)]
        return self._conflict(([ours] if ours else [], [theirs] if theirs else []), base_paths, key, layout)

    def _conflict(
        self, sides: tuple[list[Piece], list[Piece]], base_paths: list[Path], key: str, layout: _Layout
    ) -> _Item:
        """Return what both sides have at one place, each member after its key."""
        texts = [
            [key + self._text(piece, layout.inner, is_flat=layout.is_flat) for piece in pieces] for pieces in sides
        ]
        base: list[str] = []
        if self._base is not None:
            for member in filter(None, map(self._base.find, base_paths)):
                text = _LINE_END.sub(self._line_end, self._base.text[member.start : member.end])
                base.append(key + reindent(text, indent_at(self._base.text, member.start), layout.inner))
        return _Item((texts[0], texts[1]), is_conflict=True, base=base)

    def _is_nested(self, ours: Piece, theirs: Piece, layout: _Layout) -> bool:
        """Return whether the members of a value are compared, rather than the value as a whole."""
        if type(ours.members) is not type(theirs.members) or ours.members is None:
            return False
        place = ours.paths.get(Side.OURS)
        if place is None or place != theirs.paths.get(Side.OURS) or (ours.entry and ours.entry.is_ambiguous):
            return False
        if layout.is_flat:
            return True
        member = self._member(place)
        has_lines = _LINE_END.search(self._ours.text, member.start, member.end) is not None
        return has_lines and indent_at(self._ours.text, member.start) == layout.inner

    # Commas and markers

    def _joined(self, items: list[_Item], layout: _Layout) -> str:
        """Return the members of an object or array with the commas and the space between them."""
        last = max((index for index, item in enumerate(items) if all(item.texts)), default=None)
        if last is None:
            items = [_together(items)]
            if not any(items[0].texts):
                return ""
            last = 0
        parts: list[str] = []
        previous: _Item | None = None
        for index, item in enumerate(items):
            is_after_conflict = previous is not None and previous.is_conflict
            if item.is_conflict:
                if previous is not None and not is_after_conflict and index <= last:
                    parts.append(",")
                if not is_after_conflict:
                    parts.append(self._line_end)
                parts.append(self._block(item, layout.inner, is_before_last=index < last, is_after_last=index > last))
            elif previous is None:
                parts += (layout.opening, *item.texts[0])
            elif is_after_conflict:
                parts += (layout.inner, *item.texts[0])
            else:
                parts += (layout.separator(previous.number, item.number), *item.texts[0])
            previous = item
        if items[-1].is_conflict:
            return "".join([*parts, layout.outer])
        return "".join([*parts, layout.closing])

    def _block(self, item: _Item, indent: str, *, is_before_last: bool, is_after_last: bool) -> str:
        """Return a conflict: the members of both sides between markers, as lines.

        The last member that both choices have is followed by no comma, so each member after it has one before it.
        """
        end = self._line_end
        blocks: list[str] = []
        for texts in (item.texts[0], item.base, item.texts[1]):
            members = f",{end}{indent}".join(texts)
            if is_after_last:
                members = f"{end}{indent}".join(f", {member}" for member in texts)
            if is_before_last:
                members = f"{members},"
            blocks.append(f"{indent}{members}{end}" if texts else "")
        ours, base, theirs = blocks
        first, between, middle, last = (character * self._markers.size for character in "<|=>")
        lines = [f"{first} {self._markers.ours}{end}{ours}"]
        if self._base is not None:
            lines.append(f"{between} {self._markers.base}{end}{base}")
        lines += (f"{middle}{end}{theirs}", f"{last} {self._markers.theirs}{end}")
        return "".join(lines)


class _Layout(Style):
    """The layout of an object or array of a side."""

    def __init__(self, document: Document, side: Side, path: Path, member: Member, line_end: str) -> None:
        super().__init__(document, path, member)
        self._side = side
        self.path = path  # its path in the side
        self.brackets = document.text[member.start], document.text[member.end - 1]
        if self.members:
            # the text between the last member and the bracket
            self.closing = document.text[self.members[-1].end : member.end - 1]
        elif line_end_of(document.text):
            self.line_end = line_end
            self.opening = f"{line_end}{self.member_indent}"
            self.closing = f"{line_end}{self.indent}"
        else:
            self.opening = self.closing = ""
        self.is_flat = not self.line_end  # whether its members are not on lines of their own
        self.inner = "" if self.is_flat else self.member_indent  # the indentation of its members
        self.outer = "" if self.is_flat else self.indent  # the indentation of its closing bracket
        self._index = {member.step: index for index, member in enumerate(self.members)}

    def index_of(self, piece: Piece, name: str | None) -> int | None:
        """Return the index of a property, or of an element without a name; None if it is not there."""
        if name is not None:
            return self._index.get(name)
        if piece.paths.get(self._side, ())[:-1] != self.path:
            return None
        return self._index.get(piece.paths[self._side][-1])

    def key_text(self, name: str | None) -> str:
        """Return the text of a key with its colon; ``""`` for an element."""
        if name is None:
            return ""
        if name in self._index:
            member = self.members[self._index[name]]
            if member.key_span is not None:
                return self._text[member.key_span.start : member.start]
        return f"{json.dumps(name, ensure_ascii=False)}:{self.space}"

    def separator(self, before: int | None, after: int | None) -> str:
        """Return the text between two members: that of ours if they follow each other there."""
        if before is not None and after == before + 1:
            return self._text[self.members[before].end : self.members[after].first_offset]
        return f",{self.gap_at(1)}"
