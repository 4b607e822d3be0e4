"""One corpus for every surface: core, library, command line, HTTP and language server report the same for each case.

tests/cases/README.md defines the format of cases.
"""

import contextlib
import io
import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from rui_api.config.options import Settings
from rui_api.routes.fixes import fixed_document
from rui_api.routes.new_version import name_base
from rui_cli.main import main
from rui_common import check, fix
from rui_common.editing.edits import apply
from rui_common.editing.normal_form import normalize
from rui_common.fixes.fix_all import apply_safe_fixes
from rui_common.fixes.quick_fixes import find_fixes
from rui_common.hashing import content_hash
from rui_common.problems.lints import WARNINGS
from rui_common.syntax.document import read
from rui_common.syntax.paths import format_path
from rui_common.syntax.spans import Span
from rui_common.validation.analysis import Analysis, validate
from rui_common.validation.answers import error_items
from rui_common.validation.diagnostics import Diagnostic, is_error
from rui_common.vocabulary.rules import MAX_ERRORS, MESSAGES, RULES
from tests.inputs.breaking_text import broken_texts
from tests.rui_api.live import Service, patient_app, running
from tests.rui_lsp.lsp_client import Client
from tests.rui_lsp.marked import actions, done, opened
from tests.support.corpus import Case, Mark, quotes, read_cases

ROOT = Path(__file__).parent.parent
LINE_END = re.compile(r"\r\n|\r|\n")

OPENINGS = {
    "INVALID_ID_FORMAT": "Use lowercase kebab-case, pattern ^[a-z][a-z0-9-]*$, 1 to 64 characters.",
    "UNKNOWN_TYPE": "Use a registered type.",
    "MISSING_REQUIRED_PROP": "Add the property",
    "INVALID_PROP_TYPE": "Must be ",
    "UNKNOWN_PROP": "Only registered properties are allowed. ",
}
"""The first words of hints in which the gist of section 7.3 is worded for the place, by code."""


def related_of(found: list[Diagnostic]) -> Counter[tuple[str, Span, str]]:
    return Counter(
        (format_path(diagnostic.path), span, note)
        for diagnostic in found
        if is_error(diagnostic)
        for span, note in diagnostic.related
    )


def expected_related(case: Case) -> Counter[tuple[str, Span, str]]:
    return Counter((format_path(mark.path), mark.span, mark.note) for mark in case.related)


CASES = read_cases()


# The surfaces ---------------------------------------------------------------------------------------------------------


@dataclass
class Surfaces:
    """The surfaces that check every case. `printed` is the output of the command line, by case."""

    printed: dict[str, list[dict[str, object]]]
    service: Service
    editors: dict[str, Client]


@pytest.fixture(scope="module")
def surfaces(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Surfaces]:
    directory = tmp_path_factory.mktemp("corpus")
    app = patient_app(Settings(store=f"sqlite:///{directory}/rui.db"))
    with running(app) as service, Client() as utf_16, Client(["utf-8"]) as utf_8:
        editors = {"utf-16": utf_16, "utf-8": utf_8}
        for encoding, client in editors.items():
            assert client.server["capabilities"]["positionEncoding"] == encoding
        yield Surfaces(run_cli(directory), service, editors)


def files_of(folder: Path) -> dict[str, Path]:
    """Write a file for each case; return the files by case."""
    files = {case.id: folder / f"{number}.rui.json" for number, case in enumerate(CASES)}
    for case in CASES:
        files[case.id].write_bytes(case.source)
    return files


def run_cli(folder: Path) -> dict[str, list[dict[str, object]]]:
    """Run `rui check --format json` once for all cases; return the findings by case."""
    files = files_of(folder)
    items = check_files(*files.values())
    return {name: [item for item in items if item["file"] == str(file)] for name, file in files.items()}


def check_files(*files: Path) -> list[dict[str, object]]:
    """Run `rui check --format json`; return the findings."""
    return json.loads(run_main("check", "--format", "json", *map(str, files)))


def run_main(*arguments: str) -> str:
    """Run the command line in this process; return its output."""
    out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="")
    with contextlib.redirect_stdout(out):
        main([*arguments])
    out.flush()
    return out.buffer.getvalue().decode()


# The tests ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_the_core_agrees_with_the_marks(case: Case) -> None:
    found = Analysis(read(case.source)).diagnostics
    marks = [(mark.code, format_path(mark.path), mark.span) for mark in case.expected]
    assert [(diagnostic.code, format_path(diagnostic.path), diagnostic.span) for diagnostic in found] == marks, (
        f"The case with the marks of what is found:\n{case.fence_with(marks_of(found))}"
    )
    check_details(case, found)


def marks_of(found: list[Diagnostic]) -> list[Mark]:
    """Return the marks of findings, with a rule where several have the same code."""
    codes = Counter(rule.code for rule in RULES.values())
    return [
        Mark(diagnostic.span, diagnostic.code, diagnostic.path, diagnostic.rule if codes[diagnostic.code] > 1 else "")
        for diagnostic in found
    ]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_every_surface_agrees_with_the_core(case: Case, surfaces: Surfaces) -> None:
    found = Analysis(read(case.source)).diagnostics
    check_library(case, found)
    check_cli(case, found, surfaces.printed[case.id])
    check_http(case, found, surfaces.service)
    check_editor(case, found, surfaces.editors["utf-16"], "utf-16")
    if not case.text.isascii():
        check_editor(case, found, surfaces.editors["utf-8"], "utf-8")


def test_the_marks_that_a_failure_prints_can_be_copied() -> None:
    for case in CASES:
        found = Analysis(read(case.source)).diagnostics
        fence, _, elsewhere = case.fence_with(marks_of(found)).partition("\nelsewhere: ")
        copied = replace(case, fence=fence.split("\n"))
        assert copied.text == case.text
        marks = [(mark.code, mark.path, mark.span) for mark in copied.expected]
        assert elsewhere or marks == [(diagnostic.code, diagnostic.path, diagnostic.span) for diagnostic in found]


@pytest.fixture(scope="module")
def fixed_by_cli(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The texts of all cases after one `rui check --fix`."""
    files = files_of(tmp_path_factory.mktemp("fixed"))
    run_main("check", "--fix", *map(str, files.values()))
    return {name: read(file.read_bytes()).text for name, file in files.items()}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_core_command_line_and_editor_fix_alike(case: Case, fixed_by_cli: dict[str, str]) -> None:
    """Where all is fixed, one quick fix does the same."""
    document = read(case.source)
    analysis = Analysis(document)
    fixed = apply_safe_fixes(analysis).document
    assert fixed_by_cli[case.id] == fixed_by_editor(document.text) == fixed.text
    assert fix(document.text).text == fixed.text
    answered = fixed_document(case.source)
    if answered is not None:
        assert answered["rui"] == fixed.value
    else:
        assert fixed is document or not fixed.valid or not isinstance(fixed.value, dict)
    if case.is_fixed:
        assert Analysis(fixed).diagnostics == []
        fixes = [fix for diagnostic in analysis.diagnostics for fix in find_fixes(analysis, diagnostic) if fix.is_safe]
        assert fixed.text in [apply(document.text, fix.edits) for fix in fixes]


@given(broken_texts())
def test_command_line_and_editor_fix_broken_texts_alike(text: str) -> None:
    assert fixed_by_editor(text) == apply_safe_fixes(Analysis(read(text))).document.text


def fixed_by_editor(text: str) -> str:
    """Return the text after the code action `source.fixAll`, which is missing if it changes nothing."""
    editor = opened(text)
    found = actions(editor, only=["source.fixAll.rui"])
    assert len(found) <= 1
    return done(editor, found[0]) if found else text


def check_details(case: Case, found: list[Diagnostic]) -> None:
    """Check rules, required texts and related places."""
    for mark, diagnostic in zip(case.expected, found, strict=True):
        assert mark.rule in ("", diagnostic.rule)
        assert diagnostic.code == RULES[diagnostic.rule].code if diagnostic.rule else diagnostic.code in WARNINGS
        if diagnostic.finding is not None and is_error(diagnostic) and diagnostic.rule != "R0":
            template, gist = MESSAGES[diagnostic.code]
            assert re.fullmatch(re.sub(r"\\{\w+\\}", ".*", re.escape(template)), diagnostic.message, re.DOTALL)
            assert diagnostic.hint.startswith(OPENINGS.get(diagnostic.code, gist))
    if case.related:
        assert related_of(found) == expected_related(case)
    for claim in case.claims:
        texts = [words_of(case, diagnostic, claim.what) for diagnostic in found if diagnostic.path == claim.path]
        assert texts, f"nothing is found at {format_path(claim.path)}"
        if claim.how == ":":
            assert claim.text in texts
        else:
            assert any(claim.text in text for text in texts) == (claim.how == " has:"), texts


def words_of(case: Case, diagnostic: Diagnostic, what: str) -> str:
    """Return the message or the hint of a diagnostic, or the title of its first fix, which must remove it."""
    if what in ("message", "hint"):
        return str(getattr(diagnostic, what))
    analysis = Analysis(read(case.source))
    fixes = find_fixes(analysis, diagnostic)
    if not fixes or fixes[0].is_safe != (what == "safe fix"):
        return ""
    after = Analysis(read(apply(case.text, fixes[0].edits))).diagnostics
    is_removed = (diagnostic.code, diagnostic.path) not in [(remaining.code, remaining.path) for remaining in after]
    assert is_removed or len(after) < len(analysis.diagnostics)
    return fixes[0].title


def check_library(case: Case, found: list[Diagnostic]) -> None:
    """Check what `rui_common.check` returns for the bytes."""
    result = check(case.source)
    errors = [diagnostic for diagnostic in found if is_error(diagnostic)]
    assert result.valid == (not errors)
    warnings = [diagnostic for diagnostic in found if not is_error(diagnostic)]
    for problems, expected in ((result.errors, errors), (result.warnings, warnings)):
        assert [(problem.path, problem.code, problem.message) for problem in problems] == [
            (format_path(diagnostic.path), diagnostic.code, diagnostic.message) for diagnostic in expected
        ]
        ranges = [((problem.line, problem.column), (problem.end_line, problem.end_column)) for problem in problems]
        assert ranges == [
            tuple((place["line"], place["column"]) for place in cli_range(case.text, diagnostic.span).values())
            for diagnostic in expected
        ]
    if result.valid:
        assert result.normalized == normalize(Analysis(read(case.source)).tree)
        assert result.content_hash == content_hash(result.normalized)
    else:
        assert (result.normalized, result.content_hash) == (None, None)


def check_cli(case: Case, found: list[Diagnostic], printed: list[dict[str, object]]) -> None:
    """Check the output of `rui check --format json` for the file."""

    def item(diagnostic: Diagnostic) -> dict[str, object]:
        return {
            "severity": diagnostic.severity, "rule": diagnostic.rule or None, "code": diagnostic.code,
            "path": format_path(diagnostic.path), "message": diagnostic.message, "hint": diagnostic.hint,
            "range": cli_range(case.text, diagnostic.span),
            "related": [{"message": note, "range": cli_range(case.text, span)} for span, note in diagnostic.related],
        }  # fmt: skip

    expected = [item(diagnostic) for diagnostic in found]
    assert [{name: given[name] for name in wanted} for given, wanted in zip(printed, expected, strict=True)] == expected


def cli_range(text: str, span: Span) -> dict[str, object]:
    """Compute lines and columns from 1 by counting, and offsets from 0."""

    def place(offset: int) -> dict[str, int]:
        line, start = line_of(text, offset)
        return {"line": line + 1, "column": offset - start + 1, "offset": offset}

    return {"start": place(span.start), "end": place(span.end)}


def line_of(text: str, offset: int) -> tuple[int, int]:
    """Return the line of an offset, from 0, and the offset of its start."""
    ends = [match.end() for match in LINE_END.finditer(text) if match.end() <= offset]
    return len(ends), ends[-1] if ends else 0


def check_http(case: Case, found: list[Diagnostic], service: Service) -> None:
    """Check the response to the same bytes: specification, section 4.1."""
    response = service.post("/api/validate", case.source)
    body = response.json()
    document = read(case.source)
    if not document.valid or not isinstance(document.value, dict):
        assert response.status_code == 400
        assert [(item["code"], item["path"]) for item in body["errors"]] == [("INVALID_JSON", "")]
        return
    assert response.status_code == 200
    errors = [diagnostic for diagnostic in found if is_error(diagnostic)]
    assert body["valid"] == (not errors)
    if errors:
        findings = [error.finding for error in errors[:MAX_ERRORS] if error.finding is not None]
        name_base(findings)  # a request may name the nodes of a stored spec
        assert body["errors"] == error_items(findings)
        assert body["truncated"] == (len(errors) > MAX_ERRORS)
    else:
        assert json.dumps(body["normalizedRui"]) == json.dumps(normalize(validate(document.value).tree))
    check_warnings(case, found, service, response.content)


def check_warnings(case: Case, found: list[Diagnostic], service: Service, plain: bytes) -> None:
    """Check that the response with warnings is the one without them, and these at its end."""
    response = service.post("/api/validate?warnings=true", case.source)
    assert response.content.startswith(plain[:-1] + b',"warnings":[')
    body = response.json()
    items = [
        {"path": format_path(diagnostic.path), "code": diagnostic.code,
         "message": diagnostic.message, "hint": diagnostic.hint}
        for diagnostic in found if not is_error(diagnostic)
    ]  # fmt: skip
    assert sorted(body["warnings"], key=json.dumps) == sorted(items, key=json.dumps)
    assert body["warningsTruncated"] is False


def check_editor(case: Case, found: list[Diagnostic], client: Client, encoding: str) -> None:
    """Check the published diagnostics of the opened text."""
    uri = f"file:///{CASES.index(case)}.rui.json"
    client.open(uri, case.text)
    published = client.diagnostics(uri, 1)
    client.close(uri)
    check_published(published, case.text, found, encoding)


def severity_of(diagnostic: Diagnostic, text: str) -> int:
    """Return the severity in an editor: a hint for an empty document, which its author is about to begin."""
    if not text.strip():
        return 4
    return 1 if is_error(diagnostic) else 2


def check_published(published: list[dict[str, Any]], text: str, found: list[Diagnostic], encoding: str) -> None:
    """Check the published diagnostics of a text."""
    assert [(item["code"], item["data"]["path"], item["range"]) for item in published] == [
        (diagnostic.code, format_path(diagnostic.path), lsp_range(text, diagnostic.span, encoding))
        for diagnostic in found
    ]
    for item, diagnostic in zip(published, found, strict=True):
        assert item["severity"] == severity_of(diagnostic, text)
        assert item["data"]["rule"] == diagnostic.rule
        assert item["message"] == "\n".join(filter(None, (diagnostic.message, diagnostic.hint)))
        assert [(place["location"]["range"], place["message"]) for place in item.get("relatedInformation", [])] == [
            (lsp_range(text, span, encoding), note) for span, note in diagnostic.related
        ]


def lsp_range(text: str, span: Span, encoding: str) -> dict[str, object]:
    """Compute a range of LSP by counting."""

    def position(offset: int) -> dict[str, int]:
        line, start = line_of(text, offset)
        raw = text[start:offset].encode("utf-8" if encoding == "utf-8" else "utf-16-le")
        return {"line": line, "character": len(raw) if encoding == "utf-8" else len(raw) // 2}

    return {"start": position(span.start), "end": position(span.end)}


@pytest.mark.parametrize("count", [50, 51])
def test_only_http_stops_at_fifty(count: int, surfaces: Surfaces, tmp_path: Path) -> None:
    text = json.dumps({"version": "0.1", "meta": {}, "navigation": {"items": [{"pageId": "a"}]}, "pages": [0] * count})
    expected = [f"pages[{index}]" for index in range(count)]
    file = tmp_path / "many.rui.json"
    file.write_text(text)
    editor = surfaces.editors["utf-16"]
    editor.open(file.as_uri(), text)
    assert [item["path"] for item in check_files(file)] == expected
    assert [item["data"]["path"] for item in editor.diagnostics(file.as_uri(), 1)] == expected
    body = surfaces.service.post("/api/validate", text.encode()).json()
    assert [item["path"] for item in body["errors"]] == expected[:50]
    assert body["truncated"] == (count > 50)


# The corpus itself ----------------------------------------------------------------------------------------------------


def test_every_case_has_a_name_of_its_own() -> None:
    assert [name for name, count in Counter(case.id for case in CASES).items() if count > 1] == []


@pytest.mark.parametrize("number", RULES)
def test_every_rule_has_a_case(number: str) -> None:
    """The case is under the heading of the rule, and this finding is its only one."""
    row = f"{number} {RULES[number].code}"
    cases = [case for case in CASES if case.file.stem == "rules" and case.row == row]
    assert cases
    for case in cases:
        assert {diagnostic.rule for diagnostic in Analysis(read(case.source)).diagnostics} == {number}


def test_every_quotation_stands_in_the_decisions() -> None:
    decisions = " ".join((ROOT / "docs/decisions.md").read_text().split())
    assert [quote for quote in quotes() if quote not in decisions] == []
