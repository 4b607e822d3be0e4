"""The shortcut for one missing or superfluous mark finds the same error as the recovering parser."""

import json
import random
import re

import pytest

from rui_common.syntax.document import read
from rui_common.syntax.errors import SyntaxFault
from rui_common.syntax.reader import Source, parse_strictly
from rui_common.syntax.recovery.single_mark import find_single_error
from tests.rui_common.syntax.recovery.broken_cases import FOLDER, single_breaks

DESK = (FOLDER / "desk.json").read_text(encoding="utf-8")
NOTES = (FOLDER / "notes.json").read_text(encoding="utf-8")
LAYOUTS = {
    "as written": DESK,
    "on one line": json.dumps(json.loads(DESK)),
    "without spaces": json.dumps(json.loads(DESK), separators=(",", ":")),
    "steps of four": json.dumps(json.loads(DESK), indent=4),
    "tabs": json.dumps(json.loads(DESK), indent="\t"),
    "no indentation": json.dumps(json.loads(DESK), indent=0),
    "CRLF": DESK.replace("\n", "\r\n"),
    "mixed": re.sub(r"\{\n *", "{", DESK),
    "notes": NOTES,
}


def shortcut(text: str) -> SyntaxFault | None:
    source = Source(text)
    assert not parse_strictly(source).valid
    return find_single_error(source)


@pytest.mark.parametrize("text", LAYOUTS.values(), ids=LAYOUTS)
def test_it_agrees_with_the_parser(text: str) -> None:
    found = 0
    breaks = [broken for _, broken in single_breaks(text, random.Random(1), 100) if not read(broken).valid]
    for broken in random.Random(2).sample(breaks, min(400, len(breaks))):
        error = shortcut(broken)
        if error is not None:
            assert (error,) == read(broken).syntax, broken[error.span.start - 40 : error.span.end + 40]
            found += 1
    assert found > 0


@pytest.mark.parametrize("layout", sorted(LAYOUTS.keys() - {"notes"}))
def test_it_finds_every_missing_comma_and_colon(layout: str) -> None:
    text = LAYOUTS[layout]
    outside = re.sub(r'"(?:[^"\\]|\\.)*"', lambda match: "s" * len(match[0]), text)
    marks = [match.start() for match in re.finditer("[,:]", outside)]
    found = [shortcut(text[:at] + text[at + 1 :]) for at in marks]
    assert all(error is not None for error in found)


@pytest.mark.parametrize(
    "text",
    ["", " ", "x", "[", "]", "[1,,2]", "[,1]", "{,}", '{"a",}', "[1 2 3]", "[2.5-3]", '[1]"a"', '["\\ud800" 1]',
     "[1e400 1]", '{"a": 1} "b"', "x [1 2]", "[" * 300 + "1 1" + "]" * 300],
)  # fmt: skip
def test_other_errors_are_left_to_the_parser(text: str) -> None:
    assert shortcut(text) is None
