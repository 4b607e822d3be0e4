"""What properties are set to in the files of the workspace that are not open; looked up aside, when it is asked for."""

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

    Texts = dict[str, set[str]]

MAX_FILES = 1000
"""So many files are looked into at most."""

_FRESH = 2.0  # seconds until files are looked at again; what has not changed is not read


class ValueIndex:
    """What is known of the files of one workspace.

    Attributes:
        texts: the name of a property → what it is set to.
        is_complete: whether all files have been looked at.
    """

    def __init__(self) -> None:
        self.texts: Texts = {}
        self.is_complete = False
        self._looked_at = -_FRESH
        self._work: asyncio.Future[Texts] | None = None

    def refresh(self, workspace: Workspace) -> None:
        """Have the files looked at, unless that has just been done or there is no time for it."""
        if not workspace.client.folders or self._work is not None or time.monotonic() - self._looked_at < _FRESH:
            self.is_complete = self.is_complete or not workspace.client.folders
            return
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            self.is_complete = True  # A session without a transport has no time for what is aside.
            return
        opened, folders = list(workspace.documents), workspace.client.folders.copy()
        self._work = loop.run_in_executor(None, HELPER.run, _gathered, opened, folders)
        self._work.add_done_callback(self._take)

    def _take(self, done: asyncio.Future[Texts]) -> None:
        self._work, self._looked_at, self.is_complete = None, time.monotonic(), True
        if not done.cancelled() and done.exception() is None:
            self.texts = done.result()


def _gathered(opened: list[str], folders: list[str]) -> Texts:
    found: Texts = {}
    for uri, path in list(document_paths(opened, folders).items())[:MAX_FILES]:
        texts = None if path is None or uri in opened else compute_from_file(path, "known texts", known_texts)
        for name, values in (texts or {}).items():
            found.setdefault(name, set()).update(values)
    return found


_known: WeakKeyDictionary[Workspace, ValueIndex] = WeakKeyDictionary()


def get_value_index(workspace: Workspace) -> ValueIndex:
    """What is known of the files of a workspace."""
    return _known.setdefault(workspace, ValueIndex())
