"""Match the elements of two versions of a document: nodes, and elements of lists such as columns.

``match(old, new, strict=…)`` takes two parsed JSON values, valid or not, and returns a `Matching`.

1. By name: nodes by their id, in the whole document; elements that refer to a node by that node; other elements of a
   list by their naming property (a defined name, or their first text). All of it is declared.
2. The others by content, in the same list of matched parents: equal apart from ids and references. An element that
   is no node also needs a label: all columns that have only a key are alike.
3. If not `strict`: nodes with children by the children, if more than half of them are matched with each other; then
   nodes of one type with the same data (endpoints and value paths in them) in the same list of matched parents; then
   elements without a name by their index.

A match by content means a renamed id or name. Duplicate names are matched in order, equal ones first. The time is
linear: contents are compared by digests.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Container, Hashable, Iterable, Iterator
from dataclasses import dataclass, field
from enum import Enum
from functools import cache, cached_property
from typing import NamedTuple

from rui_common.json_values import as_list, as_object
from rui_common.syntax.paths import Path
from rui_common.vocabulary.kinds import ListKind, NodeKind, ObjectKind
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_common.vocabulary.schema import Kind, Prop, Role, Shape, Symbol, Vocabulary

_DATA = (Role.ENDPOINT, Role.SELECT)


class By(Enum):
    """How two elements were recognized as the same."""

    NAME = "name"
    CONTENT = "content"


class Match(NamedTuple):
    """An element in both versions.

    Attributes:
        old: its path in the old version.
        new: its path in the new version.
        by: `By.NAME` if it has the same name, or refers to the same node; `By.CONTENT` if its name was changed, or if
            it has none.
    """

    old: Path
    new: Path
    by: By


@dataclass(eq=False)
class Element:
    """An element of a declared list, or the root.

    Attributes:
        path: its path.
        value: its value; any JSON value if the document is invalid.
        kind: the kind that is declared for the elements of the list.
        shape: the shape by which it is read; None for other values than objects, and for planned and unknown types.
        parent: the element around it; None for the root.
        is_node: whether it is a node: its id is unique in the document.
        children: the elements in it, those in objects of its properties included; not those in its children.
        objects: its value if that is read, and the declared objects in it: path, value and shape of each.
        target: the node that its name refers to; None without one.
    """

    path: Path
    value: object
    kind: Kind
    shape: Shape | None
    parent: Element | None
    is_node: bool = False
    children: list[Element] = field(default_factory=list)
    objects: list[tuple[Path, dict[str, object], Shape]] = field(default_factory=list)
    target: Element | None = None

    @property
    def list_name(self) -> Path:
        """The path of the list from the parent, such as ``("filter", "options")``; ``()`` for the root."""
        if self.parent is None:
            return ()
        return self.path[len(self.parent.path) : -1]

    @cached_property
    def naming_prop(self) -> Prop | None:
        """The declaration of the property that names it; None if there is none."""
        if self.shape is None:
            return None
        return _naming_prop(self.shape)

    @cached_property
    def name(self) -> str | None:
        """Its id, or the text of its naming property; None without one."""
        key = "id"
        if self.naming_prop is not None:
            key = self.naming_prop.name
        elif not self.is_node:
            return None
        name = as_object(self.value).get(key)
        if isinstance(name, str):
            return name
        return None

    @property
    def has_label(self) -> bool:
        """Whether it has a text that people read, besides its name."""
        if self.shape is None:
            return False
        texts = [as_object(self.value).get(prop.name) for prop in self.shape.labels if prop is not self.naming_prop]
        return any(isinstance(text, str) and text.strip() for text in texts)


@dataclass(frozen=True, eq=False)
class Matching:
    """Which elements of two versions are the same.

    Attributes:
        olds, news: all elements of both versions, elements before those in them; first the root.
        partners: element of the old version → the same one in the new version, in the order of `olds`.
        by: element of the old version → how it was matched.
    """

    olds: list[Element]
    news: list[Element]
    partners: dict[Element, Element]
    by: dict[Element, By]

    @cached_property
    def pairs(self) -> tuple[Match, ...]:
        """The matched elements in the order of the old version."""
        return tuple(Match(old.path, new.path, self.by[old]) for old, new in self.partners.items())

    @cached_property
    def removed(self) -> tuple[Path, ...]:
        """The paths of elements that only the old version has, in its order; also those in removed elements."""
        return tuple(one.path for one in self.olds if one not in self.partners)

    @cached_property
    def added(self) -> tuple[Path, ...]:
        """The paths of elements that only the new version has, in its order."""
        matched = {*self.partners.values()}
        return tuple(one.path for one in self.news if one not in matched)

    @cached_property
    def to_new(self) -> dict[Path, Path]:
        """Path of an element in the old version → its path in the new one."""
        return {pair.old: pair.new for pair in self.pairs}

    @cached_property
    def to_old(self) -> dict[Path, Path]:
        """Path of an element in the new version → its path in the old one."""
        return {pair.new: pair.old for pair in self.pairs}


Key = Callable[[Element], Hashable | None]
"""Returns what two elements have in common that are the same; None if there is nothing to compare."""


def elements_of(value: object, vocabulary: Vocabulary = VOCABULARY) -> list[Element]:
    """Return the elements of a document in canonical order, each before those in it; first the root."""
    root = Element((), value, ObjectKind(vocabulary.root), None, None)
    elements = [root]
    if isinstance(value, dict):
        root.shape = vocabulary.root
        _add_elements(root, value, vocabulary.root, (), vocabulary, elements)
    definitions: dict[tuple[Symbol | None, str | None], Element] = {}
    for one in elements:
        definitions.setdefault((one.kind.defines, one.name), one)
        if one.naming_prop is not None:
            definitions.setdefault((one.naming_prop.defines, one.name), one)
    for one in elements:
        if one.naming_prop is not None and one.naming_prop.uses is not None:
            one.target = definitions.get((one.naming_prop.uses, one.name))
    return elements


class _Parts(NamedTuple):
    """The declared objects and lists in objects of a shape: name → shape, or kind of the elements."""

    objects: dict[str, Shape]
    lists: dict[str, Kind]


@cache
def parts_of(shape: Shape | None) -> _Parts:
    """Return the declared objects and lists in objects of a shape; without one, there are none."""
    if shape is None:
        return _Parts({}, {})
    # Kinds are abstract classes, for which isinstance is slow.
    props = shape.all_props
    objects = {prop.name: prop.kind.shape for prop in props if isinstance(prop.kind, ObjectKind)}
    return _Parts(objects, {prop.name: prop.kind.items for prop in props if isinstance(prop.kind, ListKind)})


def _add_elements(
    owner: Element, value: dict[str, object], shape: Shape, path: Path, vocabulary: Vocabulary, elements: list[Element]
) -> None:
    """Append the elements in an object of `owner`, which may be `owner` itself."""
    owner.objects.append((path, value, shape))
    objects, lists = parts_of(shape)
    for name, object_shape in objects.items():
        inner = value.get(name)
        if isinstance(inner, dict):
            _add_elements(owner, inner, object_shape, (*path, name), vocabulary, elements)
    for name, kind in lists.items():
        is_node = isinstance(kind, NodeKind)
        for index, item in enumerate(as_list(value.get(name))):
            element = Element((*path, name, index), item, kind, None, owner, is_node)
            owner.children.append(element)
            elements.append(element)
            if isinstance(item, dict) and (item_shape := kind.shape_of(item, vocabulary)) is not None:
                element.shape = item_shape
                _add_elements(element, item, item_shape, element.path, vocabulary, elements)


@cache
def _naming_prop(shape: Shape) -> Prop | None:
    """Return the property that names the objects of a shape in a list: a definition, a reference, or its first text."""
    named = [prop for prop in shape.all_props if prop.defines is not None or prop.uses is not None]
    texts = [prop for prop in shape.all_props if prop.kind.json_type == "string"]
    return next(iter(named + texts), None)


@cache
def data_symbols(vocabulary: Vocabulary) -> frozenset[Symbol]:
    """Return the symbols whose names are fields of the data, such as column keys."""
    return frozenset(
        prop.defines for _, prop in vocabulary.props if prop.defines is not None and prop.role is Role.FIELD
    )


def match(old: object, new: object, vocabulary: Vocabulary = VOCABULARY, *, strict: bool) -> Matching:
    """Match the elements of two documents.

    Args:
        old: the root of the old version; any JSON value.
        new: the root of the new version.
        vocabulary: the declarations.
        strict: for a merge: by content, only elements that are equal apart from ids and references.
    """
    matcher = _Matcher(elements_of(old, vocabulary), elements_of(new, vocabulary), vocabulary)
    matcher.match_nodes(strict=strict)
    matcher.match_others(strict=strict)
    partners = {one: matcher.pairs[one] for one in matcher.old if one in matcher.pairs}
    return Matching(matcher.old, matcher.new, partners, matcher.by)


class _Matcher:
    """Matches elements step by step; a matched element keeps its partner.

    Attributes:
        old, new: all elements of both versions.
        pairs: element of the old version → its partner.
        by: element of the old version → how it was matched.
    """

    def __init__(self, old: list[Element], new: list[Element], vocabulary: Vocabulary) -> None:
        self.old = old
        self.new = new
        self.pairs: dict[Element, Element] = {}
        self.by: dict[Element, By] = {}
        self._taken: set[Element] = set()
        self._contents = _Contents(vocabulary)
        self._pair(old[0], new[0], By.NAME)

    def match_nodes(self, *, strict: bool) -> None:
        """Match the nodes."""
        old_nodes = [one for one in self.old if one.is_node]
        self._match(old_nodes, [one for one in self.new if one.is_node], By.NAME, lambda one: one.name)
        self._match_nodes_in_lists(self._contents.digest)
        if strict:
            return
        for node in reversed(old_nodes):
            self._match_by_children(node)
        self._match_nodes_in_lists(self._contents.digest, self._contents.data, _index_of_unnamed)

    def _match_nodes_in_lists(self, *keys: Key) -> None:
        """Match the nodes in each list of matched elements by one key after the other, from the root inwards."""
        for one in self.old:
            if one in self.pairs:
                for key in keys:
                    self._match(_nodes(one.children), _nodes(self.pairs[one].children), By.CONTENT, key)

    def _match_by_children(self, node: Element) -> None:
        """Match a node with the parent of most partners of its children."""
        children = _nodes(node.children)
        if node in self.pairs or not children:
            return
        parents = Counter(self.pairs[child].parent for child in children if child in self.pairs)
        for parent, count in parents.most_common(1):
            if parent is None or parent in self._taken or not _is_comparable(node, parent):
                continue
            if count * 2 > max(len(children), len(_nodes(parent.children))):
                self._pair(node, parent, By.CONTENT)

    def match_others(self, *, strict: bool) -> None:
        """Match the elements that are no nodes, in the lists of matched elements."""
        numbers: dict[Element | None, int] = {}
        for number, pair in enumerate(self.pairs.items()):
            numbers.update(dict.fromkeys(pair, number))

        def name_or_target(one: Element) -> Hashable | None:
            """Return the number of the matched node that an element refers to, else its name."""
            return numbers.get(one.target, one.name)

        for one in self.old:
            if one not in self.pairs:
                continue
            olds = [child for child in one.children if not child.is_node]
            news = [child for child in self.pairs[one].children if not child.is_node]
            self._match(olds, news, By.NAME, name_or_target)
            self._match(olds, news, By.CONTENT, self._contents.of_unnamed)
            if not strict:
                self._match(olds, news, By.CONTENT, _index_of_unnamed)

    def _match(self, olds: Iterable[Element], news: Iterable[Element], by: By, key: Key) -> None:
        """Match free elements with equal keys in order; of several with one key, those with equal content first."""
        free = [one for one in olds if one not in self.pairs]
        if not free:
            return
        candidates: dict[Hashable, list[Element]] = defaultdict(list)
        for new in news:
            if new not in self._taken:
                candidates[self._place(new, by), key(new)].append(new)
        groups: dict[Hashable, list[Element]] = defaultdict(list)
        for old in free:
            if (name := key(old)) is not None:
                groups[self._place(old, by), name].append(old)
        for group, members in groups.items():
            self._match_group(members, candidates.get(group, []), by)

    @staticmethod
    def _place(one: Element, by: By) -> Path:
        """Return the list that an element may not leave: a node with an id may be anywhere."""
        if one.is_node and by is By.NAME:
            return ()
        return one.list_name

    def _match_group(self, olds: list[Element], news: list[Element], by: By) -> None:
        if len(olds) > 1 or len(news) > 1:
            equal: dict[Hashable, list[Element]] = defaultdict(list)
            for new in reversed(news):
                equal[self._contents.digest(new)].append(new)
            for old in olds:
                same = equal.get(self._contents.digest(old))
                if same and _is_comparable(old, same[-1]):
                    self._pair(old, same.pop(), by)
        left = (old for old in olds if old not in self.pairs)
        free = (new for new in news if new not in self._taken)
        for old, new in zip(left, free, strict=False):
            if _is_comparable(old, new):
                self._pair(old, new, by)

    def _pair(self, old: Element, new: Element, by: By) -> None:
        self.pairs[old] = new
        self.by[old] = by
        self._taken.add(new)


def _nodes(elements: Iterable[Element]) -> list[Element]:
    return [one for one in elements if one.is_node]


def _index_of_unnamed(one: Element) -> Hashable | None:
    """Return the index of an element without a name."""
    if one.name is not None:
        return None
    return one.path[-1]


def _is_comparable(old: Element, new: Element) -> bool:
    """Return whether two elements may be the same: a page is no block, and text is no object."""
    if isinstance(old.value, dict) != isinstance(new.value, dict):
        return False
    return old.kind is new.kind or (old.shape is not None and old.shape is new.shape)


class _Contents:
    """The contents of elements as small numbers: equal ones for equal content."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._data_symbols = data_symbols(vocabulary)
        self._numbers: dict[str, int] = {}
        self._digests: dict[Element, int] = {}
        self._data: dict[Element, tuple[str, ...]] = {}

    def digest(self, one: Element) -> int:
        """Return the number of the content without ids and references, but with the names of data."""
        if one not in self._digests:
            self._digests[one] = self._number(one, None)
        return self._digests[one]

    def of_unnamed(self, one: Element) -> Hashable | None:
        """Return the number of the content without the name; None for an element that has only a name."""
        if one.name is not None and not one.has_label:
            return None
        return self._number(one, one.naming_prop)

    def data(self, one: Element) -> Hashable | None:
        """Return the type with all data in a node; None without any."""
        data = self._data_of(one)
        if one.shape is None or not data:
            return None
        return one.shape.name, data

    def _data_of(self, one: Element) -> tuple[str, ...]:
        if one not in self._data:
            found = [f"{prop.name}={text}" for prop, _, text in texts_with_roles(one, _DATA)]
            for child in _nodes(one.children):
                found += self._data_of(child)
            self._data[one] = tuple(found)
        return self._data[one]

    def _number(self, one: Element, omitted: Prop | None) -> int:
        own = self._reduced(one.value, one.shape, omitted)
        children = [(child.list_name, self.digest(child)) for child in one.children]
        text = json.dumps((own, children), sort_keys=True)
        return self._numbers.setdefault(text, len(self._numbers))

    def _reduced(self, value: object, shape: Shape | None, omitted: Prop | None) -> object:
        """Return a value without ids and references, and without elements."""
        if not isinstance(value, dict) or shape is None:
            return value
        objects, lists = parts_of(shape)
        reduced: dict[str, object] = {}
        for name, inner in value.items():
            prop = shape.prop(name)
            if prop is not None and (prop is omitted or self._is_id_or_reference(prop)):
                continue
            if name in lists and isinstance(inner, list):
                reduced[name] = []
            else:
                reduced[name] = self._reduced(inner, objects.get(name), None)
        return reduced

    def _is_id_or_reference(self, prop: Prop) -> bool:
        symbol = prop.defines or prop.uses
        return symbol is not None and symbol not in self._data_symbols


def texts_with_roles(one: Element, roles: Container[Role | None]) -> Iterator[tuple[Prop, Path, str]]:
    """Yield the texts in an element that have one of some roles, with their paths, outside of the elements in it."""
    for path, value, shape in one.objects:
        for prop in shape.all_props:
            text = value.get(prop.name)
            if prop.role in roles and isinstance(text, str):
                yield prop, (*path, prop.name), text
