"""The core's spans, edits and diagnostics as lsprotocol's types, and back."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from lsprotocol import types

from rui_common.syntax.line_index import Encoding, LineIndex
from rui_common.syntax.paths import format_path
from rui_common.syntax.spans import Edit, Span
from rui_common.validation.analysis import Analysis
from rui_common.validation.diagnostics import WARNING, Diagnostic
from rui_common.vocabulary.queries import rule_url
from rui_common.vocabulary.rules import DUPLICATE_KEY
from rui_lsp.client.settings import LEVELS, Settings
from rui_lsp.protocol.log import logger
from rui_lsp.protocol.parameters import SOURCE

Json = dict[str, object]

OFF = LEVELS["off"]

MAX_DIAGNOSTICS = 2_000
"""Maximum number of diagnostics of a document. More of them take seconds, and help no author."""

MAX_TEXT_WITH_FIXES = 16_000
"""Maximum length of documents whose diagnostics contain fixes. Up to it, finding the fixes takes about as long as
finding the diagnostics. In longer documents it takes several times as long.
"""

MAX_DIAGNOSTICS_WITH_FIXES = 20
"""Maximum number of diagnostics that contain fixes."""


class Positions(NamedTuple):
    """The positions of one text in the client's encoding."""

    lines: LineIndex
    encoding: Encoding

    def position(self, offset: int) -> tuple[int, int]:
        """The (line, character) of an offset, which is clamped to the text."""
        return self.lines.position(offset, self.encoding)


def to_range(span: Span, positions: Positions) -> types.Range:
    """The range of a span, in the client's encoding."""
    return types.Range(to_position(span.start, positions), to_position(span.end, positions))


def to_position(offset: int, positions: Positions) -> types.Position:
    """The position of an offset, in the client's encoding."""
    return types.Position(*positions.position(offset))


def to_offset(position: types.Position, positions: Positions) -> int:
    """The offset of a position, which is clamped to the text."""
    return positions.lines.offset(position.line, position.character, positions.encoding)


def to_span(lsp_range: types.Range, positions: Positions) -> Span:
    """The span of a range, whose ends may be in either order."""
    start, end = sorted((to_offset(lsp_range.start, positions), to_offset(lsp_range.end, positions)))
    return Span(start, end)


def to_text_edits(edits: Iterable[Edit], positions: Positions) -> list[types.TextEdit]:
    """Edits as the protocol's."""
    return [types.TextEdit(to_range(edit.span, positions), edit.text) for edit in edits]


def range_data(span: Span, positions: Positions) -> Json:
    """`to_range` as plain data, for results with thousands of ranges: lsprotocol's types take ten times as long."""
    start_line, start_character = positions.position(span.start)
    end_line, end_character = positions.position(span.end)
    return {
        "start": {"line": start_line, "character": start_character},
        "end": {"line": end_line, "character": end_character},
    }


def to_diagnostics(
    diagnostics: list[Diagnostic],
    uri: str,
    positions: Positions,
    settings: Settings,
    analysis: Analysis | None = None,
) -> list[types.Diagnostic]:
    """Diagnostics as the protocol's, without those that the settings switch off; the first `MAX_DIAGNOSTICS`.

    Args:
        diagnostics: the diagnostics of one document.
        uri: the address of the document.
        positions: its positions.
        settings: the settings for the document.
        analysis: that of the document, if the diagnostics are to carry their fixes (``data.fixes``) where finding them
            is fast.
    """
    if settings.severities:
        diagnostics = [one for one in diagnostics if settings.severity_for(one) != OFF]
    diagnostics = diagnostics[:MAX_DIAGNOSTICS]
    items = [to_diagnostic(diagnostic, uri, positions, settings) for diagnostic in diagnostics]
    if (
        analysis is not None
        and 0 < len(items) <= MAX_DIAGNOSTICS_WITH_FIXES
        and len(analysis.document.text) <= MAX_TEXT_WITH_FIXES
        and analysis.document.valid
    ):
        _add_fixes(items, diagnostics, analysis, positions)
    return items


def _add_fixes(
    items: list[types.Diagnostic], diagnostics: list[Diagnostic], analysis: Analysis, positions: Positions
) -> None:
    from rui_common.fixes.quick_fixes import FixFinder  # noqa: PLC0415  30 ms that a valid document does not need

    fix_finder = FixFinder(analysis)
    for item, diagnostic in zip(items, diagnostics, strict=True):
        try:
            fixes = fix_finder.find(diagnostic)
        except Exception:  # The author still gets the diagnostics.
            logger.exception("cannot find fixes of %r", diagnostic)
            continue
        if fixes and isinstance(item.data, dict):
            item.data["fixes"] = [
                {"title": fix.title, "isPreferred": fix.is_safe, "edits": to_text_edits(fix.edits, positions)}
                for fix in fixes
            ]


def to_diagnostic(diagnostic: Diagnostic, uri: str, positions: Positions, settings: Settings) -> types.Diagnostic:
    """A diagnostic as the protocol's.

    Args:
        diagnostic: the diagnostic.
        uri: the address of its document, for related locations.
        positions: the positions of the document.
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


def _severity(diagnostic: Diagnostic, settings: Settings) -> types.DiagnosticSeverity:
    level = settings.severity_for(diagnostic)
    if level:
        return types.DiagnosticSeverity(level)
    if diagnostic.severity == WARNING:
        return types.DiagnosticSeverity.Warning
    return types.DiagnosticSeverity.Error
