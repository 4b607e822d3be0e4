"""Diagnostics of the newest text of every changed document, and of no other."""

from __future__ import annotations

from rui_common.diagnostics import diagnose
from rui_lsp.convert import diagnostic_to_lsp
from rui_lsp.log import logger, trace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from rui_lsp.convert import Json
    from rui_lsp.settings import Settings
    from rui_lsp.workspace import OpenDocument

_METHOD = "textDocument/publishDiagnostics"


class Publisher:
    """Remembers which documents have changed, and computes their diagnostics when there is time.

    However many changes come in before that, each document is read once, as it then is.

    Args:
        settings: the client's.
        notify: sends a notification: (method, params).
    """

    __slots__ = ("_due", "_notify", "_settings")

    def __init__(self, settings: Settings, notify: Callable[[str, Json], None]) -> None:
        self._settings = settings
        self._notify = notify
        self._due: dict[str, OpenDocument] = {}  # in the order in which they changed

    @property
    def has_work(self) -> bool:
        """Whether there are documents whose diagnostics are out of date."""
        return bool(self._due)

    def changed(self, document: OpenDocument) -> None:
        """Note that a document is new, or has a new text."""
        self._due[document.uri] = document

    def closed(self, uri: str) -> None:
        """Clear the diagnostics of a document that is no longer open."""
        self._due.pop(uri, None)
        self._notify(_METHOD, {"uri": uri, "diagnostics": []})

    def work(self) -> None:
        """Compute and send the diagnostics of one document: of all that wait, the one that waits longest."""
        uri = next(iter(self._due))
        document = self._due.pop(uri)
        try:
            found = diagnose(document.document)
            items = [diagnostic_to_lsp(item, uri, document.text, self._settings.docs_url) for item in found]
        except Exception:  # A fault of ours: it must not cost the author the editor's other help.
            logger().exception("cannot compute the diagnostics of %s, version %s", uri, document.version)
            return
        self._notify(_METHOD, {"uri": uri, "version": document.version, "diagnostics": items})
        trace("published %d diagnostics of %s, version %s", len(items), uri, document.version)
