"""``textDocument/publishDiagnostics`` for files that are not open, one by one, in the background."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine

from lsprotocol import types

from rui_lsp.session.apis import ApiRegistry
from rui_lsp.session.diagnostics import file_items, items_or_none
from rui_lsp.session.documents import OpenDocuments
from rui_lsp.session.files import document_paths, is_in_folders, path_from_uri
from rui_lsp.session.settings import Configuration

MAX_FILES = 1000
"""How many files have their diagnostics published at most."""

_PAUSE = 0.01  # seconds between two files


class ClosedFiles:
    """Publishes the diagnostics of the files in the workspace folders that are not open."""

    def __init__(
        self,
        documents: OpenDocuments,
        configuration: Configuration,
        apis: ApiRegistry,
        publish: Callable[[types.PublishDiagnosticsParams], None],
    ) -> None:
        self._documents = documents
        self._configuration = configuration
        self._apis = apis
        self._publish = publish
        self._published: set[str] = set()  # for which the client shows diagnostics
        self._task: asyncio.Task[None] | None = None
        self._is_started = False

    def refresh_all(self) -> None:
        """Check every file of every folder, and from now on those that change."""
        self._is_started = True
        self._start(self._check_all)

    def refresh(self, uris: list[str]) -> None:
        """Check some files, which may be new, changed or deleted."""
        if not self._is_started:
            return

        async def check() -> None:
            for uri in uris:
                self._published.add(uri)  # The client may show outdated diagnostics.
                await self._check(uri, path_from_uri(uri))

        self._start(check)

    def _start(self, work: Callable[[], Coroutine[object, object, None]]) -> None:
        """Run a task after the one that runs now."""
        previous = self._task

        async def run() -> None:
            if previous is not None:
                await asyncio.wait([previous])
            await work()

        self._task = asyncio.get_running_loop().create_task(run())

    async def _check_all(self) -> None:
        paths = await asyncio.to_thread(document_paths, [], self._documents.folder_uris)
        for uri, path in list(paths.items())[:MAX_FILES]:
            await self._check(uri, path)
        for uri in self._published - paths.keys():
            await self._check(uri, None)

    async def _check(self, uri: str, path: str | None) -> None:
        documents = self._documents
        if documents.find(uri) is not None or uri in documents.lost:
            self._published.discard(uri)
            return
        items: list[types.Diagnostic] = []
        if path is not None and is_in_folders(uri, path, documents.folder_uris):
            settings = self._configuration.for_document(uri)
            api = self._apis.for_file(uri)
            items = items_or_none(lambda: file_items(uri, path, documents.encoding, settings, api), uri)
        if documents.find(uri) is None and (items or uri in self._published):
            self._publish(types.PublishDiagnosticsParams(uri, items))
            if items:
                self._published.add(uri)
            else:
                self._published.discard(uri)
        await asyncio.sleep(_PAUSE)
