"""Telling the client how far some work is (work-done progress)."""

from __future__ import annotations

from rui_lsp.protocol.errors import LspError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rui_lsp.client.client import Client
    from rui_lsp.client.convert import Json


class Progress:
    """Progress of one piece of work, for a client that wants to know; else nothing is sent."""

    def __init__(self, client: Client, token: object, title: str, *, cancellable: bool = False) -> None:
        """Say that it begins.

        Args:
            client: who is told.
            token: what the client calls the work; None if it does not want to know.
            title: what is done, for people.
            cancellable: whether the client may cancel it.
        """
        self._client = client
        self._token = token
        begin: Json = {"kind": "begin", "title": title, "cancellable": cancellable}
        self._tell({**begin, "percentage": 0} if cancellable else begin)

    def step(self, number: int, count: int) -> None:
        """So many of so many parts are done."""
        self._tell({"kind": "report", "percentage": 100 * number // count})

    def end(self) -> None:
        """The work is done, or cancelled."""
        self._tell({"kind": "end"})

    def _tell(self, value: Json) -> None:
        if self._token is not None:
            self._client.notify("$/progress", {"token": self._token, "value": value})


async def new_token(client: Client) -> object:
    """A token for work that the client has not given one for; None if it shows no progress."""
    if not client.can("window", "workDoneProgress"):
        return None
    token = client.new_id()
    try:
        await client.request("window/workDoneProgress/create", {"token": token})
    except LspError:
        return None
    return token
