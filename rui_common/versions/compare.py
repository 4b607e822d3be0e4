"""Compare two documents: find the changes, each with a sentence."""

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import NamedTuple

from rui_common.editing.normal_form import canonical_names
from rui_common.json_values import is_same_json
from rui_common.problems.finding import ABSENT
from rui_common.syntax.paths import Path, format_path
from rui_common.texts import count_of
from rui_common.versions.changes import Area, Change, ChangeKind, Comparison, Pattern, Screen
from rui_common.versions.elements import Element, blocks_in, parts_of, text_with_role, texts_with_roles
from rui_common.versions.match import Matching, match
from rui_common.versions.merge_order import longest_increasing
from rui_common.versions.sentences import (
    Verb,
    code,
    different_part,
    different_texts,
    different_words,
    distinct_name_of,
    distinguish,
    full_subject_of,
    name_of,
    quoted,
    replaced_words,
    shared_subject_of,
    strong,
    subject_of,
    top_of,
    word_of,
)
from rui_common.versions.visible import is_for_people, visible_text
from rui_common.vocabulary.schema import Prop, Role, Shape

MAX_MOVED = 2  # maximum number of elements of a list that are moved one by one; with more, the list has another order
IDS = "renamed ids"
FURTHER = "further properties"
SPACES = "white space"
SAME_LOOK = "characters that look the same"


def compare(old: object, new: object) -> Comparison:
    """Return the differences between two documents, valid or not; any JSON values."""
    return comparison_of(match(old, new, by_index=True))


def comparison_of(matching: Matching) -> Comparison:
    """Return the differences between two documents whose elements are matched."""
    distinguish(matching)
    changes = sorted(_Walk(matching).changes(), key=lambda change: change.rank)
    return Comparison(matching, tuple(changes), tuple(_screens(matching, changes)))


def _screens(matching: Matching, changes: list[Change]) -> Iterator[Screen]:
    """Yield the screens in the order of the new version, removed ones last, with the changes in them."""
    in_old: dict[Path | None, list[Change]] = defaultdict(list)
    in_new: dict[Path | None, list[Change]] = defaultdict(list)
    for change in changes:
        for in_screen, path in ((in_old, change.old), (in_new, change.new)):
            if path is not None and change.is_visible:
                in_screen[path[:2]].append(change)
    screens: list[tuple[Element, Path | None, Path | None]] = []
    screens += [(screen, matching.to_old.get(screen.path), screen.path) for screen in matching.news[0].nodes]
    screens += [(screen, screen.path, None) for screen in matching.olds[0].nodes if screen not in matching.partners]
    for screen, old, new in screens:
        inside = in_new[new] + [change for change in in_old[old] if change.new is None]
        kind = None
        if old is None:
            kind = ChangeKind.ADDED
        elif new is None:
            kind = ChangeKind.REMOVED
        elif in_old[old] or inside:
            kind = ChangeKind.CHANGED
        yield Screen(subject_of(screen), old, new, kind, sorted(inside, key=lambda change: change.rank))


class _Owner(NamedTuple):
    """An object in both versions: an element, or an object in one, at the path `steps` from it."""

    old: Element
    new: Element
    steps: Path = ()

    @property
    def subject(self) -> str:
        return self.phrase(self.new)

    def phrase(self, element: Element) -> str:
        """Return a phrase that names it in one version, such as ``the filter of **Orders**``."""
        subject = full_subject_of(element)
        if not self.steps:
            return subject
        words = " ".join(map(str, self.steps))
        if element.parent is None:
            return f"the {words}"
        return f"the {words} of {subject}"

    @property
    def area(self) -> Area:
        return _area_of(self.new)

    def is_display(self, prop: Prop) -> bool:
        """Return whether a property decides how the value of the element is shown."""
        if self.steps or self.new.shape is None or self.new.shape.wireframe is None:
            return False
        return self.new.shape.wireframe.prop == prop.name

    def change(
        self,
        name: str,
        area: Area,
        subject: str,
        verb: Verb,
        rest: str,
        topic: str = "",
        pattern: Pattern | None = None,
    ) -> Change:
        return Change(ChangeKind.CHANGED, area, subject, verb, rest, *self.paths(name), topic, pattern)

    def paths(self, name: str) -> tuple[Path, Path]:
        return (*self.old.path, *self.steps, name), (*self.new.path, *self.steps, name)


class _Side(NamedTuple):
    """One version."""

    kind: ChangeKind  # what happened to elements that only this version has
    elements: list[Element]
    partners: Mapping[Element, Element]  # element → the same one in the other version
    covered: set[Path]  # the paths of objects and requests whose change contains those of all parts in them

    def is_alone(self, element: Element) -> bool:
        """Return whether only this version has an element, and no other change contains that."""
        if element.parent is None or element in self.partners or element.parent not in self.partners:
            return False
        return not any(
            element.path[:length] in self.covered for length in range(len(element.parent.path), len(element.path))
        )

    def change(self, area: Area, subject: str, rest: str, path: Path, pattern: Pattern | None = None) -> Change:
        """Return the change of something that only this version has."""
        if self.kind is ChangeKind.REMOVED:
            return Change(self.kind, area, subject, Verb.IS, rest, path, None, pattern=pattern)
        return Change(self.kind, area, subject, Verb.IS, rest, None, path, pattern=pattern)


class _Walk:
    def __init__(self, matching: Matching) -> None:
        self._to_new = matching.partners
        self._to_old = {new: old for old, new in self._to_new.items()}
        self._sides = (
            _Side(ChangeKind.REMOVED, matching.olds, self._to_new, set()),
            _Side(ChangeKind.ADDED, matching.news, self._to_old, set()),
        )

    def changes(self) -> Iterator[Change]:
        for old, new in self._to_new.items():
            if old.shape is not new.shape or old.shape is None:
                yield from self._replaced(old, new)
            elif isinstance(old.value, dict) and isinstance(new.value, dict):
                yield from self._properties(_Owner(old, new), old.value, new.value, old.shape)
            yield from self._moves(old, new)
            yield from self._orders(old, new)
        for side in self._sides:
            alone = [element for element in side.elements if side.is_alone(element)]
            # A page comes before the navigation items that lead to it.
            for element in sorted(alone, key=lambda element: not element.is_node):
                yield self._alone(side, element)
        yield from self._endpoints()

    def _cover(self, old: Path, new: Path) -> None:
        for side, path in zip(self._sides, (old, new), strict=True):
            side.covered.add(path)

    # Elements ---------------------------------------------------------------------------------------------------------

    def _alone(self, side: _Side, element: Element) -> Change:
        """Return the change of an element that only one version has."""
        named = element
        if element.target is not None and element.target not in side.partners:
            named = element.target  # The sentence about the page is enough.
        container = named.parent or named
        if named.is_node:
            container = top_of(container)
        container = self._to_new.get(container, container)
        rest = f"new{_place(container)}"
        if side.kind is ChangeKind.REMOVED:
            rest = "gone"
            if container.parent is not None:
                rest = f"gone from {subject_of(container)}"
        if side.kind is ChangeKind.ADDED and named.nodes:
            rest += self._known_content(named)
        pattern = None
        if container.parent is not None and not named.nodes and (shared := shared_subject_of(named)):
            words = rest.removesuffix(subject_of(container))
            pattern = Pattern(f"{shared} is {words}", word_of(container))
        return side.change(_area_of(named), subject_of(named), rest, element.path, pattern)

    def _known_content(self, node: Element) -> str:
        """Return which blocks of the old version a new node shows, too, as the end of a sentence; or ``""``."""
        copies = [block for block in blocks_in(node) if block not in self._to_old and block.digest in self._old_blocks]
        if not copies:
            return ""
        nouns = {word_of(block) for block in copies}
        noun = f"{nouns.pop()}s" if len(nouns) == 1 else "blocks"
        origins = {self._subject_in_new(top_of(self._old_blocks[block.digest])) for block in copies}
        origin = origins.pop() if len(origins) == 1 else "other pages"
        return f", and shows {count_of(len(copies), noun)} of {origin}"

    @cached_property
    def _old_blocks(self) -> dict[str, Element]:
        """The blocks of the old version with data, by their content."""
        return {
            element.digest: element
            for element in reversed([*self._to_new])
            if element.is_node and element.data and not element.nodes
        }

    def _subject_in_new(self, element: Element) -> str:
        """Return the phrase that names an element in the new version, if it is there."""
        return subject_of(self._to_new.get(element, element))

    def _replaced(self, old: Element, new: Element) -> Iterator[Change]:
        """Yield the change of a node with another type, or of an element that is not read."""
        if is_same_json(old.value, new.value):
            return
        rest = "different"
        if word_of(old) != word_of(new):
            former = f"a {word_of(old)}"
            if name_of(old) not in ("", name_of(new)):
                former = f"the {word_of(old)} {distinct_name_of(old)}"
            rest = f"a {word_of(new)} instead of {former}"
        self._cover(old.path, new.path)
        area = _area_of(new)
        if new.parent is None:
            area = Area.PAGES
        yield Change(ChangeKind.CHANGED, area, full_subject_of(new), Verb.IS, rest, old.path, new.path)

    def _moves(self, old: Element, new: Element) -> Iterator[Change]:
        if old.parent is None or new.parent is None:
            return
        if self._to_new.get(old.parent) is new.parent and old.list_name == new.list_name:
            return
        origin = self._subject_in_new(top_of(old))
        goal = subject_of(top_of(new))
        if origin == goal:
            # A node without a name is called by what it contains, but not by the node that moves.
            origin = self._subject_in_new(old.parent)
            goal = subject_of(new.parent)
            if new.parent not in self._to_old and not name_of(new.parent):
                goal = f"a new {word_of(new.parent)}"
            elif not name_of(new.parent):
                goal = subject_of(self._to_old[new.parent])
        if origin == goal:
            origin = code(format_path(old.list_name))
            goal = code(format_path(new.list_name))
        rest = f"from {origin} to {goal}"
        yield Change(ChangeKind.MOVED, _area_of(new), subject_of(new), Verb.MOVES, rest, old.path, new.path)

    def _orders(self, old: Element, new: Element) -> Iterator[Change]:
        """Yield the changes of the order of the elements that both versions of a list have."""
        positions = {child: index for index, child in enumerate(old.children)}
        lists: dict[Path, list[tuple[int, Element]]] = {}
        for child in new.children:
            before = self._to_old.get(child)
            if before in positions and before.list_name == child.list_name:
                lists.setdefault(child.list_name, []).append((positions[before], child))
        for name, children in lists.items():
            fixed = {*longest_increasing(children)}
            moved = [child for _, child in children if child not in fixed]
            if not moved:
                continue
            is_hidden = moved[0].is_node and new.parent is None
            if len(moved) <= MAX_MOVED and not is_hidden:
                yield from map(self._new_position, moved)
                continue
            area = _area_of(moved[0])
            topic = ""
            subject = f"the order{_place(new)}"
            if is_hidden:
                area = Area.HIDDEN
                subject = topic = f"the order of {code(str(name[-1]))}"
            elif not moved[0].is_node:
                subject = f"the order of {' '.join(map(str, name))}{_place(new)}"
            paths = (*old.path, *name), (*new.path, *name)
            yield Change(ChangeKind.MOVED, area, subject, Verb.IS, "different", *paths, topic)

    def _new_position(self, element: Element) -> Change:
        parent = element.parent or element
        siblings = [child for child in parent.children if child.list_name == element.list_name]
        index = int(element.path[-1])
        place = _place(parent)
        subject = subject_of(element)
        verb = Verb.COMES
        if index > 0:
            rest = f"after {subject_of(siblings[index - 1])}{place}"
        elif element.is_node:
            if not name_of(parent):  # It is called by its first node, which is this one now.
                place = _place(self._to_old.get(parent, parent))
            rest = f"first{place}"
        else:
            subject = distinct_name_of(element) or subject
            verb = Verb.IS
            rest = f"the first {word_of(element)}"
            if place:
                rest = f"{rest} of {subject_of(parent)}"
        pattern = None
        if place and not element.is_node:
            pattern = Pattern(f"{subject} {verb.value[0]} {rest.removesuffix(subject_of(parent))}", word_of(parent))
        paths = self._to_old[element].path, element.path
        return Change(ChangeKind.MOVED, _area_of(element), subject, verb, rest, *paths, "", pattern)

    # Properties -------------------------------------------------------------------------------------------------------

    def _properties(
        self, owner: _Owner, old: dict[str, object], new: dict[str, object], shape: Shape, topic: str = ""
    ) -> Iterator[Change]:
        """Yield the changes of the properties of an object, outside of the elements in it.

        `topic` is that of the folded line if users see no property of the object.
        """
        objects, lists = parts_of(shape)
        for name in canonical_names(old | new, shape):
            before = old.get(name, ABSENT)
            after = new.get(name, ABSENT)
            prop = shape.prop(name)
            if before is after or (isinstance(before, str) and before == after):
                if prop is not None and prop is owner.new.naming_prop and self._has_other_target(owner):
                    yield self._name_or_reference(owner, prop, before, after)
                continue
            if prop is not None and topic and prop.role is Role.LABEL and not is_same_json(before, after):
                yield _title_of_app(owner, prop, before, after)
            elif prop is None or topic:
                if not is_same_json(before, after) and (prop is None or prop.role is not Role.REPLACES):
                    yield _further(owner, name, before, after, topic or FURTHER)
            elif name in objects:
                yield from self._object(owner, prop, objects[name], before, after)
            elif name in lists:
                yield from self._list(owner, prop, before, after)
            elif not is_same_json(before, after):
                yield self._scalar(owner, prop, before, after)

    def _object(self, owner: _Owner, prop: Prop, shape: Shape, before: object, after: object) -> Iterator[Change]:
        if isinstance(before, dict) and isinstance(after, dict):
            inner = owner._replace(steps=(*owner.steps, prop.name))
            topic = ""
            _, lists = parts_of(shape)
            if owner.new.parent is None and not lists:
                topic = code(prop.name)
            yield from self._properties(inner, before, after, shape, topic)
        elif is_same_json(before, after):
            return
        elif owner.new.parent is None:
            yield _further(owner, prop.name, before, after, code(prop.name))
        else:
            self._cover(*owner.paths(prop.name))
            rest = f"a different {prop.name} now"
            if before is ABSENT:
                rest = f"a {prop.name} now"
            elif after is ABSENT:
                rest = f"no {prop.name} now"
            area = owner.area
            if shape.props_with_role(Role.ENDPOINT):
                area = Area.DATA
            yield owner.change(prop.name, area, owner.subject, Verb.HAS, rest)

    @staticmethod
    def _list(owner: _Owner, prop: Prop, before: object, after: object) -> Iterator[Change]:
        """Yield the change of a list that one version lacks, unless it has elements, which have changes."""
        values = [value for value in (before, after) if value is not ABSENT]
        if not all(isinstance(value, list) for value in values):
            if not is_same_json(before, after):
                yield _declared(owner, prop, before, after)
        elif values == [[]]:
            yield _further(owner, prop.name, before, after, FURTHER)

    def _scalar(self, owner: _Owner, prop: Prop, before: object, after: object) -> Change:
        if owner.new.parent is None and not owner.steps:
            return _further(owner, prop.name, before, after, code(prop.name))
        if owner.new.is_id_or_reference(prop):
            return self._name_or_reference(owner, prop, before, after)
        if not all(value is ABSENT or isinstance(value, str) for value in (before, after)):
            return _declared(owner, prop, before, after)
        old, new = ["" if value is ABSENT else str(value) for value in (before, after)]
        if is_for_people(prop) and visible_text(old, prop) == visible_text(new, prop):
            topic = SPACES
            if old.split() != new.split():
                topic = SAME_LOOK
            return _further(owner, prop.name, before, after, topic)
        if (prop.defines or prop.uses) is not None or prop.role in (Role.ENDPOINT, Role.SELECT):
            return self._read(owner, prop, old, new)
        return self._text(owner, prop, old, new)

    def _read(self, owner: _Owner, prop: Prop, old: str, new: str) -> Change:
        """Return the change of the data that a block reads. It has its old name: a later sentence has a new one."""
        block = owner.old
        if not block.is_node and block.parent is not None:
            block = block.parent
        subject = subject_of(block)
        if prop.uses is not None and not self._is_renamed(owner, old, new):
            subject = owner.phrase(owner.old)
        none = "nothing"
        if prop.role is Role.SELECT:
            none = "the whole response"
        if prop.role is Role.ENDPOINT and old and new:
            self._cover(*owner.paths(prop.name))
        pattern = None
        if old and new and (parts := different_part(old, new)) is not None:
            pattern = Pattern("", "block", f" read {_instead(*parts)}")
        return owner.change(prop.name, Area.DATA, subject, Verb.READS, _instead(old, new, none), "", pattern)

    def _is_renamed(self, owner: _Owner, old: str, new: str) -> bool:
        """Return whether the field that an object refers to, such as a column key, has a new name."""
        fields = [child for child in owner.old.children if child.name == old and child in self._to_new]
        return any(self._to_new[field].name == new for field in fields)

    def _name_or_reference(self, owner: _Owner, prop: Prop, before: object, after: object) -> Change:
        old = owner.old.target
        new = owner.new.target
        is_same = old is not None and new is not None and self._to_new.get(old) is new
        if prop.defines is not None or is_same:
            return _further(owner, prop.name, before, after, IDS)
        rest = f"{self._goal(new, after)} instead of {self._goal(old, before)}"
        return owner.change(prop.name, owner.area, owner.subject, Verb.OPENS, rest)

    def _has_other_target(self, owner: _Owner) -> bool:
        """Return whether a name refers to another node, and more is to say than that the node is new or gone."""
        old, new = owner.old.target, owner.new.target
        is_left = old in self._to_new and self._to_new[old] is not new
        return is_left or (new in self._to_old and self._to_old[new] is not old)

    def _goal(self, target: Element | None, name: object) -> str:
        if target is not None:
            return self._subject_in_new(target)
        if isinstance(name, str):
            return code(name)
        return "nothing"

    def _text(self, owner: _Owner, prop: Prop, old: str, new: str) -> Change:
        if prop.role is Role.LABEL:
            return self._label(owner, prop, old, new)
        verb = Verb.IS
        if owner.is_display(prop):
            rest = _shown(old, new)
        elif prop.role is Role.LAYOUT:
            rest = f"laid out as {_instead(old, new)}"
        elif prop.role is Role.OPTION:
            verb = Verb.SELECTS
            rest = _instead(old, new)
        elif prop.is_free_text:
            return self._words(owner, prop, old, new)
        else:
            return _declared(owner, prop, old or ABSENT, new or ABSENT)
        return owner.change(prop.name, owner.area, owner.subject, verb, rest)

    @staticmethod
    def _words(owner: _Owner, prop: Prop, old: str, new: str) -> Change:
        subject = f"the {prop.name} of {owner.subject}"
        if prop.role is Role.CONTENT and text_with_role(owner.new, Role.LABEL):
            subject = owner.subject
        elif prop.role is Role.CONTENT:
            container = owner.new.parent or owner.new
            if not name_of(container):
                container = top_of(owner.new)
            subject = f"the {word_of(owner.new)}{_place(container)}"
            if distinction := owner.old.distinction or owner.new.distinction:
                subject = f"the {word_of(owner.new)} {code(distinction)}{_place(container)}"
        if old.split() == new.split():
            return owner.change(prop.name, owner.area, subject, Verb.HAS, "other line breaks")
        before, after = different_words(old, new)
        verb, rest = _said(before, after)
        noun = word_of(owner.new)
        pattern = None
        if not old or not new:
            pattern = Pattern("", noun, f" have {'a' if new else 'no'} {prop.name} now")
        elif (words := replaced_words(old, new)) is not None:
            word_verb, word_rest = _said(*words)
            singular, plural = word_verb.value
            pattern = Pattern(f"the {prop.name} of ", noun, f" {singular} {word_rest}")
            if prop.role is Role.CONTENT:
                pattern = Pattern("", noun, f" {plural} {word_rest}")
        return owner.change(prop.name, owner.area, subject, verb, rest, "", pattern)

    @staticmethod
    def _label(owner: _Owner, prop: Prop, old: str, new: str) -> Change:
        target = owner.new.target
        area = owner.area
        subject = owner.subject
        if not owner.steps:
            subject = full_subject_of(owner.old)
        if target is not None and owner.old.target is not None:
            labels = [text_with_role(element, Role.LABEL) for element in (owner.old.target, target)]
            if labels == [old, new]:
                area = _area_of(target)  # The page has the new name, too: one sentence for both.
                subject = subject_of(owner.old.target)
        if not new.strip():
            return owner.change(prop.name, area, subject, Verb.HAS, f"no {prop.name} now")
        rest = f"now called {strong(different_texts(old, new)[1])}"
        noun = word_of(owner.new)
        pattern = None
        if old and old.casefold() == new.casefold():
            pattern = Pattern("the names of ", noun, " are written in another case")
        elif old and (words := replaced_words(old, new)) is not None:
            verb, word_rest = _said(*words)
            pattern = Pattern("the names of ", noun, f" {verb.value[1]} {word_rest}")
        elif not owner.new.is_node and owner.new.parent is not None and owner.new.parent.parent is not None:
            pattern = Pattern(
                f"{shared_subject_of(owner.old)} {Verb.IS.value[0]} {rest} in ", word_of(owner.new.parent)
            )
        return owner.change(prop.name, area, subject, Verb.IS, rest, "", pattern)

    # Endpoints --------------------------------------------------------------------------------------------------------

    def _endpoints(self) -> Iterator[Change]:
        """Yield the endpoints that only one version reads, unless a block reads one instead of another."""
        readers_by_side = [_readers(side.elements) for side in self._sides]
        for side, readers, other_readers in zip(self._sides, readers_by_side, reversed(readers_by_side), strict=True):
            rest = "new"
            if side.kind is ChangeKind.REMOVED:
                rest = "no longer read"
            for endpoint, paths in readers.items():
                path = next((path for path in paths if path not in side.covered), None)
                if endpoint not in other_readers and path is not None:
                    yield side.change(Area.DATA, f"endpoint {code(endpoint)}", rest, path)


def _readers(elements: Iterable[Element]) -> dict[str, list[Path]]:
    """Return endpoint → the paths at which it is read."""
    readers: dict[str, list[Path]] = {}
    for element in elements:
        for _, path, endpoint in texts_with_roles(element, (Role.ENDPOINT,)):
            readers.setdefault(endpoint, []).append(path)
    return readers


def _place(element: Element) -> str:
    """Return where the elements in an element are, such as `` on page **Today**``; ``""`` in the root."""
    if element.parent is None:
        return ""
    if element.parent.parent is None:
        return f" on {subject_of(element)}"
    return f" in {subject_of(element)}"


def _area_of(element: Element) -> Area:
    if element.parent is not None and element.parent.parent is not None:
        return Area.BLOCKS
    if element.is_node:
        return Area.PAGES
    return Area.NAVIGATION


def _instead(old: str, new: str, none: str = "nothing") -> str:
    """Return ``new instead of old`` as code, with `none` in place of an empty text."""
    before, after = different_texts(old, new)
    return f"{_or_none(after, code, none)} instead of {_or_none(before, code, none)}"


def _said(old: str, new: str) -> tuple[Verb, str]:
    """Return what a text says that had other words, or none."""
    if not new:
        return Verb.SAYS_NO_LONGER, quoted(old)
    if not old:
        return Verb.SAYS, f"{quoted(new)} now"
    return Verb.SAYS, f"{quoted(new)} instead of {quoted(old)}"


def _or_none(text: str, marked: Callable[[str], str], none: str = "nothing") -> str:
    if not text:
        return none
    return marked(text)


def _shown(old: str, new: str) -> str:
    if not new:
        return f"no longer shown as {code(old)}"
    if not old:
        return f"shown as {code(new)}"
    return f"shown as {_instead(old, new)}"


def _difference(before: object, after: object) -> str:
    """Return how two values differ, in words without objects and arrays."""
    if before is ABSENT:
        return "new"
    if after is ABSENT:
        return "gone"
    if isinstance(before, dict | list) or isinstance(after, dict | list):
        return "different"
    old = _scalar_text(before)
    new = _scalar_text(after)
    if old == new:
        return "different"
    return f"{new} instead of {old}"


def _scalar_text(value: object) -> str:
    if isinstance(value, str):
        return quoted(value)
    return code(json.dumps(value))


def _declared(owner: _Owner, prop: Prop, before: object, after: object) -> Change:
    """Return the change of a property that has no words of its own, or a wrong value."""
    subject = f"{code(prop.name)} of {owner.subject}"
    return owner.change(prop.name, owner.area, subject, Verb.IS, _difference(before, after))


def _title_of_app(owner: _Owner, prop: Prop, before: object, after: object) -> Change:
    old, new = (value if isinstance(value, str) else "" for value in (before, after))
    if visible_text(old, prop) == visible_text(new, prop):
        return _further(owner, prop.name, before, after, code(str(owner.steps[-1])))
    if not new.strip():
        return owner.change(prop.name, Area.APP, "the app", Verb.HAS, f"no {prop.name} now")
    rest = f"now called {strong(different_texts(old, new)[1])}"
    return owner.change(prop.name, Area.APP, "the app", Verb.IS, rest)


def _further(owner: _Owner, name: str, before: object, after: object, topic: str) -> Change:
    """Return the change of a property that users do not see."""
    subject = f"{code(name)} of {owner.subject}"
    if owner.new.parent is None:
        subject = code(format_path((*owner.steps, name)))
    return owner.change(name, Area.HIDDEN, subject, Verb.IS, _difference(before, after), topic)
