"""The diagnostics of a document as the protocol's, and the id of a result."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import blake2b

from lsprotocol import types

from rui_common.syntax.document import Document
from rui_common.syntax.line_index import Encoding
from rui_common.validation.analysis import Analysis
from rui_lsp.apis.registry import FileApi
from rui_lsp.client.convert import Positions, to_diagnostics
from rui_lsp.client.settings import Settings
from rui_lsp.documents.document import OpenDocument, compare_with_api
from rui_lsp.documents.files_on_disk import compute_from_file
from rui_lsp.protocol.log import logger


def document_items(document: OpenDocument, settings: Settings) -> list[types.Diagnostic]:
    """The diagnostics of an open document. That of an empty one is a hint: its author is about to begin."""
    diagnostics = document.diagnostics
    if not diagnostics:
        return []
    items = to_diagnostics(diagnostics, document.uri, document.positions, settings, document.analysis)
    if items and not document.source.strip() and settings.severity_for(diagnostics[0]) is None:
        items[0].severity = types.DiagnosticSeverity.Hint
    return items


def file_items(
    uri: str, path: str, encoding: Encoding, settings: Settings, api: FileApi | None
) -> list[types.Diagnostic]:
    """The diagnostics of a file; none if it cannot be read, for example because it has just been deleted."""

    def make(document: Document) -> list[types.Diagnostic]:
        analysis = Analysis(document)
        diagnostics = analysis.diagnostics
        if api is not None:
            diagnostics = [*diagnostics, *compare_with_api(uri, analysis, api.api, is_strict=api.is_strict)]
        return to_diagnostics(diagnostics, uri, Positions(document.lines, encoding), settings)

    revision = None if api is None else (api.revision, api.is_strict)
    return compute_from_file(path, ("diagnostics", uri, encoding, settings, revision), make) or []


def items_or_none(compute: Callable[[], list[types.Diagnostic]], uri: str) -> list[types.Diagnostic]:
    """The diagnostics that `compute` returns; none if it fails, which is logged.

    A report is not refused for a fault of ours: VS Code would not request the diagnostics of the document again.
    """
    try:
        return compute()
    except Exception:
        logger.exception("cannot compute the diagnostics of %s", uri)
        return []


def result_id(items: list[types.Diagnostic], stale_number: int = 0) -> str:
    """The id of a result. It is a digest, so that the server need not remember results.

    Args:
        items: the diagnostics.
        stale_number: that of `OpenDocuments.stale_results`. A client that closes a document may go on to show its
            diagnostics and name their result: another number makes it another result.
    """
    # `ascii`, as a text may contain half of a character, which has no encoding.
    digest = blake2b(ascii(items).encode(), digest_size=12).hexdigest()
    if stale_number:
        return f"{digest}-{stale_number}"
    return digest
