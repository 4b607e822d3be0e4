"""Parts of ``GET /api/schema`` for small contexts: the vocabulary in short form, and single shapes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rui_common.describe.examples import full_example
from rui_common.describe.vocabulary_json import (
    limits_payload,
    planned_features,
    rules_payload,
    versions_payload,
    vocabulary_payload,
)
from rui_common.http_contract.endpoints import FORMS, STRUCTURED
from rui_common.json_values import as_object
from rui_common.suggest import nearest
from rui_common.vocabulary.kinds import NodeKind, ObjectKind
from rui_common.vocabulary.queries import broken_rules, parents
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_common.vocabulary.rules import RULES, UNKNOWN_PROP
from rui_common.vocabulary.schema import Shape, Vocabulary
from rui_common.vocabulary.signatures import legend, outermost, signature

Json = dict[str, object]

HOW_TO_SEND = (
    "The body of a POST is the RUI itself, sent as application/json. It is never wrapped in an object such as "
    '{"rui": ...}.',
    "Status 200 does not mean valid: check `valid`. Status 400 means that the body is not a readable JSON object.",
)
"""The conventions that clients miss most often."""

UNKNOWN_FORM = f"There is no form of this name; there are {', '.join(FORMS)}."
"""The message of the response to an unknown ``form``."""

STRUCTURED_SLICE = f"The form {STRUCTURED} is a schema of whole documents: leave out the parameter type."
"""The message of the response to the structured form of some shapes."""


class UnknownShapeError(ValueError):
    """There is no shape of this name; the message contains the existing names."""


def compact_payload(vocabulary: Vocabulary = VOCABULARY) -> Json:
    """The vocabulary in short form: enough to write a valid RUI, in at most 2,500 tokens."""
    limits = limits_payload(vocabulary)
    return {
        **_compact_shapes(vocabulary.shapes, vocabulary),
        "rules": {f"{rule.number} {rule.code}": rule.condition for rule in RULES.values()},
        "planned": {feature: list(planned) for feature, planned in planned_features(vocabulary).items()},
        "limits": {name: limit for name, limit in limits.items() if isinstance(limit, int)},
        "example": full_example(vocabulary),
        "send": f"{' '.join(HOW_TO_SEND)} POST it to /api/validate, fix the errors in `errors[]`, then POST it to "
        "/api/specs.",
        "more": "?type=NAME: one shape with documentation and examples. /api/docs: endpoints and errors. "
        "The example is one app of many: write your own words and paths.",
    }


def compact_slice(names: Iterable[str], vocabulary: Vocabulary = VOCABULARY) -> Json:
    """Some shapes in short form; arguments and errors as in `slice_payload`."""
    shapes = _find_shapes(names, vocabulary)
    numbers = _broken_rules(shapes.values())
    return {
        **_compact_shapes(shapes, vocabulary),
        "allowedIn": {name: list(parents(vocabulary, shape)) for name, shape in shapes.items()},
        "rules": {f"{number} {RULES[number].code}": RULES[number].condition for number in RULES if number in numbers},
    }


def slice_payload(names: Iterable[str], vocabulary: Vocabulary = VOCABULARY) -> Json:
    """Some shapes with the shapes in them that are not nodes, and the rules that their properties can break.

    Args:
        names: names of shapes, in any case.

    Raises:
        UnknownShapeError: there is no shape of one of the names.
    """
    shapes = _find_shapes(names, vocabulary)
    numbers = _broken_rules(shapes.values())
    whole = vocabulary_payload(vocabulary)
    definitions = as_object(as_object(whole["jsonSchema"])["$defs"])
    return {
        **versions_payload(vocabulary),
        "summary": [signature(shape) for shape in outermost(shapes.values())],
        "shapes": {name: as_object(whole["shapes"])[name] for name in shapes},
        "idPattern": whole["idPattern"],
        "symbols": whole["symbols"],
        "rules": [rule for rule in rules_payload() if rule["rule"] in numbers],
        "planned": whole["planned"],
        "jsonSchema": {"$defs": {name: definitions[name] for name in shapes}},
    }


def unknown_shape_message(name: str, vocabulary: Vocabulary) -> str:
    """The message of the response to an unknown ``type``."""
    closest = nearest(name, vocabulary.shapes)
    hint = f" Did you mean {closest}?" if closest else ""
    return f"There is no shape of this name; there are {', '.join(vocabulary.shapes)}.{hint}"


def _compact_shapes(shapes: dict[str, Shape], vocabulary: Vocabulary) -> Json:
    return {
        **versions_payload(vocabulary),
        "notation": legend(vocabulary),
        "shapes": [signature(shape) for shape in outermost(shapes.values())],
        "meanings": {name: _meaning(shape) for name, shape in shapes.items()},
    }


def _meaning(shape: Shape) -> str:
    """The description of a shape, and of those properties of a node that are objects or enums."""
    parts = [shape.doc]
    for prop in shape.props.values():
        is_described = bool(prop.kind.values) or isinstance(prop.kind, ObjectKind)
        if shape.is_node and is_described and prop.name != "type":
            parts.append(f"`{prop.name}`: {prop.doc}")
    return " ".join(parts)


def _broken_rules(shapes: Iterable[Shape]) -> set[str]:
    """The numbers of the rules that properties of these shapes can break."""
    return {UNKNOWN_PROP} | {
        number for shape in shapes for prop in shape.props.values() for _, number in broken_rules(prop)
    }


def _find_shapes(names: Iterable[str], vocabulary: Vocabulary) -> dict[str, Shape]:
    by_name = {name.lower(): shape for name, shape in vocabulary.shapes.items()}
    found: dict[str, Shape] = {}
    for name in names:
        if name.lower() not in by_name:
            raise UnknownShapeError(unknown_shape_message(name, vocabulary))
        found |= {shape.name: shape for shape in _with_parts(by_name[name.lower()])}
    return found


def _with_parts(shape: Shape) -> Iterator[Shape]:
    """A shape and the shapes in it that are not nodes."""
    yield shape.base or shape
    for prop in (*shape.props.values(), *shape.suggested.values()):
        if not isinstance(getattr(prop.kind, "items", prop.kind), NodeKind):
            for inner in prop.kind.inner_shapes:
                yield from _with_parts(inner)
