"""Parts of ``GET /api/schema`` for those who pay by the word: the vocabulary in short, and one shape at a time."""

from __future__ import annotations

from rui_common.describe.examples import varied_examples
from rui_common.describe.json_schema import json_schema
from rui_common.describe.vocabulary_json import (
    DOCS_VERSION,
    limits_payload,
    planned_features,
    rules_payload,
    vocabulary_payload,
)
from rui_common.http_contract.endpoints import FORMS
from rui_common.suggest import nearest
from rui_common.vocabulary.kinds import NodeKind, ObjectKind
from rui_common.vocabulary.queries import broken_rules, signature
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_common.vocabulary.rules import RULES, UNKNOWN_PROP

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rui_common.vocabulary.schema import Shape, Vocabulary

    Json = dict[str, object]

HOW_TO_SEND = (
    "The body of a POST is the RUI itself, sent as application/json. It is never wrapped in an object such as "
    '{"rui": ...}. 200 can mean invalid: only `valid` tells.'
)
"""What goes wrong first when nobody says it."""

NO_FORM = f"There is no form of this name; there are {', '.join(FORMS)}."
"""What is said to whoever asks for another form."""

NOTATION = (
    "* marks what is required; every array has at least one element; a shape takes no other properties unless it ends "
    "in `anything else`."
)
"""How a signature is read."""


class NoSuchPartError(ValueError):
    """There is no part of this name; says which there are."""


def compact_payload(vocabulary: Vocabulary = VOCABULARY) -> Json:
    """The whole vocabulary in few words: enough to write a valid RUI, in at most 2,500 tokens."""
    limits = limits_payload(vocabulary)
    return {
        "docsVersion": DOCS_VERSION,
        "registryVersion": vocabulary.version,
        "notation": NOTATION,
        "shapes": [signature(shape) for shape in vocabulary.shapes.values()],
        "meanings": {name: meaning(shape) for name, shape in vocabulary.shapes.items()},
        "forms": list(forms(vocabulary)),
        "names": list(names(vocabulary)),
        "planned": {feature: list(planned) for feature, planned in planned_features(vocabulary).items()},
        "rules": {f"{rule.number} {rule.code}": rule.condition for rule in RULES.values()},
        "limits": {name: limit for name, limit in limits.items() if isinstance(limit, int)},
        "example": next(iter(varied_examples(vocabulary).values())),
        "send": f"{HOW_TO_SEND} POST it to /api/validate, mend what `errors[]` says, then POST it to /api/specs.",
        "more": "?type=NAME: one shape with documentation and examples. /api/docs: endpoints and errors. "
        "The example is one app of many: write your own words and paths.",
    }


def compact_slice(wanted: Iterable[str], vocabulary: Vocabulary = VOCABULARY) -> Json:
    """Some shapes with all objects in them that are no nodes, in few words; arguments and errors as `slice_payload`."""
    shapes = _wanted(wanted, vocabulary)
    numbers = set(_numbers(shapes.values()))
    return {
        "docsVersion": DOCS_VERSION,
        "registryVersion": vocabulary.version,
        "notation": NOTATION,
        "shapes": [signature(shape) for shape in shapes.values()],
        "forms": list(_forms(shapes.values())),
        "rules": {f"{rule.number} {rule.code}": rule.condition for rule in RULES.values() if rule.number in numbers},
    }


def meaning(shape: Shape) -> str:
    """What a shape is, and what is to be known of those of its properties that are objects or words of a few."""
    telling = (
        prop
        for prop in shape.props.values()
        if (prop.kind.values or isinstance(prop.kind, ObjectKind)) and prop.name != "type"
    )
    return " ".join([shape.doc, *(f"`{prop.name}`: {prop.doc}" for prop in telling if shape.is_node)])


def forms(vocabulary: Vocabulary) -> Iterator[str]:
    """What strings of a form look like; a property that stands in many shapes is described once."""
    return _forms(vocabulary.shapes.values())


def _forms(shapes: Iterable[Shape]) -> Iterator[str]:
    described: dict[str, str] = {}
    for shape in shapes:
        for prop in shape.props.values():
            if prop.kind.form:
                described.setdefault(f"`{prop.name}`: {prop.kind.form}.", prop.doc)
    return (f"{form} {doc}" for form, doc in described.items())


def names(vocabulary: Vocabulary) -> Iterator[str]:
    """What must be unique or lead somewhere, and the rules that say so."""
    for symbol in vocabulary.symbols:
        broken = [RULES[number] for number in (symbol.duplicate, symbol.dangling, symbol.unused) if number]
        faults = " ".join(f"{rule.code}: {rule.condition}" for rule in broken)
        yield f"{symbol.name}: {symbol.doc} {faults}"


def slice_payload(wanted: Iterable[str], vocabulary: Vocabulary = VOCABULARY) -> Json:
    """Some shapes with all objects in them that are no nodes, and the rules that they can break.

    Args:
        wanted: names of shapes, in any case.
        vocabulary: where they are declared.

    Raises:
        NoSuchPartError: one of them is the name of no shape.
    """
    shapes = _wanted(wanted, vocabulary)
    whole = vocabulary_payload(vocabulary)
    numbers = set(_numbers(shapes.values()))
    described, definitions = whole["shapes"], json_schema(vocabulary)["$defs"]
    assert isinstance(described, dict) and isinstance(definitions, dict)  # noqa: S101  they are made that way
    return {
        "docsVersion": DOCS_VERSION,
        "registryVersion": vocabulary.version,
        "summary": [signature(shape) for shape in shapes.values()],
        "shapes": {name: described[name] for name in shapes},
        "idPattern": whole["idPattern"],
        "rules": [rule for rule in rules_payload() if rule["rule"] in numbers],
        "planned": whole["planned"],
        "jsonSchema": {"$defs": {name: definitions[name] for name in shapes if name in definitions}},
    }


def _wanted(names: Iterable[str], vocabulary: Vocabulary) -> dict[str, Shape]:
    return {shape.name: shape for name in names for shape in _with_parts(_named(name, vocabulary))}


def _named(name: str, vocabulary: Vocabulary) -> Shape:
    known = {shape.lower(): shape for shape in vocabulary.shapes}
    if name.lower() in known:
        return vocabulary.shapes[known[name.lower()]]
    meant = nearest(name, vocabulary.shapes)
    hint = f" Did you mean {meant}?" if meant else ""
    raise NoSuchPartError(f"There is no shape of this name; there are {', '.join(vocabulary.shapes)}.{hint}")


def _with_parts(shape: Shape) -> Iterator[Shape]:
    yield shape.base or shape
    for prop in (*shape.props.values(), *shape.suggested.values()):
        items = getattr(prop.kind, "items", prop.kind)
        if not isinstance(items, NodeKind):
            for inner in prop.kind.inner_shapes:
                yield from _with_parts(inner)


def _numbers(shapes: Iterable[Shape]) -> Iterator[str]:
    for shape in shapes:
        if not shape.open:
            yield UNKNOWN_PROP
        for prop in shape.props.values():
            yield from (number for _, number in broken_rules(prop))
