"""Entity tags and conditional requests (RFC 9110, sections 8.8.3 and 13.1.2)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from hashlib import sha256

from litestar.types import Scope

from rui_api.http.responses import Response

_ENTITY_TAG = re.compile(r'[ \t]*(?:W/)?("[\x21\x23-\x7e\x80-\xff]*")[ \t]*(?:,|$)|[ \t]*,')


def entity_tag(content: bytes) -> str:
    """Return a strong entity tag, with quotes."""
    return f'"{sha256(content).hexdigest()[:32]}"'


def conditional_response(scope: Scope, etag: str, cache_control: str, create: Callable[[], Response]) -> Response:
    """Return 304 if If-None-Match has `etag`, else the response of `create`, with `etag` and `cache_control`."""
    response = not_modified(scope, etag) or create()
    response.headers = {**response.headers, "etag": etag, "cache-control": cache_control}
    return response


def not_modified(scope: Scope, etag: str) -> Response | None:
    """Return 304 if If-None-Match has `etag`, else None."""
    if_none_match = [value.decode("latin-1") for name, value in scope["headers"] if name == b"if-none-match"]
    if if_none_match and etag_matches(if_none_match, etag):
        return Response(status=304)
    return None


def etag_matches(if_none_match: Iterable[str], etag: str) -> bool:
    """Return whether If-None-Match contains `etag`, by weak comparison.

    Args:
        if_none_match: the values of all header lines of this name.
        etag: the current strong entity tag, with quotes.
    """
    text = ", ".join(if_none_match).strip(" \t")
    if text in ("*", etag):
        return True
    position = 0
    while position < len(text):
        match = _ENTITY_TAG.match(text, position)
        if match is None:
            return False
        if match[1] == etag:
            return True
        position = match.end()
    return False
