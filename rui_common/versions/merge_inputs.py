"""The three documents of a merge: their elements, which of them are the same, and the names that these get."""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from enum import Enum
from functools import cached_property

from rui_common.editing.edits import apply
from rui_common.json_values import as_object
from rui_common.syntax.document import Document, read
from rui_common.syntax.paths import Path, value_at
from rui_common.syntax.spans import Edit
from rui_common.validation.analysis import Analysis
from rui_common.versions.match import Element, Matching, elements_of, match
from rui_common.vocabulary.kinds import ObjectKind
from rui_common.vocabulary.schema import Vocabulary


class Side(Enum):
    """The sides of a merge."""

    OURS = "ours"
    THEIRS = "theirs"

    @property
    def other(self) -> Side:
        """The other side."""
        return Side.THEIRS if self is Side.OURS else Side.OURS


class _Missing:
    """The value of a property that an object does not have."""


MISSING = _Missing()

CONTESTED = "\ud800"
"""The value and key of what is contested in a base. No document has it: it is half of a character."""


_encode = json.JSONEncoder(sort_keys=True).encode


def is_same(one: object, other: object) -> bool:
    """Return whether two values are equal JSON; 1, 1.0 and true differ."""
    if one is other:
        return True
    if type(one) is not type(other):
        return False
    if not isinstance(one, dict | list):
        return one == other
    return _encode(one) == _encode(other)


@dataclass(eq=False)
class Entry:
    """An element of the merged document, and what it is in each version that has it."""

    base: Element | None = None
    ours: Element | None = None
    theirs: Element | None = None

    def of(self, side: Side) -> Element | None:
        """Return the element of a side."""
        return self.ours if side is Side.OURS else self.theirs

    @property
    def key(self) -> tuple[Path | None, ...]:
        """Its paths in base, ours and theirs."""
        return tuple(None if one is None else one.path for one in (self.base, self.ours, self.theirs))

    @property
    def versions(self) -> list[Element]:
        """The versions that there are."""
        return [one for one in (self.base, self.ours, self.theirs) if one is not None]

    @property
    def is_added_twice(self) -> bool:
        """Whether both sides add it, with two contents."""
        if self.base is not None or self.ours is None or self.theirs is None:
            return False
        return not is_same(self.ours.value, self.theirs.value)


class Version:
    """One of the three documents.

    Attributes:
        elements: path → element, with the names that the merged document has.
        entries: element → entry of the merge.
        lists: the elements in each list, by the element around it and the path from there.
    """

    def __init__(self, elements: dict[Path, Element]) -> None:
        self.elements = elements
        self.entries: dict[Element, Entry] = {}

    @cached_property
    def lists(self) -> dict[tuple[Entry, Path], list[Entry]]:
        """The entries of each list."""
        lists: dict[tuple[Entry, Path], list[Entry]] = {}
        for one in self.elements.values():
            if one.parent is not None:
                lists.setdefault((self.entries[one.parent], one.list_name), []).append(self.entries[one])
        return lists

    def parent_of(self, element: Element | None) -> tuple[Entry, Path] | None:
        """Return the entry around an element, and the path of the list from there; None for the root."""
        if element is None or element.parent is None:
            return None
        return self.entries[element.parent], element.list_name


class Inputs:
    """The three documents of a merge, and which of their elements are the same.

    Args:
        base: the merge base; None if both sides have added the file.
        ours, theirs: the sides. Their roots are objects.
    """

    def __init__(self, base: Document | None, ours: Document, theirs: Document, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        base_value = None if base is None else base.value
        if base is not None and base.conflicts:
            base_value = _without_contested(base, vocabulary)
        if not isinstance(base_value, dict):
            base_value = {name: {} for name, prop in vocabulary.root.props.items() if isinstance(prop.kind, ObjectKind)}
        self.values: list[object] = [base_value, ours.value, theirs.value]
        self.documents = [base, ours, theirs]
        self._names_of_versions: list[dict[Path, str]] = []
        self._versions: list[Version] = []
        self.matchings = [match(base_value, side, vocabulary, strict=True) for side in self.values[1:]]

    def versions(self, prefer: Side) -> list[Version]:
        """Return base, ours and theirs with the names of the merged document, and their common entries."""
        names = self._new_names(prefer)
        if names == self._names_of_versions:
            return self._versions
        self._names_of_versions = names
        self._versions = self._with_entries(*(Version(self._renamed(index, new)) for index, new in enumerate(names)))
        return self._versions

    def _with_entries(self, base: Version, ours: Version, theirs: Version) -> list[Version]:
        for path, element in base.elements.items():
            partners = (self._partner(side, matching, path) for side, matching in self._sides(ours, theirs))
            entry = Entry(element, *partners)
            for version, one in zip((base, ours, theirs), (entry.base, entry.ours, entry.theirs), strict=True):
                if one is not None:
                    version.entries[one] = entry
        self._add_new(ours, theirs)
        return [base, ours, theirs]

    def _sides(self, ours: Version, theirs: Version) -> Iterator[tuple[Version, Matching]]:
        return zip((ours, theirs), self.matchings, strict=True)

    @staticmethod
    def _partner(side: Version, matching: Matching, path: Path) -> Element | None:
        partner = matching.to_new.get(path)
        return None if partner is None else side.elements[partner]

    @staticmethod
    def _add_new(ours: Version, theirs: Version) -> None:
        """Add the entries of elements that the base does not have. Those with one name, or equal ones, are the same."""
        candidates: dict[object, list[Entry]] = {}
        for one in ours.elements.values():
            if one not in ours.entries:
                entry = ours.entries[one] = Entry(ours=one)
                candidates.setdefault(_identity(one, ours), []).append(entry)
        for one in theirs.elements.values():
            if one not in theirs.entries:
                same = candidates.get(_identity(one, theirs))
                entry = same.pop(0) if same else Entry()
                entry.theirs = one
                theirs.entries[one] = entry

    def _new_names(self, prefer: Side) -> list[dict[Path, str]]:
        """Return the names that elements have in the merged document and not in base, ours or theirs, by path there."""
        renamed: list[dict[Path, str]] = [{}, {}, {}]
        for pair in self.matchings[0].pairs:
            paths = [pair.old, pair.new, self.matchings[1].to_new.get(pair.old)]
            names = [None if path is None else self._name(index, path) for index, path in enumerate(paths)]
            base_name, ours_name, theirs_name = names
            if theirs_name is None:
                continue
            name = ours_name if theirs_name == base_name or prefer is Side.OURS else theirs_name
            if ours_name == base_name:
                name = theirs_name
            for index, path in enumerate(paths):
                if path is not None and name is not None and names[index] not in (None, name):
                    renamed[index][path] = name
        return renamed

    def _name(self, index: int, path: Path) -> str | None:
        return self._elements[index][path].name

    @cached_property
    def _elements(self) -> list[dict[Path, Element]]:
        return [self._elements_in(value) for value in self.values]

    def _elements_in(self, value: object) -> dict[Path, Element]:
        return {one.path: one for one in elements_of(value, self.vocabulary)}

    def _renamed(self, index: int, names: dict[Path, str]) -> dict[Path, Element]:
        """Return the elements of a document with new names of some, also where the names are used."""
        document = self.documents[index]
        if not names or document is None:
            return self._elements[index]
        value = deepcopy(self.values[index])
        all_names = Analysis(document, self.vocabulary).names
        for path, name in names.items():
            prop = self._elements[index][path].naming_prop
            step = "id" if prop is None else prop.name
            if prop is not None and prop.defines is None and prop.uses is not None:
                continue  # It has the name of another element.
            first = all_names.definitions((*path, step))
            is_first = not first or min(first) == (*path, step)
            uses = all_names.references((*path, step)) - first if is_first else set()
            for place in ((*path, step), *uses):
                as_object(value_at(value, place[:-1]))[str(place[-1])] = name
        return self._elements_in(value)


def _without_contested(base: Document, vocabulary: Vocabulary) -> object:
    """Return the first choice of a base in conflict, with `CONTESTED` where its choices differ.

    So whatever the sides have there, both have changed it.
    """
    second = _second_choice(base).value
    value = deepcopy(base.value)
    matching = match(base.value, second, vocabulary, strict=True)
    elements = {one.path: one for one in elements_of(base.value, vocabulary)}
    for path, element in elements.items():
        inner = as_object(value_at(value, path))
        other = None if path not in matching.to_new else as_object(value_at(second, matching.to_new[path]))
        lists = {child.path[len(path)] for child in element.children}
        if other is None:
            inner[CONTESTED] = CONTESTED
            continue
        for name in {**inner, **other}.keys() - lists:
            if not is_same(inner.get(name, MISSING), other.get(name, MISSING)):
                inner[str(name)] = CONTESTED
    return value


def _second_choice(base: Document) -> Document:
    while base.conflicts:
        edits: list[Edit] = []
        for one in base.conflicts:  # One may be in another.
            if not edits or one.marker.start >= edits[-1].span.end:
                edits += one.keep(one.theirs)
        base = read(apply(base.text, edits))
    return base


def _identity(one: Element, version: Version) -> object:
    """Return what an added element has in common with the same element of the other side."""
    if one.is_node and one.name is not None:
        return one.name, id(one.kind)
    name = one.name if one.name is not None else json.dumps(one.value, sort_keys=True)
    return version.parent_of(one), name, one.name is None
