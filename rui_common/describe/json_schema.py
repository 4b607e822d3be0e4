"""The structural part of a vocabulary as JSON Schema 2020-12.

It cannot express duplicate, dangling and unused names (the symbols of the vocabulary). Its patterns have one meaning in
ECMA-262 with the `u` flag and in Python.
"""

from rui_common.json_values import JsonObject
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_common.vocabulary.schema import Prop, Shape, Vocabulary

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def json_schema(vocabulary: Vocabulary = VOCABULARY) -> JsonObject:
    """Return the schema of a document, with a definition for every shape. It uses only standard keywords.

    A valid RUI satisfies it. A document that satisfies it breaks no rule of section 7.2 of the specification except
    those about duplicates, references and orphans.
    """
    names = ", ".join(f"{symbol.name}s" for symbol in vocabulary.symbols)
    return {
        "$schema": DIALECT,
        "$id": f"urn:rui:{vocabulary.version}:schema",
        "title": f"RUI {vocabulary.version}",
        "description": f"{vocabulary.root.doc} Structure only: POST /api/validate also checks that names ({names}) "
        "are unique and defined.",
        "$ref": _ref(vocabulary.root),
        "$defs": {name: _definition(shape) for name, shape in vocabulary.shapes.items()},
    }


def _definition(shape: Shape) -> JsonObject:
    properties = {prop.name: {**prop.kind.json_schema(_ref), **_annotations(prop)} for prop in shape.props.values()}
    # A suggested property may have any value.
    properties |= {prop.name: _annotations(prop) for prop in shape.suggested.values()}
    definition: JsonObject = {"title": shape.name, "description": shape.doc, "type": "object", "properties": properties}
    if shape.required:
        definition["required"] = list(shape.required)
    return definition | {"additionalProperties": shape.open}


def _annotations(prop: Prop) -> JsonObject:
    return {"description": prop.doc, "examples": [prop.example]}


def _ref(shape: Shape) -> str:
    return f"#/$defs/{shape.name}"
