"""Pasting JSON as elements of a document: `<|>` is the caret."""

import json
import random
from typing import Any

import pytest

from rui_common.describe.examples import full_example
from rui_common.editing.edits import apply, format_json
from rui_common.fixes.paste import Paste, PasteRefusedError, paste
from rui_common.syntax.document import read
from rui_common.validation.diagnostics import diagnose
from rui_common.vocabulary.kinds import ListKind
from rui_common.vocabulary.lookup import schema_location
from tests.strategies import sound_document

DESK = """\
{
  "version": "0.1",
  "meta": {},
  "navigation": { "items": [{ "pageId": "home", "label": "Home" }] },
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
            { "id": "a", "type": "Text", "content": "A" },
            { "id": "b", "type": "Text", "content": "B" }
          ]
        },
        {
          "id": "more",
          "type": "Section",
          "direction": "row",
          "children": [
            {
              "id": "list", "type": "Table",
              "binding": { "type": "read", "method": "GET", "path": "/x" },
              "columns": [{ "key": "name" }]
            }
          ]
        }
      ]
    }
  ]
}
"""
FIRST = '{ "id": "a", "type": "Text", "content": "A" }'
SECOND = '{ "id": "b", "type": "Text", "content": "B" }'
BOTH = f"{FIRST},\n            {SECOND}"
END_OF_FIRST = "\n          ]\n        },"
BLOCK = """\
            {
              "id": "note",
              "type": "Text",
              "content": "N"
            }"""


def pasted(text: str, clipboard: str) -> tuple[str, Paste]:
    """Return the text after a paste at the mark, and the paste."""
    caret = text.index("<|>")
    text = text.replace("<|>", "")
    change = paste(read(text), caret, clipboard)
    return apply(text, change.edits), change


def check(before: str, clipboard: str, *changes: tuple[str, str], title: str = "Paste as Text") -> None:
    """Paste into `DESK` with one replacement for the caret, and compare with other replacements."""
    old = before.replace("<|>", "")
    assert DESK.count(old) == 1, old
    expected = DESK
    for one, other in changes:
        assert expected.count(one) == 1, one
        expected = expected.replace(one, other)
    new, change = pasted(DESK.replace(old, before), clipboard)
    assert (new, change.title) == (expected, title)
    assert diagnose(read(new)) == []


NOTE = '{"id": "note", "type": "Text", "content": "N"}'


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (f"{FIRST}<|>,", f"{FIRST},\n{BLOCK},"),
        (f"{FIRST},<|>", f"{FIRST},\n{BLOCK},"),
        (f'"A<|>" }},\n            {SECOND}', f'"A" }},\n{BLOCK},\n            {SECOND}'),
        (f"<|>{FIRST}", f"{BLOCK.strip()},\n            {FIRST}"),
        (f"{SECOND}<|>", f"{SECOND},\n{BLOCK}"),
        (f"{SECOND}\n         <|> ]", f"{SECOND},\n{BLOCK}\n          ]"),
        ('"id": "ma<|>in"', '"id": "main"'),
    ],
)
def test_a_block_is_inserted_where_a_block_is_allowed(before: str, after: str) -> None:
    old = before.replace("<|>", "")
    if old == after:  # The caret is before the list.
        check(before, NOTE, (FIRST, f"{BLOCK.strip()},\n            {FIRST}"))
    else:
        check(before, NOTE, (old, after))


@pytest.mark.parametrize("between", ["\n            <|>\n            ", "\n<|>\n            ", "\n\n  <|>\n\n"])
def test_the_empty_line_of_the_caret_is_filled(between: str) -> None:
    new, change = pasted(DESK.replace(BOTH, f"{FIRST},{between}{SECOND}"), NOTE)
    assert new == DESK.replace(BOTH, f"{FIRST},\n{BLOCK},\n            {SECOND}")
    assert change.is_at_caret


def test_a_comma_that_was_typed_before_is_used() -> None:
    for gap in (",\n            <|>", ",<|>", ", <|>\n"):
        new, _ = pasted(DESK.replace(SECOND + "\n", f"{SECOND}{gap}\n"), NOTE + ",")
        assert new == DESK.replace(SECOND, f"{SECOND},\n{BLOCK}")


def test_a_comma_that_is_missing_is_added() -> None:
    new, _ = pasted(DESK.replace(BOTH, f"{FIRST}\n            <|>\n            {SECOND}"), NOTE)
    assert new == DESK.replace(BOTH, f"{FIRST},\n{BLOCK},\n            {SECOND}")


def test_other_text_between_elements_stays() -> None:
    text = DESK.replace(BOTH, f"{FIRST}, // <|>later\n            {SECOND}")
    new, _ = pasted(text, NOTE)
    assert new == text.replace("<|>", "").replace(SECOND, f"{BLOCK.strip()},\n            {SECOND}")


SECTION = '{"id": "main", "type": "Section", "direction": "row", "children": [' + NOTE.replace("note", "a") + "]}"
NEW_SECTION = """\
        {
          "id": "main-2",
          "type": "Section",
          "direction": "row",
          "children": [
            {
              "id": "a-2",
              "type": "Text",
              "content": "N"
            }
          ]
        }"""


def test_a_node_that_is_not_allowed_at_the_caret_is_inserted_after_the_nodes_around_it() -> None:
    changes = (f"{SECOND}{END_OF_FIRST}", f"{SECOND}{END_OF_FIRST}\n{NEW_SECTION},")
    check('"co<|>ntent": "A"', SECTION, changes, title="Paste as Section")
    check(FIRST + "<|>,", SECTION, changes, title="Paste as Section")


def test_a_page_brings_its_entry_in_the_navigation() -> None:
    page = '{"id": "home", "type": "Page", "title": "News", "children": [' + SECTION + "]}"
    new, change = pasted(DESK.replace('"title": "Ho', '"title": "Ho<|>'), page)
    assert change.title == "Paste as Page and add it to navigation"
    value = json.loads(new)
    assert [item["pageId"] for item in value["navigation"]["items"]] == ["home", "home-2"]
    assert [page["id"] for page in value["pages"]] == ["home", "home-2"]
    assert diagnose(read(new)) == []
    assert '"items": [{ "pageId": "home", "label": "Home" }, {"pageId": "home-2"}] }' in new


def test_a_document_brings_its_pages_with_their_entries() -> None:
    new, change = pasted(DESK.replace('"children": [\n        {', '"children": [<|>\n        {'), f"```json\n{DESK}```")
    assert change.title == "Paste as Page and add it to navigation"
    value, old = json.loads(new), json.loads(DESK)
    assert value["navigation"]["items"] == [*old["navigation"]["items"], {"pageId": "home-2", "label": "Home"}]
    assert value["pages"][0] == old["pages"][0]
    ids = [one for one in json.dumps(value["pages"][1]).split('"') if one.endswith("-2")]
    assert ids == ["home-2", "main-2", "a-2", "b-2", "more-2", "list-2"]
    assert diagnose(read(new)) == []


@pytest.mark.parametrize("empty", ["<|>", "\n\n<|>", "\ufeff<|>"])
def test_a_document_is_pasted_into_an_empty_file(empty: str) -> None:
    words = DESK.replace('"0.1"', "0.1").replace('"pages"', '"screens"').replace('"children"', '"content"')
    new, change = pasted(empty, words.replace("\n", "\r\n"))
    assert change.title == "Paste the document"
    assert diagnose(read(new)) == []
    assert json.loads(new) == json.loads(DESK)


OTHER_WORDS = """\
Here are the blocks:

```json
[
  { "component": "kpi", "title": "Open orders", // the most important one
    "dataSource": { "method": "get", "url": "/api/orders", "field": "open" }, },
  { "id": "Note_1", "type": "paragraph", "text": "N", }
]
```
"""


def test_another_system_s_words_are_replaced() -> None:
    new, change = pasted(DESK.replace(FIRST, FIRST + "<|>"), OTHER_WORDS)
    assert change.title == "Paste as 2 elements"
    _, metric, note, _ = json.loads(new)["pages"][0]["children"][0]["children"]
    assert note == {"id": "note-1", "type": "Text", "content": "N"}
    binding = {"type": "read", "method": "GET", "path": "/api/orders", "valuePath": "open"}
    assert metric["type"] == "Metric" and metric["binding"] == binding
    assert diagnose(read(new)) == []


@pytest.mark.parametrize(
    ("node", "name"),
    [
        ('{"type": "Text", "content": "N"}', "n"),
        ('{"type": "Text", "content": "Größe"}', "text-1"),
        ('{"id": 5, "type": "Text", "content": "N"}', "n"),
        ('{"id": "", "type": "Text", "content": "N"}', "text-1"),
        ('{"id": "B", "type": "Text", "content": "N"}', "b-2"),
        ('{"id": "%s", "type": "Text", "content": "N"}' % ("x" * 65), "x" * 64),
    ],
)  # fmt: skip
def test_a_node_without_a_usable_id_gets_one(node: str, name: str) -> None:
    new, _ = pasted(DESK.replace(FIRST, FIRST + "<|>"), node)
    assert json.loads(new)["pages"][0]["children"][0]["children"][1]["id"] == name
    assert diagnose(read(new)) == []


def test_several_blocks_get_different_names() -> None:
    one = '{"id": "a", "type": "Text", "content": "N"}'
    for clipboard in (f"[{one}, {one}]", f"{one},\r\n{one},", f"{one}\n{one}", f"  {one} , {one} ,\n"):
        new, change = pasted(DESK.replace(FIRST, FIRST + "<|>"), clipboard)
        assert change.title == "Paste as 2 Texts"
        blocks = json.loads(new)["pages"][0]["children"][0]["children"]
        assert [block["id"] for block in blocks] == ["a", "a-2", "a-3", "b"]


TABLE = """\
{"id": "list", "type": "Table", "binding": {"type": "read", "method": "GET", "path": "/x"},
 "columns": [{"key": "name"}, {"key": "state"}], "filter": {"field": "state"}}"""


def test_names_within_the_pasted_part_stay() -> None:
    new, _ = pasted(DESK.replace(FIRST, FIRST + "<|>"), TABLE)
    table = json.loads(new)["pages"][0]["children"][0]["children"][1]
    assert table == {**json.loads(TABLE), "id": "list-2"}
    assert diagnose(read(new)) == []


@pytest.mark.parametrize(
    ("clipboard", "where", "keys"),
    [
        ('{"key": "state"}', '"path": "/x<|>"', ["state", "name"]),
        ('{"key": "name"}', '[{ "key": "name" }<|>]', ["name", "name-2"]),
        ('"columns": [{"key": "a"}, {"key": "b"}]', '[<|>{ "key": "name" }]', ["a", "b", "name"]),
        ('{"name": "Total", "type": "text"}', '[{ "key": "name" }, <|>]', ["name", "Total"]),
    ],
)
def test_columns_are_pasted(clipboard: str, where: str, keys: list[str]) -> None:
    old = where.replace("<|>", "").replace("}, ]", "}]")
    new, change = pasted(DESK.replace(old, where), clipboard)
    assert "Column" in change.title
    columns = json.loads(new)["pages"][0]["children"][1]["children"][0]["columns"]
    assert [column["key"] for column in columns] == keys
    assert diagnose(read(new)) == []


def test_an_entry_is_pasted_from_anywhere() -> None:
    new, change = pasted(DESK.replace(FIRST, FIRST + "<|>"), '{"pageId": "home", "label": "Again"}')
    assert change.title == "Paste as NavigationItem" and not change.is_at_caret
    assert '"Home" }, {"pageId": "home", "label": "Again"}] }' in new


def test_a_list_that_is_absent_is_added() -> None:
    text = (
        '{"pages": [{"id": "p", "type": "Page", "title": "P", "children": [\n  {"id": "s", "type": "Section"<|>}\n]}]}'
    )
    new, _ = pasted(text, NOTE)
    assert json.loads(new)["pages"][0]["children"][0]["children"] == [json.loads(NOTE)]


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ('{"pages": [<|>', '{"pages": [%s'),
        ('{"pages": [<|>}', '{"pages": [%s}'),
        ('{"pages": [{"id": "p", "type": "Page"},<|>', '{"pages": [{"id": "p", "type": "Page"}, %s'),
        ('{"pages": [{"id": "p", "type": "Page"<|> ]', '{"pages": [{"id": "p", "type": "Page" , %s]'),
    ],
)
def test_a_page_is_pasted_into_a_broken_document(text: str, after: str) -> None:
    page = {"id": "q", "type": "Page", "title": "Q", "children": []}
    new, _ = pasted(text, json.dumps(page))
    assert new == after % json.dumps(page)


def test_a_minified_document_stays_on_one_line() -> None:
    text = json.dumps(json.loads(DESK), separators=(",", ":"))
    new, _ = pasted(text.replace('"A"}', '"A"}<|>'), '{"id": "q", "type": "Text", "content": "a \\": {b,\\n c"}')
    assert new == text.replace('"A"}', '"A"},{"id":"q","type":"Text","content":"a \\": {b,\\n c"}')


@pytest.mark.parametrize(("unit", "line_end"), [("\t", "\n"), ("    ", "\r\n"), ("  ", "\r")])
def test_the_layout_of_the_document_is_used(unit: str, line_end: str) -> None:
    def laid_out(text: str) -> str:
        lines = text.split("\n")
        indents = [(len(line) - len(line.lstrip())) // 2 for line in lines]
        return line_end.join(unit * indent + line.lstrip() for indent, line in zip(indents, lines, strict=True))

    new, _ = pasted(laid_out(DESK.replace(FIRST, FIRST + "<|>")), NOTE)
    assert new == laid_out(DESK.replace(FIRST, f"{FIRST},\n{BLOCK}"))


def test_spelling_is_kept() -> None:
    column = '{"key": "a", "label": "\\u00e9", "ratio": 1e3, "width": 1.0}'
    new, _ = pasted(DESK.replace('"name" }', '"name" }<|>'), column)
    assert column in new


@pytest.mark.parametrize(
    ("clipboard", "reason"),
    [
        ("", "The clipboard contains no text."),
        (" \r\n ", "The clipboard contains no text."),
        ("hello", "The clipboard contains no JSON object or array."),
        ("5", "The clipboard contains no JSON object or array."),
        ("if (a) { return {b: 1} }", "The clipboard contains no"),
        ("[1, 2]", "The clipboard contains no Page, NavigationItem, Section,"),
        ("[]", "The clipboard contains no Page, NavigationItem, Section,"),
        ("{}", "The clipboard contains no Page, NavigationItem, Section,"),
        ('{"name": "x", "version": "1.0.0", "dependencies": {}}', "The clipboard contains no Page,"),
        ('{"content": "hello"}', "The clipboard contains no Page,"),
        ('{"id": "f", "type": "Form"}', '"Form" is planned for a future version.'),
        (f"[{NOTE}, {SECTION}]", "The clipboard contains no Page,"),
        ('{"value": "a", "label": "A"}', "A FilterOption belongs into the options of a TableFilter"),
        ("x" * 2_000_000, "The clipboard has 2000000 characters, more than a whole document may have (262144 bytes)."),
    ],
)
def test_what_cannot_be_pasted_has_a_reason(clipboard: str, reason: str) -> None:
    with pytest.raises(PasteRefusedError) as refused:
        pasted(DESK.replace(FIRST, FIRST + "<|>"), clipboard)
    assert reason in str(refused.value)


def test_a_document_without_a_place_is_named() -> None:
    with pytest.raises(PasteRefusedError, match="A Metric or Table or Text belongs into the children of a Section"):
        pasted("<|>", NOTE)


def test_broken_json_is_read_as_far_as_possible() -> None:
    text = DESK.replace(FIRST, FIRST + "<|>")
    for clipboard in (NOTE[:-1], NOTE.replace('"N"', '"N'), NOTE.replace(", ", " "), "// c\n" + NOTE, f'"{NOTE}"'):
        new, _ = pasted(text, clipboard)
        assert json.loads(new)["pages"][0]["children"][0]["children"][1]["id"] == "note"


def test_half_a_surrogate_pair_can_be_sent() -> None:
    new, _ = pasted(DESK.replace(FIRST, FIRST + "<|>"), NOTE.replace('"N"', '"\\ud800",'))
    assert new.encode()


# Properties: valid elements into valid documents, at every place ------------------------------------------------------


def lists_in(value: Any) -> list[tuple[tuple[str | int, ...], list[Any]]]:
    """Return every list of objects that the vocabulary declares in a document, with its path."""
    found: list[tuple[tuple[str | int, ...], list[Any]]] = []
    pending: list[tuple[tuple[str | int, ...], Any]] = [((), value)]
    while pending:
        path, here = pending.pop()
        location = schema_location(value, path)
        if location is None:
            continue
        if isinstance(here, list) and isinstance(location.kind, ListKind) and location.kind.inner_shapes:
            found.append((path, here))
        items = here.items() if isinstance(here, dict) else enumerate(here) if isinstance(here, list) else ()
        pending += [((*path, step), inner) for step, inner in items]
    return found


def without_new(new: Any, old: Any) -> Any:
    """Return a value without the elements that an older one lacks; the others are compared in order."""
    if isinstance(new, dict) and isinstance(old, dict):
        return {name: without_new(inner, old.get(name)) for name, inner in new.items()}
    if not isinstance(new, list) or not isinstance(old, list):
        return new
    kept = []
    for element in new:
        if len(kept) < len(old) and without_new(element, old[len(kept)]) == old[len(kept)]:
            kept.append(old[len(kept)])
    return kept


@pytest.mark.parametrize("seed", range(25))
def test_a_valid_document_stays_valid_and_the_rest_is_unchanged(seed: int) -> None:
    chance = random.Random(seed)
    target, source = sound_document(chance), sound_document(chance)
    if seed % 5 == 0:
        target, source = full_example(), full_example()
    layout = chance.choice([lambda v: format_json(v) + "\n", json.dumps, lambda v: json.dumps(v, indent="\t")])
    text = layout(target)
    document = read(text)
    assert diagnose(document) == []
    # Entries need the pages of the document; options of open objects can be any value.
    elements = [
        element for path, elements in lists_in(source) if path[-1] in {"pages", "children"} for element in elements
    ]
    elements += [element for path, elements in lists_in(target) if path[-1] == "items" for element in elements]
    elements.append(source)
    for element in elements:
        for caret in chance.sample(range(len(text) + 1), 6):
            change = paste(document, caret, json.dumps(element, indent=chance.choice([None, 2])))
            for edit in change.edits:
                assert not text[edit.span.start : edit.span.end].strip(), "only white space is replaced"
            after = read(apply(text, change.edits))
            assert diagnose(after) == [], (caret, element)
            assert without_new(after.value, target) == target


@pytest.mark.parametrize("seed", range(20))
def test_any_text_is_pasted_into_any_document_or_refused(seed: int) -> None:
    chance = random.Random(seed)
    clipboard, text = json.dumps(sound_document(chance), indent=1), json.dumps(sound_document(chance), indent=2)
    for _ in range(8):
        start = chance.randrange(len(clipboard))
        part = clipboard[start : start + chance.randrange(400)]
        broken = text[: chance.randrange(len(text))]
        try:
            change = paste(read(broken), chance.randrange(len(broken) + 1), part)
        except PasteRefusedError as refused:
            assert str(refused).endswith(".")
        else:
            apply(broken, change.edits)
