"""YAML by the core schema of version 1.2, the places of values, and hostile texts."""

import json
import re

import pytest

from rui_openapi.reading import yaml_text
from rui_openapi.reading.yaml_text import MAX_DEPTH, find_place, parse_yaml

VALUES = {
    "a: 1": {"a": 1},
    "a: '1'": {"a": "1"},
    "a: [true, False, null, ~, 0x1F, 0o17, 1.5, -2e3, .5]": {"a": [True, False, None, None, 31, 15, 1.5, -2000.0, 0.5]},
    "a: [yes, on, No, 2024-01-31, 1_000, 12:30]": {"a": ["yes", "on", "No", "2024-01-31", "1_000", "12:30"]},
    "200: {on: 1, null: 2, true: 3}": {"200": {"on": 1, "null": 2, "true": 3}},
    "a:": {"a": None},
    "a: |\n  two\n  lines\n": {"a": "two\nlines\n"},
    "a: &x {b: 1}\nc: *x": {"a": {"b": 1}, "c": {"b": 1}},
    "a: &x {b: 1, d: 2}\nc: {<<: *x, d: 3}": {"a": {"b": 1, "d": 2}, "c": {"b": 1, "d": 3}},
    "a: &x {b: 1}\nc: {d: 3, <<: [*x, {b: 2}]}": {"a": {"b": 1}, "c": {"d": 3, "b": 1}},
    "<<: 3": {"<<": 3},
    "": None,
    "a: 1\n---\nb: 2": {"a": 1},
}


@pytest.mark.parametrize("text", VALUES)
def test_values(text: str) -> None:
    found, expected = (json.dumps(value, sort_keys=True) for value in (parse_yaml(text), VALUES[text]))
    assert found == expected, "1 is not 1.0"


ERRORS = {
    "a: [1": "line 2, column 1: did not find expected ',' or ']'",
    "a: *x": "line 1, column 4: found undefined alias",
    "? [a]\n: 1\n? {b: 1}\n: 2": "line 1: a key is an object or a list",
    "[" * 300: "line 1: more than 200 levels of nesting",
    "a: \0": "unacceptable character",
    "\tb: 1": "line 1, column 1: found character that cannot start any token",
}


@pytest.mark.parametrize("text", ERRORS, ids=ERRORS.values())
def test_errors_have_a_position(text: str) -> None:
    with pytest.raises(ValueError, match=re.escape(ERRORS[text])):
        parse_yaml(text)


def test_merge_keys_do_not_explode() -> None:
    large = ", ".join(f"k{number}: 1" for number in range(3_000))
    with pytest.raises(ValueError, match="add more than 500,000 properties"):
        parse_yaml(f"a: &a {{{large}}}\nb: [" + "{<<: *a}, " * 200 + "]")


def test_limits_are_inclusive(monkeypatch: pytest.MonkeyPatch) -> None:
    assert parse_yaml("[" * MAX_DEPTH + "]" * MAX_DEPTH) is not None
    with pytest.raises(ValueError, match="levels of nesting"):
        parse_yaml("[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1))
    monkeypatch.setattr(yaml_text, "MAX_MERGED", 2)
    assert parse_yaml("a: &a {b: 1, c: 2}\nd: {<<: *a}") is not None
    with pytest.raises(ValueError, match="add more than 2 properties"):
        parse_yaml("a: &a {b: 1, c: 2, e: 3}\nd: {<<: *a}")


def test_aliases_do_not_explode() -> None:
    lines = ["a0: &a0 {x: 1}"]
    lines += [f"a{n}: &a{n} {{{', '.join(f'k{k}: *a{n - 1}' for k in range(9))}}}" for n in range(1, 40)]
    value = parse_yaml("\n".join(lines))
    assert isinstance(value, dict) and len(value) == 40
    assert value["a39"]["k0"] is value["a39"]["k8"]


TEXT = """a:
  b: [1, {c: 2}]
  d:
    - x
    - e: |
        hi
  f: 3

g: &q {h: 1}
200: *q
"""
PLACES = {
    ("a", "b"): "b", ("a", "b", 1): "{c: 2}", ("a", "b", 1, "c"): "c", ("a", "d"): "d", ("g",): "g", ("200",): "200",
    ("200", "h"): "h",
}  # fmt: skip


def test_places() -> None:
    for pointer, text in PLACES.items():
        found = find_place(TEXT, pointer)
        assert found is not None and TEXT[found.start : found.end] == text, pointer


def test_what_is_not_there_has_no_place() -> None:
    for text, pointer in ((TEXT, ("z",)), (TEXT, ("a", "d", 7)), ("a: [", ("a",)), ("[" * 200_000, ("a",)), ("", ())):
        assert find_place(text, pointer) is None
