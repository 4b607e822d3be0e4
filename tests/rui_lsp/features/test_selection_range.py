"""Selection ranges."""

import pytest

from tests.rui_lsp.marked import broken_texts, opened


def chain(at, item):
    while item is not None:
        yield at.shown(item["range"])
        item = item.get("parent")


def check(marked, *expected):
    """`expected` are the texts of successive selections."""
    at = opened(marked)
    params = at.params()
    (found,) = at.request("textDocument/selectionRange", positions=[params["position"]])
    assert list(chain(at, found)) == [*expected]


PAGES = ' {"pages": [\n{"id": "a-1", "title": "At 😀 home"} , {}\n]}'


@pytest.mark.parametrize(
    ("at", "expected"),
    [
        ("ho<|>me", ["home", "At 😀 home", '"At 😀 home"', '"title": "At 😀 home"']),
        ("a-<|>1", ["a-1", '"a-1"', '"id": "a-1"']),
        ("ti<|>tle", ["title", '"title"', '"title": "At 😀 home"']),
    ],
)
def test_from_a_word_to_the_root(at, expected):
    inner = '"id": "a-1", "title": "At 😀 home"'
    around = [inner, f"{{{inner}}}", f"{{{inner}}} , {{}}", f"[\n{{{inner}}} , {{}}\n]"]
    pages = f'"pages": {around[-1]}'
    check(PAGES.replace(at.replace("<|>", ""), at), *expected, *around, pages, f"{{{pages}}}", PAGES)


def test_every_range_lies_in_the_next():
    for text in broken_texts():
        at = opened(text)
        for at.cursor in range(0, len(text), 101):
            params = at.params()
            (item,) = at.request("textDocument/selectionRange", positions=[params["position"]])
            while "parent" in item:
                inner, outer = at.span(item["range"]), at.span(item["parent"]["range"])
                assert outer[0] <= inner[0] <= inner[1] <= outer[1]
                assert inner != outer
                item = item["parent"]
