"""Bytes → messages: malformed input is answered with one error, and the next message is handled."""

import asyncio
import json
import threading

import pytest
from pygls.io_ import run_async

from rui_lsp.protocol.encoding import encode
from rui_lsp.runtime.reader import MAX_BODY, MessageReader
from tests.rui_lsp.conversation import LOOP
from tests.rui_lsp.lsp_client import frame

ONE, TWO = {"id": 1, "text": "é😀\u2028"}, {"id": 2}
ERROR = "an error"


class Receiver:
    """A substitute for the protocol in pygls' message loop that collects messages."""

    def __init__(self) -> None:
        self.received: list[object] = []

    def structure_message(self, data: object) -> object:
        return data

    def handle_message(self, message: object) -> None:
        self.received.append(message)

    def handle_malformed(self, error: Exception, source: object = None) -> None:
        self.received.append(ERROR)


def check(data: bytes, *expected: object, chunk: int | None = None) -> None:
    """`data` in chunks of `chunk` bytes yields these messages."""
    receiver = Receiver()
    chunk = chunk or len(data)

    async def receive() -> None:
        stream = asyncio.StreamReader()
        reader = MessageReader(stream, receiver.handle_malformed)
        receiving = asyncio.ensure_future(
            run_async(threading.Event(), reader, receiver, error_handler=receiver.handle_malformed)
        )
        for at in range(0, len(data), chunk):
            stream.feed_data(data[at : at + chunk])
            await asyncio.sleep(0)
        stream.feed_eof()
        await receiving

    LOOP.run_until_complete(receive())
    assert receiver.received == list(expected)


def raw(body: bytes) -> bytes:
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


@pytest.mark.parametrize("chunk", [1, 2, 3, 7, 20, 1000])
def test_messages_may_arrive_in_any_chunks(chunk):
    check(frame(ONE) + frame(TWO) + frame(ONE), ONE, TWO, ONE, chunk=chunk)


@pytest.mark.parametrize(
    "header",
    [
        b"Content-Length: 9\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\n",
        b"Content-Type: x\r\nContent-Length: 9\r\n\r\n",
        b"content-length:9\r\n\r\n",
        b"Content-Length: 9\n\n",
    ],
)
def test_headers_of_every_kind(header):
    check(header + b'{"id": 2}', TWO)


@pytest.mark.parametrize(
    "bad",
    [
        pytest.param(b"hello\r\n\r\n", id="no header"),
        pytest.param(b"Content-Length: two\r\n\r\n", id="no number"),
        pytest.param(b"Content-Length: -2\r\n\r\n", id="negative"),
        pytest.param(b"Content-Length: %d\r\n\r\n" % (MAX_BODY + 1), id="too long"),
        pytest.param(b"Content-Length: 99999999999999999999999\r\n\r\n", id="a number of many digits"),
        pytest.param(raw(b"{"), id="broken JSON"),
        pytest.param(raw(b""), id="empty"),
        pytest.param(raw(b'"\xff"'), id="not UTF-8"),
        pytest.param(raw(b"[" * 200_000), id="too deep"),
        pytest.param(raw(b"9" * 5000), id="a JSON number of many digits"),
    ],
)
def test_one_error_for_what_is_no_message_and_then_on(bad):
    check(bad + frame(ONE) + frame(TWO), ERROR, ONE, TWO)


def test_a_header_without_an_end_is_not_kept_for_ever():
    check(b"x" * 10_000 + frame(ONE) + frame(TWO), ERROR, ONE, TWO, chunk=500)


def test_a_body_longer_than_announced_costs_only_itself():
    check(b'Content-Length: 3\r\n\r\n{"id": 5}' + frame(ONE) + frame(TWO), ERROR, ONE, TWO)


def test_a_body_shorter_than_announced_costs_the_message_that_it_swallows():
    check(b'Content-Length: 12\r\n\r\n{"id": 5}' + frame(ONE) + frame(TWO), ERROR, ERROR, TWO)


def test_what_is_sent_is_utf_8_even_where_a_document_is_not():
    assert json.loads(encode({"text": "é😀\ud83d"})) == {"text": "é😀\ufffd"}
