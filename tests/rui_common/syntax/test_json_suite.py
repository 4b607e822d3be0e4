"""The JSON parsing test suite of Nicolas Seriot: `y_` is accepted, `n_` rejected, `i_` as listed.

The suite is not part of this repository. The tests expect it next to the checkout.
"""

from pathlib import Path

import pytest

from rui_common.describe.unreadable import where_broken
from rui_common.syntax.document import read
from tests.inputs.fixing_text import fix_text
from tests.support.skipping import skip

SUITE = Path(__file__).parents[3] / "../shared/data/json-test-suite"
FILES = sorted(SUITE.glob("[yni]_*.json"))
MISSING = "the JSON test suite is not beside the checkout (../shared/data/json-test-suite)"
# The files with an implementation-defined result that are accepted. The others have numbers that overflow a double,
# halves of surrogate pairs, another encoding than UTF-8, or 500 levels.
ACCEPTED = {
    "i_number_double_huge_neg_exp",
    "i_number_real_underflow",
    "i_number_too_big_neg_int",
    "i_number_too_big_pos_int",
    "i_number_very_big_negative_int",
    "i_structure_UTF-8_BOM_empty_object",
}
# Texts without a value, those in which every bracket or string is broken, and those that only their authors can repair.
WITHOUT_INSTRUCTION = {
    "n_single_space", "n_structure_no_data", "n_structure_UTF8_BOM_no_data", "n_structure_open_open",
    "n_structure_open_array_object", "n_structure_100000_opening_arrays", "n_structure_double_array", "n_object_emoji",
}  # fmt: skip


def test_the_suite_is_there() -> None:
    if not FILES:
        skip(MISSING)
    assert len(FILES) == 318


@pytest.mark.parametrize("path", FILES or [SUITE], ids=lambda path: path.stem)
def test_the_reader(path: Path) -> None:
    if not FILES:
        skip(MISSING)
    is_accepted = path.name.startswith("y_") or path.stem in ACCEPTED
    document = read(path.read_bytes())
    assert document.valid == is_accepted
    assert (document.syntax == ()) == is_accepted
    # A NUL among the first four bytes is the mark of another encoding.
    is_text = document.text.encode() == path.read_bytes() and "\0" not in document.text[:4]
    if path.name.startswith("n_") and path.stem not in WITHOUT_INSTRUCTION and is_text:
        check_followed(document.text)


def check_followed(text: str) -> None:
    """Follow the hints literally: the text changes, and no error remains as it was."""
    before = {(error.message, error.hint) for error in read(text).syntax}
    after = fix_text(text, where_broken(read(text)))
    assert after != text, before
    assert not before & {(error.message, error.hint) for error in read(after).syntax}, after
