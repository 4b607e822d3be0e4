"""Writes the grammar of VS Code's extension, with the names of the vocabulary; `make docs` runs it.

The grammar is JSON's, with the scopes that colour themes know. What RUI adds is a scope for types, for ids and for what
refers to them, inside the quotes, so that quotes look like those of any other string.
"""

from __future__ import annotations

import json
from pathlib import Path

from rui_common.vocabulary.kinds import EnumKind
from rui_common.vocabulary.rui_0_1 import VOCABULARY

GRAMMAR = Path(__file__).parent / "vscode" / "syntaxes" / "rui-json.tmLanguage.json"

SCOPES = {"type": "entity.name.type.rui", "name": "variable.other.constant.rui", "reference": "variable.other.rui"}
QUOTE = "punctuation.definition.string.{}.json"
KEY_QUOTE = "punctuation.support.type.property-name.{}.json"


def names() -> dict[str, set[str]]:
    """The properties whose values have a scope of their own, by the sort of it."""
    found: dict[str, set[str]] = {sort: set() for sort in SCOPES}
    for shape in VOCABULARY.shapes.values():
        for prop in shape.props.values():
            if prop.defines is not None:
                found["name"].add(prop.name)
            elif prop.uses is not None:
                found["reference"].add(prop.name)
            elif shape.is_node and isinstance(prop.kind, EnumKind) and prop.kind.values == (shape.name,):
                found["type"].add(prop.name)
    return found


def member(properties: set[str], values: str, scope: str) -> dict[str, object]:
    """The rule of members whose value has a scope."""
    scopes = [
        "string.json support.type.property-name.json", KEY_QUOTE.format("begin"), KEY_QUOTE.format("end"),
        "punctuation.separator.dictionary.key-value.json", "string.quoted.double.json", QUOTE.format("begin"), scope,
        QUOTE.format("end"),
    ]  # fmt: skip
    name = "|".join(sorted(properties))
    return {
        "match": rf'((")(?:{name})("))\s*(:)\s*((")({values})("))',
        "captures": {str(number): {"name": scope} for number, scope in enumerate(scopes, 1)},
    }


def grammar() -> dict[str, object]:
    """The grammar with today's names."""
    written: dict[str, object] = json.loads(GRAMMAR.read_text(encoding="utf-8"))
    repository = written["repository"]
    assert isinstance(repository, dict)
    properties = names()
    types = "|".join(sorted(shape.name for shape in VOCABULARY.shapes.values() if shape.is_node))
    repository["type-member"] = member(properties["type"], types, SCOPES["type"])
    repository["id-member"] = member(properties["name"], r'[^"\\]*', SCOPES["name"])
    repository["reference-member"] = member(properties["reference"], r'[^"\\]*', SCOPES["reference"])
    return written


def text() -> str:
    """What the file has to be."""
    return json.dumps(grammar(), indent=2) + "\n"


if __name__ == "__main__":
    GRAMMAR.write_text(text(), encoding="utf-8", newline="\n")
