"""The strict verdict (docs/decisions.md, section 4), compared with an independent check."""

import json
import math
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rui_common.fixes.fix_all import apply_safe_fixes
from rui_common.syntax.document import read
from rui_common.syntax.reader import Source, parse_strictly
from rui_common.syntax.recovery import parser
from rui_common.validation.analysis import Analysis
from tests.support.strategies import json_values


class RefusedError(Exception):
    pass


def refuse(*_: object) -> Any:
    raise RefusedError


def number(digits: str) -> float:
    return float(digits) if math.isfinite(float(digits)) else refuse()


def strings(value: Any) -> list[str]:
    if isinstance(value, list | tuple):
        return [string for part in value for string in strings(part)]
    return [value] if isinstance(value, str) else []


def depth(value: Any) -> int:
    inner = max(map(depth, value), default=0) if isinstance(value, list | tuple) else 0
    return inner + isinstance(value, list)


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


SOUP = st.lists(
    st.sampled_from([
        *'{}[],:"0', '""', '"a"', "1", "-", ".5", "e9", "e999", "true", "null", "nul", " ", "\n", "\t", "\f", "\\",
        r"\u00e9",
        r'"\ud83d\ude00"', r'"\ud800"', "\ufeff", "é", "\ud800", "NaN", "//", "1.0", "[]", "{}", '"a":', "9" * 320,
    ]),
    max_size=8,
).map("".join)  # fmt: skip
TEXTS = json_values.map(json.dumps)


@given(SOUP | TEXTS | st.tuples(TEXTS, SOUP).map("".join))
@example(r'"\\ud800"')
@example(r'"\ud83d\ud83d\ude00"')
@example('"\ud83d\ude00"')
@example("1" * 309)
@example("1" * 5_000)
@example("٣")
def test_the_verdict_is_that_of_the_oracle(text: str) -> None:
    for source in (text, text.encode("utf-8", "surrogatepass")):
        document = read(source)
        assert document.valid == is_json(text)
        assert document.valid == (not document.syntax)
        assert not document.valid or document.incomplete == frozenset()


@given(st.binary(max_size=60) | SOUP.map(lambda text: text.encode("utf-16", "surrogatepass")))
def test_any_bytes_are_read(source: bytes) -> None:
    document = read(source)
    assert document.valid == (not document.syntax)
    assert document.range_of(()).start <= len(document.text)
    json.dumps(document.value)


NESTS: dict[str, Callable[[int], str]] = {
    "arrays": lambda levels: "[" * levels + "]" * levels,
    "objects": lambda levels: '{"[": ' * levels + "1" + "}" * levels,
    "after others": lambda levels: "[" + "[]," * 500 + "[" * (levels - 1) + "]" * levels,
}


@pytest.mark.parametrize("nest", NESTS.values(), ids=NESTS.keys())
def test_256_levels_are_read_and_257_refused(nest: Callable[[int], str]) -> None:
    assert read(nest(256)).valid
    assert read(nest(256).encode()).valid
    for levels in (257, 300, 5_000, 100_000):
        assert read(nest(levels)).syntax[0].message == "Nested deeper than 256 levels"


@pytest.mark.parametrize("mark", ["\ufeff", ""], ids=["mark", "no mark"])
@pytest.mark.parametrize("encoding", ["UTF-16 LE", "UTF-16 BE", "UTF-32 LE", "UTF-32 BE"])
def test_another_encoding_is_named_and_read(encoding: str, mark: str) -> None:
    document = read(f'{mark}{{"größe": 1}}'.encode(encoding))
    assert [fault.message for fault in document.syntax] == [f"This is {encoding}, expected UTF-8"]
    assert document.bom == bool(mark)
    assert (document.value, document.text, document.incomplete) == ({"größe": 1}, '{"größe": 1}', frozenset())


@pytest.mark.parametrize("encoding", ["UTF-16 LE", "UTF-16 BE", "UTF-32 LE", "UTF-32 BE"])
def test_an_editor_that_read_another_encoding_as_utf8_gets_no_other_error(encoding: str) -> None:
    text = '{"titel": 1}\n// x'.encode(encoding).decode()
    document = read(text)
    assert [fault.message for fault in document.syntax] == [f"This is {encoding}, expected UTF-8"]
    assert (document.text, document.value) == (text, None)
    analysis = Analysis(document)
    assert apply_safe_fixes(analysis) is analysis


def test_a_byte_that_is_no_utf8_is_pointed_at() -> None:
    document = read('{"ö": "größe"}'.encode().replace("ß".encode(), b"\xdf"))
    (fault,) = document.syntax
    assert fault.message == "The byte 0xDF is not UTF-8 here"
    assert document.text[slice(*fault.span)] == "\ufffd"
    assert document.value == {"ö": "grö\ufffde"}


def test_byte_order_marks() -> None:
    assert (read(b"\xef\xbb\xbf{}").bom, read(b"\xef\xbb\xbf{}").text) == (True, "{}")
    assert (read("\ufeff{}").bom, read("\ufeff{}").text) == (True, "\ufeff{}")
    assert read("\ufeff{}").range_of(()) == (1, 2)
    assert not read("{}").bom


def test_the_verdict_does_not_need_the_recovering_parser(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parser, "recover", lambda *_: pytest.fail("recovered"))
    assert not read("{").valid
    assert read("{}").syntax == ()


@pytest.mark.parametrize(
    ("text", "offset"),
    [
        ('["NaN", NaN]', 8),
        (r'{"\"1e999": "\\", "a": [1e999]}', 24),
        ('["-Infinity", Infinity, 11e999]', 14),
        ("[1E+998, 1]", 1),
    ],
)
def test_the_place_of_a_refused_number_is_outside_of_strings(text: str, offset: int) -> None:
    source = Source(text)
    assert parse_strictly(source) is None
    assert source.error_offset == offset
