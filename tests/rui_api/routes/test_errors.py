"""Headers of every response, and error responses (docs/decisions.md, section 6; specification, section 7.4)."""

import json
import logging
import re

import httpx
import pytest
from litestar.testing import TestClient

from rui_api.app import create_app, create_router
from rui_api.config.options import Settings
from rui_api.contract.endpoints import ANY_ENDPOINT, ENDPOINTS
from rui_api.http import bodies
from rui_api.http.limits import RequestLimits
from rui_api.http.responses import PAGE_HEADERS
from rui_api.routes import discovery, home, inspector, specs
from rui_api.routes.html import ASSET_FOLDER
from rui_common.describe import minimal_example
from tests.rui_api.live import PLAYGROUND, UUID, Down, Service


def address_of(path: str) -> str:
    return path.replace(":id", UUID).replace(":other", UUID)


PAGES = {
    ("GET", "/"), ("POST", "/"), ("GET", "/docs"), ("GET", "/docs/vocabulary"), ("GET", "/docs/rules"),
    ("GET", "/docs/rules/:rule"), ("GET", "/docs/api"), ("GET", "/specs/:id/compare"),
    ("GET", "/specs/:id/compare/:other"),
}  # fmt: skip
"""Routes for people, which are not described."""
ROUTES = [*((route.method, route.path) for route in ENDPOINTS), *sorted(PAGES)]
ADDRESSES = [*dict.fromkeys(address_of(path) for _, path in ROUTES)]


def check_fault(answer, status: int, error: str) -> None:
    """The body is `{error, message}` as JSON, without internal details."""
    assert answer.status_code == status
    assert answer.headers["content-type"] == "application/json"
    assert list(answer.json()) == ["error", "message"]
    assert answer.json()["error"] == error
    assert "Traceback" not in answer.text


def test_paths_are_exact(service: Service) -> None:
    page = f"/specs/{service.store()['specId']}"
    for path in (
        f"/api{page}/",
        f"{page}//",
        "/specs//",
        "/api//docs",
        "/docs/",
        "/api/health/",
        "/api/specs/",
        "/api/validate/",
    ):
        assert service.client.get(path).status_code == 404
    # An address with a slash at its end is common. It is not in the OpenAPI document.
    assert httpx.get(f"{service.url}{page}/", timeout=60).status_code == 200


@pytest.mark.parametrize("path", [
    "/nope", "/api", "/api/", "/specs", "/api/specs/a/b", "/API/HEALTH", "/favicon.ico", "/schema", "/openapi.json",
    "/static/inspector.css", "/api/%2e%2e/x", "/%00", "/%ff", "/" + "a/" * 2000,
])  # fmt: skip
def test_unknown_path(service: Service, path: str) -> None:
    for method in ("GET", "PUT"):
        check_fault(service.client.request(method, path), 404, "NOT_FOUND")


METHODS = {"PUT", "DELETE", "PATCH", "POST", "GET", "TRACE", "REPORT"}


def methods_of(path: str) -> set[str]:
    return {method for method, route in ROUTES if address_of(route) == path}


@pytest.mark.parametrize("path", ADDRESSES)
def test_wrong_methods_and_head(service: Service, path: str) -> None:
    """HEAD has the headers of GET."""
    allowed = methods_of(path)
    more = {"HEAD"} if "GET" in allowed else set()
    for method in METHODS - allowed:
        answer = service.client.request(method, path)
        check_fault(answer, 405, "METHOD_NOT_ALLOWED")
        assert answer.headers["allow"] == ", ".join(sorted(allowed | more | {"OPTIONS"}))
    if more:
        got, head = service.client.get(path), service.client.head(path)
        assert (head.status_code, head.content) == (got.status_code, b"")
        for name in ("content-type", "content-length", "etag", "vary", "cache-control", "content-security-policy"):
            assert head.headers.get(name) == got.headers.get(name), name


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE"])
@pytest.mark.parametrize("path", ["/api/specs/4be0643f-1d98-473b-97cd-ca98a65347dd", "/api/specs/a"])
def test_a_spec_does_not_change(service: Service, method: str, path: str) -> None:
    """The message names what to do instead."""
    body = service.client.request(method, path).json()
    assert body["message"].startswith("A spec never changes: POST its new version")
    assert "never changes" not in service.client.request("POST", path).json()["message"]


class SecretError(Exception):
    pass


def fail(*_: object, **__: object) -> None:
    raise SecretError("secret detail")


@pytest.mark.parametrize(("module", "name", "method", "path"), [
    (bodies, "read", "POST", "/api/validate"), (specs, "content_hash", "POST", "/api/specs"),
    (specs, "_read_valid", "POST", "/api/validate"), (specs, "new_spec", "POST", "/api/specs"),
    (specs, "canonical_spec_id", "GET", "/api/specs/x"), (discovery, "docs_payload", "GET", "/api/docs"),
])  # fmt: skip
def test_internal_fault(service: Service, monkeypatch, caplog, module, name: str, method: str, path: str) -> None:
    """The response shows no internals; the log has the traceback."""
    monkeypatch.setattr(module, name, fail)
    with caplog.at_level(logging.ERROR, "rui_api"):
        large = minimal_example() | {"meta": {"x": 2**60}}  # The typed decoder leaves it to the validator.
        content = json.dumps(large).encode() if method == "POST" else None
        answer = service.client.request(method, path, content=content, headers={"Content-Type": "application/json"})
    check_fault(answer, 500, "INTERNAL_ERROR")
    assert answer.headers["x-request-id"] in answer.json()["message"]
    assert "secret" not in answer.text
    assert "secret detail" in caplog.text
    assert "rui_api" in caplog.records[-1].name


def check_page(answer, code: int) -> None:
    """The response is an HTML page; the client of `live` checks it against the OpenAPI document."""
    assert (answer.status_code, answer.headers["content-type"]) == (code, "text/html; charset=utf-8")


@pytest.mark.parametrize("path", [path for path in ADDRESSES if not path.startswith("/api/")])
def test_outside_of_the_api_people_get_faults_as_pages(service: Service, path: str) -> None:
    for method in (*methods_of(path), "HEAD", "OPTIONS"):
        check_page(service.client.request(method, path, headers={"Host": "a b", "Accept": "text/html"}), 400)
        accepted = "application/json, text/html;q=0.9"
        answer = service.client.request(method, path, headers={"Host": "a b", "Accept": accepted})
        assert (answer.status_code, answer.headers["content-type"]) == (400, "application/json")


FORM = "rui=%7B%7D&do=store"
FAULTS = {
    "a text": (discovery, "llms_txt", "GET", "/llms.txt"),
    "the front page": (home, "front_page", "GET", "/"),
    "a form": (home, "read_form", "POST", "/"),
    "a page of the documentation": (discovery, "page_response", "GET", "/docs/rules"),
    "a spec": (inspector, "fetch_spec", "GET", f"/specs/{UUID}"),
    "a file": (inspector, "fetch_spec", "GET", f"/specs/{UUID}/rui.json"),
    "a comparison": (inspector, "fetch_spec", "GET", f"/specs/{UUID}/compare/{UUID}"),
    "notes": (inspector, "receive_body", "POST", f"/specs/{UUID}/compare/{UUID}/notes"),
    "a request of the editor": (home, "receive_body", "POST", f"{PLAYGROUND}check"),
}  # fmt: skip


@pytest.mark.parametrize(("module", "name", "method", "path"), FAULTS.values(), ids=FAULTS)
def test_faults_of_the_service_too(service: Service, monkeypatch, module, name: str, method: str, path: str) -> None:
    """Page and JSON have the id of the request, also that of the client, without internals; HEAD has it in a header."""
    monkeypatch.setattr(module, name, fail)
    content = FORM if method == "POST" else None
    for accepted, id_ in (("text/html", "agent-7"), ("text/html", ""), ("application/json", "agent-8")):
        headers = {"Accept": accepted, "Content-Type": "application/x-www-form-urlencoded", "X-Request-ID": id_}
        answer = httpx.request(method, f"{service.url}{path}", content=content, headers=headers, timeout=60)
        assert answer.status_code == 500 and answer.headers["content-type"].partition(";")[0] == accepted
        assert answer.headers["x-request-id"] and id_ in answer.headers["x-request-id"]
        assert answer.headers["x-request-id"] in answer.text and "secret" not in answer.text
    if method == "GET":
        answer = service.client.head(path, headers={"Accept": "text/html"})
        check_page(answer, 500)
        assert answer.headers["x-request-id"]


def test_environment_does_not_turn_on_stack_traces(monkeypatch, tmp_path) -> None:
    monkeypatch.setenv("LITESTAR_DEBUG", "1")
    monkeypatch.setenv("LITESTAR_PDB", "1")
    monkeypatch.setattr(discovery, "docs_payload", fail)
    with TestClient(create_app(Settings(store=f"sqlite:///{tmp_path}/rui.db"))) as client:
        check_fault(client.get("/api/docs"), 500, "INTERNAL_ERROR")


@pytest.mark.parametrize("path", [*ADDRESSES, "/nope", f"{ASSET_FOLDER}x/inspector.css"])
def test_headers_of_every_response(service: Service, path: str) -> None:
    for method in ("GET", "HEAD", "POST", "OPTIONS"):
        headers = service.client.request(method, path, headers={"Origin": service.url}).headers
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "same-origin"
        assert headers["x-request-id"]
        assert headers["access-control-allow-origin"] == "*"
        assert "server" not in headers
        if headers.get("content-type", "").startswith("text/html"):
            assert PAGE_HEADERS.items() <= {*headers.items()}
            policy = headers["content-security-policy"]
            assert "default-src 'none'" in policy and "unsafe" not in policy


def test_table_of_endpoints_is_what_is_routed(service: Service) -> None:
    """`endpoints` lists all routes of the service except pages, their files and their requests."""
    app = create_router(Settings(), Down(), RequestLimits())
    routed = {
        (method, re.sub(r"\{(\w+?)(_id)?(:str)?\}", r":\1", route.path_format).replace(":spec", ":id"))
        for route in app.routes
        for method in route.methods
        if method not in ("OPTIONS", "HEAD")
    }
    assert routed == {
        *ROUTES,
        ("GET", f"{ASSET_FOLDER}:fingerprint/:name"),
        ("POST", f"{PLAYGROUND}:action"),
        ("POST", "/specs/:id/compare/:other/notes"),
    }
    assert {answer.status for answer in ANY_ENDPOINT} == {204, 400, 403, 404, 405, 500, 503}


def test_an_error_is_json_unless_html_is_preferred(service: Service) -> None:
    unpreferred = ("*/*", "text/html;q=0.5, application/json", "text/html;q=inf", "text/html2", "nonsense")
    for accept in ("", "application/json", *unpreferred):
        answer = service.client.get("/nothing", headers={"Accept": accept})
        assert answer.headers["content-type"] == "application/json"


@pytest.mark.parametrize(("path", "meant"), [
    ("/validate", "/api/validate"), ("/api/spec", "/api/specs"), ("/openapi.json", "/api/openapi.json"),
    ("/llms.tx", "/llms.txt"), ("/nope", ""), ("/api/health/", "/api/health"),
    ("/api/openapi.json/", "/api/openapi.json"),
    ("/api/validate/", "/api/validate"), ("//api/specs", "/api/specs"), ("/api//docs", "/api/docs"),
])  # fmt: skip
def test_the_address_that_is_meant_is_named(service: Service, path: str, meant: str) -> None:
    message = service.client.get(path, headers={"Accept": "application/json"}).json()["message"]
    assert message == "No resource has this address." + f" Did you mean {meant}?" * bool(meant)
