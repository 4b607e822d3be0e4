"""Warnings on request: `?warnings=true` (docs/decisions.md, section 3).

tests/test_corpus.py compares those of each case with the warnings of the other surfaces.
"""

import json

import pytest

from rui_api.contract.bodies import WARNING_ITEM
from rui_common.describe import minimal_example
from rui_common.vocabulary.rules import MAX_WARNINGS
from tests.inputs.sample import sample
from tests.rui_api.live import Service

PATHS = ("/api/validate", "/api/specs")
VOLATILE = ("specId", "url", "viewUrl", "createdAt")


def doubtful(count: int) -> dict[str, object]:
    """Return a valid RUI with this number of warnings."""
    document = minimal_example()
    items = document["navigation"]["items"]
    return document | {"navigation": {"items": [*items, *({"pageId": items[0]["pageId"]} for _ in range(count))]}}


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("query", ["", "?warnings=false", "?other=true", "?Warnings=true"])
def test_without_the_parameter_no_answer_has_warnings(service: Service, path: str, query: str) -> None:
    for body in (doubtful(1), {"version": "0.1"}, b"[1,]"):
        plain, answer = service.post(path, body), service.post(path + query, body)
        assert answer.status_code == plain.status_code
        if answer.status_code == 201:
            assert list(answer.json()) == list(plain.json())
            assert "warnings" not in answer.json()
        else:
            assert answer.content == plain.content


def test_a_valid_one(service: Service) -> None:
    answer = service.post("/api/validate?warnings=true", doubtful(1))
    body = answer.json()
    assert list(body) == [
        "valid",
        "validationVersion",
        "registryVersion",
        "normalizedRui",
        "warnings",
        "warningsTruncated",
    ]
    assert body["valid"] is True
    (item,) = body["warnings"]
    assert list(item) == list(WARNING_ITEM.schema["properties"])
    assert (item["path"], item["code"]) == ("navigation.items[1].pageId", "REPEATED_LINK")


@pytest.mark.parametrize("path", PATHS)
def test_an_invalid_one(service: Service, path: str) -> None:
    document = doubtful(1) | {"version": 1}
    plain, answer = service.post(path, document), service.post(f"{path}?warnings=true", document)
    assert answer.status_code == 200
    assert answer.content.startswith(plain.content[:-1])
    assert [item["code"] for item in answer.json()["warnings"]] == ["REPEATED_LINK"]
    assert answer.json()["warningsTruncated"] is False


@pytest.mark.parametrize("further", [False, True])
@pytest.mark.parametrize("size", [1_000, 30_000])
def test_the_answer_is_the_same_otherwise(service: Service, size: int, further: bool) -> None:
    """The answer with warnings comes from the reader and the validator, the other one from the typed decoder."""
    body = sample(size, further=further)
    for path in PATHS:
        plain, answer = service.post(path, body).json(), service.post(f"{path}?warnings=true", body).json()
        assert (answer.pop("warnings"), answer.pop("warningsTruncated")) == ([], False)
        for name in VOLATILE:
            assert (plain.pop(name, None) is None) == (answer.pop(name, None) is None)
        assert json.dumps(plain) == json.dumps(answer)


def test_the_entity_tag_is_that_of_the_stored_spec(service: Service) -> None:
    answer = service.post("/api/specs?warnings=true", doubtful(2))
    assert answer.status_code == 201
    assert [item["code"] for item in answer.json()["warnings"]] == ["REPEATED_LINK"] * 2
    stored = service.client.get(f"/api/specs/{answer.json()['specId']}")
    assert stored.headers["etag"] == answer.headers["etag"]
    assert list(stored.json()) == list(answer.json())[:-2]


@pytest.mark.parametrize("count", [MAX_WARNINGS, MAX_WARNINGS + 1, 500])
def test_at_most_fifty(service: Service, count: int) -> None:
    body = service.post("/api/validate?warnings=true", doubtful(count)).json()
    assert len(body["warnings"]) == MAX_WARNINGS
    assert body["warningsTruncated"] is (count > MAX_WARNINGS)


def test_repeated_keys_come_first(service: Service) -> None:
    text = json.dumps(doubtful(1)).replace('"version": "0.1"', '"version": "0.2", "version": "0.1"')
    body = service.post("/api/validate?warnings=true", text.encode()).json()
    assert [(item["code"], item["path"]) for item in body["warnings"]] == [
        ("DUPLICATE_KEY", "version"), ("REPEATED_LINK", "navigation.items[1].pageId"),
    ]  # fmt: skip


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(
    "query", ["warnings=1", "warnings=", "warnings", "warnings=TRUE", "warnings=true&warnings=true"]
)
def test_other_values_are_refused(service: Service, path: str, query: str) -> None:
    answer = service.post(f"{path}?{query}", minimal_example())
    assert answer.status_code == 400
    assert answer.json() == {
        "error": "BAD_REQUEST",
        "message": "The parameter warnings is true or false, and occurs once.",
    }


@pytest.mark.parametrize("path", PATHS)
def test_what_is_no_rui_has_no_warnings(service: Service, path: str) -> None:
    for body in (b'{"a": 1, "a": 2,}', b"[]", b""):
        assert service.post(f"{path}?warnings=true", body).content == service.post(path, body).content
