"""`rui explain`: rules and error codes."""

from __future__ import annotations

import pytest

from rui_common.vocabulary.rules import MESSAGES, RULES, WARNINGS, Rule
from tests.rui_cli.running import rui

HEADINGS = [
    "What it reports", "Why it matters", "Message", "Hint", "Example", "Report of rui check", "Use instead",
]  # fmt: skip


@pytest.mark.parametrize("rule", RULES.values(), ids=lambda rule: rule.number)
def test_every_rule_is_explained(rule: Rule) -> None:
    ran = rui("explain", rule.number.lower())
    assert (ran.code, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert lines[0] == f"{rule.number} {rule.code}"
    starts = [lines.index(next(line for line in lines if line.startswith(heading))) for heading in HEADINGS]
    assert starts == sorted(starts)
    template, _ = MESSAGES[rule.code]
    assert f"  {template}" in lines
    assert ran.out.count(f"error[{rule.number} {rule.code}]: ") == ran.out.count("error[") == 1


@pytest.mark.parametrize("code", MESSAGES)
def test_all_rules_of_a_code_are_explained(code: str) -> None:
    expected = [f"{rule.number} {code}" for rule in RULES.values() if rule.code == code]
    for word in (code, code.lower(), code.replace("_", "-")):
        lines = rui("explain", word).out.splitlines()
        assert [line for line in lines if line in expected] == expected


def test_the_warning_is_explained() -> None:
    for code, warning in WARNINGS.items():
        printed = rui("explain", code.lower().replace("_", "-")).out
        assert printed.startswith(f"{code} (a warning)\n")
        assert warning.right in printed
        assert f"{warning.condition} (a warning)" in rui("explain").out


def test_without_an_argument_all_rules_are_listed() -> None:
    words = [line.split() for line in rui("explain").out.splitlines()]
    assert [tuple(line[:2]) for line in words[: len(RULES)]] == [(rule.number, rule.code) for rule in RULES.values()]


UNKNOWN = {
    "misspelt": ("UNKNWON_PROP", "; did you mean UNKNOWN_PROP?"),
    "nothing like it": ("colour", ""),
    "no such number": ("R99", ""),
    "empty": ("", ""),
}


@pytest.mark.parametrize(("word", "meant"), UNKNOWN.values(), ids=UNKNOWN)
def test_an_unknown_rule_is_a_usage_error(word: str, meant: str) -> None:
    ran = rui("explain", word)
    assert ran[:2] == (2, "")
    assert (
        ran.err
        == f"rui explain: no rule or code is called {word}{meant} (rui explain lists all); see rui explain --help\n"
    )
