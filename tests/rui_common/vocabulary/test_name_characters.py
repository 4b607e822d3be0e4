"""The characters of a valuePath: the same for Python, for Unicode, and for the JSON Schema in Python and JavaScript."""

import json
import re
import shutil
import subprocess
import unicodedata

import pytest

from rui_common.describe.json_schema import json_schema
from rui_common.vocabulary.name_characters import name_characters
from rui_common.vocabulary.rui_0_1 import READ_BINDING

CHARACTERS = [chr(code) for code in range(0x110000) if not 0xD800 <= code <= 0xDFFF]
KIND = READ_BINDING.props["valuePath"].kind
NODE = shutil.which("node")
MATCHES_IN_JAVASCRIPT = """
const pattern = new RegExp(JSON.parse(require("fs").readFileSync(0, "utf8")), "u");
const codes = [...Array(0x110000).keys()].filter((code) => code < 0xd800 || code > 0xdfff);
console.log(JSON.stringify(codes.filter((code) => pattern.test(String.fromCodePoint(code)))));
"""


def schema_pattern() -> str:
    return json_schema()["$defs"]["ReadBinding"]["properties"]["valuePath"]["pattern"]


def test_the_characters_are_letters_marks_decimal_digits_underscore_and_hyphen() -> None:
    """Python may know fewer characters than the table, but not in other categories."""
    is_name = re.compile(f"[{name_characters()}]").fullmatch
    for character in CHARACTERS:
        category = unicodedata.category(character)
        if category != "Cn":
            expected = category[0] in "LM" or category == "Nd" or character in "_-"
            assert (is_name(character) is not None) == expected, hex(ord(character))


def test_an_unassigned_code_point_is_accepted_between_accepted_ones() -> None:
    assert KIND.fits("\u0376\u0377\u0378\u0379\u037a")
    for text in ("\u037f\u0380", "\U00040000", "\uffff", "\U0001fbfa"):
        assert not KIND.fits(text), ascii(text)


def test_the_validator_and_the_schema_agree_on_every_character() -> None:
    matches = re.compile(schema_pattern()).search
    assert [one for one in CHARACTERS if KIND.fits(one) != (matches(one) is not None)] == []


@pytest.mark.skipif(NODE is None, reason="needs Node.js")
def test_the_schema_means_the_same_in_javascript() -> None:
    command = [NODE, "-e", MATCHES_IN_JAVASCRIPT]
    result = subprocess.run(command, input=json.dumps(schema_pattern()), capture_output=True, text=True, check=True)
    assert json.loads(result.stdout) == [ord(one) for one in CHARACTERS if KIND.fits(one)]


def test_segments_are_joined_by_single_dots() -> None:
    for text in ("é", "é.ü", "ü.a.é"):
        assert KIND.fits(text)
    for text in ("", ".", "é.", ".é", "é..ü", "é.½", "é\n", "é ü"):
        assert not KIND.fits(text)
