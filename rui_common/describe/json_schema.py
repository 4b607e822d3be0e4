"""Vocabulary → JSON Schema 2020-12 of the structural part.

What a schema cannot say, it leaves to the service: names that stand twice, that lead nowhere or that nobody uses
(the symbols of the vocabulary). Everything else it says exactly, except that "letter" in a pattern means any
character beyond ASCII, because ECMA-262 knows no other.
"""

from __future__ import annotations

from rui_common.vocabulary.rui_0_1 import VOCABULARY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rui_common.vocabulary.schema import Prop, Shape, Vocabulary

    Json = dict[str, object]

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def json_schema(vocabulary: Vocabulary = VOCABULARY) -> Json:
    """The schema of a whole document, with a definition for every shape.

    It uses standard keywords alone. A valid RUI always satisfies it; a document that satisfies it has no
    structural fault (all of section 7.2 of the specification but duplicates, references and orphans).
    """
    beyond = ", ".join(f"{symbol.name}s" for symbol in vocabulary.symbols)
    return {
        "$schema": DIALECT,
        "$id": f"urn:rui:{vocabulary.version}:schema",
        "title": f"RUI {vocabulary.version}",
        "description": f"{vocabulary.root.doc} Structure only: that names are unique and lead somewhere ({beyond}) "
        "is checked by POST /api/validate.",
        "$ref": _ref(vocabulary.root),
        "$defs": {name: _definition(shape) for name, shape in vocabulary.shapes.items()},
    }


def _definition(shape: Shape) -> Json:
    properties = {prop.name: {**prop.kind.json_schema(_ref), **_notes(prop)} for prop in shape.props.values()}
    # A suggested property is documented and may be anything: no constraint.
    properties |= {prop.name: _notes(prop) for prop in shape.suggested.values()}
    definition: Json = {"title": shape.name, "description": shape.doc, "type": "object", "properties": properties}
    if shape.required:
        definition["required"] = list(shape.required)
    return definition | {"additionalProperties": shape.open}


def _notes(prop: Prop) -> Json:
    return {"description": prop.doc, "examples": [prop.example]}


def _ref(shape: Shape) -> str:
    return f"#/$defs/{shape.name}"
