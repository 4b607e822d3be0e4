"""``textDocument/publishDiagnostics`` for files that are not open, one by one, in the background."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Coroutine

from lsprotocol import types

from rui_lsp.session.apis import ApiRegistry
from rui_lsp.session.diagnostics import file_items, items_or_none
from rui_lsp.session.documents import OpenDocuments
from rui_lsp.session.files import document_paths, is_in_folders
from rui_lsp.session.settings import Configuration
from rui_lsp.session.uris import path_from_uri, uri_key

MAX_FILES = 1000
"""How many files have their diagnostics published at most."""


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
        self._published: dict[str, str] = {}  # address by file: of what the client shows diagnostics
        self._task: asyncio.Task[None] | None = None
        self._is_started = False
        self._will_check_all = False

    def refresh_all(self) -> None:
        """Check every file of every folder, and from now on those that change."""
        self._is_started = True
        if not self._will_check_all:
            self._will_check_all = True
            self._start(self._check_all)

    def refresh(self, uris: list[str]) -> None:
        """Check some files, which may be new, changed or deleted."""
        if not self._is_started:
            return

        async def check() -> None:
            for uri in uris:
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
        self._will_check_all = False
        paths = await asyncio.to_thread(document_paths, [], self._documents.folder_uris)
        for uri, path in list(paths.items())[:MAX_FILES]:
            await self._check(uri, path)
        found = {_file_of(uri, path) for uri, path in paths.items()}
        for file, uri in list(self._published.items()):
            if file not in found:
                await self._check(uri, path_from_uri(uri))

    async def _check(self, uri: str, path: str | None) -> None:
        documents = self._documents
        file = _file_of(uri, path)
        shown_uri = self._published.pop(file, None)
        if documents.find(uri) is not None or uri in documents.lost or documents.is_file_open(file):
            if shown_uri is not None and documents.find(shown_uri) is None:  # The client has opened it by another path.
                self._publish(types.PublishDiagnosticsParams(shown_uri, []))
            return
        uri = shown_uri or uri
        items: list[types.Diagnostic] = []
        if path is not None and is_in_folders(path, documents.folder_uris):
            settings = self._configuration.for_document(uri)
            api = self._apis.for_file(uri)
            items = items_or_none(lambda: file_items(uri, path, documents.encoding, settings, api), uri)
        if items:
            self._published[file] = uri
        if items or shown_uri is not None:
            self._publish(types.PublishDiagnosticsParams(uri, items))
        await asyncio.sleep(0)  # Requests do not wait for all files.


def _file_of(uri: str, path: str | None) -> str:
    """Return the identity of a file: its path after links are resolved; the URI of a document that is no file."""
    return uri_key(uri) if path is None else os.path.realpath(path)
