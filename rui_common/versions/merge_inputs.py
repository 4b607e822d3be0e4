"""The three documents of a merge: their elements, which of them are the same, and the names that these get."""

from __future__ import annotations

import json
from copy import deepcopy
from dataclasses import dataclass
from enum import Enum
from functools import cached_property

from rui_common.editing.edits import apply
from rui_common.json_values import as_object, is_same_json
from rui_common.syntax.document import Document, read
from rui_common.syntax.paths import Path, value_at
from rui_common.syntax.spans import Edit
from rui_common.validation.analysis import Analysis
from rui_common.validation.findings import ABSENT
from rui_common.versions.match import Element, elements_of, match
from rui_common.vocabulary.kinds import ObjectKind
from rui_common.vocabulary.schema import Vocabulary


class Side(Enum):
    """The sides of a merge."""

    OURS = "ours"
    THEIRS = "theirs"

    @property
    def other(self) -> Side:
        """The other side."""
        if self is Side.OURS:
            return Side.THEIRS
        return Side.OURS


CONTESTED = "\ud800"
"""The value and key of what is contested in a base. No document has it: it is half of a character."""


@dataclass(eq=False)
class Entry:
    """An element of the merged document, and what it is in each version that has it."""

    base: Element | None = None
    ours: Element | None = None
    theirs: Element | None = None

    def of(self, side: Side) -> Element | None:
        """Return the element of a side."""
        if side is Side.OURS:
            return self.ours
        return self.theirs

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
        return not is_same_json(self.ours.value, self.theirs.value)


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
        base_value: object = None
        if base is not None:
            base_value = _without_contested(base, vocabulary)
        if not isinstance(base_value, dict):
            base_value = {name: {} for name, prop in vocabulary.root.props.items() if isinstance(prop.kind, ObjectKind)}
        self._documents = [base, ours, theirs]
        self._to_ours = match(base_value, ours.value, vocabulary, strict=True)
        self._to_theirs = match(base_value, theirs.value, vocabulary, strict=True)
        elements = (self._to_ours.olds, self._to_ours.news, self._to_theirs.news)
        self._elements = [{one.path: one for one in of_version} for of_version in elements]
        self._names_of_versions: list[dict[Path, str]] = []
        self._versions: list[Version] = []

    def versions(self, prefer: Side) -> list[Version]:
        """Return base, ours and theirs with the names of the merged document, and their common entries."""
        names = self._new_names(prefer)
        if names != self._names_of_versions:
            self._names_of_versions = names
            self._versions = [Version(self._renamed(index, new)) for index, new in enumerate(names)]
            self._add_entries(*self._versions)
        return self._versions

    def _add_entries(self, base: Version, ours: Version, theirs: Version) -> None:
        for path, element in base.elements.items():
            entry = base.entries[element] = Entry(element)
            if path in self._to_ours.to_new:
                entry.ours = ours.elements[self._to_ours.to_new[path]]
                ours.entries[entry.ours] = entry
            if path in self._to_theirs.to_new:
                entry.theirs = theirs.elements[self._to_theirs.to_new[path]]
                theirs.entries[entry.theirs] = entry
        self._add_new(ours, theirs)

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
                entry = Entry()
                if same:
                    entry = same.pop(0)
                entry.theirs = one
                theirs.entries[one] = entry

    def _new_names(self, prefer: Side) -> list[dict[Path, str]]:
        """Return the names that elements have in the merged document and not in base, ours or theirs, by path there."""
        renamed: list[dict[Path, str]] = [{}, {}, {}]
        for path, ours in self._to_ours.to_new.items():
            theirs = self._to_theirs.to_new.get(path)
            if theirs is None:
                continue
            paths = (path, ours, theirs)
            names = [elements[at].name for elements, at in zip(self._elements, paths, strict=True)]
            base_name, ours_name, theirs_name = names
            if theirs_name is None:
                continue
            name = ours_name
            if ours_name == base_name or (theirs_name != base_name and prefer is Side.THEIRS):
                name = theirs_name
            for of_version, at, old_name in zip(renamed, paths, names, strict=True):
                if name is not None and old_name not in (None, name):
                    of_version[at] = name
        return renamed

    def _renamed(self, index: int, names: dict[Path, str]) -> dict[Path, Element]:
        """Return the elements of a document with new names of some, also where the names are used."""
        elements = self._elements[index]
        document = self._documents[index]
        if not names or document is None:
            return elements
        value = deepcopy(elements[()].value)
        all_names = Analysis(document, self.vocabulary).names
        for path, name in names.items():
            prop = elements[path].naming_prop
            place = (*path, "id")
            if prop is not None:
                place = (*path, prop.name)
                if prop.defines is None and prop.uses is not None:
                    continue  # It has the name of another element.
            places = {place}
            definitions = all_names.definitions(place)
            if not definitions or min(definitions) == place:
                places |= all_names.references(place) - definitions
            for at in places:
                as_object(value_at(value, at[:-1]))[str(at[-1])] = name
        return {one.path: one for one in elements_of(value, self.vocabulary)}


def _without_contested(base: Document, vocabulary: Vocabulary) -> object:
    """Return the value of a base; of one in conflict the first choice, with `CONTESTED` where its choices differ.

    So both sides have changed it, with any value.
    """
    if not base.conflicts:
        return base.value
    value = deepcopy(base.value)
    matching = match(base.value, _second_choice(base).value, vocabulary, strict=True)
    for element in matching.olds:
        inner = as_object(value_at(value, element.path))
        if element not in matching.partners:
            inner[CONTESTED] = CONTESTED
            continue
        other = as_object(matching.partners[element].value)
        lists = {child.path[len(element.path)] for child in element.children}
        for name in {**inner, **other}.keys() - lists:
            if not is_same_json(inner.get(name, ABSENT), other.get(name, ABSENT)):
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
    if one.name is not None:
        return version.parent_of(one), one.name, False
    return version.parent_of(one), json.dumps(one.value, sort_keys=True), True
