"""Parts of ``GET /api/schema`` for small contexts: the vocabulary in short form, and single shapes."""

from __future__ import annotations

from rui_common.describe.examples import varied_examples
from rui_common.describe.json_schema import json_schema
from rui_common.describe.vocabulary_json import (
    limits_payload,
    planned_features,
    rules_payload,
    symbol_payload,
    versions_payload,
    vocabulary_payload,
    vocabulary_props,
)
from rui_common.http_contract.endpoints import FORMS
from rui_common.suggest import nearest
from rui_common.vocabulary.kinds import NodeKind, ObjectKind
from rui_common.vocabulary.queries import broken_rules, parents, signature
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_common.vocabulary.rules import RULES, UNKNOWN_PROP

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from rui_common.vocabulary.schema import Kind, Shape, Symbol, Vocabulary

    Json = dict[str, object]

HOW_TO_SEND = (
    "The body of a POST is the RUI itself, sent as application/json. It is never wrapped in an object such as "
    '{"rui": ...}.',
    "Status 200 does not mean valid: check `valid`. Status 400 means that the body is not a readable JSON object.",
)
"""The conventions that clients miss most often."""

UNKNOWN_FORM = f"There is no form of this name; there are {', '.join(FORMS)}."
"""The message of the response to an unknown ``form``."""

NOTATION = (
    "* marks required properties; every array has at least one element, except those by convention; a shape takes no "
    "other properties unless it ends in `anything else`."
)
"""How to read a signature."""


class UnknownShapeError(ValueError):
    """There is no shape of this name; the message contains the existing names."""


def compact_payload(vocabulary: Vocabulary = VOCABULARY) -> Json:
    """The vocabulary in short form: enough to write a valid RUI, in at most 2,500 tokens."""
    limits = limits_payload(vocabulary)
    shapes = vocabulary.shapes
    return {
        **versions_payload(vocabulary),
        "notation": NOTATION,
        "shapes": [signature(shape) for shape in shapes.values()],
        "meanings": {name: _meaning(shape) for name, shape in shapes.items()},
        "forms": string_forms(shapes.values()),
        "names": name_rules(vocabulary),
        "planned": {feature: list(planned) for feature, planned in planned_features(vocabulary).items()},
        "rules": _rule_conditions(RULES),
        "limits": {name: limit for name, limit in limits.items() if isinstance(limit, int)},
        "example": next(iter(varied_examples(vocabulary).values())),
        "send": f"{' '.join(HOW_TO_SEND)} POST it to /api/validate, fix the errors in `errors[]`, then POST it to "
        "/api/specs.",
        "more": "?type=NAME: one shape with documentation and examples. /api/docs: endpoints and errors. "
        "The example is one app of many: write your own words and paths.",
    }


def compact_slice(names: Iterable[str], vocabulary: Vocabulary = VOCABULARY) -> Json:
    """Some shapes in short form; arguments and errors as in `slice_payload`."""
    shapes = _shapes(names, vocabulary)
    return {
        **versions_payload(vocabulary),
        "notation": NOTATION,
        "shapes": [signature(shape) for shape in shapes.values()],
        "allowedIn": {name: list(parents(vocabulary, shape)) for name, shape in shapes.items()},
        "forms": string_forms(shapes.values()),
        "names": [_name_rule(symbol) for symbol in _symbols_of(shapes.values(), vocabulary)],
        "rules": _rule_conditions(_rules_of(shapes.values(), vocabulary)),
    }


def slice_payload(names: Iterable[str], vocabulary: Vocabulary = VOCABULARY) -> Json:
    """Some shapes with the shapes in them that are not nodes, and the rules that their objects can break.

    Args:
        names: names of shapes, in any case.

    Raises:
        UnknownShapeError: there is no shape of one of the names.
    """
    shapes = _shapes(names, vocabulary)
    numbers = _rules_of(shapes.values(), vocabulary)
    whole = vocabulary_payload(vocabulary)
    descriptions = whole["shapes"]
    definitions = json_schema(vocabulary)["$defs"]
    assert isinstance(descriptions, dict) and isinstance(definitions, dict)  # noqa: S101  for the type checker
    return {
        **versions_payload(vocabulary),
        "summary": [signature(shape) for shape in shapes.values()],
        "shapes": {name: descriptions[name] for name in shapes},
        "idPattern": whole["idPattern"],
        "symbols": [symbol_payload(symbol, vocabulary) for symbol in _symbols_of(shapes.values(), vocabulary)],
        "rules": [rule for rule in rules_payload() if rule["rule"] in numbers],
        "planned": whole["planned"],
        "jsonSchema": {"$defs": {name: definitions[name] for name in shapes if name in definitions}},
    }


def _meaning(shape: Shape) -> str:
    """The description of a shape, and of those properties of a node that are objects or enums."""
    parts = [shape.doc]
    for prop in shape.props.values():
        is_described = bool(prop.kind.values) or isinstance(prop.kind, ObjectKind)
        if shape.is_node and is_described and prop.name != "type":
            parts.append(f"`{prop.name}`: {prop.doc}")
    return " ".join(parts)


def string_forms(shapes: Iterable[Shape]) -> list[str]:
    """The required form of strings. A property of several shapes is described once."""
    docs: dict[str, str] = {}
    for shape in shapes:
        for prop in shape.props.values():
            if prop.kind.form:
                docs.setdefault(f"`{prop.name}`: {prop.kind.form}.", prop.doc)
    return [f"{form} {doc}" for form, doc in docs.items()]


def name_rules(vocabulary: Vocabulary) -> list[str]:
    """The names that must be unique or defined, with their rules."""
    return [_name_rule(symbol) for symbol in vocabulary.symbols]


def _name_rule(symbol: Symbol) -> str:
    rules = [RULES[number] for number in (symbol.duplicate, symbol.dangling, symbol.unused) if number]
    conditions = " ".join(f"{rule.code}: {rule.condition}" for rule in rules)
    return f"{symbol.name}: {symbol.doc} {conditions}"


def _rule_conditions(numbers: Collection[str]) -> Json:
    return {f"{rule.number} {rule.code}": rule.condition for rule in RULES.values() if rule.number in numbers}


def _rules_of(shapes: Iterable[Shape], vocabulary: Vocabulary) -> set[str]:
    """The numbers of the rules that objects of these shapes can break."""
    numbers = set()
    for shape in shapes:
        if not shape.open:
            numbers.add(UNKNOWN_PROP)
        for prop in shape.props.values():
            numbers.update(number for _, number in broken_rules(prop))
        for kind in _element_kinds(vocabulary):
            numbers.update(_rules_of_place(shape, kind))
    return numbers


def _rules_of_place(shape: Shape, kind: Kind) -> Iterator[str]:
    """Yield the rules that an object of a shape breaks in a place for values of a kind."""
    if isinstance(kind, ObjectKind) and kind.shape.base is shape:
        yield from (kind.shape.props[name].missing for name in kind.shape.tightened)
    if isinstance(kind, NodeKind) and shape.is_node:
        if shape.name not in kind.types:
            yield kind.nested.get(shape.name, kind.child)
        elif kind.defines is not None and kind.defines.unused is not None:
            yield kind.defines.unused


def _symbols_of(shapes: Iterable[Shape], vocabulary: Vocabulary) -> list[Symbol]:
    """The symbols that objects of these shapes define or use."""
    found: set[Symbol | None] = set()
    for shape in shapes:
        for prop in shape.props.values():
            found |= {prop.defines, prop.uses}
        kinds = [kind for kind in _element_kinds(vocabulary) if isinstance(kind, NodeKind)]
        found |= {kind.defines for kind in kinds if shape.name in kind.types}
    return [symbol for symbol in vocabulary.symbols if symbol in found]


def _element_kinds(vocabulary: Vocabulary) -> list[Kind]:
    """The kinds of all properties, for arrays those of their elements."""
    return [getattr(prop.kind, "items", prop.kind) for _, prop in vocabulary_props(vocabulary)]


def _shapes(names: Iterable[str], vocabulary: Vocabulary) -> dict[str, Shape]:
    return {shape.name: shape for name in names for shape in _with_parts(_shape_named(name, vocabulary))}


def _shape_named(name: str, vocabulary: Vocabulary) -> Shape:
    for shape in vocabulary.shapes.values():
        if shape.name.lower() == name.lower():
            return shape
    raise UnknownShapeError(unknown_shape_message(name, vocabulary))


def unknown_shape_message(name: str, vocabulary: Vocabulary) -> str:
    """The message of the response to an unknown ``type``."""
    closest = nearest(name, vocabulary.shapes)
    hint = f" Did you mean {closest}?" if closest else ""
    return f"There is no shape of this name; there are {', '.join(vocabulary.shapes)}.{hint}"


def _with_parts(shape: Shape) -> Iterator[Shape]:
    """A shape and the shapes in it that are not nodes."""
    yield shape.base or shape
    for prop in (*shape.props.values(), *shape.suggested.values()):
        if not isinstance(getattr(prop.kind, "items", prop.kind), NodeKind):
            for inner in prop.kind.inner_shapes:
                yield from _with_parts(inner)
