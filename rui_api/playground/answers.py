"""What the playground process does, besides comparisons, notes and the pages of documents. The texts may be hostile.

It checks and normalizes the document of the front page. For its editor it finds diagnostics, completions, hover texts,
fixes, and the tabs beside it: every answer is JSON. Positions are lines and characters from zero, in UTF-16 units, as
in the Language Server Protocol; a range is a list of four numbers: start line, start character, end line, end
character.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable

from rui_common.describe.entries import entry_text
from rui_common.editing.completion import Completion, completions_at
from rui_common.editing.completion_context import completion_context_at
from rui_common.editing.edits import text_edits
from rui_common.editing.formatter import CannotFormatError, format_document
from rui_common.editing.hover import hover_at
from rui_common.editing.normal_form import normalize
from rui_common.editing.snippets import Layout
from rui_common.fixes.fix_all import fix_all_safe
from rui_common.fixes.quick_fixes import find_fixes
from rui_common.hashing import content_hash
from rui_common.json_values import JsonObject
from rui_common.syntax.document import Document, read
from rui_common.syntax.paths import format_path
from rui_common.syntax.spans import Edit, Span
from rui_common.syntax.tree import UNKNOWN
from rui_common.validation.analysis import Analysis
from rui_common.validation.diagnostics import Diagnostic, is_error
from rui_inspector.html.markdown import hover_html
from rui_inspector.html.templates import environment
from rui_inspector.html.values import ValueWriter
from rui_inspector.html.wireframe import WireframeWriter, totals_of
from rui_inspector.model.overview import endpoints_of
from rui_inspector.model.problems import displayed_diagnostics
from rui_inspector.model.view import View, ViewNode, view_of_text
from rui_inspector.model.wireframe import wireframe_of

DOCS = "docs"  # the address of the documentation, relative to the front page
MAX_FINDINGS = 500  # findings that a check searches, as the search takes time for each

MAX_PROBLEMS = 100
MAX_DRAWN = 150
MAX_ENDPOINTS = 100
MAX_COMPLETIONS = 100
"""Maximum number of diagnostics in their tab, nodes in the wireframe, endpoints in the table, and completions."""

MAX_FIXED = 20  # diagnostics in a range that fixes are searched for


def check(analysis: Analysis, selection: Span) -> JsonObject:
    """Return all diagnostics, and the content of the tabs.

    Of a large document, the wireframe has the pages at the cursor. They are those of the text in ``drawn``, a range; it
    is absent if all pages are drawn.
    """
    document = analysis.document
    diagnostics = analysis.diagnostics
    view = view_of_text(document)
    error_count = sum(is_error(diagnostic) for diagnostic in diagnostics)

    def href(node: ViewNode) -> str:
        """Return the fragment of a place in the editor, such as ``#R3-4-3-12``."""
        return "#R" + "-".join(map(str, _range(document, Span(node.start, node.end))))

    first, last = _pages_at(view, selection.start)
    wireframe = wireframe_of(view, MAX_DRAWN, view.tops[first:last])
    screens = ""
    if wireframe.screens:
        screens = WireframeWriter(view, wireframe, href).screens()
    endpoints = endpoints_of(view)
    problems = displayed_diagnostics(document, diagnostics[:MAX_PROBLEMS])
    refusal = ""
    if diagnostics and document.text.strip() and not isinstance(document.value, dict):
        refusal = diagnostics[0].message
    answer: JsonObject = {
        "diagnostics": [_as_json(document, diagnostic) for diagnostic in diagnostics],
        "errors": error_count,
        "warnings": len(diagnostics) - error_count,
        "isTruncated": _is_truncated(analysis),
        "totals": totals_of(view),
        "tabs": environment().get_template("playground.html").render(
            problems=problems, max_problems=MAX_PROBLEMS, docs=DOCS, omitted_problems=len(diagnostics),
            screens=screens, refusal=refusal, drawn=_drawn(view, first, last),
            endpoints=endpoints[:MAX_ENDPOINTS], omitted_endpoints=max(0, len(endpoints) - MAX_ENDPOINTS),
            values=ValueWriter(view, href=href), view=view,
        ),
    }  # fmt: skip
    if last - first < len(view.tops):
        start = 0
        if first:
            start = view.tops[first - 1].end
        end = view.tops[last - 1].end if last < len(view.tops) else len(document.text)
        answer["drawn"] = _range(document, Span(start, end))
    return answer


def complete(analysis: Analysis, selection: Span) -> JsonObject:
    """Return the completions at a position; none where no completion is possible."""
    document = analysis.document
    context = completion_context_at(document, selection.start)
    if context is None:
        return {"items": []}
    layout = Layout(document, context)
    items = [_item(completion, layout) for completion in completions_at(analysis, context)[:MAX_COMPLETIONS]]
    answer: JsonObject = {"items": items, "range": _range(document, context.span), "inString": context.in_string}
    if context.comma_at not in {UNKNOWN, context.span.start}:
        answer["commaAt"] = document.lines.position(context.comma_at)
    return answer


def hover(analysis: Analysis, selection: Span) -> JsonObject:
    """Return the documentation of the key or value at a position; an empty object if there is none."""
    found = hover_at(analysis, selection.start, DOCS)
    if found is None:
        return {}
    return {"range": _range(analysis.document, found.span), "text": hover_html(found.text)}


def fixes(analysis: Analysis, selection: Span) -> JsonObject:
    """Return the fixes of the diagnostics at a selection, or else of those on its lines."""
    document = analysis.document
    items: dict[tuple[object, ...], JsonObject] = {}
    for diagnostic in _diagnostics_at(analysis, selection)[:MAX_FIXED]:
        for fix in find_fixes(analysis, diagnostic):
            item: JsonObject = {"title": fix.title, "edits": _edits(document, fix.edits), "isSafe": fix.is_safe}
            items.setdefault((fix.title, *fix.edits), item)
    return {"fixes": list(items.values())}


def fix_all(analysis: Analysis, _: Span) -> JsonObject:
    """Return the edits of all safe fixes, and how many diagnostics they remove, reveal and leave.

    A repaired text may have more diagnostics than before: they were hidden by the errors that are repaired. The note
    says that there is more to fix, or is empty.
    """
    document = analysis.document
    result = fix_all_safe(analysis)
    fixed = result.analysis
    before, after = [Counter(map(_identity, version.diagnostics)) for version in (analysis, fixed)]
    return {
        "edits": _edits(document, text_edits(document.text, fixed.document.text)),
        "fixed": (before - after).total(),
        "revealed": (after - before).total(),
        "left": after.total(),
        "isTruncated": _is_truncated(fixed),
        "note": result.note,
    }


def format_text(analysis: Analysis, _: Span) -> JsonObject:
    """Return the edits to the canonical text; where the document cannot be formatted, the reason and its position."""
    document = analysis.document
    try:
        edits = text_edits(document.text, format_document(analysis))
    except CannotFormatError as error:
        return {"reason": str(error), "at": document.lines.position(error.offset)}
    return {"edits": _edits(document, edits)}


ACTIONS: dict[str, Callable[[Analysis, Span], JsonObject]] = {
    "check": check,
    "complete": complete,
    "hover": hover,
    "fixes": fixes,
    "fix-all": fix_all,
    "format": format_text,
}
"""The answers by the name of the request."""


def answer_editor(action: str, text: str, start: tuple[int, int], end: tuple[int, int]) -> bytes:
    """Return the answer to a request about the text of the editor, in JSON.

    Args:
        action: a key of `ACTIONS`.
        start: a position, which is clamped to the text.
        end: the other end of the selection; equal to `start` for a cursor.
    """
    document = read(text)
    selection = Span(*sorted(document.lines.offset(*position) for position in (start, end)))
    answer = ACTIONS[action](Analysis(document, limit=MAX_FINDINGS), selection)
    return json.dumps(answer, separators=(",", ":")).encode()


def hash_and_normalize(document: bytes) -> tuple[bytes, str] | None:
    """Return the normal form as JSON and the content hash; None if the document is invalid."""
    analysis = Analysis(read(document))
    if any(is_error(diagnostic) for diagnostic in analysis.diagnostics):
        return None
    rui = json.dumps(normalize(analysis.tree), ensure_ascii=False, separators=(",", ":"))
    return rui.encode(), content_hash(analysis.tree.root.members)


def _as_json(document: Document, diagnostic: Diagnostic) -> JsonObject:
    return {
        "range": _range(document, diagnostic.span),
        "isError": is_error(diagnostic),
        "code": diagnostic.code,
        "path": format_path(diagnostic.path),
        "message": diagnostic.message,
        "hint": diagnostic.hint,
    }


def _identity(diagnostic: Diagnostic) -> tuple[object, ...]:
    """Return what tells a diagnostic from others of the same text, and is the same in an edited text."""
    return diagnostic.code, diagnostic.path, diagnostic.message


def _is_truncated(analysis: Analysis) -> bool:
    """Return whether the document may have more diagnostics than those that were searched."""
    errors = (found for found in analysis.diagnostics if found.finding is not None and is_error(found))
    return sum(1 for _ in errors) == MAX_FINDINGS


def _pages_at(view: View, offset: int) -> tuple[int, int]:
    """Return the slice of the pages to draw: that at an offset, with as many around it as are drawn at once."""
    tops = view.tops
    if len(view.nodes) <= MAX_DRAWN:
        return 0, len(tops)
    sizes = [1 + len(list(top.descendants())) for top in tops]
    first = next((index for index, top in enumerate(tops) if offset <= top.end), len(tops) - 1)
    last = first + 1
    left = MAX_DRAWN - sizes[first]
    while last < len(tops) and sizes[last] <= left:
        left -= sizes[last]
        last += 1
    while first and sizes[first - 1] <= left:
        first -= 1
        left -= sizes[first]
    return first, last


def _drawn(view: View, first: int, last: int) -> str:
    """Return which pages are drawn, as a sentence; ``""`` for all."""
    total = len(view.tops)
    if last - first == total:
        return ""
    if last - first == 1:
        return f"Page {last:,} of {total:,}."
    return f"Pages {first + 1:,} to {last:,} of {total:,}."


def _range(document: Document, span: Span) -> list[int]:
    return [*document.lines.position(span.start), *document.lines.position(span.end)]


def _item(completion: Completion, layout: Layout) -> JsonObject:
    snippet = layout.adapt(completion.snippet, relative=True)
    parts = [
        part if isinstance(part, str) else {"default": part.default, "isFinal": part.is_final} for part in snippet.parts
    ]
    text = hover_html(entry_text(completion.shape, completion.prop))
    return {"label": completion.label, "detail": completion.detail, "parts": parts, "text": text}


def _diagnostics_at(analysis: Analysis, span: Span) -> list[Diagnostic]:
    """Return the diagnostics that touch a span, or else those on its lines."""
    lines = analysis.document.lines
    whole_lines = Span(lines.line_start(lines.line_of(span.start)), lines.line_end(lines.line_of(span.end)))
    for part in (span, whole_lines):
        touching = [
            diagnostic
            for diagnostic in analysis.diagnostics
            if diagnostic.span.start <= part.end and part.start <= diagnostic.span.end
        ]
        if touching:
            return touching
    return []


def _edits(document: Document, edits: Iterable[Edit]) -> list[JsonObject]:
    return [{"range": _range(document, edit.span), "text": edit.text} for edit in edits]
