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
from functools import cache, cached_property
from hashlib import sha256

from rui_common.json_values import as_list, as_object
from rui_common.syntax.paths import Path
from rui_common.vocabulary.kinds import ListKind, NodeKind, ObjectKind
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_common.vocabulary.schema import Kind, Prop, Role, Shape, Symbol, Vocabulary

_DATA = (Role.ENDPOINT, Role.SELECT)


@dataclass(eq=False)
class Element:
    """An element of a declared list, or the root."""

    path: Path
    value: object  # any JSON value if the document is invalid
    kind: Kind  # the kind that is declared for the elements of the list
    # the shape by which it is read; None for other values than objects, and for planned and unknown types
    shape: Shape | None
    parent: Element | None  # the element around it; None for the root
    vocabulary: Vocabulary
    is_node: bool = False  # whether it is a node: its id is unique in the document
    # the elements in it, those in objects of its properties included; not those in its children
    children: list[Element] = field(default_factory=list)
    # its value if that is read, and the declared objects in it: path, value and shape of each
    objects: list[tuple[Path, dict[str, object], Shape]] = field(default_factory=list)
    target: Element | None = None  # the node that its name refers to; None without one
    distinction: str = ""  # its name or path if others have the same phrase in sentences

    @property
    def list_name(self) -> Path:
        """The path of the list from the parent, such as ``("filter", "options")``; ``()`` for the root."""
        if self.parent is None:
            return ()
        return self.path[len(self.parent.path) : -1]

    @property
    def naming_prop(self) -> Prop | None:
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

    def is_id_or_reference(self, prop: Prop) -> bool:
        """Return whether a property defines or uses a name that is no field of the data."""
        symbol = prop.defines or prop.uses
        return symbol is not None and symbol not in _data_symbols(self.vocabulary)

    @property
    def own_value(self) -> object:
        """Its value without the elements in it."""
        return _reduced(self.value, self.shape, lambda _: False)

    @cached_property
    def digest(self) -> str:
        """The digest of its content without ids and references, but with the names of data."""
        return self.digest_without(None)

    def digest_without(self, omitted: Prop | None) -> str:
        """Return the digest of its content without ids, references, and a property."""

        def is_omitted(prop: Prop) -> bool:
            return prop is omitted or self.is_id_or_reference(prop)

        own = _reduced(self.value, self.shape, is_omitted)
        content = json.dumps((own, [(child.list_name, child.digest) for child in self.children]), sort_keys=True)
        return sha256(content.encode()).hexdigest()

    @cached_property
    def data(self) -> tuple[str, ...]:
        """The endpoints and value paths in it, with those in the nodes in it."""
        found = [f"{prop.name}={text}" for prop, _, text in texts_with_roles(self, _DATA)]
        for child in _nodes(self.children):
            found += child.data
        return tuple(found)


@dataclass(frozen=True, eq=False)
class Matching:
    """Which elements of two versions are the same."""

    olds: list[Element]  # all elements of the old version, elements before those in them; first the root
    news: list[Element]  # the same of the new version
    # element of the old version → the same one in the new version, in the order of `olds`
    partners: dict[Element, Element]

    @cached_property
    def removed(self) -> frozenset[Path]:
        """The paths of elements that only the old version has; also those in removed elements."""
        return frozenset(one.path for one in self.olds if one not in self.partners)

    @cached_property
    def to_new(self) -> dict[Path, Path]:
        """Path of an element in the old version → its path in the new one."""
        return {old.path: new.path for old, new in self.partners.items()}

    @cached_property
    def to_old(self) -> dict[Path, Path]:
        """Path of an element in the new version → its path in the old one."""
        return {new: old for old, new in self.to_new.items()}


Key = Callable[[Element], Hashable | None]
"""Returns what two elements have in common that are the same; None if there is nothing to compare."""


def elements_of(value: object, vocabulary: Vocabulary = VOCABULARY) -> list[Element]:
    """Return the elements of a document in canonical order, each before those in it; first the root."""
    root = Element((), value, ObjectKind(vocabulary.root), None, None, vocabulary)
    elements = [root]
    if isinstance(value, dict):
        root.shape = vocabulary.root
        _add_elements(root, value, vocabulary.root, (), elements)
    definitions: dict[tuple[Symbol | None, str | None], Element] = {}
    for one in elements:
        definitions.setdefault((one.kind.defines, one.name), one)
        if one.naming_prop is not None:
            definitions.setdefault((one.naming_prop.defines, one.name), one)
    for one in elements:
        if one.naming_prop is not None and one.naming_prop.uses is not None:
            one.target = definitions.get((one.naming_prop.uses, one.name))
    return elements


@cache
def parts_of(shape: Shape | None) -> tuple[dict[str, Shape], dict[str, Kind]]:
    """Return the declared objects and lists in objects of a shape: name → shape, and name → kind of the elements."""
    # Kinds are abstract classes, for which isinstance is slow.
    props = () if shape is None else shape.all_props
    objects = {prop.name: prop.kind.shape for prop in props if isinstance(prop.kind, ObjectKind)}
    return objects, {prop.name: prop.kind.items for prop in props if isinstance(prop.kind, ListKind)}


def _add_elements(owner: Element, value: dict[str, object], shape: Shape, path: Path, elements: list[Element]) -> None:
    """Append the elements in an object of `owner`, which may be `owner` itself."""
    owner.objects.append((path, value, shape))
    objects, lists = parts_of(shape)
    for name, object_shape in objects.items():
        inner = value.get(name)
        if isinstance(inner, dict):
            _add_elements(owner, inner, object_shape, (*path, name), elements)
    for name, kind in lists.items():
        is_node = isinstance(kind, NodeKind)
        for index, item in enumerate(as_list(value.get(name))):
            element = Element((*path, name, index), item, kind, None, owner, owner.vocabulary, is_node)
            owner.children.append(element)
            elements.append(element)
            if isinstance(item, dict) and (item_shape := kind.shape_of(item, owner.vocabulary)) is not None:
                element.shape = item_shape
                _add_elements(element, item, item_shape, element.path, elements)


@cache
def _naming_prop(shape: Shape | None) -> Prop | None:
    """Return the property that names the objects of a shape in a list: a definition, a reference, or its first text."""
    if shape is None:
        return None
    named = [prop for prop in shape.all_props if prop.defines is not None or prop.uses is not None]
    texts = [prop for prop in shape.all_props if prop.kind.json_type == "string"]
    return next(iter(named + texts), None)


@cache
def _data_symbols(vocabulary: Vocabulary) -> frozenset[Symbol | None]:
    """Return the symbols whose names are fields of the data, such as column keys."""
    return frozenset(prop.defines for _, prop in vocabulary.props if prop.role is Role.FIELD)


def match(old: object, new: object, vocabulary: Vocabulary = VOCABULARY, *, strict: bool) -> Matching:
    """Match the elements of two documents, any JSON values.

    If `strict`, as for a merge, those matched by content are equal apart from ids and references.
    """
    matcher = _Matcher(elements_of(old, vocabulary), elements_of(new, vocabulary))
    matcher.match_nodes(strict=strict)
    matcher.match_others(strict=strict)
    partners = {one: matcher.pairs[one] for one in matcher.old if one in matcher.pairs}
    return Matching(matcher.old, matcher.new, partners)


class _Matcher:
    """Matches elements step by step; a matched element keeps its partner."""

    def __init__(self, old: list[Element], new: list[Element]) -> None:
        self.old = old
        self.new = new
        self.pairs: dict[Element, Element] = {}  # element of the old version → its partner
        self._taken: set[Element] = set()
        self._pair(old[0], new[0])

    def match_nodes(self, *, strict: bool) -> None:
        self._match(_nodes(self.old), _nodes(self.new), lambda one: one.name, is_anywhere=True)
        self._match_nodes_in_lists(lambda one: one.digest)
        if not strict:
            for node in reversed(_nodes(self.old)):
                self._match_by_children(node)
            self._match_nodes_in_lists(lambda one: one.digest, _type_and_data, _index_of_unnamed)

    def _match_nodes_in_lists(self, *keys: Key) -> None:
        """Match the nodes in each list of matched elements by one key after the other, from the root inwards."""
        for one in self.old:
            if one in self.pairs:
                for key in keys:
                    self._match(_nodes(one.children), _nodes(self.pairs[one].children), key)

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
                self._pair(node, parent)

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
            news = self.pairs[one].children  # the nodes of which are in other lists
            self._match(olds, news, name_or_target)
            self._match(olds, news, _content_of_unnamed)
            if not strict:
                self._match(olds, news, _index_of_unnamed)

    def _match(self, olds: Iterable[Element], news: Iterable[Element], key: Key, *, is_anywhere: bool = False) -> None:
        """Match free elements with equal keys in order; of several with one key, those with equal content first.

        They are in lists with the same name, unless `is_anywhere`.
        """
        free = [one for one in olds if one not in self.pairs]
        if not free:
            return
        candidates: dict[Hashable, list[Element]] = defaultdict(list)
        for new in news:
            if new not in self._taken:
                candidates[is_anywhere or new.list_name, key(new)].append(new)
        groups: dict[Hashable, list[Element]] = defaultdict(list)
        for old in free:
            if (name := key(old)) is not None:
                groups[is_anywhere or old.list_name, name].append(old)
        for group, members in groups.items():
            self._match_group(members, candidates.get(group, []))

    def _match_group(self, olds: list[Element], news: list[Element]) -> None:
        if len(olds) > 1 or len(news) > 1:
            equal: dict[str, list[Element]] = defaultdict(list)
            for new in reversed(news):
                equal[new.digest].append(new)
            for old in olds:
                same = equal.get(old.digest)
                if same and _is_comparable(old, same[-1]):
                    self._pair(old, same.pop())
        left = (old for old in olds if old not in self.pairs)
        free = (new for new in news if new not in self._taken)
        for old, new in zip(left, free, strict=False):
            if _is_comparable(old, new):
                self._pair(old, new)

    def _pair(self, old: Element, new: Element) -> None:
        self.pairs[old] = new
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


def _content_of_unnamed(one: Element) -> Hashable | None:
    """Return the content without the name; None for an element that has only a name."""
    if one.name is not None and not one.has_label:
        return None
    return one.digest_without(one.naming_prop)


def _type_and_data(one: Element) -> Hashable | None:
    """Return the type with all data in a node; None without any."""
    if one.shape is None or not one.data:
        return None
    return one.shape.name, one.data


def _reduced(value: object, shape: Shape | None, is_omitted: Callable[[Prop], bool]) -> object:
    """Return a value without elements and some properties."""
    if not isinstance(value, dict) or shape is None:
        return value
    objects, lists = parts_of(shape)
    reduced: dict[str, object] = {}
    for name, inner in value.items():
        prop = shape.prop(name)
        if prop is not None and is_omitted(prop):
            continue
        if name in lists and isinstance(inner, list):
            reduced[name] = []
        else:
            reduced[name] = _reduced(inner, objects.get(name), is_omitted)
    return reduced


def texts_with_roles(one: Element, roles: Container[Role | None]) -> Iterator[tuple[Prop, Path, str]]:
    """Yield the texts in an element that have one of some roles, with their paths, outside of the elements in it."""
    for path, value, shape in one.objects:
        for prop in shape.all_props:
            text = value.get(prop.name)
            if prop.role in roles and isinstance(text, str):
                yield prop, (*path, prop.name), text
