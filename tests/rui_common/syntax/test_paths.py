"""Paths as text, and their spans, for every possible property name."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rui_common.syntax.document import read
from rui_common.syntax.paths import Path, format_path, parse_path, property_name
from tests.inputs.breaking import at, places
from tests.strategies import json_values, mutants

Json = Any

odd_names = ("a", "a.b", "[0]", "0", '"', "\\", "…", "a-b_9")
names = st.text(st.characters(exclude_categories=("Cs",))) | st.sampled_from(odd_names)
paths = st.lists(names | st.integers(0, 10**9)).map(tuple)


@given(paths)
def test_a_path_reads_back(path: Path) -> None:
    assert parse_path(format_path(path)) == path


@given(paths, paths)
def test_two_paths_have_two_texts(path: Path, other: Path) -> None:
    assert (format_path(path) == format_path(other)) == (path == other)


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


@given(paths)
def test_the_name_of_a_property_is_its_last_step(path: Path) -> None:
    name = property_name(path)
    if path and isinstance(path[-1], str):
        assert name == path[-1]
    else:
        assert name == "" if not path else name.endswith(f"[{path[-1]}]")


@given(json_values | mutants, st.sampled_from([None, 2, "\t"]))
def test_the_place_of_every_value_holds_that_value(value: Json, indent: int | str | None) -> None:
    """Path → span → text → value, and from an offset in the span back to the path."""
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    document = read(text)
    assert document.valid
    for path in places(value):
        member = document.find(path)
        assert member is not None and member.span is not None
        assert json.dumps(json.loads(text[slice(*member.span)])) == json.dumps(at(value, path))
        assert document.path_at(member.span.start) == path
        assert parse_path(format_path(path)) == path
