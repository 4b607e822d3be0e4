"""Pages of other origins: the API is open to them or narrowed, forms and the editor are closed."""

import json
from collections.abc import Iterator

import httpx
import pytest

from rui_api.config.options import Settings
from rui_common.describe import minimal_example
from tests.rui_api.live import JSON, UUID, Service, patient_app, running

DOCUMENT = json.dumps(minimal_example())
FORM = {"data": {"rui": DOCUMENT, "do": "store"}}
BODY = {"content": DOCUMENT, "headers": JSON}
ALLOWED = "https://app.example.org"
EVIL = "https://evil.example"
BASE_URL = "https://rui.example.org/base"


@pytest.fixture(scope="module")
def narrow(tmp_path_factory) -> Iterator[Service]:
    """A service that allows one origin, and knows its base URL."""
    store = f"sqlite:///{tmp_path_factory.mktemp('origins')}/rui.db"
    with running(patient_app(Settings(store=store, allow_origins=(ALLOWED,), base_url=BASE_URL))) as service:
        yield service


def send(service: Service, path: str, origin: str, site: str) -> httpx.Response:
    """Send a POST as a browser does; `OWN` is the origin of the service."""
    options = BODY if path.startswith("/api/") else FORM
    headers = {**options.get("headers", {}), "Accept": "text/html"}
    if origin:
        headers["Origin"] = service.url if origin == "OWN" else origin
    if site:
        headers["Sec-Fetch-Site"] = site
    return service.client.post(path, **{**options, "headers": headers})


OWN = [("", ""), ("OWN", ""), ("OWN", "same-origin"), ("null", "same-origin"), ("", "none")]
FOREIGN = [(EVIL, ""), ("null", ""), ("https://127.0.0.1.evil.example", ""), (EVIL, "cross-site"), ("", "cross-site"),
           ("http://127.0.0.1:1", "same-site"), ("http://127.0.0.1:1", ""), ("http://127.0.0.1", "")]  # fmt: skip
FORMS = ["/", "/playground/check"]


@pytest.mark.parametrize("path", FORMS)
def test_forms_accept_their_own_origin(service: Service, narrow: Service, path: str) -> None:
    for asked, own, foreign in (
        (narrow, [*OWN, ("https://rui.example.org", "")], [*FOREIGN, (ALLOWED, ""), ("ftp://rui.example.org", "")]),
        (service, OWN, FOREIGN),
    ):  # fmt: skip
        form = path.replace("ID", str(asked.store()["specId"]))
        for origin, site in own:
            assert send(asked, form, origin, site).status_code in (200, 303), (origin, site)
        for origin, site in foreign:
            refused = send(asked, form, origin, site)
            assert (refused.status_code, "Another site sent this request" in refused.text) == (403, True), (
                origin,
                site,
            )


@pytest.mark.parametrize("path", ["/api/validate", "/api/specs"])
def test_the_api_is_public_unless_it_is_narrowed(service: Service, narrow: Service, path: str) -> None:
    for origin, site in (*OWN, *FOREIGN):
        assert send(service, path, origin, site).status_code in (200, 201)
    for origin, site in (*OWN, (ALLOWED, ""), (ALLOWED, "cross-site"), ("", "cross-site")):
        assert send(narrow, path, origin, site).status_code in (200, 201), (origin, site)
    for origin, site in FOREIGN:
        if origin:
            refused = send(narrow, path, origin, site)
            assert (refused.status_code, refused.json()["error"]) == (403, "FORBIDDEN"), (origin, site)
            assert "--allow-origins" in refused.json()["message"]


PREFLIGHT = {"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "content-type, x-trace"}


@pytest.mark.parametrize("path", ["/api/validate", "/api/specs", f"/api/specs/{UUID}", "/api/docs", "/"])
def test_preflight(service: Service, narrow: Service, path: str) -> None:
    for origin, asked in ((ALLOWED, narrow), (EVIL, service)):
        answer = asked.client.options(path, headers={**PREFLIGHT, "Origin": origin})
        assert (answer.status_code, answer.content) == (204, b"")
        assert answer.headers["access-control-allow-origin"] in ("*", origin)
        assert "POST" in answer.headers["access-control-allow-methods"]
        assert {"Content-Type", "x-trace"} <= {*answer.headers["access-control-allow-headers"].split(", ")}
        assert "access-control-allow-credentials" not in answer.headers
    for origin in (EVIL, f"{ALLOWED}.evil", ALLOWED.replace("https", "http"), "null"):
        answer = narrow.client.options(path, headers={**PREFLIGHT, "Origin": origin})
        assert answer.status_code == 400 and "access-control-allow-origin" not in answer.headers


def test_allowed_origins_may_read_headers_and_errors(service: Service, narrow: Service) -> None:
    answer = service.post("/api/specs", minimal_example(), Origin=EVIL)
    assert {"Location", "ETag"} <= set(answer.headers["access-control-expose-headers"].split(", "))
    for path in ("/api/docs", "/api/specs/x", "/api/nope"):
        answer = narrow.client.get(path, headers={"Origin": ALLOWED})
        assert (answer.headers["access-control-allow-origin"], answer.headers["vary"]) == (ALLOWED, "Origin")
