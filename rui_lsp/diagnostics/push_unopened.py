"""Diagnostics of files that are not open, for clients that cannot ask for them: told one by one, when there is time.

It begins when the first requests could be served, so it delays none of what an author waits for.
"""

from __future__ import annotations

import asyncio
import sys
from contextlib import suppress

from rui_common.validation.diagnostics import diagnose
from rui_lsp.client.convert import diagnostics_to_lsp
from rui_lsp.documents.files_on_disk import compute_from_file, document_paths, path_from_uri
from rui_lsp.documents.offload import elsewhere
from rui_lsp.documents.text_buffer import TextBuffer
from rui_lsp.protocol.errors import LspError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from rui_common.syntax.document import Document
    from rui_common.syntax.line_index import Encoding
    from rui_lsp.client.convert import Json
    from rui_lsp.client.settings import Settings
    from rui_lsp.documents.workspace import Workspace

MAX_FILES = 1000
"""So many files are told of at most."""

_PAUSE = 0.01  # seconds between two files
_POLITE = 0.0005  # seconds until a thread lets the others work


async def items_of_file(workspace: Workspace, uri: str, path: str) -> list[Json]:
    """The diagnostics of a file, found aside; none if it cannot be read, as is one that has just been deleted."""
    return await elsewhere(_items_of_file, uri, path, workspace.encoding, workspace.client.settings_for(uri))


def _items_of_file(uri: str, path: str, encoding: Encoding, settings: Settings) -> list[Json]:
    def make(document: Document) -> list[Json]:
        return diagnostics_to_lsp(diagnose(document), uri, TextBuffer(document.text, encoding), settings)

    return compute_from_file(path, ("diagnostics", uri, encoding, settings.key), make) or []


class Unopened:
    """Tells a client of the faults in files that it does not have open."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._told: set[str] = set()  # addresses that the client shows something for
        self._work: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Look at all files, and from now on at what is closed, and at all again when the settings are others."""
        before = self._workspace.client.settings_changed

        def settings_changed() -> None:
            before()
            self.look_at_all()

        self._workspace.client.settings_changed = settings_changed
        self._workspace.on_close = lambda uri: self.look_at([uri])
        self.look_at_all()

    def look_at_all(self) -> None:
        """Look at every file of every folder."""
        self._in_background(self._all)

    def look_at(self, uris: list[str]) -> None:
        """Look at some files, that may be new, changed or gone."""

        async def some() -> None:
            for uri in uris:
                self._told.add(uri)  # Whatever the client shows is not up to date.
                await self._look_at(uri, path_from_uri(uri))

        self._in_background(some)

    def _in_background(self, work: Callable[[], Coroutine[object, object, None]]) -> None:
        """Do something after what is being done already."""
        before = self._work

        async def in_turn() -> None:
            if before is not None:
                await asyncio.wait([before])
            interval = sys.getswitchinterval()
            sys.setswitchinterval(_POLITE)
            try:
                with suppress(LspError):  # The server ends, or the fault is in the log.
                    await work()
            finally:
                sys.setswitchinterval(interval)

        with suppress(RuntimeError):  # A session without a transport has no time for what is aside.
            self._work = asyncio.get_running_loop().create_task(in_turn())

    async def _all(self) -> None:
        found = await asyncio.to_thread(document_paths, [], self._workspace.client.folders.copy())
        for uri, path in list(found.items())[:MAX_FILES]:
            await self._look_at(uri, path)
        for uri in self._told - found.keys():
            await self._look_at(uri, None)

    async def _look_at(self, uri: str, path: str | None) -> None:
        workspace = self._workspace
        if uri in workspace.documents:
            self._told.discard(uri)  # What is open counts as it is open.
            return
        is_ours = any(uri.startswith(f"{folder.rstrip('/')}/") for folder in workspace.client.folders)
        items = [] if path is None or not is_ours else await items_of_file(workspace, uri, path)
        if uri not in workspace.documents and (items or uri in self._told):
            workspace.client.notify("textDocument/publishDiagnostics", {"uri": uri, "diagnostics": items})
            (self._told.add if items else self._told.discard)(uri)
        await asyncio.sleep(_PAUSE)
