"""Safe and unsafe fixes; no fix loses content or adds an error."""

import json
import re
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rui_common.editing.edits import apply
from rui_common.fixes.fix_all import apply_safe_fixes
from rui_common.fixes.quick_fixes import find_fixes
from rui_common.nodes.names import Name
from rui_common.problems.meant import MAX_UNKNOWN
from rui_common.problems.texts import Placeholder
from rui_common.syntax.document import Document, read
from rui_common.syntax.paths import value_at
from rui_common.validation.analysis import Analysis
from rui_common.validation.diagnostics import is_error
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from tests.rui_common.syntax.recovery.broken_cases import leaves
from tests.support.small import BINDING, BLOCK_TYPES, DOCUMENT, TABLE, TEXT, block
from tests.support.strategies import mutants, sound_documents

METRIC = '{"id": "m", "type": "Metric", "label": "Open", "binding": @}'.replace("@", BINDING)
FULL = DOCUMENT.replace("BLOCK", TEXT)


# Safe fixes -----------------------------------------------------------------------------------------------------------

# Text in the place of BLOCK → the text after the fix.
BLOCKS = {
    "a misspelt property": ('{"id": "a", "type": "Text", "contnet": "x"}', TEXT),
    "a misspelt type": ('{"id": "a", "type": "Txet", "content": "x"}', TEXT),
    "a type that is missing": ('{"id": "a", "content": "x"}', TEXT),
    "a type that is missing, minified": ('{"id":"a","content":"x"}', '{"id":"a","type":"Text","content":"x"}'),
    "an enum's value in the wrong case": (
        METRIC.replace('"Open",', '"Open", "format": "Number",').replace('"}', '", "valuePath": "a"}', 1),
        METRIC.replace('"Open",', '"Open", "format": "number",').replace('"}', '", "valuePath": "a"}', 1)),
    "an id in another style": (TEXT.replace('"a"', '"Order_Total 2"'), TEXT.replace('"a"', '"order-total-2"')),
    "a method in small letters": (TABLE.replace("GET", "get"), TABLE),
    "a method that is missing": (TABLE.replace('"method": "GET", ', ""), TABLE),
    "a path without a slash": (TABLE.replace('"/orders"', '"api/orders"'), TABLE.replace('"/orders"', '"/api/orders"')),
    "a value path in JSONPath": (TABLE.replace('"/orders"', '"/orders", "valuePath": "$.data.items"'),
                                 TABLE.replace('"/orders"', '"/orders", "valuePath": "data.items"')),
    "a misspelt property, spread over lines": ('{\n  "id": "a",\n  "type": "Text"\n, "contnet": "x"}',
                                               '{\n  "id": "a",\n  "type": "Text"\n, "content": "x"}'),
    "a null": (TABLE.replace('"binding"', '"title": null, "binding"'), TABLE),
    "a null among blocks": (f"{TEXT}, null", TEXT),
    "another word for a property": ('{"id": "a", "type": "Text", "body": "x"}', TEXT),
    "a misspelt filter field": (TABLE.replace("]}", '], "filter": {"field": "staus"}}'),
                                TABLE.replace("]}", '], "filter": {"field": "status"}}')),
}  # fmt: skip
# Safe fixes of whole documents: the replaced text in FULL, and its replacement; the fixed document is FULL.
DOCUMENTS = {
    "the version as a number": ('"0.1"', "0.1"),
    "no version": ('"version": "0.1",\n  ', ""),
    "no meta": ('"meta": {},\n  ', ""),
    "a misspelt reference": ('"pageId": "home"', '"pageId": "hmoe"'),
    "a misspelt enum": ('"stack"', '"stakc"'),
    "a trailing comma": ('"x"}', '"x",}'),
    "a missing comma": ('"id": "a",', '"id": "a"'),
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


# What a renamed property contains was not validated before: its findings do not prevent the new name.
RENAMED = {
    "columns without keys": (TABLE.replace('"columns"', '"colums"').replace('"key"', '"label"'),
                             TABLE.replace('"key"', '"label"')),
    "a binding without a path": (TABLE.replace(BINDING, '{"type": "read"}').replace('"binding"', '"bindng"'),
                                 TABLE.replace(', "path": "/orders"', "")),
}  # fmt: skip


@pytest.mark.parametrize(("before", "after"), RENAMED.values(), ids=RENAMED)
def test_a_property_is_renamed_whose_value_has_errors(before: str, after: str) -> None:
    assert apply_safe_fixes(Analysis(read(block(before)))).document.text == block(after)


def all_names(document: Document) -> list[Name]:
    return [name for scope in Analysis(document).names.scopes for name in scope]


def test_a_page_that_nothing_opens_gets_an_entry() -> None:
    page = '{"id": "more", "type": "Page", "title": "x", "children": [' + '{"id": "s", "type": "Section", '
    page += '"direction": "row", "children": [{"id": "b", "type": "Text", "content": "x"}]}]}'
    two = FULL.replace("\n  ]\n}", f",\n    {page}\n  ]\n}}")
    opened = two.replace('{"pageId": "home"}', '{"pageId": "home"}, {"pageId": "more"}')
    check(two, opened)
    check(two.replace('"more"', '"More"'), opened)


def check(text: str, expected: str) -> None:
    """Fix `text` and compare. The result must have no diagnostics and no further fixes."""
    fixed = apply_safe_fixes(Analysis(read(text))).document
    assert fixed.text == expected
    assert Analysis(fixed).diagnostics == []
    assert apply_safe_fixes(Analysis(fixed)).document is fixed


def two_pages(*names: str) -> str:
    """Return a document with two pages; the names are those of two entries and two pages."""
    first, second, *ids = names
    pages = [
        {"id": name, "type": "Page", "title": "x", "children": [
            {"id": f"s{index}", "type": "Section", "direction": "row", "children": [
                {"id": f"t{index}", "type": "Text", "content": "x"}]}]}
        for index, name in enumerate(ids)
    ]  # fmt: skip
    items = [{"pageId": first}, {"pageId": second}]
    return json.dumps({"version": "0.1", "meta": {}, "navigation": {"items": items}, "pages": pages})


# Unchanged texts ------------------------------------------------------------------------------------------------------

LEFT_ALONE = {
    "an unknown property": block(TEXT.replace("}", ', "colour": "red"}')),
    "an unknown property twice": block('{"id": "a", "type": "Text", "contnet": "x", "contnet": "y"}'),
    "another method": block(TABLE.replace("GET", "POST")),
    "no type beside another method": block(TABLE.replace('"type": "read", "method": "GET"', '"method": "POST"')),
    "a planned type": block(TABLE.replace('"read"', '"write"')),
    "a type like one, the properties of another": block('{"id": "a", "type": "Metrc", "content": "x"}'),
    "a path on another host": block(TABLE.replace('"/orders"', '"https://example.com/orders"')),
    "brackets in a value path": block(TABLE.replace('"/orders"', '"/orders", "valuePath": "$.items[0]"')),
    "an id whose kebab-case is taken": block(f"{TEXT}, {TEXT.replace(chr(34) + 'a', chr(34) + 'A')}"),
    "a duplicate id": block(f"{TEXT}, {TEXT}"),
    "a reference to another number": FULL.replace('"pageId": "home"', '"pageId": "home-2"'),
    "a missing label": block('{"id": "m", "type": "Metric", "binding": ' + BINDING + "}"),
    "an array in the string of an enum": FULL.replace('"stack"', '"[\\"row\\"]"'),
    "an object in the string of a literal": block(TABLE.replace('"GET"', '"{\\"method\\": \\"GET\\"}"')),
    "a list like pages, in which no property is one of a page": '{"pagez": [{"type": 5}]}',
    "an enum with no near value": FULL.replace('"stack"', '"diagonal"'),
    "another word for a value": FULL.replace('"stack"', '"vertical"'),
    "another word for a type": block(TEXT.replace('"Text"', '"Paragraph"')),
    "a comment": FULL.replace('"meta"', '// "a"\n"meta"').replace('"pages"', '/* two */ "pages"'),
    "a duplicate key": block(TEXT.replace('"content"', '"id": "a", "content"')),
    "a text that ends early": FULL[:-20],
    "a duplicate id in another style": block(f"{TEXT}, {TEXT}".replace('"a"', '"Order_Total"')),
    "an escape character, which is binary data": "\x1b" + block(TEXT.replace("content", "contnet")),
    "a merge conflict": "<<<<<<< a\n1\n=======\n2\n>>>>>>> b\n" + block(TEXT.replace("content", "contnet")),
    "a literal that is no document": "True",
    "a string that is no document": "'a'",
}


@pytest.mark.parametrize("text", LEFT_ALONE.values(), ids=LEFT_ALONE)
def test_what_nobody_can_be_sure_of_is_left_alone(text: str) -> None:
    document = read(text)
    analysis = Analysis(document)
    assert analysis.diagnostics
    assert apply_safe_fixes(analysis).document is document


SECTION = '{"id": "s", "type": "Section", "direction": "row", "children": [@]}'
OTHER = TEXT.replace('"a"', '"b"')
PAGE = '{"id": "more", "type": "Page", "title": "x", "children": [@]}'.replace("@", SECTION.replace("@", OTHER))


def with_page(element: str) -> str:
    """Return a document with a second element in its pages."""
    return FULL.replace("\n  ]\n}", f",\n    {element}\n  ]\n}}")


# Unsafe fixes --------------------------------------------------------------------------------------------------------

MANY_UNKNOWN = ", ".join(f'"a{number}": 1' for number in range(MAX_UNKNOWN))

# Text, path of a diagnostic → the titles of its fixes; "!" marks the safe ones.
FIXES = {
    "unknown": (block(TEXT.replace("}", ', "colour": "red"}')), "colour",
                ['Move "colour" to "meta"', 'Remove "colour" and its content']),
    "unknown, without content": (block(TEXT.replace("}", ', "colour": 5}')), "colour", ['Remove "colour"']),
    "unknown, with words, which would only be removed": (
        block(TEXT.replace("}", ', "foo": "some words here"}')), "foo", []),
    "unknown, for the top level": (FULL.replace('"meta": {},', "").replace('"x"', '"x", "meta": {"a": 1}'), "meta", [
        '! Add "meta"']),
    "unknown, beside an absent one": (block('{"id": "a", "type": "Text", "kopf": {"a": 1}}'), "kopf", []),
    "misspelt": (block(TEXT.replace("content", "contnet")), "contnet", ['! Rename "contnet" to "content"']),
    "misspelt, among many unknown ones": (
        block(TEXT.replace("content", "contnet").replace("}", f", {MANY_UNKNOWN}}}")), "contnet", []),
    "enum": (FULL.replace("stack", "stakc"), "direction", ['! Use "stack"', 'Use "row" instead of "stakc"']),
    "type": (block(TEXT.replace('"Text"', '"Gizmo"')), "type",
             ['Use "Text"', *(f'Use "{name}" instead of "Gizmo"' for name in BLOCK_TYPES if name != "Text")]),
    "type, without properties of one": (block('{"id": "a", "type": "Gizmo"}'), "type",
             [f'Use "{name}" instead of "Gizmo"' for name in BLOCK_TYPES]),
    "misspelt type, beside an unknown property": (
        block('{"id": "a", "type": "Txet", "content": "x", "colour": 5}'), "type",
        ['! Use "Text"', *(f'Use "{name}" instead of "Txet"' for name in BLOCK_TYPES if name != "Text")]),
    "type of others": (block(TEXT.replace('"Text"', '"DataGrid"')), "type",
                       ['Use "Table"',
                        *(f'Use "{name}" instead of "DataGrid"' for name in BLOCK_TYPES if name != "Table")]),
    "method": (block(TABLE.replace("GET", "POST")), "method", ['Use "GET" instead of "POST"']),
    "absent": (block('{"id": "a", "type": "Text"}'), "content", ['Add "content"']),
    "absent type": (block('{"id": "a"}'), "type", [f'Add "type": "{name}"' for name in BLOCK_TYPES]),
    "absent enum": (FULL.replace('"direction": "stack", ', ""), "direction",
                    ['Add "direction": "stack"', 'Add "direction": "row"']),
    "duplicate": (block(f'{TEXT}, {TEXT.replace("x", "y")}'), "id", ['Rename to "a-2"', 'Remove Text "y"']),
    "null": (block(TABLE.replace('"binding"', '"title": null, "binding"')), "title", ['! Remove "title"']),
    "a null that is required": (block(TEXT.replace('"x"', "null")), "content", ['Use "TODO"']),
    "an object for text": (block(TEXT.replace('"x"', '{"de": "x"}')), "content", []),
    "an object for a list": (FULL.replace('[{"pageId": "home"}]', '{"pageId": "home"}'), "items",
                             ["! Wrap in an array"]),
    "an object for a list of blocks": (FULL.replace("[\n        {", "{").replace("}\n      ]", "}"), "children",
                                       ["! Wrap in an array"]),
    "number": (block(TEXT.replace('"x"', "1.50")), "content", ['Convert to a string: "1.50"']),
    "dangling": (FULL.replace('"pageId": "home"', '"pageId": "start"'), "pageId",
                 ['Use "home"', 'Add a Page "start"']),
    "orphan": (FULL.replace('"pageId": "home"', '"pageId": "start"'), "id",
               ['Use "home" instead of "start"', 'Add an entry for "home"']),
    "dangling, with a page that nothing opens": (
        two_pages("home", "orders", "home", "invoices"), ("items", 1, "pageId"),
        ['Use "invoices"', 'Add a Page "orders"', 'Use "home" instead of "orders"', 'Remove navigation item "orders"']),
    "dangling, like a page that something opens": (
        two_pages("home", "hom", "home", "invoices"), ("items", 1, "pageId"),
        ['Use "invoices"', 'Add a Page "hom"', 'Use "home" instead of "hom"', 'Remove navigation item "hom"']),
    "dangling twice, in the order of the pages": (
        two_pages("a1", "b1", "x", "y"), ("items", 1, "pageId"),
        ['Use "y"', 'Use "x"', 'Add a Page "b1"', 'Remove navigation item "b1"']),
    "orphans, in the order of the entries": (
        two_pages("a1", "b1", "x", "y"), ("pages", 1, "id"),
        ['Use "y" instead of "b1"', 'Add an entry for "y"']),
    "duplicate, of which one is used by another name": (
        two_pages("home", "more", "home", "home"), ("pages", 1, "id"),
        ['Rename to "more"', 'Rename to "home-2"', 'Remove Page "x"']),
    "dangling, with one column": (
        block(TABLE.replace(', {"key": "total"}]', '], "filter": {"field": "kind"}')), "field",
        ['Use "status"', 'Add a Column "kind"']),
    "no entries": (
        re.sub(r'"items": \[[^]]*]', '"items": []', two_pages("", "", "home", "more")), "items",
        ["! Add a NavigationItem for each page id", "Add a NavigationItem"]),
    "no columns": (block(TABLE.replace('{"key": "status"}, {"key": "total"}', "")), "columns", ["Add a Column"]),
    "planned": (block('{"id": "a", "type": "Button", "fields": []}'), 0, []),
    "repeated": (block(TEXT.replace("{", '{"colour": "red", "colour": "blue", ', 1)), "colour", []),
    "repeated, of which only the last one counts": (
        block(TEXT.replace('"content"', '"content": "y", "content"')), "content", ["Remove this duplicate"]),
    "unknown, and may be the absent one": (
        block('{"id": "a", "type": "Text", "kopf": "q"}'), "kopf", ['Rename "kopf" to "content"']),
    "unknown, beside many others": (
        block(f'{{"id": "a", "type": "Text", "kopf": "q", {MANY_UNKNOWN}}}'), "kopf", []),
    "misspelt with a value that does not fit, beside one that does": (
        block('{"id": "m", "type": "Metric", "lable": "x", "bindng": 5}'), "bindng",
        ['Rename "bindng" to "binding"']),
    "a text among pages, without words": (
        with_page('{"id": "", "type": "Text", "content": ""}'), ("pages", 1, "type"),
        ["Wrap in a Page", "Remove Text 2"]),
    "a host in a path": (block(TABLE.replace('"/orders"', '"//example.com/orders"')), "path", ['Use "/orders"']),
    "a space in a path": (block(TABLE.replace('"/orders"', '"/orders list"')), "path", ['! Use "/orders%20list"']),
    "a path as a key": (block(TABLE.replace('"status"', '"$.status"')), (0, "key"), ['! Rename to "status"']),
    "a misspelt value of an open enum": (
        block(TABLE.replace('"status"', '"status", "type": "numbr"')), (0, "type"),
        ['! Use "number"', *(f'Use "{name}" instead of "numbr"' for name in ("string", "date", "badge"))]),
    "another word for a value of an open enum": (
        block(TABLE.replace('"status"', '"status", "type": "currency"')), (0, "type"),
        ['Use "number"', *(f'Use "{name}" instead of "currency"' for name in ("string", "date", "badge"))]),
    "a further property that is not shown": (
        block(TABLE.replace('"status"', '"status", "lable": "x"')), (0, "lable"), ['! Rename "lable" to "label"']),
    "a text among pages, with a number as its id": (
        with_page('{"id": 5, "type": "Text", "content": 6}'), ("pages", 1, "type"),
        ["Wrap in a Page", "Remove Text 2"]),
    "an id whose kebab-case is taken": (block(f"{TEXT}, {TEXT}"[::-1].replace('"a"', '"A"', 1)[::-1]), (1, "id"),
                                        ['Rename to "a-2"']),
    "duplicate, malformed": (block(f"{TEXT}, {TEXT}".replace('"a"', '"A b"')), (1, "id"),
                             ['Rename to "a-b"', 'Remove Text "x"']),
    "dangling, malformed": (FULL.replace('"pageId": "home"', '"pageId": "Other Page!"'), "pageId", ['Use "home"']),
    "a null among pages": (with_page("null"), ("pages", 1), ["! Remove null"]),
    "a text among pages": (with_page(OTHER), ("pages", 1, "type"), ["Wrap in a Page", 'Remove Text "x"']),
    "a text among pages that is never closed": (with_page(OTHER[:-1]), ("pages", 1, "type"), []),
    "a text among pages, closed by another bracket": (with_page(f"{OTHER[:-1]}]"), ("pages", 1, "type"), []),
    "a page in a section, before a block that is never closed": (block(f"{PAGE}, {TEXT[:-1]}"), 0, []),
    "an object for a list, in one that is never closed": (
        FULL.replace('[{"pageId": "home"}]}', '{"pageId": "home"}'), "items", ["! Wrap in an array"]),
    "an object for a list with a string that is never closed": (
        FULL.replace('[{"pageId": "home"}]', '{"pageId": "home", "label": "Home}'), "items", []),
    "a text among pages, which an entry opens": (
        with_page(OTHER).replace('{"pageId": "home"}', '{"pageId": "home"}, {"pageId": "b"}'), ("pages", 1, "type"),
        ["Wrap in a Page"]),
    "no sections in one of the pages": (with_page('{"id": "b", "type": "Page", "title": "x", "children": []}'),
                                        ("pages", 1, "children"), ["Add a Section", 'Remove Page "x"']),
    "a unit": (block(METRIC.replace('"Open",', '"Open", "unit": "EUR",')), "unit",
               ['Put "EUR" into "label"', 'Remove "unit" and its content']),
    "a unit that is an object": (block(METRIC.replace('"Open",', '"Open", "unit": {"a": "EUR"},')), "unit", []),
    "a unit that is no text": (block(METRIC.replace('"Open",', '"Open", "unit": 5,')), "unit", ['Remove "unit"']),
    "a unit beside a label that is no text": (
        block(METRIC.replace('"Open",', '{}, "unit": "EUR",')), "unit", []),
    "a method that may be in an unknown object": (
        block(TABLE.replace('"method": "GET"', '"http": {"method": "GET"}')), "method", ['Add "method"']),
    "several absent": (block('{"id": "a", "type": "Metric"}'), "label",
                       ['Add "label"', "Add all 2 missing properties"]),
    "absent, beside a misspelt one": (block('{"id": "a", "type": "Metric", "lable": "x"}'), "binding",
                                      ['Add "binding"']),
    "an absent reference": (two_pages("home", "x", "home", "more").replace('"pageId": "x"', ""),
                            ("items", 1, "pageId"), ['Add "pageId": "more"', 'Add "pageId": "home"']),
    "null for an enum": (FULL.replace('"stack"', "null"), "direction", ['Use "stack"']),
    "a number for an enum": (FULL.replace('"stack"', "5"), "direction",
                             ['Use "stack" instead of 5', 'Use "row" instead of 5']),
    "an object for an enum": (FULL.replace('"stack"', '{"a": "stack"}'), "direction", []),
    "an object for a type": (block(TEXT.replace('"Text"', '{"a": "b"}')), "type", []),
    "null for a type": (block(TEXT.replace('"Text"', "null")), "type",
                        [f'Use "{name}" instead of null' for name in BLOCK_TYPES]),
    "a type like one, the properties of another": (
        block('{"id": "a", "type": "Metrc", "content": "x"}'), "type",
        ['Use "Metric"', 'Use "Text" instead of "Metrc"',
         *(f'Use "{name}" instead of "Metrc"' for name in BLOCK_TYPES if name not in ("Metric", "Text"))]),
}  # fmt: skip


@pytest.mark.parametrize(("text", "name", "titles"), FIXES.values(), ids=FIXES)
def test_fixes_of_a_diagnostic(text: str, name: str | int | tuple[str | int, ...], titles: list[str]) -> None:
    document = read(text)
    analysis = Analysis(document)
    end = name if isinstance(name, tuple) else (name,)
    diagnostic = next(
        diagnostic for diagnostic in analysis.diagnostics if diagnostic.path and diagnostic.path[-len(end) :] == end
    )
    found = find_fixes(analysis, diagnostic)
    assert [("! " if fix.is_safe else "") + fix.title for fix in found] == titles
    for fix in found:
        assert diagnostic.path not in {
            remaining.path
            for remaining in Analysis(read(apply(text, fix.edits))).diagnostics
            if remaining.code == diagnostic.code
        }


# Structure ------------------------------------------------------------------------------------------------------------

# Text, path of a diagnostic → the title of a fix that makes the document valid.
STRUCTURE = {
    "a page in a section": (block(f"{PAGE}, {TEXT}"), 0, 'Move after Page "Home"'),
    "a section among pages": (with_page(SECTION.replace("@", OTHER)), "type", "Wrap in a Page"),
    "a text among pages": (with_page(OTHER), "type", "Wrap in a Page"),
    "a section in a section": (block(f'{TEXT}, {SECTION.replace("@", OTHER)}'), 1, 'Move after Section "main"'),
    "a boolean for a string": (block(TEXT.replace('"x"', "true")), "content", 'Convert to a string: "true"'),
    "an id of a node of no known type": (block(f'{TEXT}, {{"id": "a", "type": "Text", "content": "y"}}'), "id",
                                         'Rename to "a-2"'),
}  # fmt: skip


@pytest.mark.parametrize(("text", "step", "title"), STRUCTURE.values(), ids=STRUCTURE)
def test_one_edit_fixes_the_structure(text: str, step: Any, title: str) -> None:
    document = read(text)
    analysis = Analysis(document)
    diagnostic = next(diagnostic for diagnostic in analysis.diagnostics if diagnostic.path[-1:] == (step,))
    fix = {fix.title: fix for fix in find_fixes(analysis, diagnostic)}[title]
    assert not fix.is_safe
    assert not any(map(is_error, Analysis(read(apply(text, fix.edits))).diagnostics))


NO_LINKS = ('{"items": [{"pageId": "home"}]}', '{"items": []}')
NEW_PAGE = f"""{{
      "id": "page-1",
      "type": "Page",
      "title": "TODO",
      "children": [
        {{
          "id": "section-1",
          "type": "Section",
          "direction": "stack",
          "children": [
            {OTHER}
          ]
        }}
      ]
    }}"""
COLOUR = block(TEXT.replace("}", ', "colour": "red"}'))
# Text, end of the path of a diagnostic, title of a fix → the text after the fix.
MOVED = {
    "into an object": (COLOUR, "colour", 'Move "colour" to "meta"',
                       block(TEXT).replace('"meta": {}', '"meta": {"colour": "red"}')),
    "beside one of the same name": (
        COLOUR.replace('"meta": {}', '"meta": {"colour": 1}'), "colour", 'Move "colour" to "meta"',
        block(TEXT).replace('"meta": {}', '"meta": {"colour-2": "red", "colour": 1}')),
    "into a new object": (
        COLOUR.replace('"meta": {},', ""), "colour", 'Move "colour" to "meta"',
        block(TEXT).replace('"meta": {},', '\n  "meta": {\n    "colour": "red"\n  },\n  ')),
    "into the object beside it": (
        block(METRIC.replace(BINDING, '{"path": "/a"}').replace('"label"', '"jsonPath": "b", "label"')), "jsonPath",
        'Move "jsonPath" to "binding"', block(METRIC.replace(BINDING, '{"valuePath": "b", "path": "/a"}'))),
    "into the text that it is a part of": (
        block(METRIC.replace('"Open",', '"Open", "unit": "EUR",')), "unit", 'Put "EUR" into "label"',
        block(METRIC.replace('"Open"', '"Open (EUR)"'))),
    "into a new page, without an entry where there is none": (
        with_page(OTHER).replace(*NO_LINKS), "type", "Wrap in a Page", with_page(NEW_PAGE).replace(*NO_LINKS)),
}  # fmt: skip


@pytest.mark.parametrize(("text", "name", "title", "after"), MOVED.values(), ids=MOVED)
def test_content_is_moved(text: str, name: str, title: str, after: str) -> None:
    analysis = Analysis(read(text))
    diagnostic = next(diagnostic for diagnostic in analysis.diagnostics if diagnostic.path[-1:] == (name,))
    (fix,) = [fix for fix in find_fixes(analysis, diagnostic) if fix.title == title]
    assert apply(text, fix.edits) == after


# Text, path of a diagnostic → the titles of the fixes that are probably meant, which editors prefer.
LIKELY = {
    "a type like one, the properties of another": (
        block('{"id": "a", "type": "Metrc", "content": "x"}'), ("type",), ['Use "Metric"']),
    "another word for a type": (block(TEXT.replace('"Text"', '"DataGrid"')), ("type",), ['Use "Table"']),
    "an id in another style": (block(TEXT.replace('"a"', '"Order_Total 2"')), ("id",), ['Rename to "order-total-2"']),
    "duplicate, of which one is used by another name": (
        two_pages("home", "more", "home", "home"), ("pages", 1, "id"), ['Rename to "more"']),
    "orphan": (FULL.replace('"pageId": "home"', '"pageId": "start"'), ("pages", 0, "id"),
               ['Use "home" instead of "start"']),
    "orphan, malformed": (two_pages("home", "order-list", "home", "orderList"), ("pages", 1, "id"),
                          ['Rename to "order-list"']),
    "dangling, with a malformed definition": (
        two_pages("home", "order-list", "home", "Order List"), ("items", 1, "pageId"),
        ['Rename "Order List" to "order-list"']),
    "dangling, with an empty definition": (two_pages("home", "stock", "home", ""), ("items", 1, "pageId"), []),
    "orphans": (two_pages("a1", "b1", "x", "y"), ("pages", 1, "id"), []),
    "dangling": (FULL.replace('"pageId": "home"', '"pageId": "start"'), ("pageId",), ['Use "home"']),
    "dangling twice": (two_pages("a1", "b1", "x", "y"), ("items", 1, "pageId"), []),
    "a path without a slash": (block(TABLE.replace('"/orders"', '"api/orders"')), ("path",), ['Use "/api/orders"']),
    "no entries": (
        re.sub(r'"items": \[[^]]*]', '"items": []', two_pages("", "", "home", "more")), ("items",),
        ["Add a NavigationItem for each page id"]),
    "a null that is required": (block(TEXT.replace('"x"', "null")), ("content",), []),
}  # fmt: skip


@pytest.mark.parametrize(("text", "end", "titles"), LIKELY.values(), ids=LIKELY)
def test_the_fix_that_is_probably_meant_is_known(text: str, end: tuple[str | int, ...], titles: list[str]) -> None:
    analysis = Analysis(read(text))
    diagnostic = next(diagnostic for diagnostic in analysis.diagnostics if diagnostic.path[-len(end) :] == end)
    assert [fix.title for fix in find_fixes(analysis, diagnostic) if fix.is_in_hint] == titles


@pytest.mark.parametrize("space", ["", " "], ids=["minified", "with spaces"])
def test_a_new_node_has_the_spaces_of_a_text_in_one_line(space: str) -> None:
    text = json.dumps(json.loads(with_page(OTHER.replace('"x"', '"x: y"'))), separators=("," + space, ":" + space))
    analysis = Analysis(read(text))
    diagnostic = next(diagnostic for diagnostic in analysis.diagnostics if diagnostic.path == ("pages", 1, "type"))
    after = apply(text, find_fixes(analysis, diagnostic)[0].edits)
    assert after == json.dumps(json.loads(after), separators=("," + space, ":" + space))


def test_a_part_of_a_binding_becomes_no_text() -> None:
    analysis = Analysis(read(block('{"id": "a", "type": "Text", "valuePath": "data.name"}')))
    (unknown,) = [diagnostic for diagnostic in analysis.diagnostics if diagnostic.path[-1:] == ("valuePath",)]
    assert find_fixes(analysis, unknown) == []


@given(mutants)
def test_no_first_fix_loses_content(value: Any) -> None:
    text = json.dumps(value)
    document = read(text)
    analysis = Analysis(document)
    for diagnostic in analysis.diagnostics:
        for fix in find_fixes(analysis, diagnostic)[:1]:
            after = read(apply(text, fix.edits))
            lost = scalars(document.value) - scalars(after.value)
            here = value_at(document.value, diagnostic.path)
            assert {*lost} <= {json.dumps(here), '""', "true", "false", *map(json.dumps, WORDS), *ids_in(document)}, (
                fix.title
            )


WORDS = {*VOCABULARY.nodes, "stack", "row"}
"""What a node around others has besides its id and its texts."""


def ids_in(document: Document) -> set[str]:
    """Return the names in a document, as JSON."""
    return {json.dumps(name.text) for name in all_names(document)}


# No fix does harm -----------------------------------------------------------------------------------------------------


@given(mutants | sound_documents, st.sampled_from([2, None]))
def test_a_fixed_document_has_no_new_faults_and_nothing_is_lost(value: Any, indent: int | None) -> None:
    before = read(json.dumps(value, ensure_ascii=False, indent=indent))
    after = apply_safe_fixes(Analysis(before)).document
    if after is before:
        return
    assert Analysis(before).diagnostics
    assert after.valid
    assert Placeholder.about.code not in {diagnostic.code for diagnostic in Analysis(after).diagnostics}
    assert apply_safe_fixes(Analysis(after)).document is after
    touched = {diagnostic.path for diagnostic in Analysis(before).diagnostics} | {
        seen.path for seen in all_names(before)
    }
    lost = scalars(before.value) - scalars(after.value)
    assert lost <= scalars([value_at(before.value, path) for path in touched if path])


def scalars(value: Any) -> Counter[str]:
    """Return the scalars in a value as JSON, except null."""
    return Counter(text for _, text in leaves(value) if text not in ("null", "{}", "[]"))
