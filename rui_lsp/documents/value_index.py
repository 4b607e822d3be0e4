"""Index of the values that properties have in the files of the workspace that are not open, for completion."""

from __future__ import annotations

import asyncio
import time
from weakref import WeakKeyDictionary

from rui_common.editing.completion import known_texts
from rui_lsp.documents.files_on_disk import compute_from_file, document_paths
from rui_lsp.scheduling.worker_process import HELPER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rui_lsp.documents.workspace import Workspace

    Values = dict[str, set[str]]  # name of a property → its values

MAX_FILES = 1000
"""Maximum number of files that are read."""

_REFRESH_INTERVAL = 2.0  # seconds; unchanged files are not read again


class ValueIndex:
    """The values in the files of one workspace.

    Attributes:
        texts: the name of a property → its values.
        is_complete: whether all files have been read at least once.
    """

    def __init__(self) -> None:
        self.texts: Values = {}
        self.is_complete = False
        self._refreshed_at = -_REFRESH_INTERVAL
        self._running: asyncio.Future[Values] | None = None

    def refresh(self, workspace: Workspace) -> None:
        """Read changed files in the worker process, at most every two seconds. Returns at once."""
        folders = workspace.client.folders
        if not folders:
            self.is_complete = True
            return
        if self._running is not None or time.monotonic() - self._refreshed_at < _REFRESH_INTERVAL:
            return
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            self.is_complete = True  # No event loop (tests): files cannot be read in the background.
            return
        self._running = loop.run_in_executor(None, HELPER.run, _read_values, list(workspace.documents), folders.copy())
        self._running.add_done_callback(self._on_done)

    def _on_done(self, future: asyncio.Future[Values]) -> None:
        self._running = None
        self._refreshed_at = time.monotonic()
        self.is_complete = True
        if not future.cancelled() and future.exception() is None:
            self.texts = future.result()


def _read_values(open_uris: list[str], folders: list[str]) -> Values:
    values: Values = {}
    for uri, path in list(document_paths(open_uris, folders).items())[:MAX_FILES]:
        if path is None or uri in open_uris:
            continue
        for name, texts in (compute_from_file(path, "known texts", known_texts) or {}).items():
            values.setdefault(name, set()).update(texts)
    return values


_indexes: WeakKeyDictionary[Workspace, ValueIndex] = WeakKeyDictionary()


def get_value_index(workspace: Workspace) -> ValueIndex:
    """Return the index of a workspace."""
    return _indexes.setdefault(workspace, ValueIndex())
