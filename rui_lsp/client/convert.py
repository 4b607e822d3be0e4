"""The core's spans, edits and diagnostics as lsprotocol's types, and back."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from lsprotocol import types

from rui_common.json_values import JsonObject
from rui_common.syntax.line_index import Encoding, LineIndex
from rui_common.syntax.paths import format_path
from rui_common.syntax.spans import Edit, Span
from rui_common.validation.diagnostics import Diagnostic, Severity
from rui_common.vocabulary.queries import rule_url
from rui_common.vocabulary.rules import DUPLICATE_KEY
from rui_lsp.client.settings import LEVELS, ClientSettings
from rui_lsp.protocol.parameters import SOURCE

OFF = LEVELS["off"]

MAX_DIAGNOSTICS = 2_000
"""Maximum number of diagnostics of a document. More of them take seconds, and help no author."""


class Positions(NamedTuple):
    """The positions of one text in the client's encoding."""

    lines: LineIndex
    encoding: Encoding

    def position(self, offset: int) -> tuple[int, int]:
        """Return the (line, character) of an offset, which is clamped to the text."""
        return self.lines.position(offset, self.encoding)


def to_range(span: Span, positions: Positions) -> types.Range:
    """Return the range of a span, in the client's encoding."""
    return types.Range(to_position(span.start, positions), to_position(span.end, positions))


def to_position(offset: int, positions: Positions) -> types.Position:
    """Return the position of an offset, in the client's encoding."""
    return types.Position(*positions.position(offset))


def to_offset(position: types.Position, positions: Positions) -> int:
    """Return the offset of a position, which is clamped to the text."""
    return positions.lines.offset(position.line, position.character, positions.encoding)


def to_span(lsp_range: types.Range, positions: Positions) -> Span:
    """Return the span of a range, whose ends may be in either order."""
    start, end = sorted((to_offset(lsp_range.start, positions), to_offset(lsp_range.end, positions)))
    return Span(start, end)


def to_text_edits(edits: Iterable[Edit], positions: Positions) -> list[types.TextEdit]:
    """Return edits as lsprotocol's types."""
    return [types.TextEdit(to_range(edit.span, positions), edit.text) for edit in edits]


def range_data(span: Span, positions: Positions) -> JsonObject:
    """Return a range as plain data, for results with thousands: lsprotocol's types take ten times as long."""
    start_line, start_character = positions.position(span.start)
    end_line, end_character = positions.position(span.end)
    return {
        "start": {"line": start_line, "character": start_character},
        "end": {"line": end_line, "character": end_character},
    }


def shown_diagnostics(diagnostics: list[Diagnostic], settings: ClientSettings) -> list[Diagnostic]:
    """Return the first `MAX_DIAGNOSTICS` of the diagnostics that the settings do not switch off."""
    if settings.severities:
        diagnostics = [one for one in diagnostics if settings.severity_for(one) != OFF]
    return diagnostics[:MAX_DIAGNOSTICS]


def to_diagnostic(diagnostic: Diagnostic, uri: str, positions: Positions, settings: ClientSettings) -> types.Diagnostic:
    """Return a diagnostic as lsprotocol's type.

    Args:
        uri: the address of its document, for related locations.
        settings: the settings for the document.
    """
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
    if diagnostic.code == DUPLICATE_KEY:
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
