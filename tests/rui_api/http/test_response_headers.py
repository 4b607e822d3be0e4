"""Every response has the security headers."""

import json
from collections.abc import Iterator

import httpx
import pytest

from rui_api.app import create_app
from rui_api.config.options import Settings
from rui_api.http.response_headers import PAGES, SECURITY
from rui_api.routes import discovery
from rui_common.describe import minimal_example
from tests.rui_api.live import JSON, UUID, Down, Service, running

VALID = json.dumps(minimal_example())
HTML = {"Accept": "text/html"}
FORM = {"Content-Type": "application/x-www-form-urlencoded"}
OTHER_HOST = {"Host": "elsewhere.example"}
ANSWERS = {
    "a verdict": ("POST", "/api/validate", JSON, VALID, 200),
    "a wrong document": ("POST", "/api/validate", JSON, "{}", 200),
    "no document": ("POST", "/api/validate", JSON, "{", 400),
    "too long": ("POST", "/api/validate", JSON, " " * 300_000, 400),
    "stored": ("POST", "/api/specs", JSON, VALID, 201),
    "HEAD": ("HEAD", "/api/docs", {}, "", 200),
    "HEAD of nothing": ("HEAD", "/nope", {}, "", 404),
    "OPTIONS": ("OPTIONS", "/api/specs", {}, "", 204),
    "OPTIONS of nothing": ("OPTIONS", "/nope", {}, "", 404),
    "nothing there": ("GET", "/nope", {}, "", 404),
    "nothing there, for people": ("GET", "/nope", HTML, "", 404),
    "no id": ("GET", "/api/specs/x", {}, "", 400),
    "no such spec": ("GET", f"/api/specs/{UUID}", {}, "", 404),
    "no such spec, as a page": ("GET", f"/specs/{UUID}", HTML, "", 404),
    "another method": ("DELETE", "/api/specs", {}, "", 405),
    "a host that is not ours": ("GET", "/api/docs", OTHER_HOST, "", 400),
    "the first page": ("GET", "/", HTML, "", 200),
    "a form that leads on": ("POST", "/", FORM, str(httpx.QueryParams({"rui": VALID, "do": "store"})), 303),
    "what is known already": ("GET", "/api/schema", {}, "", 304),
    "an asset that is known already": ("GET", "/inspector.css", {}, "", 304),
    "a page that is known already": ("GET", "/specs/:stored", HTML, "", 304),
    "a spec that is known already": ("GET", "/api/specs/:stored", {}, "", 304),
    "a fault of ours": ("GET", "/api/docs", {}, "", 500),
}  # fmt: skip


@pytest.fixture(scope="module")
def service(tmp_path_factory) -> Iterator[Service]:
    settings = Settings(store=f"sqlite:///{tmp_path_factory.mktemp('headers')}/rui.db", allowed_hosts=("127.0.0.1",))
    with running(create_app(settings)) as service:
        yield service


def check_headers(answer: httpx.Response) -> None:
    headers = {(name.lower().encode(), value.encode()) for name, value in answer.headers.items()}
    assert {*SECURITY} <= headers
    assert answer.headers["x-request-id"]
    assert "server" not in answer.headers
    if answer.headers.get("content-type", "").startswith("text/html"):
        assert {*PAGES} <= headers


@pytest.mark.parametrize("name", ANSWERS)
def test_every_answer(service: Service, monkeypatch, name: str) -> None:
    method, path, headers, body, status = ANSWERS[name]
    if ":stored" in path:
        path = path.replace(":stored", str(service.store()["specId"]))
    if status == 304:
        headers = {**headers, "If-None-Match": service.client.get(path, headers=headers).headers["etag"]}
    if status == 500:
        monkeypatch.setattr(discovery, "docs_payload", None)
    answer = httpx.request(method, f"{service.url}{path}", headers=headers, content=body)
    assert answer.status_code == status
    check_headers(answer)


@pytest.mark.parametrize(("method", "path", "headers"), [
    ("GET", "/api/ready", {}), ("POST", "/api/specs", JSON), ("GET", f"/specs/{UUID}", HTML),
])  # fmt: skip
def test_while_the_store_is_down(method: str, path: str, headers: dict[str, str]) -> None:
    with running(create_app(Settings(), Down())) as service:
        answer = httpx.request(method, f"{service.url}{path}", headers=headers, content=VALID)
    assert answer.status_code == 503
    check_headers(answer)
