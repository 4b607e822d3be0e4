"""The wiring of pygls: which feature answers which request.

pygls checks the parameters of every request beyond the life of the session and the synchronization of documents (those
`session` handles itself), finds the feature, runs it as a function or as a task, and cancels tasks. It never
sees documents, and what features take and give are plain dictionaries, which it passes on as they are.
"""

from __future__ import annotations

import asyncio
from contextvars import ContextVar
from functools import cache, partial
from threading import RLock
from typing import TYPE_CHECKING

from lsprotocol.types import METHOD_TO_TYPES, InitializeResult
from pygls.exceptions import JsonRpcInternalError
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol, default_converter
from pygls.protocol.json_rpc import JsonRPCNotification, JsonRPCRequestMessage

from rui_lsp import features
from rui_lsp.documents.workspace import Workspace
from rui_lsp.protocol.errors import InvalidParamsError, LspError
from rui_lsp.protocol.framing import encode
from rui_lsp.protocol.log import logger
from rui_lsp.runtime.handshake import NAME

if TYPE_CHECKING:
    from collections.abc import Callable

    from cattrs import Converter
    from lsprotocol.types import ResponseError

    from rui_lsp.client.convert import Json

_starting = RLock()
"""Held while lsprotocol learns its types, which it cannot do in two threads."""

_params: ContextVar[object] = ContextVar("params")
"""The parameters of the message that is being handled, as they came."""


class _Protocol(LanguageServerProtocol):
    """pygls' protocol, except for what it sends.

    Results are plain data and go out as they are; an internal fault is logged, but its traceback is not sent.
    """

    def structure_message(self, data: Json) -> object:
        """A request or notification as an object of lsprotocol's.

        Raises:
            InvalidParamsError: its parameters are not what its method takes.
        """
        method = data["method"]
        known = self.get_message_type(method) if isinstance(method, str) else None
        try:
            return self._converter.structure(
                data, known or (JsonRPCRequestMessage if "id" in data else JsonRPCNotification)
            )
        except Exception as error:
            raise InvalidParamsError(f"{method}: its parameters are malformed") from error

    def _send_response(self, msg_id: str | int, result: object = None, error: ResponseError | None = None) -> None:
        if isinstance(result, InitializeResult):
            return  # It was answered before pygls was there.
        if error is not None:
            if error.code == JsonRpcInternalError.CODE:
                error.data = None
            super()._send_response(msg_id, None, error)
            return
        answer = {"error": result.to_lsp()} if isinstance(result, LspError) else {"result": result}
        assert self.writer is not None  # noqa: S101
        self.writer.write(encode({"jsonrpc": "2.0", "id": msg_id, **answer}))

    def _handle_cancel_notification(self, msg_id: str | int) -> None:
        if msg_id in self._request_futures:  # Else it has been answered, which is nothing to warn of.
            super()._handle_cancel_notification(msg_id)


class _Writer:
    """Where pygls writes to."""

    def __init__(self, send: Callable[[bytes], object]) -> None:
        self._send = send

    def write(self, data: bytes) -> None:
        """Send a message, header included."""
        self._send(data)

    def close(self) -> None:
        """Nothing: whoever opened the transport closes it."""


@cache
def _converter() -> Converter:
    """What makes lsprotocol's objects of messages; one for all sessions, as it takes its time to learn a type."""
    converter: Converter = default_converter()  # type: ignore[no-untyped-call]
    return converter


def make_server(workspace: Workspace) -> LanguageServer:
    """A server with every feature registered; `rui_lsp.runtime.handshake` announces them."""
    server = LanguageServer(NAME, "", protocol_cls=_Protocol, converter_factory=_converter)
    manager = server.protocol.fm
    for method, answer in features.handlers().items():
        manager.builtin_features.pop(method, None)  # pygls' own would be asked first.
        # Not by the decorator: that looks at signatures to guess who wants to have the server passed.
        manager.features[method] = _handler(answer, workspace)
    return server


def _handler(answer: features.Handler, workspace: Workspace) -> Callable[[object], object]:
    """What pygls calls for a feature. A refusal is a result, too: pygls would log it as a fault."""

    def handle(typed: object) -> object:  # noqa: ARG001
        try:
            return answer(workspace, _params.get())
        except LspError as error:
            return error

    async def handle_in_time(typed: object) -> object:  # noqa: ARG001
        try:
            return await answer(workspace, _params.get())  # type: ignore[misc]
        except LspError as error:
            return error

    return handle_in_time if asyncio.iscoroutinefunction(answer) else handle


def start(initialize: Json, workspace: Workspace, send: Callable[[bytes], object]) -> Callable[[Json], None]:
    """Start pygls in the middle of a session.

    Args:
        initialize: the client's `initialize` request, which has been answered already.
        workspace: the open documents.
        send: takes the bytes that the client is to get.

    Returns:
        What handles one message: a request or a notification.
    """
    with _starting:
        protocol = make_server(workspace).protocol
        protocol.set_writer(_Writer(send))
        _handle(protocol, initialize)
    return partial(_handle, protocol)


def warm_up(initialize: Json) -> None:
    """Have everything loaded, and compiled by cattrs, that the first requests would have to wait for.

    Args:
        initialize: the client's `initialize` request.
    """
    with _starting:
        start(initialize, Workspace(), lambda _: None)
        for method in features.handlers():
            if method in METHOD_TO_TYPES:
                _converter().get_structure_hook(METHOD_TO_TYPES[method][0])


def _handle(protocol: LanguageServerProtocol, message: Json) -> None:
    # pygls' type of a message that it does not know cannot do without parameters.
    params = message.get("params")
    message = {**message, "params": params}
    try:
        typed = protocol.structure_message(message)
    except InvalidParamsError as error:
        request_id = message.get("id")
        if isinstance(request_id, str | int):
            protocol._send_response(request_id, error)
        else:
            logger().warning("%s", error)
        return
    _params.set(params)
    protocol.handle_message(typed)
