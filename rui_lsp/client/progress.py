"""Work-done progress."""

from __future__ import annotations

from rui_lsp.protocol.errors import LspError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rui_lsp.client.client import Client
    from rui_lsp.client.convert import Json


class Progress:
    """Reports the progress of one task. Sends no messages if the client gave no token."""

    def __init__(self, client: Client, token: object, title: str, *, cancellable: bool = False) -> None:
        """Report that the task begins.

        Args:
            client: the client.
            token: the progress token of the task, or None.
            title: the name of the task, for the user.
            cancellable: whether the client can cancel it. A cancellable task reports percentages.
        """
        self._client = client
        self._token = token
        begin: Json = {"kind": "begin", "title": title, "cancellable": cancellable}
        if cancellable:
            begin["percentage"] = 0
        self._send(begin)

    def step(self, number: int, count: int) -> None:
        """Report that `number` of `count` parts are done."""
        self._send({"kind": "report", "percentage": 100 * number // count})

    def end(self) -> None:
        """Report that the task is done or cancelled."""
        self._send({"kind": "end"})

    def _send(self, value: Json) -> None:
        if self._token is not None:
            self._client.notify("$/progress", {"token": self._token, "value": value})


async def new_token(client: Client) -> object:
    """Create a progress token for a task that the client gave none for; None if the client shows no progress."""
    if not client.can("window", "workDoneProgress"):
        return None
    token = client.new_id()
    try:
        await client.request("window/workDoneProgress/create", {"token": token})
    except LspError:
        return None
    return token
