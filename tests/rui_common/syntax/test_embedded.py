"""The search for a document in a JSON value."""

import json
from typing import Any

import pytest

from rui_common.describe import minimal_example
from rui_common.syntax.embedded import MAX_DOCUMENTS, MAX_TEXTS, EmbeddedDocument, find_embedded, find_in_text

RUI: dict[str, Any] = minimal_example()
TEXT = json.dumps(RUI, indent=2)


def found(value: object) -> EmbeddedDocument:
    """Return the only document in a value, which is certain to be meant."""
    embedded = find_embedded(value)
    assert embedded is not None and embedded.is_certain
    assert embedded.documents[0].value == RUI
    return embedded.documents[0]


@pytest.mark.parametrize(("value", "path", "inner"), [
    ({"a": RUI}, ("a",), ()), ([[{"a": [RUI]}]], (0, 0, "a", 0), ()), ({"version": 3, "a": RUI}, ("a",), ()),
    ({"a": TEXT}, ("a",), ((),)), (TEXT, (), ((),)), ({"a": json.dumps({"b": [RUI]})}, ("a",), (("b", 0),)),
    ({"a": json.dumps([json.dumps(TEXT)])}, ("a",), ((0,), (), ())),
    ({"a": "x" * 9_000, "b": f"Sure:\n{TEXT}"}, ("b",), ()),
    ({"a": [{"b": 1}] * 900, "c": {"d": RUI}}, ("c", "d"), ()), ({"a": f"x = {json.dumps(TEXT)};"}, ("a",), ((), ())),
    ({"a": TEXT, "b": RUI, "c": [json.dumps(RUI)]}, ("a",), ((),)),
])  # fmt: skip
def test_where_a_document_is(value: object, path: tuple[str | int, ...], inner: tuple[Any, ...]) -> None:
    document = found(value)
    assert (document.path, document.inner) == (path, inner)
    if document.text is not None:
        assert json.loads(document.text) == RUI


@pytest.mark.parametrize("context", [
    "```json\n{}\n```", "Sure:\n~~~\n{}\n~~~\nThat is all.", "<think>{}</think>", "{}\n\nIt has {{x}}.", "rui = {};",
])  # fmt: skip
def test_a_document_in_the_text_of_a_string_is_taken_out(context: str) -> None:
    assert found({"a": context.replace("{}", TEXT, 1).replace("{{x}}", "{x}")}).text.strip() == TEXT


def test_the_text_in_a_string_is_kept_as_it_is_written() -> None:
    text = '{"pages":  [{"id" : "\\u00e9", "n": 1.50}]}'
    embedded = find_embedded({"a": json.dumps({"b": 1})[:-1] + ', "c": ' + text + "}"})
    assert embedded is not None
    assert embedded.documents[0].text == text


@pytest.mark.parametrize("value", [
    None, 3, "pages", [], {}, {"a": {"version": "0.1"}}, {"a": {"pages": 3}}, {"a": '{"version": "0.1"}'}, 
    ["pages: []"], {"a": 'Write "pages": and {x}'}, {"a": "{" * 9_000 + "pages: "}, {"pages": "1", "a": {"meta": {}}},
])  # fmt: skip
def test_no_document(value: object) -> None:
    assert find_embedded(value) is None


def test_several_documents_are_not_certain() -> None:
    others = [RUI | {"version": str(number)} for number in range(2 * MAX_DOCUMENTS)]
    for value in (
        {"a": others[0], "b": json.dumps(others[1])},
        others,
        {"a": json.dumps(others[0]) + json.dumps(others[1])},
    ):
        embedded = find_embedded(value)
        assert embedded is not None and not embedded.is_certain
        assert 1 < len(embedded.documents) <= MAX_DOCUMENTS


@pytest.mark.parametrize("value", [
    {"version": "0.1", "meta": {}, "a": RUI}, {"a": f"The rest stays as it is.\n{TEXT}"},
    {"a": ['{"version": 1, "x": 2}'] * MAX_TEXTS, "b": RUI, "c": '{"version": 1}'},
])  # fmt: skip
def test_a_document_that_may_not_be_meant(value: object) -> None:
    embedded = find_embedded(value)
    assert embedded is not None and not embedded.is_certain


def test_events_of_a_stream() -> None:
    text = f'event: a\ndata: {{"n": 1}}\n\nevent: b\ndata: {json.dumps({"x": [TEXT]})}\n\n'
    embedded = find_in_text(text)
    assert embedded is not None and embedded.is_certain
    [document] = embedded.documents
    assert text[document.start or 0 :].startswith('{"x"')
    assert document.text == TEXT
