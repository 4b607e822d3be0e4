"""Documents: paths to spans and back (docs/decisions.md, section 7), and repeated keys."""

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rui_common.syntax.document import read
from rui_common.syntax.paths import Path, parse_path
from rui_common.syntax.spans import Span
from tests.support.strategies import json_values


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
    types = [offset for offset in range(len(text)) if text.startswith('"type"', offset)]
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


def nodes(value: object, path: Path = ()) -> list[tuple[Path, object]]:
    below: list[tuple[str | int, object]] = []
    if isinstance(value, dict):
        below = list(value.items())
    elif isinstance(value, list):
        below = list(enumerate(value))
    return [(path, value), *(node for step, inner in below for node in nodes(inner, (*path, step)))]


@given(json_values, st.sampled_from([None, 0, 2, "\t"]))
@example({"a.b": {"type": "x", "[0]": [{}, ""]}, '"': {"0": 1}}, 2)
def test_every_node_has_its_place(value: object, indent: int | str | None) -> None:
    text = json.dumps(value, ensure_ascii=False, indent=indent)
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
        assert document.path_at(member.span.start) == path
        span = document.range_of(path)
        assert document.range_of(path, key=True) == (member.key_span or span)
        has_type = isinstance(below, dict) and isinstance(below.get("type"), str)
        assert document.path_at(span.start) == ((*path, "type") if has_type else path)
        if not isinstance(below, dict | list):
            assert span == member.span
    # The results do not depend on the order of calls.
    again = read(text)
    for path, _ in reversed(nodes(document.value)):
        assert again.range_of(path) == document.range_of(path)
