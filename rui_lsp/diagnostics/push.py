"""Diagnostics of the newest text of every changed document, and of no other."""

from __future__ import annotations

from rui_lsp.client.convert import diagnostics_to_lsp
from rui_lsp.protocol.log import logger, trace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from rui_lsp.client.client import Client
    from rui_lsp.documents.workspace import OpenDocument

_METHOD = "textDocument/publishDiagnostics"


class Publisher:
    """Remembers which documents have changed, and computes their diagnostics when there is time.

    However many changes come in before that, each document is read once, as it then is.

    Args:
        client: who is told.
    """

    __slots__ = ("_client", "_due")

    def __init__(self, client: Client) -> None:
        self._client = client
        self._due: dict[str, OpenDocument] = {}  # in the order in which they changed

    @property
    def has_work(self) -> bool:
        """Whether there are documents whose diagnostics are out of date."""
        return bool(self._due)

    def changed(self, document: OpenDocument) -> None:
        """Note that a document is new, or has a new text. A client that can ask for diagnostics is not told."""
        if not self._client.pulls:
            self._due[document.uri] = document

    def closed(self, uri: str) -> None:
        """Clear the diagnostics of a document that is no longer open."""
        self._due.pop(uri, None)
        if not self._client.pulls:
            self._client.notify(_METHOD, {"uri": uri, "diagnostics": []})

    def again(self, documents: Iterable[OpenDocument]) -> None:
        """Note that the diagnostics of all documents may have to be shown otherwise."""
        for document in documents:
            self.changed(document)
        if self._client.pulls and self._client.can("workspace", "diagnostics", "refreshSupport"):
            self._client.ask("workspace/diagnostic/refresh")

    def work(self) -> None:
        """Compute and send the diagnostics of one document: of all that wait, the one that waits longest."""
        uri = next(iter(self._due))
        document = self._due.pop(uri)
        try:
            found, settings = document.diagnostics, self._client.settings_for(uri)
            items = diagnostics_to_lsp(found, uri, document.text, settings, document.document if found else None)
        except Exception:  # A fault of ours: it must not cost the author the editor's other help.
            logger().exception("cannot compute the diagnostics of %s, version %s", uri, document.version)
            return
        self._client.notify(_METHOD, {"uri": uri, "version": document.version, "diagnostics": items})
        trace("published %d diagnostics of %s, version %s", len(items), uri, document.version)
        self._client.log_trace(f"published {len(items)} diagnostics of {uri}, version {document.version}")
