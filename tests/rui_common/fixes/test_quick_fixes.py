"""Safe and unsafe fixes; no fix loses content or adds an error."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given

from benchmarks.sample import sample_text
from rui_common.describe.examples import broken_example
from rui_common.editing.edits import apply
from rui_common.fixes.fix_all import apply_safe_fixes
from rui_common.fixes.quick_fixes import find_fixes
from rui_common.syntax.document import read
from rui_common.syntax.paths import format_path, parse_path
from rui_common.validation.diagnostics import diagnose, without_placeholders
from rui_common.vocabulary.lookup import occurrences, path_as_read, schema_location
from rui_common.vocabulary.rules import RULES
from tests.corpus import Case, read_cases
from tests.small import DOCUMENT
from tests.strategies import mutants, sound_documents

CASES = read_cases()

BINDING = '{"type": "read", "method": "GET", "path": "/orders"}'
TABLE = '{"id": "t", "type": "Table", "binding": @, "columns": [{"key": "status"}, {"key": "total"}]}'.replace(
    "@", BINDING
)
METRIC = '{"id": "m", "type": "Metric", "label": "Open", "binding": @}'.replace("@", BINDING)
TEXT = '{"id": "a", "type": "Text", "content": "x"}'
FULL = DOCUMENT.replace("BLOCK", TEXT)


# Safe fixes -----------------------------------------------------------------------------------------------------------

# Text in the place of BLOCK → the text after the fix.
BLOCKS = {
    "a misspelt property": ('{"id": "a", "type": "Text", "contnet": "x"}', TEXT),
    "a property in the wrong case": ('{"id": "a", "type": "Text", "Content": "x"}', TEXT),
    "a misspelt optional property": (TABLE.replace('"binding"', '"titel": "x", "binding"'),
                                     TABLE.replace('"binding"', '"title": "x", "binding"')),
    "a misspelt type": ('{"id": "a", "type": "Txet", "content": "x"}', TEXT),
    "a type that is missing": ('{"id": "a", "content": "x"}', TEXT),
    "a type that is missing, spread": ('{\n  "id": "a",\n  "content": "x"\n}',
                                       '{\n  "id": "a",\n  "type": "Text",\n  "content": "x"\n}'),
    "a type that is missing, minified": ('{"id":"a","content":"x"}', '{"id":"a","type":"Text","content":"x"}'),
    "an enum's value in the wrong case": (
        METRIC.replace('"Open",', '"Open", "format": "Number",').replace('"}', '", "valuePath": "a"}', 1),
        METRIC.replace('"Open",', '"Open", "format": "number",').replace('"}', '", "valuePath": "a"}', 1)),
    "an id in another style": (TEXT.replace('"a"', '"Order_Total 2"'), TEXT.replace('"a"', '"order-total-2"')),
    "an id with blanks around it": (TEXT.replace('"a"', '" a\\n"'), TEXT),
    "a method in small letters": (TABLE.replace("GET", "get"), TABLE),
    "a misspelt method": (TABLE.replace("GET", "GTE"), TABLE),
    "a method that is missing": (TABLE.replace('"method": "GET", ', ""), TABLE),
    "a binding's type that is missing": (TABLE.replace('"type": "read", ', ""), TABLE),
    "a path without a slash": (TABLE.replace('"/orders"', '"api/orders"'), TABLE.replace('"/orders"', '"/api/orders"')),
    "a path behind a blank": (TABLE.replace('"/orders"', '" /orders"'), TABLE),
    "a value path in JSONPath": (TABLE.replace('"/orders"', '"/orders", "valuePath": "$.data.items"'),
                                 TABLE.replace('"/orders"', '"/orders", "valuePath": "data.items"')),
    "a misspelt filter field": (TABLE.replace("]}", '], "filter": {"field": "staus"}}'),
                                TABLE.replace("]}", '], "filter": {"field": "status"}}')),
}  # fmt: skip
# Safe fixes of whole documents: the replaced text in FULL, and its replacement; the fixed document is FULL.
DOCUMENTS = {
    "another version": ('"0.1"', '"1.0"'),
    "the version as a number": ('"0.1"', "0.1"),
    "no version": ('"version": "0.1",\n  ', ""),
    "no meta": ('"meta": {},\n  ', ""),
    "a misspelt reference": ('"pageId": "home"', '"pageId": "hmoe"'),
    "a reference in the wrong case": ('"pageId": "home"', '"pageId": "Home"'),
    "a misspelt property of the root": ('"navigation"', '"navigaton"'),
    "a misspelt enum": ('"stack"', '"stakc"'),
    "a trailing comma": ('"x"}', '"x",}'),
    "a missing comma": ('"id": "a",', '"id": "a"'),
    "two commas": ('"id": "a",', '"id": "a",,'),
    "a missing colon": ('"id": "a",', '"id" "a",'),
    "a name without quotes": ('"pages":', "pages:"),
    "single quotes": ('"home", "type"', "'home', 'type'"),
    "several at once": ('"id": "a", "type": "Text"', "'id': 'a' type: \"text\""),
}


@pytest.mark.parametrize(("before", "after"), BLOCKS.values(), ids=BLOCKS)
def test_blocks_are_fixed(before: str, after: str) -> None:
    check(block(before), block(after))


@pytest.mark.parametrize(("right", "wrong"), DOCUMENTS.values(), ids=DOCUMENTS)
def test_documents_are_fixed(right: str, wrong: str) -> None:
    assert right in FULL
    check(FULL.replace(right, wrong, 1), FULL)


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"], ids=["lf", "crlf", "cr"])
def test_what_is_inserted_has_the_line_endings_of_the_text(line_end: str) -> None:
    text = FULL.replace("\n", line_end)
    check(text.replace(f'"meta": {{}},{line_end}  ', ""), text)


def test_a_page_id_is_renamed_with_every_reference_to_it() -> None:
    check(FULL.replace('"home"', '"Home Page"'), FULL.replace('"home"', '"home-page"'))


def test_a_page_that_nothing_opens_gets_an_entry_that_looks_like_the_others() -> None:
    page = '{"id": "more", "type": "Page", "title": "x", "children": [' + '{"id": "s", "type": "Section", '
    page += '"direction": "row", "children": [{"id": "b", "type": "Text", "content": "x"}]}]}'
    two = FULL.replace("\n  ]\n}", f",\n    {page}\n  ]\n}}")
    check(two, two.replace('{"pageId": "home"}', '{"pageId": "home"}, {"pageId": "more"}'))
    spread = '[\n      {\n        "pageId": "home"\n      }\n    ]'
    entry = '{\n        "pageId": "more"\n      }'
    check(two.replace('[{"pageId": "home"}]', spread),
          two.replace('[{"pageId": "home"}]', spread.replace("}\n", f"}},\n      {entry}\n")))  # fmt: skip


def check(text: str, expected: str) -> None:
    """Fix `text` and compare. The result must have no diagnostics and no further fixes."""
    fixed = apply_safe_fixes(read(text))
    assert fixed.text == expected
    assert diagnose(fixed) == []
    assert apply_safe_fixes(fixed) is fixed


def block(text: str) -> str:
    return DOCUMENT.replace("BLOCK", text)


# Unchanged texts ------------------------------------------------------------------------------------------------------

LEFT_ALONE = {
    "an unknown property": block(TEXT.replace("}", ', "colour": "red"}')),
    "an unknown property twice": block('{"id": "a", "type": "Text", "contnet": "x", "contnet": "y"}'),
    "another method": block(TABLE.replace("GET", "POST")),
    "no type beside another method": block(TABLE.replace('"type": "read", "method": "GET"', '"method": "POST"')),
    "a planned type": block(TABLE.replace('"read"', '"write"')),
    "another type with the same properties": block(TEXT.replace('"Text"', '"Chart"')),
    "a type like one, the properties of another": block('{"id": "a", "type": "Metrc", "content": "x"}'),
    "a path on another host": block(TABLE.replace('"/orders"', '"https://example.com/orders"')),
    "a host without a scheme": block(TABLE.replace('"/orders"', '"example.com/orders"')),
    "a path from here": block(TABLE.replace('"/orders"', '"../orders"')),
    "an empty path": block(TABLE.replace('"/orders"', '""')),
    "brackets in a value path": block(TABLE.replace('"/orders"', '"/orders", "valuePath": "$.items[0]"')),
    "an id whose kebab-case is taken": block(f"{TEXT}, {TEXT.replace(chr(34) + 'a', chr(34) + 'A')}"),
    "an id that cannot be in kebab-case": block(TEXT.replace('"a"', '"名前"')),
    "a duplicate id": block(f"{TEXT}, {TEXT}"),
    "a reference to another number": FULL.replace('"pageId": "home"', '"pageId": "home-2"'),
    "a page and an entry that may belong together": FULL.replace('"pageId": "home"', '"pageId": "dashboard"'),
    "a missing label": block('{"id": "m", "type": "Metric", "binding": ' + BINDING + "}"),
    "an enum with no near value": FULL.replace('"stack"', '"diagonal"'),
    "a null": block(TABLE.replace('"binding"', '"title": null, "binding"')),
    "a number for a string": block(TEXT.replace('"x"', "5")),
    "a duplicate key": block(TEXT.replace('"content"', '"id": "a", "content"')),
    "a comment that contains the rest": FULL.replace("\n", " ").replace('"meta"', '// "meta"'),
    "a colour that looks like a comment": FULL.replace('"meta": {}', '"meta": {"colour": #fff\n}'),
    "a comment without an end": FULL.replace('"meta"', '/* "meta"'),
    "a second document": f"{FULL}\n{FULL}",
    "a text that ends early": FULL[:-20],
    "a bracket too many": FULL.rstrip() + "}",
    "a root that is no object": "[1, 2]",
    "nothing": "",
}


@pytest.mark.parametrize("text", LEFT_ALONE.values(), ids=LEFT_ALONE)
def test_what_nobody_can_be_sure_of_is_left_alone(text: str) -> None:
    document = read(text)
    assert diagnose(document)
    assert apply_safe_fixes(document) is document


# Unsafe fixes --------------------------------------------------------------------------------------------------------

# Text, path of a diagnostic → the titles of its fixes; "!" marks the safe ones.
FIXES = {
    "unknown": (block(TEXT.replace("}", ', "colour": "red"}')), "colour", ['Remove "colour"']),
    "misspelt": (block(TEXT.replace("content", "contnet")), "contnet",
                 ['! Rename "contnet" to "content"', 'Remove "contnet"']),
    "enum": (FULL.replace("stack", "stakc"), "direction", ['! Use "stack"', 'Use "row"']),
    "type": (block(TEXT.replace('"Text"', '"Chart"')), "type",
             ['Use "Text"', "Convert to a Metric", "Convert to a Table"]),
    "method": (block(TABLE.replace("GET", "POST")), "method", ['Use "GET"']),
    "absent": (block('{"id": "a", "type": "Text"}'), "content", ['Add "content"']),
    "absent type": (block('{"id": "a"}'), "type", [f'Add "type": "{name}"' for name in ("Text", "Metric", "Table")]),
    "duplicate": (block(f'{TEXT}, {TEXT.replace("x", "y")}'), "id", ['Rename to "a-2"', "Remove it"]),
    "null": (block(TABLE.replace('"binding"', '"title": null, "binding"')), "title", ['Remove "title"']),
    "number": (block(TEXT.replace('"x"', "1.50")), "content", ['Convert to a string: "1.50"']),
    "dangling": (FULL.replace('"pageId": "home"', '"pageId": "start"'), "pageId",
                 ['Use "home"', 'Add a Page "start"']),
    "orphan": (FULL.replace('"pageId": "home"', '"pageId": "start"'), "id", ['Add an entry for "home"']),
    "label": (block(METRIC.replace("Open", "").replace('"label": "", ', "")), "label", ['Add "label"']),
}  # fmt: skip


@pytest.mark.parametrize(("text", "name", "titles"), FIXES.values(), ids=FIXES)
def test_fixes_of_a_diagnostic(text: str, name: str, titles: list[str]) -> None:
    document = read(text)
    diagnostic = next(one for one in diagnose(document) if one.path and one.path[-1] == name)
    found = find_fixes(document, diagnostic)
    assert [("! " if fix.is_safe else "") + fix.title for fix in found] == titles
    for fix in found:
        assert diagnostic.path not in {
            one.path for one in diagnose(read(apply(text, fix.edits))) if one.code == diagnostic.code
        }


OTHER_WORDS = """{"version": 1, "app": {"title": "A"}, "nav": {"links": [{"screen": "home"}]}, "screens": [
  {"id": "home", "type": "Screen", "name": "Home", "sections": [
    {"id": "main", "type": "Group", "layout": "horizontal", "widgets": [
      {"id": "a", "kind": "KPI", "title": "A",
       "data": {"type": "query", "verb": "get", "url": "/a", "selector": "$.a"}},
      {"id": "b", "component": "DataTable", "caption": "A", "source": {"type": "read", "method": "GET", "url": "/a"},
       "cols": [{"field": "a", "header": "A"}]},
      {"id": "c", "type": "Paragraph", "text": "a"}]}]}]}"""
RUI_WORDS = """{"version": "0.1", "meta": {"title": "A"}, "navigation": {"items": [{"pageId": "home"}]}, "pages": [
  {"id": "home", "type": "Page", "title": "Home", "children": [
    {"id": "main", "type": "Section", "direction": "row", "children": [
      {"id": "a", "type": "Metric", "label": "A",
       "binding": {"type": "read", "method": "GET", "path": "/a", "valuePath": "a"}},
      {"id": "b", "type": "Table", "title": "A", "binding": {"type": "read", "method": "GET", "path": "/a"},
       "columns": [{"key": "a", "header": "A"}]},
      {"id": "c", "type": "Text", "content": "a"}]}]}]}"""


def test_the_words_of_other_systems_are_replaced() -> None:
    fixed = apply_safe_fixes(read(OTHER_WORDS))
    assert fixed.text == RUI_WORDS
    assert diagnose(fixed) == []


@pytest.mark.parametrize("name", ["rui", "app", "data"])
def test_a_document_in_a_wrapper_is_fixed(name: str) -> None:
    assert apply_safe_fixes(read(f'{{"{name}": {OTHER_WORDS}}}')).text == RUI_WORDS


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (block('{"id": "a", "type": "Text", "text": 5}'), '"text": 5'),
        (block('{"id": "a", "type": "Text", "text": "x", "text": "y"}'), '"text": "x", "text": "y"'),
        (block('{"id": "a", "type": "Chart", "content": "x"}'), '"Chart"'),
        ('{"ok": true, "rui": {"version": "0.1", "screens": []}}', '{"ok": true, "rui": {"version": "0.1", "meta": {}'),
    ],
)  # fmt: skip
def test_a_word_is_not_replaced_if_that_may_lose_something(before: str, after: str) -> None:
    assert after in apply_safe_fixes(read(before)).text


# No fix does harm -----------------------------------------------------------------------------------------------------


@given(mutants)
def test_a_fixed_document_has_no_new_faults_and_nothing_is_lost(value: Any) -> None:
    check_harmless(json.dumps(value, ensure_ascii=False, indent=2))


@given(mutants)
def test_on_one_line_too(value: Any) -> None:
    check_harmless(json.dumps(value, separators=(",", ":")))


@given(sound_documents)
def test_a_sound_document_stays_as_it_is(value: Any) -> None:
    document = read(json.dumps(value))
    assert apply_safe_fixes(document) is document


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_the_corpus_is_fixed_without_harm(case: Case) -> None:
    check_harmless(read(case.source).text)


@pytest.mark.parametrize("rule", RULES.values(), ids=lambda rule: rule.number)
def test_the_examples_of_the_rules_are_fixed_without_harm(rule: Any) -> None:
    check_harmless(broken_example(rule))


def test_many_faults_in_a_large_document_are_fixed() -> None:
    text = sample_text(60_000)
    broken = text.replace('"label"', '"lable"').replace('"method": "GET"', '"method": "get"').replace('"row"', '"Row"')
    fixed = apply_safe_fixes(read(broken))
    # A navigation item or a column may have unknown properties. Only the label of a metric was an error.
    assert diagnose(fixed) == []
    assert fixed.text.replace('"lable"', '"label"') == text


def check_harmless(text: str) -> None:
    before = read(text)
    after = apply_safe_fixes(before)
    if after is before:
        return
    assert len(after.all_syntax) <= len(before.all_syntax)
    if before.valid:
        assert after.valid
        assert keys_of(after) < keys_of(before)
    assert apply_safe_fixes(after) is after
    touched = {diagnostic.path for diagnostic in diagnose(before)} | {seen.path for seen in occurrences(before.value)}
    inner = [*before.value.values()] if isinstance(before.value, dict) and len(before.value) == 1 else []
    if after.value in inner or after.text in inner:  # extracted from an envelope, as an object or as a string
        return
    assert_contained(before.value, after.value, touched)


def keys_of(document: Any) -> Counter[tuple[str, str]]:
    """Return the diagnostics by rule and path, with the registered names of properties."""
    found = without_placeholders(diagnose(document))
    return Counter((one.rule or one.code, format_path(path_as_read(document.value, one.path))) for one in found)


def assert_contained(before: Any, after: Any, touched: set[tuple[Any, ...]]) -> None:
    """Check that `after` contains all of `before`, except wrong values and names, and ids and references to them.

    A value may have got a registered name, or the structure in which it was read before.
    """
    found = {path_as_read(after, path): value for path, value in leaves(after, ())}
    for path, value in leaves(before, ()):
        there = path_as_read(before, path)
        is_filled = value in ("{}", "[]") and any(other[: len(there)] == there for other in found)
        assert found.get(there) == value or is_filled or path in touched, format_path(path)


def leaves(value: Any, path: tuple[Any, ...]) -> Iterator[tuple[tuple[Any, ...], str]]:
    """Yield the paths of scalars and of empty objects and arrays, with their JSON texts."""
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    if not members or not value:
        yield path, json.dumps(value)
    for step, inner in members:
        yield from leaves(inner, (*path, step))


# Lookup --------------------------------------------------------------------------------------------------------------


def test_places_are_looked_up_along_the_types() -> None:
    value = read(block(TABLE.replace('"Table"', '"Tabel"'))).value
    place = schema_location(value, parse_path("pages[0].children[0].children[0].columns[1].key"))
    assert place is not None
    assert place.shape is not None
    assert (place.shape.name, place.prop and place.prop.name) == ("Column", "key")
    assert schema_location(value, parse_path("meta.anything.below")) is None
    assert schema_location(value, parse_path("pages[9]")) is None
