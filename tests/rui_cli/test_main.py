"""`rui` itself: help, version, unknown commands, commands of other packages, unexpected errors."""

import re
import shlex
import sys
from pathlib import Path

import pytest

from rui_cli import output
from rui_cli.main import COMMANDS
from tests.rui_cli.running import VALID, rui


def test_help_names_every_command() -> None:
    ran = rui("--help")
    assert (ran.code, ran.err) == (0, "")
    assert all(f"  {name:<10} {entry.summary}\n" in ran.out for name, entry in COMMANDS.items())
    assert rui() == (2, "", ran.out)
    assert rui("--version").out.startswith("rui 0.")


@pytest.mark.parametrize("name", [name for name, entry in COMMANDS.items() if not entry.extra])
def test_every_command_has_help(name: str) -> None:
    ran = rui(name, "--help")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith(f"usage: rui {name} [OPTIONS]")
    assert all(len(line) <= 120 for line in ran.out.splitlines())
    assert rui("help", name) == ran


@pytest.mark.parametrize(("word", "error_message"), [
    ("chekc", "unknown command chekc (did you mean check?)"),
    ("lint", "unknown command lint (did you mean rui check?)"),
    ("app.rui.json", "unknown command app.rui.json (did you mean rui check app.rui.json?)"),
    ("my app.rui.json", "unknown command my app.rui.json (did you mean rui check 'my app.rui.json'?)"),
    (__file__, f"unknown command {__file__} (did you mean rui check {shlex.quote(__file__)}?)"),
    ("--verion", "unknown option --verion (did you mean --version?)"),
    ("xyzzy", "unknown command xyzzy"),
    ("\x1b[2J", "unknown command \\u001b[2J"),
])  # fmt: skip
def test_unknown_commands(word: str, error_message: str) -> None:
    assert rui(word) == (2, "", f"rui: {error_message}; see rui --help\n")


EMPTY = [
    *([name, ""] for name in COMMANDS),
    ["check", "--fix", "a.rui.json", ""], ["check", "-", ""], ["check", "--", ""], ["merge", "", "", ""],
    ["merge", "a", "", "b"], ["diff", "", "b"], ["diff", "HEAD", "--", ""], ["impact", "a", "", "b"],
    ["git", "audit", ""], ["publish", "--replaces", "x", ""], ["store", "copy", "sqlite:///a.db", ""],
    ["store", "delete", "", "--reason", "x"], ["help", ""], [""],
]  # fmt: skip


@pytest.mark.parametrize("words", EMPTY, ids=" ".join)
def test_an_empty_argument_is_one_line(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    ran = rui(*words, stdin="{}")
    printed = capsys.readouterr().err + ran.err
    assert (ran.code, ran.out, printed.count("\n")) == (2, "", 1)
    assert ": an argument is empty, such as that of a variable without a value; see rui " in printed


@pytest.mark.parametrize("command", [name for name, entry in COMMANDS.items() if entry.extra])
def test_commands_of_other_packages(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    module = COMMANDS[command].module
    given: list[list[str]] = []
    with monkeypatch.context() as patched:
        patched.setattr(f"{module}.main", lambda argv: given.append(argv) or 3)
        assert rui(command, "--port", "0", "--help").code == 3
    assert given == [["--port", "0", "--help"]]
    monkeypatch.setitem(sys.modules, module, None)
    advice = f'{module} is not installed: pip install ".[{COMMANDS[command].extra}]" in a checkout of the RUI toolkit'
    assert rui(command) == (2, "", f"rui {command}: {advice}\n")


def test_an_internal_error_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("first line\nsecond line")

    monkeypatch.setattr("rui_cli.commands.check.Analysis", fail)
    message = (
        r"internal error: RuntimeError('first line\nsecond line'); run again with RUI_DEBUG=1 and report its output"
    )
    assert rui("check", "-", stdin="{}") == (2, "", f"rui check: {message}\n")
    with pytest.raises(RuntimeError):
        rui("check", "-", stdin="{}", environment={"RUI_DEBUG": "1"})


@pytest.mark.parametrize(("error", "code", "output_text"), [
    (KeyboardInterrupt(), 130, "rui check: interrupted\n"),
    (BrokenPipeError(), 141, ""),
    (OSError(28, "No space left on device"), 2, "rui check: cannot go on: no space left on device\n"),
], ids=["Ctrl-C", "broken pipe", "full disk"])  # fmt: skip
def test_interruptions(error: BaseException, code: int, output_text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    write = output.write
    monkeypatch.setattr(
        output, "write", lambda text, to_stderr=False: (write if to_stderr else fail)(text, to_stderr=True)
    )
    assert rui("check", "-", stdin="{}") == (code, "", output_text)


TYPOS = {
    "a command": ["chekc"],
    "an option": ["--verison"],
    "an option of a command": ["check", "--opnapi", "x"],
    "a value": ["check", "--format", "jsno"],
    "a rule": ["explain", "UNKNWON_PROP"],
    "a key of rui.toml": ["check"],
    "a key of api": ["wireframe", "a.rui.json"],
}


@pytest.mark.parametrize("argv", TYPOS.values(), ids=TYPOS)
def test_no_sentence_ends_in_two_marks(argv: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.rui.json").write_text(VALID)
    (tmp_path / "rui.toml").write_text("[aip]\n" if argv == ["check"] else "[api]\nopenap = 1\n")
    ran = rui(*argv)
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert not re.search(r"[?!.:;,][?!.:;,](?:\s|$)", ran.err)
