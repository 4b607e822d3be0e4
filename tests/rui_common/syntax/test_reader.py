"""The strict verdict (docs/decisions.md, section 4), compared with an independent check."""

import json
import math
import sys
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rui_common.syntax import document as document_module
from rui_common.syntax.document import read

ACCEPTED = {
    "blank around": (" \t\r\n[ 1 ]\n", [1]),
    "byte-order mark": ("\ufeff{}", {}),
    "a pair by escapes": (r'"\ud83d\ude00"', "😀"),
    "an escaped backslash before ud800": (r'"\\ud800"', r"\ud800"),
    "the last key wins": ('{"a": 1, "b": 2, "a": 3}', {"a": 3, "b": 2}),
    "a large integer is kept exactly": ("123456789012345678901234567890", 123456789012345678901234567890),
    "the largest double": ("1.7976931348623157e308", sys.float_info.max),
    "309 digits": ("1" * 309, int("1" * 309)),
    "quotes and brackets in strings": (r'["\\", "[\"[", {"]": "\\\""}]', ["\\", '["[', {"]": '\\"'}]),
}
REFUSED = {
    "blank": " \n",
    "NaN": "[NaN]",
    "other digits": "٣",
    "a byte-order mark within": "[\ufeff1]",
    "a lone surrogate by escape": r'"\ud800"',
    "surrogates the wrong way round": r'"\ude00\ud83d"',
    "a lone one before a pair": r'"\ud83d\ud83d\ude00"',
    "a lone surrogate in a key": r'{"\ud800": 1}',
    "a raw lone surrogate": '"\ud800"',
    "a raw pair of surrogates": '"\ud83d\ude00"',
    "too large": "1e400",
    "5000 digits": "1" * 5000,
}


@pytest.mark.parametrize(("text", "value"), ACCEPTED.values(), ids=ACCEPTED.keys())
def test_accepted(text: str, value: object) -> None:
    for source in (text, text.encode()):
        document = read(source)
        assert document.valid
        assert document.value == value
        assert type(document.value) is type(value)
        assert document.syntax == ()
        assert document.incomplete == frozenset()


@pytest.mark.parametrize("text", REFUSED.values(), ids=REFUSED.keys())
def test_refused(text: str) -> None:
    assert not read(text).valid
    assert read(text).syntax
    assert not read(text.encode("utf-8", "surrogatepass")).valid
    assert read(text.encode("utf-8", "surrogatepass")).syntax


# Nesting

NESTS: dict[str, Callable[[int], str]] = {
    "arrays": lambda levels: "[" * levels + "]" * levels,
    "objects": lambda levels: '{"[": ' * levels + "1" + "}" * levels,
    "both": lambda levels: (
        ('[{"a\\"[": ' * (levels // 2) + "[" * (levels % 2) + "]" * (levels % 2))
        + ("" if levels % 2 else "0")
        + "}]" * (levels // 2)
    ),
    "after others": lambda levels: "[" + "[]," * 500 + "[" * (levels - 1) + "]" * levels,
}


@pytest.mark.parametrize("nest", NESTS.values(), ids=NESTS.keys())
def test_256_levels_are_read_and_257_refused(nest: Callable[[int], str]) -> None:
    assert read(nest(256)).valid
    assert read(nest(256).encode()).valid
    for levels in (257, 300, 5_000, 100_000):
        document = read(nest(levels))
        assert not document.valid
        assert document.syntax


# Bytes


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_another_encoding_is_named_and_read(encoding: str) -> None:
    document = read('\ufeff{"größe": 1}'.encode(encoding))
    assert not document.valid
    assert [fault.message for fault in document.syntax] == ["This is UTF-16 or UTF-32, expected UTF-8"]
    assert document.value == {"größe": 1}
    assert document.text == '{"größe": 1}'
    assert document.incomplete == frozenset()


def test_a_byte_that_is_no_utf8_is_pointed_at() -> None:
    document = read('{"ö": "größe"}'.encode().replace("ß".encode(), b"\xdf"))
    (fault,) = document.syntax
    assert fault.message == "The byte 0xDF is not UTF-8 here"
    assert document.text[slice(*fault.span)] == "\ufffd"
    assert document.value == {"ö": "grö\ufffde"}
    assert not document.valid


def test_byte_order_marks() -> None:
    assert (read(b"\xef\xbb\xbf{}").bom, read(b"\xef\xbb\xbf{}").text) == (True, "{}")
    assert (read("\ufeff{}").bom, read("\ufeff{}").text) == (True, "\ufeff{}")
    assert read("\ufeff{}").range_of(()) == (1, 2)
    assert not read("{}").bom


# Laziness


def test_the_verdict_does_not_need_the_recovering_parser(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(document_module.Document, "_recovery", lambda _: pytest.fail("recovered"))
    assert not read("{").valid
    assert read("{}").valid
    assert read("{}").syntax == ()


# An independent check


class RefusedError(Exception):
    pass


def refuse(*_: object) -> Any:
    raise RefusedError


def number(digits: str) -> float:
    return float(digits) if math.isfinite(float(digits)) else refuse()


def strings(value: Any) -> list[str]:
    if isinstance(value, list):
        return [string for pair in value for string in strings(pair)]
    if isinstance(value, tuple):
        return [string for part in value for string in strings(part)]
    return [value] if isinstance(value, str) else []


def depth(value: Any) -> int:
    if isinstance(value, list):
        return 1 + max((depth(below) for below in value), default=0)
    return max((depth(below) for below in value), default=0) if isinstance(value, tuple) else 0


def is_json(text: str) -> bool:
    """Return whether `json` reads the text and all values meet docs/decisions.md, section 4."""
    try:
        value = json.loads(
            text.removeprefix("\ufeff").strip(" \t\r\n"),
            parse_constant=refuse,
            parse_float=number,
            parse_int=number,
            object_pairs_hook=list,
        )
        text.encode()
        "".join(strings(value)).encode()
    except (ValueError, RefusedError):
        return False
    return depth(value) <= 256


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=4),
    max_leaves=12,
)
SOUP = st.lists(
    st.sampled_from([
        *'{}[],:"0', '""', '"a"', "1", "-", ".5", "e9", "e999", "true", "null", "nul", " ", "\n", "\t", "\f", "\\",
        r"\u00e9",
        r'"\ud83d\ude00"', r'"\ud800"', "\ufeff", "é", "\ud800", "NaN", "//", "1.0", "[]", "{}", '"a":', "9" * 320,
    ]),
    max_size=8,
).map("".join)  # fmt: skip


@given(SOUP | JSON.map(json.dumps) | st.tuples(JSON.map(json.dumps), SOUP).map("".join))
def test_the_verdict_is_that_of_the_oracle(text: str) -> None:
    assert read(text).valid == is_json(text)


@given(JSON)
def test_values_are_those_that_were_written(value: object) -> None:
    assert read(json.dumps(value)).value == value
    assert read(json.dumps(value, ensure_ascii=False, indent=1).encode("utf-8", "surrogatepass")).value == value


@given(st.binary(max_size=60) | SOUP.map(lambda text: text.encode("utf-16", "surrogatepass")))
def test_any_bytes_are_read(source: bytes) -> None:
    document = read(source)
    assert document.valid == (not document.syntax)
    assert document.range_of(()).start <= len(document.text)
    json.dumps(document.value)
