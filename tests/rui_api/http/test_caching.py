"""Cache-Control, entity tags and compression of every sort of response."""

import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from rui_api.config.options import Settings
from rui_api.routes.html import ASSET_FOLDER, ASSETS, FINGERPRINT
from tests.rui_api.live import UUID, Service, patient_app, running

KEPT = "public, max-age=60, s-maxage=60, stale-while-revalidate=60, stale-if-error=86400"
IMMUTABLE = "public, max-age=31536000, immutable"
ASKED = "no-cache"
NEVER = "no-store"
BASE_URL = "https://rui.example.org"

GETS = {
    "/api/specs/ID": KEPT, "/specs/ID": KEPT, "/specs/ID?q=x": KEPT, "/specs/ID/rui.json": KEPT,
    "/specs/ID/compare/ID": KEPT, "/docs": KEPT, "/docs/rules/R18": KEPT, "/api/schema": KEPT, "/api/docs": KEPT,
    "/api/openapi.json": KEPT, "/llms.txt": KEPT, "/": ASKED, "/?copy=ID": ASKED,
    f"{ASSET_FOLDER}{FINGERPRINT}/inspector.css": IMMUTABLE, f"{ASSET_FOLDER}0123456789abcdef/inspector.css": ASKED,
    f"{ASSET_FOLDER}{FINGERPRINT}/nope.css": NEVER, "/api/health": NEVER, "/api/ready": NEVER, "/nope": NEVER,
    "/docs/rules/R99": NEVER, "/api/nope": NEVER, "/api/specs/x": NEVER, f"/api/specs/{UUID}": NEVER,
    f"/specs/{UUID}": NEVER, "/api/schema?form=x": NEVER,
}  # fmt: skip
"""Path → Cache-Control with a base URL and `--cache-max-age 60`."""


@pytest.fixture(scope="module")
def cached(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    store = f"sqlite:///{tmp_path_factory.mktemp('caching')}/rui.db"
    with running(patient_app(Settings(store=store, base_url=BASE_URL, cache_max_age=60))) as service:
        yield service


@pytest.fixture(scope="module")
def cached_id(cached: Service) -> str:
    return str(cached.store()["specId"])


@pytest.mark.parametrize("path", GETS)
def test_with_a_base_url(cached: Service, cached_id: str, path: str) -> None:
    target = path.replace("ID", cached_id)
    response = cached.client.get(target)
    assert response.headers["cache-control"] == GETS[path]
    assert ("etag" in response.headers) == (GETS[path] in (KEPT, IMMUTABLE) or path.startswith(f"{ASSET_FOLDER}01"))
    if "etag" in response.headers:
        etag = response.headers["etag"]
        assert etag.startswith("W/") != path.startswith("/api/"), "compressed responses have weak tags"
        for known in (etag, f'"x", {etag}', "*"):
            unchanged = cached.client.get(target, headers={"If-None-Match": known})
            assert (unchanged.status_code, unchanged.content, unchanged.headers["etag"]) == (304, b"", etag)
            assert unchanged.headers["cache-control"] == GETS[path]
        changed = cached.client.get(target, headers={"If-None-Match": '"x"'})
        assert (changed.status_code, changed.content) == (200, response.content)


@pytest.mark.parametrize("settings", [
    {"cache_max_age": 60}, {"base_url": BASE_URL},
    {"base_url": BASE_URL, "cache_max_age": 60, "allow_origins": ("https://a.example",)},
])  # fmt: skip
def test_nothing_is_shared_that_depends_on_host_or_origin(tmp_path: Path, settings: dict[str, object]) -> None:
    with running(patient_app(Settings(store=f"sqlite:///{tmp_path}/rui.db", **settings))) as service:
        spec_id = str(service.store()["specId"])
        for path in (path for path, kept in GETS.items() if kept == KEPT):
            assert service.client.get(path.replace("ID", spec_id)).headers["cache-control"] == ASKED


@pytest.mark.parametrize("path", [path for path, kept in GETS.items() if kept in (KEPT, IMMUTABLE)])
def test_what_is_kept_depends_on_no_header_of_a_client(cached: Service, cached_id: str, path: str) -> None:
    """Pages and their files are compressed; responses of the API are not."""
    target = path.replace("ID", cached_id)
    expected = cached.client.get(target, headers={"Accept-Encoding": "br, gzip"})
    plain = cached.client.get(target, headers={"Accept-Encoding": "identity"})
    assert (plain.content, "content-encoding" in plain.headers) == (expected.content, False)
    is_page = not path.startswith("/api/") and path != "/llms.txt"
    assert ("content-encoding" in expected.headers) is (is_page and len(plain.content) >= 1_000)
    for response in (expected, plain):
        assert ("Accept-Encoding" in response.headers.get("vary", "")) is is_page
    for name, value in (
        ("Host", "evil.example"), ("X-Forwarded-Host", "evil.example"), ("X-Forwarded-Proto", "gopher"),
        ("Forwarded", "host=evil.example;proto=gopher"), ("Origin", "https://evil.example"), ("Cookie", "a=b"),
        ("X-Original-URL", "/api/health"), ("X-HTTP-Method-Override", "DELETE"), ("Range", "bytes=0-3"),
    ):  # fmt: skip
        response = cached.client.get(target, headers={name: value})
        assert (response.status_code, response.content) == (200, expected.content), name
        for header in ("etag", "cache-control", "content-type"):
            assert response.headers.get(header) == expected.headers.get(header), (name, header)


def test_pages_load_assets_with_their_fingerprint(cached: Service, cached_id: str) -> None:
    """The modules of the editor, too: they are in the same folder. A page of another version gets these files."""
    names = set()
    for path in ("/", f"/specs/{cached_id}", "/docs", "/nope"):
        html = httpx.get(f"{cached.url}{path}", headers={"Accept": "text/html"}, timeout=60).text
        loaded = re.findall(r'<(?:link|script)[^>]*(?:src|href)="([^"]*)"', html)
        assert len(loaded) >= 3
        for url in loaded:
            folder, _, name = url.rpartition("/")
            assert f"{folder}/" == f"{ASSET_FOLDER}{FINGERPRINT}/"
            names.add(name)
    by_scripts = {"codemirror.js", "editor.css", "notes.js", "notes.css"}
    assert names == {*ASSETS} - by_scripts
    for name, asset in ASSETS.items():
        for fingerprint in (FINGERPRINT, "x"):
            response = cached.client.get(f"{ASSET_FOLDER}{fingerprint}/{name}")
            assert (response.content, response.headers["content-type"]) == (asset.content, asset.media_type)


ACCEPTED = {
    "gzip": True, "GZIP": True, "gzip, deflate, br": True, "br;q=1.0, gzip;q=0.8": True, "gzip;q=0.001": True,
    "*": True,
    "x-gzip": True, "deflate , gzip ;q=0.5": True, "identity;q=0.5, gzip": True, "*;q=0.1": True, "gzip;q=1.000": True,
    "": False, "identity": False, "gzip;q=0": False, "gzip;q=0.0": False, "gzip;Q=0, *": False, "notgzip": False,
    "gzippy, br": False, "*;q=0": False, "gzip;q=x": False, "gzip;q=-1": False, "gzip;q=inf": False,
    "gzip;q=1.5": False,
    "identity, gzip;q=0.5": False, "deflate": False,
}  # fmt: skip
"""Accept-Encoding → whether a page is compressed."""


@pytest.mark.parametrize("accepted", ACCEPTED)
def test_accepted_codings(service: Service, accepted: str) -> None:
    """Caches learn that pages depend on Accept-Encoding, also from 304 and from what is not compressed."""
    response = service.client.get("/docs/api", headers={"Accept-Encoding": accepted})
    assert response.headers.get("content-encoding") == ("gzip" if ACCEPTED[accepted] else None)
    assert "<html" in response.text and len(response.content) > 1_000
    headers = {"Accept-Encoding": accepted, "If-None-Match": response.headers["etag"]}
    unchanged = service.client.get("/docs/api", headers=headers)
    assert (unchanged.status_code, unchanged.content) == (304, b"")
    for answer in (response, unchanged):
        assert answer.headers.get_list("vary") == ["Accept-Encoding"]


def test_several_lines_of_accepted_codings(service: Service) -> None:
    lines = [("Accept-Encoding", "br"), ("Accept-Encoding", "gzip")]
    assert httpx.get(f"{service.url}/docs/api", headers=lines, timeout=60).headers["content-encoding"] == "gzip"
    refused = [("Accept-Encoding", "*"), ("Accept-Encoding", "gzip;q=0")]
    assert "content-encoding" not in httpx.get(f"{service.url}/docs/api", headers=refused, timeout=60).headers


def test_vary_of_pages_that_depend_on_accept(service: Service) -> None:
    """Errors outside of the API are pages or JSON."""
    response = service.client.get("/nope/x", headers={"Accept-Encoding": "gzip"})
    page = service.client.get(f"/specs/{UUID}", headers={"Accept-Encoding": "gzip"})
    assert response.headers["vary"] == "Accept"
    assert set(page.headers["vary"].split(", ")) <= {"Accept", "Accept-Encoding"}
