"""Diagnostics as a page shows them: position, code frame, message and hint."""

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from rui_common.problems.lints import WARNINGS
from rui_common.syntax.document import Document
from rui_common.syntax.paths import Path, format_path
from rui_common.syntax.spans import Span
from rui_common.validation.diagnostics import Diagnostic, is_error
from rui_common.vocabulary.rules import RULES
from rui_inspector.model.view import View, ViewNode

CONTEXT = 60  # characters of a line that are shown before and after the marked part
MAX_MARKED = 120  # characters of the marked part that are shown


class CodeFrame(NamedTuple):
    """A line of the text, counted from one, with a marked part, which may be empty, and a note on it, or ``""``."""

    line: int
    before: str
    marked: str
    after: str
    note: str


class DisplayedDiagnostic:
    """A diagnostic, ready to be shown. Texts that it lacks are ``""``."""

    def __init__(self, document: Document, diagnostic: Diagnostic, anchor: str) -> None:
        span = diagnostic.span
        frames = [_frame(document, place, note) for place, note in ((span, ""), *diagnostic.related)]
        code = diagnostic.code
        self.diagnostic = diagnostic
        self.anchor = anchor  # the anchor of the node that contains it
        self.is_error = is_error(diagnostic)
        self.is_difference = code in WARNINGS and WARNINGS[code].needs_api  # whether a binding does not match the API
        self.path = format_path(diagnostic.path)
        self.why = RULES[diagnostic.rule].why if diagnostic.rule else ""
        self.line, self.column = document.lines.line_and_column(span.start)
        # start and end in an editor: lines and characters from zero, in UTF-16 units, such as ``3-4-3-12``
        self.range = "-".join(map(str, (*document.lines.position(span.start), *document.lines.position(span.end))))
        # the lines of the diagnostic and of related places, in text order
        self.frames = sorted(frames, key=lambda frame: frame.line)


def grouped(problems: Sequence[DisplayedDiagnostic]) -> list[list[DisplayedDiagnostic]]:
    """Return diagnostics by code and message, in the order of the first of each."""
    causes: dict[tuple[str, str], list[DisplayedDiagnostic]] = {}
    for problem in problems:
        causes.setdefault((problem.diagnostic.code, problem.diagnostic.message), []).append(problem)
    return list(causes.values())


def displayed_diagnostics(
    document: Document, diagnostics: Sequence[Diagnostic], view: View | None = None
) -> list[DisplayedDiagnostic]:
    """Return diagnostics of a document (docs/decisions.md, section 3), with the anchors of the nodes in `view`."""
    anchors: dict[Path, str] = {node.path: node.anchor for node in (view.nodes if view else ())}
    longest = max(map(len, anchors), default=0)
    displayed = []
    for diagnostic in diagnostics:
        path = inner = diagnostic.path[:longest]
        while path and path not in anchors:
            path = path[:-1]
        anchors[inner] = anchors.get(path, "")  # so that a thousand warnings in a deep object need one search
        displayed.append(DisplayedDiagnostic(document, diagnostic, anchors[inner]))
    return displayed


def unmatched_of(view: View, problems: Sequence[DisplayedDiagnostic]) -> dict[ViewNode, list[str]]:
    """Return the nodes whose bindings are not in the API description, with a sentence on each binding or field."""
    nodes = {node.anchor: node for node in view.nodes}
    unmatched: dict[ViewNode, list[str]] = defaultdict(list)
    for problem in problems:
        if problem.is_difference and problem.anchor in nodes:
            unmatched[nodes[problem.anchor]].append(problem.diagnostic.message)
    return unmatched


def _frame(document: Document, span: Span, note: str) -> CodeFrame:
    lines = document.lines
    text = document.text
    line, (start, end) = lines.first_line(span)
    line_start = lines.line_start(line)
    line_end = lines.line_end(line)
    before = text[line_start:start].lstrip(" \t")
    if start - line_start > CONTEXT:
        before = f"…{text[start - CONTEXT : start]}"
    marked = text[start:end]
    if len(marked) > MAX_MARKED:
        marked = f"{marked[: MAX_MARKED // 2]}…{marked[-MAX_MARKED // 2 :]}"
    after = text[end : min(line_end, end + CONTEXT)]
    if line_end - end > CONTEXT:
        after += "…"
    return CodeFrame(line + 1, before, marked, after.rstrip(), note)
