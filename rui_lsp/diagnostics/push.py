"""``textDocument/publishDiagnostics`` for open documents: of the newest text of every changed document."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from lsprotocol import types

from rui_lsp.client.configuration import Configuration
from rui_lsp.client.settings import Settings
from rui_lsp.diagnostics.calm import IdleTimers
from rui_lsp.diagnostics.items import shown_items
from rui_lsp.documents.document import OpenDocument
from rui_lsp.protocol.log import logger


class Publisher:
    """Publishes the diagnostics of documents once all input that has arrived is handled.

    However many edits arrive before that, each document is analysed once. While the author types in brackets that
    were just opened, the diagnostics are calm; those of the whole text follow after a pause.
    """

    def __init__(
        self,
        configuration: Configuration,
        publish: Callable[[types.PublishDiagnosticsParams], None],
        items: Callable[[OpenDocument, Settings], tuple[list[types.Diagnostic], bool]] = shown_items,
    ) -> None:
        """Args: the settings, what sends diagnostics, and what finds those of a document and whether they are calm."""
        self._configuration = configuration
        self._items = items
        self._publish = publish
        self._due: dict[str, OpenDocument] = {}  # in the order of their changes
        self._shown: set[str] = set()  # the documents that the client may show diagnostics of
        self._is_scheduled = False
        self._timers = IdleTimers()

    def schedule(self, document: OpenDocument) -> None:
        """Publish the diagnostics of a document soon."""
        self._timers.cancel(document.uri)
        self._due[document.uri] = document
        self._shown.add(document.uri)
        if not self._is_scheduled:
            self._is_scheduled = True
            # pygls handles messages without a pause while input is buffered, so this runs after the last of them.
            asyncio.get_running_loop().call_soon(self._publish_next)

    def may_show(self, document: OpenDocument) -> bool:
        """Return whether the client may show pushed diagnostics of a document, or is to show differences of it."""
        return document.api is not None or document.uri in self._shown

    def clear(self, uri: str) -> None:
        """Clear the diagnostics of a document that has been closed."""
        self._due.pop(uri, None)
        self._timers.cancel(uri)
        if uri in self._shown:
            self._shown.remove(uri)
            self._publish(types.PublishDiagnosticsParams(uri, []))

    def _publish_next(self) -> None:
        """Publish the diagnostics of one document; messages that arrive meanwhile are handled before the next one."""
        self._is_scheduled = False
        if not self._due:
            return
        uri = next(iter(self._due))
        document = self._due.pop(uri)
        if self._due:
            self.schedule(self._due.pop(next(iter(self._due))))
        self._publish_items(document)

    def _publish_items(self, document: OpenDocument) -> None:
        try:
            items, is_calm = self._items(document, self._configuration.for_document(document.uri))
        except Exception:  # The author still gets all other features.
            logger.exception("cannot compute the diagnostics of %s, version %s", document.uri, document.version)
            return
        if is_calm:
            self._timers.start(document, lambda: self._publish_items(document))
        self._publish(types.PublishDiagnosticsParams(document.uri, items, document.version))
