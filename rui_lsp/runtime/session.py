"""One client: bytes in, bytes out, and work that can wait. It knows the protocol's order and no transport.

Opening, changing and closing documents and the life of the session are handled here, on plain data: they are what an
author waits for at every keystroke. Everything else is pygls' (`server`), which is imported when first needed,
or when there is nothing else to do. Requests wait until everything that has come in is read, so that one that is
cancelled by then is not computed.
"""

from __future__ import annotations

import time

from rui_lsp.client.settings import TRACE_OFF
from rui_lsp.protocol.errors import (
    INTERNAL_ERROR,
    INVALID_REQUEST,
    PARSE_ERROR,
    REQUEST_CANCELLED,
    SERVER_NOT_INITIALIZED,
    InvalidParamsError,
)
from rui_lsp.protocol.framing import FrameError, FrameReader, encode
from rui_lsp.protocol.log import logger, trace
from rui_lsp.protocol.messages import cancelled_by, id_of, named, object_of, params_of
from rui_lsp.runtime.handshake import choose_encoding, initialize_result
from rui_lsp.scheduling import idle as pace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from rui_lsp.client.client import Client
    from rui_lsp.client.convert import Json
    from rui_lsp.diagnostics.push import Publisher
    from rui_lsp.documents.workspace import OpenDocument, Workspace
    from rui_lsp.runtime.early import Early

_NEW, _RUNNING, _SHUT_DOWN = "new", "running", "shut down"
_MAX_BACKLOG = 100  # notifications kept for pygls before it is there


def _nowhere(data: bytes) -> None:
    """What a session sends to before it has a transport."""


class Session:
    """The server's side of one conversation.

    Attributes:
        exit_code: what the process is to end with, once the client has said `exit`; until then None.
        send: takes the bytes that the client is to get; whoever opens the transport sets it.
        wake: to be called from another thread when there is work for this one; the transport sets it, too.
    """

    def __init__(self, send: Callable[[bytes], object] = _nowhere) -> None:
        self.exit_code: int | None = None
        self.send = send
        self.wake: Callable[[], object] = lambda: None
        self._frames = FrameReader()
        self._state = _NEW
        self._workspace: Workspace | None = None
        self._publisher: Publisher | None = None
        self._initialize: Json = {}
        self._waiting: dict[object, Json] = {}  # requests by id, in the order in which they came
        self._cancelled: set[object] = set()  # by what has come in but is not yet handled
        self._backlog: list[Json] = []
        self._pygls: Callable[[Json], None] | None = None
        self._early: Early | None = None
        self._is_warming = self._is_warm = self._has_closed = False
        self._quiet = pace.Quiet(self._use_quiet)

    @property
    def is_new(self) -> bool:
        """Whether the client has yet to say `initialize`."""
        return self._state == _NEW

    @property
    def has_work(self) -> bool:
        """Whether there is something to do for `work`."""
        if self._state != _RUNNING or self._publisher is None:
            return False
        return bool(self._waiting) or self._publisher.has_work or self._may_catch_up

    def work(self) -> None:
        """Do the next piece of what can wait: to be called when there is nothing to read.

        That is one document's diagnostics and one request, so that neither holds up the other.
        """
        if self._publisher is not None and self._publisher.has_work and self._state == _RUNNING:
            self._publisher.work()
        elif self._may_catch_up:
            self._load_pygls()
        self._answer_next()

    def idle(self) -> None:
        """Make use of there being nothing to do: when it stays so, import what requests beyond the usual will need."""
        if self._workspace is not None and (self._backlog or (self._workspace.documents and not self._is_warming)):
            self._quiet.begins()
        pace.tidy_up(has_closed=self._has_closed)
        self._has_closed = False

    @property
    def _may_catch_up(self) -> bool:
        """Whether notifications wait for pygls, and it is there."""
        return self._is_warm and bool(self._backlog)

    def feed(self, data: bytes) -> None:
        """Handle the messages that some received bytes complete. Nothing that they hold raises an exception."""
        messages = list(self._frames.feed(data))
        self._cancelled.update(cancelled_by(message) for message in messages)
        for message in messages:
            if self.exit_code is not None:
                return
            self._receive(message)
        self._cancelled.clear()

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
            self._refuse(id_of(message), INVALID_REQUEST, "Not a JSON-RPC 2.0 message.")
            return
        method = message.get("method")
        trace("received %s", method or "a response")
        if self._workspace is not None and self._workspace.client.trace != TRACE_OFF:
            self._workspace.client.log_trace(f"received {named(message)}", message.get("params"))
        try:
            if not isinstance(method, str):
                self._response(message)
            elif "id" in message:
                self._request(method, message)
            else:
                self._notification(method, message)
        except InvalidParamsError as error:
            self._fail(message, error.code, f"{method}: {error}")
        except Exception as error:
            logger().exception("internal fault in %s", method)
            self._fail(message, INTERNAL_ERROR, f"Internal fault: {type(error).__name__}: {error}")

    def _request(self, method: str, message: Json) -> None:
        if id_of(message) is None:
            self._refuse(None, INVALID_REQUEST, "The id of a request is a string or an integer.")
        elif self._state == _SHUT_DOWN:
            self._refuse(id_of(message), INVALID_REQUEST, "The server is shut down; all it takes is exit.")
        elif self._state == _NEW and method != "initialize":
            self._refuse(id_of(message), SERVER_NOT_INITIALIZED, "The first request must be initialize.")
        elif method == "initialize":
            self._start(message)
        elif method == "shutdown":
            self._answer_all()
            self._state = _SHUT_DOWN
            self._reply(message, None)
        else:
            self._waiting[id_of(message)] = message

    def _notification(self, method: str, message: Json) -> None:
        if method == "exit":
            self.end_of_input()
        elif self._state == _RUNNING and self._workspace is not None and self._publisher is not None:
            match method:
                case "textDocument/didChange":
                    self._did_change(params_of(message), self._workspace, self._publisher)
                case "textDocument/didOpen":
                    self._did_open(params_of(message), self._workspace, self._publisher)
                case "textDocument/didClose":
                    self._did_close(params_of(message), self._workspace, self._publisher)
                case "textDocument/didSave":
                    pass  # What is open counts, saved or not.
                case "initialized" | "workspace/didChangeConfiguration" | "$/setTrace":
                    self._configure(method, message, self._workspace.client)
                case "$/cancelRequest":
                    self._cancel(message)
                case _:
                    self._for_pygls(message)

    def _response(self, message: Json) -> None:
        if "result" not in message and "error" not in message:
            self._refuse(id_of(message), INVALID_REQUEST, "Neither a request nor a response.")
        elif self._workspace is None or not self._workspace.client.take_answer(message):
            logger().warning("an answer to nothing asked: id %r", message.get("id"))

    # The life of the session

    def _start(self, message: Json) -> None:
        if self._state != _NEW:
            self._refuse(id_of(message), INVALID_REQUEST, "The server is initialized already.")
            return
        params = params_of(message)
        encoding = choose_encoding(params.get("capabilities"))
        self._initialize = message
        self._state = _RUNNING
        self._reply(message, initialize_result(encoding))
        # The client has its answer; what follows takes longer to import than to run.
        from rui_lsp.client.client import Client  # noqa: PLC0415
        from rui_lsp.diagnostics.push import Publisher  # noqa: PLC0415
        from rui_lsp.documents.workspace import Workspace  # noqa: PLC0415

        client = Client(self._send_message, params)
        self._workspace = Workspace(encoding, client)
        self._publisher = Publisher(client)
        client.settings_changed = self._show_again

    def _configure(self, method: str, message: Json, client: Client) -> None:
        from rui_lsp.client import configuration  # noqa: PLC0415  not needed before the reply to `initialize`

        if method == "initialized":
            configuration.start(client)
            self._for_pygls(message)
        elif method == "$/setTrace":
            configuration.set_trace(client, message.get("params"))
        else:
            configuration.changed(client, params_of(message))

    def _show_again(self) -> None:
        if self._publisher is not None and self._workspace is not None:
            self._publisher.again(self._workspace.documents.values())

    # Documents

    def _did_open(self, params: Json, workspace: Workspace, publisher: Publisher) -> None:
        item = object_of(params, "textDocument")
        uri, text, version = item.get("uri"), item.get("text"), item.get("version")
        if not isinstance(uri, str) or not isinstance(text, str):
            raise InvalidParamsError("textDocument needs uri and text")
        if uri in workspace.documents:
            logger().warning("%s is opened a second time; its new text counts", uri)
        publisher.changed(workspace.open(uri, version if isinstance(version, int) else 0, text))

    def _did_change(self, params: Json, workspace: Workspace, publisher: Publisher) -> None:
        item, changes = object_of(params, "textDocument"), params.get("contentChanges")
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
        self._answer_all()  # Requests that came before the change are about the text before it.
        document.change(version, changes)
        publisher.changed(document)

    def _did_close(self, params: Json, workspace: Workspace, publisher: Publisher) -> None:
        item = object_of(params, "textDocument")
        document = self._open_document(item, workspace)
        if document is None:
            logger().warning("%s, which is not open, cannot be closed", item.get("uri"))
            return
        self._answer_all()
        workspace.close(document.uri)
        publisher.closed(document.uri)
        self._has_closed = True

    @staticmethod
    def _open_document(item: Json, workspace: Workspace) -> OpenDocument | None:
        uri = item.get("uri")
        return workspace.documents.get(uri) if isinstance(uri, str) else None

    # What pygls serves

    def _answer_all(self) -> None:
        """Have every request answered that waits."""
        while self._waiting:
            self._answer_next()

    def _answer_next(self) -> None:
        """Have the request answered that waits longest, if one does and it is not cancelled."""
        number = next(iter(self._waiting), None)
        if number is None:
            return
        message = self._waiting.pop(number)
        if number in self._cancelled:
            self._refuse(number, REQUEST_CANCELLED, "Cancelled.")
            return
        start = time.perf_counter()
        try:
            if self._pygls is not None or not self._is_answered_early(message):
                self._leave(message)
        except Exception as error:
            logger().exception("internal fault in %s", message["method"])
            self._fail(message, INTERNAL_ERROR, f"Internal fault: {type(error).__name__}: {error}")
        if self._workspace is not None and self._workspace.client.trace != TRACE_OFF:
            took = (time.perf_counter() - start) * 1e3
            self._workspace.client.log_trace(f"worked {took:.2f} ms on {named(message)}")

    def _is_answered_early(self, message: Json) -> bool:
        """Answer a request before pygls is there, if a feature can."""
        if self._is_warm or not self._early_features().answer(message):
            return False
        self._notice_early()
        return True

    def _early_features(self) -> Early:
        if self._early is None:
            from rui_lsp.runtime.early import Early  # noqa: PLC0415  not needed before the reply to `initialize`

            assert self._workspace is not None  # noqa: S101  nothing is served before `initialize`
            self._early = Early(self._workspace, self._reply, self._fail, self._leave)
        return self._early

    def _notice_early(self) -> None:
        """Have the features know of what they want to know before pygls is there."""
        if self._pygls is None:
            backlog, self._backlog = self._backlog, []
            self._backlog = [message for message in backlog if not self._early_features().notice(message)]

    def _leave(self, message: Json) -> None:
        (self._pygls or self._load_pygls())(message)

    def _cancel(self, message: Json) -> None:
        """Cancel a request that waits; one that has begun is pygls' to cancel."""
        number = cancelled_by(message)
        if self._waiting.pop(number, None) is not None:
            self._refuse(number, REQUEST_CANCELLED, "Cancelled.")
        elif self._early is not None and self._early.cancel(number):
            pass
        elif self._pygls is not None:
            self._pygls(message)

    def _for_pygls(self, message: Json) -> None:
        """Pass a notification on to pygls, now or when it is there."""
        if self._pygls is not None:
            self._pygls(message)
        elif self._early is None or not self._early.notice(message):
            self._backlog.append(message)
            if len(self._backlog) > _MAX_BACKLOG:
                self._load_pygls()

    def _load_pygls(self) -> Callable[[Json], None]:
        from rui_lsp.runtime.server import start  # noqa: PLC0415  0.3 s

        assert self._workspace is not None  # noqa: S101  nothing is served before `initialize`
        self._pygls = start(self._initialize, self._workspace, self._send_now)
        for message in self._backlog:
            self._pygls(message)
        self._backlog.clear()
        return self._pygls

    def _use_quiet(self) -> None:
        if self._workspace is not None and self._workspace.documents and not self._is_warming:
            import threading  # noqa: PLC0415  not needed before the reply to `initialize`

            self._is_warming = True
            threading.Thread(target=self._warm_up, daemon=True).start()
        if self._backlog:
            self._notice_early()

    def _warm_up(self) -> None:
        """In a thread of its own: load pygls and the features; what is wrong with that shows when they are needed."""
        try:
            from rui_lsp.runtime.server import warm_up  # noqa: PLC0415  0.3 s

            warm_up(self._initialize)
            pace.settle()
            self._is_warm = True
            self.wake()
        except Exception:
            logger().exception("cannot import what serves requests")

    # What is sent

    def _send_now(self, data: bytes) -> None:
        """Send by whatever transport there is at that moment."""
        self.send(data)

    def _send_message(self, message: Json) -> None:
        self.send(encode(message))

    def _reply(self, request: Json, result: object) -> None:
        self.send(encode({"jsonrpc": "2.0", "id": id_of(request), "result": result}))

    def _fail(self, message: Json, code: int, text: str) -> None:
        """Answer a request with an error; of a notification it is only logged, as nobody waits for an answer."""
        if "id" in message:
            self._refuse(id_of(message), code, text)
        elif code != INTERNAL_ERROR:
            logger().warning("%s", text)

    def _refuse(self, request_id: object, code: int, text: str) -> None:
        self.send(encode({"jsonrpc": "2.0", "id": request_id, "error": {"code": code, "message": text}}))
