"""The incremental analysis equals a complete one, and an error affects only its page."""

import random
import re

import pytest
from lsprotocol import types

from benchmarks.sample import sample_text
from rui_common.syntax.document import read
from rui_common.validation.diagnostics import diagnose
from rui_common.validation.incremental import IncrementalDocument, read_incremental
from rui_lsp.documents.analysis import Analysis
from rui_lsp.documents.document import OpenDocument
from tests.rui_lsp.sessions import check, edits, shown, wild_edits

EDITS = 250

PAGES = """\
{
  "version": "0.1",
  "meta": {"title": "T", "description": "D"},
  "navigation": {"items": [{"pageId": "one", "label": "One"}, {"pageId": "two", "label": "Two"}]},
  "pages": [
    {
      "id": "one", "type": "Page", "title": "One",
      "children": [
        {"id": "first", "type": "Section", "direction": "row", "children": [
          {"id": "text", "type": "Text", "content": "Hello"}
        ]}
      ]
    },
    {
      "id": "two", "type": "Page", "title": "Two",
      "children": [
        {"id": "second", "type": "Section", "direction": "row", "children": [
          {"id": "other", "type": "Text", "content": "Bye"}
        ]}
      ]
    }
  ]
}
"""


def edited(analysis, old, new):
    """Return the analysis after replacing the only `old` of its text by `new`."""
    text = analysis.document.text
    assert text.count(old) == 1
    before = text.index(old)
    return analysis.edited(text.replace(old, new), before, len(text) - before - len(old))


@pytest.mark.parametrize("indent", [2, None])
@pytest.mark.parametrize("size", [3000, 12_000])
def test_after_every_edit_all_is_as_a_fresh_look_finds_it(indent, size, monkeypatch):
    monkeypatch.setattr("rui_common.validation.diagnostics.MAX_BODY_BYTES", 1000)  # every text gets the size warning
    chance = random.Random(f"{indent} {size}")
    text = sample_text(size, indent=indent)
    for first in (text, text.replace("\n", "\r\n"), text.replace("page-1", "page-😀")):
        analysis = Analysis.from_text(first)
        session = edits(chance, first)
        kept = 0
        for _ in range(EDITS):
            analysis = analysis.edited(*next(session))
            check(analysis, chance)
            kept += isinstance(analysis.document, IncrementalDocument)
        assert kept > EDITS / 4


@pytest.mark.parametrize("old", ['"valuePath": "', '"path": "', '"label": "', '"title": "'])
def test_placeholders_are_as_a_fresh_look_finds_them(old):
    """In all pages, or in the navigation and titles, where they are no placeholders."""
    chance = random.Random(old)
    placeholder = "/TODO" if old == '"path": "' else "TODO"
    text = re.sub(re.escape(old) + '[^"]*', old + placeholder, sample_text(6000))
    assert placeholder in text
    analysis = Analysis.from_text(text)
    for session in (edits(chance, text), wild_edits(chance, text)):
        for _ in range(EDITS // 4):
            analysis = analysis.edited(*next(session))
            check(analysis, chance)


@pytest.mark.parametrize(("size", "indent"), [(1500, 2), (3000, None), (8000, 2)])
def test_wild_edits_leave_no_trace(size, indent):
    """`benchmarks/wild_edits.py` makes 5,000 of them."""
    chance = random.Random(f"{size} {indent}")
    text = sample_text(size, indent=indent)
    analysis = Analysis.from_text(text)
    steps = wild_edits(chance, text)
    kept = 0
    for _ in range(100):
        analysis = analysis.edited(*next(steps))
        check(analysis, chance)
        kept += isinstance(analysis.document, IncrementalDocument)
    assert kept > 20


def test_an_edit_inside_a_page_reads_that_page_alone():
    analysis = edited(Analysis.from_text(PAGES), "Hello", "Hello you")
    one, two = analysis.document.pages
    assert analysis.diagnostics == []
    analysis = edited(analysis, "Bye", "Bye you")
    assert analysis.document.pages[0] is one
    assert analysis.document.pages[1] is not two
    assert analysis.diagnostics == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"title": "Two",', ""),
        ('"title": "Two",', '"title": "Two"'),
        ('"id": "two", ', '"id": "one", '),
        ('"id": "other"', '"id": "text"'),
        ('"id": "two"', '"id": "three"'),
        ('"content": "Bye"', '"content": "Bye", "content": 5'),
        ('"id": "first"', '"id": "second"'),
        ('{"id": "other", "type": "Text", "content": "Bye"}', ""),
        ('"content": "Hello"', '"content": "Hello'),
    ],
)
def test_what_an_edit_does_to_other_pages_is_noticed(old, new):
    before = edited(edited(Analysis.from_text(PAGES), "Bye", "By"), "By", "Bye")
    assert before.diagnostics == []
    after = edited(before, old, new)
    assert isinstance(after.document, IncrementalDocument)
    assert shown(after.diagnostics) == shown(diagnose(read(after.document.text)))
    assert after.diagnostics != []
    at = PAGES.index(old)
    assert after.edited(PAGES, at, len(PAGES) - at - len(old)).diagnostics == []


@pytest.mark.parametrize("mark_incomplete", ["{", "[", '"', "}", "]", "\\", '"x": {', "}, ", "/*", "}]}"])
def test_a_broken_page_is_recovered_as_in_a_fresh_reading(mark_incomplete):
    damage = f'"title": "One", {mark_incomplete}'
    broken = edited(Analysis.from_text(PAGES), '"title": "One",', damage)
    assert not broken.document.valid
    check(broken, random.Random(mark_incomplete))
    elsewhere = edited(broken, "Bye", "Bye you")
    check(elsewhere, random.Random(mark_incomplete))
    fixed = edited(elsewhere, damage, '"title": "One",')
    assert isinstance(elsewhere.document, IncrementalDocument)
    assert fixed.document.valid
    assert fixed.document.pages[1] is elsewhere.document.pages[1]
    check(fixed, random.Random(mark_incomplete))


def test_hints_name_the_lines_of_the_document_even_when_they_move():
    analysis = edited(Analysis.from_text(PAGES), '"content": "Bye"}\n        ]}', '"content": "Bye"}\n        ]')
    line = PAGES[: PAGES.index('{"id": "second"')].count("\n") + 1
    [item] = analysis.diagnostics
    assert f"line {line}." in item.hint
    [item] = edited(analysis, '"title": "One",', '"title":\n"One",\n').diagnostics
    assert f"line {line + 2}." in item.hint


@pytest.mark.parametrize(
    ("old", "new", "pages"),
    [
        ('"title": "Two",', '"title": "T", "children": []}, {"id": "x", "type": "Page", "title": "Two",', 3),
        ('    },\n    {\n      "id": "two"', '    },\n    {}, {\n      "id": "two"', 3),
        ('"version": "0.1"', '"version": "0.2"', 2),
    ],
)
def test_an_edit_that_changes_more_than_a_page_has_the_whole_read(old, new, pages):
    before = edited(edited(Analysis.from_text(PAGES), "Bye", "By"), "By", "Bye")
    after = edited(before, old, new)
    assert isinstance(after.document, IncrementalDocument)
    assert len(after.document.pages) == len(after.document.value["pages"]) == pages
    # The server does not read unchanged pages again.
    assert after.document.pages[0] is before.document.pages[0]
    assert shown(after.diagnostics) == shown(diagnose(read(after.document.text)))


@pytest.mark.parametrize(
    "text",
    [
        "", "{}", "[]", "5", '{"pages": []}', '{"pages": 5}', '{"pages": [5, []]}', PAGES[:-2],
        PAGES.replace('"version"', '"pages": [], "version"'), PAGES.replace('"meta"', '"version": 5, "meta"'),
    ],
)  # fmt: skip
def test_what_has_no_pages_or_is_odd_is_read_as_a_whole(text):
    document = read_incremental(read(text))
    assert document is None or shown(diagnose(document)) == shown(diagnose(read(text)))


def test_depth_is_that_of_the_whole_document():
    analysis = edited(Analysis.from_text(PAGES), '"Hello"', "[" * 250 + "]" * 250)
    assert analysis.document.valid == read(analysis.document.text).valid is False


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
def test_open_documents_note_what_their_edits_leave_as_it_is(encoding):
    chance = random.Random(encoding)
    document = OpenDocument("file:///a", PAGES.replace("Hello", "He😀llo"), 1, encoding)
    for version in range(300):
        changes = []
        for _ in range(chance.choice([1, 1, 2, 4])):
            line = chance.randrange(30)
            at = chance.randrange(40)
            ends = [types.Position(line, at + more) for more in (0, chance.choice([0, 0, 1, 2]))]
            new = chance.choice(["", "x", "\n", "\r", "😀", "\ud83d", "\ude00", '"', "}"])
            changes.append(types.TextDocumentContentChangePartial(types.Range(*ends), new))
        if version % 5 == 4:
            whole = types.TextDocumentContentChangeWholeDocument(PAGES.replace("Hello", "He😀llo"))
            changes = [whole, *changes[:1]]
        for change in changes:
            document.apply_change(change)
        assert document.document.text == str(document.text)
        assert document.document.valid == read(str(document.text)).valid
        if document.document.valid:
            assert shown(document.diagnostics) == shown(diagnose(read(str(document.text))))
