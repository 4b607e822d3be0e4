"""Document highlight."""

import pytest

from tests.rui_lsp.marked import CURSOR, opened, unmark

KINDS = {2: "read", 3: "write"}


def check(marked, encoding="utf-16"):
    """The highlights and their kinds equal the marks."""
    text, marks = unmark(marked)
    at = opened(text, encoding=encoding)
    shift = len(CURSOR)
    expected = [
        (start - shift * (start > at.cursor), end - shift * (end > at.cursor), kind) for start, end, kind in marks
    ]  # the cursor has no width
    found = at.request("textDocument/documentHighlight")
    assert [(*at.span(item["range"]), KINDS[item["kind"]]) for item in found or []] == expected


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
def test_a_page(encoding):
    check(
        """\
{"navigation": {"items": [
  {"pageId": "ho<|>me"},
              ^^^^^^^ read
  {"😀": "é", "pageId": "home"},
                        ^^^^ read
  {"pageId": "home-2"}]},
 "pages": [
  {"id": "home", "type": "Page"},
          ^^^^ write
  {"id": "home-2"}]}
""",
        encoding,
    )


def test_duplicates_show_each_other():
    check(
        """\
{"pages": [{"id": "b"},
  {"id": "a", "type": "Page", "children": [
          ^ write
    {"id": "<|>a", "type": "Section"}]},
            ^^^^ write
"""
    )
