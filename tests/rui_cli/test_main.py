"""`rui` itself: help, version, unknown commands, unexpected errors."""

from __future__ import annotations

import pytest

from rui_cli import output
from rui_cli.main import COMMANDS
from tests.rui_cli.running import rui


def test_help_names_every_command() -> None:
    ran = rui("--help")
    assert (ran.code, ran.err) == (0, "")
    for name, entry in COMMANDS.items():
        assert f"  {name:<10} {entry.summary}\n" in ran.out
    assert rui() == (2, "", ran.out)


OWN = [name for name, entry in COMMANDS.items() if not entry.extra]


@pytest.mark.parametrize("name", OWN)
def test_every_command_has_help_that_names_every_option(name: str) -> None:
    ran = rui(name, "--help")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith(f"usage: rui {name} [OPTIONS]")
    assert "\n  -h, --help " in ran.out
    assert all(len(line) <= 120 for line in ran.out.splitlines())
    assert rui("help", name) == ran == rui(name, "-h")


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
def test_unknown_commands(word: str, error_message: str) -> None:
    assert rui(word) == (2, "", f"rui: {error_message}; see rui --help\n")


def test_an_internal_error_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("first line\nsecond line")

    monkeypatch.setattr("rui_cli.commands.check.diagnose", fail)
    ran = rui("check", "-", stdin="{}")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("rui check: internal error: RuntimeError: first line in test_main.py:")
    assert ran.err.endswith("; run again with RUI_DEBUG=1 and report its output\n")
    assert ran.err.count("\n") == 1
    assert "Traceback" in rui("check", "-", stdin="{}", environment={"RUI_DEBUG": "1"}).err


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
