"""The values of properties in the files of the workspace that are not open, for completion."""

from __future__ import annotations

import asyncio
import time

from rui_common.editing.completion import known_texts
from rui_lsp.documents.files_on_disk import compute_from_file, document_paths
from rui_lsp.documents.workspace import RuiWorkspace
from rui_lsp.scheduling.worker_process import WORKER

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
        self._work: asyncio.Future[Texts] | None = None

    def refresh(self, workspace: RuiWorkspace) -> None:
        """Start to read the files in the worker process, unless that has just been done."""
        folders = workspace.folder_uris
        if not folders:
            self.is_complete = True
            return
        if self._work is not None or time.monotonic() - self._refreshed_at < _FRESH_SECONDS:
            return
        open_uris = [document.uri for document in workspace.documents]
        loop = asyncio.get_running_loop()
        self._work = loop.run_in_executor(None, WORKER.run, _read_values, open_uris, folders)
        self._work.add_done_callback(self._take)

    def _take(self, work: asyncio.Future[Texts]) -> None:
        self._work = None
        self._refreshed_at = time.monotonic()
        self.is_complete = True
        if not work.cancelled() and work.exception() is None:
            self.texts = work.result()


def _read_values(open_uris: list[str], folders: list[str]) -> Texts:
    all_values: Texts = {}
    for uri, path in list(document_paths(open_uris, folders).items())[:MAX_FILES]:
        if path is None or uri in open_uris:
            continue
        for name, values in (compute_from_file(path, "known texts", known_texts) or {}).items():
            all_values.setdefault(name, set()).update(values)
    return all_values
