"""A three-way merge of values by identity: one version of the result for each side that conflicts may prefer.

There is a conflict where the two versions differ. Each is a complete document: the result of choosing one side at every
conflict.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rui_common.json_values import as_object, is_same_json
from rui_common.syntax.paths import Path
from rui_common.validation.findings import ABSENT
from rui_common.versions.match import Element, parts_of
from rui_common.versions.merge_inputs import Entry, Inputs, Side, Version
from rui_common.versions.merge_order import merge_order
from rui_common.vocabulary.schema import Shape

MAX_ROUNDS = 100
"""Maximum number of repetitions until the places of all elements fit. Each needs another contradiction."""

Place = tuple[Entry, Path]
"""A list: the entry around it, and the path from there."""


@dataclass(eq=False)
class Piece:
    """A value of the merged document.

    Attributes:
        value: the value.
        places: where the sides have the value, or an older version of it.
        members: the properties or elements; None if the value is that of one side as a whole.
        entry: the element that it is, or None.
    """

    value: object
    places: dict[Side, Path]
    members: dict[str, Piece] | list[Piece] | None = None
    entry: Entry | None = None

    @property
    def children(self) -> Iterator[tuple[str | int, Piece]]:
        """The members with their keys or indices."""
        if isinstance(self.members, dict):
            return iter(self.members.items())
        return iter(enumerate(self.members or ()))


def merge_tree(inputs: Inputs, prefer: Side) -> Piece:
    """Return the merged document. Where both sides contradict each other, it is as one of them has it."""
    versions = inputs.versions(prefer)
    placement = _Placement(versions, prefer)
    return _Builder(versions, placement, prefer).element(placement.root)


class _Placement:
    """Which entries the merged document has, and where.

    Attributes:
        root: the entry of the document.
        parents: entry → its list, if the merged document has the entry; None for the root.
        whole: entry → the side whose value it has as a whole, as its versions are of different types.
    """

    def __init__(self, versions: Sequence[Version], prefer: Side) -> None:
        self._base, ours, theirs = versions
        self._versions = {Side.OURS: ours, Side.THEIRS: theirs}
        self._prefer = prefer
        self._changed: dict[tuple[Entry, Side], bool] = {}
        self._added = {
            (side, version.parent_of(one), one.shape)
            for side, version in self._versions.items()
            for one, entry in version.entries.items()
            if entry.base is None
        }
        self.root = self._base.entries[self._base.elements[()]]
        self.parents: dict[Entry, Place | None] = {}
        self.whole: dict[Entry, Side] = {}
        entries = dict.fromkeys(entry for version in versions for entry in version.entries.values())
        for entry in entries:
            if self._is_kept(entry):
                self.parents[entry] = self._merged_parent(entry)
        for entry in [*self.parents]:
            self._revive_in(entry)
        self._take_whole_entries()
        for _ in range(MAX_ROUNDS):
            if not self._move_out_of_removed() and not self._break_circles():
                break

    def _is_kept(self, entry: Entry) -> bool:
        if entry.base is None or (entry.ours is not None and entry.theirs is not None):
            return True
        return entry.of(self._prefer.other) is None and self._is_changed(entry, self._prefer)

    def _is_changed(self, entry: Entry, side: Side) -> bool:
        """Return whether a side has changed an element: its content, name, list, or elements in it."""
        key = (entry, side)
        if key not in self._changed:
            self._changed[key] = self._find_change(entry, side)
        return self._changed[key]

    def _find_change(self, entry: Entry, side: Side) -> bool:
        base, new = entry.base, entry.of(side)
        if base is None or new is None:
            return new is not None
        version = self._versions[side]
        if self._base.parent_of(base) != version.parent_of(new) or not is_same_json(own_value(base), own_value(new)):
            return True
        if entry.of(side.other) is None:
            if base.name != new.name:
                return True
            if (side.other, self._base.parent_of(base), base.shape) in self._added:  # It may be renamed and changed.
                return not is_same_json(base.value, new.value)
        children = (version.entries[child] for child in new.children)
        return any(
            self._is_changed(child, side) for child in children
            if child.of(side.other) is None or child.base is None or child.base.parent is not base
        )  # fmt: skip

    def _merged_parent(self, entry: Entry) -> Place | None:
        base = self._base.parent_of(entry.base)
        ours, theirs = (version.parent_of(entry.of(side)) for side, version in self._versions.items())
        if entry.theirs is None or (entry.ours is not None and theirs == base):
            return ours
        if entry.ours is None or ours == base:
            return theirs
        if self._prefer is Side.OURS:
            return ours
        return theirs

    def _revive_in(self, entry: Entry) -> None:
        """Keep all that the preferred side has in an element that the other side has removed."""
        element = entry.of(self._prefer)
        if element is None or entry.of(self._prefer.other) is not None or entry.base is None:
            return
        for child in element.children:
            inner = self._versions[self._prefer].entries[child]
            if inner.of(self._prefer.other) is None and inner not in self.parents:
                self._pin(inner, self._prefer)
                self._revive_in(inner)

    def _pin(self, entry: Entry, side: Side) -> bool:
        """Place an entry where a side has it, or remove it if it does not; return whether that is a change."""
        before = self.parents.get(entry)
        was_kept = entry in self.parents
        if entry.of(side) is None:
            del self.parents[entry]
            return True
        self.parents[entry] = self._versions[side].parent_of(entry.of(side))
        return not was_kept or before != self.parents[entry]

    def _take_whole_entries(self) -> None:
        """Take elements as a whole whose versions have different types, with all that is in them."""
        for entry in [*self.parents]:
            shapes = {one.shape for one in entry.versions}
            if len(shapes) == 1 and None not in shapes:
                continue
            side = self._prefer
            preferred, other, base = entry.of(side), entry.of(side.other), entry.base
            is_unchanged = preferred is not None and base is not None and is_same_json(base.value, preferred.value)
            if preferred is None or (is_unchanged and other is not None):
                side = side.other
            self.whole[entry] = side
            self._pin_content(entry, side)

    def _pin_content(self, entry: Entry, side: Side) -> None:
        element = entry.of(side)
        if element is None:
            return
        for child in element.children:
            inner = self._versions[side].entries[child]
            self._pin(inner, side)
            self._pin_content(inner, side)

    def _move_out_of_removed(self) -> bool:
        """Move entries out of elements that the merged document does not have; return whether there are any."""
        has_changed = False
        for entry, place in [*self.parents.items()]:
            if place is None or entry not in self.parents or self._accepts(entry, place[0]):
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
        if parent not in self.parents:
            return False
        side = self.whole.get(parent)
        if side is not None:
            place = self._versions[side].parent_of(entry.of(side))
            return place is not None and place[0] is parent
        return not parent.is_added_twice or entry.of(self._prefer) is not None or entry.base is not None

    def _break_circles(self) -> bool:
        """Place elements that both sides have moved into each other as the preferred side has them."""
        safe: set[Entry] = set()
        for entry in [*self.parents]:
            path: dict[Entry, None] = {}
            one: Entry | None = entry
            while one is not None and one not in safe and one not in path:
                path[one] = None
                place = self.parents[one]
                one = place and place[0]
            if one is not None and one in path:
                pinned = [self._pin(member, self._prefer) for member in path]
                return any(pinned)
            safe.update(path)
        return False


def own_value(element: Element) -> object:
    """Return the value of an element without the elements in its lists."""
    lists = {child.path[:-1] for child in element.children}
    return _without(element.value, element.path, lists)


def _without(value: object, path: Path, lists: set[Path]) -> object:
    if path in lists:
        return []
    if isinstance(value, dict) and any(one[: len(path)] == path for one in lists):
        return {name: _without(inner, (*path, name), lists) for name, inner in value.items()}
    return value


class _Values:
    """A value in the three versions, `ABSENT` where it is absent, and its paths in the sides."""

    def __init__(self, values: Sequence[object], places: dict[Side, Path]) -> None:
        self.base, self.ours, self.theirs = values
        self.places = places

    @property
    def all(self) -> tuple[object, object, object]:
        """The values of base, ours and theirs."""
        return self.base, self.ours, self.theirs

    def of(self, side: Side) -> object:
        """Return the value of a side."""
        if side is Side.OURS:
            return self.ours
        return self.theirs

    def at(self, name: str) -> _Values:
        """Return the values of a property."""
        values = [as_object(value).get(name, ABSENT) for value in self.all]
        return _Values(values, {side: (*path, name) for side, path in self.places.items()})

    def only_of(self, side: Side, other: object) -> _Values:
        """Return the value of one side, and another one for the base and the other side."""
        if side is Side.OURS:
            return _Values([other, self.ours, other], self.places)
        return _Values([other, other, self.theirs], self.places)

    def merged(self, prefer: Side) -> Side:
        """Return the side that has changed the value; `prefer` if both have."""
        if is_same_json(self.ours, self.theirs) or is_same_json(self.base, self.theirs):
            return Side.OURS
        if is_same_json(self.base, self.ours):
            return Side.THEIRS
        return prefer


class _Builder:
    """Builds the pieces of the merged document, from the root."""

    def __init__(self, versions: Sequence[Version], placement: _Placement, prefer: Side) -> None:
        self._versions = versions
        self._placement = placement
        self._prefer = prefer
        self._lists: dict[Place, list[Entry]] = {}
        self._list_names: dict[Place, dict[str, None]] = {}
        for entry, place in placement.parents.items():
            if place is not None:
                self._lists.setdefault(place, []).append(entry)
                self._list_names.setdefault((place[0], place[1][:-1]), {})[str(place[1][-1])] = None

    def element(self, entry: Entry) -> Piece:
        """Return the piece of an entry."""
        versions = (entry.base, entry.ours, entry.theirs)
        places = {side: one.path for side in Side if (one := entry.of(side)) is not None}
        values = _Values([ABSENT if one is None else one.value for one in versions], places)
        whole = self._placement.whole.get(entry)
        if whole is not None:
            return self._whole(values, whole, entry)
        if not any(one.children for one in entry.versions) and is_same_json(values.ours, values.theirs):
            return self._whole(values, Side.OURS, entry)
        if entry.is_added_twice:
            values = values.only_of(self._prefer, ABSENT)
        elif len(places) == 1:  # The other side has removed it.
            values = values.only_of(next(iter(places)), values.base)
        return self._object(entry, (), values, entry.versions[0].shape)

    def _whole(self, values: _Values, side: Side, entry: Entry | None = None) -> Piece:
        value = values.of(side)
        places = {one: path for one, path in values.places.items() if is_same_json(values.of(one), value)}
        return Piece(value, places, entry=entry)

    def _object(self, entry: Entry, path: Path, values: _Values, shape: Shape | None) -> Piece:
        """Merge the properties of an object: the element, or an object in it at a path."""
        objects, lists = parts_of(shape)
        members: dict[str, Piece] = {}
        ours = [*as_object(values.ours)]
        theirs = [*as_object(values.theirs)]
        names = merge_order(theirs, ours, theirs, prefer_ours=True)  # Ours keeps its order of properties.
        for name in dict.fromkeys((*names, *self._list_names.get((entry, path), ()))):
            inner = values.at(name)
            if name in lists:
                piece = self._list(entry, (*path, name), inner)
            else:
                piece = self._value(entry, (*path, name), inner, objects.get(name))
            if piece is not None:
                members[name] = piece
        value = {name: piece.value for name, piece in members.items()}
        piece = Piece(value, values.places, members)
        if not path:
            piece.entry = entry
        return piece

    def _value(self, entry: Entry, path: Path, values: _Values, shape: Shape | None) -> Piece | None:
        """Merge a value that is no list of elements; None if the merged document does not have it."""
        if all(isinstance(value, dict) for value in values.all):
            return self._object(entry, path, values, shape)
        side = values.merged(self._prefer)
        if values.of(side) is ABSENT:
            return None
        return self._whole(values, side)

    def _list(self, entry: Entry, path: Path, values: _Values) -> Piece | None:
        """Merge a list of elements."""
        place = (entry, path)
        members = self._lists.get(place, [])
        if not members:
            empty = [[] if isinstance(value, list) else value for value in values.all]
            return self._value(entry, path, _Values(empty, values.places), None)
        kept = {*members}
        orders = [[one for one in version.lists.get(place, ()) if one in kept] for version in self._versions]
        pieces = [self.element(one) for one in merge_order(*orders, prefer_ours=self._prefer is Side.OURS)]
        places = {side: at for side, at in values.places.items() if isinstance(values.of(side), list)}
        return Piece([piece.value for piece in pieces], places, pieces)
