"""The format of reviewdog, as it makes suggestions of pull and merge requests from it."""

import json
from typing import Any

import pytest

from rui_cli.formats.rdjson import render
from rui_cli.output import Style
from rui_cli.results import CheckResult, Summary
from rui_common.editing.edits import apply
from rui_common.syntax.document import read
from rui_common.validation.analysis import Analysis
from tests.support.corpus import Case, read_cases


def on_gitlab(diagnostic: Any, suggestion: Any) -> tuple[int, int]:
    """Return the lines that GitLab replaces, from 1: reviewdog sends the first line of the diagnostic, and the number
    of lines below it, and no column."""
    line = diagnostic["location"]["range"]["start"]["line"]
    lines = suggestion["range"]
    return line, line + lines["end"]["line"] - lines["start"]["line"]


def on_github(diagnostic: Any, suggestion: Any) -> tuple[int, int]:
    """Return the lines that GitHub replaces: reviewdog sends those of the suggestion."""
    lines = suggestion["range"]
    return lines["start"]["line"], lines["end"]["line"]


def applied(text: str, lines: tuple[int, int], suggestion: Any) -> str:
    """Return a text after a suggestion is applied, as git sees its lines."""
    first, last = lines
    parts = text.split("\n")
    assert 1 <= first <= last <= len(parts) - text.endswith("\n")
    new = suggestion["text"].split("\n") if suggestion["text"] else []
    return "\n".join([*parts[: first - 1], *new, *parts[last:]])


@pytest.mark.parametrize("place", [on_gitlab, on_github])
def test_suggestions_are_the_first_safe_fix(place: Any) -> None:
    suggestions = 0
    for case in read_cases():
        if "\r" in case.text:
            continue
        for shown, edited in shown_and_edited(case):
            suggestions += 1
            suggestion = shown["suggestions"][0]
            text = applied(case.text, place(shown, suggestion), suggestion)
            assert text.replace("\n", "") == edited.replace("\n", "")  # An empty text removes the lines.
            assert suggestion["text"] == "" or text == edited
    assert suggestions > 200


def shown_and_edited(case: Case) -> list[tuple[Any, str]]:
    """Return each diagnostic with a suggestion, and the text after its first safe fix."""
    analysis = Analysis(read(case.text))
    result = CheckResult("a.rui.json", analysis, analysis.diagnostics)
    fixes = [
        next(fix for fix in [*result.fixes(diagnostic), None] if fix is None or fix.is_safe)
        for diagnostic in analysis.diagnostics
    ]
    [written] = render([CheckResult("a.rui.json", analysis, analysis.diagnostics)], Summary(), Style())
    shown = json.loads(written)["diagnostics"]
    pairs = zip(shown, fixes, strict=True)
    assert all(fix is not None or not item["suggestions"] for item, fix in pairs)
    return [
        (item, apply(case.text, fix.edits))
        for item, fix in zip(shown, fixes, strict=True)
        if fix and item["suggestions"]
    ]


# Name → a document, and whether its only error has a suggestion.
AT_THE_EDGES = {
    "on one line": ('{"pages": [], "version": "0.1", "meta": {},}', True),
    "with Windows line ends": ('{"pages": [],\r\n "version": "0.1",\r\n "meta": {},\r\n}', True),
    "above the line of the error": ('{"version": "0.1"\n\n\n"meta": {}, "pages": []}', False),
    "after the last line end": ('{"version": "0.1", "meta": {}, "pages": []\n', False),
}


@pytest.mark.parametrize("name", AT_THE_EDGES)
def test_lines_that_a_comment_cannot_replace_have_no_suggestion(name: str) -> None:
    text, has_suggestion = AT_THE_EDGES[name]
    analysis = Analysis(read(text))
    [written] = render([CheckResult("a.rui.json", analysis, analysis.diagnostics)], Summary(), Style())
    first = next(item for item in json.loads(written)["diagnostics"] if item["code"]["value"] == "INVALID_JSON")
    assert bool(first["suggestions"]) == has_suggestion
    assert "\r" not in written
