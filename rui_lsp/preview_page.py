"""The page of a document, for a client that shows it itself and for the live preview."""

from __future__ import annotations

from collections.abc import Sequence

from rui_common.syntax.paths import Path
from rui_common.validation.diagnostics import is_error
from rui_lsp.server.server import RuiLanguageServer

FoundDifference = tuple[bool, str, Path, str, str]


def differences_of(ls: RuiLanguageServer, uri: str) -> list[FoundDifference]:
    """Where the bindings of an open document differ from its OpenAPI description, as plain data."""
    document = ls.documents.find(uri)
    if document is None:
        return []
    return [(is_error(one), one.code, one.path, one.message, one.hint) for one in document.api_diagnostics()]


def render(source: str | bytes, places: dict[str, str], differences: Sequence[FoundDifference]) -> str:
    """The page of a text or file. The text is parsed again, as an open document must not be used in another thread."""
    from rui_inspector.html.pages import Host, preview_page  # noqa: PLC0415  slow
    from rui_inspector.model.problems import Difference  # noqa: PLC0415

    return preview_page(source, Host(**places), [Difference(*one) for one in differences])
