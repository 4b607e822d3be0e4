"""The three documents of a merge: their elements, which of them are the same, and the names that these get."""

import json
from collections import defaultdict
from copy import deepcopy
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property

from rui_common.editing.edits import apply
from rui_common.json_values import as_object, is_same_json
from rui_common.problems.finding import ABSENT
from rui_common.syntax.document import Document, read
from rui_common.syntax.paths import Path, value_at
from rui_common.syntax.spans import Edit
from rui_common.validation.analysis import Analysis
from rui_common.versions.elements import Element, elements_of
from rui_common.versions.match import match
from rui_common.versions.match_nodes import is_related
from rui_common.versions.pairs import Tie
from rui_common.vocabulary.kinds import ObjectKind


class Side(Enum):
    """The merge base, and the sides of a merge."""

    BASE = "base"
    OURS = "ours"
    THEIRS = "theirs"


SIDES = (Side.OURS, Side.THEIRS)
OTHER = {Side.OURS: Side.THEIRS, Side.THEIRS: Side.OURS}  # side → the other one
CONTESTED = "\ud800"  # the value and key of what is contested in a base. No document has it: it is half of a character.


@dataclass(eq=False)
class Entry:
    """An element of the merged document, and what it is in each version that has it: base, ours, theirs."""

    elements: dict[Side, Element] = field(default_factory=dict)
    # side → the number of elements of the side that could be the element, if one had to be chosen
    candidates: dict[Side, int] = field(default_factory=dict)

    def of(self, side: Side) -> Element | None:
        return self.elements.get(side)

    @property
    def key(self) -> tuple[Path | None, ...]:
        """Its paths in base, ours and theirs."""
        return tuple(self.elements[side].path if side in self.elements else None for side in Side)

    @property
    def is_added_twice(self) -> bool:
        """Whether both sides add it, with two contents."""
        if self.elements.keys() != OTHER.keys():
            return False
        ours, theirs = (self.elements[side] for side in SIDES)
        return not is_same_json(ours.value, theirs.value)

    @cached_property
    def is_ambiguous(self) -> bool:
        """Whether both sides add a node with its id, and these have nothing else in common."""
        if not self.is_added_twice:
            return False
        ours, theirs = (self.elements[side] for side in SIDES)
        return ours.is_node and not is_related(ours, theirs)


Place = tuple[Entry, Path]  # a list: the entry around it, and the path from there


class Versions:
    """Base, ours and theirs with the names that the merged document has."""

    def __init__(
        self,
        elements: dict[Side, dict[Path, Element]],
        partners: dict[Side, dict[Path, Path]],
        ties: dict[Side, dict[Path, Tie]],
    ) -> None:
        self._elements = elements  # side → path → element; of `partners`: path in the base → path in the side
        self.entries: dict[Element, Entry] = {}  # element → entry of the merge
        for path in elements[Side.BASE]:
            tied = {side: of_side[path] for side, of_side in ties.items() if path in of_side}
            entry = Entry(candidates={side: len(tie.news) for side, tie in tied.items()})
            for side, to_side in partners.items():
                if path in to_side:
                    self._add(entry, side, elements[side][to_side[path]])
        self.root = self.entries[elements[Side.BASE][()]]
        self._add_new_elements()

    def _add_new_elements(self) -> None:
        """Add the elements that the base does not have: those with one name, or equal ones, are the same."""
        candidates: dict[object, list[Entry]] = defaultdict(list)
        for side in SIDES:
            for element in self._elements[side].values():
                if element not in self.entries:
                    entries = candidates[self._identity(element)]
                    entry = entries.pop(0) if entries and side is Side.THEIRS else Entry()
                    self._add(entry, side, element)
                    if side is Side.OURS:
                        entries.append(entry)

    def _add(self, entry: Entry, side: Side, element: Element) -> None:
        entry.elements[side] = element
        self.entries[element] = entry

    def _identity(self, element: Element) -> object:
        """Return what an added element has in common with the same element of the other side."""
        if element.is_node and element.name is not None:
            return element.name, id(element.kind)
        if element.name is not None:
            return self.place_of(element), element.name, False
        return self.place_of(element), json.dumps(element.value, sort_keys=True), True

    @cached_property
    def lists(self) -> dict[Side, dict[Place, list[Entry]]]:
        lists: dict[Side, dict[Place, list[Entry]]] = {side: defaultdict(list) for side in Side}
        for side, elements in self._elements.items():
            for element in elements.values():
                if (place := self.place_of(element)) is not None:
                    lists[side][place].append(self.entries[element])
        return lists

    def in_list(self, side: Side, place: Place) -> list[Entry]:
        """Return the entries of a list of a side; none if the side does not have it."""
        return self.lists[side].get(place, [])

    def index_of(self, entry: Entry, side: Side) -> int:
        """Return the index of an entry in its list of a side."""
        index = entry.elements[side].path[-1]
        assert isinstance(index, int)  # noqa: S101  the root is in no list
        return index

    def place_of(self, element: Element | None) -> Place | None:
        """Return the list that contains an element; None for the root."""
        if element is None or element.parent is None:
            return None
        return self.entries[element.parent], element.list_name


class Inputs:
    """The three documents of a merge, and which of their elements are the same. The roots of the sides are objects."""

    def __init__(self, base: Document | None, ours: Document, theirs: Document) -> None:
        base_value = None if base is None else _without_contested(base)
        if not isinstance(base_value, dict):
            props = Analysis(ours).vocabulary.root.props.items()
            base_value = {name: {} for name, prop in props if isinstance(prop.kind, ObjectKind)}
        self._documents = {Side.BASE: base, Side.OURS: ours, Side.THEIRS: theirs}
        to_ours, to_theirs = (match(base_value, side.value, by_index=False) for side in (ours, theirs))
        all_elements = (to_ours.olds, to_ours.news, to_theirs.news)
        self._elements = {
            side: {element.path: element for element in elements}
            for side, elements in zip(Side, all_elements, strict=True)
        }
        to_base = {path: path for path in self._elements[Side.BASE]}
        # the elements of a side with the names that it was given last, which are often the same for both preferences
        self._last_renamed: dict[Side, tuple[dict[Path, str], dict[Path, Element]]] = {}
        self._partners = {Side.BASE: to_base, Side.OURS: to_ours.to_new, Side.THEIRS: to_theirs.to_new}
        self._ties = {
            side: {old.path: tie for old, tie in matching.ties.items()}
            for side, matching in ((Side.OURS, to_ours), (Side.THEIRS, to_theirs))
        }
        for side in SIDES:
            self._separate_ties(side)

    def _separate_ties(self, side: Side) -> None:
        """Separate elements from their partners if others could be these as well, and the other side changes them.

        Of several that are equal, one that the other side leaves as it is takes the partner. If there is none, the
        element is gone in this side, so that the change is a conflict.
        """
        for path, tie in self._ties[side].items():
            partner = self._partners[side].get(path)
            if partner is None or self._is_unchanged(path, OTHER[side]):
                continue
            self._separate(path, side)
            for old in tie.olds:
                is_free = old.path not in self._partners[side] and self._is_unchanged(old.path, OTHER[side])
                if is_free and old.digest == self._elements[side][partner].digest:
                    self._pair_equal(old, partner, side)
                    break

    def _is_unchanged(self, path: Path, side: Side) -> bool:
        """Return whether a side has an element of the base as it was."""
        partner = self._partners[side].get(path)
        base, elements = self._elements[Side.BASE], self._elements[side]
        return partner is not None and is_same_json(base[path].value, elements[partner].value)

    def _separate(self, path: Path, side: Side) -> None:
        """Remove the partners of an element of the base, and of those in it."""
        partners = self._partners[side]
        for inner_path in [inner_path for inner_path in partners if inner_path[: len(path)] == path]:
            del partners[inner_path]

    def _pair_equal(self, old: Element, partner: Path, side: Side) -> None:
        """Pair an element of the base, and those in it, with an equal one of a side, and those in that."""
        pending = [old]
        while pending:
            element = pending.pop()
            self._partners[side][element.path] = (*partner, *element.path[len(old.path) :])
            pending += element.children

    def versions(self, prefer: Side) -> Versions:
        """Return base, ours and theirs with the names of the merged document."""
        names = self._new_names(prefer)
        return Versions({side: self._renamed(side, names[side]) for side in Side}, self._partners, self._ties)

    def _new_names(self, prefer: Side) -> dict[Side, dict[Path, str]]:
        """Return the names that elements have in the merged document and not in base, ours or theirs, by path there."""
        renamed: dict[Side, dict[Path, str]] = {side: {} for side in Side}
        for path in self._elements[Side.BASE]:
            paths = {side: to_side[path] for side, to_side in self._partners.items() if path in to_side}
            names = {side: self._elements[side][side_path].name for side, side_path in paths.items()}
            if len(names) < len(Side) or names[Side.THEIRS] is None:
                continue
            base, name, theirs = names.values()
            if name == base or (theirs != base and prefer is Side.THEIRS):
                name = theirs
            for side, old_name in names.items():
                if name is not None and old_name not in (None, name):
                    renamed[side][paths[side]] = name
        return renamed

    def _renamed(self, side: Side, names: dict[Path, str]) -> dict[Path, Element]:
        """Return the elements of a document with new names of some, also where the names are used."""
        elements = self._elements[side]
        document = self._documents[side]
        if not names or document is None:
            return elements
        if side in self._last_renamed and self._last_renamed[side][0] == names:
            return self._last_renamed[side][1]
        value = deepcopy(elements[()].value)
        all_names = Analysis(document).names
        for path, name in names.items():
            prop = elements[path].naming_prop
            name_path = (*path, "id")
            if prop is not None:
                name_path = (*path, prop.name)
                if prop.defines is None and prop.uses is not None:
                    continue  # It has the name of a page. With another one it is changed, not renamed.
            name_paths = {name_path}
            definitions = all_names.definitions(name_path)
            if not definitions or min(definitions) == name_path:
                name_paths |= all_names.references(name_path) - definitions
            for name_path in name_paths:
                as_object(value_at(value, name_path[:-1]))[str(name_path[-1])] = name
        renamed = {element.path: element for element in elements_of(value)}
        self._last_renamed[side] = names, renamed
        return renamed


def _without_contested(base: Document) -> object:
    """Return the value of a base; of one in conflict the first choice, with `CONTESTED` where its choices differ.

    So both sides have changed it, with any value.
    """
    if not base.conflicts:
        return base.value
    value = deepcopy(base.value)
    matching = match(base.value, choose(base, Side.THEIRS).value, by_index=False)
    for element in matching.olds:
        members = as_object(value_at(value, element.path))
        if element not in matching.partners:
            members[CONTESTED] = CONTESTED
            continue
        other_members = as_object(matching.partners[element].value)
        lists = {child.path[len(element.path)] for child in element.children}
        for name in {**members, **other_members}.keys() - lists:
            if not is_same_json(members.get(name, ABSENT), other_members.get(name, ABSENT)):
                members[str(name)] = CONTESTED
    return value


def choose(document: Document, side: Side) -> Document:
    """Return a document with the lines of ours, or of theirs, at each conflict in it."""
    while document.conflicts:
        edits: list[Edit] = []
        for conflict in document.conflicts:  # One may be in another.
            if not edits or conflict.marker.start >= edits[-1].span.end:
                edits += conflict.keep(conflict.ours if side is Side.OURS else conflict.theirs)
        document = read(apply(document.text, edits))
    return document
