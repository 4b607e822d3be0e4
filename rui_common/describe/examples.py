"""Valid example documents, generated from the examples of the declarations.

The example of a property is overridden by that of the object around it. For instance, `Metric.binding` has an example
of its own, in which `valuePath` selects another value than in that of `Table.binding`.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Iterable

from rui_common.editing.formatter import format_document
from rui_common.editing.normal_form import by_code_point, normalize
from rui_common.json_values import as_list, as_object
from rui_common.syntax.document import read
from rui_common.syntax.paths import parse_path
from rui_common.vocabulary.kinds import ListKind, NodeKind, ObjectKind
from rui_common.vocabulary.queries import path_with_role
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_common.vocabulary.rules import Rule
from rui_common.vocabulary.schema import LABEL, Kind, Prop, Shape, Vocabulary

Json = dict[str, object]


def minimal_example(vocabulary: Vocabulary = VOCABULARY) -> Json:
    """The smallest valid document, in normal form: the required properties, and one element in every list."""
    return normalize(_ExampleBuilder().build(vocabulary.root, None, full=False), vocabulary)


def full_example(vocabulary: Vocabulary = VOCABULARY) -> Json:
    """A valid document, in normal form, with every shape and property.

    It has every allowed value of the registered properties.
    """
    return normalize(_ExampleBuilder().build(vocabulary.root, None, full=True), vocabulary)


def _shape_for(value: object, shapes: Iterable[Shape], default: Shape) -> Shape:
    """The shape that the ``type`` of an object selects."""
    return next((shape for shape in shapes if _has_type(value, shape)), default)


def _has_type(value: object, shape: Shape) -> bool:
    return as_object(value).get("type") == shape.name


def shape_example(shape: Shape) -> Json:
    """An object of one shape with every property; lists of nodes in it have one small node.

    Suggested properties are in normal form. References to names outside the object are dangling.
    """
    example = _ExampleBuilder(small_nodes=True).build(shape, None, full=True)
    return example | {name: by_code_point(example[name]) for name in shape.suggested if name in example}


def with_value(document: Json, at: str, text: str) -> str:
    """The text of a document with one value replaced.

    Args:
        document: the document; it is not modified.
        at: the path of the value; ``""`` replaces the whole text.
        text: the new value as JSON. For the whole text it may be malformed.
    """
    if not at:
        return text
    changed = copy.deepcopy(document)
    *parent_path, last = parse_path(at)
    parent: object = changed
    for step in parent_path:
        parent = parent[step]  # type: ignore[index]
    parent[last] = json.loads(text)  # type: ignore[index]
    return json.dumps(changed, ensure_ascii=False)


def broken_example(rule: Rule, vocabulary: Vocabulary = VOCABULARY) -> str:
    """The text of the minimal document with the example of a rule's violation."""
    return with_value(minimal_example(vocabulary), rule.at, rule.wrong)


def new_document_text(title: str = "", *, full: bool = False) -> str:
    """A valid document in canonical form.

    Args:
        title: the name of the app; by default that of the example.
        full: whether to include every type of node and every property.

    Raises:
        UnicodeEncodeError: the title contains a lone surrogate.
    """
    title.encode()
    value = full_example() if full else minimal_example()
    if title:
        outer, name = path_with_role(VOCABULARY, LABEL)
        value[outer] = as_object(value[outer]) | {name: title}
    return format_document(read(json.dumps(value, ensure_ascii=False)))


class _ExampleBuilder:
    """Builds one document with distinct ids.

    Args:
        small_nodes: whether every list of nodes has one small node.
    """

    def __init__(self, *, small_nodes: bool = False) -> None:
        self._last_ids: dict[str, int] = {}
        self._counts: dict[str, int] = {}
        self._small_nodes = small_nodes

    def build(self, shape: Shape, example: object, *, full: bool, names: frozenset[str] = frozenset()) -> Json:
        """An object with the required properties, those in `names`, and all others if `full` is set."""
        count = self._counts.get(shape.name, 0)
        self._counts[shape.name] = count + 1
        examples = as_object(example)
        if shape.is_node and count:
            # Repeated nodes differ in the properties that have variations.
            examples = {name: value for name, value in examples.items() if not _has_variations(shape, name)}
        return {
            prop.name: self._value(shape, prop, examples.get(prop.name, _variation(prop, count)), full=full)
            for prop in shape.all_props
            if (full and prop.example is not None) or prop.required or prop.name in names
        }

    def _value(self, shape: Shape, prop: Prop, example: object, *, full: bool) -> object:
        if shape.is_node and prop.name == "id":
            self._last_ids[shape.name] = self._last_ids.get(shape.name, 0) + 1
            return f"{str(prop.example).rstrip('0123456789')}{self._last_ids[shape.name]}"
        if isinstance(prop.kind, ObjectKind):
            return self.build(prop.kind.shape, example, full=full)
        if isinstance(prop.kind, ListKind):
            return self._list(prop.kind.items, as_list(example), full=full)
        return copy.deepcopy(example)

    def _list(self, items: Kind, examples: list[object], *, full: bool) -> list[object]:
        if isinstance(items, NodeKind):
            if full and not self._small_nodes:
                return self._every_node(items, examples)
            return [self._one_node(items, examples)]
        if isinstance(items, ObjectKind):
            if full:
                return self._objects(items.shape, examples or [{}])
            return [self.build(items.shape, next(iter(examples), None), full=False)]
        return copy.deepcopy(examples)

    def _objects(self, shape: Shape, examples: list[object]) -> list[object]:
        """The objects of an example; the last one also has the properties that none of them has."""
        names = [frozenset(as_object(example)) for example in examples]
        names[-1] |= _with_example(shape).difference(*names)
        return [
            self.build(shape, example, full=False, names=names_of)
            for example, names_of in zip(examples, names, strict=True)
        ]

    def _one_node(self, kind: NodeKind, examples: list[object]) -> Json:
        example = next(iter(examples), None)
        simplest = min(kind.shapes, key=lambda shape: len(shape.required))
        return self.build(_shape_for(example, kind.shapes, simplest), example, full=False)

    def _every_node(self, kind: NodeKind, examples: list[object]) -> list[object]:
        """One full node of every allowed type, and a small one for every other allowed value of a property."""
        nodes: list[object] = []
        for shape in kind.shapes:
            example = next((example for example in examples if _has_type(example, shape)), None)
            nodes.append(self.build(shape, example, full=True))
            for prop in shape.props.values():
                for value in prop.kind.values:
                    if value != prop.example:
                        small = self.build(shape, {prop.name: value}, full=False, names=frozenset([prop.name]))
                        nodes.append(small)
        return nodes


def _with_example(shape: Shape) -> frozenset[str]:
    """Return the properties of a shape with an example: one without refers to something outside of the document."""
    props = shape.all_props
    return frozenset(prop.name for prop in props if prop.example is not None)


def _has_variations(shape: Shape, name: str) -> bool:
    return name in shape.props and bool(shape.props[name].variations)


def _variation(prop: Prop, count: int) -> object:
    """The example for one of several objects with a property."""
    examples = (prop.example, *prop.variations)
    return examples[count % len(examples)]
