"""After the hint of a syntax error is followed literally, the same error does not remain."""

import json
import random

import pytest

from rui_common.syntax.document import read
from rui_common.validation.diagnostics import where_broken
from tests.inputs.fixing_text import fix_text
from tests.rui_common.syntax.recovery.broken_cases import FOLDER, single_breaks
from tests.rui_common.syntax.test_json_suite import FILES, as_text

DESK = (FOLDER / "desk.json").read_text(encoding="utf-8")
ON_ONE_LINE = json.dumps(json.loads(DESK))
MAX_LENGTH = 5_000
# A text without a value, and one in which every string is broken.
WITHOUT_INSTRUCTION = {"n_single_space", "n_structure_no_data", "n_structure_UTF8_BOM_no_data", "n_structure_open_open"}


def follow(text: str) -> str:
    return fix_text(text, where_broken(read(text)))


def check_followed(text: str) -> None:
    """Follow the hints once: the text changes, and no error remains as it was."""
    before = {(error.message, error.hint) for error in read(text).syntax}
    after = follow(text)
    assert after != text, before
    remaining = {(error.message, error.hint) for error in read(after).syntax}
    assert not remaining & before, (text[:200], after[:200])


def suite_cases() -> list[tuple[str, str]]:
    texts = [(path.stem, as_text(path) or "") for path in FILES if path.name.startswith("n_")]
    return [(name, text) for name, text in texts if 0 < len(text) <= MAX_LENGTH and name not in WITHOUT_INSTRUCTION]


@pytest.mark.parametrize(("name", "text"), suite_cases(), ids=[name for name, _ in suite_cases()])
def test_texts_of_the_suite(name: str, text: str) -> None:
    check_followed(text)


@pytest.mark.parametrize("text", [DESK, ON_ONE_LINE], ids=["indented", "on one line"])
def test_random_breaks(text: str) -> None:
    breaks = [broken for _, broken in single_breaks(text, random.Random(3), 200) if not read(broken).valid]
    for broken in random.Random(4).sample(breaks, 400):
        check_followed(broken)


@pytest.mark.parametrize(
    "text",
    [
        '{"a": 1, na', '{"a" }', '{"a", "b": 1}',
        "[2.e3, 000.0, 1e, 0.1.2]",
        '["\\ud800"]', '["\\u00A"]', '{"a": "b" 12}', '{"a": 12"b": 1}', "[1\x00]", "[1, 2}", '{"a": "b\\', '{"a": [tr',
    ],
)  # fmt: skip
def test_one_round_is_enough(text: str) -> None:
    assert read(follow(text)).valid
