"""Snippets in the syntax of LSP."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rui_common.editing.generate import ValueGenerator
from rui_common.editing.snippets import Snippet, TabStop, property_snippet, shape_snippet
from rui_common.syntax.document import read
from rui_common.validation.analysis import Analysis
from rui_common.vocabulary.rui_0_1 import SECTION, TEXT, VOCABULARY
from rui_common.vocabulary.schema import Prop, Shape
from rui_lsp.convert import to_lsp
from tests.rui_lsp.marked import accept_defaults, choices_in

ODD_TEXT = st.text(st.sampled_from("$\\{}|,:/\n\r\t1a 0é😀\"'`"), min_size=1, max_size=8)
ODD_CHOICE = st.lists(ODD_TEXT, min_size=1, max_size=4).map(lambda texts: TabStop(texts[0], tuple(texts)))
ODD_PARTS = st.lists(
    st.one_of(ODD_TEXT, st.one_of(st.just(""), ODD_TEXT).map(TabStop), ODD_CHOICE), min_size=1, max_size=5
)


def generator() -> ValueGenerator:
    empty = Analysis(read(""))
    return ValueGenerator(empty, empty.tree.root)


def object_snippet(shape: Shape) -> Snippet:
    return shape_snippet(shape, generator().new_object(shape), is_element=False)


def member_snippet(prop: Prop) -> Snippet:
    return property_snippet(prop, generator().new_value(prop))


SNIPPETS = [
    *(object_snippet(shape) for shape in VOCABULARY.shapes.values()),
    *(member_snippet(prop) for shape in VOCABULARY.shapes.values() for prop in shape.props.values()),
]


def test_tab_stops_are_numbered_in_text_order_and_a_name_changes_with_its_uses() -> None:
    assert to_lsp(object_snippet(TEXT)) == ('{\n  "id": "${1:text-1}",\n  "type": "Text",\n  "content": "${2:TODO}"\n}')
    assert to_lsp(member_snippet(SECTION.props["direction"])) == '"direction": "${1|stack,row|}"'
    snippet = to_lsp(object_snippet(VOCABULARY.root))
    for part in ('"title": "${1:TODO}"', '"pageId": "${2:page-1}"', '"id": "${2}"'):
        assert part in snippet


@pytest.mark.parametrize("snippet", SNIPPETS)
def test_a_client_that_accepts_all_defaults_gets_the_plain_text(snippet: Snippet) -> None:
    assert accept_defaults(to_lsp(snippet)) == snippet.text


@pytest.mark.parametrize(
    ("snippet", "expected"),
    [
        (Snippet(("$a\\ {b}",)), "\\$a\\\\ {b}"),
        (Snippet((TabStop("$}\\"),)), "${1:\\$\\}\\\\}"),
        (Snippet((TabStop("a,b", ("a,b", "c|d")),)), "${1|a\\,b,c\\|d|}"),
        (Snippet((TabStop("/orders/{id}", ("/orders/{id}", "$\\")),)), "${1|/orders/{id},$\\\\|}"),
        (Snippet((TabStop("a", ("a",)),)), "${1:a}"),
        (Snippet((TabStop("a", ("a", "", "b")),)), "${1|a,b|}"),
        (Snippet((TabStop("", ("", "a")),)), "${1}"),
        (Snippet(("[", TabStop(is_final=True), "]", TabStop(), "1")), "[${0}]${1}1"),
    ],
)
def test_special_characters_are_escaped(snippet: Snippet, expected: str) -> None:
    assert to_lsp(snippet) == expected


@given(parts=ODD_PARTS)
def test_any_text_comes_back(parts: list[str | TabStop]) -> None:
    snippet = Snippet(tuple(parts))
    for with_choices in (True, False):
        written = to_lsp(snippet, with_choices=with_choices)
        assert accept_defaults(written) == snippet.text
        choices = [list(part.choices) for part in parts if isinstance(part, TabStop) and len(part.choices) > 1]
        assert choices_in(written) == (choices if with_choices else [])
