"""The catalogue begins with section 7 of docs/specification.md, and all of its examples are correct."""

from pathlib import Path

import pytest

from rui_common.describe.examples import minimal_example, with_value
from rui_common.syntax.document import read
from rui_common.validation.analysis import validate
from rui_common.vocabulary.rules import MAX_BODY_BYTES, MAX_DEPTH, MAX_ERRORS, MESSAGES, RULES, Rule

SPECIFICATION = (Path(__file__).parents[3] / "docs" / "specification.md").read_text(encoding="utf-8")


def rows(section: str) -> list[list[str]]:
    """Return the rows of the table in a section of the specification."""
    lines = SPECIFICATION.split(f"\n### {section} ")[1].split("\n#")[0].splitlines()
    cells = [[cell.strip() for cell in line.strip("| ").split(" | ")] for line in lines if line.startswith("| ")]
    return cells[1:]


def plain(text: str) -> str:
    """Return the text without backquotes."""
    return text.replace("`", "")


def check(text: str) -> list[str]:
    """Return the numbers of the rules that a text breaks."""
    document = read(text)
    if not document.valid or not isinstance(document.value, dict):
        return ["R0"]
    return [finding.rule for finding in validate(document.value).findings]


def test_rules_are_those_of_section_7_2() -> None:
    listed = [[rule.number, f"`{rule.code}`", plain(rule.condition)] for rule in RULES.values()]
    expected = [[number, code, plain(condition)] for number, code, condition in rows("7.2")]
    assert listed[: len(expected)] == expected


def test_messages_are_word_for_word_those_of_section_7_3() -> None:
    listed = [[f"`{code}`", message, hint] for code, (message, hint) in MESSAGES.items()]
    expected = rows("7.3")
    assert listed[: len(expected)] == expected


def test_every_code_has_a_rule_and_a_message_with_one_placeholder_at_most() -> None:
    assert {rule.code for rule in RULES.values()} == MESSAGES.keys()
    assert [code for code, (message, _) in MESSAGES.items() if message.count("{") > 1] == []


def test_limits_are_those_of_section_8_and_the_decisions() -> None:
    assert (MAX_BODY_BYTES, MAX_DEPTH, MAX_ERRORS) == (262_144, 256, 50)


@pytest.mark.parametrize("rule", RULES.values(), ids=RULES)
def test_the_examples_of_a_rule(rule: Rule) -> None:
    assert check(with_value(minimal_example(), rule.at, rule.wrong)) == [rule.number]
    assert check(with_value(minimal_example(), rule.at, rule.right)) == []
    assert rule.why.endswith(".")
