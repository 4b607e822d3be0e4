"""Compare two documents: find the changes, and say each in a sentence."""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from rui_common.editing.normal_form import canonical_names
from rui_common.syntax.paths import Path, format_path
from rui_common.validation.findings import ABSENT
from rui_common.versions.changes import Area, Change, ChangeKind, Comparison, screens_of
from rui_common.versions.match import (
    Element,
    data_symbols,
    elements_of,
    match_elements,
    matching_of,
    parts_of,
    texts_with_roles,
)
from rui_common.versions.sentences import (
    Verb,
    code,
    different_texts,
    different_words,
    full_subject_of,
    name_of,
    quoted,
    strong,
    subject_of,
    text_with_role,
    top_of,
    word_of,
)
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_common.vocabulary.schema import Prop, Role, Shape, Vocabulary

MAX_MOVED = 2
"""Maximum number of elements of a list that are moved one by one; with more, the list has another order."""

IDS = "renamed ids"
FURTHER = "further properties"
SPACES = "white space"


def compare(old: object, new: object, vocabulary: Vocabulary = VOCABULARY) -> Comparison:
    """Return the differences between two documents, valid or not; any JSON values."""
    walk = _Walk(old, new, vocabulary)
    changes = sorted(walk.changes(), key=lambda change: change.rank)
    return Comparison(walk.matching, tuple(changes), tuple(screens_of(walk.tops(), changes)))


class _Owner(NamedTuple):
    """An object in both versions: an element, or an object in one, at the path `steps` from it."""

    old: Element
    new: Element
    steps: Path = ()

    @property
    def subject(self) -> str:
        """A phrase that names it in the new version."""
        return self.phrase(self.new)

    def phrase(self, one: Element) -> str:
        """Return a phrase that names it in one version, such as ``the filter of **Orders**``."""
        subject = full_subject_of(one)
        if not self.steps:
            return subject
        words = " ".join(map(str, self.steps))
        if one.parent is None:
            return f"the {words}"
        return f"the {words} of {subject}"

    @property
    def area(self) -> Area:
        """What its changes concern."""
        return _area_of(self.new)

    def is_display(self, prop: Prop) -> bool:
        """Return whether a property decides how the value of the element is shown."""
        shape = self.new.shape
        return (
            not self.steps and shape is not None and shape.wireframe is not None and shape.wireframe.prop == prop.name
        )

    def change(self, name: str, area: Area, subject: str, verb: Verb, rest: str, topic: str = "") -> Change:
        """Return the change of a property."""
        return Change(ChangeKind.CHANGED, area, subject, verb, rest, *self.paths(name), topic)

    def paths(self, name: str) -> tuple[Path, Path]:
        """Return the paths of a property in both versions."""
        return (*self.old.path, *self.steps, name), (*self.new.path, *self.steps, name)


class _Side(NamedTuple):
    """One version.

    Attributes:
        kind: what happened to elements that only this version has.
        elements: its elements.
        partners: element → the same one in the other version.
        told: the paths of objects and requests whose change contains that of everything in them.
    """

    kind: ChangeKind
    elements: list[Element]
    partners: Mapping[Element, Element]
    told: set[Path]

    def is_alone(self, one: Element) -> bool:
        """Return whether only this version has an element, and no other change contains that."""
        if one.parent is None or one in self.partners or one.parent not in self.partners:
            return False
        return not any(one.path[:length] in self.told for length in range(len(one.parent.path), len(one.path)))

    def change(self, area: Area, subject: str, rest: str, path: Path) -> Change:
        """Return the change of something that only this version has."""
        paths = (path, None) if self.kind is ChangeKind.REMOVED else (None, path)
        return Change(self.kind, area, subject, Verb.IS, rest, *paths)


class _Walk:
    """Walks over the matched elements of two documents."""

    def __init__(self, old: object, new: object, vocabulary: Vocabulary) -> None:
        self._olds = elements_of(old, vocabulary)
        self._news = elements_of(new, vocabulary)
        partners = match_elements(self._olds, self._news, vocabulary, strict=False)
        self.matching = matching_of(self._olds, self._news, partners)
        self._to_new = {one: partners[one][0] for one in self._olds if one in partners}
        self._to_old = {new: old for old, new in self._to_new.items()}
        self._data_symbols = data_symbols(vocabulary)
        self._sides = (
            _Side(ChangeKind.REMOVED, self._olds, self._to_new, set()),
            _Side(ChangeKind.ADDED, self._news, self._to_old, set()),
        )

    def changes(self) -> Iterator[Change]:
        """Yield the changes."""
        for old, new in self._to_new.items():
            if old.shape is not new.shape or old.shape is None:
                yield from self._replaced(old, new)
            elif isinstance(old.value, dict) and isinstance(new.value, dict):
                yield from self._properties(_Owner(old, new), old.value, new.value, old.shape)
            yield from self._moves(old, new)
            yield from self._orders(old, new)
        for side in self._sides:
            for one in sorted(side.elements, key=_is_no_node):
                if side.is_alone(one):
                    yield self._alone(side, one)
        yield from self._endpoints()

    def tops(self) -> Iterator[tuple[str, Path | None, Path | None]]:
        """Yield title and paths of each node directly below the root; removed ones last."""
        for one in self._news[0].children:
            if one.is_node:
                old = self._to_old.get(one)
                yield subject_of(one), None if old is None else old.path, one.path
        for one in self._olds[0].children:
            if one.is_node and one not in self._to_new:
                yield subject_of(one), one.path, None

    def _tell(self, old: Path, new: Path) -> None:
        for side, path in zip(self._sides, (old, new), strict=True):
            side.told.add(path)

    # Elements ---------------------------------------------------------------------------------------------------------

    def _alone(self, side: _Side, one: Element) -> Change:
        """Return the change of an element that only one version has."""
        named = one
        if one.target is not None and one.target not in side.partners:
            named = one.target  # That the page is new, or gone, says enough.
        preposition = "on" if named.is_node else "in"
        rest = "new"
        if side.kind is ChangeKind.REMOVED:
            preposition = "from"
            rest = "gone"
        if around := self._around(named):
            rest = f"{rest} {preposition} {around}"
        return side.change(_area_of(named), subject_of(named), rest, one.path)

    def _around(self, one: Element) -> str:
        """Return a phrase for the page of a node, or for the node of another element; ``""`` directly in the root."""
        if one.parent is None or one.parent.parent is None:
            return ""
        around = top_of(one) if one.is_node else one.parent
        return subject_of(self._to_new.get(around, around))

    def _replaced(self, old: Element, new: Element) -> Iterator[Change]:
        """Yield the change of a node with another type, or of an element that is not read."""
        if _is_same(old.value, new.value):
            return
        rest = "different"
        if word_of(old) != word_of(new):
            rest = f"a {word_of(new)} instead of a {word_of(old)}"
        self._tell(old.path, new.path)
        area = Area.PAGES if new.parent is None else _area_of(new)
        yield Change(ChangeKind.CHANGED, area, full_subject_of(new), Verb.IS, rest, old.path, new.path)

    def _moves(self, old: Element, new: Element) -> Iterator[Change]:
        if old.parent is None or new.parent is None:
            return
        if self._to_new.get(old.parent) is new.parent and old.list_name == new.list_name:
            return
        origin = subject_of(self._to_new.get(top_of(old), top_of(old)))
        goal = subject_of(top_of(new))
        if origin == goal:
            # A node without a name is called by what it contains, but not by the node that moves.
            origin = subject_of(self._to_new.get(old.parent, old.parent))
            goal = subject_of(new.parent if name_of(new.parent) else self._to_old.get(new.parent, new.parent))
        if origin == goal:
            origin, goal = [code(format_path(one.list_name)) for one in (old, new)]
        rest = f"from {origin} to {goal}"
        yield Change(ChangeKind.MOVED, _area_of(new), subject_of(new), Verb.MOVES, rest, old.path, new.path)

    def _orders(self, old: Element, new: Element) -> Iterator[Change]:
        """Yield the changes of the order of the elements that both versions of a list have."""
        positions = {child: index for index, child in enumerate(old.children)}
        lists: dict[Path, list[Element]] = {}
        for child in new.children:
            lists.setdefault(child.list_name, []).append(child)
        for name, children in lists.items():
            common = [
                child for child in children
                if child in self._to_old and self._to_old[child] in positions and self._to_old[child].list_name == name
            ]  # fmt: skip
            fixed = _longest_increasing([positions[self._to_old[child]] for child in common])
            moved = [child for index, child in enumerate(common) if index not in fixed]
            first = common[0] if common else new
            if moved and first.is_node and new.parent is None:
                topic = f"the order of {code(str(name[-1]))}"
                yield self._order(old, new, name, Area.HIDDEN, topic, topic)
            elif len(moved) > MAX_MOVED:
                items = f" of {' '.join(map(str, name))}" if not first.is_node else ""
                yield self._order(old, new, name, _area_of(first), f"the order{items}{_place(new)}")
            else:
                yield from map(self._new_position, moved)

    @staticmethod
    def _order(old: Element, new: Element, name: Path, area: Area, subject: str, topic: str = "") -> Change:
        paths = (*old.path, *name), (*new.path, *name)
        return Change(ChangeKind.MOVED, area, subject, Verb.IS, "different", *paths, topic)

    def _new_position(self, one: Element) -> Change:
        parent = one.parent or one
        siblings = [child for child in parent.children if child.list_name == one.list_name]
        index = int(one.path[-1])
        place = _place(parent)
        subject = subject_of(one)
        verb = Verb.COMES
        if index > 0:
            rest = f"after {subject_of(siblings[index - 1])}{place}"
        elif one.is_node:
            rest = f"first{place}"
        else:
            subject = name_of(one) or subject
            verb = Verb.IS
            owner = f" of {subject_of(parent)}" if place else ""
            rest = f"the first {word_of(one)}{owner}"
        return Change(ChangeKind.MOVED, _area_of(one), subject, verb, rest, self._to_old[one].path, one.path)

    # Properties -------------------------------------------------------------------------------------------------------

    def _properties(
        self, owner: _Owner, old: dict[str, object], new: dict[str, object], shape: Shape, topic: str = ""
    ) -> Iterator[Change]:
        """Yield the changes of the properties of an object, outside of the elements in it.

        `topic` is that of the folded line if nothing in the object is visible.
        """
        objects, lists = parts_of(shape)
        for name in canonical_names(old | new, shape):
            before = old.get(name, ABSENT)
            after = new.get(name, ABSENT)
            prop = shape.prop(name)
            if before is after or (isinstance(before, str) and before == after):
                continue
            if prop is None or topic:
                if not _is_same(before, after) and (prop is None or prop.role is not Role.REPLACES):
                    yield _further(owner, name, before, after, topic or FURTHER)
            elif name in objects:
                yield from self._object(owner, prop, objects[name], before, after)
            elif name in lists:
                yield from self._list(owner, prop, before, after)
            elif not _is_same(before, after):
                yield self._scalar(owner, prop, before, after)

    def _object(self, owner: _Owner, prop: Prop, shape: Shape, before: object, after: object) -> Iterator[Change]:
        if isinstance(before, dict) and isinstance(after, dict):
            inner = owner._replace(steps=(*owner.steps, prop.name))
            topic = code(prop.name) if owner.new.parent is None and not parts_of(shape).lists else ""
            yield from self._properties(inner, before, after, shape, topic)
        elif owner.new.parent is None:
            yield _further(owner, prop.name, before, after, code(prop.name))
        elif not _is_same(before, after):
            self._tell(*owner.paths(prop.name))
            rest = f"a different {prop.name} now"
            if before is ABSENT:
                rest = f"a {prop.name} now"
            elif after is ABSENT:
                rest = f"no {prop.name} now"
            has_request = bool(shape.props_with_role(Role.ENDPOINT))
            area = Area.DATA if has_request else owner.area
            yield owner.change(prop.name, area, owner.subject, Verb.HAS, rest)

    @staticmethod
    def _list(owner: _Owner, prop: Prop, before: object, after: object) -> Iterator[Change]:
        """Yield the change of a list that one version lacks, unless it has elements, which have changes."""
        lists = [value for value in (before, after) if isinstance(value, list)]
        others = [value for value in (before, after) if value is not ABSENT and not isinstance(value, list)]
        if others and not _is_same(before, after):
            yield _declared(owner, prop, before, after)
        elif len(lists) == 1 and not lists[0]:
            yield _further(owner, prop.name, before, after, FURTHER)

    def _scalar(self, owner: _Owner, prop: Prop, before: object, after: object) -> Change:
        """Return the change of a property whose values differ."""
        symbol = prop.defines or prop.uses
        if owner.new.parent is None and not owner.steps:
            return _further(owner, prop.name, before, after, code(prop.name))
        if symbol is not None and symbol not in self._data_symbols:
            return self._name_or_reference(owner, prop, before, after)
        if not all(value is ABSENT or isinstance(value, str) for value in (before, after)):
            return _declared(owner, prop, before, after)
        old, new = [value if isinstance(value, str) else "" for value in (before, after)]
        if old.split() == new.split() and prop.is_free_text and prop.role is not Role.CONTENT:
            return _further(owner, prop.name, before, after, SPACES)
        if symbol is not None or prop.role in (Role.ENDPOINT, Role.SELECT):
            return self._read(owner, prop, old, new)
        return self._text(owner, prop, old, new)

    def _read(self, owner: _Owner, prop: Prop, old: str, new: str) -> Change:
        """Return the change of the data that a block reads. The block has its old name: a new one is said later."""
        block = owner.old
        if not block.is_node and block.parent is not None:
            block = block.parent
        subject = subject_of(block)
        if prop.uses is not None and not self._is_renamed(owner, old, new):
            subject = owner.phrase(owner.old)
        none = "the whole response" if prop.role is Role.SELECT else "nothing"
        if prop.role is Role.ENDPOINT and old and new:
            self._tell(*owner.paths(prop.name))
        return owner.change(prop.name, Area.DATA, subject, Verb.READS, _instead(old, new, none))

    def _is_renamed(self, owner: _Owner, old: str, new: str) -> bool:
        """Return whether the field that an object refers to, such as a column key, has a new name."""
        fields = [one for one in owner.old.children if one.name == old and one in self._to_new]
        return any(self._to_new[one].name == new for one in fields)

    def _name_or_reference(self, owner: _Owner, prop: Prop, before: object, after: object) -> Change:
        old = owner.old.target
        new = owner.new.target
        is_same = old is not None and new is not None and self._to_new.get(old) is new
        if prop.defines is not None or is_same:
            return _further(owner, prop.name, before, after, IDS)
        goals = []
        for target, value in ((new, after), (old, before)):
            goal = "nothing"
            if target is not None:
                goal = subject_of(self._to_new.get(target, target))
            elif isinstance(value, str):
                goal = code(value)
            goals.append(goal)
        return owner.change(prop.name, owner.area, owner.subject, Verb.OPENS, " instead of ".join(goals))

    def _text(self, owner: _Owner, prop: Prop, old: str, new: str) -> Change:
        """Return the change of a text, or of how something is shown."""
        verb = Verb.IS
        if prop.role is Role.LABEL:
            return self._label(owner, prop, old, new)
        if owner.is_display(prop):
            rest = _shown(old, new)
        elif prop.role is Role.LAYOUT:
            rest = f"laid out as {_instead(old, new, 'nothing')}"
        elif prop.role is Role.OPTION:
            verb = Verb.SELECTS
            rest = _instead(old, new, "nothing")
        elif prop.is_free_text:
            return self._words(owner, prop, old, new)
        else:
            return _declared(owner, prop, old or ABSENT, new or ABSENT)
        return owner.change(prop.name, owner.area, owner.subject, verb, rest)

    @staticmethod
    def _words(owner: _Owner, prop: Prop, old: str, new: str) -> Change:
        """Return the change of the words in a text."""
        subject = f"the {prop.name} of {owner.subject}"
        if prop.role is Role.CONTENT and text_with_role(owner.new, Role.LABEL):
            subject = owner.subject
        elif prop.role is Role.CONTENT:
            around = owner.new.parent or owner.new
            if not name_of(around):
                around = top_of(owner.new)
            subject = f"the {word_of(owner.new)}{_place(around)}"
        if old.split() == new.split():
            return owner.change(prop.name, owner.area, subject, Verb.HAS, "other line breaks or spaces")
        words = [quoted(text) if text else "nothing" for text in different_words(old, new)]
        return owner.change(prop.name, owner.area, subject, Verb.SAYS, f"{words[1]} instead of {words[0]}")

    @staticmethod
    def _label(owner: _Owner, prop: Prop, old: str, new: str) -> Change:
        named = owner.old
        target = owner.new.target
        area = owner.area
        subject = owner.subject
        if not owner.steps:
            subject = full_subject_of(named)
        if target is not None and owner.old.target is not None:
            labels = [text_with_role(one, Role.LABEL) for one in (owner.old.target, target)]
            if labels == [old, new]:
                area = _area_of(target)  # The page has the new name, too: said once.
                subject = subject_of(owner.old.target)
        if not new.strip():
            return owner.change(prop.name, area, subject, Verb.HAS, f"no {prop.name} now")
        return owner.change(prop.name, area, subject, Verb.IS, f"now called {strong(different_texts(old, new)[1])}")

    # Endpoints --------------------------------------------------------------------------------------------------------

    def _endpoints(self) -> Iterator[Change]:
        """Yield the endpoints that only one version reads, unless a block reads one instead of another."""
        olds = _readers(self._olds)
        news = _readers(self._news)
        removed, added = self._sides
        for side, readers, others, rest in ((removed, olds, news, "no longer read"), (added, news, olds, "new")):
            for endpoint, paths in readers.items():
                path = next((path for path in paths if path not in side.told), None)
                if endpoint not in others and path is not None:
                    yield side.change(Area.DATA, f"endpoint {code(endpoint)}", rest, path)


def _readers(elements: Iterable[Element]) -> dict[str, list[Path]]:
    """Return endpoint → the paths at which it is read."""
    readers: dict[str, list[Path]] = {}
    for one in elements:
        for _, path, endpoint in texts_with_roles(one, (Role.ENDPOINT,)):
            readers.setdefault(endpoint, []).append(path)
    return readers


def _is_no_node(one: Element) -> bool:
    """Return the sort key of elements: a page comes before the navigation items that lead to it."""
    return not one.is_node


def _place(one: Element) -> str:
    """Return where the elements in an element are, such as `` on page **Today**``; ``""`` in the root."""
    if one.parent is None:
        return ""
    return f" {'on' if one.parent.parent is None else 'in'} {subject_of(one)}"


def _area_of(one: Element) -> Area:
    if one.parent is not None and one.parent.parent is None:
        return Area.PAGES if one.is_node else Area.NAVIGATION
    return Area.NAVIGATION if one.parent is None else Area.BLOCKS


def _is_same(one: object, other: object) -> bool:
    """Return whether two values are the same JSON: true is not 1, and properties have no order."""
    if one is ABSENT or other is ABSENT:
        return one is other
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


def _longest_increasing(numbers: list[int]) -> set[int]:
    """Return the indices of a longest increasing subsequence of different numbers."""
    ends: list[int] = []
    indices: list[int] = []
    previous: list[int] = []
    for index, number in enumerate(numbers):
        length = bisect_left(ends, number)
        ends[length : length + 1] = [number]
        indices[length : length + 1] = [index]
        previous.append(indices[length - 1] if length else -1)
    found = set()
    index = indices[-1] if indices else -1
    while index >= 0:
        found.add(index)
        index = previous[index]
    return found


def _instead(old: str, new: str, none: str) -> str:
    """Return ``new instead of old`` as code; `none` stands for an empty text."""
    before, after = [code(text) if text else none for text in different_texts(old, new)]
    return f"{after} instead of {before}"


def _shown(old: str, new: str) -> str:
    if not new:
        return f"no longer shown as {code(old)}"
    if not old:
        return f"shown as {code(new)}"
    return f"shown as {_instead(old, new, '')}"


def _difference(before: object, after: object) -> str:
    """Return how two values differ, in words without objects and arrays."""
    if before is ABSENT:
        return "new"
    if after is ABSENT:
        return "gone"
    texts = []
    for value in (after, before):
        if isinstance(value, dict | list):
            return "different"
        texts.append(quoted(value) if isinstance(value, str) else code(json.dumps(value)))
    return "different" if texts[0] == texts[1] else " instead of ".join(texts)


def _declared(owner: _Owner, prop: Prop, before: object, after: object) -> Change:
    """Return the change of a property that has no words of its own, or a wrong value."""
    subject = f"{code(prop.name)} of {owner.subject}"
    return owner.change(prop.name, owner.area, subject, Verb.IS, _difference(before, after))


def _further(owner: _Owner, name: str, before: object, after: object, topic: str) -> Change:
    """Return the change of a property that users do not see."""
    subject = f"{code(name)} of {owner.subject}"
    if owner.new.parent is None:
        subject = code(format_path((*owner.steps, name)))
    return owner.change(name, Area.HIDDEN, subject, Verb.IS, _difference(before, after), topic)
