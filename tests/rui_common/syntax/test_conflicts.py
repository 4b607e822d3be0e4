"""Texts with conflict markers: what is read, at which places, and one error for each conflict."""

import json
import subprocess
from pathlib import Path

import pytest

from rui_common.editing.edits import apply
from rui_common.fixes.fix_all import apply_safe_fixes
from rui_common.fixes.quick_fixes import find_fixes
from rui_common.syntax.document import read
from rui_common.syntax.errors import FaultKind
from rui_common.validation.analysis import Analysis
from tests.support.skipping import need_program
from tests.support.small import DOCUMENT

OURS_AND_THEIRS = '{\n<<<<<<< HEAD\n  "a": 1,\n=======\n  "a": 2,\n>>>>>>> topic\n  "b": 3\n}\n'

# Name → text, value that is read, number of conflicts.
TEXTS: dict[str, tuple[str, object, int]] = {
    "merge style": (OURS_AND_THEIRS, {"a": 1, "b": 3}, 1),
    "diff3 style": (OURS_AND_THEIRS.replace("=======", '||||||| base\n  "a": 0,\n======='), {"a": 1, "b": 3}, 1),
    "CRLF": (OURS_AND_THEIRS.replace("\n", "\r\n"), {"a": 1, "b": 3}, 1),
    "without names": (OURS_AND_THEIRS.replace(" HEAD", "").replace(" topic", ""), {"a": 1, "b": 3}, 1),
    "longer markers": (
        OURS_AND_THEIRS.replace("<<<", "<<<<<").replace("===", "=====").replace(">>>", ">>>>>"), {"a": 1, "b": 3}, 1,
    ),
    "in the middle of a value": (
        '{"a": [\n<<<<<<< a\n1, {"x":\n=======\n2, {"y":\n>>>>>>> b\n5}]}', {"a": [1, {"x": 5}]}, 1,
    ),
    "empty ours": ('{\n<<<<<<< a\n=======\n"a": 1,\n>>>>>>> b\n"b": 2}', {"b": 2}, 1),
    "empty theirs": ('{\n<<<<<<< a\n"a": 1,\n=======\n>>>>>>> b\n"b": 2}', {"a": 1, "b": 2}, 1),
    "all of the text": ('<<<<<<< a\n{"a": 1}\n=======\n[\n>>>>>>> b', {"a": 1}, 1),
    "all of the text, with byte-order marks": (
        '<<<<<<< a\n\ufeff{"a": 1}\n=======\n\ufeff{"b": 1}\n>>>>>>> b\n', {"a": 1}, 1,
    ),
    "two": (OURS_AND_THEIRS[:-11] + OURS_AND_THEIRS[2:].replace('"a"', '"c"'), {"a": 1, "c": 1, "b": 3}, 2),
    "one in ours": (OURS_AND_THEIRS.replace('  "a": 1,\n', OURS_AND_THEIRS[2:-2].replace('"b": 3', '"c": 3,')),
                    {"a": 1, "c": 3, "b": 3}, 2),
    "one in theirs": (OURS_AND_THEIRS.replace('  "a": 2,\n', OURS_AND_THEIRS[2:-2]), {"a": 1, "b": 3}, 1),
    "one in the base, as git nests it": (
        OURS_AND_THEIRS.replace("=======", '||||||| base\n<<<<<<<<< x\n1\n=========\n2\n>>>>>>>>> y\n======='),
        {"a": 1, "b": 3}, 1,
    ),
    "in a string": (
        '{"a": "x\n<<<<<<< a\nq\n=======\nr\n>>>>>>> b\nthen"}',
        {"a": "x\n<<<<<<< a\nq\n=======\nr\n>>>>>>> b\nthen"}, 0,
    ),
    "in a string that begins a line": (
        '{"a":\n"x\n<<<<<<< a\nq\n=======\nr\n>>>>>>> b\nthen"}',
        {"a": "x\n<<<<<<< a\nq\n=======\nr\n>>>>>>> b\nthen"}, 0,
    ),
    "not at the start of a line": ('{"a": "<<<<<<< a", "b": "=======", "c": ">>>>>>> b"}',
                                   {"a": "<<<<<<< a", "b": "=======", "c": ">>>>>>> b"}, 0),
    "too short": ('{"a": 1}\n<<<<<< a\n======\n>>>>>> b\n', {"a": 1}, 0),
}  # fmt: skip


@pytest.mark.parametrize("name", TEXTS)
def test_ours_is_read_at_its_places(name: str) -> None:
    text, value, count = TEXTS[name]
    for document in (read(text), read(text.encode())):
        assert (document.value, len(document.conflicts), document.text) == (value, count, text)
        faults = [fault for fault in document.all_syntax if fault.kind is FaultKind.CONFLICT]
        assert len(faults) == count
        assert not count or document.all_syntax == tuple(faults)
        for fault in faults:
            assert text[slice(*fault.span)].startswith("<<<<<<<")
        for key in document.value if count else ():
            span = document.span_of((key,))
            assert span is not None
            assert read(document.text_of_ours[slice(*span)]).value == document.value[key]
        assert document.first_errors() == (document.syntax, True) or not count


@pytest.mark.parametrize("end", ['"c": 3}', "}"])
def test_a_string_that_is_not_closed_before_a_conflict_hides_it_not(end: str) -> None:
    document = read('{"a": "x\n<<<<<<< a\n"b": 1,\n=======\n"b": 2,\n>>>>>>> b\n' + end)
    assert len(document.conflicts) == 1
    assert document.value["b"] == 1


@pytest.mark.parametrize(("text", "markers"), [
    (OURS_AND_THEIRS.replace(">>>>>>> topic\n", ""), ["<<<<<<< HEAD", "======="]),
    (OURS_AND_THEIRS.replace("=======\n", ""), ["<<<<<<< HEAD", ">>>>>>> topic"]),
    (OURS_AND_THEIRS.replace("<<<<<<< HEAD\n", ""), ["=======", ">>>>>>> topic"]),
    ('{"a": 1}\n>>>>>>> topic\n', [">>>>>>> topic"]),
    ('{"a": 1,\n||||||| base\n"b": 2}\n', ["||||||| base"]),
    ("<<<<<<< one\n" + OURS_AND_THEIRS, ["<<<<<<< one"]),
])  # fmt: skip
def test_a_marker_without_its_counterpart_is_an_error(text: str, markers: list[str]) -> None:
    document = read(text)
    faults = [fault for fault in document.all_syntax if fault.kind is FaultKind.CONFLICT_MARKER]
    assert [text[slice(*fault.span)] for fault in faults] == markers
    after = apply(text, [edit for fault in faults for edit in fault.edits])
    assert not any(marker in after for marker in markers)
    assert document.value is not None


def test_no_marker_is_read_in_prose() -> None:
    (fault,) = read("Merging\n=======\n\nSome words about git.\n").all_syntax
    assert fault.kind is FaultKind.NOT_JSON


def marked(ours: str, theirs: str, before: str = "", after: str = "") -> str:
    """Return a document with a conflict in its navigation items."""
    return (
        '{"version": "0.1", "meta": {}, "pages": [], "navigation": {"items": [\n'
        f"{before}\n<<<<<<< HEAD\n{ours}\n=======\n{theirs}\n>>>>>>> topic\n{after}" + "]}}\n"
    )


ONE, TWO = '{"pageId": "one"}', '{"pageId": "two"}'


@pytest.mark.parametrize(("text", "both"), [
    (marked(f"{ONE},", f"{TWO},", after=f"{ONE}\n"), [ONE, TWO, ONE]),
    (marked(ONE, TWO), [ONE, TWO]),
    (marked(f",{ONE}", f",{TWO}", before=TWO), [TWO, ONE, TWO]),
    (marked(ONE, ""), None),
    (marked('{"pageId": "one",', '{"pageId": "two",', after='"label": "x"}'), None),
    (OURS_AND_THEIRS, None),
    (OURS_AND_THEIRS.replace('"a": 2', '"c": 2'), "object"),
])  # fmt: skip
def test_fixes_choose_a_side_or_both(text: str, both: list[str] | str | None) -> None:
    analysis = Analysis(read(text))
    diagnostic = next(diagnostic for diagnostic in analysis.diagnostics if diagnostic.rule == "R0")
    fixes = {fix.title: apply(text, fix.edits) for fix in find_fixes(analysis, diagnostic)}
    assert list(fixes) == ["Use ours", "Use theirs", *(["Use both"] if both else [])]
    assert not any(fix.is_safe for fix in find_fixes(analysis, diagnostic))
    assert read(fixes["Use ours"]).value == analysis.document.value
    assert all(read(after).valid for after in fixes.values())
    if isinstance(both, list):
        value = read(fixes["Use both"]).value
        assert value["navigation"]["items"] == list(map(json.loads, both))


def test_both_do_not_fit_if_they_have_one_id() -> None:
    block = '{{"id": "a", "type": "Text", "content": "{}"}}'
    text = '{"pages": [{"id": "p", "type": "Page", "children": [{"id": "s", "type": "Section", "children": [\n'
    text += f"<<<<<<< a\n{block.format(1)}\n=======\n{block.format(2)}\n>>>>>>> b\n" + "]}]}]}"
    analysis = Analysis(read(text))
    assert [fix.title for fix in find_fixes(analysis, analysis.diagnostics[0])] == ["Use ours", "Use theirs"]


@pytest.mark.parametrize(("lines", "titles"), [
    ('<<<<<<< a\n"colour": 5\n=======\n"width": 6\n>>>>>>> b', []), ('"colour": 5', ['Remove "colour"']),
])  # fmt: skip
def test_a_fix_that_would_remove_a_marker_is_left_out(lines: str, titles: list[str]) -> None:
    """To remove a property is to remove the lines up to that before it."""
    text = DOCUMENT.replace("BLOCK", f'{{"id": "a", "type": "Text", "content": "x",\n{lines}\n}}')
    analysis = Analysis(read(text))
    (unknown,) = [diagnostic for diagnostic in analysis.diagnostics if diagnostic.path[-1:] == ("colour",)]
    assert [fix.title for fix in find_fixes(analysis, unknown)] == titles


def test_each_of_two_conflicts_has_its_own_fixes() -> None:
    text = OURS_AND_THEIRS[:-11] + OURS_AND_THEIRS[2:].replace('"a"', '"c"')
    analysis = Analysis(read(text))
    found = [find_fixes(analysis, diagnostic)[1] for diagnostic in analysis.diagnostics if diagnostic.rule == "R0"]
    assert [read(apply(text, fix.edits)).value for fix in found] == [
        {"a": 2, "c": 1, "b": 3}, {"a": 1, "c": 2, "b": 3},
    ]  # fmt: skip


def test_no_safe_fix_changes_a_text_in_conflict() -> None:
    text = marked(ONE, TWO).replace('"version": "0.1"', '"Version": "0.1"')
    analysis = Analysis(read(text))
    assert apply_safe_fixes(analysis) is analysis


def test_fixes_of_other_errors_leave_markers_and_theirs() -> None:
    text = marked(f'{{"pageId": "one", "text": "x"}},\n{ONE}', TWO)
    analysis = Analysis(read(text))
    lines = [line for line in text.splitlines() if line[:1] in "<=>" or line == TWO]
    others = [diagnostic for diagnostic in analysis.diagnostics if diagnostic.rule != "R0"]
    fixes = [fix for diagnostic in others for fix in find_fixes(analysis, diagnostic)]
    assert fixes
    for fix in fixes:
        after = apply(text, fix.edits).splitlines()
        assert [line for line in after if line in lines] == lines
        assert len(read("\n".join(after)).conflicts) == 1


@pytest.mark.parametrize("style", ["", "--diff3", "--zdiff3"])
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_what_git_writes_is_read(tmp_path: Path, style: str, line_end: str) -> None:
    need_program("git")
    base = json.dumps({"b": {"c": "x", "d": "y"}, "a": [1, 2, 3, 4, 5], "e": 5}, indent=1).replace("\n", line_end)
    texts = {
        "ours": base.replace('"x"', '"o"').replace(": 5", ': "o",' + line_end + ' "f": 1'), "base": base,
        "theirs": base.replace('"x"', '"t"').replace(": 5", ": 6"),
    }  # fmt: skip
    for name, text in texts.items():
        (tmp_path / name).write_bytes(text.encode())
    command = ["git", "merge-file", "-p", *([style] if style else []), "ours", "base", "theirs"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False)
    document = read(done.stdout)
    assert len(document.conflicts) == done.returncode == 2
    assert document.value == json.loads(texts["ours"])
    assert [fault.kind for fault in document.all_syntax] == [FaultKind.CONFLICT] * 2
