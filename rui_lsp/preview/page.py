"""The page of a document, for a client that shows it itself and for the live preview."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rui_common.grounding import UNGROUNDED, Grounding
from rui_common.validation.diagnostics import Diagnostic
from rui_lsp.server import RuiLanguageServer


class ApiFacts(NamedTuple):
    """Where the bindings of a document differ from its OpenAPI description, and what that states about them."""

    differences: Sequence[Diagnostic] = ()
    grounding: Grounding = UNGROUNDED


def api_facts_of(ls: RuiLanguageServer, uri: str) -> ApiFacts:
    """Return what the description of an open document states."""
    document = ls.documents.find(uri)
    if document is None:
        return ApiFacts()
    return ApiFacts(document.api_diagnostics(), document.grounding())


def render(source: str | bytes, places: dict[str, str], facts: ApiFacts) -> str:
    """Return the page of a text or file. The text is parsed again: an open document belongs to another thread."""
    from rui_inspector.html.pages import PageHost, preview_page  # noqa: PLC0415  slow

    return preview_page(source, PageHost(**places), facts.differences, facts.grounding)
