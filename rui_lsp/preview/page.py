"""The page of a document, for a client that shows it itself and for the live preview."""

from __future__ import annotations

from collections.abc import Sequence

from rui_common.validation.diagnostics import Diagnostic
from rui_lsp.server import RuiLanguageServer


def differences_of(ls: RuiLanguageServer, uri: str) -> list[Diagnostic]:
    """Return where the bindings of an open document differ from its OpenAPI description."""
    document = ls.documents.find(uri)
    if document is None:
        return []
    return document.api_diagnostics()


def render(source: str | bytes, places: dict[str, str], differences: Sequence[Diagnostic]) -> str:
    """Return the page of a text or file. The text is parsed again: an open document belongs to another thread."""
    from rui_inspector.html.pages import PageHost, preview_page  # noqa: PLC0415  slow

    return preview_page(source, PageHost(**places), differences)
