"""A stored spec compared with a document in a form: valid, invalid, broken, too long, hostile."""

import copy
import json

import pytest
from litestar.testing import TestClient

from rui_api.app import create_app
from rui_api.config.options import Settings
from rui_api.http.errors import TITLES
from rui_common.vocabulary.rules import MAX_BODY_BYTES
from tests.rui_api.live import JSON, UUID, Down, Service
from tests.rui_api.routes.test_home import check_page
from tests.rui_inspector.browser import DESK
from tests.rui_inspector.pages import HOSTILE, check, with_text_everywhere

TEXT = json.dumps(DESK, indent=2)
LATER = TEXT.replace("every five minutes", "every ten minutes")


@pytest.fixture(scope="module")
def path(service: Service) -> str:
    """The path that compares with a stored spec."""
    return f"/specs/{service.store(DESK)['specId']}/compare"


@pytest.mark.parametrize(("text", "words"), [
    (LATER, ["every <del>five</del> <ins>ten</ins> minutes", "Valid"]),
    (LATER.replace("\n", "\r\n"), ["<del>five</del>"]),
    (TEXT, ["the same content"]),
    (LATER.replace('"Metric"', '"Metrik"', 1), ["<del>five</del>", "1 error", "is not valid", "UNKNOWN_TYPE"]),
    (LATER.replace('"0.1",', '"0.1"'), ["not compared", "1 error", "INVALID_JSON"]),
    (LATER[:-30], ["not compared", "INVALID_JSON"]),
    ("{", ["not compared"]), ("[]", ["INVALID_JSON"]), ("x", ["INVALID_JSON"]),
])  # fmt: skip
def test_a_text_is_compared_and_not_stored(service: Service, path: str, text: str, words: list[str]) -> None:
    page = check_page(service.client.post(path, files={"rui": (None, text)}), 200, "Order desk", *words)
    check(page)
    assert "no-cache" in service.client.post(path, data={"rui": text}).headers["cache-control"]


@pytest.mark.parametrize(("options", "status", "words"), [
    ({"data": {"rui": LATER}}, 200, "<del>five</del>"),
    ({"files": {"file": ("a.rui.json", LATER)}, "data": {"rui": TEXT}}, 200, "<del>five"),
    ({"files": {"file": ("", b""), "rui": (None, LATER)}}, 200, "<del>five"),
    ({"content": LATER, "headers": JSON}, 200, "<del>five"),
    ({"files": {"file": ("a.rui.json", b"\xff\xfe\x00")}}, 200, "INVALID_JSON"),
    ({"files": {"rui": (None, LATER + " " * (MAX_BODY_BYTES - len(LATER.encode())))}}, 200, "<del>five</del>"),
    ({"files": {"rui": (None, " \n ")}}, 400, "The form has no document."),
    ({"files": {"rui": (None, " " * (MAX_BODY_BYTES + 1))}}, 400, "262,145 bytes"),
    ({"content": b"x", "headers": {"Content-Type": "multipart/form-data"}}, 400, "No document to compare with"),
])  # fmt: skip
def test_every_sort_of_form(service: Service, path: str, options: dict[str, object], status: int, words: str) -> None:
    check_page(service.client.post(path, **options), status, words)


@pytest.mark.parametrize(("spec_id", "status"), [("x", 400), (UUID, 404)])
def test_unknown_specs(service: Service, spec_id: str, status: int) -> None:
    check_page(service.client.post(f"/specs/{spec_id}/compare", data={"rui": TEXT}), status, "spec")


def test_the_store_is_down() -> None:
    with TestClient(create_app(Settings(), Down())) as client:
        check_page(client.post(f"/specs/{UUID}/compare", data={"rui": TEXT}), 503, TITLES[503])


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: ascii(text)[:40])
def test_hostile_text_is_inert(service: Service, path: str, text: str) -> None:
    for content in (text, json.dumps(with_text_everywhere(text)), f'{{"pages": [{{"title": "{text}'):
        sent = content.encode("utf-8", "replace")
        answer = service.client.post(path, files={"rui": (None, sent)})
        if sent.strip() and len(sent) <= MAX_BODY_BYTES:
            check(check_page(answer, 200))


def test_both_directions_are_linked(service: Service) -> None:
    later = copy.deepcopy(DESK)
    later["pages"].pop()
    later["navigation"]["items"].pop()
    one, other = (service.store(document)["specId"] for document in (DESK, later))
    page = check_page(service.client.get(f"/specs/{one}/compare/{other}"), 200, "1 removed")
    assert f'href="/specs/{other}/compare/{one}"' in page
    check_page(service.client.get(f"/specs/{other}/compare/{one}"), 200, "1 added")
