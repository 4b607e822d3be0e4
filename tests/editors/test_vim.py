"""ALE in Vim, with the configuration of editors/README.md."""

from pathlib import Path

import pytest

from tests.editors import tools
from tests.editors.page import ROOT, configurations
from tests.editors.vim import Vim

DRAFT = (ROOT / "examples" / "first-draft.rui.json").read_text(encoding="utf-8")


@pytest.fixture
def program(tmp_path: Path) -> str:
    with tools.or_skip():
        vim = tools.on_path("vim")
        check = ["-c", "if !has('job') || !has('timers') | cquit | endif", "-c", "packadd ale | call ale#Env('A', 'b')"]
        tools.run([vim, "-N", "-u", "NONE", "-i", "NONE", "-es", *check, "-c", "qall!"], tmp_path)
    return vim


def test_diagnostics_follow_each_change(program: str, tmp_path: Path) -> None:
    (tmp_path / "draft.rui.json").write_text(DRAFT, encoding="utf-8")
    [configuration] = configurations("Vim (ALE)", "vim")
    with Vim(program, tmp_path, configuration, "draft.rui.json") as vim:
        state = vim.until(lambda state: bool(state["diagnostics"]))
        assert (state["type"], state["syntax"], state["signs"] > 0) == ("rui-json", "json", True)
        lines = DRAFT.split("\n")
        line = next(number for number, text in enumerate(lines, 1) if '"Txt"' in text)
        assert ["UNKNOWN_TYPE", line, lines[line - 1].index('"Txt"') + 1] in state["diagnostics"]
        vim.type("/Txt\rcwText\x1b")
        after = vim.until(lambda state: "UNKNOWN_TYPE" not in (code for code, *_ in state["diagnostics"]))
        assert len(after["diagnostics"]) == len(state["diagnostics"]) - 1
        vim.type("ggx")
        vim.until(lambda state: "INVALID_JSON" in (code for code, *_ in state["diagnostics"]))
