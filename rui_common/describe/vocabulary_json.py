"""The body of ``GET /api/schema``: everything needed to write a valid RUI (specification, section 4.5)."""

from typing import Any

from rui_common.describe.examples import full_example, minimal_example, shape_example
from rui_common.describe.json_schema import json_schema
from rui_common.editing.names import defining_props
from rui_common.json_values import JsonObject
from rui_common.vocabulary.kinds import ListKind, ObjectKind, TextKind
from rui_common.vocabulary.queries import broken_rules, children, parents
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_common.vocabulary.rules import MAX_BODY_BYTES, MAX_DEPTH, MAX_ERRORS, MESSAGES, RULES, UNKNOWN_PROP
from rui_common.vocabulary.schema import Prop, Shape, Symbol, Vocabulary
from rui_common.vocabulary.signatures import legend, signatures

DOCS_VERSION = "0.1"  # the docs version of section 9 of the specification


def vocabulary_payload(vocabulary: Vocabulary = VOCABULARY) -> JsonObject:
    """Return the vocabulary as JSON.

    Returns:
        An object with `docsVersion`, `validationVersion` and `registryVersion`; `summary`, the signatures, and their
        `notation`; `shapes` by name; `nodeTypes`, the shapes with an id and a type; `bindings`; `idPattern`;
        `symbols`, the names that must be unique or defined; `rules`, to whose numbers every `breaks` refers;
        `planned`; `limits`; valid documents as `minimalExample` and `fullExample`; and the structural part as
        `jsonSchema`.
    """
    return {
        **versions_payload(vocabulary),
        "root": vocabulary.root.name,
        "summary": signatures(vocabulary),
        "notation": legend(vocabulary),
        "nodeTypes": list(vocabulary.nodes),
        "idPattern": _id_pattern(vocabulary),
        "shapes": {name: _shape(shape, vocabulary) for name, shape in vocabulary.shapes.items()},
        "bindings": _bindings(vocabulary),
        "symbols": [symbol_payload(symbol, vocabulary) for symbol in vocabulary.symbols],
        "rules": rules_payload(),
        "planned": planned_features(vocabulary),
        "limits": limits_payload(vocabulary),
        "minimalExample": minimal_example(vocabulary),
        "fullExample": full_example(vocabulary),
        "jsonSchema": json_schema(vocabulary),
    }


def versions_payload(vocabulary: Vocabulary) -> JsonObject:
    """Return the versions in descriptions of the service (section 9 of the specification)."""
    return {"docsVersion": DOCS_VERSION, "validationVersion": vocabulary.version, "registryVersion": vocabulary.version}


def rules_payload() -> list[JsonObject]:
    """Return every rule in order, with its message and hint. `GET /api/docs` has an example of each."""
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


def limits_payload(vocabulary: Vocabulary = VOCABULARY) -> JsonObject:
    """Return the limits of section 8 of the specification and of docs/decisions.md, sections 3 and 4."""
    ids = _id_pattern(vocabulary)
    lists = {
        f"{shape.name}.{prop.name}": prop.kind for shape, prop in vocabulary.props if isinstance(prop.kind, ListKind)
    }
    maxima = {name: kind.at_most for name, kind in lists.items() if kind.at_most is not None}
    limits: JsonObject = {
        "maxBodyBytes": MAX_BODY_BYTES,
        "maxDepth": MAX_DEPTH,
        "maxErrors": MAX_ERRORS,
        "minIdLength": ids["minLength"],
        "maxIdLength": ids["maxLength"],
        "minItems": {name: kind.at_least for name, kind in lists.items()},
    }
    return limits | {"maxItems": maxima} if maxima else limits


def _id_pattern(vocabulary: Vocabulary) -> JsonObject:
    kind = next(iter(vocabulary.nodes.values())).props["id"].kind
    assert isinstance(kind, TextKind)  # noqa: S101  every node's id is text
    return {"pattern": kind.pattern, "minLength": 1, "maxLength": kind.max_length}


def _shape(shape: Shape, vocabulary: Vocabulary) -> JsonObject:
    payload: JsonObject = {"description": shape.doc}
    if shape.is_node:
        payload |= {"role": shape.role, "allowedChildren": list(children(shape))}
    payload |= {
        "allowedIn": list(parents(vocabulary.root, shape)),
        "strict": not shape.open,
        "props": {prop.name: _prop(prop) | {"breaks": dict(broken_rules(prop))} for prop in shape.props.values()},
    }
    if shape.open:
        # Their schemas are a convention and not validated.
        payload["suggestedProps"] = {prop.name: _prop(prop) for prop in shape.suggested.values()}
    else:
        payload["breaks"] = {"unknown": UNKNOWN_PROP}
    return payload | {"example": shape_example(shape)}


def _prop(prop: Prop) -> JsonObject:
    return {
        "required": prop.required,
        "schema": prop.kind.json_schema(lambda shape: f"#/jsonSchema/$defs/{shape.name}"),
        "description": prop.doc,
        "example": prop.example,
    }


def _bindings(vocabulary: Vocabulary) -> list[JsonObject]:
    """Return the properties with a binding: an object whose ``type`` has planned values."""
    return [
        {
            "in": f"{shape.name}.{prop.name}",
            "binding": prop.kind.notation(),
            "requires": list(prop.kind.shape.required),
            "description": prop.doc,
            "example": prop.example,
        }
        for shape, prop in vocabulary.props
        if isinstance(prop.kind, ObjectKind) and prop.kind.shape.planned_types
    ]


def planned_features(vocabulary: Vocabulary) -> dict[str, dict[str, str]]:
    shapes = vocabulary.shapes.values()
    bindings = {name: doc for shape in shapes for name, doc in shape.planned_types.items()}
    return {"blocks": dict(vocabulary.planned), "bindings": bindings}


def symbol_payload(symbol: Symbol, vocabulary: Vocabulary) -> dict[str, Any]:
    scope = next((shape for shape in vocabulary.shapes.values() if symbol in shape.scope), None)
    return {
        "name": symbol.name,
        "description": symbol.doc,
        "scope": (scope or vocabulary.root).name,
        "definedBy": [f"{shape.name}.{prop.name}" for shape, prop in defining_props(symbol, vocabulary)],
        "usedBy": [f"{shape.name}.{prop.name}" for shape, prop in vocabulary.props if prop.uses is symbol],
        "breaks": symbol.rules,
    }
