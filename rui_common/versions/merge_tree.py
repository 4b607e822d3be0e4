"""A three-way merge of values by identity: one version of the result for each side that conflicts may prefer.

There is a conflict where the two versions differ. Each is a complete document: the result of choosing one side at every
conflict.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from rui_common.editing.edits import SeveralLines
from rui_common.json_values import as_object, is_same_json
from rui_common.problems.finding import ABSENT
from rui_common.syntax.paths import Path
from rui_common.texts import count_of
from rui_common.versions.elements import parts_of
from rui_common.versions.merge_inputs import OTHER, SIDES, Entry, Inputs, Place, Side, Versions
from rui_common.versions.merge_lists import MergedLists
from rui_common.versions.merge_order import merge_names
from rui_common.versions.sentences import word_of
from rui_common.vocabulary.schema import Shape

MAX_ROUNDS = 100  # maximum number of repetitions until all places fit; each needs another contradiction


@dataclass(eq=False)
class Piece:
    """A value of the merged document."""

    value: object
    paths: dict[Side, Path]  # where the sides have the value, or an older version of it
    # the properties or elements; None if the value is that of one side as a whole
    members: dict[str, Piece] | list[Piece] | None = None
    entry: Entry | None = None  # the element that it is, or None

    @property
    def children(self) -> Iterator[tuple[str | int, Piece]]:
        """The members with their keys or indices."""
        if isinstance(self.members, dict):
            return iter(self.members.items())
        return iter(enumerate(self.members or ()))


class MergedTree(NamedTuple):
    """The merged document, with the preference for one side."""

    root: Piece
    reasons: dict[object, str]  # key of an entry that only this side keeps, or leaves out → why, in words


def merge_tree(inputs: Inputs, prefer: Side, names: Mapping[Side, str]) -> MergedTree:
    """Return the merged document. Where both sides contradict each other, it is as one of them has it.

    `names` are those of the sides in words.
    """
    versions = inputs.versions(prefer)
    lists = MergedLists(versions, prefer)
    placement = _Placement(versions, lists, prefer, names)
    root = _Builder(versions, placement, lists, prefer).element(versions.root)
    return MergedTree(root, {entry.key: reason for entry, reason in placement.reasons.items()})


class _Placement:
    """Which entries the merged document has, and where."""

    def __init__(self, versions: Versions, lists: MergedLists, prefer: Side, names: Mapping[Side, str]) -> None:
        self._versions = versions
        self._lists = lists
        self._prefer = prefer
        self._other = OTHER[prefer]
        self._names = names
        # entry that only one side has, and that is in conflict → why
        self.reasons: dict[Entry, str] = {}
        entries = dict.fromkeys(versions.entries.values())
        self._added_by_other = {
            self._sort_of(entry, self._other) for entry in entries
            if Side.BASE not in entry.elements and self._other in entry.elements
        }  # fmt: skip
        self._may_be_renamed_by_other = {*lists.replacing_removed()}
        # entry → its list, if the merged document has the entry; None for the root
        self.parents = {entry: self._merged_parent(entry) for entry in entries if self._is_kept(entry)}
        # entry → the side whose value it has as a whole, as its versions are of different types
        self.whole: dict[Entry, Side] = {}
        for entry in lists.replaced_beside():
            if entry not in self.parents:
                self._keep(entry, "has a new neighbour")
                self._pin(entry, prefer)
        for entry in [*self.parents]:
            self._revive_in(entry)
        self._repair_places()

    def _sort_of(self, entry: Entry, side: Side) -> object:
        """Return the list and the type that an entry has in a version."""
        element = entry.elements[side]
        return self._versions.place_of(element), element.shape

    def _repair_places(self) -> None:
        """Take entries as a whole, and move others out of removed ones and circles, until none is left."""
        for _ in range(MAX_ROUNDS):
            self._take_whole_entries()
            if not self._move_out_of_removed() and not self._break_circles():
                break

    def _is_kept(self, entry: Entry) -> bool:
        """Return whether the merged document has an entry.

        An entry that one side has removed is kept if the preferred side has changed or moved it. One that the other
        side has added is not if it may be what both sides have removed, with another name.
        """
        if entry.elements.keys() == {Side.BASE} or entry.elements.keys() == {Side.BASE, self._other}:
            return False
        if entry.elements.keys() == {self._other}:
            if entry not in self._may_be_renamed_by_other:
                return True
            self.reasons[entry] = f"added in {self._names[self._other]}, in place of what both sides delete"
            return False
        if entry.elements.keys() != {Side.BASE, self._prefer}:
            return True
        change = self._change_of(entry)
        if change:
            self._keep(entry, change)
        return bool(change)

    def _keep(self, entry: Entry, change: str) -> None:
        name = self._names[self._other]
        words = {self._prefer: f"{change} in {self._names[self._prefer]}", self._other: f"deleted in {name}"}
        if self._other in entry.candidates:
            word = f"{word_of(entry.elements[Side.BASE])}s"
            words[self._other] = f"{count_of(entry.candidates[self._other], word)} of {name} could be it"
        elif self._sort_of(entry, Side.BASE) in self._added_by_other:
            words[self._other] = f"deleted or made anew in {name}"
        self.reasons[entry] = ", ".join(words[side] for side in SIDES)

    def _change_of(self, entry: Entry) -> str:
        """Return what the preferred side has done to an entry that the other side has removed; ``""`` for nothing."""
        base, new = entry.elements[Side.BASE], entry.elements[self._prefer]
        place = self._versions.place_of(base)
        may_be_renamed = self._sort_of(entry, Side.BASE) in self._added_by_other
        if not is_same_json(base.own_value, new.own_value):
            return "changed"
        if may_be_renamed and not is_same_json(base.value, new.value):
            return "changed"
        if place != self._versions.place_of(new) or self._lists.is_moved(entry):
            return "moved"
        is_in_removed = place is not None and self._other not in place[0].elements
        if (may_be_renamed or is_in_removed) and self._lists.may_be_moved(entry):
            return "moved"
        return ""

    def _merged_parent(self, entry: Entry) -> Place | None:
        sides = (Side.BASE, self._prefer, self._other)
        base, preferred, other = (self._versions.place_of(entry.of(side)) for side in sides)
        if self._other not in entry.elements or preferred != base:
            return preferred
        if other != base and self._lists.is_moved_alone(entry):
            return preferred
        return other

    def _revive_in(self, entry: Entry) -> None:
        """Keep all that the preferred side has in an element that the other side has removed."""
        if self._other in entry.elements:
            return
        for child in entry.elements[self._prefer].children:
            child_entry = self._versions.entries[child]
            if child_entry not in self.parents:
                self._pin(child_entry, self._prefer)
                self._revive_in(child_entry)

    def _pin(self, entry: Entry, side: Side) -> bool:
        """Place an entry where a side has it, or remove it if it does not; return whether that is a change."""
        before = self.parents.get(entry, ABSENT)
        if side not in entry.elements:
            del self.parents[entry]
            return True
        self.parents[entry] = self._versions.place_of(entry.of(side))
        return before != self.parents[entry]

    def _take_whole_entries(self) -> None:
        """Take elements as a whole whose versions have different types, with all that is in them."""
        for entry in [*self.parents]:
            shapes = {element.shape for element in entry.elements.values()}
            if entry in self.whole or (len(shapes) == 1 and None not in shapes):
                continue
            side = self._prefer
            preferred = entry.of(side)
            other = entry.of(self._other)
            base = entry.of(Side.BASE)
            is_unchanged = preferred is not None and base is not None and is_same_json(base.value, preferred.value)
            if preferred is None or (is_unchanged and other is not None):
                side = self._other
            self.whole[entry] = side
            self._pin_content(entry, side)

    def _pin_content(self, entry: Entry, side: Side) -> None:
        for child in entry.elements[side].children:
            child_entry = self._versions.entries[child]
            self._pin(child_entry, side)
            self._pin_content(child_entry, side)

    def _move_out_of_removed(self) -> bool:
        """Move entries out of elements that the merged document does not have; return whether there are any."""
        has_changed = False
        for entry, place in [*self.parents.items()]:
            if place is None or self._accepts(entry, place[0]):
                continue
            side = self.whole.get(place[0], self._prefer)
            has_changed |= self._pin(entry, side)
            new_place = self.parents.get(entry)
            if new_place is not None and new_place[0] not in self.parents:
                self._pin(new_place[0], side)
                self._revive_in(new_place[0])
                has_changed = True
        return has_changed

    def _accepts(self, entry: Entry, parent: Entry) -> bool:
        """Return whether an entry may stay in another one. What is taken as a whole has what its side has."""
        if parent not in self.parents or parent in self.whole:
            return False
        return not parent.is_ambiguous or self._prefer in entry.elements

    def _break_circles(self) -> bool:
        """Place elements that both sides have moved into each other as the preferred side has them."""
        safe: set[Entry] = set()
        for entry in [*self.parents]:
            path: dict[Entry, None] = {}
            ancestor: Entry | None = entry
            while ancestor is not None and ancestor not in safe and ancestor not in path:
                path[ancestor] = None
                place = self.parents[ancestor]
                ancestor = place and place[0]
            if ancestor is not None and ancestor in path:
                pinned = [self._pin(member, self._prefer) for member in path]
                return any(pinned)
            safe.update(path)
        return False


class _Values(NamedTuple):
    """A value in the three versions, `ABSENT` where it is absent, and its paths in the sides."""

    values: dict[Side, object]
    paths: dict[Side, Path]

    def at(self, name: str) -> _Values:
        values = {side: as_object(value).get(name, ABSENT) for side, value in self.values.items()}
        return _Values(values, {side: (*path, name) for side, path in self.paths.items()})

    def only_of(self, side: Side, other: object) -> _Values:
        """Return the value of one side, and another one for the base and the other side."""
        return self._replace(values={**dict.fromkeys(Side, other), side: self.values[side]})

    def with_agreed_base(self) -> _Values:
        """Return the values with the properties as the base that both sides have with one value."""
        ours, theirs = (as_object(self.values[side]) for side in SIDES)
        agreed = {name: value for name, value in ours.items() if is_same_json(value, theirs.get(name, ABSENT))}
        return self._replace(values={**self.values, Side.BASE: agreed})

    def merged(self, prefer: Side) -> Side:
        """Return the side that has changed the value; `prefer` if both have."""
        base, ours, theirs = self.values.values()
        if is_same_json(base, theirs):
            return Side.OURS
        if is_same_json(base, ours):
            return Side.THEIRS
        return prefer


def _is_one_object(values: _Values, shape: Shape | None) -> bool:
    """Return whether both sides have an object, and what it refers to, such as the field of a filter, is the same."""
    ours, theirs = (values.values[side] for side in SIDES)
    if not (isinstance(ours, dict) and isinstance(theirs, dict)):
        return False
    references = [name for name, prop in shape.props.items() if prop.uses is not None] if shape is not None else []
    return all(is_same_json(ours.get(name, ABSENT), theirs.get(name, ABSENT)) for name in references)


class _Builder:
    """Builds the pieces of the merged document, from the root."""

    def __init__(self, versions: Versions, placement: _Placement, lists: MergedLists, prefer: Side) -> None:
        self._versions = versions
        self._placement = placement
        self._merged_lists = lists
        self._prefer = prefer
        self._lists: dict[Place, list[Entry]] = {}
        self._list_names: dict[Place, dict[str, None]] = {}
        for entry, place in placement.parents.items():
            if place is not None:
                self._lists.setdefault(place, []).append(entry)
                self._list_names.setdefault((place[0], place[1][:-1]), {})[str(place[1][-1])] = None

    def element(self, entry: Entry) -> Piece:
        elements = entry.elements
        paths = {side: elements[side].path for side in SIDES if side in elements}
        values = _Values({side: elements[side].value if side in elements else ABSENT for side in Side}, paths)
        whole = self._placement.whole.get(entry)
        if whole is not None:
            return self._whole(values, whole, entry)
        has_children = any(element.children for element in elements.values())
        if not has_children and is_same_json(values.values[Side.OURS], values.values[Side.THEIRS]):
            return self._whole(values, Side.OURS, entry)
        if entry.is_ambiguous:
            values = values.only_of(self._prefer, ABSENT)
        elif entry.is_added_twice:
            values = values.with_agreed_base()
        elif len(paths) == 1:  # The other side has removed it.
            values = values.only_of(next(iter(paths)), values.values[Side.BASE])
        return self._object(entry, (), values, next(iter(elements.values())).shape)

    def _whole(self, values: _Values, side: Side, entry: Entry | None = None) -> Piece:
        value = values.values[side]
        paths = {
            each_side: path for each_side, path in values.paths.items() if is_same_json(values.values[each_side], value)
        }
        return Piece(value, paths, entry=entry)

    def _object(self, entry: Entry, path: Path, values: _Values, shape: Shape | None) -> Piece:
        """Merge the properties of an object: the element, or an object in it at a path."""
        objects, lists = parts_of(shape)
        members: dict[str, Piece] = {}
        ours, theirs = ([*as_object(values.values[side])] for side in SIDES)
        names = merge_names(ours, theirs)
        for name in dict.fromkeys((*names, *self._list_names.get((entry, path), ()))):
            inner = values.at(name)
            if name in lists:
                piece = self._list(entry, (*path, name), inner)
            else:
                piece = self._value(entry, (*path, name), inner, objects.get(name))
            if piece is not None:
                members[name] = piece
        value = {name: piece.value for name, piece in members.items()}
        if path:
            return Piece(value, values.paths, members)
        if next(iter(entry.elements.values())).is_node:
            value = SeveralLines(value)
        return Piece(value, values.paths, members, entry)

    def _value(self, entry: Entry, path: Path, values: _Values, shape: Shape | None) -> Piece | None:
        """Merge a value that is no list of elements; None if the merged document does not have it."""
        if values.values[Side.BASE] is ABSENT and _is_one_object(values, shape):
            values = values.with_agreed_base()
        if all(isinstance(value, dict) for value in values.values.values()):
            return self._object(entry, path, values, shape)
        side = values.merged(self._prefer)
        if values.values[side] is ABSENT:
            return None
        return self._whole(values, side)

    def _list(self, entry: Entry, path: Path, values: _Values) -> Piece | None:
        place = (entry, path)
        members = self._lists.get(place, [])
        if not members:
            empty = {side: [] if isinstance(value, list) else value for side, value in values.values.items()}
            return self._value(entry, path, _Values(empty, values.paths), None)
        kept = {*members}
        pieces = [self.element(member) for member in self._merged_lists.order(place) if member in kept]
        paths = {side: list_path for side, list_path in values.paths.items() if isinstance(values.values[side], list)}
        return Piece([piece.value for piece in pieces], paths, pieces)
