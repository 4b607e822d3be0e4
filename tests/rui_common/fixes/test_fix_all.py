"""Fix all: every fault that can be fixed safely is fixed, also next to faults that cannot."""

import json
import re
from collections import Counter

import pytest
from hypothesis import given

from rui_common.fixes import fix_all
from rui_common.fixes.fix_all import FIXED_IN_PART, NONE_IS_SAFE, apply_safe_fixes, fix_all_safe
from rui_common.fixes.quick_fixes import find_fixes
from rui_common.syntax.document import read
from rui_common.syntax.recovery import budget
from rui_common.validation.analysis import Analysis
from tests.inputs.breaking_text import broken_texts
from tests.inputs.sample import sample_text
from tests.support.small import block

FIXED = """\
{
  // Version of the format
  "version": "0.1",
  "meta": {"title": "Order desk", "draft": true},
  "navigation": {"items": [{"pageId": "orders"}, {"pageId": "stock"}]},
  "pages": [
    {
      "id": "orders",  # the first page
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
    /* more pages
       follow */
    {"id": "stock", "type": "Page", "title": "Stock", "children": [
      {"id": "rest", "type": "Section", "direction": "row", "children": [{"id": "t", "type": "Text", "content": "x"}]}
    ]}
  ]
}"""
# Texts in FIXED, and what the model has written instead.
SLIPS = [
    ('"meta":', "'meta':"), ('"Order desk", "draft": true}', "“Order desk”, \"draft\": True,}"),
    ('"orders"}, {', '"Orders"}; {'), ('"id": "orders"', '"id": "Orders"'),
    ('"Page",\n      "title"', '"Page"\n      "title"'),
    ('"id": "main"', 'id: "main"'), ('"type" : "Section"', '"type" = "Section"'), ('"stack"', '"Stack"'),
    ('"label": "Open', '"lable": "Open'), ('"GET", "path": "/api', '"get", "path": "api'),
    ('"data.open"', '"$.data.open"'),
]  # fmt: skip
PASTED = FIXED
for right, wrong in SLIPS:
    assert PASTED.count(right) == 1, right
    PASTED = PASTED.replace(right, wrong)
PASTED = f"""\
Sure! Here is the "Order desk" as a RUI document:

```json
{PASTED}
```

Let me know if "Stock" needs more blocks!
"""


def test_pasted_output_of_a_model_loses_exactly_what_is_wrong() -> None:
    fixed = apply_safe_fixes(Analysis(read(PASTED))).document
    assert [fixed.text[diagnostic.span.start :][:2] for diagnostic in Analysis(fixed).diagnostics] == ["//", "# ", "/*"]
    assert fixed.text.strip() == FIXED


UNFIXABLE = {
    "a missing value": ('"title": "All orders"', '"title": '),
    "a missing bracket": ("    },\n    /* more", "    ,\n    /* more"),
    "an end that is missing": ('  ]\n}\n```\n\nLet me know if "Stock" needs more blocks!\n', ""),
    "a quote in a string": ('"All orders"', '"All "open" orders"'),
    "a planned type": ('"type": "Text", "content": "x"', '"type": "Button"'),
}


@pytest.mark.parametrize(("old", "new"), UNFIXABLE.values(), ids=UNFIXABLE)
def test_a_fault_without_a_safe_fix_blocks_no_other(old: str, new: str) -> None:
    assert PASTED.count(old) == 1
    fixed = apply_safe_fixes(Analysis(read(PASTED.replace(old, new)))).document
    assert 4 <= len(Analysis(fixed).diagnostics) <= 7
    for text in ("```", "...", "True", "=", "lable", '"get"', "“"):
        assert text not in fixed.text, text
    assert apply_safe_fixes(Analysis(fixed)).document is fixed


@given(broken_texts())
def test_broken_texts_have_fewer_errors_and_lose_no_content(text: str) -> None:
    """Every string with a space in the value that the parser recovered remains."""
    before = read(text)
    after = apply_safe_fixes(Analysis(before)).document
    assert len(after.all_syntax) <= len(before.all_syntax)
    assert len(Analysis(after).diagnostics) <= len(Analysis(before).diagnostics) or len(after.all_syntax) < len(
        before.all_syntax
    )
    assert apply_safe_fixes(Analysis(after)).document is after
    if isinstance(before.value, dict) and len(before.value) > 1:
        assert not strings(before.value) - strings(after.value)


def strings(value: object) -> Counter[str]:
    """Return the strings with a space, which no fix changes."""
    return Counter(string for string in re.findall(r'"(?:[^"\\]|\\.)*"', json.dumps(value)) if " " in string)


def test_many_broken_places_are_fixed() -> None:
    text = sample_text(10_000)
    broken = text.replace('"label": ', "label: ").replace(",\n", ";\n")
    assert len(read(broken).all_syntax) > 200
    assert apply_safe_fixes(Analysis(read(broken))).document.text == text


def test_the_work_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    """Syntax errors are fixed at once. Findings are not, once the work is done."""
    text = sample_text(3_000)
    before = read(text.replace('"valuePath": "', '"valuePath": "$.').replace(",\n", ",,\n"))
    assert apply_safe_fixes(Analysis(before)).document.text == text
    monkeypatch.setattr(fix_all, "MAX_CHARACTERS", 1)
    fixed = apply_safe_fixes(Analysis(before)).document.text
    assert fixed == text.replace('"valuePath": "', '"valuePath": "$.')


SEARCH = fix_all.SEARCH_CHARACTERS + len('"/api/a"')
"""The work to search the fix of one of ten equal findings."""


@pytest.mark.parametrize(("work", "count"), [
    (2, 0), (SEARCH, 1), (8 * SEARCH, 5), (16 * SEARCH, 9), (100 * SEARCH, 10),
])  # fmt: skip
def test_half_of_the_work_is_to_search_fixes(work: int, count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The other half is to apply them."""
    binding = '{"type": "read", "method": "GET", "path": "api/a", "valuePath": "a"}'
    metrics = [f'{{"id": "m{index}", "type": "Metric", "label": "x", "binding": {binding}}}' for index in range(10)]
    text = block(", ".join(metrics))
    monkeypatch.setattr(fix_all, "MAX_CHARACTERS", work)
    fixed, _, note = fix_all_safe(Analysis(read(text)))
    assert fixed.document.text.count('"/api/a"') == count
    assert note == ("" if count == 10 else FIXED_IN_PART if count else NONE_IS_SAFE)


def test_thousands_of_errors_are_fixed_at_once() -> None:
    blocks = [f'{{"id": "m{index}", "type": "text", "content": "x"}}' for index in range(5_000)]
    fixed, _, note = fix_all_safe(Analysis(read(block(", ".join(blocks)))))
    assert fixed.diagnostics == []
    assert note == ""


NEEDS_TWO_ROUNDS = '{"version": "0.1", "meta": {}, "screens": [{"type": "Page", "titel": "Home"}]}'


def test_rounds_that_are_left_are_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    assert fix_all_safe(Analysis(read(NEEDS_TWO_ROUNDS))).note == ""
    monkeypatch.setattr(fix_all, "MAX_ROUNDS", 1)
    fixed, _, note = fix_all_safe(Analysis(read(NEEDS_TWO_ROUNDS)))
    assert "pages" in fixed.document.text
    assert (note, fix_all_safe(fixed).note) == (FIXED_IN_PART, "")


def test_a_text_with_thousands_of_syntax_errors_is_fixed_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    text = sample_text(40_000)
    broken = text.replace('"', "'")
    monkeypatch.setattr(budget, "FULL_STEPS", 12_000)
    assert not read(broken).is_complete
    fixed, _, note = fix_all_safe(Analysis(read(broken)))
    assert (fixed.document.text, note) == (text, "")
    monkeypatch.setattr(fix_all, "MAX_PARTS", 1)
    fixed, _, note = fix_all_safe(Analysis(read(broken)))
    assert broken.count("'") > fixed.document.text.count("'") > 0
    assert note == FIXED_IN_PART


@pytest.mark.parametrize("text", [
    "{}", '{"bed": "A1"}', '{"version": "0.1"}', '{"meta": {}}', '{"version": 0.1, "name": "shop"}', '{"a": null}',
    '{"apiVersion": "0.1", "metadata": {"name": "x"}, "status": null}', '{"info": {"title": "x"}, "pages": 3}',
    '{"Version": "0.1", "Meta": {}}', '{"pages": "12", "version": "0.1"}', '[{"pages": []}, {"pages": [1]}]',
    '{"a": {"pages": []}, "b": {"pages": {}}}',
    '{"id": "home", "type": "page", "title": "x", "children": []}', '{"id": "t", "type": "text", "content": "x"}',
    '{"version": 2, "routes": [{"src": "/a", "dest": "/b"}]}', '{"menu": {"id": "file", "value": "File"}}',
    '{"views": []}', '{"tabs": [1, 2]}', '{"screens": "none"}', '{"nav": []}',
    '{"screens": [{"title": "x"}],}', '{"compilerOptions": {"strict": True,},}', '{"name": "shop" "version": "0.1"}',
])  # fmt: skip
def test_what_is_not_known_to_be_a_rui_is_left_as_it_is(text: str) -> None:
    analysis = Analysis(read(text))
    assert fix_all_safe(analysis) == (analysis, (), "")
    fixes = [fix for diagnostic in analysis.diagnostics for fix in find_fixes(analysis, diagnostic)]
    assert not any(fix.is_safe for fix in fixes)


@pytest.mark.parametrize(("text", "after"), [
    ('{"pages": []}', '{"version": "0.1", "meta": {}, "pages": []}'),
    ('{"navigation": {}}', '{"version": "0.1", "meta": {}, "navigation": {}}'),
    ('{"screens": [{"title": "x"}]}', '{"version": "0.1", "meta": {}, "pages": [{"type": "Page", "title": "x"}]}'),
    ('{"nav": {"items": []}, "info": {}}', '{"version": "0.1", "navigation": {"items": []}, "meta": {}}'),
    ('{"version": 0.1, "meta": {}}', '{"version": "0.1", "meta": {}}'),
    ('{"pages": [], "a": null}', '{"version": "0.1", "meta": {}, "pages": []}'),
    ('{"pages": [],}', '{"version": "0.1", "meta": {}, "pages": []}'),
])  # fmt: skip
def test_a_rui_gets_what_it_lacks(text: str, after: str) -> None:
    """Also if the name of its pages or navigation is that of another system."""
    assert json.loads(apply_safe_fixes(Analysis(read(text))).document.text) == json.loads(after)


@pytest.mark.parametrize("text", ["// a note", "/* a note */", "# a note\n", "...", "// one\n// two\n"])
def test_a_text_without_a_value_keeps_its_comments(text: str) -> None:
    assert apply_safe_fixes(Analysis(read(text))).document.text == text


def test_an_edit_that_removes_no_finding_is_not_kept() -> None:
    """To wrap the pages in a list removes one finding and adds another, because a bracket is lost."""
    pages = '"pages": \n    {"id": "page-1", "type": "text", "title": "Total", "children": []}\n  ]\n}'
    start = '{\n  "version": "0.1", "meta": {}, "navigation": {"items": [{"pageId": "nowhere"}]},\n  '
    assert apply_safe_fixes(Analysis(read(start + pages))).document.text == start + pages
    # The fix of a later finding works alone.
    assert apply_safe_fixes(Analysis(read(f'{start}"extra": null,\n  {pages}'))).document.text == start + pages
