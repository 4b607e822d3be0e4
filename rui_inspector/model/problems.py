"""Diagnostics as a page shows them: position, code frame, message and hint."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from rui_common.syntax.document import Document
from rui_common.syntax.paths import Path, format_path
from rui_common.syntax.spans import Span
from rui_common.validation.diagnostics import ERROR, WARNING, Diagnostic, diagnose, is_error
from rui_common.vocabulary.rules import RULES, WARNINGS
from rui_inspector.model.view import View

CONTEXT = 60
"""Characters of a line that are shown before and after the marked part."""

MAX_MARKED = 120
"""Characters of the marked part that are shown."""


@dataclass(frozen=True, slots=True)
class CodeFrame:
    """A line of the text with a marked part.

    Attributes:
        line: its number, from one.
        before: the text before the marked part.
        marked: the marked part; ``""`` for a position between characters.
        after: the text after it.
        note: a note on the marked part, or ``""``.
    """

    line: int
    before: str
    marked: str
    after: str
    note: str


class Difference(NamedTuple):
    """A difference between a binding and the API, found elsewhere.

    Attributes:
        is_error: whether it is an error rather than a warning.
        code: its code.
        path: the path in the document.
        message: the message.
        hint: how to fix it.
    """

    is_error: bool
    code: str
    path: Path
    message: str
    hint: str

    def diagnostic(self, document: Document) -> Diagnostic:
        """Return the diagnostic in a document."""
        severity = ERROR if self.is_error else WARNING
        return Diagnostic(severity, self.code, "", self.path, self.message, self.hint, document.range_of(self.path))


@dataclass(slots=True)
class DisplayedDiagnostic:
    """A diagnostic, ready to be shown.

    Attributes:
        code: its code.
        rule: the number of the rule, or ``""``.
        is_error: whether it makes the document invalid.
        path: the path of the value; ``""`` for the root and for syntax errors.
        offset: the offset in the text, in code points.
        message: the message.
        hint: how to fix it.
        why: the reason for the rule, or ``""``.
        line: the line, from one.
        column: the column, from one, in code points.
        range: start and end in an editor: lines and characters from zero, in UTF-16 units, such as ``3-4-3-12``.
        frames: the lines of the diagnostic and of related places, in text order.
        anchor: the anchor of the node that contains it, or ``""``.
    """

    code: str
    rule: str
    is_error: bool
    path: str
    offset: int
    message: str
    hint: str
    why: str
    line: int
    column: int
    range: str
    frames: list[CodeFrame] = field(default_factory=list)
    anchor: str = ""

    @property
    def is_difference(self) -> bool:
        """Whether a binding does not match the API."""
        return self.code in WARNINGS and WARNINGS[self.code].needs_api


class Cause(NamedTuple):
    """Diagnostics with the same message.

    Attributes:
        code: their code.
        rule: the number of their rule, or ``""``.
        is_error: whether they make the document invalid.
        message: their message.
        hint: how to fix the first one, whose hint is the longest.
        why: the reason for the rule, or ``""``.
        places: the diagnostics.
    """

    code: str
    rule: str
    is_error: bool
    message: str
    hint: str
    why: str
    places: list[DisplayedDiagnostic]


def grouped(problems: Sequence[DisplayedDiagnostic]) -> list[Cause]:
    """Return diagnostics by cause, in the order of the first of each."""
    causes: dict[tuple[str, str], Cause] = {}
    for problem in problems:
        key = problem.code, problem.message
        if key not in causes:
            causes[key] = Cause(
                problem.code, problem.rule, problem.is_error, problem.message, problem.hint, problem.why, []
            )
        causes[key].places.append(problem)
    return list(causes.values())


def displayed_diagnostics(
    document: Document, view: View | None = None, diagnostics: Sequence[Diagnostic] | None = None
) -> list[DisplayedDiagnostic]:
    """Return the diagnostics of a document (docs/decisions.md, section 3), with the anchors of the nodes in `view`.

    Args:
        document: the document.
        view: its nodes.
        diagnostics: those to return, if they are known; all by default.
    """
    anchors = {}
    if view is not None:
        anchors = {node.path: node.anchor for node in view.nodes}
    known: dict[Path, str] = {}
    displayed = []
    for diagnostic in diagnose(document) if diagnostics is None else diagnostics:
        item = _displayed(document, diagnostic)
        item.anchor = _anchor_around(diagnostic.path, anchors, known)
        displayed.append(item)
    return displayed


def _anchor_around(path: Path, anchors: Mapping[str, str], known: dict[Path, str]) -> str:
    """Return the anchor of the innermost node around a path, and add it to `known` for all paths on the way."""
    inner = path
    while inner and inner not in known:
        anchor = anchors.get(format_path(inner))
        if anchor is not None:
            known[inner] = anchor
            break
        inner = inner[:-1]
    anchor = known.get(inner, "")
    for length in range(len(inner) + 1, len(path) + 1):
        known[path[:length]] = anchor
    return anchor


def _displayed(document: Document, diagnostic: Diagnostic) -> DisplayedDiagnostic:
    lines = document.lines
    span = diagnostic.span
    line, column = lines.position(span.start, "utf-32")
    frames = [_frame(document, span, "")]
    frames += [_frame(document, related, note) for related, note in diagnostic.related]
    return DisplayedDiagnostic(
        code=diagnostic.code,
        rule=diagnostic.rule,
        is_error=is_error(diagnostic),
        path=format_path(diagnostic.path),
        offset=diagnostic.span.start,
        message=diagnostic.message,
        hint=diagnostic.hint,
        why=RULES[diagnostic.rule].why if diagnostic.rule else "",
        line=line + 1,
        column=column + 1,
        range="-".join(map(str, (*lines.position(span.start), *lines.position(span.end)))),
        frames=sorted(frames, key=lambda frame: frame.line),
    )


def _frame(document: Document, span: Span, note: str) -> CodeFrame:
    lines = document.lines
    text = document.text
    line = lines.line_of(span.start)
    line_start = lines.line_start(line)
    line_end = lines.line_end(line)
    start = min(span.start, line_end)
    end = max(start, min(span.end, line_end))
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
