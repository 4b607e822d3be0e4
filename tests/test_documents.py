"""The documents for people: commands, options and files that they name exist."""

import re
from functools import cache
from pathlib import Path

import pytest

from rui_cli.main import COMMANDS
from tests.rui_cli.running import rui

ROOT = Path(__file__).parent.parent
PAGES = {
    path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
    for pattern in ("*.md", "docs/*.md", "editors/*.md", "editors/vscode/**/*.md", "eval/*.md", "tests/cases/README.md")
    for path in sorted(ROOT.glob(pattern))
    if "node_modules" not in path.parts
}
OWN_WORDS = {name: text for name, text in PAGES.items() if name not in ("docs/specification.md", "docs/vocabulary.md")}
"""Without the contract and the generated vocabulary, which name no files."""

FENCE = re.compile(r"^ *```.*?^ *```", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"`[^`]+`")

# Commands and options -------------------------------------------------------------------------------------------------

OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*[a-z]")
CALL = re.compile(r"(?<![\w/.-])(?<!--tool )rui (?P<command>[a-z]+)(?P<rest>[^\n`|;&]*)")


@cache
def options_of(*command: str) -> set[str]:
    """Return the options in the help of a command, such as ``store copy``."""
    return {*OPTION.findall(rui(*command, "--help").out)}


def calls(text: str) -> list[tuple[tuple[str, ...], set[str]]]:
    """Return the commands in the code of a page, each with the options that it has there."""
    code = [*FENCE.findall(text), *CODE.findall(FENCE.sub("", text))]
    found = []
    for call in CALL.finditer("\n".join(code)):
        command = (
            call["command"],
            *re.findall(r"^ (copy|list|delete|prune)\b", call["rest"])[: call["command"] == "store"],
        )
        found.append((command, {*OPTION.findall(call["rest"])}))
    return found


@pytest.mark.parametrize("name", [name for name, text in PAGES.items() if calls(text)])
def test_commands_and_their_options_exist(name: str) -> None:
    wrong = [
        (*command, option)
        for command, given in calls(PAGES[name])
        for option in (given - options_of(*command) if command[0] in COMMANDS else ["there is no such command"])
    ]
    assert wrong == []


PASTES = [
    (name, block)
    for name, text in PAGES.items()
    for block in re.findall(r"^```sh\n(.*?)\n```$", text, re.MULTILINE | re.DOTALL)
]


@pytest.mark.parametrize(("name", "block"), PASTES, ids=[f"{name}-{block[:20]}" for name, block in PASTES])
def test_commands_can_be_pasted(name: str, block: str) -> None:
    """If one fails, those after it do not run. In zsh, a comment is an argument, and `(` in it is an error."""
    commands = re.sub(r"'[^']*'", "''", block)
    assert not re.search(r"(^|\s)#", commands)
    assert [line for line in commands.splitlines()[:-1] if not line.endswith("&&")] == []


def test_calls_are_found() -> None:
    text = "`rui check --fix a`\n```sh\nrui store copy --since last a b && rui new\n```\nrui nothing --x"
    assert sorted(calls(text)) == [(("check",), {"--fix"}), (("new",), set()), (("store", "copy"), {"--since"})]


# Files ----------------------------------------------------------------------------------------------------------------

FILE = re.compile(r"`((?:[\w.-]+/)*[\w-][\w.-]*\.(?:py|md|mjs|toml|yaml|yml|json|conf|service|css|html))`")
THEIRS = {"biome.json", 
    ".claude/settings.json", ".claude/skills/rui/SKILL.md", "AGENTS.md", "Cargo.toml", "extension.toml",
    "languages/rui/config.toml", "my-app.rui.json", "title.rui.json", "rui.toml", "rui/publications.json",
    "results/NAME-2026-01-31-ferry-terminal.json",
}  # fmt: skip
"""Files that users have or write."""


@pytest.mark.parametrize("name", [name for name, text in OWN_WORDS.items() if FILE.search(text)])
def test_named_files_exist(name: str) -> None:
    """A path may begin below a package, as in ARCHITECTURE.md."""
    folder = (ROOT / name).parent
    missing = [
        file
        for file in {*FILE.findall(OWN_WORDS[name])} - THEIRS
        if not (folder / file).exists() and not any(path.match(f"*/{file}") for path in files())
    ]
    assert missing == []


@cache
def files() -> list[Path]:
    skipped = {".venv", "node_modules", ".git", "build"}
    return [path for path in ROOT.rglob("*.*") if skipped.isdisjoint(path.relative_to(ROOT).parts)]
