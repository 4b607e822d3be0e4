"""Updates the TextMate grammar of the VS Code extension with the names of the vocabulary; `make docs` runs it.

The grammar is that of JSON, with the scopes that colour themes use. RUI adds scopes for types, ids and references. They
do not include the quotes, which therefore look like those of other strings.
"""

import json
from pathlib import Path

from rui_common.vocabulary.kinds import EnumKind
from rui_common.vocabulary.rui_0_1 import VOCABULARY

GRAMMAR = Path(__file__).parent / "vscode" / "syntaxes" / "rui-json.tmLanguage.json"

SCOPES = {"type": "entity.name.type.rui", "name": "variable.other.constant.rui", "reference": "variable.other.rui"}
_QUOTE = "punctuation.definition.string.{}.json"
_KEY_QUOTE = "punctuation.support.type.property-name.{}.json"


def grammar_text() -> str:
    """Return the new text of the grammar file."""
    grammar: dict[str, object] = json.loads(GRAMMAR.read_text(encoding="utf-8"))
    repository = grammar["repository"]
    assert isinstance(repository, dict)
    names = _property_names()
    types = "|".join(sorted(shape.name for shape in VOCABULARY.shapes.values() if shape.is_node))
    repository["type-member"] = _member_rule(names["type"], types, SCOPES["type"])
    repository["id-member"] = _member_rule(names["name"], r'[^"\\]*', SCOPES["name"])
    repository["reference-member"] = _member_rule(names["reference"], r'[^"\\]*', SCOPES["reference"])
    return json.dumps(grammar, indent=2) + "\n"


def _property_names() -> dict[str, set[str]]:
    """Return the properties whose values have a scope, by the keys of `SCOPES`."""
    names: dict[str, set[str]] = {key: set() for key in SCOPES}
    for shape in VOCABULARY.shapes.values():
        for prop in shape.props.values():
            if prop.defines is not None:
                names["name"].add(prop.name)
            elif prop.uses is not None:
                names["reference"].add(prop.name)
            elif shape.is_node and isinstance(prop.kind, EnumKind) and prop.kind.values == (shape.name,):
                names["type"].add(prop.name)
    return names


def _member_rule(properties: set[str], values: str, scope: str) -> dict[str, object]:
    """Return the grammar rule of the members with one of the names and a value that matches a pattern."""
    scopes = [
        "string.json support.type.property-name.json",
        _KEY_QUOTE.format("begin"),
        _KEY_QUOTE.format("end"),
        "punctuation.separator.dictionary.key-value.json",
        "string.quoted.double.json",
        _QUOTE.format("begin"),
        scope,
        _QUOTE.format("end"),
    ]
    names = "|".join(sorted(properties))
    return {
        "match": rf'((")(?:{names})("))\s*(:)\s*((")({values})("))',
        "captures": {str(number): {"name": name} for number, name in enumerate(scopes, 1)},
    }


if __name__ == "__main__":
    GRAMMAR.write_text(grammar_text(), encoding="utf-8", newline="\n")
