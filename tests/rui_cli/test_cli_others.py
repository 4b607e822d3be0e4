"""`rui explain`, `schema`, `new`, `serve`, `lsp`, and `rui` itself."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from rui_cli import output
from rui_cli.lazy import import_attr
from rui_cli.main import COMMANDS
from rui_common.describe import json_schema, vocabulary_payload
from rui_common.vocabulary.rules import MESSAGES, RULES, WARNINGS, Rule
from tests.rui_cli.running import rui

# explain --------------------------------------------------------------------------------------------------------------

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
        told = rui("explain", code.lower().replace("_", "-")).out
        assert told.startswith(f"{code} (a warning)\n")
        assert warning.right in told
        assert f"{warning.condition} (a warning)" in rui("explain").out


def test_without_a_word_all_rules_are_listed() -> None:
    words = [line.split() for line in rui("explain").out.splitlines()]
    assert [tuple(line[:2]) for line in words[: len(RULES)]] == [(rule.number, rule.code) for rule in RULES.values()]


UNKNOWN = {
    "misspelt": ("UNKNWON_PROP", "; did you mean UNKNOWN_PROP?"),
    "nothing like it": ("colour", ""),
    "no such number": ("R99", ""),
    "empty": ("", ""),
}


@pytest.mark.parametrize(("word", "meant"), UNKNOWN.values(), ids=UNKNOWN)
def test_what_is_no_rule_is_a_wrong_command_line(word: str, meant: str) -> None:
    ran = rui("explain", word)
    assert ran[:2] == (2, "")
    assert (
        ran.err
        == f"rui explain: no rule or code is called {word}{meant} (rui explain lists all); see rui explain --help\n"
    )


# schema ---------------------------------------------------------------------------------------------------------------


def test_the_vocabulary_is_printed() -> None:
    assert json.loads(rui("schema").out) == json.loads(json.dumps(vocabulary_payload()))
    assert json.loads(
        rui(
            "schema",
            "--json-schema",
        ).out
    ) == json.loads(json.dumps(json_schema()))


# new ------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "options", [[], ["--full"], ["--title", 'Die "Größe" 🎉'], ["--full", "--title=x"]], ids=" ".join
)
def test_a_new_document_is_valid_and_in_canonical_form(options: list[str], tmp_path: Path) -> None:
    file = tmp_path / "new.rui.json"
    ran = rui("new", file, *options)
    assert ran == (0, f"{file} written; check it with: rui check {file}\n", "")
    assert rui("check", file).out == "no errors; 1 file checked\n"
    assert rui("format", "--check", file).code == 0
    assert rui("new", *options).out == rui("new", "-", *options).out == file.read_text(encoding="utf-8")
    if "--title" in options:
        assert json.loads(file.read_text(encoding="utf-8"))["meta"]["title"] == options[-1]


def test_a_new_document_overwrites_nothing(tmp_path: Path) -> None:
    file = tmp_path / "new.rui.json"
    file.write_text("mine")
    assert rui("new", file) == (2, "", f"rui new: {file} exists already; --force overwrites it\n")
    assert file.read_text() == "mine"
    assert rui("new", file, "--force").code == 0
    assert rui("check", file).code == 0


def test_a_name_that_check_does_not_find_is_mentioned(tmp_path: Path) -> None:
    file = tmp_path / "new.json"
    ran = rui("new", file)
    assert ran.code == 0
    assert ran.err == f"rui new: {file} does not end in .rui.json: `rui check` does not find it in a folder\n"


def test_a_new_document_nowhere(tmp_path: Path) -> None:
    file = tmp_path / "no" / "new.rui.json"
    assert rui("new", file) == (2, "", f"rui new: cannot write {file}: no such file or directory\n")
    assert rui("new", tmp_path, "--force").err == f"rui new: cannot write {tmp_path}: it is no regular file\n"
    assert rui("new", "a", "b").err == "rui new: unexpected argument b; see rui new --help\n"


# serve, lsp -----------------------------------------------------------------------------------------------------------

ELSEWHERE = {
    "serve": ("rui_api.commands.serve", "api"),
    "lsp": ("rui_lsp.main", "lsp"),
    "store": ("rui_api.commands.store", "api"),
}


@pytest.mark.parametrize(("command", "module"), [(name, module) for name, (module, _) in ELSEWHERE.items()])
def test_arguments_are_passed_on(command: str, module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[list[str]] = []

    def main(argv: list[str]) -> int:
        given.append(argv)
        return 3

    monkeypatch.setattr(f"{module}.main", main)
    assert rui(command, "--port", "0", "--help").code == 3
    assert given == [["--port", "0", "--help"]]


@pytest.mark.parametrize(("command", "module", "extra"), [(name, *rest) for name, rest in ELSEWHERE.items()])
def test_what_is_not_installed_is_named(command: str, module: str, extra: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    ran = rui(command)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == f"rui {command}: {module} is not installed: pip install 'rui-toolkit[{extra}]'\n"


# rui itself -----------------------------------------------------------------------------------------------------------


def test_help_names_every_command() -> None:
    ran = rui("--help")
    assert (ran.code, ran.err) == (0, "")
    for name, entry in COMMANDS.items():
        assert f"  {name:<8} {entry.summary}\n" in ran.out
    assert rui() == (2, "", ran.out)


OWN = [name for name in COMMANDS if name not in ELSEWHERE]


@pytest.mark.parametrize("name", OWN)
def test_every_command_has_help_that_names_every_option(name: str) -> None:
    ran = rui(name, "--help")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.splitlines()[2].startswith(f"usage: rui {name} [OPTIONS]")
    for option in import_attr(COMMANDS[name].module, "COMMAND").options:
        assert f"\n  {option.name}" in ran.out
    assert all(len(line) <= 120 for line in ran.out.splitlines())
    assert rui("help", name) == ran == rui(name, "--nothing", "-h") or rui(name, "-h") == ran


def test_the_version() -> None:
    ran = rui("--version")
    assert ran.out.startswith("rui 0.")
    assert ran.out.endswith(" (RUI 0.1)\n")


WRONG = {
    "command": ("chekc", "unknown command chekc; did you mean check?"),
    "option": ("--verion", "unknown option --verion; did you mean --version?"),
    "nothing like it": ("xyzzy", "unknown command xyzzy"),
    "hostile": ("\x1b[2J", "unknown command \\u001b[2J"),
}


@pytest.mark.parametrize(("word", "error_message"), WRONG.values(), ids=WRONG)
def test_what_is_no_command(word: str, error_message: str) -> None:
    assert rui(word) == (2, "", f"rui: {error_message}; see rui --help\n")


# What nobody thought of -----------------------------------------------------------------------------------------------


def test_an_internal_error_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("first line\nsecond line")

    monkeypatch.setattr("rui_cli.commands.check.diagnose", fail)
    ran = rui("check", "-", stdin="{}")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("rui check: internal error: RuntimeError: first line in test_cli_others.py:")
    assert ran.err.endswith("; run again with RUI_DEBUG=1 and report its output\n")
    assert ran.err.count("\n") == 1
    assert "Traceback" in rui("check", "-", stdin="{}", environment={"RUI_DEBUG": "1"}).err


@pytest.mark.parametrize(("error", "code", "said"), [
    (KeyboardInterrupt(), 130, "rui check: interrupted\n"),
    (BrokenPipeError(), 141, ""),
    (OSError(28, "No space left on device"), 2, "rui check: cannot go on: no space left on device\n"),
], ids=["Ctrl-C", "broken pipe", "full disk"])  # fmt: skip
def test_interruptions(error: BaseException, code: int, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    write = output.write
    monkeypatch.setattr(
        output, "write", lambda text, to_stderr=False: (write if to_stderr else fail)(text, to_stderr=True)
    )
    assert rui("check", "-", stdin="{}") == (code, "", said)
