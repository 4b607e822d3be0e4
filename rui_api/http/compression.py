"""Compression of pages with gzip: Litestar's, for the clients that accept it.

Litestar searches Accept-Encoding for the word gzip, which ``gzip;q=0`` and ``notgzip`` contain. Its Vary is missing in
304 and in what is not compressed.
"""

import re
from collections.abc import Awaitable

from litestar.config.compression import CompressionConfig
from litestar.datastructures import Headers, MutableScopeHeaders
from litestar.middleware.compression import CompressionMiddleware
from litestar.types import Message, Receive, Scope, Send

# Responses of the API are small: compression takes longer than validation. It runs on the event loop: the largest page
# has 2.2 MB, for which level 8 takes 29 ms of CPU and level 6 16 ms; they send 162 KB and 172 KB, level 1 269 KB.
CONFIG = CompressionConfig("gzip", minimum_size=1_000, gzip_compress_level=8)

_WEIGHT = re.compile(r"0(\.[0-9]{0,3})?|1(\.0{0,3})?")


class Compression(CompressionMiddleware):
    """ASGI middleware that compresses long responses to clients that accept gzip."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        def send_with_vary(message: Message) -> Awaitable[None]:
            if message["type"] == "http.response.start":
                headers = MutableScopeHeaders(message)
                if "content-encoding" not in headers:  # else Litestar has added it
                    headers.extend_header_value("vary", "Accept-Encoding")
            return send(message)

        accepted = ",".join(Headers.from_scope(scope).getall("accept-encoding", []))
        if accepts_gzip(accepted):
            wrapped = self.create_compression_send_wrapper(send_with_vary, CONFIG.backend, scope)
            await self.app(scope, receive, wrapped)
        else:
            await self.app(scope, receive, send_with_vary)


def accepts_gzip(accepted: str) -> bool:
    """Return whether Accept-Encoding accepts gzip, and does not prefer an uncompressed response (RFC 9110, 12.5.3)."""
    weights: dict[str, float] = {}
    for part in accepted.lower().split(","):
        coding, *parameters = (word.strip() for word in part.split(";"))
        weights[coding] = _weight(parameters)
    weight = weights.get("gzip", weights.get("x-gzip", weights.get("*", 0.0)))
    return 0 < weight >= weights.get("identity", 0.0)


def _weight(parameters: list[str]) -> float:
    """Return the weight of a coding. One that is no number from 0 to 1 counts as 0."""
    for parameter in parameters:
        name, _, value = parameter.partition("=")
        if name.strip() == "q":
            match = _WEIGHT.fullmatch(value.strip())
            if match:
                return float(value)
            return 0.0
    return 1.0
