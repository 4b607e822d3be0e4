"""`rui explain`, `rui schema`, `rui skill` and `rui new`: texts that are made of the vocabulary."""

import json
import re
from pathlib import Path

import pytest
import yaml

from rui_cli.main import COMMANDS
from rui_common.describe import json_schema, vocabulary_payload
from rui_common.describe.rule_pages import pages_of
from rui_common.describe.structured_schema import structured_schema
from rui_common.problems.lints import WARNINGS
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_common.vocabulary.rules import MESSAGES, RULES
from rui_common.vocabulary.signatures import signature
from tests.rui_cli.running import rui

MAX_SKILL_CHARACTERS = 2_500 * 3.5
"""The limit is 2,500 tokens; a token has about 3.9 characters."""


@pytest.mark.parametrize("code", [*MESSAGES, *WARNINGS])
def test_rules_are_explained_by_number_and_by_code(code: str) -> None:
    pages = {page.number: page.markdown() for page in pages_of() if page.code == code}
    for word in (code, code.lower().replace("_", "-")):
        assert rui("explain", word) == (0, "\n".join(pages.values()), "")
    for number, markdown in pages.items():
        assert rui("explain", number.lower()).out == markdown


def test_all_rules_and_warnings_are_listed() -> None:
    lines = rui("explain").out.splitlines()
    words = [tuple(line.split()[:2]) for line in lines[: len(RULES)]]
    assert words == [(rule.number, rule.code) for rule in RULES.values()]
    for code, warning in WARNINGS.items():
        assert rui("explain", code.lower()).out.startswith(f"# {code}\n")
        assert warning.hint in rui("explain", code).out
        assert any(line.endswith(f"{warning.condition} (a warning)") for line in lines)


@pytest.mark.parametrize(
    ("word", "meant"), [("UNKNWON_PROP", " (did you mean UNKNOWN_PROP?)"), ("colour", ""), ("R99", "")]
)
def test_an_unknown_rule_is_a_usage_error(word: str, meant: str) -> None:
    error = f"no rule or code is called {word}{meant or ' (rui explain lists all)'}"
    assert rui("explain", word) == (2, "", f"rui explain: {error}; see rui explain --help\n")


@pytest.mark.parametrize(
    ("options", "expected"),
    [((), vocabulary_payload()), (("--json-schema",), json_schema()), (("--structured",), structured_schema())],
)
def test_the_vocabulary_is_printed(options: tuple[str, ...], expected: object) -> None:
    assert rui("schema", *options) == (0, json.dumps(expected, indent=2, ensure_ascii=False) + "\n", "")


def test_one_kind_of_schema_is_printed() -> None:
    error = "argument --structured: not allowed with argument --json-schema"
    assert rui("schema", "--json-schema", "--structured") == (2, "", f"rui schema: {error}; see rui schema --help\n")


@pytest.mark.parametrize("words", [["explain", "R1", "R2"], ["new", "a", "R2"], ["schema", "R2"], ["skill", "R2"]])
def test_a_further_argument_is_a_usage_error(words: list[str]) -> None:
    command = words[0]
    assert rui(*words) == (2, "", f"rui {command}: unexpected argument R2; see rui {command} --help\n")


def test_the_skill_is_short_and_has_every_node() -> None:
    text = rui("skill").out
    assert len(text) < MAX_SKILL_CHARACTERS
    assert all(signature(shape) in text for shape in VOCABULARY.nodes.values())
    assert VOCABULARY.advice in text
    front_matter = yaml.safe_load(text.split("---")[1])
    assert front_matter["name"] == "rui"
    assert "*.rui.json" in front_matter["description"]


def test_the_commands_of_the_skill_exist() -> None:
    lines = re.findall(r"^- `rui (.+?)`:", rui("skill").out, re.MULTILINE)
    assert lines
    for command, *words in map(str.split, lines):
        assert command in COMMANDS
        help_text = rui(command, "--help").out
        assert all(word in help_text for word in words if word.startswith("--"))


@pytest.mark.parametrize("options", [[], ["--full"], ["--full", "--title", 'Die "Größe" 🎉']], ids=" ".join)
def test_a_new_document_is_valid_and_in_canonical_form(options: list[str], tmp_path: Path) -> None:
    file = tmp_path / "new.rui.json"
    assert rui("new", file, *options) == (0, f"{file} written; check it with: rui check {file}\n", "")
    assert rui("check", file).out == "no errors; 1 file checked\n"
    assert rui("format", "--check", file).code == 0
    assert rui("new", *options).out == rui("new", "-", *options).out == file.read_text(encoding="utf-8")
    if "--title" in options:
        assert json.loads(file.read_text(encoding="utf-8"))["meta"]["title"] == options[-1]


def test_the_command_that_checks_a_new_document_can_be_pasted(tmp_path: Path) -> None:
    file = tmp_path / "my app.rui.json"
    assert rui("new", file).out == f"{file} written; check it with: rui check '{file}'\n"


def test_a_new_document_overwrites_no_file(tmp_path: Path) -> None:
    file = tmp_path / "new.json"
    file.write_text("mine")
    assert rui("new", file) == (2, "", f"rui new: {file} exists already; --force overwrites it\n")
    assert file.read_text() == "mine"
    ran = rui("new", file, "--force")
    assert ran.err == f"rui new: {file} does not end in .rui.json: `rui check` does not find it in a folder\n"
    assert rui("check", file).code == 0
    file = tmp_path / "no" / "new.rui.json"
    assert rui("new", file) == (2, "", f"rui new: cannot write {file}: there is no folder {file.parent}\n")
    error = "the title is not in the encoding of this terminal"
    assert rui("new", "--title", "\udcff") == (2, "", f"rui new: {error}; see rui new --help\n")
