"""JSON-RPC with a response to every request, also to an invalid one."""

import asyncio
import json
from collections.abc import Callable
from concurrent.futures import Future
from enum import Enum, auto
from typing import Any
from uuid import uuid4

from cattrs import Converter
from lsprotocol import types
from pygls.exceptions import (
    JsonRpcException,
    JsonRpcInternalError,
    JsonRpcInvalidParams,
    JsonRpcInvalidRequest,
    JsonRpcMethodNotFound,
    JsonRpcParseError,
    JsonRpcServerNotInitialized,
)
from pygls.lsp.server import LanguageServer
from pygls.protocol import JsonRPCNotification, JsonRPCRequestMessage, JsonRPCResponseMessage, LanguageServerProtocol
from pygls.protocol.language_server import lsp_method

from rui_common.syntax.reader import refuse_constant, to_finite
from rui_lsp.protocol.log import logger
from rui_lsp.protocol.parameters import InvalidParametersError, structure

_OPTIONAL = "$/"  # starts methods that a server may ignore
_UNUSED = "notebookDocument/"  # starts methods that pygls handles, but this server does not announce


class _State(Enum):
    NEW = auto()
    RUNNING = auto()
    SHUT_DOWN = auto()


class RuiProtocol(LanguageServerProtocol):
    """The protocol of one session."""

    def __init__(self, server: LanguageServer, converter: Converter) -> None:
        super().__init__(server, converter)
        self.ended = asyncio.Event()  # set when the session is over
        self.initialized = asyncio.Event()  # set after the response to `initialize`
        self.client_process_id: int | None = None  # ``processId`` of `initialize`
        self._own_converter = converter
        self._state = _State.NEW
        self._sent_requests: dict[object, str] = {}  # methods by id, until the client responds

    def receive(self, content: bytes) -> None:
        """Handle the content of a message: a request is answered, anything else that is invalid is logged."""
        try:
            message = json.loads(content, parse_constant=refuse_constant, parse_float=to_finite)
        except (ValueError, RecursionError) as error:
            self._refuse(None, JsonRpcParseError(f"The message is not JSON: {error}"))
            return
        request_id = message.get("id") if isinstance(message, dict) else None
        if not _is_id(request_id):
            request_id = None
        try:
            self._handle(message)
        except JsonRpcException as error:
            self._refuse(request_id, error)
        except Exception:
            logger.exception("internal fault")
            if request_id is not None and "method" in message:
                self._refuse(request_id, JsonRpcInternalError())

    def _handle(self, message: object) -> None:
        if isinstance(message, list):
            raise JsonRpcInvalidRequest("LSP has no batches of messages.")
        if not isinstance(message, dict) or message.get("jsonrpc") != self.VERSION:
            raise JsonRpcInvalidRequest('A message is an object with "jsonrpc": "2.0".')
        if "id" in message and not _is_id(message["id"]):
            raise JsonRpcInvalidRequest("The id of a message is a string or a number.")
        if "id" in message and "method" not in message:
            self._handle_response_of_client(message)
            return
        method = message.get("method")
        if not isinstance(method, str):
            raise JsonRpcInvalidRequest("The method of a message is a string.")
        if "id" in message:
            self._handle_client_request(method, message)
        else:
            self._handle_client_notification(method, message)

    def _handle_client_request(self, method: str, message: dict[str, Any]) -> None:
        if self._state == _State.SHUT_DOWN:
            raise JsonRpcInvalidRequest(f"{method}: the server has been shut down.")
        if self._state == _State.NEW and method != types.INITIALIZE:
            raise JsonRpcServerNotInitialized(f"{method}: send initialize first.")
        if self._state == _State.RUNNING and method == types.INITIALIZE:
            raise JsonRpcInvalidRequest("initialize: the server has been initialized.")
        if not self._is_known(method):
            raise JsonRpcMethodNotFound.of(method)
        try:
            request = self.structure_message(message)
        except InvalidParametersError as error:
            raise JsonRpcInvalidParams(str(error)) from error
        if method == types.INITIALIZE:
            self._state = _State.RUNNING
            self.client_process_id = request.params.process_id
        self.handle_message(request)
        if method == types.INITIALIZE:
            self.initialized.set()
        elif method == types.SHUTDOWN:
            self._state = _State.SHUT_DOWN

    def _handle_client_notification(self, method: str, message: dict[str, Any]) -> None:
        if method == types.EXIT:
            self.ended.set()
        elif self._state != _State.RUNNING:
            logger.warning("%.100s is ignored: the session has not begun, or has been shut down", ascii(method))
        elif not self._is_known(method) and method != types.CANCEL_REQUEST:
            if not method.startswith(_OPTIONAL):
                logger.warning("%.100s is ignored: it is unknown", ascii(method))
        else:
            self._notify(method, message)

    def _notify(self, method: str, message: dict[str, Any]) -> None:
        try:
            notification = self.structure_message(message)
        except InvalidParametersError as error:
            logger.warning("%s", error)
            return
        if method == types.CANCEL_REQUEST and not _is_id(notification.params.id):
            logger.warning("%s: the id %.100s is neither a string nor a number", method, ascii(notification.params.id))
            return
        self.handle_message(notification)

    def _handle_response_of_client(self, message: dict[str, Any]) -> None:
        """Handle the response to a request of this server. One that cannot be read is an error."""
        if self._state == _State.SHUT_DOWN:
            return  # What has sent the request has been cancelled.
        method = self._sent_requests.pop(message["id"], None)
        if method is None:
            logger.warning("a response is ignored: its id %.100s is unknown", ascii(message["id"]))
            return
        expected: type = types.ResponseErrorMessage
        if message.get("error") is None:
            message.pop("error", None)  # Some clients send `"error": null` with each result.
            message.setdefault("result", None)
            expected = self.get_result_type(method) or JsonRPCResponseMessage
        try:
            structure(self._own_converter, message, expected)
        except InvalidParametersError as error:
            logger.warning("%s: %s", method, error)
            refusal = {"code": JsonRpcInvalidParams.CODE, "message": str(error)}
            message = {"jsonrpc": self.VERSION, "id": message["id"], "error": refusal}
        self.handle_message(super().structure_message(message))

    def _is_known(self, method: str) -> bool:
        if method.startswith(_UNUSED):
            return False
        return method in self.fm.features or method in self.fm.builtin_features

    def _refuse(self, request_id: object, error: JsonRpcException) -> None:
        """Send an error, and log it in one line."""
        line = " ".join(error.message.split())
        logger.warning("%.300s", line.encode(errors="backslashreplace").decode())  # it may contain lone surrogates
        answer: dict[str, Any] = {"code": error.code, "message": error.message}
        body = json.dumps({"jsonrpc": self.VERSION, "id": request_id, "error": answer}).encode()
        if self.writer is not None:
            self.writer.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))

    # The methods of pygls that this class replaces

    def structure_message(self, data: dict[str, Any]) -> Any:  # noqa: ANN401  one type for each method
        """Return a request or notification as lsprotocol's type.

        Raises:
            InvalidParametersError: its parameters cannot be read.
        """
        message_type = self.get_message_type(data["method"])
        if message_type is not None:
            return structure(self._own_converter, data, message_type)
        if "id" in data:
            return JsonRPCRequestMessage(data["id"], data["method"], self.VERSION, data.get("params"))
        return JsonRPCNotification(data["method"], self.VERSION, data.get("params"))

    def send_request(
        self,
        method: str,
        params: object = None,
        callback: Callable[[Any], None] | None = None,
        msg_id: str | int | None = None,
    ) -> Future[Any]:
        """Send a request, and note its method: a response to no request of this server is ignored."""
        if msg_id is None:
            msg_id = str(uuid4())
        self._sent_requests[msg_id] = method
        return super().send_request(method, params, callback, msg_id)

    @lsp_method(types.SHUTDOWN)
    def lsp_shutdown(self, *args: Any) -> None:  # type: ignore[override]  # noqa: ANN401  as pygls has it
        """Call the feature, which cancels what is running. pygls 2.1 would fail: its own list changes meanwhile."""
        self.fm.features[types.SHUTDOWN](*args)

    @lsp_method(types.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: types.DidChangeTextDocumentParams) -> None:
        """Call the feature, which edits the text."""
        self.fm.features[types.TEXT_DOCUMENT_DID_CHANGE](params)


def _is_id(value: object) -> bool:
    return isinstance(value, str | int | float) and not isinstance(value, bool)
