"""Fixes for texts that are no JSON object: the repairs of the parser, and a new document."""

from __future__ import annotations

from rui_common.editing.edits import format_json
from rui_common.fixes.conflict_fixes import conflict_fixes
from rui_common.fixes.context import generator_at
from rui_common.fixes.model import Fix, fixes_from
from rui_common.syntax.errors import FaultKind, SyntaxFault
from rui_common.syntax.spans import Edit, Span
from rui_common.validation.analysis import Analysis
from rui_common.validation.meant import holds_content
from rui_common.validation.wording import shorten


def syntax_fixes(analysis: Analysis, fault: SyntaxFault | None) -> list[Fix]:
    """Return the repair of a syntax error, if it has one; a new document if there is no object.

    Args:
        analysis: that of a document with syntax errors, or of one whose root is not an object.
        fault: the error; None if the text is JSON.
    """
    document = analysis.document
    if not isinstance(document.value, dict) and (document.valid or not document.text.strip("\ufeff \t\r\n")):
        return _new_document_fixes(analysis)
    if fault is None:
        return []
    if fault.kind is FaultKind.CONFLICT:
        return conflict_fixes(analysis, fault)
    return fixes_from(shorten(fault.title), fault.edits, is_safe=fault.is_safe)


def _new_document_fixes(analysis: Analysis) -> list[Fix]:
    """Return the fix for a text that is empty or whose root is not an object."""
    document = analysis.document
    text = document.text
    value = document.value
    root = document.find(())
    span = Span(len(text) - len(text.lstrip("\ufeff")), len(text))
    if root is not None and root.span is not None:
        span = root.span
    if holds_content(value):
        return []
    title = "Replace it by a new document"
    if value is None and not text.strip():
        title = "Insert a new document"
    new = generator_at(analysis, analysis.tree.root).new_object(analysis.vocabulary.root)
    return [Fix(title, (Edit(span, format_json(new)),), False)]
