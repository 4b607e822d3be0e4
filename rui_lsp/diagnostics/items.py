"""The diagnostics of a document as the protocol's, and the id of a result."""

from __future__ import annotations

import asyncio
from hashlib import blake2b

from lsprotocol import types

from rui_common.syntax.document import Document
from rui_common.syntax.line_index import Encoding
from rui_common.validation.diagnostics import Diagnostic, diagnose
from rui_lsp.apis.registry import FileChoice
from rui_lsp.client.convert import to_diagnostics
from rui_lsp.client.settings import Settings
from rui_lsp.diagnostics.calm import calm_diagnostics
from rui_lsp.documents.document import OpenDocument
from rui_lsp.documents.files_on_disk import compute_from_file
from rui_lsp.documents.text_buffer import TextBuffer
from rui_lsp.protocol.encoding import encode
from rui_lsp.scheduling.worker_process import API_WORKER, WORKER


def document_items(document: OpenDocument, settings: Settings, *, without_api: bool = False) -> list[types.Diagnostic]:
    """The diagnostics of an open document; `without_api`, those that depend on its text alone.

    That of an empty one is a hint: its author is about to begin.
    """
    diagnostics = document.reading.diagnostics if without_api else document.diagnostics
    if not diagnostics:
        return []
    items = to_diagnostics(diagnostics, document.uri, document.text, settings, document.document)
    if items and not document.source.strip() and settings.severity_for(diagnostics[0]) is None:
        items[0].severity = types.DiagnosticSeverity.Hint
    return items


def shown_items(document: OpenDocument, settings: Settings) -> tuple[list[types.Diagnostic], bool]:
    """The diagnostics of an open document to show now, and whether they are calm: others may follow after a pause."""
    calm = calm_diagnostics(document)
    if calm is None:
        return document_items(document, settings), False
    return to_diagnostics(calm, document.uri, document.text, settings), True


def api_items(document: OpenDocument, settings: Settings) -> tuple[list[types.Diagnostic], bool]:
    """The differences of an open document from its OpenAPI description; they are never calm."""
    diagnostics = document.api_diagnostics(document.document)
    return to_diagnostics(diagnostics, document.uri, document.text, settings, document.document), False


async def file_items(
    uri: str, path: str, encoding: Encoding, settings: Settings, api: FileChoice | None
) -> list[types.Diagnostic]:
    """The diagnostics of a file; none if it cannot be read, for example because it has just been deleted."""
    worker = WORKER if api is None else API_WORKER
    return await asyncio.to_thread(worker.run, _file_items, uri, path, encoding, settings, api)


def _file_items(
    uri: str, path: str, encoding: Encoding, settings: Settings, api: FileChoice | None
) -> list[types.Diagnostic]:
    def make(document: Document) -> list[types.Diagnostic]:
        diagnostics = diagnose(document)
        if api is not None:
            diagnostics += _api_diagnostics(document, api)
        return to_diagnostics(diagnostics, uri, TextBuffer(document.text, encoding), settings)

    return compute_from_file(path, ("diagnostics", uri, encoding, settings.key, api), make) or []


def _api_diagnostics(document: Document, choice: FileChoice) -> list[Diagnostic]:
    from rui_openapi.comparison.check import api_diagnostics  # noqa: PLC0415
    from rui_openapi.description.api import load_api  # noqa: PLC0415  only with a description
    from rui_openapi.errors import OpenApiError  # noqa: PLC0415

    try:
        api = load_api(choice.path)
    except OpenApiError:  # The registry shows it.
        return []
    return api_diagnostics(document, api, is_strict=choice.is_strict)


def result_id(items: list[types.Diagnostic], stale_number: int = 0) -> str:
    """The id of a result. It is a digest, so that the server need not remember results.

    Args:
        items: the diagnostics.
        stale_number: that of `RuiWorkspace.stale_results`. A client that closes a document may go on to show its
            diagnostics and name their result: another number makes it another result.
    """
    digest = blake2b(encode(items), digest_size=12).hexdigest()
    if stale_number:
        return f"{digest}-{stale_number}"
    return digest
