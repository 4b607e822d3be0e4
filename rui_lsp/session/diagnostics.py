"""The diagnostics of a document as the protocol's."""

from lsprotocol import types

from rui_common.problems.document import DUPLICATE_KEY
from rui_common.syntax.paths import format_path
from rui_common.validation.diagnostics import Diagnostic, Severity
from rui_common.vocabulary.queries import rule_url
from rui_lsp.convert import Positions, to_range
from rui_lsp.protocol.log import logger
from rui_lsp.protocol.parameters import SOURCE
from rui_lsp.session.documents import OpenDocument
from rui_lsp.session.settings import ClientSettings, Level

MAX_DIAGNOSTICS = 2_000  # Maximum number of diagnostics of a document. More of them take seconds, and help no author.


def document_items(document: OpenDocument, settings: ClientSettings) -> list[types.Diagnostic] | None:
    """Return the diagnostics of an open document; None after a fault, which is logged.

    That of an empty document is a hint: its author is about to begin.
    """
    try:
        diagnostics = document.diagnostics
        items = to_items(diagnostics, document.uri, document.positions, settings)
    except Exception:  # The author still gets all other features.
        logger.exception("cannot compute the diagnostics of %s, version %s", document.uri, document.version)
        return None
    if items and not document.source.strip() and settings.severity_for(diagnostics[0]) is None:
        items[0].severity = types.DiagnosticSeverity.Hint
    return items


def to_items(
    diagnostics: list[Diagnostic], uri: str, positions: Positions, settings: ClientSettings
) -> list[types.Diagnostic]:
    """Return the diagnostics that the settings do not switch off. Of too many, the last item counts those left out."""
    if settings.severities:
        diagnostics = [item for item in diagnostics if settings.severity_for(item) is not Level.OFF]
    items = [to_diagnostic(item, uri, positions, settings) for item in diagnostics[:MAX_DIAGNOSTICS]]
    left_out = diagnostics[MAX_DIAGNOSTICS:]
    if left_out:
        severity = min(_severity(item, settings) for item in left_out)  # the smallest number is the most severe one
        text = f"{len(left_out):,} further problems are not shown. Correct some of the others first."
        place = to_range(left_out[0].span, positions)
        items.append(types.Diagnostic(place, text, severity=severity, source=SOURCE))
    return items


def unreadable_item(reason: str) -> types.Diagnostic:
    """Return the diagnostic of a document whose file cannot be read."""
    start = types.Position(0, 0)
    text = f"The document is not checked, as it cannot be read: {reason}."
    return types.Diagnostic(types.Range(start, start), text, severity=types.DiagnosticSeverity.Error, source=SOURCE)


def to_diagnostic(diagnostic: Diagnostic, uri: str, positions: Positions, settings: ClientSettings) -> types.Diagnostic:
    """Return a diagnostic as lsprotocol's type. Its related locations have the address of the document."""
    message = diagnostic.message
    if diagnostic.hint:
        message = f"{message}\n{diagnostic.hint}"
    item = types.Diagnostic(
        range=to_range(diagnostic.span, positions),
        severity=_severity(diagnostic, settings),
        code=diagnostic.code,
        source=SOURCE,
        message=message,
        data={"path": format_path(diagnostic.path), "rule": diagnostic.rule},
    )
    url = rule_url(settings.docs_url, diagnostic.rule or diagnostic.code)
    if url:
        item.code_description = types.CodeDescription(url)
    if diagnostic.code == DUPLICATE_KEY.code:
        item.tags = [types.DiagnosticTag.Unnecessary]
    if diagnostic.related:
        item.related_information = [
            types.DiagnosticRelatedInformation(types.Location(uri, to_range(span, positions)), note)
            for span, note in diagnostic.related
        ]
    return item


def _severity(diagnostic: Diagnostic, settings: ClientSettings) -> types.DiagnosticSeverity:
    level = settings.severity_for(diagnostic)
    if level:
        return types.DiagnosticSeverity(level)
    if diagnostic.severity is Severity.WARNING:
        return types.DiagnosticSeverity.Warning
    return types.DiagnosticSeverity.Error
