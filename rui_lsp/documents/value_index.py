"""The values of properties in the files of the workspace that are not open, for completion."""

from __future__ import annotations

import asyncio
import time

from rui_common.editing.completion import known_texts
from rui_lsp.documents.files_on_disk import compute_from_file, document_paths
from rui_lsp.documents.open_documents import OpenDocuments

Texts = dict[str, set[str]]

MAX_FILES = 1000
"""How many files are read at most."""

_FRESH_SECONDS = 2.0  # until files are looked at again; those that have not changed are not read


class ValueIndex:
    """The values in the files of one workspace.

    Attributes:
        texts: the name of a property → its values.
        is_complete: whether all files have been read.
    """

    def __init__(self) -> None:
        self.texts: Texts = {}
        self.is_complete = False
        self._refreshed_at = -_FRESH_SECONDS
        self._task: asyncio.Task[None] | None = None

    def refresh(self, documents: OpenDocuments) -> None:
        """Start to read the files in the background, unless that has just been done."""
        if not documents.folder_uris:
            self.is_complete = True
            return
        if self._task is None and time.monotonic() - self._refreshed_at >= _FRESH_SECONDS:
            self._task = asyncio.get_running_loop().create_task(self._read(documents))

    async def _read(self, documents: OpenDocuments) -> None:
        open_uris = [document.uri for document in documents]
        texts: Texts = {}
        try:
            paths = await asyncio.to_thread(document_paths, open_uris, documents.folder_uris)
            for uri, path in list(paths.items())[:MAX_FILES]:
                if path is None or uri in open_uris:
                    continue
                for name, values in (compute_from_file(path, "known texts", known_texts) or {}).items():
                    texts.setdefault(name, set()).update(values)
                await asyncio.sleep(0)
            self.texts = texts
        finally:
            self._task = None
            self._refreshed_at = time.monotonic()
            self.is_complete = True
