"""Completion on lines with too little indentation, in documents whose commas are missing, adds no fault."""

import json
from collections.abc import Iterator

import pytest

from rui_common.editing.completion import Completion, completions_at, with_commas
from rui_common.editing.completion_context import completion_context_at
from rui_common.editing.edits import Edit, apply
from rui_common.editing.snippets import Layout
from rui_common.syntax.document import read
from rui_common.syntax.spans import Span
from rui_common.syntax.tree import UNKNOWN
from rui_common.validation.diagnostics import diagnose, is_error
from tests.small import DOCUMENT

BLOCKS = """\
{"id": "t", "type": "Table", "binding": {"type": "read", "method": "GET", "path": "/x"}, "columns": [{"key": "a"}]},
{"id": "x", "type": "Text", "content": "X"}"""
LINES = json.dumps(json.loads(DOCUMENT.replace("BLOCK", BLOCKS)), indent=2).split("\n")

PROPOSALS = 3
"""Completions that are applied at each place; the others differ from one of them only in their words."""


def completed(text: str, caret: int) -> Iterator[tuple[Completion, str]]:
    """Yield completions and the text after each."""
    document = read(text)
    context = completion_context_at(document, caret)
    if context is None:
        return
    layout = Layout(document, context)
    for completion in completions_at(document, context)[:PROPOSALS]:
        snippet = with_commas(layout.reindent(completion.snippet, relative=False), context)
        edits = [Edit(context.span, snippet.text)]
        if context.comma_at not in {UNKNOWN, context.span.start}:
            edits.append(Edit(Span(context.comma_at, context.comma_at), ","))
        yield completion, apply(text, edits)


def count_faults(text: str) -> int:
    """Return the number of faults. The navigation entry of a new page is another edit of the language server."""
    return sum(is_error(diagnostic) and diagnostic.code != "ORPHAN_PAGE" for diagnostic in diagnose(read(text)))


def indent_of(line: str) -> int:
    return len(line) - len(line.lstrip())


def without_commas(lines: list[str], index: int, which: str) -> list[str]:
    """Return the lines without some of the commas at their ends."""
    lost = {"none": [], "before": [index - 1], "around": [index - 2, index - 1, index], "all": range(len(lines))}[which]
    return [line.rstrip(",") if number in lost else line for number, line in enumerate(lines)]


@pytest.mark.parametrize("which", ["none", "before", "around", "all"])
@pytest.mark.parametrize("outdent", [0, 2, 4])
@pytest.mark.parametrize("closer", [0, 2])
def test_no_completion_adds_a_fault(which: str, outdent: int, closer: int) -> None:
    """Every line, after which a line is begun; the next closing bracket has `closer` blanks too few."""
    worse = []
    for index in range(1, len(LINES)):
        lines = without_commas(LINES, index, which)
        indent = max(0, max(indent_of(lines[index - 1]), indent_of(lines[index])) - outdent)
        if lines[index].lstrip()[0] in "]}":
            lines[index] = lines[index][min(closer, indent_of(lines[index])) :]
        elif closer:
            continue
        start = "\n".join(lines[:index]) + "\n" + " " * indent
        text = start + "\n" + "\n".join(lines[index:])
        before = count_faults(text)
        for completion, after in completed(text, len(start)):
            if count_faults(after) > before:
                worse.append((index, completion.label, completion.shape))
    assert worse == []
