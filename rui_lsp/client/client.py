"""The client as the server sees it: what it can do, what its user has set, and how to reach it."""

from __future__ import annotations

from rui_lsp.client.settings import TRACE_OFF, TRACE_VERBOSE, TRACES, Settings
from rui_lsp.protocol.errors import INTERNAL_ERROR, LspError
from rui_lsp.protocol.log import logger

TYPE_CHECKING = False
if TYPE_CHECKING:
    from asyncio import Future
    from collections.abc import Callable

    from rui_lsp.client.convert import Json


_LONGEST_TRACE = 2000  # characters


class Client:
    """One client.

    Attributes:
        capabilities: what it said about itself in `initialize`; `can` asks for one of them.
        options: its `initializationOptions`, the first settings.
        settings: what its user has set (`configuration` keeps it up to date); `settings_for` looks at folders.
        of_folders: what is set for single folders, by their addresses, where that is something else.
        settings_changed: called when they are others.
        complaints: what the user was told about them.
        trace: how much it wants to be told of what the server does: one of `rui_lsp.client.settings.TRACES`.
        folders: the addresses of its workspace folders.
    """

    __slots__ = (
        "_asked",
        "_next_id",
        "_send",
        "capabilities",
        "folders",
        "messages",
        "of_folders",
        "options",
        "settings",
        "settings_changed",
        "trace",
    )  # fmt: skip

    def __init__(self, send: Callable[[Json], None], initialize: Json | None = None) -> None:
        """Get to know a client.

        Args:
            send: sends it a message.
            initialize: the parameters of its `initialize` request.
        """
        params = initialize or {}
        self._send = send
        self._next_id = 0
        self._asked: dict[str, Callable[[object, LspError | None], None]] = {}
        self.capabilities = params.get("capabilities")
        self.options = params.get("initializationOptions")
        self.settings = Settings(self.options)
        self.of_folders: dict[str, Settings] = {}
        self.settings_changed: Callable[[], None] = lambda: None
        self.messages: list[str] = []
        self.trace = self.settings.trace or (params["trace"] if params.get("trace") in TRACES else TRACES[0])
        self.folders = _folders(params)

    def settings_for(self, uri: str) -> Settings:
        """The settings that count for a document: those of the innermost folder around it."""
        if not self.of_folders:
            return self.settings
        around = [folder for folder in self.folders if uri.startswith(f"{folder.rstrip('/')}/")]
        return self.of_folders.get(max(around, key=len, default=""), self.settings)

    def can(self, *names: str) -> bool:
        """Whether a capability, such as ``("workspace", "diagnostics", "refreshSupport")``, is there and not false."""
        found = self.value(*names)
        return found is not None and found is not False

    def values(self, *names: str) -> list[object]:
        """A capability that is a list, such as ``("textDocument", "hover", "contentFormat")``; empty if it is none."""
        found = self.value(*names)
        return found if isinstance(found, list) else []

    def value(self, *names: str) -> object:
        """A capability as the client wrote it; None if it is not there."""
        found = self.capabilities
        for name in names:
            found = found.get(name) if isinstance(found, dict) else None
        return found

    @property
    def pulls(self) -> bool:
        """Whether it asks for diagnostics (`rui_lsp.diagnostics.pull`), so that none are pushed."""
        return self.can("textDocument", "diagnostic")

    def notify(self, method: str, params: object) -> None:
        """Send a notification."""
        self._send({"jsonrpc": "2.0", "method": method, "params": params})

    def log_trace(self, text: str, params: object = None) -> None:
        """Tell what the server does, to a client that wants to know; `params` too, if it wants to know everything."""
        if self.trace != TRACE_OFF:
            said: Json = {"message": text}
            if self.trace == TRACE_VERBOSE and params is not None:
                said["verbose"] = repr(params)[:_LONGEST_TRACE]
            self.notify("$/logTrace", said)

    async def request(self, method: str, params: object = None) -> object:
        """Send a request and wait for its result.

        Raises:
            LspError: the client answers with an error.
        """
        import asyncio  # noqa: PLC0415  not needed before the reply to `initialize`

        answer: Future[object] = asyncio.get_running_loop().create_future()

        def settle(result: object, error: LspError | None) -> None:
            if answer.done():
                return  # Nobody waits for it any more.
            if error is None:
                answer.set_result(result)
            else:
                answer.set_exception(error)

        number = self._ask(method, params, settle)
        try:
            return await answer
        finally:
            self._asked.pop(number, None)

    def ask(self, method: str, params: object = None, then: Callable[[object], None] = lambda _: None) -> None:
        """Send a request; of its result `then` is told, an error is only logged."""

        def settle(result: object, error: LspError | None) -> None:
            if error is None:
                then(result)
            else:
                logger().warning("the client refuses %s: %s", method, error)

        self._ask(method, params, settle)

    def _ask(self, method: str, params: object, settle: Callable[[object, LspError | None], None]) -> str:
        number = self.new_id()
        self._asked[number] = settle
        self._send({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        return number

    def new_id(self) -> str:
        """A name that nothing else has that is sent to this client."""
        self._next_id += 1
        return f"rui-{self._next_id}"

    def take_answer(self, message: Json) -> bool:
        """Take in an answer to a request of ours; whether there was such a request."""
        number, error = message.get("id"), message.get("error")
        if not isinstance(number, str) or number not in self._asked:
            return False
        settle = self._asked.pop(number)
        if error is None:
            settle(message.get("result"), None)
        else:
            text, code = (error.get("message"), error.get("code")) if isinstance(error, dict) else (error, None)
            settle(None, LspError(str(text), code if isinstance(code, int) else INTERNAL_ERROR))
        return True


def _folders(params: Json) -> list[str]:
    given = params.get("workspaceFolders")
    if isinstance(given, list):
        folders = [folder.get("uri") for folder in given if isinstance(folder, dict)]
    else:
        folders = [params.get("rootUri")]
    return [uri for uri in folders if isinstance(uri, str)]
