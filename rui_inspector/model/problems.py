"""Diagnostics → what a page shows of them: the line, the part that is wrong, what it says and how to mend it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rui_common.syntax.paths import format_path
from rui_common.validation.diagnostics import diagnose, is_error
from rui_common.vocabulary.rules import RULES

if TYPE_CHECKING:
    from rui_common.syntax.document import Document
    from rui_common.syntax.spans import Span
    from rui_common.validation.diagnostics import Diagnostic
    from rui_inspector.model.view import View

AROUND = 60
"""Characters of a line that are shown before and behind the part that is wrong."""

LONGEST = 120
"""Characters that are shown of that part."""


@dataclass(frozen=True, slots=True)
class CodeFrame:
    """A line of the text with a part of it that is marked.

    Attributes:
        line: its number, from one.
        before: what is shown of it before the marked part.
        marked: that part; "" if it is a place between characters.
        behind: what is shown behind it.
        note: what is to be said there, or "".
    """

    line: int
    before: str
    marked: str
    behind: str
    note: str = ""


@dataclass(slots=True)
class Problem:
    """A diagnostic, ready to be shown.

    Attributes:
        code: its code.
        rule: the number of the rule, or "".
        is_error: whether it makes the document invalid.
        path: where in the value; "" for the root and for faults of the text.
        anchor: the anchor of the node that it is in, or "".
        offset: where in the text it begins, in code points.
        message: what is wrong.
        hint: how to mend it.
        why: why the rule matters, or "".
        line: the line that it is on, from one.
        column: the character that it begins at, from one.
        frames: the lines that it is about, its own among them, in text order.
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
    frames: list[CodeFrame] = field(default_factory=list)
    anchor: str = ""


def problems_of(document: Document, view: View | None = None) -> list[Problem]:
    """All that is wrong with a document (docs/decisions.md, section 3), with the nodes of `view` that it is in."""
    anchors = {node.path: node.anchor for node in view.nodes} if view is not None else {}
    problems = []
    for diagnostic in diagnose(document):
        problem = _problem(document, diagnostic)
        steps = diagnostic.path
        while steps and format_path(steps) not in anchors:
            steps = steps[:-1]
        problem.anchor = anchors.get(format_path(steps), "")
        problems.append(problem)
    return problems


def _problem(document: Document, diagnostic: Diagnostic) -> Problem:
    line, column = document.lines.position(diagnostic.span.start, "utf-32")
    frames = [_frame(document, diagnostic.span, "")]
    frames += [_frame(document, span, note) for span, note in diagnostic.related]
    return Problem(
        diagnostic.code, diagnostic.rule, is_error(diagnostic), format_path(diagnostic.path),
        diagnostic.span.start, diagnostic.message, diagnostic.hint,
        RULES[diagnostic.rule].why if diagnostic.rule else "", line + 1, column + 1,
        sorted(frames, key=lambda frame: frame.line),
    )  # fmt: skip


def _frame(document: Document, span: Span, note: str) -> CodeFrame:
    lines, text = document.lines, document.text
    line = lines.line_of(span.start)
    first, last = lines.line_start(line), lines.line_end(line)
    start = min(span.start, last)
    end = max(start, min(span.end, last))
    before, marked = text[max(first, start - AROUND) : start], text[start:end]
    before = f"…{before}" if start - first > AROUND else before.lstrip(" \t")
    if len(marked) > LONGEST:
        marked = f"{marked[: LONGEST // 2]}…{marked[-LONGEST // 2 :]}"
    behind = text[end : min(last, end + AROUND)] + ("…" if last - end > AROUND else "")
    return CodeFrame(line + 1, before, marked, behind.rstrip(), note)
