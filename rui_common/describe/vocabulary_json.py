"""The body of ``GET /api/schema``: all that a client needs to write a valid RUI (specification, section 4.5)."""

from __future__ import annotations

from rui_common.describe.examples import full_example, minimal_example, shape_example, varied_examples
from rui_common.describe.json_schema import json_schema
from rui_common.syntax.paths import format_path
from rui_common.validation.scopes import sites
from rui_common.vocabulary.kinds import ListKind, ObjectKind, TextKind
from rui_common.vocabulary.queries import (
    broken_rules,
    children,
    parents,
    signature,
)
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_common.vocabulary.rules import MAX_BODY_BYTES, MAX_DEPTH, MAX_ERRORS, MESSAGES, RULES, UNKNOWN_PROP

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rui_common.vocabulary.schema import Prop, Shape, Symbol, Vocabulary

    Json = dict[str, object]

DOCS_VERSION = "0.1"
"""The docs version of section 9 of the specification."""


def vocabulary_payload(vocabulary: Vocabulary = VOCABULARY) -> Json:
    """The whole vocabulary as plain JSON.

    Returns:
        An object with `docsVersion` and `registryVersion`; `summary`, every shape on one line; `shapes` by name, of
        which `nodeTypes` lists those with an id and a type; `bindings`; `idPattern`; `symbols`, the names that
        must be unique or lead somewhere; `rules`, which every `breaks` names by number; `planned`; `limits`;
        valid documents, `minimalExample`, `fullExample` and by name `variedExamples`; and `jsonSchema`, the structural
        part for other tools.
    """
    return {
        "docsVersion": DOCS_VERSION,
        "registryVersion": vocabulary.version,
        "root": vocabulary.root.name,
        "summary": [signature(shape) for shape in vocabulary.shapes.values()],
        "nodeTypes": list(vocabulary.nodes),
        "idPattern": _id_pattern(vocabulary),
        "shapes": {name: _shape(shape, vocabulary) for name, shape in vocabulary.shapes.items()},
        "bindings": _bindings(vocabulary),
        "symbols": [_symbol(symbol, vocabulary) for symbol in vocabulary.symbols],
        "rules": rules_payload(),
        "planned": planned_features(vocabulary),
        "limits": limits_payload(vocabulary),
        "minimalExample": minimal_example(vocabulary),
        "fullExample": full_example(vocabulary),
        "variedExamples": varied_examples(vocabulary),
        "jsonSchema": json_schema(vocabulary),
    }


def rules_payload() -> list[Json]:
    """Every rule, in order, with its words; `GET /api/docs` has an example of each."""
    return [
        {
            "rule": rule.number,
            "code": rule.code,
            "condition": rule.condition,
            "message": MESSAGES[rule.code][0],
            "hint": MESSAGES[rule.code][1],
        }
        for rule in RULES.values()
    ]


def limits_payload(vocabulary: Vocabulary = VOCABULARY) -> Json:
    """The limits of section 8 of the specification and of docs/decisions.md, sections 3 and 4."""
    ids = _id_pattern(vocabulary)
    least = {
        f"{shape.name}.{prop.name}": 1
        for shape in vocabulary.shapes.values()
        for prop in shape.props.values()
        if isinstance(prop.kind, ListKind)
    }
    return {
        "maxBodyBytes": MAX_BODY_BYTES,
        "maxDepth": MAX_DEPTH,
        "maxErrors": MAX_ERRORS,
        "minIdLength": ids["minLength"],
        "maxIdLength": ids["maxLength"],
        "minItems": least,
    }


def _id_pattern(vocabulary: Vocabulary) -> Json:
    kind = next(iter(vocabulary.nodes.values())).props["id"].kind
    assert isinstance(kind, TextKind)  # noqa: S101  every node's id is text
    return {"pattern": kind.pattern, "minLength": 1, "maxLength": kind.max_length}


def _shape(shape: Shape, vocabulary: Vocabulary) -> Json:
    described: Json = {"description": shape.doc}
    if shape.is_node:
        described |= {"role": shape.role, "allowedChildren": list(children(shape))}
    described |= {
        "allowedIn": list(parents(vocabulary, shape)),
        "strict": not shape.open,
        "props": {prop.name: _prop(prop) for prop in shape.props.values()},
    }
    if shape.open:
        described["suggestedProps"] = {prop.name: _suggested(prop) for prop in shape.suggested.values()}
    else:
        described["breaks"] = {"unknown": UNKNOWN_PROP}
    return described | {"example": shape_example(shape)}


def _prop(prop: Prop) -> Json:
    return {
        "type": prop.kind.json_type,
        "required": prop.required,
        **prop.kind.limits(),
        "description": prop.doc,
        "example": prop.example,
        "breaks": dict(broken_rules(prop)),
    }


def _suggested(prop: Prop) -> Json:
    """A convention: the constraint is what readers expect, and nothing checks it."""
    return {
        "type": prop.kind.json_type, **prop.kind.limits(), "description": prop.doc, "example": prop.example,
    }  # fmt: skip


def _bindings(vocabulary: Vocabulary) -> list[Json]:
    """Every property that holds a binding: a shape whose type has planned values."""
    return [
        {
            "in": f"{shape.name}.{prop.name}",
            "binding": prop.kind.notation(),
            "requires": list(prop.kind.shape.required),
            "description": prop.doc,
            "example": prop.example,
        }
        for shape in vocabulary.shapes.values()
        for prop in shape.props.values()
        if isinstance(prop.kind, ObjectKind) and planned_types(prop.kind.shape)
    ]


def planned_types(shape: Shape) -> dict[str, str]:
    """The values of ``type`` that belong to a later version of this shape, each with what it will be."""
    prop = shape.props.get("type")
    return {} if prop is None else dict(prop.kind.planned)


def planned_features(vocabulary: Vocabulary) -> dict[str, dict[str, str]]:
    """All that a later version is to bring, each with what it will be: types of blocks, and of bindings."""
    shapes = vocabulary.shapes.values()
    bindings = {name: doc for shape in shapes for name, doc in planned_types(shape).items()}
    return {"blocks": dict(vocabulary.planned), "bindings": bindings}


def _symbol(symbol: Symbol, vocabulary: Vocabulary) -> Json:
    scope = next((shape for shape in vocabulary.shapes.values() if symbol in shape.scope), None)
    described: Json = {"name": symbol.name, "description": symbol.doc}
    described["scope"] = (scope or vocabulary.root).name
    if scope is None:
        described["definedBy"] = [
            f"{shape.name}.{prop.name}"
            for shape in vocabulary.shapes.values()
            for prop in shape.props.values()
            if prop.defines is symbol
        ]
    else:
        described["definedBy"] = [_site(path) for path in sites(scope, symbol, defining=True)]
        described["usedBy"] = [_site(path) for path in sites(scope, symbol, defining=False)]
    faults = {"duplicate": symbol.duplicate, "dangling": symbol.dangling, "unused": symbol.unused}
    return described | {"breaks": {fault: number for fault, number in faults.items() if number}}


def _site(path: tuple[str | int, ...]) -> str:
    return format_path(path).replace('["*"]', "[]")
