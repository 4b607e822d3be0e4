"""The JSON parsing test suite of Nicolas Seriot: `y_` accepted, `n_` refused, every `i_` decided here.

The suite is no part of this repository. It is looked for beside the checkout.
"""

import os
from pathlib import Path

import pytest

from rui_common.document import read

SUITE = Path(__file__).parents[2] / "../shared/data/json-test-suite"
FILES = sorted(SUITE.glob("[yni]_*.json"))
HUGE_NUMBER = "a number that overflows a double"
SURROGATE = "half of a surrogate pair"
ENCODING = "no UTF-8"
# What the suite leaves open: why we refuse it, or None if we accept it.
OPEN = {
    "i_number_double_huge_neg_exp.json": None,
    "i_number_huge_exp.json": HUGE_NUMBER,
    "i_number_neg_int_huge_exp.json": HUGE_NUMBER,
    "i_number_pos_double_huge_exp.json": HUGE_NUMBER,
    "i_number_real_neg_overflow.json": HUGE_NUMBER,
    "i_number_real_pos_overflow.json": HUGE_NUMBER,
    "i_number_real_underflow.json": None,
    "i_number_too_big_neg_int.json": None,
    "i_number_too_big_pos_int.json": None,
    "i_number_very_big_negative_int.json": None,
    "i_object_key_lone_2nd_surrogate.json": SURROGATE,
    "i_string_1st_surrogate_but_2nd_missing.json": SURROGATE,
    "i_string_1st_valid_surrogate_2nd_invalid.json": SURROGATE,
    "i_string_UTF-16LE_with_BOM.json": ENCODING,
    "i_string_UTF-8_invalid_sequence.json": ENCODING,
    "i_string_UTF8_surrogate_U+D800.json": ENCODING,
    "i_string_incomplete_surrogate_and_escape_valid.json": SURROGATE,
    "i_string_incomplete_surrogate_pair.json": SURROGATE,
    "i_string_incomplete_surrogates_escape_valid.json": SURROGATE,
    "i_string_invalid_lonely_surrogate.json": SURROGATE,
    "i_string_invalid_surrogate.json": SURROGATE,
    "i_string_invalid_utf-8.json": ENCODING,
    "i_string_inverted_surrogates_U+1D11E.json": SURROGATE,
    "i_string_iso_latin_1.json": ENCODING,
    "i_string_lone_second_surrogate.json": SURROGATE,
    "i_string_lone_utf8_continuation_byte.json": ENCODING,
    "i_string_not_in_unicode_range.json": ENCODING,
    "i_string_overlong_sequence_2_bytes.json": ENCODING,
    "i_string_overlong_sequence_6_bytes.json": ENCODING,
    "i_string_overlong_sequence_6_bytes_null.json": ENCODING,
    "i_string_truncated-utf-8.json": ENCODING,
    "i_string_utf16BE_no_BOM.json": ENCODING,
    "i_string_utf16LE_no_BOM.json": ENCODING,
    "i_structure_500_nested_arrays.json": "deeper than 256 levels",
    "i_structure_UTF-8_BOM_empty_object.json": None,
}


def test_the_suite_is_there() -> None:
    if not FILES:
        message = "the JSON test suite is not beside the checkout (../shared/data/json-test-suite)"
        if os.environ.get("CI"):
            pytest.fail(message)
        pytest.skip(message)
    assert {path.name for path in FILES if path.name.startswith("i_")} == OPEN.keys()


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_verdict(path: Path) -> None:
    source = path.read_bytes()
    accepted = path.name.startswith("y_") or (path.name.startswith("i_") and OPEN[path.name] is None)
    sources: list[str | bytes] = [source]
    try:
        sources.append(source.decode())
    except UnicodeDecodeError:
        assert not accepted
    for given in sources:
        document = read(given)
        assert document.valid == accepted
        assert (document.syntax == ()) == accepted
