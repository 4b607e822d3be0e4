"""The answers of the playground process to the editor. tests/rui_api/routes/test_playground.py asks over HTTP."""

import json
from collections.abc import Sequence

import pytest

from rui_api.playground import answers
from rui_api.playground.answers import answer_editor, check, hash_and_normalize
from rui_api.routes.specs import check_decoded
from rui_common.describe import full_example, minimal_example
from rui_common.fixes import fix_all
from rui_common.syntax.document import read
from rui_common.syntax.spans import Span
from rui_common.validation.analysis import Analysis
from rui_inspector.model.view import view_of_text
from tests.support.small import with_copy

CURSOR = "|"


def ask(action: str, marked: str) -> dict[str, object]:
    """Return the answer at the cursor of a text."""
    before, _, after = marked.partition(CURSOR)
    position = before.count("\n"), len(before) - before.rfind("\n") - 1
    return json.loads(answer_editor(action, before + after, position, position))


def test_fix_all_says_that_there_is_more(monkeypatch: pytest.MonkeyPatch) -> None:
    text = json.dumps(minimal_example()).replace('"Page"', '"Paeg"').replace('"stack"', '"Stack"')
    assert ask("fix-all", text)["note"] == ""
    for work, note in ((10, fix_all.NONE_IS_SAFE), (400, fix_all.FIXED_IN_PART)):
        monkeypatch.setattr(fix_all, "MAX_CHARACTERS", work)
        answer = ask("fix-all", text)
        assert (answer["note"], answer["edits"] != []) == (note, note == fix_all.FIXED_IN_PART)


ONE_FAULT = json.dumps(minimal_example() | {"version": "0.2"}, indent=2)
VERSION, META = 'Use "0.1" instead of "0.2"', 'Rename "metta" to "meta"'


@pytest.mark.parametrize(("marked", "titles"), [
    ('{"version": |"0.2", "metta": {"title": "x"},\n"navigation": {"items": []}, "pages": []}', [VERSION]),
    ('{"version": "0.2"|, "metta": {"title": "x"},\n"navigation": {"items": []}, "pages": []}', [VERSION]),
    ('{"version": "0.2", |"metta": {"title": "x"},\n"navigation": {"items": []}, "pages": []}', [META]),
    ('{"version": "0.2", "metta": {"title": |"x"},\n"navigation": {"items": []}, "pages": []}', [VERSION, META]),
    (ONE_FAULT.replace('  "version"', '|  "version"'), [VERSION]), (ONE_FAULT.replace('"0.2",', '"0.2",|'), [VERSION]),
    (ONE_FAULT.replace('  "meta"', '|  "meta"'), []), (f"|{ONE_FAULT}", []), (f"{ONE_FAULT}|", []),
])  # fmt: skip
def test_fixes_at_the_cursor_or_else_on_its_line(marked: str, titles: Sequence[str]) -> None:
    found = [fix["title"] for fix in ask("fixes", marked)["fixes"]]
    assert [title for title in (VERSION, META) if title in found] == [*titles]


def test_the_ids_of_a_copy_are_renamed() -> None:
    title = "Rename all repeated ids in this Page"
    before, name, after = with_copy().rpartition('"a"')
    fixes = ask("fixes", f"{before}{CURSOR}{name}{after}")["fixes"]
    assert fixes[0]["title"] == title
    assert len(fixes[0]["edits"]) == len(ask("fix-all", with_copy())["edits"]) == 4


def paged(sizes: Sequence[int]) -> str:
    """Return a document with a page for each number of nodes, which includes the page."""
    pages = [
        {"type": "Page", "id": f"p{number}", "title": "x", "children": [{"type": "Section", "id": f"s{number}-{child}"}
         for child in range(size - 1)]}
        for number, size in enumerate(sizes)
    ]  # fmt: skip
    return json.dumps({"version": "0.1", "pages": pages}, indent=1)


@pytest.mark.parametrize("sizes", [
    (6, 3, 1, 4, 11, 5, 5, 2, 9), (1,) * 11, (10, 1), (11,), (11, 11), (2, 10, 1), (3, 3, 3, 1, 9), (4, 6),
], ids=str)  # fmt: skip
def test_the_pages_that_are_drawn(monkeypatch: pytest.MonkeyPatch, sizes: Sequence[int]) -> None:
    """That at the cursor, and as many around it as there is room for."""
    monkeypatch.setattr(answers, "MAX_DRAWN", 10)
    document = read(paged(sizes))
    analysis, pages = Analysis(document), view_of_text(document).tops
    ends = [0, *(page.end for page in pages[:-1]), len(document.text)]
    for index, page in enumerate(pages):
        for offset in {page.start, page.end, *([len(document.text)] if page is pages[-1] else [])}:
            answer = check(analysis, Span(offset, offset))
            drawn = [number for number in range(len(sizes)) if f'id="W-p{number}"' in answer["tabs"]]
            assert index in drawn
            first, last = drawn[0], drawn[-1] + 1
            size = sum(sizes[first:last])
            assert drawn == [*range(first, last)] and (size <= 10 or drawn == [index])
            assert all(size + other > 10 for other in (*sizes[:first][-1:], *sizes[last:][:1]))
            if len(drawn) == len(sizes):
                assert "drawn" not in answer and "Another one appears" not in answer["tabs"]
                continue
            lines = document.lines
            assert answer["drawn"] == [*lines.position(ends[first]), *lines.position(ends[last])]
            shown = f"Page {last} of" if len(drawn) == 1 else f"Pages {first + 1} to {last} of"
            assert f"{shown} {len(sizes)}. Another one appears" in answer["tabs"]


@pytest.mark.parametrize(("count", "words"), [
    (1, ""), (2, ""), (3, "and 1 more endpoint<"), (4, "and 2 more endpoints<"),
])  # fmt: skip
def test_the_endpoints_that_are_shown(monkeypatch: pytest.MonkeyPatch, count: int, words: str) -> None:
    monkeypatch.setattr(answers, "MAX_ENDPOINTS", 2)
    binding = {"type": "read", "method": "GET", "valuePath": "a"}
    rui = full_example()
    rui["pages"][0]["children"] = [
        {"type": "Metric", "id": f"m{number}", "label": "x", "binding": {**binding, "path": f"/{number}"}}
        for number in range(count)
    ]
    document = read(json.dumps(rui))
    shown = check(Analysis(document), Span(0, 0))["tabs"].split('data-tab="data"')[1]
    assert shown.count("<tr") == min(count, 2) + 1
    assert words in shown and ("more endpoint" in shown) is bool(words)


@pytest.mark.parametrize(("marked", "label", "is_documented"), [
    ('{"version": |}', "0.1", True), ('{"pages": [|]}', "Page", True), ("{|}", "version", True), ("{}|", "", False),
])  # fmt: skip
def test_completions_are_documented(marked: str, label: str, is_documented: bool) -> None:
    items = ask("complete", marked)["items"]
    assert [bool(item["text"]) for item in items if item["label"] == label] == [True] * is_documented


@pytest.mark.parametrize("title", ["x", "größe 😀", "\x7f\u2028"])
def test_a_form_stores_what_the_api_stores(title: str) -> None:
    rui = full_example() | {"meta": {"title": title}}
    body = json.dumps(rui, ensure_ascii=False).encode()
    checked = check_decoded(body)
    assert checked is not None
    assert hash_and_normalize(body) == (checked.rui, checked.content_hash())
    assert hash_and_normalize(body.replace(b'"version"', b'"versio"')) is None
    assert hash_and_normalize(body[:-1]) is None
