"""The library: `rui_common.check` and `rui_common.fix`. tests/test_corpus.py compares it with the other surfaces."""

import inspect
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rui_common
from rui_common import Check, Fixed, check, fix
from rui_common.syntax.document import read
from rui_common.syntax.reader import BOM
from rui_common.validation.analysis import Analysis
from rui_common.validation.answers import error_items
from tests.inputs.breaking_text import broken_texts
from tests.support.small import DOCUMENT

VALID = DOCUMENT.replace("BLOCK", '{"id": "hello", "type": "Text", "content": "Hello"}')
MISSPELT = VALID.replace('"content"', '"contnet"')


def test_the_hints_are_those_of_the_service() -> None:
    findings = Analysis(read(MISSPELT)).findings
    assert [problem[:4] for problem in check(MISSPELT).errors] == [(*item.values(),) for item in error_items(findings)]


# What docs/library.md names.
FIXED = {
    "a comma": VALID.replace("}]", "},]", 1), "quotes": VALID.replace('"Hello"', "'Hello'"),
    "a code fence": f"```json\n{VALID}\n```", "text": f"Here it is:\n{VALID}\nEnjoy!", "a property": MISSPELT,
    "a property of others": VALID.replace('"content"', '"body"'), "a type": VALID.replace('"Text"', '"text"'),
    "a value": VALID.replace('"stack"', '"Stack"'), "the form of an id": VALID.replace('"hello"', '"Hello"'),
    "a reference": VALID.replace('"pageId": "home"', '"pageId": "hoem"'),
    "a constant of Python": VALID.replace('"meta": {}', '"meta": {"draft": True}'),
    "no version": VALID.replace('"version": "0.1",', ""), "no meta": VALID.replace('"meta": {},', ""),
    "a page without navigation": VALID.replace('{"pageId": "home"}', ""),
}  # fmt: skip
LEFT = {
    "a comment": f"// hello\n{VALID}", "a bracket": VALID.rstrip()[:-1], "a version": VALID.replace('"0.1"', '"0.2"'),
    "no title": VALID.replace('"title": "Home", ', ""), "no id": VALID.replace('"id": "hello", ', ""),
    "no binding": VALID.replace('"Text", "content": "Hello"', '"Metric", "label": "x"'),
    "a repeated id": VALID.replace('"hello"', '"home"'),
    "an unknown property": VALID.replace('"content"', '"zzz": 1, "content"'),
}  # fmt: skip


@pytest.mark.parametrize("text", FIXED.values(), ids=FIXED)
def test_what_is_fixed(text: str) -> None:
    fixed = fix(text)
    assert (fixed.remaining, bool(fixed.applied)) == ((), True)


@pytest.mark.parametrize("text", LEFT.values(), ids=LEFT)
def test_what_is_left(text: str) -> None:
    fixed = fix(text)
    assert fixed[:2] == (text, ())
    assert not check(text).valid


ODD_TEXTS = {
    "nothing": "", "half a surrogate pair": "\ud800", "a NUL": "\0", "deep": "[" * 100_000, "large": "9" * 5_000,
    "no object": "null", "prose": "Here is what you asked for: a RUI.", "a list": "[\r1\r\n]",
}  # fmt: skip


@pytest.mark.parametrize("text", ODD_TEXTS.values(), ids=ODD_TEXTS)
def test_bad_text_is_a_result(text: str) -> None:
    checked = check(text)
    assert not checked.valid
    assert checked.errors
    fixed = fix(text)
    assert fixed.text == text
    assert fixed.applied == ()
    assert fixed.remaining[0].message == checked.errors[0].message


@given(st.one_of(st.text(), st.binary(), broken_texts()))
def test_no_input_raises(source: str | bytes) -> None:
    checked = check(source)
    fixed = fix(source)
    assert checked.valid == (not checked.errors)
    assert (checked.normalized is None) == (not checked.valid)
    if fixed.applied:
        checked = check(fixed.text)
    else:
        assert fixed.text == (source if isinstance(source, str) else source.decode(errors="surrogateescape"))
    assert fixed.remaining == checked.errors + checked.warnings


@pytest.mark.parametrize(("value", "way"), [
    (Path("a.rui.json"), "for a file pass path.read_bytes()"),
    ({"version": "0.1"}, "pass json.dumps(document)"), (5, "not int"),
    (None, "not NoneType"),
])  # fmt: skip
def test_what_is_no_text_is_refused(value: Any, way: str) -> None:
    for function in (check, fix):
        with pytest.raises(TypeError, match=re.escape(way)):
            function(value)


@pytest.mark.parametrize("encode", [str, str.encode])
@pytest.mark.parametrize("mark", ["", BOM])
def test_fixes_keep_layout_and_byte_order_mark(mark: str, encode: Callable[[str], str | bytes]) -> None:
    fixed = fix(encode(mark + MISSPELT.replace(",", " ,\r\n")))
    assert fixed.text == mark + VALID.replace(",", " ,\r\n")
    assert fixed.applied == (
        ("pages[0].children[0].children[0].contnet", "UNKNOWN_PROP", 'Rename "contnet" to "content"'),
    )
    assert fixed.remaining == ()


@pytest.mark.parametrize("encoding", ["latin-1", "utf-16"])
def test_bytes_in_another_encoding_stay_as_they_are(encoding: str) -> None:
    source = MISSPELT.replace("meta", "m\u00e9ta").encode(encoding)
    fixed = fix(source)
    assert fixed.text.encode(errors="surrogateescape") == source
    assert fixed.applied == ()
    assert not check(source).valid


def test_what_is_exported_is_documented() -> None:
    for name in rui_common.__all__:
        assert inspect.getdoc(getattr(rui_common, name))
    assert check(VALID) == Check(True, (), (), check(VALID).normalized, check(VALID).content_hash)
    assert fix(VALID) == Fixed(VALID, (), ())
    with pytest.raises(AttributeError):
        rui_common.checks  # noqa: B018
