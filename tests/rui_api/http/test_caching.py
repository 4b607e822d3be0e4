"""Cache-Control and Vary of every sort of response, with and without a base URL."""

import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from rui_api.app import create_app
from rui_api.config.options import Settings
from rui_api.routes.html import ASSET_FOLDER, ASSETS, FINGERPRINT
from rui_common.describe import minimal_example
from tests.rui_api.live import UUID, Service, running

KEPT = "public, max-age=60, s-maxage=60, stale-while-revalidate=60, stale-if-error=86400"
IMMUTABLE = "public, max-age=31536000, immutable"
ASKED = "no-cache"
NEVER = "no-store"
ENCODED = "Accept-Encoding"

GETS = {
    "/api/specs/ID": (KEPT, None),
    "/specs/ID": (KEPT, ENCODED),
    "/specs/ID?q=x": (KEPT, ENCODED),
    "/specs/ID/rui.json": (KEPT, ENCODED),
    "/specs/ID/compare/ID": (KEPT, ENCODED),
    "/docs": (KEPT, ENCODED),
    "/docs/rules/R18": (KEPT, ENCODED),
    "/api/schema": (KEPT, None),
    "/api/docs": (KEPT, "Accept"),
    "/api/openapi.json": (KEPT, None),
    "/llms.txt": (KEPT, None),
    "/": (ASKED, ENCODED),
    "/?copy=ID": (ASKED, ENCODED),
    "/inspector.css": (ASKED, ENCODED),
    f"{ASSET_FOLDER}{FINGERPRINT}/inspector.css": (IMMUTABLE, ENCODED),
    f"{ASSET_FOLDER}{FINGERPRINT}/codemirror.js": (IMMUTABLE, ENCODED),
    f"{ASSET_FOLDER}0123456789abcdef/inspector.css": (ASKED, ENCODED),
    f"{ASSET_FOLDER}{FINGERPRINT}/nope.css": (NEVER, "Accept"),
    "/api/health": (NEVER, None),
    "/api/ready": (NEVER, None),
    "/nope": (NEVER, "Accept"),
    "/docs/rules/R99": (NEVER, None),
    "/api/nope": (NEVER, None),
    "/api/specs/x": (NEVER, None),
    f"/api/specs/{UUID}": (NEVER, None),
    f"/specs/{UUID}": (NEVER, None),
    "/api/schema?form=x": (NEVER, None),
}  # fmt: skip
"""Path → Cache-Control with a base URL and `--cache-max-age 60`, and Vary."""


@pytest.fixture(scope="module")
def cached(tmp_path_factory) -> Iterator[Service]:
    store = f"sqlite:///{tmp_path_factory.mktemp('caching')}/rui.db"
    settings = Settings(store=store, base_url="https://rui.example.org", cache_max_age=60)
    with running(create_app(settings)) as service:
        yield service


@pytest.fixture(scope="module")
def cached_id(cached: Service) -> str:
    return str(cached.store()["specId"])


@pytest.mark.parametrize("method", ["GET", "HEAD"])
@pytest.mark.parametrize("path", GETS)
def test_with_a_base_url(cached: Service, cached_id: str, method: str, path: str) -> None:
    expected, vary = GETS[path]
    target = path.replace("ID", cached_id)
    response = cached.client.request(method, target)
    assert response.headers["cache-control"] == expected
    assert response.headers.get("vary") == vary
    if "etag" in response.headers:
        unchanged = cached.client.request(method, target, headers={"If-None-Match": response.headers["etag"]})
        assert unchanged.status_code == 304
        for name in ("cache-control", "vary", "etag"):
            assert unchanged.headers.get(name) == response.headers.get(name)


@pytest.mark.parametrize("path", GETS)
def test_without_a_base_url_nothing_is_kept(service: Service, path: str) -> None:
    response = service.client.get(path.replace("ID", str(service.store()["specId"])))
    assert response.headers["cache-control"] in (ASKED, NEVER)


@pytest.mark.parametrize("path", [path for path, (kept, _) in GETS.items() if kept in (KEPT, IMMUTABLE)])
def test_what_is_kept_depends_on_no_header_but_vary(cached: Service, cached_id: str, path: str) -> None:
    """No header of one client changes what a cache gives to others."""
    target = path.replace("ID", cached_id)
    varying = (GETS[path][1] or "").lower()
    expected = cached.client.get(target)
    for name, value in (
        ("Host", "evil.example"), ("X-Forwarded-Host", "evil.example"), ("X-Forwarded-Proto", "gopher"),
        ("X-Forwarded-For", "10.9.8.7"), ("Forwarded", "host=evil.example;proto=gopher"), ("Origin", "https://evil.example"),
        ("X-Original-URL", "/api/health"), ("X-HTTP-Method-Override", "DELETE"), ("Cookie", "a=b"),
        ("Accept-Language", "de"), ("User-Agent", "evil"), ("Accept", "text/html"), ("Accept-Encoding", "identity"),
        ("Range", "bytes=0-3"),
    ):  # fmt: skip
        response = cached.client.get(target, headers={name: value})
        assert response.status_code == 200
        if name.lower() != varying:
            assert response.content == expected.content, name
            for header in ("etag", "cache-control", "vary", "content-type", "access-control-allow-origin"):
                assert response.headers.get(header) == expected.headers.get(header), (name, header)


def test_posts_are_not_kept(cached: Service) -> None:
    for path in ("/api/validate", "/api/specs"):
        assert "public" not in cached.post(path, minimal_example()).headers.get("cache-control", "")


def test_a_narrow_list_of_origins(tmp_path: Path) -> None:
    """There is one Vary, in which a cache finds both headers."""
    settings = Settings(
        store=f"sqlite:///{tmp_path}/rui.db", base_url="https://rui.example.org", cache_max_age=60,
        allowed_origins=("https://app.example.org",),
    )  # fmt: skip
    with running(create_app(settings)) as service:
        page = service.client.get(f"/specs/{service.store()['specId']}")
        spec = service.client.get("/api/schema")
    assert page.headers.get_list("vary") == ["Accept-Encoding, Origin"]
    assert spec.headers.get_list("vary") == ["Origin"]


def test_pages_load_assets_with_their_fingerprint(cached: Service, cached_id: str) -> None:
    """The modules of the editor, too: they are in the same folder."""
    names = set()
    for path in ("/", f"/specs/{cached_id}", "/docs", "/nope"):
        html = httpx.get(f"{cached.url}{path}", headers={"Accept": "text/html"}).text
        loaded = re.findall(r'<(?:link|script)[^>]*(?:src|href)="([^"]*)"', html)
        assert len(loaded) >= 3
        for url in loaded:
            folder, _, name = url.rpartition("/")
            assert f"{folder}/" == f"{ASSET_FOLDER}{FINGERPRINT}/"
            names.add(f"/{name}")
    assert names == {*ASSETS} - {"/codemirror.js", "/editor.css"}, "playground.js loads these"


@pytest.mark.parametrize("name", ["inspector.css", "playground.js"])
def test_an_asset_is_the_same_at_each_address(cached: Service, name: str) -> None:
    """A page of another version gets the files of this one."""
    plain = cached.client.get(f"/{name}")
    for fingerprint in (FINGERPRINT, "0123456789abcdef", "x"):
        other = cached.client.get(f"{ASSET_FOLDER}{fingerprint}/{name}")
        assert (other.status_code, other.content) == (200, plain.content)
