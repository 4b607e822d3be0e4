"""What became of the notes that a browser has on the older one of two specs."""

import copy
import json
from collections.abc import Callable

import pytest

from rui_common.versions.notes import MAX_NOTES
from rui_common.versions.replaced import version_hash
from tests.rui_api.live import Service
from tests.support.examples import DESK

UUID = "00000000-0000-4000-8000-000000000000"
METRIC = "pages[0].children[0].children[0]"


def renamed() -> dict[str, object]:
    document = copy.deepcopy(DESK)
    document["pages"][0]["children"][0]["children"][0]["label"] = "Still open"
    del document["pages"][1]
    del document["navigation"]["items"][1]
    return document


@pytest.fixture(scope="module")
def address(service: Service) -> str:
    old = service.store(DESK)["specId"]
    document = renamed()
    document["meta"]["replaces"] = old
    return f"/specs/{old}/compare/{service.store(document)['specId']}/notes"


def ask(service: Service, address: str, *notes: object, document_hash: str = version_hash(DESK), **headers: str):
    return service.client.post(address, json={"hash": document_hash, "notes": [*notes]}, headers=headers)


def test_each_note_has_an_answer(service: Service, address: str) -> None:
    paths = [METRIC, f"{METRIC}.binding.valuePath", "pages[1]", "pages[0].children[1].children[0].columns[2]", ""]
    _, _, old_id, _, new_id, _ = address.split("/")
    for url in (address, f"/specs/{new_id}/compare/{old_id}/notes"):
        response = ask(service, url, *({"path": path, "name": "x"} for path in paths))
        assert (response.status_code, response.headers["cache-control"]) == (200, "no-store")
        assert [(answer["outcome"], answer["part"]) for answer in response.json()["notes"]] == [
            ("followed", "open-orders"), ("untouched", "open-orders/binding.valuePath"), ("gone", None),
            ("untouched", "orders/columns[2]"), ("followed", "/"),
        ]  # fmt: skip
        assert response.json()["notes"][0]["sentences"] == ["Open orders is now called Still open."]


@pytest.mark.parametrize(("body", "message"), [
    (b"", "no JSON object"), (b"{", "no JSON object"), (b"[]", "no JSON object"), (b'{"notes": []}', "no JSON object"),
    (b"[" * 100_000, "no JSON object"),
    (json.dumps({"hash": "x", "notes": [{"path": ""}]}).encode(), "another document"),
    (json.dumps({"hash": version_hash(DESK), "notes": [{"path": "pages["}]}).encode(), "note 1 has a path"),
    (json.dumps({"hash": version_hash(DESK), "notes": [{"path": "pages[7]", "name": "<b>"}]}).encode(), "is about <b>"),
    (json.dumps({"hash": version_hash(DESK), "notes": [{"path": "x" * 9_000}]}).encode(), "2,000 characters"),
    (json.dumps({"hash": version_hash(DESK), "notes": [{}] * (MAX_NOTES + 1)}).encode(), "1,001 notes"),
])  # fmt: skip
def test_what_cannot_be_answered_has_one_sentence(service: Service, address: str, body: bytes, message: str) -> None:
    response = service.client.post(address, content=body)
    assert response.status_code == 400
    sentence = response.json()["message"]
    assert message.lower() in sentence.lower()
    assert sentence[-1] == "."
    assert "\n" not in sentence


def test_as_many_notes_as_are_answered(service: Service, address: str) -> None:
    answers = ask(service, address, *[{"path": METRIC}] * MAX_NOTES).json()["notes"]
    assert {answer["outcome"] for answer in answers} == {"followed"}
    assert len(answers) == MAX_NOTES


@pytest.mark.parametrize(("change", "status"), [
    (lambda url: url.replace("/specs/", "/specs/x"), 400),
    (lambda url: f"/specs/{UUID}/compare/{url.split('/')[4]}/notes", 404),
])  # fmt: skip
def test_a_version_that_is_not_there(service: Service, address: str, change: Callable[[str], str], status: int) -> None:
    assert ask(service, change(address), {"path": METRIC}).status_code == status


def test_only_pages_of_the_service_may_ask(service: Service, address: str) -> None:
    assert ask(service, address, {"path": METRIC}, origin="https://example.com").status_code == 403


def test_nothing_of_notes_is_logged(service: Service, address: str, capfd: pytest.CaptureFixture[str]) -> None:
    ask(service, address, {"path": METRIC, "name": "a-name-to-find"})
    ask(service, address, {"path": "pages[77]", "name": "a-name-to-find"})
    written = capfd.readouterr()
    assert "a-name-to-find" not in written.out + written.err
    assert "pages[77]" not in written.out + written.err
