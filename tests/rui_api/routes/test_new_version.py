"""New versions that name what they keep: POST with `?base=ID` (docs/decisions.md, section 6)."""

import json
from typing import Any

import pytest

from rui_api.app import create_app
from rui_api.config.options import Settings
from rui_api.contract.errors import OVERLOADED
from rui_api.http.errors import ServiceError
from rui_api.routes import specs
from rui_api.store.base import Store, StoredSpec
from rui_api.work_process import WorkProcess
from rui_common.client import Client, InvalidRuiError
from rui_common.vocabulary.rules import MAX_BODY_BYTES
from tests.rui_api.live import Down, Service, running
from tests.support.examples import DESK

UNKNOWN = "2b0643f0-1d98-473b-97cd-ca98a65347dd"
PATHS = ("/api/validate", "/api/specs")
TODAY, STOCK = DESK["pages"]
RENAMED: dict[str, Any] = {"pages": [{"id": "today"}, {**STOCK, "title": "Store room", "children": [
    {"id": section["id"]} for section in STOCK["children"]
]}]}  # fmt: skip


@pytest.fixture(scope="module")
def base(service: Service) -> str:
    return str(service.store(DESK)["specId"])


@pytest.mark.parametrize("path", PATHS)
def test_the_answer_is_that_of_the_whole_document_with_what_changes(service: Service, base: str, path: str) -> None:
    answer = service.post(f"{path}?base={base}", RENAMED)
    whole = service.post(path, {
        **DESK, "meta": {**DESK["meta"], "replaces": base}, "pages": [TODAY, {**STOCK, "title": "Store room"}],
    })  # fmt: skip
    assert answer.status_code == whole.status_code
    assert list(answer.json()) == [*whole.json(), "kept", "changes"]
    assert answer.json()["normalizedRui"] == whole.json()["normalizedRui"]
    assert answer.json()["kept"] == 9
    assert answer.json()["changes"] == ["Page Stock is now called Store room."]


def test_a_stored_version_is_that_of_any_other_post(service: Service, base: str) -> None:
    answer = service.post(f"/api/specs?base={base}", RENAMED)
    stored = service.client.get(f"/api/specs/{answer.json()['specId']}")
    assert stored.headers["etag"] == answer.headers["etag"]
    assert stored.json() == {key: answer.json()[key] for key in stored.json()}


@pytest.mark.parametrize("path", PATHS)
def test_an_invalid_one(service: Service, base: str, path: str) -> None:
    answer = service.post(f"{path}?base={base}&warnings=true", {"pages": [{"id": "todey"}, {"id": "stock"}]})
    assert answer.status_code == 200
    body = answer.json()
    assert (body["valid"], body["kept"], "changes" in body) == (False, 3, False)
    assert [error["path"] for error in body["errors"]] == ["pages[0].type"], "the navigation is right"
    hints = {error["path"]: error["hint"] for error in body["errors"]}
    assert 'did you mean "today"?' in hints["pages[0].type"]


@pytest.mark.parametrize("path", PATHS)
def test_bare_objects_without_a_base(service: Service, path: str) -> None:
    """Each is one error, and the first hint says what is missing."""
    body = {**DESK, "pages": [{"id": "today"}, {"id": "stock"}]}
    errors = service.post(path, body).json()["errors"]
    assert [(error["path"], error["code"]) for error in errors] == [
        (f"pages[{index}].type", "MISSING_REQUIRED_PROP") for index in range(2)
    ]
    sentence = "stands for a node of a stored spec only with ?base=ID in the URL of the request."
    assert [sentence in error["hint"] for error in errors] == [True, False]


@pytest.mark.parametrize("body", [
    {"pages": [{"id": "today"}, {"id": "stock", "type": "Page", "title": "Stock", "children": [{"id": "today"}]}]},
    {"pages": [{"id": "today"}, {"id": "stock"}, {"id": "open-orders"}]},
    {"pages": ["today", {"id": "stock"}]},
    {"id": UNKNOWN},
    {"rui": {"pages": [{"id": "today"}]}},
])  # fmt: skip
def test_nodes_in_wrong_places_are_errors_and_not_stored(service: Service, base: str, body: dict[str, Any]) -> None:
    answer = service.post(f"/api/specs?base={base}", body).json()
    assert answer["valid"] is False and "specId" not in answer


def test_a_base_that_is_invalid_today(service: Service, base: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """An older version of the service may have stored it. What stays invalid is an error as in any document."""
    fetch = specs.fetch_spec

    async def older(store: Store, spec_id: str) -> StoredSpec:
        spec = await fetch(store, spec_id)
        return spec._replace(rui=spec.rui.replace(b'"direction":"row"', b'"direction":"aside"'))

    monkeypatch.setattr(specs, "fetch_spec", older)
    [error] = service.post(f"/api/specs?base={base}", {"pages": [{"id": "today"}, {"id": "stock"}]}).json()["errors"]
    assert (error["path"], error["code"]) == ("pages[0].children[0].direction", "INVALID_PROP_TYPE")
    assert service.post(f"/api/validate?base={base}", {
        "navigation": {"items": [{"pageId": "stock"}]}, "pages": [{"id": "stock"}],
    }).json()["valid"]  # fmt: skip


def test_fixes_are_those_of_the_whole_document(service: Service, base: str) -> None:
    page = {"id": "more", "type": "Page", "titel": "More", "children": [{"id": "latest"}]}
    answer = service.post(f"/api/validate?base={base}&fix=true", {"pages": [{"id": "today"}, {"id": "stock"}, page]})
    fixed = answer.json()["fixed"]
    assert fixed["errors"] == []
    assert fixed["rui"]["pages"][2]["title"] == "More"


MISSING = [
    ("1234", 400, "INVALID_SPEC_ID"), ("", 400, "INVALID_SPEC_ID"), (UNKNOWN, 404, "NOT_FOUND"),
    (f"{UNKNOWN}&base={UNKNOWN}", 400, "BAD_REQUEST"),
]  # fmt: skip


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(("spec_id", "status", "code"), MISSING)
def test_a_base_that_is_not_there(service: Service, path: str, spec_id: str, status: int, code: str) -> None:
    answer = service.post(f"{path}?base={spec_id}", RENAMED)
    assert (answer.status_code, answer.json()["error"]) == (status, code)
    if status == 404:
        assert answer.json() == service.client.get(f"/api/specs/{spec_id}").json()


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("body", [b"[1,]", b"[]", b"{"])
def test_a_body_that_is_no_object_comes_before_its_base(service: Service, path: str, body: bytes) -> None:
    plain, answer = service.post(path, body), service.post(f"{path}?base={UNKNOWN}", body)
    assert (answer.status_code, answer.content) == (plain.status_code, plain.content)


@pytest.mark.parametrize("path", PATHS)
def test_a_store_that_is_down(path: str) -> None:
    with running(create_app(Settings(), Down())) as service:  # type: ignore[arg-type]
        answer = service.post(f"{path}?base={UNKNOWN}", RENAMED)
        assert (answer.status_code, answer.json()["error"]) == (503, "STORAGE_UNAVAILABLE")


def test_a_result_over_the_limit_is_refused_as_a_body_over_the_limit(service: Service) -> None:
    blocks = [{"id": f"t{number}", "type": "Text", "content": "x" * 1000} for number in range(200)]
    page = {**STOCK, "children": [{"id": "s", "type": "Section", "direction": "stack", "children": blocks}]}
    base = service.store({**DESK, "pages": [TODAY, page]})["specId"]
    twice = {"pages": [{"id": "today"}, {"id": "stock"}, {"id": "s"}, {"id": "s"}]}
    answer = service.post(f"/api/specs?base={base}", twice)
    assert (answer.status_code, answer.json()["errors"][0]["code"]) == (400, "INVALID_JSON")
    assert f"{MAX_BODY_BYTES:,}" in answer.json()["errors"][0]["hint"]


def test_without_time_for_a_comparison_the_answer_has_no_changes(
    service: Service, base: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def busy(*_: object, **__: object) -> None:
        raise ServiceError(OVERLOADED)

    monkeypatch.setattr(WorkProcess, "run", busy)
    answer = service.post(f"/api/validate?base={base}", RENAMED)
    assert answer.json()["valid"] is True
    assert "changes" not in answer.json()


def test_the_client(service: Service, base: str) -> None:
    client = Client(service.url)
    spec = client.store(RENAMED, base=base)
    assert (spec.kept, spec.changes) == (9, ("Page Stock is now called Store room.",))
    assert spec.normalized_rui["meta"]["replaces"] == base
    checked = client.validate(json.dumps(RENAMED), base=spec.spec_id)
    assert (checked.valid, checked.kept, checked.changes) == (True, 9, ())
    with pytest.raises(InvalidRuiError):
        client.store({"pages": [{"id": "nothing-like-it"}]}, base=base)
