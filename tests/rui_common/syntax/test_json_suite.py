"""The JSON parsing test suite of Nicolas Seriot on every surface: `y_` is accepted, `n_` rejected, `i_` as listed.

The suite is not part of this repository. The tests expect it next to the checkout.
"""

import json
import os
from collections.abc import Iterable
from pathlib import Path

import pytest

from rui_cli.main import main
from rui_common.syntax.document import read
from tests.rui_api.live import Service
from tests.rui_lsp.lsp_client import Client

SUITE = Path(__file__).parents[3] / "../shared/data/json-test-suite"
FILES = sorted(SUITE.glob("[yni]_*.json"))
HUGE_NUMBER = "a number that overflows a double"
SURROGATE = "half of a surrogate pair"
ENCODING = "no UTF-8"
# Files with an implementation-defined result → the reason for rejection, or None if accepted.
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


def is_accepted(path: Path) -> bool:
    """Return whether our reader must accept a file of the suite."""
    return path.name.startswith("y_") or (path.name.startswith("i_") and OPEN[path.name] is None)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_reader(path: Path) -> None:
    source = path.read_bytes()
    for given in (source, as_text(path)):
        if given is not None:
            document = read(given)
            assert document.valid == is_accepted(path)
            assert (document.syntax == ()) == is_accepted(path)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_http(path: Path, service: Service) -> None:
    answer = service.post("/api/validate", path.read_bytes())
    refused = answer.status_code == 400 and not is_about_the_root(answer.json()["errors"][0]["hint"])
    assert refused != is_accepted(path)
    assert answer.status_code in (200, 400)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_editor(path: Path, editor: Client) -> None:
    text = as_text(path)
    if text is None:
        assert not is_accepted(path)  # no client can send it, because clients send text
        return
    editor.open(path.as_uri(), text, version=1)
    found = editor.diagnostics(path.as_uri(), version=1)
    editor.close(path.as_uri())
    assert refusals((item["code"], item["message"]) for item in found) != is_accepted(path)


def test_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    if not FILES:
        return  # test_the_suite_is_there reports it
    main(["check", "--format", "json", *map(str, FILES)])
    found: dict[str, list[tuple[str, str]]] = {}
    for item in json.loads(capsys.readouterr().out):
        found.setdefault(item["file"], []).append((item["code"], item["message"]))
    for path in FILES:
        assert refusals(found.get(str(path), [])) != is_accepted(path), path.name


def refusals(found: Iterable[tuple[str, str]]) -> bool:
    """Return whether a diagnostic reports invalid JSON, other than a root that is not an object."""
    return any(code == "INVALID_JSON" and not is_about_the_root(message) for code, message in found)


def is_about_the_root(words: str) -> bool:
    return "The root of a RUI is an object" in words


def as_text(path: Path) -> str | None:
    """Return the file as text, or None if it is not UTF-8."""
    try:
        return path.read_bytes().decode()
    except UnicodeDecodeError:
        return None
