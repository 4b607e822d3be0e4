"""The client as the server sees it: what it can do, what its user has set, and how to reach it."""

from __future__ import annotations

from rui_lsp.errors import INTERNAL_ERROR, LspError
from rui_lsp.log import logger
from rui_lsp.settings import Settings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from asyncio import Future
    from collections.abc import Callable

    from rui_lsp.convert import Json


class Client:
    """One client.

    Attributes:
        capabilities: what it said about itself in `initialize`; `can` asks for one of them.
        settings: what its user has set.
        folders: the addresses of its workspace folders.
    """

    __slots__ = ("_asked", "_next_id", "_send", "capabilities", "folders", "settings")

    def __init__(self, send: Callable[[Json], None], initialize: Json | None = None) -> None:
        """Get to know a client.

        Args:
            send: sends it a message.
            initialize: the parameters of its `initialize` request.
        """
        params = initialize or {}
        self._send = send
        self._next_id = 0
        self._asked: dict[str, Future[object] | None] = {}
        self.capabilities = params.get("capabilities")
        self.settings = Settings(params.get("initializationOptions"))
        self.folders = _folders(params)

    def can(self, *names: str) -> bool:
        """Whether a capability, such as ``("workspace", "diagnostics", "refreshSupport")``, is there and not false."""
        found = self.capabilities
        for name in names:
            found = found.get(name) if isinstance(found, dict) else None
        return found is not None and found is not False

    @property
    def pulls(self) -> bool:
        """Whether it asks for diagnostics (`rui_lsp.features.diagnostics`), so that none are pushed."""
        return self.can("textDocument", "diagnostic")

    def notify(self, method: str, params: object) -> None:
        """Send a notification."""
        self._send({"jsonrpc": "2.0", "method": method, "params": params})

    async def request(self, method: str, params: object = None) -> object:
        """Send a request and wait for its result.

        Raises:
            LspError: the client answers with an error.
        """
        import asyncio  # noqa: PLC0415  not needed before the reply to `initialize`

        answer: Future[object] = asyncio.get_running_loop().create_future()
        number = self._ask(method, params, answer)
        try:
            return await answer
        finally:
            self._asked.pop(number, None)

    def ask(self, method: str, params: object = None) -> None:
        """Send a request whose result does not matter; an error is logged."""
        self._ask(method, params, None)

    def _ask(self, method: str, params: object, answer: Future[object] | None) -> str:
        self._next_id += 1
        number = f"rui-{self._next_id}"
        self._asked[number] = answer
        self._send({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        return number

    def take_answer(self, message: Json) -> bool:
        """Take in an answer to a request of ours; whether there was such a request."""
        number, error = message.get("id"), message.get("error")
        if not isinstance(number, str) or number not in self._asked:
            return False
        answer = self._asked.pop(number)
        if answer is not None and answer.done():
            pass  # Nobody waits for it any more.
        elif error is None:
            if answer is not None:
                answer.set_result(message.get("result"))
        else:
            text, code = (error.get("message"), error.get("code")) if isinstance(error, dict) else (error, None)
            if answer is None:
                logger().warning("the client refuses: %s", text)
            else:
                answer.set_exception(LspError(str(text), code if isinstance(code, int) else INTERNAL_ERROR))
        return True


def _folders(params: Json) -> list[str]:
    given = params.get("workspaceFolders")
    if isinstance(given, list):
        folders = [folder.get("uri") for folder in given if isinstance(folder, dict)]
    else:
        folders = [params.get("rootUri")]
    return [uri for uri in folders if isinstance(uri, str)]
