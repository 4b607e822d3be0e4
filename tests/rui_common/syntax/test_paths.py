"""Paths as text, and their spans, for every possible property name."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rui_common.syntax.paths import Path, format_path, parse_path, property_name

odd_names = ("a", "a.b", "[0]", "0", '"', "\\", "…", "a-b_9", "-a")
names = st.text(st.characters(exclude_categories=("Cs",))) | st.sampled_from(odd_names)
paths = st.lists(names | st.integers(0, 10**9)).map(tuple)


@given(paths)
def test_a_path_reads_back(path: Path) -> None:
    assert parse_path(format_path(path)) == path


@given(st.text(st.sampled_from('a0.[]"\\-_ é\n')))
def test_any_text_is_a_path_or_refused(text: str) -> None:
    try:
        path = parse_path(text)
    except ValueError:
        return
    assert parse_path(format_path(path)) == path


NO_PATHS = (".", "a.", ".a", "a..b", "[", "[]", "[01]", "[-1]", "[a]", "['a']", 'a["b]', "a b", "é", "a[0]b")


@pytest.mark.parametrize("text", NO_PATHS)
def test_other_texts_are_not_paths(text: str) -> None:
    with pytest.raises(ValueError, match=r"from column \d+ on"):
        parse_path(text)


@pytest.mark.parametrize(("path", "name"), [
    ((), ""), ((0,), "[0]"), (("title",), "title"), (("pages", 0, "children", 2), "children[2]"),
])  # fmt: skip
def test_the_name_of_a_value_in_messages(path: Path, name: str) -> None:
    assert property_name(path) == name
