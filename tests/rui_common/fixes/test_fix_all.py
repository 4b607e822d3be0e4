"""Fix all: every fault that can be fixed safely is fixed, also next to faults that cannot."""

import json
import random
from collections import Counter
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.breaking_text import TEXT_BREAKS
from benchmarks.sample import sample_text
from rui_common.fixes import fix_all
from rui_common.fixes.fix_all import apply_safe_fixes
from rui_common.syntax.document import read
from rui_common.syntax.tree import Member, Members
from rui_common.validation.diagnostics import diagnose

PASTED = """\
Sure! Here is the "Order desk" as a RUI document:

```json
{
  // Version of the format
  "version": "0.1",
  'meta': {"title": “Order desk”, "draft": True,},
  "navigation": {"items": [{"pageId": "Orders"}; {"pageId": "stock"}]},
  "pages": [
    {
      "id": "Orders",  # the first page
      "type": "Page"
      "title": "All orders",
      "children": [
        {
          id: "main",
          "type" = "Section",
          "direction": "Stack",
          "children": [
            {"id": "open", "type": "Metric", "lable": "Open orders", "binding":
              {"type": "read", "method": "get", "path": "api/orders", "valuePath": "$.data.open"}},
            {"id": "late", "type": "Text", "content": "Late"},
            ...
          ]
        }
      ]
    },
    /* more pages
       follow */
    {"id": "stock", "type": "Page", "title": "Stock", "children": [
      {"id": "rest", "type": "Section", "direction": "row", "children": [{"id": "t", "type": "Text", "content": "x"}]}
    ]}
  ]
}
```

Let me know if "Stock" needs more blocks!
"""
FIXED = """\
{
  "version": "0.1",
  "meta": {"title": "Order desk", "draft": true},
  "navigation": {"items": [{"pageId": "orders"}, {"pageId": "stock"}]},
  "pages": [
    {
      "id": "orders",
      "type": "Page",
      "title": "All orders",
      "children": [
        {
          "id": "main",
          "type" : "Section",
          "direction": "stack",
          "children": [
            {"id": "open", "type": "Metric", "label": "Open orders", "binding":
              {"type": "read", "method": "GET", "path": "/api/orders", "valuePath": "data.open"}},
            {"id": "late", "type": "Text", "content": "Late"}
          ]
        }
      ]
    },
    {"id": "stock", "type": "Page", "title": "Stock", "children": [
      {"id": "rest", "type": "Section", "direction": "row", "children": [{"id": "t", "type": "Text", "content": "x"}]}
    ]}
  ]
}"""


def test_pasted_output_of_a_model_loses_exactly_what_is_wrong() -> None:
    fixed = apply_safe_fixes(read(PASTED))
    assert diagnose(fixed) == []
    assert fixed.text.strip() == FIXED


UNFIXABLE = {
    "a missing value": ('"title": "All orders"', '"title": '),
    "a missing bracket": ("    },\n    /* more", "    ,\n    /* more"),
    "an end that is missing": ('  ]\n}\n```\n\nLet me know if "Stock" needs more blocks!\n', ""),
    "a quote in a string": ('"All orders"', '"All "open" orders"'),
    "a planned type": ('"type": "Text", "content": "x"', '"type": "Form"'),
}


@pytest.mark.parametrize(("old", "new"), UNFIXABLE.values(), ids=UNFIXABLE)
def test_a_fault_without_a_safe_fix_blocks_no_other(old: str, new: str) -> None:
    assert PASTED.count(old) == 1
    fixed = apply_safe_fixes(read(PASTED.replace(old, new)))
    assert 1 <= len(diagnose(fixed)) <= 4
    for text in ("//", "```", "...", "/*", "True", "=", "lable", '"get"', "“"):
        assert text not in fixed.text, text
    check_stable(fixed.text)


def check_stable(text: str) -> None:
    document = read(text)
    assert apply_safe_fixes(document) is document


@st.composite
def broken_texts(draw: st.DrawFn) -> str:
    """Draw a document whose text and content are broken in up to four ways."""
    chance = random.Random(draw(st.integers(0, 10_000)))
    text = sample_text(1_500, seed=draw(st.integers(0, 20)), indent=draw(st.sampled_from([2, None])))
    text = text.replace('"label"', draw(st.sampled_from(['"label"', '"lable"'])), 1)
    for name in draw(st.lists(st.sampled_from(sorted(TEXT_BREAKS)), max_size=4)):
        try:
            text = TEXT_BREAKS[name](text, chance)
        except (ValueError, IndexError):  # nothing is left that this break could change
            continue
    return text


@given(broken_texts())
def test_fixing_again_changes_nothing(text: str) -> None:
    before = read(text)
    after = apply_safe_fixes(before)
    assert len(after.all_syntax) <= len(before.all_syntax)
    assert len(diagnose(after)) <= len(diagnose(before)) or len(after.all_syntax) < len(before.all_syntax)
    check_stable(after.text)


@given(broken_texts())
def test_no_content_is_lost(text: str) -> None:
    """Every string with a space in the value that the parser recovered remains."""
    before = read(text)
    after = apply_safe_fixes(before)
    if isinstance(before.value, dict) and len(before.value) > 1:
        assert len(strings(after.value)) >= len(strings(before.value))
        assert not strings(before.value) - strings(after.value)


def strings(value: object) -> Counter[str]:
    """Return the strings with a space, which no fix changes."""
    text = json.dumps(value)
    found = Counter[str]()
    decoder = json.JSONDecoder()
    at = text.find('"')
    while at >= 0:
        string, at = decoder.raw_decode(text, at)
        found[string] += " " in string
        at = text.find('"', at)
    return +found


def test_many_broken_places_are_fixed() -> None:
    text = sample_text(30_000)
    broken = text.replace('"label": ', "label: ").replace(",\n", ", // words\n")
    assert len(read(broken).all_syntax) > 200
    assert apply_safe_fixes(read(broken)).text == text


def test_the_work_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fix_all, "MAX_READ", 5_000)
    text = sample_text(30_000).replace('"label": ', "label: ")
    fixed = apply_safe_fixes(read(text))
    assert 0 < len(fixed.all_syntax) <= len(read(text).all_syntax)


OTHER_STRUCTURES = """\
{
  "version": "0.1",
  "meta": {},
  "menu": [{"page": "Home"}, {"page": "stock"}],
  "pages": {
    "Home": {"title": "Home", "sections": {
      "id": "main", "layout": "row", "blocks": {"id": "note", "type": "Text", "text": "a"}}},
    "stock": {"name": "Stock", "children": {
      "left": {"direction": "row", "children": [
        {"id": "list", "type": "Table", "binding": [{"url": "/a"}],
         "columns": {"number": {"label": "No."}, "left": {}}, "filter": [{"field": "number"}]},
        {"id": "low", "type": "Table", "binding": {"url": "/b"}, "columns": {
          "article": {
            "label": "Article"
          },
          "left": {
            "label": "Left"
          }
        }}]},
      "right": {"direction": "stack", "children": {"blocks": [{"id": "late", "type": "Text", "content": "Late"}]}}}}
  }
}
"""


def test_values_of_another_structure_keep_their_content() -> None:
    # `{}` is no column, so the columns of the first table are left.
    broken = OTHER_STRUCTURES.replace('"left": {}}', '"left": {"label": "Left"}}')
    assert [one.code for one in diagnose(apply_safe_fixes(read(OTHER_STRUCTURES)))] == ["INVALID_PROP_TYPE"]
    fixed = apply_safe_fixes(read(broken))
    assert diagnose(fixed) == []
    first, second = fixed.value["pages"]
    assert [item["pageId"] for item in fixed.value["navigation"]["items"]] == ["home", "stock"]
    assert first["children"][0]["children"] == [{"id": "note", "type": "Text", "content": "a"}]
    left, right = second["children"]
    assert (left["id"], right["id"], right["children"][0]["content"]) == ("left", "right", "Late")
    assert left["children"][0]["columns"] == [{"key": "number", "label": "No."}, {"key": "left", "label": "Left"}]
    assert left["children"][0]["filter"] == {"field": "number"}
    column = '          {\n            "key": "article",\n            "label": "Article"\n          },'
    assert column in fixed.text


HELD = """\
{"version": "0.1", "meta": {}, "navigation": {"items": [{"pageId": "Home"}]}, "pages": [
  {"id": "Home", "type": "Page", "props": {"title": "Home", "sections": [
    {"type": "Section", "attributes": {"id": "main", "layout": "row"}, "children": [
      {"id": "a", "type": "kpi", "options": {
        "title": "Open",
        "query": {"url": "/a", "parse": {"selector": "$.data.open"}}
      }},
      {"id": "b", "type": "Table", "config": {
        "source": {"url": "/a"}, "table": {"columns": {"number": {"header": "No."}}}}}
    ]}]}}]}
"""


def test_properties_one_level_too_deep_are_kept() -> None:
    fixed = apply_safe_fixes(read(HELD))
    assert diagnose(fixed) == []
    (page,) = fixed.value["pages"]
    (section,) = page["children"]
    metric, table = section["children"]
    assert (page["id"], page["title"], section["id"], section["direction"]) == ("home", "Home", "main", "row")
    assert (metric["label"], metric["binding"]["path"], metric["binding"]["valuePath"]) == ("Open", "/a", "data.open")
    assert (table["binding"]["path"], table["columns"]) == ("/a", [{"key": "number", "header": "No."}])


MANY = ["[" + "0," * 1_999 + "0]", "[{" + ", ".join(f'"k{n}": 0' for n in range(2_000)) + "}]"]


@pytest.mark.parametrize("items", MANY, ids=["elements", "properties"])
def test_many_findings_in_one_list_are_read_once(items: str, monkeypatch: pytest.MonkeyPatch) -> None:
    document = read(f'{{"version": "0.1", "meta": {{}}, "navigation": {{}}, "pages": {items}}}')
    count = 0
    original = Members.__iter__

    def counted(members: Members) -> Iterator[Member]:
        nonlocal count
        for member in original(members):
            count += 1
            yield member

    monkeypatch.setattr(Members, "__iter__", counted)
    apply_safe_fixes(document)
    assert count < 20 * 2_000


@pytest.mark.parametrize("text", ["// a note", "/* a note */", "# a note\n", "...", "// one\n// two\n"])
def test_a_text_without_a_value_keeps_its_comments(text: str) -> None:
    assert apply_safe_fixes(read(text)).text == text
