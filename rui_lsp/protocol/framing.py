"""Bytes ↔ messages: the base protocol of LSP (a header with a length, then JSON), without a transport."""

from __future__ import annotations

import json
import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_BODY = 256 * 1024 * 1024
"""Bytes of the longest message that is waited for; a longer one is a mistake in its header."""

_MAX_HEADER = 8192
_HEADER_END = re.compile(rb"\r?\n\r?\n")
# Not tied to the start of a line: so a body that was longer than announced costs only itself.
_LENGTH = re.compile(rb"content-length:[ \t]*(\d{1,18})[ \t]*(?=\r?\n|$)", re.IGNORECASE)
_SURROGATE = re.compile("[\ud800-\udfff]")


class FrameError(ValueError):
    """What came in is no frame, or its body no JSON in UTF-8; the message says why."""


class FrameReader:
    """Cuts a stream of bytes into messages, however the bytes arrive.

    After anything malformed it goes on with the next header that it finds.
    """

    __slots__ = ("_buffer", "_length")

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._length: int | None = None

    def feed(self, data: bytes) -> Iterator[object]:
        """Take in some bytes; yield every message that they complete: JSON values, or `FrameError` objects."""
        self._buffer += data
        while True:
            if self._length is None:
                error = self._take_header()
                if error is not None:
                    yield error
                    continue
            if self._length is None or len(self._buffer) < self._length:
                return
            body = bytes(self._buffer[: self._length])
            del self._buffer[: self._length]
            self._length = None
            yield decode(body)

    def _take_header(self) -> FrameError | None:
        """Take a header from the buffer if there is a whole one; a malformed one is dropped."""
        end = _HEADER_END.search(self._buffer)
        if end is None:
            if len(self._buffer) <= _MAX_HEADER:
                return None
            del self._buffer[:-64]  # The start of the next header may be in there.
            return FrameError("a header without an end")
        lengths = _LENGTH.findall(self._buffer, 0, end.start())
        del self._buffer[: end.end()]
        if not lengths:
            return FrameError("a header without Content-Length")
        if int(lengths[-1]) > MAX_BODY:
            return FrameError(f"a Content-Length of {int(lengths[-1])}")
        self._length = int(lengths[-1])
        return None


def decode(body: bytes) -> object:
    """The JSON value of a body, or a `FrameError` that says why it has none."""
    try:
        return json.loads(body.decode("utf-8"))
    except RecursionError:
        return FrameError("a message nested too deep")
    except ValueError as error:  # Not UTF-8, not JSON, or a number of too many digits.
        return FrameError(str(error))


class Encoded(bytes):
    """A JSON value that is written already, as `encoded` writes it."""

    __slots__ = ()


def encoded(value: object) -> Encoded:
    """A value as it goes out.

    Lone surrogates, which a hint may quote from a document, have no form in UTF-8: U+FFFD stands for them.
    """
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    try:
        return Encoded(text.encode("utf-8"))
    except UnicodeEncodeError:
        return Encoded(_SURROGATE.sub("\ufffd", text).encode("utf-8"))


def encode(message: dict[str, object]) -> bytes:
    """A message with its header; its result may be encoded already."""
    result = message.get("result")
    if isinstance(result, Encoded):
        rest = encoded({name: value for name, value in message.items() if name != "result"})
        body = b'%b,"result":%b}' % (rest[:-1], result)
    else:
        body = encoded(message)
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)
