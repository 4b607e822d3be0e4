"""Compressed responses (RFC 9110, sections 8.4.1 and 12.5.3): pages and their assets, with gzip.

Responses of the API are not compressed: they are small, and a compressed verdict costs more time than validation.
"""

from __future__ import annotations

import gzip
from collections import OrderedDict
from collections.abc import Awaitable, Callable

from litestar.types import Scope

from rui_api.http.etags import not_modified
from rui_api.http.negotiation import accepts_gzip
from rui_api.http.responses import Response
from rui_api.work_thread import WorkThread

LEVEL = 6
"""A page of 256 KB of JSON takes a quarter of the time of level 9, and 7 % more bytes."""

MIN_LENGTH = 1_000
"""Minimum length of a body without an entity tag that is compressed."""

MAX_CACHED = 8 * 1024 * 1024
"""Maximum number of bytes that `CompressedResponses` keeps."""


class CompressedResponses:
    """A cache of compressed responses by entity tag. It discards those that were not used for the longest time.

    Args:
        max_bytes: the maximum total length of their bodies.
    """

    def __init__(self, max_bytes: int = MAX_CACHED) -> None:
        self._max_bytes = max_bytes
        self._responses: OrderedDict[str, Response] = OrderedDict()
        self.size = 0
        """The total length of the bodies."""

    def get(self, etag: str) -> Response | None:
        """Return the response with this entity tag, if it is here."""
        response = self._responses.get(etag)
        if response is not None:
            self._responses.move_to_end(etag)
        return response

    def add(self, etag: str, response: Response) -> None:
        """Add a compressed response."""
        other = self._responses.pop(etag, None)  # from a request that was faster
        if other is not None:
            self.size -= len(other.content)
        self._responses[etag] = response
        self.size += len(response.content)
        while self.size > self._max_bytes:
            _, oldest = self._responses.popitem(last=False)
            self.size -= len(oldest.content)


async def negotiated_response(
    scope: Scope,
    etag: str,
    cache_control: str,
    create: Callable[[], Awaitable[Response]],
    cache: CompressedResponses,
    thread: WorkThread,
) -> Response:
    """Return a conditional response, compressed if the request prefers that.

    The compressed form has an entity tag of its own, because a strong entity tag identifies bytes.

    Args:
        scope: the request.
        etag: the entity tag of the response without compression.
        cache_control: the value of Cache-Control.
        create: returns that response.
        cache: the compressed responses, which are rendered and compressed once.
        thread: compresses large responses.
    """
    is_compressed = _prefers_gzip(scope)
    if is_compressed:
        etag = f'{etag[:-1]}-gzip"'
    response = not_modified(scope, etag)
    if response is None and is_compressed:
        response = cache.get(etag)
    if response is None:
        response = created = await create()
        if is_compressed:
            response = await thread.run_if_large(lambda: _compress(created), len(created.content))
            cache.add(etag, response)
    response.headers = {**response.headers, "etag": etag, "cache-control": cache_control, "vary": "Accept-Encoding"}
    return response


def compressed_response(scope: Scope, response: Response) -> Response:
    """Return a response without an entity tag, compressed if the request prefers that and it is long enough."""
    if len(response.content) < MIN_LENGTH:
        return response
    if _prefers_gzip(scope):
        _compress(response)
    response.headers = {**response.headers, "vary": "Accept-Encoding"}
    return response


def _prefers_gzip(scope: Scope) -> bool:
    values = [value.decode("latin-1") for name, value in scope["headers"] if name == b"accept-encoding"]
    return accepts_gzip(", ".join(values))


def _compress(response: Response) -> Response:
    response.content = gzip.compress(response.content, LEVEL, mtime=0)
    response.headers = {**response.headers, "content-encoding": "gzip"}
    return response
