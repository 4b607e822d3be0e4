"""One client: bytes in, bytes out, and work that can wait. It knows the protocol's order and no transport.

Opening, changing and closing documents and the life of the session are handled here, on plain data: they are what an
author waits for at every keystroke. Everything else is pygls' (`rui_lsp.server`), which is imported when first needed.
"""

from __future__ import annotations

from rui_lsp.capabilities import choose_encoding, initialize_result
from rui_lsp.frames import FrameError, FrameReader, encode
from rui_lsp.log import logger, trace
from rui_lsp.settings import Settings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from rui_lsp.convert import Json
    from rui_lsp.publisher import Publisher
    from rui_lsp.workspace import OpenDocument, Workspace

PARSE_ERROR, INVALID_REQUEST, INVALID_PARAMS, INTERNAL_ERROR = -32700, -32600, -32602, -32603
SERVER_NOT_INITIALIZED = -32002

_NEW, _RUNNING, _SHUT_DOWN = "new", "running", "shut down"
_MAX_BACKLOG = 100  # notifications kept for pygls before it is there


def _nowhere(data: bytes) -> None:
    """What a session sends to before it has a transport."""


class InvalidParamsError(ValueError):
    """The parameters of a message are not what its method takes."""


class Session:
    """The server's side of one conversation.

    Attributes:
        exit_code: what the process is to end with, once the client has said `exit`; until then None.
        send: takes the bytes that the client is to get; whoever opens the transport sets it.
    """

    def __init__(self, send: Callable[[bytes], object] = _nowhere) -> None:
        self.exit_code: int | None = None
        self.send = send
        self._frames = FrameReader()
        self._state = _NEW
        self._settings = Settings()
        self._workspace: Workspace | None = None
        self._publisher: Publisher | None = None
        self._initialize: Json = {}
        self._backlog: list[Json] = []
        self._pygls: Callable[[Json], None] | None = None

    @property
    def is_new(self) -> bool:
        """Whether the client has yet to say `initialize`."""
        return self._state == _NEW

    @property
    def has_work(self) -> bool:
        """Whether there is something to do for `work`."""
        return self._publisher is not None and self._publisher.has_work and self._state == _RUNNING

    def work(self) -> None:
        """Do the next piece of what can wait: to be called when there is nothing to read."""
        if self._publisher is not None and self.has_work:
            self._publisher.work()

    def feed(self, data: bytes) -> None:
        """Handle the messages that some received bytes complete. Nothing that they hold raises an exception."""
        for message in self._frames.feed(data):
            if self.exit_code is not None:
                return
            self._receive(message)

    def end_of_input(self) -> None:
        """The client is gone; without a `shutdown` before, that is a failure."""
        if self.exit_code is None:
            self.exit_code = 0 if self._state == _SHUT_DOWN else 1

    def _receive(self, message: object) -> None:
        if isinstance(message, FrameError):
            logger().warning("not a message: %s", message)
            self._refuse(None, PARSE_ERROR, f"Not a message: {message}")
            return
        if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
            self._refuse(_id_of(message), INVALID_REQUEST, "Not a JSON-RPC 2.0 message.")
            return
        method = message.get("method")
        trace("received %s", method or "a response")
        try:
            if not isinstance(method, str):
                self._response(message)
            elif "id" in message:
                self._request(method, message)
            else:
                self._notification(method, message)
        except InvalidParamsError as error:
            self._fail(message, INVALID_PARAMS, f"{method}: {error}")
        except Exception as error:
            logger().exception("internal fault in %s", method)
            self._fail(message, INTERNAL_ERROR, f"Internal fault: {type(error).__name__}: {error}")

    def _request(self, method: str, message: Json) -> None:
        if _id_of(message) is None:
            self._refuse(None, INVALID_REQUEST, "The id of a request is a string or an integer.")
        elif self._state == _SHUT_DOWN:
            self._refuse(_id_of(message), INVALID_REQUEST, "The server is shut down; all it takes is exit.")
        elif self._state == _NEW and method != "initialize":
            self._refuse(_id_of(message), SERVER_NOT_INITIALIZED, "The first request must be initialize.")
        elif method == "initialize":
            self._start(message)
        elif method == "shutdown":
            self._state = _SHUT_DOWN
            self._reply(message, None)
        else:
            self._to_pygls(message)

    def _notification(self, method: str, message: Json) -> None:
        if method == "exit":
            self.end_of_input()
        elif self._state == _RUNNING and self._workspace is not None and self._publisher is not None:
            match method:
                case "textDocument/didChange":
                    self._did_change(_params(message), self._workspace, self._publisher)
                case "textDocument/didOpen":
                    self._did_open(_params(message), self._workspace, self._publisher)
                case "textDocument/didClose":
                    self._did_close(_params(message), self._workspace, self._publisher)
                case "textDocument/didSave":
                    pass  # What is open counts, saved or not.
                case _:
                    self._for_pygls(message)

    def _response(self, message: Json) -> None:
        if "result" not in message and "error" not in message:
            self._refuse(_id_of(message), INVALID_REQUEST, "Neither a request nor a response.")
        elif self._pygls is not None:
            self._pygls(message)
        else:
            logger().warning("an answer to nothing asked: id %r", message.get("id"))

    # The life of the session

    def _start(self, message: Json) -> None:
        if self._state != _NEW:
            self._refuse(_id_of(message), INVALID_REQUEST, "The server is initialized already.")
            return
        params = _params(message)
        self._settings = Settings(params.get("initializationOptions"))
        encoding = choose_encoding(params.get("capabilities"))
        self._initialize = message
        self._state = _RUNNING
        self._reply(message, initialize_result(encoding))
        # The client has its answer; what follows takes longer to import than to run.
        from rui_lsp.publisher import Publisher  # noqa: PLC0415
        from rui_lsp.workspace import Workspace  # noqa: PLC0415

        self._workspace = Workspace(encoding)
        self._publisher = Publisher(self._settings, self._notify)

    # Documents

    def _did_open(self, params: Json, workspace: Workspace, publisher: Publisher) -> None:
        item = _object(params, "textDocument")
        uri, text, version = item.get("uri"), item.get("text"), item.get("version")
        if not isinstance(uri, str) or not isinstance(text, str):
            raise InvalidParamsError("textDocument needs uri and text")
        if uri in workspace.documents:
            logger().warning("%s is opened a second time; its new text counts", uri)
        publisher.changed(workspace.open(uri, version if isinstance(version, int) else 0, text))

    def _did_change(self, params: Json, workspace: Workspace, publisher: Publisher) -> None:
        item, changes = _object(params, "textDocument"), params.get("contentChanges")
        document = self._open_document(item, workspace)
        if document is None:
            logger().warning("a change of %s, which is not open, is ignored", item.get("uri"))
            return
        version = item.get("version")
        if not isinstance(changes, list):
            raise InvalidParamsError("contentChanges is no array")
        if not isinstance(version, int):
            version = document.version + 1
        elif version <= document.version:
            # Messages cannot overtake each other, so it is the number that is wrong: the change still counts.
            logger().warning("%s: version %s follows version %s", document.uri, version, document.version)
        try:
            document.change(version, changes)
        except ValueError as error:
            raise InvalidParamsError(str(error)) from None
        publisher.changed(document)

    def _did_close(self, params: Json, workspace: Workspace, publisher: Publisher) -> None:
        item = _object(params, "textDocument")
        document = self._open_document(item, workspace)
        if document is None:
            logger().warning("%s, which is not open, cannot be closed", item.get("uri"))
            return
        workspace.close(document.uri)
        publisher.closed(document.uri)

    @staticmethod
    def _open_document(item: Json, workspace: Workspace) -> OpenDocument | None:
        uri = item.get("uri")
        return workspace.documents.get(uri) if isinstance(uri, str) else None

    # What pygls serves

    def _for_pygls(self, message: Json) -> None:
        """Pass a notification on to pygls, now or when it is there."""
        if self._pygls is not None:
            self._pygls(message)
        elif message["method"] != "$/cancelRequest":  # Before pygls is there, every request has been answered.
            self._backlog.append(message)
            if len(self._backlog) > _MAX_BACKLOG:
                self._load_pygls()

    def _to_pygls(self, message: Json) -> None:
        """Have pygls answer a request."""
        (self._pygls or self._load_pygls())(message)

    def _load_pygls(self) -> Callable[[Json], None]:
        from rui_lsp.server import start  # noqa: PLC0415  0.3 s

        self._pygls = start(self._initialize, self._send_now)
        for message in self._backlog:
            self._pygls(message)
        self._backlog.clear()
        return self._pygls

    # What is sent

    def _send_now(self, data: bytes) -> None:
        """Send by whatever transport there is at that moment."""
        self.send(data)

    def _notify(self, method: str, params: Json) -> None:
        self.send(encode({"jsonrpc": "2.0", "method": method, "params": params}))

    def _reply(self, request: Json, result: object) -> None:
        self.send(encode({"jsonrpc": "2.0", "id": _id_of(request), "result": result}))

    def _fail(self, message: Json, code: int, text: str) -> None:
        """Answer a request with an error; of a notification it is only logged, as nobody waits for an answer."""
        if "id" in message:
            self._refuse(_id_of(message), code, text)
        elif code != INTERNAL_ERROR:
            logger().warning("%s", text)

    def _refuse(self, request_id: object, code: int, text: str) -> None:
        self.send(encode({"jsonrpc": "2.0", "id": request_id, "error": {"code": code, "message": text}}))


def _id_of(message: object) -> object:
    """The id to answer with: null unless there is a proper one."""
    found = message.get("id") if isinstance(message, dict) else None
    return found if isinstance(found, str) or type(found) is int else None


def _params(message: Json) -> Json:
    return _object(message, "params")


def _object(holder: Json, name: str) -> Json:
    found = holder.get(name)
    if not isinstance(found, dict):
        raise InvalidParamsError(f"{name} is no object")
    return found
