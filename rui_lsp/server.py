"""The wiring of pygls: which feature answers which request.

pygls serves every request beyond the life of the session and the synchronization of documents, which `rui_lsp.session`
handles itself. It never sees documents: features take them from our own workspace.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from pygls.exceptions import JsonRpcException, JsonRpcInternalError
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol

from rui_lsp.capabilities import NAME

if TYPE_CHECKING:
    from collections.abc import Callable

    from lsprotocol.types import ResponseError

    from rui_lsp.convert import Json


class _Protocol(LanguageServerProtocol):
    """pygls' protocol, except that an internal fault does not send its traceback to the client; it is logged."""

    def _send_response(self, msg_id: str | int, result: object = None, error: ResponseError | None = None) -> None:
        if error is not None and error.code == JsonRpcInternalError.CODE:
            error.data = None
        super()._send_response(msg_id, result, error)


class _Writer:
    """Where pygls writes to."""

    def __init__(self, send: Callable[[bytes], object]) -> None:
        self._send = send

    def write(self, data: bytes) -> None:
        """Send a message, header included."""
        self._send(data)

    def close(self) -> None:
        """Nothing: whoever opened the transport closes it."""


def make_server() -> LanguageServer:
    """A server with every feature registered; `rui_lsp.capabilities` announces them."""
    return LanguageServer(NAME, "", protocol_cls=_Protocol)


def start(initialize: Json, send: Callable[[bytes], object]) -> Callable[[Json], None]:
    """Start pygls in the middle of a session.

    Args:
        initialize: the client's `initialize` request, which has been answered already.
        send: takes the bytes that the client is to get.

    Returns:
        What handles one message: a request, a notification, or the answer to a request of ours.
    """
    protocol = make_server().protocol
    protocol.set_writer(_Writer(lambda _: None))
    _handle(protocol, initialize)
    protocol.set_writer(_Writer(send))
    return partial(_handle, protocol)


def _handle(protocol: LanguageServerProtocol, message: Json) -> None:
    # pygls' type of a message that it does not know cannot do without parameters.
    message = {"params": None, **message} if "method" in message else dict(message)
    try:
        typed = protocol.structure_message(message)
    except JsonRpcException as error:  # pygls has logged it.
        request_id = message.get("id")
        if isinstance(request_id, str | int) and "method" in message:
            protocol._send_response(request_id, error=error.to_response_error())
        return
    protocol.handle_message(typed)
