"""Conversion between the core and LSP: positions, ranges, edits and diagnostics."""

from __future__ import annotations

from rui_common.syntax.paths import format_path
from rui_common.validation.diagnostics import WARNING
from rui_common.vocabulary.rules import DUPLICATE_KEY
from rui_lsp.client.settings import LEVELS
from rui_lsp.protocol.errors import InvalidParamsError
from rui_lsp.protocol.log import logger

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from rui_common.editing.edits import Edit
    from rui_common.syntax.document import Document
    from rui_common.syntax.line_index import Encoding
    from rui_common.syntax.spans import Span
    from rui_common.validation.diagnostics import Diagnostic
    from rui_lsp.client.settings import Settings
    from rui_lsp.documents.text_buffer import Position, TextBuffer

    Json = dict[str, object]

SOURCE = "rui"

OFF = LEVELS["off"]
_UNNECESSARY = 1  # DiagnosticTag.Unnecessary: shown faded

MAX_TEXT_WITH_FIXES = 16_000
"""Maximum length, in characters, of documents whose diagnostics contain their fixes.

Up to it, finding the fixes takes about as long as the diagnostics. In longer documents it takes several times as long,
because all names are collected. So it does in broken ones, where repairs are tried.
"""

MAX_DIAGNOSTICS_WITH_FIXES = 20
"""Maximum number of diagnostics that contain their fixes."""


def diagnostics_to_lsp(
    diagnostics: list[Diagnostic], uri: str, text: TextBuffer, settings: Settings, document: Document | None = None
) -> list[Json]:
    """Convert diagnostics, without those that the settings switch off.

    Args:
        diagnostics: the diagnostics.
        uri: the document's URI.
        text: its text.
        settings: the settings for it.
        document: the document, to add fixes (``data.fixes``) unless it is large or broken.
    """
    if settings.severities:
        diagnostics = [diagnostic for diagnostic in diagnostics if settings.severity_for(diagnostic) != OFF]
    items = [diagnostic_to_lsp(diagnostic, uri, text, settings) for diagnostic in diagnostics]
    is_small = 0 < len(items) <= MAX_DIAGNOSTICS_WITH_FIXES and len(text) <= MAX_TEXT_WITH_FIXES
    if document is not None and is_small and document.valid:
        _add_fixes(items, diagnostics, document, text)
    return items


def _add_fixes(items: list[Json], diagnostics: list[Diagnostic], document: Document, text: TextBuffer) -> None:
    from rui_common.fixes.quick_fixes import FixFinder  # noqa: PLC0415  valid documents do not need it

    fix_finder = FixFinder(document)
    for item, diagnostic in zip(items, diagnostics, strict=True):
        try:
            fixes = fix_finder.find(diagnostic)
        except Exception:  # A defect of a fix must not suppress the diagnostics.
            logger().exception("cannot find fixes for %r", diagnostic)
            continue
        data = item["data"]
        if fixes and isinstance(data, dict):
            data["fixes"] = [
                {"title": fix.title, "isPreferred": fix.is_safe, "edits": edits_to_lsp(fix.edits, text)}
                for fix in fixes
            ]


def diagnostic_to_lsp(diagnostic: Diagnostic, uri: str, text: TextBuffer, settings: Settings) -> Json:
    """Convert a diagnostic.

    Args:
        diagnostic: the diagnostic.
        uri: the document's URI, for related locations in it.
        text: the document's text.
        settings: the settings for the document.
    """
    severity = settings.severity_for(diagnostic)
    if not severity:
        severity = LEVELS["warning"] if diagnostic.severity == WARNING else LEVELS["error"]
    message = diagnostic.message
    if diagnostic.hint:
        message += f"\n{diagnostic.hint}"
    item: Json = {
        "range": range_to_lsp(diagnostic.span, text),
        "severity": severity,
        "code": diagnostic.code,
        "codeDescription": {"href": rule_url(diagnostic, settings.docs_url)},
        "source": SOURCE,
        "message": message,
        "data": {"path": format_path(diagnostic.path), "rule": diagnostic.rule},
    }
    if diagnostic.code == DUPLICATE_KEY:
        item["tags"] = [_UNNECESSARY]
    if diagnostic.related:
        item["relatedInformation"] = [
            {"location": {"uri": uri, "range": range_to_lsp(span, text)}, "message": note}
            for span, note in diagnostic.related
        ]
    return item


def rule_url(diagnostic: Diagnostic, docs_url: str) -> str:
    """Return the URL of a diagnostic's rule: an anchor such as ``#r7b`` in the page of rules."""
    return f"{docs_url}#{(diagnostic.rule or diagnostic.code).lower()}"


class Positions:
    """Converts many offsets of one document to positions. It takes a fifth of the time of `TextBuffer.position`.

    Later edits of the client do not change it.
    """

    __slots__ = ("_lines", "encoding")

    def __init__(self, document: Document, encoding: Encoding) -> None:
        self._lines = document.lines
        self.encoding: Encoding = encoding

    def position(self, offset: int) -> Position:
        """Return (line, character) of an offset, which is clamped to the text."""
        return self._lines.position(offset, self.encoding)


def range_to_lsp(span: Span, text: TextBuffer | Positions) -> Json:
    """Convert a span to a range in the client's encoding."""
    return {"start": _position_to_lsp(text.position(span.start)), "end": _position_to_lsp(text.position(span.end))}


def edits_to_lsp(edits: Iterable[Edit], text: TextBuffer) -> list[Json]:
    """Convert edits of a text."""
    return [{"range": range_to_lsp(edit.span, text), "newText": edit.text} for edit in edits]


def _position_to_lsp(position: Position) -> Json:
    return {"line": position[0], "character": position[1]}


def offset_from_lsp(position: object, text: TextBuffer) -> int:
    """Return the offset of a position, clamped to the text.

    Raises:
        InvalidParamsError: `position` is not a position.
    """
    return text.offset(*_position_from_lsp(position))


def range_from_lsp(item: object) -> tuple[Position, Position]:
    """Return the start and end of a range.

    Raises:
        InvalidParamsError: `item` is not a range.
    """
    if not isinstance(item, dict):
        raise InvalidParamsError(f"not a range: {item!r:.80}")
    return _position_from_lsp(item.get("start")), _position_from_lsp(item.get("end"))


def _position_from_lsp(item: object) -> Position:
    if isinstance(item, dict):
        line = item.get("line")
        character = item.get("character")
        # `type`, because a boolean is an `int`.
        if type(line) is int and type(character) is int:
            return line, character
    raise InvalidParamsError(f"not a position: {item!r:.80}")
