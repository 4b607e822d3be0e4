"""Showing a person something, in whatever way the client can."""

from __future__ import annotations

from functools import partial

from rui_lsp.protocol.errors import LspError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rui_lsp.client.client import Client
    from rui_lsp.client.convert import Json

ERROR, WARNING, INFO = 1, 2, 3
"""MessageType."""

_folders: list[str] = []
"""The one folder of files that were made to be looked at, once there is one; it goes when the process ends."""


def say(client: Client, level: int, text: str) -> None:
    """Show a message."""
    client.notify("window/showMessage", {"type": level, "message": text})


async def show(client: Client, uri: str, *, external: bool = False) -> bool:
    """Show a document in the editor, or outside of it; whether that went well."""
    if not client.can("window", "showDocument", "support"):
        return False
    try:
        result = await client.request(
            "window/showDocument", {"uri": uri, "external": external, "takeFocus": not external}
        )
    except LspError:
        return False
    return isinstance(result, dict) and result.get("success") is True


async def show_address(client: Client, address: str, what: str) -> None:
    """Show a page of the web, or else its address."""
    if not await show(client, address, external=True):
        say(client, INFO, f"{what}: {address}")


async def show_text(client: Client, name: str, text: str) -> None:
    """Show a text that is in no file, by making one that is gone when the server is; if the client shows documents."""
    if client.can("window", "showDocument", "support"):
        import asyncio  # noqa: PLC0415  not needed before the reply to `initialize`

        await show(client, await asyncio.to_thread(_file, name, text))


def temporary_folder() -> str:
    """The folder of files that were made to be looked at; it is gone when the server is."""
    import atexit  # noqa: PLC0415  seldom
    import shutil  # noqa: PLC0415
    import tempfile  # noqa: PLC0415

    if not _folders:
        _folders.append(tempfile.mkdtemp(prefix="rui-"))
        atexit.register(partial(shutil.rmtree, _folders[0], ignore_errors=True))
    return _folders[0]


def _file(name: str, text: str) -> str:
    import re  # noqa: PLC0415
    from pathlib import Path  # noqa: PLC0415

    path = Path(temporary_folder()) / re.sub(r"[^\w. -]", "_", name)
    path.write_text(text, encoding="utf-8", newline="\n")
    return path.as_uri()


def name_of(uri: str) -> str:
    """What people call the document of an address: the name of its file."""
    from urllib.parse import unquote  # noqa: PLC0415

    return unquote(uri.rstrip("/").rpartition("/")[2]) or uri


def location(item: Json) -> str:
    """Where a diagnostic is, for people: ``line 7``."""
    where: object = item["range"]
    for step in ("start", "line"):
        where = where.get(step) if isinstance(where, dict) else None
    return f"line {where + 1}" if isinstance(where, int) else "somewhere"
