"""The text of a merged document: ours with edits, and conflicts between the markers of git.

The markers are around whole members, with the commas that they need, so that either choice is valid JSON.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import NamedTuple

from rui_common.editing.edits import WIDTH, SeveralLines, format_json, indent_at, indent_unit, line_end_of, reindent
from rui_common.syntax.document import Document
from rui_common.syntax.paths import Path, value_at
from rui_common.syntax.tree import Member
from rui_common.versions.merge_inputs import Side, is_same
from rui_common.versions.merge_order import align
from rui_common.versions.merge_tree import Piece

_LINE_END = re.compile(r"\r\n|\r|\n")


class Difference(NamedTuple):
    """A member that is in conflict.

    Attributes:
        owner: the innermost element around it, or the root.
        path: its path from the owner.
        ours: what it is in ours; None if it is absent.
        theirs: the same in theirs.
    """

    owner: Piece
    path: Path
    ours: Piece | None
    theirs: Piece | None


class _Item(NamedTuple):
    """Members at one place: one text without a conflict, else those of both sides.

    Attributes:
        texts: the texts of the members, by side. Without a conflict both are the same.
        number: the index of the member in ours, if it is one there.
        is_conflict: whether the sides differ.
    """

    texts: tuple[list[str], list[str]]
    number: int | None = None
    is_conflict: bool = False

    @property
    def may_be_absent(self) -> bool:
        """Whether one of the choices has no members here."""
        return not all(self.texts)


def _together(items: list[_Item]) -> _Item:
    """Return one conflict with the members of several places."""
    ours, theirs = ([text for item in items for text in item.texts[side]] for side in (0, 1))
    return _Item((ours, theirs), is_conflict=True)


class MergeWriter:
    """Writes a merged document.

    Args:
        ours, theirs: the documents of the sides; both are valid.
        marker_size: the length of a marker.

    Attributes:
        differences: the conflicts that were written, in text order.
    """

    def __init__(self, ours: Document, theirs: Document, marker_size: int) -> None:
        self._documents = {Side.OURS: ours, Side.THEIRS: theirs}
        self._ours = ours
        self._size = marker_size
        self._unit = indent_unit(ours.text)
        self._space = space_after_colon(ours.text)
        # git knows no lines that end in CR alone: its markers would not be read.
        self._line_end = "\r\n" if line_end_of(ours.text) == "\r\n" else "\n"
        self.differences: list[Difference] = []

    def write(self, ours: Piece, theirs: Piece) -> str:
        """Return the text of a document: of two versions of the root, each with the preference for one side."""
        root = self._member(())
        text = self._ours.text
        has_conflict = not is_same(ours.value, theirs.value)
        written = self._container(ours, theirs, ours) if has_conflict else self._plain(ours, "")
        return text[: root.start] + written + text[root.end :]

    def _member(self, path: Path, side: Side = Side.OURS) -> Member:
        member = self._documents[side].find(path)
        assert member is not None  # noqa: S101  the places of pieces exist
        return member

    # Values without a conflict

    def _plain(self, piece: Piece, indent: str, *, is_flat: bool = False) -> str:
        """Return the text of a value.

        Args:
            indent: the indentation of the line on which it begins.
            is_flat: whether the object or array around it is on one line.
        """
        for side, path in piece.places.items():
            document = self._documents[side]
            member = self._member(path, side)
            if is_same(piece.value, value_at(document.value, path)):
                text = document.text[member.start : member.end]
            elif piece.members is not None:
                text = self._container(piece, piece, piece, side)
            else:
                continue
            return self._in_layout(piece, text, side, member, indent, is_flat=is_flat)
        return self._formatted(piece, indent, is_flat=is_flat)

    def _in_layout(self, piece: Piece, text: str, side: Side, member: Member, indent: str, *, is_flat: bool) -> str:
        """Return the text of a value, which is that of a member of a side, in the layout of its new place."""
        has_lines = _LINE_END.search(text) is not None
        if side is Side.THEIRS and self._is_in_other_style(piece, text, has_lines=has_lines, is_flat=is_flat):
            return self._formatted(piece, indent, is_flat=is_flat)
        if not has_lines:
            return text
        before = indent_at(self._documents[side].text, member.start)
        return reindent(_LINE_END.sub(self._line_end, text), before, indent)

    def _is_in_other_style(self, piece: Piece, text: str, *, has_lines: bool, is_flat: bool) -> bool:
        """Return whether an object or array of theirs has another layout than ours would have."""
        theirs = self._documents[Side.THEIRS].text
        if not isinstance(piece.value, dict | list):
            return False
        if is_flat:
            return has_lines or space_after_colon(theirs) != self._space
        return indent_unit(theirs) != self._unit if has_lines else len(text) > WIDTH

    def _formatted(self, piece: Piece, indent: str, *, is_flat: bool) -> str:
        if is_flat:
            return json.dumps(piece.value, ensure_ascii=False, separators=(f",{self._space}", f":{self._space}"))
        return format_json(_laid_out(piece), indent, unit=self._unit, line_end=self._line_end, space=self._space)

    # Objects and arrays

    def _container(self, ours: Piece, theirs: Piece, owner: Piece, side: Side = Side.OURS) -> str:
        """Return the text of an object or array whose members may differ, in the layout that it has in a side."""
        layout = _Layout(self._documents[side], side, ours.places[side], self._line_end)
        if isinstance(ours.members, dict) and isinstance(theirs.members, dict):
            items = [*self._properties(ours.members, theirs.members, layout, owner)]
        else:
            items = [*self._elements(ours, theirs, layout, owner)]
        return layout.brackets[0] + self._joined(items, layout) + layout.brackets[1]

    def _properties(
        self, ours: dict[str, Piece], theirs: dict[str, Piece], layout: _Layout, owner: Piece
    ) -> Iterator[_Item]:
        for name in _merged_keys([*ours], [*theirs]):
            key = layout.key_text(name)
            pair = (ours.get(name), theirs.get(name))
            yield self._item(pair, name, layout, owner, key)

    def _elements(self, ours: Piece, theirs: Piece, layout: _Layout, owner: Piece) -> Iterator[_Item]:
        pieces = [
            {piece.entry.key: piece for _, piece in side.children if piece.entry is not None} for side in (ours, theirs)
        ]
        base = None if owner.entry is None else owner.entry.base
        unmoved = {
            key
            for key, piece in pieces[0].items()
            if piece.entry and piece.entry.base and piece.entry.base.parent is base
        }
        for keys in align([*pieces[0]], [*pieces[1]], unmoved):
            ours_here, theirs_here = ([of_side[key] for key in run] for run, of_side in zip(keys, pieces, strict=True))
            if keys[0] == keys[1]:
                yield self._item((ours_here[0], theirs_here[0]), "", layout, owner, "")
            else:
                apart = [*((piece, None) for piece in ours_here), *((None, piece) for piece in theirs_here)]
                yield _together([self._item(pair, "", layout, owner, "") for pair in apart])

    def _item(
        self,
        pair: tuple[Piece | None, Piece | None],
        step: str,
        layout: _Layout,
        owner: Piece,
        key: str,
    ) -> _Item:
        """Return the text of a member of an object or array: of a piece for each side that has it."""
        ours, theirs = pair
        index = layout.index_of(ours or theirs, step)
        if ours is not None and theirs is not None:
            if is_same(ours.value, theirs.value):
                text = key + self._plain(ours, layout.inner, is_flat=layout.is_flat)
                return _Item(([text], [text]), index)
            if self._is_nested(ours, theirs, layout):
                text = key + self._container(ours, theirs, owner if ours.entry is None else ours)
                return _Item(([text], [text]), index)
        path = (*layout.path[len(owner.places[Side.OURS]) :], *([step] if step else []))
        self.differences.append(Difference(owner, path, ours, theirs))
        texts = tuple(
            [] if piece is None else [key + self._plain(piece, layout.inner, is_flat=layout.is_flat)] for piece in pair
        )
        return _Item((texts[0], texts[1]), index, True)

    def _is_nested(self, ours: Piece, theirs: Piece, layout: _Layout) -> bool:
        """Return whether the members of a value are compared, rather than the value as a whole."""
        if type(ours.members) is not type(theirs.members) or ours.members is None:
            return False
        place = ours.places.get(Side.OURS)
        if place is None or place != theirs.places.get(Side.OURS) or (ours.entry and ours.entry.is_added_twice):
            return False
        member = self._member(place)
        is_on_one_line = not _LINE_END.search(self._ours.text, member.start, member.end)
        if is_on_one_line and not layout.is_flat:
            return False
        return layout.is_flat or indent_at(self._ours.text, member.start) == layout.inner

    # Commas and markers

    def _joined(self, items: list[_Item], layout: _Layout) -> str:
        """Return the members of an object or array with the commas and the space between them."""
        last = max((index for index, item in enumerate(items) if not item.may_be_absent), default=None)
        if last is None:
            items = [_together(items)]
            if not any(items[0].texts):
                return layout.empty
            last = 0
        parts: list[str] = []
        previous: _Item | None = None
        for index, item in enumerate(items):
            if item.is_conflict:
                if previous is None or not previous.is_conflict:
                    parts.append("," if previous is not None and index <= last else "")
                    parts.append(self._line_end)
                before = ", " if index > last else ""
                parts.append(self._block(item, layout.inner, before=before, after="," if index < last else ""))
            elif previous is None:
                parts.append(layout.opening)
            elif previous.is_conflict:
                parts.append(layout.inner)
            else:
                parts.append(layout.separator(previous.number, item.number))
            if not item.is_conflict:
                parts += item.texts[0]
            previous = item
        parts.append(layout.outer if previous is not None and previous.is_conflict else layout.closing)
        return "".join(parts)

    def _block(self, item: _Item, indent: str, *, before: str, after: str) -> str:
        """Return a conflict: the members of both sides between markers, as lines."""
        sides = []
        for texts in item.texts:
            separator = f"{self._line_end}{indent}{before}" if before else f",{self._line_end}{indent}"
            text = separator.join(texts)
            sides.append(f"{indent}{before}{text}{after}{self._line_end}" if texts else "")
        marker = [character * self._size for character in "<=>"]
        end = self._line_end
        return f"{marker[0]} ours{end}{sides[0]}{marker[1]}{end}{sides[1]}{marker[2]} theirs{end}"


class _Layout:
    """The layout of an object or array of ours.

    Attributes:
        path: its path in ours.
        brackets: its brackets.
        opening, closing: the text between a bracket and the first or last member.
        inner: the indentation of its members; ``""`` if they are not on lines of their own.
        outer: the indentation of its closing bracket.
        is_flat: whether its members are not on lines of their own.
        empty: what is between the brackets without members.
    """

    empty = ""

    def __init__(self, document: Document, side: Side, path: Path, line_end: str) -> None:
        text = document.text
        self._text = text
        self.path = path
        self.space = space_after_colon(text)
        self._side = side
        self._members = document.members(path)
        member = document.find(path)
        assert member is not None  # noqa: S101  the places of pieces exist
        self.brackets = text[member.start], text[member.end - 1]
        indent = indent_at(text, member.start)
        if self._members:
            self.opening = text[member.start + 1 : self._members[0].first_offset]
            self.closing = text[self._members[-1].end : member.end - 1]
        elif _LINE_END.search(text):
            self.opening = f"{line_end}{indent}{indent_unit(text)}"
            self.closing = f"{line_end}{indent}"
        else:
            self.opening = self.closing = ""
        self.is_flat = not _LINE_END.search(self.opening)
        self.inner = "" if self.is_flat else _LINE_END.split(self.opening)[-1]
        self.outer = "" if self.is_flat else indent
        self._index = {one.step: index for index, one in enumerate(self._members)}
        self._gap = self.opening
        if len(self._members) > 1:
            self._gap = text[self._members[0].end : self._members[1].first_offset].partition(",")[2]
        elif self.is_flat:
            self._gap = self.space

    def index_of(self, piece: Piece | None, step: str) -> int | None:
        """Return the index of a member in ours; None if it is not there."""
        if step:
            return self._index.get(step)
        place = None if piece is None else piece.places.get(self._side)
        if place is None or place[:-1] != self.path:
            return None
        return self._index.get(place[-1])

    def key_text(self, name: str) -> str:
        """Return the text of a key with its colon."""
        index = self._index.get(name)
        member = None if index is None else self._members[index]
        if member is None or member.key_span is None:
            return f"{json.dumps(name, ensure_ascii=False)}:{self.space}"
        return self._text[member.key_span.start : member.start]

    def separator(self, before: int | None, after: int | None) -> str:
        """Return the text between two members: that of ours if they follow each other there."""
        if before is not None and after == before + 1:
            return self._text[self._members[before].end : self._members[after].first_offset]
        return f",{self._gap}"


def space_after_colon(text: str) -> str:
    """Return the space after the first colon of a text."""
    colon = text.find('":')
    if colon >= 0 and not text[colon + 2 : colon + 3].isspace():
        return ""
    return " "


def _merged_keys(ours: list[str], theirs: list[str]) -> list[str]:
    """Return the keys of ours, and each other key after the one before it in theirs."""
    keys = ours
    for index, key in enumerate(theirs):
        if key not in keys:
            at = keys.index(theirs[index - 1]) + 1 if index else 0
            keys = [*keys[:at], key, *keys[at:]]
    return keys


def _laid_out(piece: Piece) -> object:
    """Return the value of a piece, with its nodes on several lines."""
    if isinstance(piece.members, dict):
        members = {name: _laid_out(inner) for name, inner in piece.members.items()}
        return SeveralLines(members) if piece.entry is not None and piece.entry.versions[-1].is_node else members
    if piece.members is not None:
        return [_laid_out(inner) for inner in piece.members]
    return piece.value
