"""A kind that the product does not have, an integer with bounds, on every surface: one class and one declaration.

The declaration must exist before other modules are imported. Therefore a separate process runs this file.
"""

# ruff: noqa: PLC0415  the declaration precedes the imports

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from rui_common.vocabulary.rules import WRONG_TYPE
from rui_common.vocabulary.schema import Kind, Prop, ScalarType, Violation

ROOT = Path(__file__).parent.parent.parent.parent
MINIMUM, MAXIMUM, EXAMPLE = 1, 500, 50
MAX_DIGITS = 10
"""Longer numbers are not coerced: Python limits the length of a text that it converts to an integer."""
INVALID = [0, 501, -1, 50.5, "50", "many", "", True, False, None, [], [50], {}]
PATH = "pages[0].children[0].children[0].exampleInteger"


class IntegerKind(Kind):
    """An integer between two bounds."""

    json_type = "integer"
    word = "an integer"

    def __init__(self, minimum: int, maximum: int, *, rule: str) -> None:
        self.minimum = minimum
        self.maximum = maximum
        self.rule = rule
        self.form = f"an integer from {minimum} to {maximum}"
        self.scalar_type = ScalarType(int, {"ge": minimum, "le": maximum})

    def notation(self) -> str:
        return f"{self.minimum}..{self.maximum}"

    def json_schema(self, reference: object) -> dict[str, object]:
        return {"type": "integer", "minimum": self.minimum, "maximum": self.maximum}

    def limits(self) -> dict[str, object]:
        return {"minimum": self.minimum, "maximum": self.maximum}

    def violation(self, value: object) -> Violation | None:
        if type(value) is not int:
            return Violation(WRONG_TYPE, self.word, is_wrong_type=True)
        return None if self.minimum <= value <= self.maximum else Violation(self.rule, self.form)

    def refusals(self, value: str, constant: object, *, is_typed: bool = False) -> list[str]:
        return [] if is_typed else [f"type({value}) is not int", f"not {self.minimum} <= {value} <= {self.maximum}"]

    def coerce(self, value: object, source_text: str) -> object:
        if isinstance(value, str) and value.isdecimal() and len(value) <= MAX_DIGITS and self.accepts(int(value)):
            return int(value)
        return None

    def completions(self, example: object) -> tuple[object, ...]:
        return example, self.minimum, self.maximum


def document(value: object) -> dict[str, Any]:
    """Return a document with one table that has the additional property."""
    binding = {"type": "read", "method": "GET", "path": "/api/orders"}
    table = {"id": "t", "type": "Table", "binding": binding, "columns": [{"key": "a"}], "exampleInteger": value}
    section = {"id": "s", "type": "Section", "direction": "stack", "children": [table]}
    page = {"id": "p", "type": "Page", "title": "P", "children": [section]}
    return {"version": "0.1", "meta": {}, "navigation": {"items": [{"pageId": "p"}]}, "pages": [page]}


def check_values() -> None:
    """Check validator, decoder, JSON Schema, hints and fixes."""
    from jsonschema import Draft202012Validator

    from rui_api.decoding.typed_decoder import FastPath
    from rui_common.describe import json_schema
    from rui_common.fixes.quick_fixes import find_fixes
    from rui_common.syntax.document import read
    from rui_common.validation.diagnostics import diagnose
    from rui_common.validation.validator import validate
    from rui_common.validation.wording import error_items

    schema, decoder = Draft202012Validator(json_schema()), FastPath()
    values = [(value, True) for value in (EXAMPLE, MINIMUM, MAXIMUM)] + [(value, False) for value in INVALID]
    for value, is_valid in values:
        items = error_items(validate(document(value)))
        assert [item["path"] for item in items] == [PATH] * (not is_valid), value
        assert (decoder.read(json.dumps(document(value)).encode()) is not None) == is_valid, value
        assert schema.is_valid(document(value)) == is_valid, value
    for value, hint in (
        (501, "Must be an integer from 1 to 500. Got 501."),
        ("many", 'Must be an integer: an integer from 1 to 500. Got "many".'),
    ):
        assert error_items(validate(document(value)))[0]["hint"] == hint
    for value, title in (("50", "Convert to an integer: 50"), (None, 'Remove "exampleInteger"')):
        broken = read(json.dumps(document(value)))
        assert find_fixes(broken, diagnose(broken)[0])[0].title == title
    rui = decoder.read(json.dumps(document(EXAMPLE)).encode())
    assert rui is not None
    assert b'"columns":[{"key":"a"}],"exampleInteger":50}' in rui.rui


def check_descriptions(prop: Prop) -> None:
    """Check descriptions, completion and views."""
    from rui_common.describe import json_schema, vocabulary_markdown, vocabulary_payload
    from rui_common.editing.completion import completions_at
    from rui_common.editing.completion_context import completion_context_at
    from rui_common.editing.formatter import format_document
    from rui_common.editing.hover import prop_text
    from rui_common.editing.snippets import property_snippet
    from rui_common.http_contract.compact_form import compact_payload
    from rui_common.syntax.document import read
    from rui_common.vocabulary.rui_0_1 import TABLE
    from rui_inspector.html.pages import Host, spec_page
    from rui_lsp.client.snippet_syntax import to_lsp

    def completions(marked: str) -> list[str]:
        context = completion_context_at(read(marked.replace("|", "")), marked.index("|"))
        assert context is not None
        return [item.label for item in completions_at(read(marked.replace("|", "")), context)]

    text = json.dumps(document(EXAMPLE))
    described = vocabulary_payload()["shapes"]["Table"]["props"]["exampleInteger"]
    assert described == {
        "type": "integer", "required": False, "minimum": MINIMUM, "maximum": MAXIMUM,
        "description": prop.doc, "example": EXAMPLE, "breaks": {"type": "R7b"},
    }  # fmt: skip
    assert json_schema()["$defs"]["Table"]["properties"]["exampleInteger"]["maximum"] == MAXIMUM
    assert '"exampleInteger"?: 1..500' in " ".join(compact_payload()["shapes"])
    assert "an integer from 1 to 500" in vocabulary_markdown()
    assert "exampleInteger" in completions(text.replace('"exampleInteger": 50', '"|": 1'))
    assert completions(text.replace('"exampleInteger": 50', '"exampleInteger": |50')) == ["50", "1", "500"]
    assert prop_text(TABLE, prop).startswith("**Table.exampleInteger**: `1..500`\n\nHow many rows")
    assert to_lsp(property_snippet(prop, prop.example)) == '"exampleInteger": ${1:50}'
    assert '          "exampleInteger": 50\n' in format_document(read(text))
    assert "<dt>exampleInteger</dt>" in spec_page(document(EXAMPLE), Host())


def main() -> None:
    from rui_common.vocabulary.rui_0_1 import TABLE

    kind = IntegerKind(MINIMUM, MAXIMUM, rule="R7b")
    prop = Prop("exampleInteger", kind, "How many rows a page of the table has.", example=EXAMPLE)
    TABLE.props["exampleInteger"] = prop
    check_values()
    check_descriptions(prop)
    print("checked")


if __name__ == "__main__":
    main()


def test_a_new_kind_works_on_every_surface() -> None:
    done = subprocess.run([sys.executable, __file__], cwd=ROOT, capture_output=True, text=True, check=False,
                          env={"PYTHONPATH": str(ROOT)})  # fmt: skip
    assert (done.stdout, done.returncode) == ("checked\n", 0), done.stderr


@pytest.mark.parametrize("missing", ["notation", "json_schema", "limits", "violation", "refusals"])
def test_a_kind_that_lacks_a_method_cannot_be_created(missing: str) -> None:
    members = {name: value for name, value in vars(IntegerKind).items() if name != missing}
    with pytest.raises(TypeError, match=missing):
        type("Incomplete", (Kind,), members)(MINIMUM, MAXIMUM, rule="R7b")
