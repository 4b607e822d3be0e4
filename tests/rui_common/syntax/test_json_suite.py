"""The JSON parsing test suite of Nicolas Seriot: `y_` is accepted, `n_` rejected, `i_` as listed.

The suite is not part of this repository. The tests expect it next to the checkout.
"""

import os
from pathlib import Path

import pytest

from rui_common.syntax.document import read
from tests.rui_api.live import Service

SUITE = Path(__file__).parents[3] / "../shared/data/json-test-suite"
FILES = sorted(SUITE.glob("[yni]_*.json"))
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


def test_the_suite_is_there() -> None:
    if not FILES:
        message = "the JSON test suite is not beside the checkout (../shared/data/json-test-suite)"
        if os.environ.get("CI"):
            pytest.fail(message)
        pytest.skip(message)
    assert len(FILES) == 318


def is_accepted(path: Path) -> bool:
    """Return whether our reader must accept a file of the suite."""
    return path.name.startswith("y_") or path.stem in ACCEPTED


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_reader(path: Path) -> None:
    source = path.read_bytes()
    for given in (source, as_text(path)):
        if given is not None:
            document = read(given)
            assert document.valid == is_accepted(path)
            assert (document.syntax == ()) == is_accepted(path)


def test_http(service: Service) -> None:
    for path in FILES:
        answer = service.post("/api/validate", path.read_bytes())
        refused = answer.status_code == 400 and not is_about_the_root(answer.json()["errors"][0]["hint"])
        assert refused != is_accepted(path), path.name
        assert answer.status_code in (200, 400)


def is_about_the_root(words: str) -> bool:
    return "The root of a RUI is an object" in words


def as_text(path: Path) -> str | None:
    """Return the file as text, or None if it is not UTF-8."""
    try:
        return path.read_bytes().decode()
    except UnicodeDecodeError:
        return None
