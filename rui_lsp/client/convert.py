"""Core ↔ LSP: the one place that knows how the protocol writes positions, ranges and diagnostics.

Messages are plain dictionaries, not lsprotocol's objects: those take 0.2 s to import and ten times as long to write.
"""

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

_ERROR_SEVERITY, _WARNING_SEVERITY = 1, 2
OFF = LEVELS["off"]
_UNNECESSARY = 1  # DiagnosticTag.Unnecessary: shown faded

MAX_TEXT_WITH_FIXES, MAX_DIAGNOSTICS_WITH_FIXES = 16_000, 20
"""Diagnostics carry their fixes in documents of so many characters, if there are no more of them than that: there it
takes about as long as the diagnostics themselves. In a long one, finding the names that a fix may have to do with takes
several times as long, in a broken one so does trying what repairs it, and everybody would wait at every keystroke.
"""


def diagnostics_to_lsp(
    found: list[Diagnostic], uri: str, text: TextBuffer, settings: Settings, document: Document | None = None
) -> list[Json]:
    """Diagnostics as the protocol writes them, those left out that are switched off; see `diagnostic_to_lsp`.

    Args:
        found: what the core found.
        uri: the document's address.
        text: its text.
        settings: those that count for it.
        document: the document, if the diagnostics are to carry their fixes (``data.fixes``) where that is quickly done.
    """
    if settings.severities:
        found = [diagnostic for diagnostic in found if settings.severity_for(diagnostic) != OFF]
    items = [diagnostic_to_lsp(diagnostic, uri, text, settings) for diagnostic in found]
    if (
        document is not None
        and 0 < len(found) <= MAX_DIAGNOSTICS_WITH_FIXES
        and len(text) <= MAX_TEXT_WITH_FIXES
        and document.valid
    ):
        _add_fixes(items, found, document, text)
    return items


def _add_fixes(items: list[Json], found: list[Diagnostic], document: Document, text: TextBuffer) -> None:
    """Put the mends into ``data.fixes``; a fault of ours in one of them costs nobody the diagnostics."""
    from rui_common.fixes.quick_fixes import FixFinder  # noqa: PLC0415  a document in order does without

    fix_finder = FixFinder(document)
    for item, diagnostic in zip(items, found, strict=True):
        try:
            fixes = fix_finder.find(diagnostic)
        except Exception:
            logger().exception("cannot find what mends %r", diagnostic)
            continue
        data = item["data"]
        if fixes and isinstance(data, dict):
            data["fixes"] = [
                {"title": fix.title, "isPreferred": fix.is_safe, "edits": edits_to_lsp(fix.edits, text)}
                for fix in fixes
            ]


def diagnostic_to_lsp(diagnostic: Diagnostic, uri: str, text: TextBuffer, settings: Settings) -> Json:
    """A diagnostic as the protocol writes it.

    Args:
        diagnostic: what the core found.
        uri: the document's address, for related places in it.
        text: the document's text, which knows the client's encoding.
        settings: those that count for the document.
    """
    item: Json = {
        "range": range_to_lsp(diagnostic.span, text),
        "severity": _WARNING_SEVERITY if diagnostic.severity == WARNING else _ERROR_SEVERITY,
        "code": diagnostic.code,
        "codeDescription": {"href": rule_url(diagnostic, settings.docs_url)},
        "source": SOURCE,
        "message": f"{diagnostic.message}\n{diagnostic.hint}" if diagnostic.hint else diagnostic.message,
        "data": {"path": format_path(diagnostic.path), "rule": diagnostic.rule},
    }
    if settings.severities:
        item["severity"] = settings.severity_for(diagnostic) or item["severity"]
    if diagnostic.code == DUPLICATE_KEY:
        item["tags"] = [_UNNECESSARY]
    if diagnostic.related:
        item["relatedInformation"] = [
            {"location": {"uri": uri, "range": range_to_lsp(span, text)}, "message": note}
            for span, note in diagnostic.related
        ]
    return item


def rule_url(diagnostic: Diagnostic, docs_url: str) -> str:
    """The address of the rule that a diagnostic is about: an anchor such as ``#r7b`` in the page of rules."""
    return f"{docs_url}#{(diagnostic.rule or diagnostic.code).lower()}"


class Positions:
    """The positions of many offsets of one document: each costs a fifth of what `TextBuffer.position` takes.

    Unlike a `TextBuffer` it stays what it is when the client makes changes.
    """

    __slots__ = ("_lines", "encoding")

    def __init__(self, document: Document, encoding: Encoding) -> None:
        self._lines = document.lines
        self.encoding: Encoding = encoding

    def position(self, offset: int) -> Position:
        """The (line, character) of an offset, which is clamped to the text."""
        return self._lines.position(offset, self.encoding)


def range_to_lsp(span: Span, text: TextBuffer | Positions) -> Json:
    """The range of a span of a text, in the client's encoding."""
    return {"start": _position_to_lsp(text.position(span.start)), "end": _position_to_lsp(text.position(span.end))}


def edits_to_lsp(edits: Iterable[Edit], text: TextBuffer) -> list[Json]:
    """Changes of a text as the protocol writes them."""
    return [{"range": range_to_lsp(edit.span, text), "newText": edit.text} for edit in edits]


def _position_to_lsp(position: Position) -> Json:
    return {"line": position[0], "character": position[1]}


def offset_from_lsp(position: object, text: TextBuffer) -> int:
    """The offset of a position in a text, clamped to it.

    Raises:
        InvalidParamsError: `position` is no position.
    """
    return text.offset(*_position_from_lsp(position))


def range_from_lsp(item: object) -> tuple[Position, Position]:
    """The two positions of a range.

    Raises:
        InvalidParamsError: `item` is no range.
    """
    if not isinstance(item, dict):
        raise InvalidParamsError(f"not a range: {item!r:.80}")
    return _position_from_lsp(item.get("start")), _position_from_lsp(item.get("end"))


def _position_from_lsp(item: object) -> Position:
    if isinstance(item, dict):
        line, character = item.get("line"), item.get("character")
        # `type`, because a boolean is an `int` too.
        if type(line) is int and type(character) is int:
            return line, character
    raise InvalidParamsError(f"not a position: {item!r:.80}")
