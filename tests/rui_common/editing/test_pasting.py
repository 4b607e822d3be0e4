"""Pasting: commas, indentation, and new ids where there would be duplicates."""

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rui_common.editing.edits import apply, format_json
from rui_common.editing.pasting import MAX_PASTED, prepare_paste
from rui_common.syntax.document import read
from rui_common.syntax.paths import value_at
from rui_common.syntax.spans import Span
from rui_common.validation.analysis import Analysis
from rui_common.validation.diagnostics import is_error
from rui_common.validation.node import Node, NodeTree
from tests.support.strategies import sound_documents

DOCUMENT = """\
{
  "version": "0.1",
  "meta": {"title": "Shop"},
  "navigation": {
    "items": [
      {"pageId": "home"}
    ]
  },
  "pages": [
    {
      "id": "home",
      "type": "Page",
      "title": "Home",
      "children": [
        {
          "id": "main",
          "type": "Section",
          "direction": "stack",
          "children": [
            {"id": "note", "type": "Text", "content": "x"},
            {
              "id": "orders",
              "type": "Table",
              "binding": {"type": "read", "method": "GET", "path": "/orders"},
              "columns": [{"key": "state"}, {"key": "total"}],
              "filter": {"field": "state", "options": [{"value": "open"}]}
            }
          ]
        }
      ]
    }
  ]
}
"""
NOTE = '{"id": "note", "type": "Text", "content": "x"}'
NEW = '{"id": "new", "type": "Text", "content": "y"}'
TABLE = DOCUMENT[DOCUMENT.index('{\n              "id": "orders"') : DOCUMENT.index("\n          ]\n")]


def pasted(marked: str, text: str) -> str | None:
    """Return a text in which `<|…|>` marks the range, after a paste; None for that of the editor itself."""
    before, _, rest = marked.partition("<|")
    replaced, _, after = rest.partition("|>")
    source = before + replaced + after
    span = Span(len(before), len(before) + len(replaced))
    found = prepare_paste(Analysis(read(source)), span, text)
    if found is None:
        return None
    assert found.edits[0].span == span
    return apply(source, found.edits)


def check(old: str, marked: str, text: str, new: str) -> None:
    """Pasting `text` at the mark in `marked`, which is in the place of `old`, results in `new` there."""
    assert DOCUMENT.count(old) == 1
    marked = DOCUMENT.replace(old, marked)
    after = pasted(marked, text)
    if after is None:
        after = re.sub(r"<\|.*\|>", lambda _: text, marked)
    assert after == DOCUMENT.replace(old, new)
    assert [one for one in Analysis(read(after)).diagnostics if is_error(one)] == []


OF_LINES = NOTE + ","
PLACES = {
    "after a comma at the end of a line": (f"{OF_LINES}<||>", f"{OF_LINES}\n            {NEW},"),
    "after an element, before its comma": (f"{NOTE}<||>,", f"{NOTE},\n            {NEW},"),
    "before an element": (f"<||>{NOTE},", f"{NEW},\n            {NOTE},"),
    "in an empty line": (f"{NOTE},\n            <||>", f"{NOTE},\n            {NEW},"),
    "in an empty line without indentation": (f"{NOTE},\n<||>", f"{NOTE},\n            {NEW},"),
    "in a line with too much indentation": (f"{NOTE},\n                  <||>", f"{NOTE},\n            {NEW},"),
    "in a line of spaces": (f"{NOTE},\n      <||>      ", f"{NOTE},\n            {NEW},"),
    "in a line below an element without a comma": (f"{NOTE}\n            <||>", f"{NOTE},\n            {NEW},"),
    "after a comma and spaces": (f"{NOTE},  <||>", f"{NOTE},\n            {NEW},"),
    "in place of an element": (f"<|{NOTE}|>,", f"{NEW},"),
    "in place of an element, before spaces": (f"<|{NOTE},|>  ", f"{NEW},"),
}


@pytest.mark.parametrize(("marked", "new"), PLACES.values(), ids=PLACES)
@pytest.mark.parametrize("text", [NEW, f"{NEW},", f",\n  {NEW}", f"            {NEW},\n"])
def test_an_element_is_pasted_into_lines(marked: str, new: str, text: str) -> None:
    check(OF_LINES, marked, text, new)


IN_LINE = '[{"key": "state"}, {"key": "total"}]'
LINES = {
    "at the beginning": ('[<||>{"key": "state"}, {', '[{"key": "a"}, {"key": "state"}, {'),
    "after an element": ('[{"key": "state"}<||>, {', '[{"key": "state"}, {"key": "a"}, {'),
    "after a comma": ('[{"key": "state"},<||> {', '[{"key": "state"}, {"key": "a"}, {'),
    "before an element": ('[{"key": "state"}, <||>{', '[{"key": "state"}, {"key": "a"}, {'),
    "at the end": ('[{"key": "state"}, {"key": "total"}<||>]', '[{"key": "state"}, {"key": "total"}, {"key": "a"}]'),
    "after a space": ('[{"key": "state"} <||>, {', '[{"key": "state"}, {"key": "a"}, {'),
}


@pytest.mark.parametrize(("marked", "new"), LINES.values(), ids=LINES)
def test_an_element_is_pasted_into_a_line(marked: str, new: str) -> None:
    old = IN_LINE if marked.endswith("]") else IN_LINE.partition('"total"')[0].removesuffix('"key": ')
    check(old, marked, '{"key": "a"}', new)


def test_an_element_is_pasted_into_an_empty_list() -> None:
    empty = DOCUMENT.replace(DOCUMENT[DOCUMENT.index(NOTE) - 13 : DOCUMENT.index("          ]\n        }")], "")
    assert '"children": [          ]' in empty
    expected = DOCUMENT.replace(f",\n            {TABLE}", "").replace(NOTE, NEW)
    for place in ("[<||>]", "[<||>\n          ]", "[\n<||>\n          ]", "[\n    <||>          ]"):
        assert pasted(empty.replace("[          ]", place), NEW) == expected
    after = pasted(DOCUMENT.replace('[{"value": "open"}]', "[<||>]"), '{"value": "open"},')
    assert after == DOCUMENT
    two = '{"value": "open"}, {"value": "sent"}'
    check('[{"value": "open"}]', "[<||>]", two, f"[{two}]")
    indent = "\n" + " " * 16
    check('[{"value": "open"}]', "[<||>]", two.replace(" {", "\n{"), f"[{indent}{two.replace(' {', f'{indent}{{')}"
          f"{indent[:-2]}]")  # fmt: skip


def test_the_indentation_is_that_of_the_place() -> None:
    table = (
        TABLE.replace("orders", "new").replace('"filter"', '"title"').partition(',\n              "title"')[0] + "\n}"
    )
    table = re.sub(r"\n +", "\n\t\t", table)
    table = table.replace("\n\t\t}", "\n\t}").replace("\n}", "\n\t}")
    expected = re.sub(r"\n\t+", "\n              ", table).replace("\n              }", "\n            }")
    check(OF_LINES, f"{OF_LINES}\n<||>", table, f"{OF_LINES}\n            {expected},")
    source = DOCUMENT.replace("\n", "\r\n").replace(OF_LINES, f"{OF_LINES}<||>")
    after = pasted(source, table)
    assert after == DOCUMENT.replace(OF_LINES, f"{OF_LINES}\n            {expected},").replace("\n", "\r\n")


def test_several_elements_are_pasted() -> None:
    other = NEW.replace("new", "other")
    check(OF_LINES, f"{OF_LINES}<||>", f"{NEW},\n{other}\n", f"{OF_LINES}\n            {NEW},\n            {other},")


def test_a_minified_text_stays_so() -> None:
    source = json.dumps(json.loads(DOCUMENT), separators=(",", ":"))
    after = pasted(source.replace('"total"}', '"total"}<||>'), '{"key":"a"}')
    assert after == source.replace('"total"}', '"total"},{"key":"a"}')
    after = pasted(source.replace('"total"}', '"total"}<||>'), '{\r\n"key":"a"}')
    assert after == source.replace('"total"}', '"total"},{\n"key":"a"}')  # the author's line end stays


PROPERTIES = {
    "after a property": ('"type": "Table"<||>,', '"type": "Table",\n              "title": "T",'),
    "in a line of its own": ('"type": "Table",\n              <||>', '"type": "Table",\n              "title": "T",'),
    "without a comma before": ('"type": "Table"\n              <||>', '"type": "Table",\n              "title": "T",'),
}


@pytest.mark.parametrize(("marked", "new"), PROPERTIES.values(), ids=PROPERTIES)
@pytest.mark.parametrize("text", ['"title": "T"', '\n  "title": "T",\n'])
def test_a_property_is_pasted(marked: str, new: str, text: str) -> None:
    check('"type": "Table",', marked, text, new)


def test_properties_are_pasted_into_a_line() -> None:
    check('"path": "/orders"', '"path": "/orders"<||>', '"valuePath": "a"', '"path": "/orders", "valuePath": "a"')
    check('"type": "read"', '<||>"type": "read"', '"valuePath": "a",', '"valuePath": "a", "type": "read"')
    check('{"title": "Shop"}', "{<||>}", '"title": "A",', '{"title": "A"}')


@pytest.mark.parametrize(("marked", "after"), [
    ('{"version": "0.1",<||>@"pages": []}', '{"version": "0.1", "meta": {},@"pages": []}'),
    ('{"version": "0.1",@<||>"pages": []}', '{"version": "0.1",@"meta": {}, "pages": []}'),
])  # fmt: skip
@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_no_space_is_added_at_a_line_end(marked: str, after: str, line_end: str) -> None:
    assert pasted(marked.replace("@", line_end), '"meta": {}') == after.replace("@", line_end)


# Names ----------------------------------------------------------------------------------------------------------------


def test_ids_that_exist_are_new() -> None:
    check(OF_LINES, f"{OF_LINES}<||>", f"{NOTE},\n{NEW}", f"{OF_LINES}\n            {NOTE.replace('note', 'note-2')},\n"
          f"            {NEW},")  # fmt: skip
    check(OF_LINES, f"{OF_LINES}<||>", f"{NEW},\n{NEW}", f"{OF_LINES}\n            {NEW},\n"
          f"            {NEW.replace('new', 'new-2')},")  # fmt: skip
    check(IN_LINE, '[{"key": "state"}, {"key": "total"}<||>]', '{"key": "total"}, {"key": "total"}',
          '[{"key": "state"}, {"key": "total"}, {"key": "total-2"}, {"key": "total-3"}]')  # fmt: skip
    check(IN_LINE, '[{"key": "state"}, {"key": "total"}<||>]', '{"key": "1"}, {"key": "1"}',
          '[{"key": "state"}, {"key": "total"}, {"key": "1"}, {"key": "1-2"}]')  # fmt: skip
    check('[{"value": "open"}]', '[{"value": "open"}<||>]', '{"value": "open"}, {"value": "new"}',
          '[{"value": "open"}, {"value": "open-2"}, {"value": "new"}]')  # fmt: skip


def test_a_table_keeps_the_keys_of_its_own_columns() -> None:
    copy = TABLE.replace('"orders"', '"orders-2"')
    check(TABLE, f"{TABLE}<||>", TABLE, f"{TABLE},\n            {copy}")


def test_ids_in_pasted_properties_are_new() -> None:
    source = DOCUMENT.replace(f",\n            {TABLE}", "")
    section = source[source.index('"children": [\n            {') : source.index("\n        }\n      ]")]
    target = source.replace("        }\n      ]", '        },\n        {"id": "other", "type": "Section"<||>}\n      ]')
    after = pasted(target, section)
    assert after is not None
    assert '"note-2"' in after[after.index('"other"') :]


PAGE = DOCUMENT[DOCUMENT.index('{\n      "id": "home"') : DOCUMENT.rindex("\n  ]")]


def test_a_page_that_is_cut_and_pasted_keeps_its_references() -> None:
    two = DOCUMENT.replace(PAGE, f'{PAGE},\n    {{"id": "last", "type": "Page", "title": "Last", "children": []}}<||>')
    cut = two.replace(f"{PAGE},\n    ", "")
    after = pasted(cut, PAGE)
    assert after == cut.replace("<||>", f",\n    {PAGE}")


def test_a_copied_page_gets_an_entry() -> None:
    after = pasted(DOCUMENT.replace(PAGE, f"{PAGE}<||>"), PAGE)
    assert after is not None
    assert Analysis(read(after)).findings == []
    assert [one["pageId"] for one in json.loads(after)["navigation"]["items"]] == ["home", "home-2"]
    assert [one["id"] for one in json.loads(after)["pages"]] == ["home", "home-2"]


def test_what_replaces_its_original_keeps_its_ids() -> None:
    assert pasted(DOCUMENT.replace(NOTE, f"<|{NOTE}|>"), NOTE.replace('"x"', '"y"') + ",") == DOCUMENT.replace(
        NOTE, NOTE.replace('"x"', '"y"')
    )


def test_references_in_the_text_follow_its_new_ids() -> None:
    members = '"navigation": {"items": [{"pageId": "home"}]}, "pages": [' + PAGE + "]"
    after = pasted('{"version": "0.1",\n"meta": {}<||>}', members)
    assert after is not None
    assert json.loads(after)["navigation"]["items"] == [{"pageId": "home"}]
    pages = [
        {"id": name, "type": "Page", "children": [{"type": "Section", "children": [{"id": inner, "type": "Text"}]}]}
        for name, inner in (("start", "home"), ("home", "note"))
    ]
    members = json.dumps({"navigation": {"items": [{"pageId": "home"}]}, "pages": pages})[1:-1]
    after = pasted('{"version": "0.1",\n"meta": {}<||>}', members)
    assert after is not None
    assert json.loads(after)["pages"][1]["id"] == "home-2"
    assert json.loads(after)["navigation"]["items"] == [{"pageId": "home-2"}]


def test_a_repeated_property_keeps_all_names() -> None:
    pages = f'"pages": [{json.dumps(json.loads(PAGE))}]'
    assert pasted(f'{{"version": "0.1",<||>\n{pages}}}', pages) == f'{{"version": "0.1", {pages},\n{pages}}}'


# As it is -------------------------------------------------------------------------------------------------------------

AS_IT_IS = {
    "words": (f"{OF_LINES}<||>", "hello world"),
    "half of an element": (f"{OF_LINES}<||>", NEW[:-3]),
    "an element with an error": (f"{OF_LINES}<||>", NEW.replace(":", "")),
    "properties among elements": (f"{OF_LINES}<||>", '"id": "a"'),
    "nothing": (f"{OF_LINES}<||>", ""),
    "a comma": (f"{OF_LINES}<||>", ",\n"),
    "an element that needs nothing": (f"{OF_LINES}\n            <||>", f"{NEW},"),
    "in a string": (OF_LINES.replace("note", "no<||>te"), NEW),
    "in a key": (OF_LINES.replace('"type"', '"ty<||>pe"'), '"title": "a"'),
    "before a colon": (OF_LINES.replace('"type":', '"type" <||>:'), '"title": "a"'),
    "in place of a key": (OF_LINES.replace('"type"', "<||>"), '"title": "a",'),
    "in a word among elements": (f"no<||>te, {OF_LINES}", f", {NEW},"),
    "as a value": (OF_LINES.replace('"x"', "<||>"), '"x"'),
    "an element among properties": (OF_LINES.replace('"type"', '<||>"type"'), NEW),
    "in a word": (OF_LINES.replace('"x"', "tr<||>ue"), NEW),
    "a long text": (f"{OF_LINES}<||>", NEW.ljust(MAX_PASTED + 1)),
}


@pytest.mark.parametrize(("marked", "text"), AS_IT_IS.values(), ids=AS_IT_IS)
def test_other_texts_are_pasted_as_they_are(marked: str, text: str) -> None:
    assert pasted(DOCUMENT.replace(OF_LINES, marked), text) is None


def test_the_longest_text_is_prepared() -> None:
    check(OF_LINES, f"{OF_LINES}<||>", NEW.ljust(MAX_PASTED), f"{OF_LINES}\n            {NEW},")


@pytest.mark.parametrize("marked", ["<||>", "<||>[]", "hello <||>", "[]<||>", "{}<||>", "\ufeff<||>", "7<||>"])
def test_nothing_is_changed_outside_of_a_document(marked: str) -> None:
    assert pasted(marked, NEW) is None


TEXTS = (
    DOCUMENT,
    json.dumps(json.loads(DOCUMENT), separators=(",", ":")),
    DOCUMENT.replace("\n", "\r\n").replace("  ", "\t"),
    DOCUMENT.replace('"Table",', '"Table"').replace('{"pageId": "home"}', '{"pageId": "home"}, // "x'),
    DOCUMENT[: len(DOCUMENT) * 2 // 3],
    DOCUMENT.replace(NOTE, ""),
)


# Everywhere -----------------------------------------------------------------------------------------------------------


def lists_in(tree: NodeTree) -> list[Node]:
    return [node for node in tree if isinstance(node.value, list) and node.kind.inner_shapes]


@given(sound_documents, st.integers(0, 10_000), st.booleans(), st.booleans())
def test_a_copy_of_any_element_is_valid_in_its_list(value: Any, number: int, is_compact: bool, is_after: bool) -> None:
    text = json.dumps(value) if is_compact else format_json(value)
    analysis = Analysis(read(text))
    lists = lists_in(analysis.tree)
    parent = lists[number % len(lists)]
    members = analysis.document.members(parent.path)
    if not members:
        return
    source = members[number % len(members)]
    index = number // 7 % len(members)
    at = members[index].end if is_after else members[index].start
    found = prepare_paste(analysis, Span(at, at), text[source.start : source.end])
    if re.match(r"\w", text[at - is_after :]):  # the options of a filter may be numbers: the text continues a word
        assert found is None
        return
    assert found is not None
    after = Analysis(read(apply(text, found.edits)))
    assert [one.message for one in after.diagnostics if is_error(one)] == []
    pasted_list = value_at(after.document.value, parent.path)
    assert isinstance(pasted_list, list)
    assert [*pasted_list[: index + is_after], *pasted_list[index + is_after + 1 :]] == parent.value


@given(sound_documents, st.integers(0, 10_000))
def test_what_is_cut_and_pasted_elsewhere_keeps_its_names(value: Any, number: int) -> None:
    text = format_json(value)
    analysis = Analysis(read(text))
    lists = [node for node in lists_in(analysis.tree) if len(node.value) > 1]
    if not lists:
        return
    parent = lists[number % len(lists)]
    members = analysis.document.members(parent.path)
    index = number % (len(members) - 1)
    first, other = members[index], members[index + 1]
    cut = text[: first.start] + text[other.start :]
    at = other.end - (other.start - first.start)
    found = prepare_paste(Analysis(read(cut)), Span(at, at), text[first.start : first.end])
    assert found is not None
    after = read(apply(cut, found.edits))
    expected = [*parent.value]
    expected[index : index + 2] = [expected[index + 1], expected[index]]
    assert value_at(after.value, parent.path) == expected
    assert found.has_new_names is False
    assert after.text == format_json(after.value)


@pytest.mark.parametrize("number", range(len(TEXTS)))
@pytest.mark.parametrize("pasted_text", [NEW, NOTE, PAGE, '"title": "T"', TABLE], ids=range(5))
def test_a_paste_adds_no_syntax_error_at_any_offset(pasted_text: str, number: int) -> None:
    text = TEXTS[number]
    analysis = Analysis(read(text))
    errors = len(analysis.document.all_syntax)
    for at in range(0, len(text) + 1, 3):
        span = Span(at, min(len(text), at + at % 2 * 40))
        found = prepare_paste(analysis, span, pasted_text)
        if found is not None:
            assert found.edits[0].span == span
            after = read(apply(text, found.edits))
            if span.start == span.end:
                assert len(after.all_syntax) <= errors, (text[:at], after.all_syntax)
