"""Vocabulary → valid example documents, put together from `Prop.example`; no document is written by hand.

A property's own example is overruled by the one of the object around it: the binding of a Metric selects
another value than that of a Table, and says so in `Metric.binding`.
"""

from __future__ import annotations

import copy
import json

from rui_common.describe.sample_words import SKETCHES
from rui_common.editing.normal_form import by_code_point, normalize
from rui_common.syntax.paths import parse_path
from rui_common.vocabulary.kinds import ListKind, NodeKind, ObjectKind
from rui_common.vocabulary.rui_0_1 import VOCABULARY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from rui_common.vocabulary.rules import Rule
    from rui_common.vocabulary.schema import Kind, Prop, Shape, Vocabulary

    Json = dict[str, object]


def minimal_example(vocabulary: Vocabulary = VOCABULARY) -> Json:
    """The smallest valid document: what is required, once, and nothing else. In normal form."""
    return normalize(_Maker().make(vocabulary.root, None, full=False), vocabulary)


def full_example(vocabulary: Vocabulary = VOCABULARY) -> Json:
    """A valid document with every shape, every registered and suggested property and, of the registered ones,
    every allowed value. In normal form."""  # noqa: D205, D209  one sentence
    return normalize(_Maker().make(vocabulary.root, None, full=True), vocabulary)


def varied_examples(vocabulary: Vocabulary = VOCABULARY) -> dict[str, Json]:
    """Valid documents from several trades, by name, true to life. In normal form.

    They are drawn out from sketches; what every shape requires is put in from the vocabulary.
    """
    return {name: normalize(_drawn(vocabulary.root, sketch), vocabulary) for name, sketch in SKETCHES.items()}


def _drawn(shape: Shape, sketch: Mapping[str, object]) -> Json:
    """An object with all that a sketch says of it, and what else is required as the vocabulary has it."""
    said = {name: _of_kind(shape.prop(name), value) for name, value in sketch.items()}
    return {prop.name: copy.deepcopy(prop.example) for prop in shape.props.values() if prop.required} | said


def _of_kind(prop: Prop | None, value: object) -> object:
    kind = None if prop is None else prop.kind
    if isinstance(kind, ListKind) and isinstance(value, list):
        return [_of_item(kind.items, element) for element in value]
    return _of_item(kind, value)


def _of_item(kind: Kind | None, value: object) -> object:
    if not isinstance(value, dict):
        return copy.deepcopy(value)
    if isinstance(kind, NodeKind):
        return _drawn(next((shape for shape in kind.shapes if _is_of(value, shape)), kind.shapes[0]), value)
    return _drawn(kind.shape, value) if isinstance(kind, ObjectKind) else copy.deepcopy(value)


def shape_example(shape: Shape) -> Json:
    """An object of one shape with every registered and suggested property; of nodes below it, the smallest.

    Suggested properties are in normal form too. Names that lead out of the object may lead nowhere.
    """
    made = _Maker(small_nodes=True).make(shape, None, full=True)
    return {name: by_code_point(value) if name in shape.suggested else value for name, value in made.items()}


def with_value(document: Json, at: str, text: str) -> str:
    """A document's text after one value in it was replaced, as the examples of the rules mean it.

    Args:
        document: the document, which is left as it is.
        at: the path of the value; ``""`` replaces the whole text.
        text: JSON text of the new value. For the whole text it may be no JSON at all.
    """
    if not at:
        return text
    changed: object = copy.deepcopy(document)
    *way, last = parse_path(at)
    place: object = changed  # a path of this very document leads through it
    for step in way:
        place = place[step]  # type: ignore[index]
    place[last] = json.loads(text)  # type: ignore[index]
    return json.dumps(changed, ensure_ascii=False)


def broken_example(rule: Rule, vocabulary: Vocabulary = VOCABULARY) -> str:
    """The minimal document's text with the one fault that breaks `rule`."""
    return with_value(minimal_example(vocabulary), rule.at, rule.wrong)


class _Maker:
    """Makes one document; its nodes are numbered, so that no id comes twice.

    Args:
        small_nodes: whether lists of nodes are kept to one small node, in full objects too.
    """

    def __init__(self, *, small_nodes: bool = False) -> None:
        self._count: dict[str, int] = {}
        self._small_nodes = small_nodes

    def make(self, shape: Shape, example: object, *, full: bool, names: frozenset[str] = frozenset()) -> Json:
        """An object with the required properties, those in `names`, and if it is to be `full` all of them."""
        given = example if isinstance(example, dict) else {}
        turn = self._turn(shape)
        varied = {prop.name for prop in shape.props.values() if prop.variations} if shape.is_node and turn else ()
        given = {name: value for name, value in given.items() if name not in varied}
        return {
            prop.name: self._value(shape, prop, given.get(prop.name, _varied(prop, turn)), full=full)
            for prop in (*shape.props.values(), *shape.suggested.values())
            if full or prop.required or prop.name in names
        }

    def _turn(self, shape: Shape) -> int:
        """How many objects of a shape there were before this one; they differ in all that has variations."""
        number = self._count.get(f"{shape.name} made", 0)
        self._count[f"{shape.name} made"] = number + 1
        return number

    def _value(self, shape: Shape, prop: Prop, example: object, *, full: bool) -> object:
        if shape.is_node and prop.name == "id":
            self._count[shape.name] = self._count.get(shape.name, 0) + 1
            return f"{str(prop.example).rstrip('0123456789')}{self._count[shape.name]}"
        if isinstance(prop.kind, ObjectKind):
            return self.make(prop.kind.shape, example, full=full)
        if isinstance(prop.kind, ListKind):
            return self._list(prop.kind.items, example if isinstance(example, list) else [], full=full)
        return copy.deepcopy(example)

    def _list(self, items: Kind, examples: list[object], *, full: bool) -> list[object]:
        if isinstance(items, NodeKind):
            every = full and not self._small_nodes
            return self._every_node(items, examples) if every else [self._one_node(items, examples)]
        if isinstance(items, ObjectKind):
            shape = items.shape
            if full:
                return self._objects(shape, examples or [{}])
            return [self.make(shape, next(iter(examples), None), full=False)]
        return copy.deepcopy(examples)

    def _objects(self, shape: Shape, examples: list[object]) -> list[object]:
        """The objects of an example list as they are; the last shows what none of them has."""
        names = [frozenset(example if isinstance(example, dict) else ()) for example in examples]
        unseen = frozenset([*shape.props, *shape.suggested]).difference(*names)
        names[-1] |= unseen
        return [
            self.make(shape, example, full=False, names=names_of)
            for example, names_of in zip(examples, names, strict=True)
        ]

    def _one_node(self, kind: NodeKind, examples: list[object]) -> Json:
        example = examples[0] if examples else None
        simplest = min(kind.shapes, key=lambda shape: len(shape.required))
        shape = next((shape for shape in kind.shapes if _is_of(example, shape)), simplest)
        return self.make(shape, example, full=False)

    def _every_node(self, kind: NodeKind, examples: list[object]) -> list[object]:
        """One full node of every allowed type, and a small one for every further value that an enum allows."""
        made: list[object] = []
        for shape in kind.shapes:
            example = next((example for example in examples if _is_of(example, shape)), None)
            made.append(self.make(shape, example, full=True))
            for prop in shape.props.values():
                for other in prop.kind.values:
                    if other != prop.example:
                        small = self.make(shape, {prop.name: other}, full=False, names=frozenset([prop.name]))
                        made.append(small)
        return made


def _varied(prop: Prop, turn: int) -> object:
    """The example of a property whose turn it is."""
    examples = (prop.example, *prop.variations)
    return examples[turn % len(examples)]


def _is_of(example: object, shape: Shape) -> bool:
    return isinstance(example, dict) and example.get("type") == shape.name
