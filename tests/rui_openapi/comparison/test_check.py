"""Each warning, where it points, and the name that its hint proposes; and what is accepted."""

import pytest

from rui_openapi.description.api import Api
from tests.rui_openapi.shop import SHOP, api_of, hints, metric, reported, table


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Api:
    return api_of(SHOP, tmp_path_factory.mktemp("shop"))


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
}


@pytest.mark.parametrize("text", ACCEPTED.values(), ids=ACCEPTED)
def test_what_exists_has_no_warning(text: str, shop: Api) -> None:
    assert reported(text, shop) == []


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
    "a boolean as a date": (table("/orders", "items", {"key": "paid", "type": "date"}), ['WRONG_FORM "date"'], ""),
    "an object as a badge": (
        table("/orders", "items", {"key": "customer", "type": "badge"}), ['WRONG_FORM "badge"'], "No type fits",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("text", "expected", "hint"), FAULTS.values(), ids=FAULTS)
def test_what_does_not_exist_has_one_warning(text: str, expected: list[str], hint: str, shop: Api) -> None:
    assert reported(text, shop) == expected
    assert hint in hints(text, shop)[0]
