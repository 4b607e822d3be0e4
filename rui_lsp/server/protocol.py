"""JSON-RPC as pygls implements it, with checks and an order that pygls lacks. All use of pygls' internals is here.

- Malformed messages, requests before ``initialize`` and after ``shutdown`` are answered with an error.
- Messages are handled after all input that has arrived is read: a request that is cancelled meanwhile is not started.
  Changes keep their place among requests, so that each request is about the text that it was sent for.
- Results may be encoded already.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Generator
from typing import Any

import cattrs
from lsprotocol import types
from pygls.exceptions import (
    JsonRpcException,
    JsonRpcInternalError,
    JsonRpcInvalidParams,
    JsonRpcInvalidRequest,
    JsonRpcMethodNotFound,
    JsonRpcParseError,
    JsonRpcRequestCancelled,
    JsonRpcServerNotInitialized,
)
from pygls.lsp.server import LanguageServer
from pygls.protocol import (
    JsonRPCNotification,
    JsonRPCRequestMessage,
    JsonRPCResponseMessage,
    LanguageServerProtocol,
    lsp_method,
)
from pygls.workspace import Workspace

from rui_lsp.protocol.encoding import EncodedJson, encode
from rui_lsp.protocol.log import logger

Message = dict[str, Any]


class SessionServer(LanguageServer):
    """The part of the server that the protocol calls."""

    def start_session(self, params: types.InitializeParams, workspace: Workspace) -> Workspace:  # noqa: ARG002
        """Set up everything that depends on the client; return the workspace to use instead of pygls'."""
        return workspace

    def on_message(self) -> None:
        """Note that a message has arrived."""

    def on_change(self, params: types.DidChangeTextDocumentParams) -> None:
        """Note that a document is about to change."""


class RuiProtocol(LanguageServerProtocol):
    """One connection to a client.

    Attributes:
        has_exited: whether the client has sent ``exit``.
        on_exit: called then; the transport sets it.
    """

    _server: SessionServer

    def __init__(self, server: SessionServer, converter: cattrs.Converter) -> None:
        super().__init__(server, converter)
        self._queue: deque[Message] = deque()
        self._is_initialized = False
        self.on_exit: Callable[[], object] = lambda: None
        self.has_exited = False

    @property
    def exit_code(self) -> int:
        """The exit code of the process: 0 after ``shutdown``, else 1."""
        return 0 if self._shutdown else 1

    # Messages that arrive

    def structure_message(self, data: Any) -> Any:  # noqa: ANN401  pygls's signature
        """Return the data: pygls calls this for every object inside a message, `structure` converts whole messages."""
        return data

    def handle_message(self, message: Any) -> None:  # noqa: ANN401  any JSON value
        """Check a message and put it into the queue; responses and cancellations are handled at once."""
        problem = _envelope_problem(message)
        if problem is not None:
            self.refuse(_id_of(message), JsonRpcInvalidRequest(problem))
            return
        self._server.on_message()
        logger.debug("received %s", _label(message))
        if "method" not in message:
            self._handle_response_message(message)
        elif message["method"] != types.CANCEL_REQUEST or not self._cancel_queued(message):
            self._queue.append(message)
            if len(self._queue) == 1:
                asyncio.get_running_loop().call_soon(self._handle_queue)

    def handle_malformed(self, error: Exception, source: object = None) -> None:  # noqa: ARG002  pygls's signature
        """Answer input that is not a message."""
        logger.warning("not a message: %s", error)
        self.refuse(None, JsonRpcParseError(f"Not a message: {error}"))

    async def drain(self) -> None:
        """Wait until all messages that have arrived are handled."""
        while self._queue:
            await asyncio.sleep(0)

    def _handle_queue(self) -> None:
        """Handle messages up to the next request. Input that has arrived meanwhile may cancel the one after it."""
        while self._queue:
            message = self._queue[0]
            try:
                self._dispatch(message)
            finally:
                self._queue.popleft()
            if "id" in message:
                break
        if self._queue:
            asyncio.get_running_loop().call_soon(self._handle_queue)

    def _dispatch(self, message: Message) -> None:
        try:
            self._check_order(message["method"])
            typed = self.structure(message)
        except JsonRpcException as error:
            if "id" in message:
                self.refuse(message["id"], error)
            elif error.code == JsonRpcInvalidParams.CODE:
                logger.warning("%s", error)
            return
        super().handle_message(typed)

    def _check_order(self, method: str) -> None:
        if method == types.EXIT:
            return
        if self._shutdown:
            raise JsonRpcInvalidRequest("The server is shut down; only exit is accepted.")
        if not self._is_initialized and method != types.INITIALIZE:
            raise JsonRpcServerNotInitialized("The first request must be initialize.")
        if self._is_initialized and method == types.INITIALIZE:
            raise JsonRpcInvalidRequest("The server is initialized already.")

    def structure(self, message: Message) -> Any:  # noqa: ANN401  any message of lsprotocol
        """Convert a request or notification to lsprotocol's type.

        Raises:
            JsonRpcMethodNotFound: its method is unknown.
            JsonRpcInvalidParams: its parameters are malformed.
        """
        method = message["method"]
        message_type = self.get_message_type(method)
        if message_type is None:
            if method not in self.fm.features:
                raise JsonRpcMethodNotFound.of(method)
            message_type = JsonRPCRequestMessage if "id" in message else JsonRPCNotification
            message = {"params": None, **message}
        if method == types.INITIALIZE and isinstance(message.get("params"), dict):
            message = {**message, "params": self._valid_initialize_params(message["params"])}
        try:
            return self._converter.structure(message, message_type)
        except Exception as error:
            reasons = "; ".join(cattrs.transform_error(error)).replace("@ $", "at message")
            raise JsonRpcInvalidParams(f"{method}: {reasons:.500}") from error

    def _valid_initialize_params(self, params: Message) -> Message:
        """Parameters of ``initialize`` without malformed ones: a client with a mistake in a capability still works."""

        def is_valid(part: Message) -> bool:
            try:
                self._converter.structure({"capabilities": {}, **part}, types.InitializeParams)
            except Exception as error:
                logger.debug("ignored in initialize: %r", error)
                return False
            return True

        capabilities = params.get("capabilities")
        groups = capabilities if isinstance(capabilities, dict) else {}
        valid = {name: value for name, value in params.items() if is_valid({name: value})}
        valid["capabilities"] = {k: group for k, group in groups.items() if is_valid({"capabilities": {k: group}})}
        return valid

    def _handle_response_message(self, message: Message) -> None:
        request_id = message["id"]
        if request_id not in self._request_futures:
            logger.warning("a response to the unknown request %r", request_id)
            return
        message_type = self._result_types.pop(request_id, None) or JsonRPCResponseMessage
        if "error" in message:
            message_type = types.ResponseErrorMessage
        try:
            typed = self._converter.structure(message, message_type)
        except Exception:
            error = types.ResponseError(JsonRpcInvalidParams.CODE, "The client's response is malformed.")
            typed = types.ResponseErrorMessage(error=error, id=request_id)
        super().handle_message(typed)

    # Cancellation

    def _cancel_queued(self, cancellation: Message) -> bool:
        """Refuse the queued request that a notification cancels; whether there is one."""
        request_id = _id_of(cancellation.get("params"))
        for message in self._queue:
            if request_id is not None and message.get("id") == request_id:
                self._queue.remove(message)
                self.refuse(request_id, JsonRpcRequestCancelled("Cancelled."))
                return True
        return False

    def _handle_cancel_notification(self, msg_id: str | int) -> None:
        if msg_id in self._request_futures:  # Otherwise it is answered already, which pygls would warn of.
            super()._handle_cancel_notification(msg_id)

    # Messages that are sent

    def refuse(self, request_id: str | int | None, error: JsonRpcException) -> None:
        """Answer a request with an error."""
        if request_id is None:  # lsprotocol omits null.
            response_error = {"code": error.code, "message": error.message}
            self._send_data({"jsonrpc": self.VERSION, "id": None, "error": response_error})
            return
        self._send_response(request_id, error=error.to_response_error())

    def _send_response(
        self,
        msg_id: str | int,
        result: Any = None,  # noqa: ANN401  pygls's signature
        error: types.ResponseError | None = None,
    ) -> None:
        if error is not None and error.code == JsonRpcInternalError.CODE:
            error.data = None  # the traceback, which is logged
        super()._send_response(msg_id, result, error)

    def _send_data(self, data: Any) -> None:  # noqa: ANN401  any message of lsprotocol
        if self.writer is None:
            return
        result = getattr(data, "result", None)
        if isinstance(result, EncodedJson):
            body: bytes = b'{"jsonrpc":"2.0","id":%b,"result":%b}' % (encode(data.id), result)
        else:
            body = encode(data)
        self.writer.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))

    # The life of the session

    @lsp_method(types.INITIALIZE)
    def lsp_initialize(self, params: types.InitializeParams) -> Generator[Any, Any, Any]:
        """Set up the workspace; pygls computes the capabilities from the registered features."""
        result = yield from super().lsp_initialize(params)
        self._is_initialized = True
        self._workspace = self._server.start_session(params, self.workspace)
        if result.capabilities.execute_command_provider is not None:
            result.capabilities.execute_command_provider.work_done_progress = True
        if result.capabilities.workspace is not None:
            result.capabilities.workspace.file_operations = None  # pygls announces empty options
        return result

    @lsp_method(types.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: types.DidChangeTextDocumentParams) -> Generator[Any, Any, None]:
        """Apply the changes to the open document."""
        self._server.on_change(params)
        yield from super().lsp_text_document__did_change(params)

    @lsp_method(types.EXIT)
    def lsp_exit(self, *args: object) -> None:  # type: ignore[override]  # noqa: ARG002
        """End the session. pygls would raise SystemExit in the event loop, which prevents an orderly end."""
        self.has_exited = True
        self.on_exit()

    @lsp_method(types.WORKSPACE_EXECUTE_COMMAND)
    async def lsp_workspace__execute_command(self, params: types.ExecuteCommandParams) -> object:  # type: ignore[override]
        """Run a command. Unlike with pygls, it gets all parameters (the work-done token) and can be cancelled."""
        command = self.fm.commands.get(params.command)
        if command is None:
            raise JsonRpcInvalidParams(f"unknown command {params.command!r:.100}")
        return await command(params)


def _id_of(message: object) -> str | int | None:
    """The id to answer with; None if there is no proper one."""
    request_id = message.get("id") if isinstance(message, dict) else None
    if isinstance(request_id, str) or type(request_id) is int:
        return request_id
    return None


def _envelope_problem(message: object) -> str | None:
    """Why a value is not a JSON-RPC message; None if it is one."""
    if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
        return "Not a JSON-RPC 2.0 message."
    if "id" in message and _id_of(message) is None:
        return "The id of a request is a string or an integer."
    if "method" in message:
        return None if isinstance(message["method"], str) else "The method is no string."
    if "id" not in message or ("result" not in message and "error" not in message):
        return "Neither a request nor a response."
    return None


def _label(message: Message) -> str:
    """A message in the log: its method and id."""
    method = message.get("method", "a response")
    if "id" in message:
        return f"{method} ({message['id']})"
    return str(method)
