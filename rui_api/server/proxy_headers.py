"""Behind a proxy: who the client is, and what it spoke, for requests that are answered where they arrive."""

from __future__ import annotations

from contextlib import suppress
from functools import lru_cache
from typing import TYPE_CHECKING

from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from rui_api.routes.inline import AtOnce, Say

    Header = tuple[bytes, bytes]


NAMES = (b"x-forwarded-for", b"x-forwarded-proto")
"""The headers that count."""
COMMON_BYTES = 200
KEPT = 256
"""Of values up to so long, so many are kept: clients come again and again, and reading an address takes long."""


class Forwarded:
    """Takes what trusted proxies say into the scope of a request, by uvicorn's own rules, and asks `at_once`.

    A request that goes the way of ASGI after that comes to the same rules there: they find the same once more.

    Args:
        at_once: answers whole requests.
        proxies: the addresses and networks that are trusted; ``*`` means all.
    """

    def __init__(self, at_once: AtOnce, proxies: Sequence[str]) -> None:
        self._at_once = at_once
        self._rules = ProxyHeadersMiddleware(_nothing, list(proxies))
        self._common = lru_cache(KEPT)(self._read)

    def __call__(self, scope: Any, body: bytes, say: Say) -> bool:  # noqa: ANN401  ASGI's, of two packages
        """See `rui_api.routes.inline.AtOnce`."""
        given = tuple([header for header in scope["headers"] if header[0] in NAMES])
        if given and scope["client"] is not None:
            read = self._common if sum([len(value) for _, value in given]) <= COMMON_BYTES else self._read
            client, scope["scheme"] = read(given, scope["client"][0], scope["scheme"])
            scope["client"] = client or scope["client"]
        return self._at_once(scope, body, say)

    def _read(self, given: tuple[Header, ...], peer: str, scheme: str) -> tuple[tuple[str, int] | None, str]:
        """The client that the headers of a request tell of, or None, and what it spoke."""
        scope: Any = {"type": "http", "headers": given, "client": (peer, None), "scheme": scheme}
        with suppress(StopIteration):  # it waits for nothing, so this is all of it
            self._rules(scope, _no_receive, _no_send).send(None)
        return (None if scope["client"] == (peer, None) else scope["client"]), scope["scheme"]


async def _nothing(*_: object) -> None:
    pass


async def _no_receive() -> Any:  # noqa: ANN401
    raise AssertionError


async def _no_send(_: object) -> None:
    raise AssertionError
