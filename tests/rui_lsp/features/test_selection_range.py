"""Selection ranges."""

import pytest

from tests.rui_lsp.marked import broken_texts, opened


def chain(editor, item):
    while item is not None:
        yield editor.shown(item["range"])
        item = item.get("parent")


def check(marked, *expected):
    """`expected` are the texts of successive selections."""
    editor = opened(marked)
    params = editor.params()
    (found,) = editor.request("textDocument/selectionRange", positions=[params["position"]])
    assert list(chain(editor, found)) == [*expected]


PAGES = ' {"pages": [\n{"id": "a-1", "title": "At 😀 home"} , {}\n]}'


@pytest.mark.parametrize(
    ("marked", "expected"),
    [
        ("ho<|>me", ["home", "At 😀 home", '"At 😀 home"', '"title": "At 😀 home"']),
        ("a-<|>1", ["a-1", '"a-1"', '"id": "a-1"']),
        ("ti<|>tle", ["title", '"title"', '"title": "At 😀 home"']),
    ],
)
def test_from_a_word_to_the_root(marked, expected):
    inner = '"id": "a-1", "title": "At 😀 home"'
    selections = [inner, f"{{{inner}}}", f"{{{inner}}} , {{}}", f"[\n{{{inner}}} , {{}}\n]"]
    pages = f'"pages": {selections[-1]}'
    check(PAGES.replace(marked.replace("<|>", ""), marked), *expected, *selections, pages, f"{{{pages}}}", PAGES)


def test_every_range_lies_in_the_next():
    for text in broken_texts():
        editor = opened(text)
        for editor.cursor in range(0, len(text), 101):
            params = editor.params()
            (item,) = editor.request("textDocument/selectionRange", positions=[params["position"]])
            while "parent" in item:
                inner, outer = editor.span(item["range"]), editor.span(item["parent"]["range"])
                assert outer[0] <= inner[0] <= inner[1] <= outer[1]
                assert inner != outer
                item = item["parent"]
