"""Documents: paths to spans and back (docs/decisions.md, section 7), and repeated keys."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rui_common.syntax.document import read
from rui_common.syntax.paths import Path, parse_path
from rui_common.syntax.spans import Span


def marked(text: str, span: Span) -> str:
    return text[slice(*span)]


@pytest.mark.parametrize(
    ("text", "path", "span"),
    [
        ("", "", (0, 0)),
        ("", "a[0]", (0, 0)),
        ("5", "", (0, 1)),
        ("5", "a", (0, 1)),
        ('{"a": 1, "b":}', "b", (0, 1)),
        ('{"a": 1, "b"}', "b", (0, 1)),
        ('"a": 1}', "", (0, 1)),
        ('{"a": "x', "a", (6, 8)),
        ('{"type": Page, "a": {', "a", (15, 18)),
        ('{"a": "one\n two"}', "a", (6, 10)),
    ],
)
def test_ranges_in_broken_texts(text: str, path: str, span: tuple[int, int]) -> None:
    assert read(text).range_of(parse_path(path)) == span


def test_of_repeated_keys_the_last_counts() -> None:
    text = '{"a": 1, "a": {"type": "x", "b": 1, "type": "y"}, "c": {}, "a": {"type": "p", "type": "q", "b": 2}}'
    document = read(text)
    assert marked(text, document.range_of(("a", "b"))) == "2"
    assert marked(text, document.range_of(("a",))) == '"q"'
    found = [(repeated.path, repeated.span.start, repeated.last.start) for repeated in document.duplicate_keys()]
    last = text.rindex('"a"')
    types = [at for at in range(len(text)) if text.startswith('"type"', at)]
    assert found == [
        (("a",), 1, last),
        (("a",), 9, last),
        (("a", "type"), types[0], types[1]),
        (("a", "type"), types[2], types[3]),
    ]


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ('<|>{"a": [1, 22]}', ""),
        ('{"a"<|>: [1, 22]}', "a"),
        ('{"a":<|> [1, 22]}', ""),
        ('{"a": [1<|>, 22]}', "a[0]"),
        ('{"a": [1,<|> 22]}', "a"),
        ('{"a": [1, 2<|>2]}', "a[1]"),
        ('{"a": [1, 22<|>]}', "a[1]"),
        ('{"a": [1, 22]}<|>', ""),
        ('{"a": {}, "b": {"c": "<|>"}}', "b.c"),
        ('{"a": {<|>}}', "a"),
        ('{"a"<|>', "a"),
        ('{"a": <|>', ""),
        ('["a"<|>"b"]', "[1]"),
        ("1<|>2", ""),
    ],
)
def test_path_at(text: str, path: str) -> None:
    offset = text.index("<|>")
    assert read(text.replace("<|>", "")).path_at(offset) == parse_path(path)


# Every node of any document


class Pairs(tuple[Any, ...]):
    """An object that may have duplicate keys."""

    __slots__ = ()


ODD_KEYS = st.sampled_from(["", "type", "a.b", "é😀", '"', "\\", "\n", "[0]", "0"]) | st.text(max_size=3)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=4) | st.lists(st.tuples(ODD_KEYS, inner), max_size=4).map(Pairs),
    max_leaves=15,
)


def written(value: Any, *, space: str) -> str:
    if isinstance(value, Pairs):
        inner = f",{space}".join(f"{json.dumps(key)}:{space}{written(below, space=space)}" for key, below in value)
        return f"{{{space}{inner}{space}}}"
    if isinstance(value, list):
        return f"[{space}" + f"{space},".join(written(below, space=space) for below in value) + f"{space}]"
    return json.dumps(value, ensure_ascii=False)


def nodes(value: object, path: Path = ()) -> list[tuple[Path, object]]:
    below: list[tuple[str | int, object]] = []
    if isinstance(value, dict):
        below = list(value.items())
    elif isinstance(value, list):
        below = list(enumerate(value))
    return [(path, value), *(node for step, inner in below for node in nodes(inner, (*path, step)))]


@given(JSON, st.sampled_from(["", " ", "\n  ", "\r\n\t"]))
def test_every_node_has_its_place(value: object, space: str) -> None:
    text = space + written(value, space=space) + space
    document = read(text)
    assert document.valid
    for path, below in nodes(document.value):
        member = document.find(path)
        assert member is not None
        assert member.span is not None
        assert json.loads(marked(text, member.span)) == below
        if member.key_span is not None:
            assert json.loads(marked(text, member.key_span)) == path[-1]
            assert document.path_at(member.key_span.start) == path
            assert document.range_of(path, key=True) == member.key_span
        assert document.path_at(member.span.start) == path
        span = document.range_of(path)
        has_type = isinstance(below, dict) and isinstance(below.get("type"), str)
        assert document.path_at(span.start) == ((*path, "type") if has_type else path)
        if not isinstance(below, dict | list):
            assert span == member.span
    # The results do not depend on the order of calls.
    again = read(text)
    for path, _ in reversed(nodes(document.value)):
        assert again.range_of(path) == document.range_of(path)


@given(JSON)
def test_all_duplicate_keys_are_reported(value: object) -> None:
    def repeats(inner: object) -> int:
        if isinstance(inner, Pairs):
            return len(inner) - len(dict(inner)) + sum(repeats(below) for _, below in inner)
        return sum(repeats(below) for below in inner) if isinstance(inner, list) else 0

    document = read(written(value, space=" "))
    found = document.duplicate_keys()
    assert len(found) == repeats(value)
    assert list(found) == sorted(found, key=lambda repeated: repeated.span)
    assert all(repeated.span < repeated.last for repeated in found)
