"""Compressed pages and assets: negotiation, entity tags, HEAD, 304, and the bound of the cache."""

import gzip
from collections.abc import Iterator

import httpx
import pytest

from rui_api.http.compression import CompressedResponses
from rui_api.http.negotiation import accepts_gzip
from rui_api.http.responses import Response
from rui_inspector.html import pages as render
from tests.rui_api.live import Service


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        ("", False), ("gzip", True), ("GZIP", True), ("x-gzip", True), ("br", False), ("br, gzip;q=0.1", True),
        ("gzip;q=0", False), ("gzip;q=0.000", False), ("gzip; Q=0.5", True), ("gzip;q=2", False), ("gzip;q=", False),
        ("*", True), ("*;q=0", False), ("gzip;q=0, *", False), ("*;q=0, gzip", True), ("identity", False),
        ("identity, gzip;q=0.5", False), ("identity;q=0.5, gzip;q=0.5", True), ("identity;q=0", False),
        ("gzip, deflate, br, zstd", True), (",,gzip ;q=1,", True), ("gzipped", False), ("gzip;level=9", True),
    ],
)  # fmt: skip
def test_accept_encoding(header: str, expected: bool) -> None:
    assert accepts_gzip(header) is expected


@pytest.fixture(scope="module")
def path(service: Service) -> str:
    return f"/specs/{service.store()['specId']}"


@pytest.fixture
def plain_client(service: Service) -> Iterator[httpx.Client]:
    """A client that sends no Accept-Encoding of its own."""
    with httpx.Client(base_url=service.url) as client:
        del client.headers["accept-encoding"]
        yield client


def raw(client: httpx.Client, method: str, path: str, **headers: str) -> tuple[httpx.Response, bytes]:
    """Return a response and its body as it was transferred."""
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    with client.stream(method, path, headers=sent) as response:
        return response, b"".join(response.iter_raw())


@pytest.mark.parametrize("target", ["spec", "/inspector.css", "/inspector.js", "/inspector.svg", "/"])
def test_gzip_has_the_same_content(plain_client: httpx.Client, path: str, target: str) -> None:
    target = path if target == "spec" else target
    plain, content = raw(plain_client, "GET", target)
    packed, packed_content = raw(plain_client, "GET", target, accept_encoding="br, gzip")
    assert "content-encoding" not in plain.headers
    assert packed.headers["content-encoding"] == "gzip"
    assert gzip.decompress(packed_content) == content
    assert int(packed.headers["content-length"]) == len(packed_content)
    for response in (plain, packed):
        assert "Accept-Encoding" in response.headers["vary"]
    refused, refused_content = raw(plain_client, "GET", target, accept_encoding="gzip;q=0")
    assert (refused.headers.get("content-encoding"), refused_content) == (None, content)


@pytest.mark.parametrize("coding", ["gzip", "identity"])
def test_each_form_has_an_entity_tag(plain_client: httpx.Client, path: str, coding: str) -> None:
    response, _ = raw(plain_client, "GET", path, accept_encoding=coding)
    other, _ = raw(plain_client, "GET", path, accept_encoding="identity" if coding == "gzip" else "gzip")
    etag = response.headers["etag"]
    assert etag != other.headers["etag"]
    assert not etag.startswith("W/")
    for tags in (etag, f"W/{etag}", f'"x", {etag}', "*"):
        unchanged, body = raw(plain_client, "GET", path, accept_encoding=coding, if_none_match=tags)
        assert (unchanged.status_code, body) == (304, b"")
        assert unchanged.headers["etag"] == etag
        assert unchanged.headers["vary"] == "Accept-Encoding"
        assert "content-encoding" not in unchanged.headers
    changed, _ = raw(plain_client, "GET", path, accept_encoding=coding, if_none_match=other.headers["etag"])
    assert changed.status_code == 200


@pytest.mark.parametrize("coding", ["gzip", "identity"])
def test_head_has_the_headers_of_get(plain_client: httpx.Client, path: str, coding: str) -> None:
    response, _ = raw(plain_client, "GET", path, accept_encoding=coding)
    head, body = raw(plain_client, "HEAD", path, accept_encoding=coding)
    assert body == b""
    for name in ("content-length", "content-type", "etag", "vary", "content-encoding"):
        assert head.headers.get(name) == response.headers.get(name)


def test_errors_and_answers_of_the_api_are_not_compressed(plain_client: httpx.Client, path: str) -> None:
    for target in ("/specs/nope", "/api/schema", f"/api{path}"):
        response, _ = raw(plain_client, "GET", target, accept_encoding="gzip", accept="text/html")
        assert "content-encoding" not in response.headers


def test_a_page_is_rendered_and_compressed_once(
    plain_client: httpx.Client, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    rendered = []
    spec_page = render.spec_page
    monkeypatch.setattr(render, "spec_page", lambda *a, **k: rendered.append(1) or spec_page(*a, **k))
    path = f"/specs/{service.store()['specId']}"
    for method in ("GET", "GET", "HEAD"):
        raw(plain_client, method, path, accept_encoding="gzip")
    assert len(rendered) == 1


def test_the_cache_is_bounded() -> None:
    cache = CompressedResponses(max_bytes=3_000)
    created = []

    def get(name: str, length: int = 900) -> None:
        if cache.get(name) is None:
            created.append(name)
            cache.add(name, Response(bytes(length)))
        assert cache.size <= 3_000

    for name in "abcadaeab":
        get(name)
    assert "".join(created) == "abcdeb"  # the one that is used again and again stays
    get("huge", 10_000)
    assert cache.size == 0


def test_a_downloaded_document_can_be_compressed_and_cached(plain_client: httpx.Client, path: str) -> None:
    plain, content = raw(plain_client, "GET", f"{path}/rui.json")
    _, packed_content = raw(plain_client, "GET", f"{path}/rui.json", accept_encoding="gzip")
    assert gzip.decompress(packed_content) == content
    assert plain.headers["content-disposition"].startswith('attachment; filename="app.rui.json"; filename*=UTF-8')
    unchanged, _ = raw(plain_client, "GET", f"{path}/rui.json", if_none_match=plain.headers["etag"])
    assert unchanged.status_code == 304


def test_a_response_that_another_request_has_added_counts_once() -> None:
    cache = CompressedResponses()
    for _ in range(2):
        cache.add('"a"', Response(b"a" * 100))
    assert cache.size == 100
