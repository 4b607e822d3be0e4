"""Texts without mark-up have no warning of mark-up, and properties that hide nothing none of hiding."""

import json
from pathlib import Path

import pytest

from rui_common import check
from rui_common.describe import full_example

ROOT = Path(__file__).parents[3]
NEW = {"MARKUP", "NOT_HIDDEN", "NOT_HERE"}
PROSE = (ROOT / "tests/inputs/prose.txt").read_text(encoding="utf-8").splitlines()
"""Sentences and labels of people, many of them with the characters of Markdown and HTML."""


def warnings_of(text: str | bytes) -> list[str]:
    return [warning.message for warning in check(text).warnings if warning.code in NEW]


def test_there_are_enough_sentences() -> None:
    assert len({*PROSE}) >= 200


@pytest.mark.parametrize("line", PROSE)
def test_prose_is_no_mark_up(line: str) -> None:
    document = full_example()
    document["meta"] = {"title": line, "description": line}
    page = document["pages"][0]
    page["title"] = page["description"] = line
    page["children"][0]["children"][2]["content"] = f"The first line.\n{line}"
    page["children"][0]["children"][1]["columns"][0]["label"] = line
    assert warnings_of(json.dumps(document)) == []


@pytest.mark.parametrize("path", sorted(ROOT.glob("examples/**/*.rui.json")), ids=lambda path: path.name)
def test_examples_have_no_mark_up_and_hide_nothing(path: Path) -> None:
    assert warnings_of(path.read_bytes()) == []


@pytest.mark.parametrize("further", [
    '"hidden": false', '"visible": true', '"display": "block"', '"show": "always"', '"hide": "never"', '"hidden": null',
    '"hiddenBy": true', '"visibility": "public"', '"display": true',
])  # fmt: skip
def test_what_hides_nothing_has_no_warning(further: str) -> None:
    text = json.dumps(full_example()).replace('{"key": "number"', f'{{{further}, "key": "number"')
    assert further in text
    assert warnings_of(text) == []
