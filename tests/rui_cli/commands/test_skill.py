"""`rui skill`: a skill for coding agents."""

from __future__ import annotations

import re

import yaml

from rui_cli.main import COMMANDS
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_common.vocabulary.signatures import signature
from tests.rui_cli.running import rui

MAX_CHARACTERS = 2_500 * 3.5
"""The limit is 2,500 tokens; a token has about 3.9 characters."""


def test_the_skill_is_short_and_has_every_node() -> None:
    text = rui("skill").out
    assert len(text) < MAX_CHARACTERS
    assert all(signature(shape) in text for shape in VOCABULARY.nodes.values())
    assert VOCABULARY.advice in text


def test_the_front_matter_has_a_name_and_a_description() -> None:
    front_matter = yaml.safe_load(rui("skill").out.split("---")[1])
    assert front_matter["name"] == "rui"
    assert "*.rui.json" in front_matter["description"]


def test_the_commands_of_the_skill_exist() -> None:
    lines = re.findall(r"^- `rui (.+?)`:", rui("skill").out, re.MULTILINE)
    assert lines
    for command, *words in map(str.split, lines):
        assert command in COMMANDS
        help_text = rui(command, "--help").out
        assert all(word in help_text for word in words if word.startswith("--"))
