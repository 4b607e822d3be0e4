"""The CORS headers of every sort of response, so that shared caches may keep them."""

from collections.abc import Iterator

import httpx
import pytest

from rui_api.config.options import Settings
from rui_api.http.limits import RequestLimits
from rui_api.routes.html import ASSET_FOLDER, FINGERPRINT
from tests.rui_api.live import JSON, UUID, Service, patient_app, running

BASE_URL = "https://rui.example.org"
ALLOWED = ("https://a.example", "http://b.example:8080")
ORIGINS = (
    "",
    *ALLOWED,
    "https://evil.example",
    "https://a.example.evil",
    "HTTPS://A.EXAMPLE",
    "http://a.example",
    "null",
)
REQUESTS = {
    "GET /api/specs/ID": 200, "HEAD /api/specs/ID": 200, "GET /specs/ID": 200, "GET /specs/ID/rui.json": 200,
    "GET /llms.txt": 200, "GET /api/docs": 200, "GET /api/schema": 200, "GET /api/openapi.json": 200, "GET /docs": 200,
    f"GET {ASSET_FOLDER}{FINGERPRINT}/inspector.css": 200, "GET /api/health": 200, "GET /": 200,
    "GET /api/specs/x": 400, f"GET /api/specs/{UUID}": 404, "GET /nope": 404, "GET /api/nope": 404,
    "PUT /api/specs": 405, "DELETE /docs": 405, "POST /api/validate": 400, "POST /nope": 404,
}  # fmt: skip
"""Request → the status of its response to an allowed origin."""


@pytest.fixture(scope="module")
def public(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    store = f"sqlite:///{tmp_path_factory.mktemp('public')}/rui.db"
    with running(patient_app(Settings(store=store, base_url=BASE_URL, cache_max_age=60))) as service:
        yield service


@pytest.fixture(scope="module")
def listed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    store = f"sqlite:///{tmp_path_factory.mktemp('listed')}/rui.db"
    with running(patient_app(Settings(store=store, base_url=BASE_URL, allow_origins=ALLOWED))) as service:
        yield service


def vary(response: httpx.Response) -> list[str]:
    """Return the names in Vary, which is one header: older caches read the last one only."""
    values = response.headers.get_list("vary")
    assert len(values) <= 1
    return [name.strip().lower() for value in values for name in value.split(",")]


def responses(service: Service, request: str, spec_id: str, origin: str) -> Iterator[httpx.Response]:
    """Yield the response to a request, for each representation, and 304 if it has an entity tag."""
    method, _, path = request.replace("ID", spec_id).partition(" ")
    for accept, coding in (("*/*", "gzip"), ("text/html", "identity"), ("application/json", "gzip")):
        headers = {"Accept": accept, "Accept-Encoding": coding, **({"Origin": origin} if origin else {})}
        response = service.client.request(method, path, headers=headers)
        yield response
        if method == "GET" and "etag" in response.headers:
            again = service.client.get(path, headers={**headers, "If-None-Match": response.headers["etag"]})
            assert again.status_code == 304
            yield again


@pytest.mark.parametrize("request_line", REQUESTS)
def test_all_origins(public: Service, request_line: str) -> None:
    """The headers are the same for every origin and without one, also with a cookie."""
    spec_id = str(public.store()["specId"])
    for origin in ("", "https://a.example", "null"):
        for response in responses(public, request_line, spec_id, origin):
            assert response.status_code in (REQUESTS[request_line], 304)
            assert response.headers.get_list("access-control-allow-origin") == ["*"]
            assert "Retry-After" in response.headers["access-control-expose-headers"]
            assert "access-control-allow-credentials" not in response.headers
            assert "origin" not in vary(response)
    method, _, path = request_line.replace("ID", spec_id).partition(" ")
    headers = {"Origin": "https://a.example", "Cookie": "login=1"}
    assert public.client.request(method, path, headers=headers).headers["access-control-allow-origin"] == "*"


@pytest.mark.parametrize("request_line", REQUESTS)
def test_a_list_of_origins(public: Service, listed: Service, request_line: str) -> None:
    """Vary names Origin in every response, beside what it names without the list."""
    spec_ids = [str(service.store()["specId"]) for service in (public, listed)]
    for origin in ORIGINS:
        pairs = zip(
            responses(public, request_line, spec_ids[0], origin),
            responses(listed, request_line, spec_ids[1], origin),
            strict=False,
        )
        for other, response in pairs:
            permissions = response.headers.get_list("access-control-allow-origin")
            assert permissions == ([origin] if origin in ALLOWED else [])
            if response.status_code == 403:
                assert origin not in ("", *ALLOWED)
                assert "origin" in vary(response)
                continue
            assert vary(response) == [*vary(other), "origin"]


@pytest.mark.parametrize("path", ["/api/specs", "/api/nope", "/"])
def test_preflights(public: Service, listed: Service, path: str) -> None:
    for origin in ORIGINS[1:]:
        asked = {
            "Origin": origin,
            "Access-Control-Request-Method": "PUT",
            "Access-Control-Request-Headers": "x-a, ,X-B",
        }
        response = public.client.options(path, headers=asked)
        assert (response.status_code, response.headers["access-control-allow-origin"]) == (204, "*")
        assert response.headers["access-control-allow-methods"] == "GET, HEAD, POST"
        assert {"x-a", "X-B"} < set(response.headers["access-control-allow-headers"].split(", "))
        response = listed.client.options(path, headers=asked)
        assert vary(response) == ["origin"]
        assert response.status_code == (204 if origin in ALLOWED else 400)
        assert response.headers.get("access-control-allow-origin", "") == (origin if origin in ALLOWED else "")
        assert origin in ALLOWED or response.json()["error"] == "BAD_REQUEST"
    assert "access-control-allow-methods" not in public.client.options(path).headers, "no Origin, no preflight"


def test_an_overloaded_service(tmp_path) -> None:
    app = patient_app(Settings(store=f"sqlite:///{tmp_path}/rui.db"), limits=RequestLimits(max_requests=0))
    with running(app) as service:
        response = service.client.post("/api/validate", content=b"{}", headers=JSON)
        assert (response.status_code, response.headers["access-control-allow-origin"]) == (503, "*")
