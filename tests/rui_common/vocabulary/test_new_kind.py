"""A kind that the product does not have, an integer with bounds, on every surface: one class and one declaration.

The declaration must exist before other modules are imported. Therefore a separate process runs this file. It declares
the property and prints the results of each surface, and the tests compare them.
"""

# ruff: noqa: PLC0415  the declaration precedes the imports

import json
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from rui_common.vocabulary.rules import WRONG_TYPE
from rui_common.vocabulary.schema import Kind, Prop, ScalarType, Violation

ROOT = Path(__file__).parent.parent.parent.parent
MINIMUM, MAXIMUM, EXAMPLE = 1, 500, 50
MAX_DIGITS = 10
"""Longer numbers are not coerced: Python limits the length of a text that it converts to an integer."""
INVALID = [0, 501, -1, 1.0, 50.5, 1e3, "50", "many", "", True, False, None, [], [50], {}]


class IntegerKind(Kind):
    """An integer between two bounds."""

    __slots__ = ("form", "maximum", "minimum", "rule", "scalar_type")
    json_type = "integer"
    word = "an integer"

    def __init__(self, minimum: int, maximum: int, *, rule: str) -> None:
        self.minimum = minimum
        self.maximum = maximum
        self.rule = rule
        self.form = f"an integer from {minimum} to {maximum}"
        self.scalar_type = ScalarType(int, {"ge": minimum, "le": maximum}, ())

    def notation(self) -> str:
        return f"{self.minimum}..{self.maximum}"

    def json_schema(self, reference: object) -> dict[str, object]:
        return {"type": "integer", "minimum": self.minimum, "maximum": self.maximum}

    def limits(self) -> dict[str, object]:
        return {"minimum": self.minimum, "maximum": self.maximum}

    def violation(self, value: object) -> Violation | None:
        if type(value) is not int:
            return Violation(WRONG_TYPE, self.word, (), is_wrong_type=True)
        return None if self.minimum <= value <= self.maximum else Violation(self.rule, self.form, ())

    def refusals(self, value: str, constant: object, *, is_typed: bool = False) -> list[str]:
        return [] if is_typed else [f"type({value}) is not int", f"not {self.minimum} <= {value} <= {self.maximum}"]

    def violated_rules(self) -> Iterator[tuple[str, str]]:
        yield "type", WRONG_TYPE
        yield "form", self.rule

    def corrections(self, value: object, example: object) -> Iterator[tuple[object, bool]]:
        if type(value) is int and not self.accepts(value):
            yield min(max(value, self.minimum), self.maximum), False

    def coerce(self, value: object, source_text: str) -> object:
        number = value
        if isinstance(value, str) and value.isdecimal() and len(value) <= MAX_DIGITS:
            number = int(value)
        if isinstance(number, float) and number.is_integer():
            number = int(number)
        return number if number is not value and self.accepts(number) else None

    def completions(self, example: object) -> tuple[object, ...]:
        return tuple(dict.fromkeys((example, self.minimum, self.maximum)))


def declare() -> Prop:
    from rui_common.vocabulary.rui_0_1 import TABLE

    kind = IntegerKind(MINIMUM, MAXIMUM, rule="R7b")
    assert "exampleInteger" not in TABLE.props
    prop = Prop("exampleInteger", kind, "How many rows a page of the table has.", example=EXAMPLE)
    TABLE.props["exampleInteger"] = prop
    return prop


# The process ----------------------------------------------------------------------------------------------------------


def document(**props: object) -> dict[str, Any]:
    """Return a document with one table that has these additional properties."""
    binding = {"type": "read", "method": "GET", "path": "/api/orders"}
    table = {"id": "t", "type": "Table", "binding": binding, "columns": [{"key": "a"}], **props}
    section = {"id": "s", "type": "Section", "direction": "stack", "children": [table]}
    page = {"id": "p", "type": "Page", "title": "P", "children": [section]}
    return {"version": "0.1", "meta": {}, "navigation": {"items": [{"pageId": "p"}]}, "pages": [page]}


def checks() -> dict[str, object]:
    """Return the results of the validators and of the fixes."""
    from jsonschema import Draft202012Validator

    from rui_api.decoding.typed_decoder import FastPath
    from rui_common.describe import json_schema
    from rui_common.fixes.quick_fixes import find_fixes
    from rui_common.syntax.document import read
    from rui_common.validation.diagnostics import diagnose
    from rui_common.validation.validator import validate
    from rui_common.validation.wording import error_items

    values = [EXAMPLE, MINIMUM, MAXIMUM, *INVALID]
    schema, fast_path = Draft202012Validator(json_schema()), FastPath()

    def items(value: object) -> list[dict[str, str]]:
        return error_items(validate(document(exampleInteger=value)))

    def decoded(value: object) -> bool:
        return fast_path.read(json.dumps(document(exampleInteger=value)).encode()) is not None

    def fixes(value: object) -> list[list[object]]:
        broken = read(json.dumps(document(exampleInteger=value)))
        (diagnostic,) = diagnose(broken)
        return [[fix.title, fix.is_safe] for fix in find_fixes(broken, diagnostic)]

    rui = fast_path.read(json.dumps(document(exampleInteger=EXAMPLE)).encode())
    assert rui is not None
    return {
        "validator": [not items(value) for value in values],
        "decoder": [decoded(value) for value in values],
        "JSON Schema": [schema.is_valid(document(exampleInteger=value)) for value in values],
        "items": [items(value) for value in values],
        "normal form": rui.rui.decode(),
        "fixes": {json.dumps(value): fixes(value) for value in ("50", 50.0, 900, 0, "many", None)},
    }


def descriptions(prop: Prop) -> dict[str, object]:
    """Return the results of descriptions, completion and views."""
    from rui_common.describe import json_schema, vocabulary_markdown, vocabulary_payload
    from rui_common.editing.completion import completions_at
    from rui_common.editing.completion_context import completion_context_at
    from rui_common.editing.formatter import format_document
    from rui_common.editing.hover import prop_text
    from rui_common.editing.snippets import property_snippet
    from rui_common.http_contract.schema_slices import compact_payload, compact_slice, slice_payload
    from rui_common.syntax.document import read
    from rui_common.vocabulary.rui_0_1 import TABLE
    from rui_inspector.html.pages import Host, spec_page
    from rui_lsp.client.snippet_syntax import to_lsp

    def completions(marked: str) -> list[list[str]]:
        text = read(marked.replace("|", ""))
        context = completion_context_at(text, marked.index("|"))
        assert context is not None
        return [[item.label, item.snippet.text] for item in completions_at(text, context)]

    text = json.dumps(document(exampleInteger=EXAMPLE))
    return {
        "full": vocabulary_payload()["shapes"]["Table"]["props"]["exampleInteger"],
        "slice": slice_payload(["table"])["shapes"]["Table"]["props"]["exampleInteger"],
        "schema": json_schema()["$defs"]["Table"]["properties"]["exampleInteger"],
        "compact": compact_payload(),
        "compact slice": compact_slice(["Table"]),
        "page": vocabulary_markdown(),
        "names": completions(text.replace('"exampleInteger": 50', '"|": 1')),
        "completions": completions(text.replace('"exampleInteger": 50', '"exampleInteger": |50')),
        "hover": prop_text(TABLE, prop),
        "snippet": to_lsp(property_snippet(prop, prop.example)),
        "formatted": format_document(read(text)),
        "inspector": spec_page(document(exampleInteger=EXAMPLE), Host()),
    }


if __name__ == "__main__":
    declared = declare()
    print(json.dumps(checks() | descriptions(declared)))


# The tests ------------------------------------------------------------------------------------------------------------


@cache
def results() -> dict[str, Any]:
    done = subprocess.run([sys.executable, __file__], cwd=ROOT, capture_output=True, text=True, check=False,
                          env={"PYTHONPATH": str(ROOT)})  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("surface", ["validator", "decoder", "JSON Schema"])
def test_valid_and_invalid_values(surface: str) -> None:
    accepted = results()[surface]
    assert accepted[:3] == [True, True, True]
    integral = INVALID.index(1.0)  # to JSON Schema this is an integer, too
    expected = [surface == "JSON Schema" and index == integral for index in range(len(INVALID))]
    assert accepted[3:] == expected


def test_hints() -> None:
    hints = dict(zip(map(json.dumps, INVALID), results()["items"][3:], strict=True))
    for (item,) in hints.values():
        assert item["path"] == "pages[0].children[0].children[0].exampleInteger"
    assert hints["501"][0]["hint"] == "Must be an integer from 1 to 500. Got 501."
    assert hints['"many"'][0]["hint"] == 'Must be an integer: an integer from 1 to 500. Got "many".'


def test_normal_form() -> None:
    assert '"columns":[{"key":"a"}],"exampleInteger":50}' in results()["normal form"]


def test_schema_of_the_service() -> None:
    for form in ("full", "slice"):
        described = results()[form]
        assert described["type"] == "integer"
        assert (described["minimum"], described["maximum"], described["example"]) == (MINIMUM, MAXIMUM, EXAMPLE)
        assert described["breaks"] == {"type": "R7b", "form": "R7b"}
    schema = results()["schema"]
    assert (schema["type"], schema["minimum"], schema["maximum"]) == ("integer", MINIMUM, MAXIMUM)
    for form in ("compact", "compact slice"):
        assert '"exampleInteger"?: 1..500' in json.dumps(results()[form]).replace('\\"', '"')
    assert "an integer from 1 to 500" in results()["page"]


def test_fixes() -> None:
    fixes = results()["fixes"]
    assert fixes['"50"'][0] == ["Convert to an integer: 50", False]
    assert fixes["50.0"][0] == ["Convert to an integer: 50", False]
    assert fixes["900"][0] == ["Use 500", False]
    assert fixes["0"][0] == ["Use 1", False]
    assert fixes['"many"'] == []
    assert fixes["null"] == [['Remove "exampleInteger"', True]]


def test_completion() -> None:
    assert ["exampleInteger", '"exampleInteger"'] in results()["names"]
    assert results()["completions"] == [["50", "50"], ["1", "1"], ["500", "500"]]


def test_hover() -> None:
    hover = results()["hover"]
    assert hover.startswith("**Table.exampleInteger**: `1..500`\n\nHow many rows")
    assert "Form: an integer from 1 to 500" in hover


def test_snippet_and_formatter() -> None:
    assert results()["snippet"] == '"exampleInteger": ${1:50}'
    assert '          "exampleInteger": 50\n' in results()["formatted"]


def test_inspector() -> None:
    assert "<dt>exampleInteger</dt>" in results()["inspector"]
    assert ">50<" in results()["inspector"]


@pytest.mark.parametrize("missing", ["json_type", "word", "notation", "json_schema", "limits", "violation", "refusals"])
def test_a_kind_that_lacks_something_fails_when_it_is_defined(missing: str) -> None:
    members = {name: value for name, value in vars(IntegerKind).items() if name not in {missing, "form", "maximum"}}
    members = {name: value for name, value in members.items() if name not in {"minimum", "rule", "scalar_type"}}
    with pytest.raises(TypeError, match=f"lacks {missing}"):
        type("Incomplete", (Kind,), members)
