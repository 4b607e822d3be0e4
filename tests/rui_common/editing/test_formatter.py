r"""The formatter: its layout, the content that it preserves, and the texts that it rejects."""

import json
import re
from typing import Any

import pytest
from hypothesis import assume, given

from rui_common.editing.formatter import CannotFormatError, format_document
from rui_common.editing.normal_form import normalize
from rui_common.syntax.document import read
from rui_common.validation.analysis import Analysis, validate
from tests.support.corpus import Case, read_cases
from tests.support.strategies import mutants

CASES = read_cases()

AUTHORED = r"""
{"pages": [
  {"type": "Page", "id": "orders", "title": "Orders \u00e9 é \/", "children": [{
    "id": "main", "direction": "row", "type": "Section", "children": [
      {"content": "x", "type": "Text", "id": "note"},
      {"id": "list", "type": "Table", "filter": {"options": [{"value": "a", "label": "A"}], "field": "status"},
       "columns": [{"key": "status", "width": 1.0, "align": ["left", 1e2, -0, null]}, {"zz": {}, "key": "total"}],
       "binding": {"path": "/orders", "type": "read", "method": "GET"}}]}]}],
 "navigation": {"items": [{"label": "Orders", "pageId": "orders"}]},
 "meta": {}, "version": "0.1", "extra": [[], [1, 2], [[3]]]}
"""
CANONICAL = r"""{
  "version": "0.1",
  "meta": {},
  "navigation": {
    "items": [
      {"pageId": "orders", "label": "Orders"}
    ]
  },
  "pages": [
    {
      "id": "orders",
      "type": "Page",
      "title": "Orders \u00e9 é \/",
      "children": [
        {
          "id": "main",
          "type": "Section",
          "direction": "row",
          "children": [
            {
              "id": "note",
              "type": "Text",
              "content": "x"
            },
            {
              "id": "list",
              "type": "Table",
              "binding": {
                "type": "read",
                "method": "GET",
                "path": "/orders"
              },
              "columns": [
                {
                  "key": "status",
                  "align": ["left", 1e2, -0, null],
                  "width": 1.0
                },
                {
                  "key": "total",
                  "zz": {}
                }
              ],
              "filter": {
                "field": "status",
                "options": [
                  {"label": "A", "value": "a"}
                ]
              }
            }
          ]
        }
      ]
    }
  ],
  "extra": [
    [],
    [1, 2],
    [
      [3]
    ]
  ]
}
"""


def test_the_layout() -> None:
    check(AUTHORED, CANONICAL)


SMALL = {
    "an empty object": ("{ }", "{}\n"),
    "a root of scalars": ('{"version":"0.1"}', '{\n  "version": "0.1"\n}\n'),
    "a node of scalars": ('{"pages":[{"id":"a"}]}', '{\n  "pages": [\n    {\n      "id": "a"\n    }\n  ]\n}\n'),
    "an element of scalars": ('{"pages":[{"no":1}],"x":[{"a":1}]}', (
        '{\n  "pages": [\n    {\n      "no": 1\n    }\n  ],\n  "x": [\n    {"a": 1}\n  ]\n}\n')),
    "an unsorted value deep in a sorted one": ('{"x":[{"a":[{"c":1,"b":2}]}]}', (
        '{\n  "x": [\n    {\n      "a": [\n        {"b": 2, "c": 1}\n      ]\n    }\n  ]\n}\n')),
    "a byte-order mark": ('\ufeff{"x":1}', '\ufeff{\n  "x": 1\n}\n'),
    "crlf": ('{\r\n"x":1}', '{\r\n  "x": 1\r\n}\r\n'),
    "crlf in the second line": ('{\n"x":\r\n1}', '{\n  "x": 1\n}\n'),
}  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), SMALL.values(), ids=SMALL)
def test_small_documents(text: str, expected: str) -> None:
    check(text, expected)


def check(text: str, expected: str | None) -> None:
    """Format a text and compare the result with `expected`, if given. Check the guarantees of the formatter."""
    before = read(text)
    formatted = format_document(Analysis(before))
    assert expected is None or formatted == expected
    after = read(formatted)
    assert format_document(Analysis(after)) == formatted
    assert json.dumps(after.value) == json.dumps(normalize(validate(before.value).tree))
    assert sorted(spelling(text)) == sorted(spelling(formatted))


def spelling(text: str) -> list[str]:
    """Return the strings, numbers and words of a JSON text as they are written."""
    return re.findall(r'"(?:[^"\\]|\\.)*"|[-+.\w]+', text)


@given(mutants)
def test_any_document(value: Any) -> None:
    assume(not any(finding.about_root for finding in Analysis(read(json.dumps(value))).findings))
    check(json.dumps(value), None)


@pytest.mark.parametrize("case", [case for case in CASES if read(case.source).valid], ids=lambda case: case.id)
def test_the_corpus(case: Case) -> None:
    document = read(case.source)
    is_rui = not any(finding.about_root for finding in Analysis(document).findings)
    if isinstance(document.value, dict) and not document.duplicate_keys() and is_rui:
        check(document.text, None)
    else:
        with pytest.raises(CannotFormatError):
            format_document(Analysis(document))


# Texts with the position of the error marked by ‸.
REFUSED = {
    "broken": '{"meta": {‸,}}',
    "repeated key": '{"meta": {‸"a": 1, "b": 2, "a": 3}}',
    "array": "‸[1]",
    "string": '‸"a"',
    "empty": "‸",
}


@pytest.mark.parametrize("marked", REFUSED.values(), ids=REFUSED)
def test_what_would_lose_something_is_refused(marked: str) -> None:
    with pytest.raises(CannotFormatError) as caught:
        format_document(Analysis(read(marked.replace("‸", ""))))
    assert caught.value.offset == marked.index("‸")
