"""The elements of a document whose versions are compared: nodes, and elements of lists such as columns."""

from __future__ import annotations

import json
from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass, field
from functools import cache, cached_property
from hashlib import sha256

from rui_common.json_values import as_list, as_object
from rui_common.syntax.paths import Path, text_at
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
    def nodes(self) -> list[Element]:
        """The nodes directly in it."""
        return [child for child in self.children if child.is_node]

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

    @cached_property
    def label(self) -> str:
        """Its title or label, as users see it; ``""`` without one."""
        return " ".join(text_with_role(self, Role.LABEL).split())

    @cached_property
    def words(self) -> list[str]:
        """The words of its title, label and main text."""
        return f"{text_with_role(self, Role.LABEL)} {text_with_role(self, Role.CONTENT)}".split()

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

        own_value = _reduced(self.value, self.shape, is_omitted)
        content = json.dumps((own_value, [(child.list_name, child.digest) for child in self.children]), sort_keys=True)
        return sha256(content.encode()).hexdigest()

    @cached_property
    def data(self) -> tuple[str, ...]:
        """The endpoints and value paths in it, with those in the nodes in it."""
        found = [f"{prop.name}={text}" for prop, _, text in texts_with_roles(self, _DATA)]
        for child in self.nodes:
            found += child.data
        return tuple(found)


def elements_of(value: object, vocabulary: Vocabulary = VOCABULARY) -> list[Element]:
    """Return the elements of a document in canonical order, each before those in it; first the root."""
    root = Element((), value, ObjectKind(vocabulary.root), None, None, vocabulary)
    elements = [root]
    if isinstance(value, dict):
        root.shape = vocabulary.root
        _add_elements(root, value, vocabulary.root, (), elements)
    definitions: dict[tuple[Symbol | None, str | None], Element] = {}
    for element in elements:
        definitions.setdefault((element.kind.defines, element.name), element)
        if element.naming_prop is not None:
            definitions.setdefault((element.naming_prop.defines, element.name), element)
    for element in elements:
        if element.naming_prop is not None and element.naming_prop.uses is not None:
            element.target = definitions.get((element.naming_prop.uses, element.name))
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


def texts_with_roles(element: Element, roles: Container[Role | None]) -> Iterator[tuple[Prop, Path, str]]:
    """Yield the texts in an element that have one of some roles, with their paths, outside of the elements in it."""
    for path, value, shape in element.objects:
        for prop in shape.all_props:
            text = value.get(prop.name)
            if prop.role in roles and isinstance(text, str):
                yield prop, (*path, prop.name), text


def blocks_in(node: Element) -> Iterator[Element]:
    """Yield the nodes in a node that contain none."""
    for child in node.nodes:
        if child.nodes:
            yield from blocks_in(child)
        else:
            yield child


def container_of(node: Element, shape: Shape | None) -> Element | None:
    """Return the innermost node of a shape that contains a node; None if there is none."""
    parent = node.parent
    while parent is not None and parent.shape is not shape:
        parent = parent.parent
    return parent


def text_with_role(element: Element, role: Role) -> str:
    """Return the first text of an element that has a role; ``""`` without one."""
    props = () if element.shape is None else element.shape.props_with_role(role)
    return next((text for prop in props if (text := text_at(element.value, prop.name)).strip()), "")
