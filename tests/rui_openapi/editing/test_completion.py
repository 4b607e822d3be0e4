"""Completion in requests: what is proposed, and the text that a proposal writes."""

import json
from pathlib import Path

import pytest

from rui_common.editing.completion import Completion, completions_at
from rui_common.editing.completion_context import completion_context_at
from rui_common.editing.snippets import TabStop, placeholder_snippet
from rui_common.syntax.document import read
from rui_common.validation.analysis import Analysis
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_openapi.description.api import Api
from rui_openapi.editing import completion
from rui_openapi.editing.completion import add_api_completions, choices_at, with_choices
from tests.rui_openapi.shop import CURSOR, api_of, document, metric, table


def proposed(text: str, api: Api) -> tuple[list[Completion], str, str]:
    """The completions at the mark, and the text before and after what they replace."""
    cursor = text.index(CURSOR)
    text = text.replace(CURSOR, "")
    document = read(text)
    analysis = Analysis(document)
    context = completion_context_at(document, cursor)
    assert context is not None
    found = add_api_completions(analysis, context, api, completions_at(analysis, context))
    return found, text[: context.span.start], text[context.span.end :]


def labels(text: str, api: Api) -> list[str]:
    return [completion.label for completion in proposed(text, api)[0]]


def written(text: str, label: str, api: Api) -> str:
    """The text after accepting a completion."""
    found, before, after = proposed(text, api)
    return before + next(completion for completion in found if completion.label == label).snippet.text + after


PATHS = ("/orders", "/orders/latest", "/orders/{id}", "/summary", "/anything", "/files/{name}")
FIELDS = (
    "id", "status", "created", "email", "amount", "paid", "extra", "customer.name", "customer.vat",
    "customer.manager.name", "customer.manager.manager.name",
)  # fmt: skip


@pytest.mark.parametrize(("path", "select", "expected"), [(CURSOR, "items", PATHS), ("/anything", CURSOR, ("data.b",))])
def test_other_requests_are_proposed_where_the_description_knows_nothing(
    path: str, select: str, expected: tuple[str, ...], shop: Api
) -> None:
    blocks: list[dict[str, object]] = [
        {"id": f"t{index}", "type": "Table", "binding": {"path": path, "valuePath": value_path}, "columns": []}
        for index, (path, value_path) in enumerate((("/own", "data.b"), ("/TODO", "TODO"), (path, select)))
    ]
    assert tuple(labels(document(*blocks), shop)) == expected


LABELS = {
    "paths": (table(CURSOR, "items"), PATHS),
    "single values for a block that shows one": (metric("/orders", CURSOR), ("total",)),
    "a value that is being typed": (metric("/summary", f"data.{CURSOR}"), ("data.open", "data.label")),
    "lists for a block that shows rows": (table("/orders?open=1", CURSOR), ("items",)),
    "none of an unknown response": (table("/anything", CURSOR), ()),
    "none of an unknown path": (table("/oders", CURSOR), ()),
    "keys that are left": (table("/orders", "items", "id", CURSOR, "paid"), (*FIELDS[1:5], *FIELDS[6:])),
    "keys with the one under the cursor": (table("/orders", "items", "id", f"{CURSOR}status"), FIELDS[1:]),
    "keys of the columns": (table("/orders", "items", "id", "status", filter={"field": CURSOR}), ("id", "status")),
    "values of the enum": (
        table("/orders", "items", "status", filter={"field": "status", "options": [{"value": CURSOR}]}),
        ("open", "shipped")),
}  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), LABELS.values(), ids=LABELS)
def test_what_is_proposed(text: str, expected: tuple[str, ...], shop: Api) -> None:
    assert labels(text, shop) == [*expected]


def columns(text: str) -> list[dict[str, object]]:
    return json.loads(text)["pages"][0]["children"][0]["children"][0]["columns"]  # type: ignore[no-any-return]


def test_all_columns_are_one_completion(shop: Api) -> None:
    text = table("/orders", "items").replace('[{"key": "id"}]', CURSOR)
    assert labels(text, shop)[:2] == ["all 7 columns", "id"]
    after = written(text, "all 7 columns", shop)
    assert columns(after)[:3] == [
        {"key": "id", "label": "Id", "type": "number"}, {"key": "status", "label": "Status"},
        {"key": "created", "label": "Created", "type": "date"},
    ]  # fmt: skip
    assert columns(written(text.replace(CURSOR, f"[{CURSOR}]"), "all 7 columns", shop)) == columns(after)


def test_a_bound_of_the_columns_that_are_one_completion(shop: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(completion, "MAX_FIELDS", 3)
    text = table("/orders", "items").replace('[{"key": "id"}]', CURSOR)
    assert labels(text, shop)[:4] == ["all 3 columns", "id", "status", "created"]


def test_a_value_is_described_and_written_as_a_string(tmp_path: Path) -> None:
    properties = 'properties: {größe: {type: integer, description: "How many.\\nToday."}}'
    schema = f"{{type: object, {properties}}}"
    body = f"{{application/json: {{schema: {schema}}}}}"
    api = api_of(f"openapi: 3.1.0\npaths: {{/x: {{get: {{responses: {{200: {{content: {body}}}}}}}}}}}", tmp_path)
    text = metric("/x", CURSOR)
    [found] = proposed(text, api)[0]
    assert (found.label, found.detail) == ("größe", "a number: How many.")
    after = written(text, "größe", api)
    assert json.loads(after) == json.loads(metric("/x", "größe")) and '"größe"' in after
    snippet = placeholder_snippet('"valuePath": "TODO"', VOCABULARY)
    assert snippet is not None
    choices = choices_at(Analysis(read(after)), ("pages", 0, "children", 0, "children", 0, "binding"), api)
    assert [part.choices for part in with_choices(snippet, choices).parts if isinstance(part, TabStop)] == [("größe",)]


def test_all_other_columns_are_one_completion(shop: Api) -> None:
    text = table("/orders", "items", "id", "email").replace('{"key": "email"}', '{"key": "email"}, ' + CURSOR)
    found = columns(written(text, "all 5 other columns", shop))
    assert [column["key"] for column in found] == ["id", "email", "status", "created", "amount", "paid", "extra"]


@pytest.mark.parametrize("text", [
    table("/anything", "a").replace('[{"key": "id"}]', CURSOR),
    '{"pages": [' + CURSOR, CURSOR, "[" + CURSOR + "]",
])  # fmt: skip
def test_elsewhere_the_vocabulary_decides(text: str, shop: Api) -> None:
    cursor = text.index(CURSOR)
    document = read(text.replace(CURSOR, ""))
    analysis = Analysis(document)
    context = completion_context_at(document, cursor)
    if context is not None:
        completions = completions_at(analysis, context)
        assert add_api_completions(analysis, context, shop, completions) == completions


IN_TABLE = ('"type": "Table"', f'"type": "Table", {CURSOR}')
IN_BINDING = ('"path": "/orders"', f'"path": "/orders", {CURSOR}')
TAB_STOPS = {
    "the path of a new block": (
        table("/orders", "items").replace('{"id": "block"', f'{CURSOR}{{"id": "block"'),
        "Metric", PATHS,
    ),
    "the value path of a list": (table("/orders", None).replace(*IN_BINDING), "valuePath", ("items",)),
    "the value path of a value": (
        metric("/summary", "x").replace('"path": "/summary", "valuePath": "x"', f'"path": "/summary", {CURSOR}'),
        "valuePath", ("data.open", "data.label"),
    ),
    "a key": (table("/orders", "items").replace('[{"key": "id"}]', f"[{CURSOR}]"), "Column", FIELDS),
    "all columns for a filter": (
        table("/orders", "items", "id", "status").replace(*IN_TABLE), "filter", ("status", "id"),
    ),
}  # fmt: skip


@pytest.mark.parametrize(("text", "label", "expected"), TAB_STOPS.values(), ids=TAB_STOPS)
def test_tab_stops_offer_what_the_description_has(text: str, label: str, expected: tuple[str, ...], shop: Api) -> None:
    found, _, _ = proposed(text, shop)
    parts = next(completion for completion in found if completion.label == label).snippet.parts
    assert next(part.choices for part in parts if isinstance(part, TabStop) and part.choices) == expected


def test_tab_stops_of_fixes_offer_what_the_description_has(shop: Api) -> None:
    snippet = placeholder_snippet('"path": "/TODO", "valuePath": "TODO"', VOCABULARY)
    assert snippet is not None
    document = read(metric("/orders", "total"))
    choices = choices_at(Analysis(document), ("pages", 0, "children", 0, "children", 0, "binding"), shop)
    parts = with_choices(snippet, choices).parts
    assert [part.choices for part in parts if isinstance(part, TabStop)] == [PATHS, ("total",)]
