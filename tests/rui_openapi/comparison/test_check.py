"""Each warning, where it points, and the name that its hint proposes; and what is accepted."""

import json
from pathlib import Path

import pytest

from rui_common.editing.edits import apply
from rui_common.fixes.quick_fixes import find_fixes
from rui_common.problems.api import UNKNOWN_PATH
from rui_common.syntax.document import read
from rui_common.syntax.paths import format_path
from rui_common.validation.analysis import Analysis
from rui_common.version import RUI_VERSION
from rui_common.vocabulary.kinds import ListKind, NodeKind, ObjectKind
from rui_common.vocabulary.rui_0_1 import READ_BINDING, node, string
from rui_common.vocabulary.schema import NodeRole, Prop, Role, Shape, Vocabulary
from rui_openapi.comparison.check import api_diagnostics
from rui_openapi.description.api import Api
from tests.rui_openapi.shop import api_of, document, hints, metric, reported, table

LISTS = """
openapi: 3.1.0
paths:
  /rows: {get: {responses: {200: {content: {application/json: {schema: {type: array, items: {$ref: "#/x-row"}}}}}}}}
  /name: {get: {responses: {200: {content: {application/json: {schema: {type: string}}}}}}}
  /names: {get: {responses: {200: {content: {application/json: {schema: {type: array, items: {type: string}}}}}}}}
  /either: {get: {responses: {200: {content: {application/json: {schema: {$ref: "#/x-either"}}}}}}}
x-row: {type: object, properties: {name: {type: string}, flag: {$ref: "#/x-flag"}, code: {$ref: "#/x-code"}}}
x-flag: {type: boolean, format: int32}
x-code: {type: [integer, string], format: uuid}
x-either: {oneOf: [{type: array}, {type: object, properties: {old: {type: array}, new: {type: array}}}]}
"""
"""Responses without an object around them, or with a flag that is a number in the format of another system."""


OPTIONS = {"field": "status", "options": [{"value": "open"}]}
ACCEPTED = {
    "a list": table("/orders", "items", "id", "status", "customer"),
    "with the base path of the server": table("/v1/orders", "items", "id"),
    "with a query": table("/orders?open=true#top", "items", "id"),
    "a parameter": metric("/orders/7", "status"),
    "a template": metric("/orders/{orderId}", "status"),
    "a template with a colon": metric("/orders/:id", "status"),
    "a parameter with slashes": metric("/files/a/b.txt", "any"),
    "an inner value of an alternative": metric("/orders/7", "customer.vat"),
    "a recursive schema": metric("/orders/7", "customer.manager.manager.manager.name"),
    "an index": metric("/orders", "items.0.status"),
    "any name of additional properties": metric("/summary", "data.byDay.monday", format="number"),
    "below an unknown schema": metric("/orders/7", "extra.of.any.sort"),
    "no schema": table("/anything", "of.any.sort", "column"),
    "a path into the row": table("/orders", "items", "customer.name"),
    "an option in the enum": table("/orders", "items", "status", filter=OPTIONS),
    "null beside a type": table("/orders", "items", {"key": "paid", "type": "badge"}),
    "a number in a string": table("/orders", "items", {"key": "amount", "type": "number"}),
    "a date in a string": table("/orders", "items", {"key": "created", "type": "date"}),
    "a type of the author's own": table("/orders", "items", {"key": "email", "type": "link"}),
    "a path that is an error of its own": metric("orders", "nothing"),
    "a value path that is an error of its own": metric("/orders", "a..b"),
    "a placeholder": table("/TODO", "TODO", "nothing"),
    "an option of a field without an enum": table(
        "/orders", "items", "email", filter={"field": "email", "options": [{"value": "x"}]}
    ),
    "an address as a badge": table("/orders", "items", {"key": "email", "type": "badge"}),
    "a value of any type as a number": table("/orders", "items", {"key": "extra", "type": "number"}),
    "a broken request": metric("/orders", "nothing").replace('"GET"', '"GET" "x"'),
}


@pytest.mark.parametrize("text", ACCEPTED.values(), ids=ACCEPTED)
def test_what_exists_has_no_warning(text: str, shop: Api) -> None:
    assert reported(text, shop) == []


# Document → whether the only fix of its first warning is safe.
ONLY_FIXES = {
    "the only list": (table("/orders", "rows", "id"), True),
    "the only list, without this column": (table("/orders", "sorting", "direction"), False),
    "a similar path": (table("/api/orders", "items"), False),
    "another version": (table("/v2/orders", "items"), True),
    "a misspelt path": (table("/oders", "items"), True),
}


@pytest.mark.parametrize(("text", "is_safe"), ONLY_FIXES.values(), ids=ONLY_FIXES)
def test_the_only_text_is_safe_if_it_is_certain(text: str, is_safe: bool, shop: Api) -> None:
    analysis = Analysis(read(text))
    finding = api_diagnostics(analysis, shop)[0].finding
    assert finding is not None
    suggestion = next(iter(finding.suggestions()))
    assert suggestion.is_safe == is_safe


# Document → the warnings with the text that they mark, and a part of the hint of the first one.
FAULTS = {
    "a misspelt path": (table("/oders", "items"), ['UNKNOWN_PATH "/oders"'], 'Did you mean "/orders"?'),
    "its query is kept": (table("/oders?a=1", "items"), ['UNKNOWN_PATH "/oders?a=1"'], '"/orders?a=1"'),
    "a segment too many": (table("/api/orders", "items"), ['UNKNOWN_PATH "/api/orders"'], 'Similar paths: "/orders"'),
    "a misspelt segment beside a parameter": (
        metric("/orders/latst", "id"), ['UNKNOWN_PATH "/orders/latst"'], '"/orders/latest"',
    ),
    "similar words": (metric("/order-summary/all", "id"), ['UNKNOWN_PATH "/order-summary/all"'], '"/summary"'),
    "other methods only": (metric("/checkout", "id"), ['UNKNOWN_PATH "/checkout"'], ""),
    "one fault has one warning": (table("/oders", "itms", "nothing"), ['UNKNOWN_PATH "/oders"'], ""),
    "the only list": (table("/orders", "rows"), ['UNKNOWN_VALUE_PATH "rows"'], 'Did you mean "items"?'),
    "a column inside an object": (
        table("/orders", "items", "vat"), ['UNKNOWN_FIELD "vat"'], 'Inside them: "customer.vat".',
    ),
    "a misspelt value path": (table("/orders", "itms", "nothing"), ['UNKNOWN_VALUE_PATH "itms"'], '"items"?'),
    "a misspelt inner name": (metric("/summary", "data.opn"), ['UNKNOWN_VALUE_PATH "data.opn"'], '"data.open"?'),
    "without the envelope": (metric("/summary", "open"), ['UNKNOWN_VALUE_PATH "open"'], '"data.open"?'),
    "a name that is nowhere": (metric("/summary", "revenue"), ['UNKNOWN_VALUE_PATH "revenue"'], 'has "data"'),
    "into a list": (metric("/orders", "items.id"), ['UNKNOWN_VALUE_PATH "items.id"'], "a value path cannot enter"),
    "an object": (metric("/summary", "data"), ['NOT_SCALAR "data"'], '"data.open", "data.label"'),
    "a list": (metric("/orders", "items"), ['NOT_SCALAR "items"'], 'Did you mean "total"?'),
    "no value path": (table("/orders", None), ['NOT_LIST "/orders"'], 'Did you mean "items"?'),
    "no list": (table("/orders", "total"), ['NOT_LIST "total"'], 'Did you mean "items"?'),
    "no list at all": (table("/summary", "data"), ['NOT_LIST "data"'], "This response has no lists."),
    "a misspelt column": (table("/orders", "items", "id", "stats"), ['UNKNOWN_FIELD "stats"'], '"status"?'),
    "a column without a name": (table("/orders", "items", ""), ['UNKNOWN_FIELD ""'], 'All of them: "id"'),
    "dots alone": (table("/orders", "items", ".."), ['UNKNOWN_FIELD ".."'], 'All of them: "id"'),
    "all columns": (
        table("/orders", "items", "revenue"), ['UNKNOWN_FIELD "revenue"'],
        'All of them: "id", "status", "customer", "created", "email", "amount", "paid", "extra".',
    ),
    "a misspelt inner column": (
        table("/orders", "items", "customer.nme"), ['UNKNOWN_FIELD "customer.nme"'], '"customer.name"?',
    ),
    "a misspelt option": (
        table("/orders", "items", "status", filter={"field": "status", "options": [{"value": "opne"}]}),
        ['UNKNOWN_OPTION "opne"'], 'Did you mean "open"? All of them: "open", "shipped".',
    ),
    "a string as a number": (
        table("/orders", "items", {"key": "status", "type": "number"}), ['WRONG_FORM "number"'], '"string"',
    ),
    "a text as a number": (metric("/summary", "data.label", format="number"), ['WRONG_FORM "number"'], '"text"'),
    "an address as a date": (table("/orders", "items", {"key": "email", "type": "date"}), ['WRONG_FORM "date"'], ""),
    "a date as a number": (
        table("/orders", "items", {"key": "created", "type": "number"}), ['WRONG_FORM "number"'], '"date"',
    ),
    "two misspelt names": (metric("/summary", "daa.revenue"), ['UNKNOWN_VALUE_PATH "daa.revenue"'], 'has "data".'),
    "a block that is broken outside of its request": (
        metric("/orders", "nothing").replace('"Label"', '"Label" "x"'), ['UNKNOWN_VALUE_PATH "nothing"'], '"total"?',
    ),
    "a boolean as a date": (table("/orders", "items", {"key": "paid", "type": "date"}), ['WRONG_FORM "date"'], ""),
    "an object as a badge": (
        table("/orders", "items", {"key": "customer", "type": "badge"}), ['WRONG_FORM "badge"'], "No type fits",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("text", "expected", "hint"), FAULTS.values(), ids=FAULTS)
def test_what_does_not_exist_has_one_warning(text: str, expected: list[str], hint: str, shop: Api) -> None:
    assert reported(text, shop) == expected
    assert hint in hints(text, shop)[0]


OPTION = {"field": "status", "options": [{"value": "gone"}]}
INNER = ["customer.name", "customer.vat", "customer.manager.name", "customer.manager.manager.name"]
# Document → the message of the warning, and the titles of its fixes; "!" marks a safe one.
FIXES = {
    "a misspelt path": (
        table("/oders", "items"), 'The API has no GET operation at "/oders".', ['! Use "/orders"'],
    ),
    "similar paths": (
        table("/api/orders", "items"), 'The API has no GET operation at "/api/orders".',
        ['Use "/orders"', 'Use "/orders/{id}"', 'Use "/orders/latest"'],
    ),
    "no value path": (
        table("/orders", None), "The response of GET /orders is an object, not a list.", ['! Add "valuePath": "items"'],
    ),
    "no list": (
        table("/orders", "total"), 'The value "total" in the response of GET /orders is a number, not a list.',
        ['! Use "items"'],
    ),
    "an object": (
        metric("/orders/latest", "customer"),
        'The value "customer" in the response of GET /orders/latest is an object, not a single value.',
        [f'Use "{name}"' for name in INNER],
    ),
    "a misspelt column": (
        table("/orders", "items", "stats"), 'The rows of GET /orders have no "stats".', ['! Rename to "status"'],
    ),
    "a column with a use": (
        table("/orders", "items", "stats", filter={"field": "stats", "options": [{"value": "open"}]}),
        'The rows of GET /orders have no "stats".', ['! Rename to "status"'],
    ),
    "a column inside an object": (
        table("/orders", "items", "vat"), 'The rows of GET /orders have no "vat".',
        [f'Rename to "{name}"' for name in ("customer.vat", "id", "status", "created", "email")],
    ),
    "a column that is nowhere": (
        table("/orders", "items", "revenue"), 'The rows of GET /orders have no "revenue".',
        [f'Rename to "{name}"' for name in ("id", "status", "created", "email", "amount")],
    ),
    "a column that is an object": (
        table("/orders", "items", {"key": "customer", "type": "badge"}),
        'The "customer" in the response of GET /orders is an object, which cannot be shown as "badge".',
        [f'Rename to "{name}"' for name in (*INNER, "customer.manager.manager.manager.name")],
    ),
    "an option that is not in the enum": (
        table("/orders", "items", "status", filter=OPTION), 'In the response of GET /orders, "status" is never "gone".',
        ['Use "open"', 'Use "shipped"'],
    ),
}  # fmt: skip
OF_LISTS = {
    "an element": (
        table("/rows", "0", "name"), 'The value "0" in the response of GET /rows is an object, not a list.',
        ['! Remove "valuePath"'],
    ),
    "a name in a list": (
        table("/rows", "a", "name"), 'The response of GET /rows has no "a".', ['! Remove "valuePath"'],
    ),
    "a name in a text, with a value path that is required": (
        metric("/name", "a"), 'The response of GET /name has no "a".', [],
    ),
    "a name in a list, or in an object with lists": (
        table("/either", "a", "id"), 'The response of GET /either has no "a".', ['Use "old"', 'Use "new"'],
    ),
    "a boolean with the format of a number": (
        table("/rows", None, {"key": "flag", "type": "number"}),
        'The "flag" in the response of GET /rows is a boolean, which cannot be shown as "number".',
        ['Use "string"', 'Use "badge"'],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("text", "message", "titles"), FIXES.values(), ids=FIXES)
def test_the_fixes_of_a_warning(text: str, message: str, titles: list[str], shop: Api) -> None:
    check_fixes(text, message, titles, shop)


@pytest.mark.parametrize(("text", "message", "titles"), OF_LISTS.values(), ids=OF_LISTS)
def test_the_fixes_of_a_warning_about_a_response_with_a_list(
    text: str, message: str, titles: list[str], tmp_path: Path
) -> None:
    check_fixes(text, message, titles, api_of(LISTS, tmp_path))


def test_a_path_without_similar_ones_has_no_advice(shop: Api) -> None:
    assert hints(metric("/checkout", "id"), shop) == [UNKNOWN_PATH.hint]


def test_rows_that_are_no_objects_have_no_names(tmp_path: Path) -> None:
    (hint,) = hints(table("/names", None, "a"), api_of(LISTS, tmp_path))
    assert hint.endswith("rows. Each row is a string.")


def test_a_format_of_strings_says_nothing_of_numbers(tmp_path: Path) -> None:
    assert reported(table("/rows", None, {"key": "code", "type": "date"}), api_of(LISTS, tmp_path)) == []


def check_fixes(text: str, message: str, titles: list[str], api: Api) -> None:
    """Compare a warning and its fixes, each of which removes it."""
    analysis = Analysis(read(text))
    (warning,) = api_diagnostics(analysis, api)
    fixes = find_fixes(analysis, warning)
    assert warning.message == message
    assert [("! " if fix.is_safe else "") + fix.title for fix in fixes] == titles
    for fix in fixes:
        after = Analysis(read(apply(text, fix.edits)))
        assert warning.code not in [diagnostic.code for diagnostic in api_diagnostics(after, api)]
        assert after.findings == analysis.findings


def test_a_block_whose_request_is_broken_hides_no_other(shop: Api) -> None:
    binding = {"type": "read", "method": "GET", "path": "/orders", "valuePath": "nothing"}
    block = {"type": "Metric", "label": "x", "binding": binding}
    text = document({"id": "a", **block}, {"id": "b", **block})
    assert len(reported(text, shop)) == 2
    assert len(reported(text.replace('"GET"', '"GET" "x"', 1), shop)) == 1


def test_the_names_of_fields_may_be_in_the_block_itself(shop: Api) -> None:
    """No block of version 0.1 has some there: a later one may, such as a calendar with day and title of each row."""
    binding = Prop("binding", ObjectKind(READ_BINDING), "")
    names = [Prop(name, string, "", role=Role.FIELD) for name in ("day", "title")]
    gizmo = node("Gizmo", NodeRole.BLOCK, "", binding, *names)
    gizmos = Prop("gizmos", ListKind(NodeKind(gizmo, child="R13"), rule="R16"), "")
    later = Vocabulary(RUI_VERSION, Shape("RUI", "", [gizmos]), planned={})

    def codes(day: str, title: str) -> list[str]:
        request = {"type": "read", "method": "GET", "path": "/orders", "valuePath": "items"}
        text = json.dumps({"gizmos": [{"id": "a", "type": "Gizmo", "binding": request, "day": day, "title": title}]})
        return [
            f"{diagnostic.code} {format_path(diagnostic.path)}"
            for diagnostic in api_diagnostics(Analysis(read(text), later), shop)
        ]

    assert codes("created", "email") == []
    assert codes("created", "emial") == ["UNKNOWN_FIELD gizmos[0].title"]
    assert codes("creatd", "email") == ["UNKNOWN_FIELD gizmos[0].day"]


def test_a_block_with_a_single_value_may_have_options(tmp_path: Path) -> None:
    """No block of version 0.1 has some: a later one may, such as a switch that shows one of a few states."""
    state = Shape("State", "", [Prop("value", string, "", role=Role.OPTION)])
    gizmo = node("Gizmo", NodeRole.BLOCK, "", Prop("binding", ObjectKind(READ_BINDING), ""),
                 Prop("states", ListKind(ObjectKind(state), rule="R17"), ""))  # fmt: skip
    gizmos = Prop("gizmos", ListKind(NodeKind(gizmo, child="R13"), rule="R16"), "")
    later = Vocabulary(RUI_VERSION, Shape("RUI", "", [gizmos]), planned={})
    response = {"type": "object", "properties": {"door": {"type": "string", "enum": ["open", "shut"]}}}
    ok = {"description": "", "content": {"application/json": {"schema": response}}}
    text = json.dumps({"openapi": "3.1.0", "paths": {"/house": {"get": {"responses": {"200": ok}}}}})
    house = api_of(text, tmp_path)

    def found(*values: str) -> list[str]:
        request = {"type": "read", "method": "GET", "path": "/house", "valuePath": "door"}
        block = {"id": "a", "type": "Gizmo", "binding": request, "states": [{"value": value} for value in values]}
        analysis = Analysis(read(json.dumps({"gizmos": [block]})), later)
        return [
            f"{diagnostic.code} {format_path(diagnostic.path)} {diagnostic.message}"
            for diagnostic in api_diagnostics(analysis, house)
        ]

    assert found("open", "shut") == []
    message = 'In the response of GET /house, "door" is never "ajar".'
    assert found("open", "ajar") == [f"UNKNOWN_OPTION gizmos[0].states[1].value {message}"]
