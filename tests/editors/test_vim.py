"""ALE in Vim, with the configuration of editors/README.md."""

import json
import os
import subprocess
import sys
from pathlib import Path

from tests.editors import tools
from tests.editors.page import ROOT, configurations

DRAFT = (ROOT / "examples" / "first-draft.rui.json").read_text(encoding="utf-8")
SCRIPT = Path(__file__).with_name("vim.vim")


def test_diagnostics_follow_each_change(tmp_path: Path) -> None:
    with tools.or_skip():
        vim = tools.on_path("vim")
        check = ["-c", "if !has('job') || !has('timers') | cquit | endif", "-c", "packadd ale | call ale#Env('A', 'b')"]
        tools.run([vim, "-N", "-u", "NONE", "-i", "NONE", "-es", *check, "-c", "qall!"], tmp_path)
    (tmp_path / "draft.rui.json").write_text(DRAFT, encoding="utf-8")
    [configuration] = configurations("Vim (ALE)", "vim")
    (tmp_path / "vimrc").write_text(configuration, encoding="utf-8")
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    subprocess.run(
        [vim, "-N", "-n", "-i", "NONE", "-u", "vimrc", "-es", "-S", SCRIPT],
        cwd=tmp_path, env={**os.environ, "PATH": path, "HOME": str(tmp_path), "LC_ALL": "C.UTF-8"},
        stdin=subprocess.DEVNULL, timeout=240, check=True,
    )  # fmt: skip
    answer = json.loads((tmp_path / "state.json").read_text(encoding="utf-8"))
    assert (answer["type"], answer["syntax"], answer["signs"] > 0) == ("rui-json", "json", True)
    first, fixed, broken = answer["states"]
    lines = DRAFT.split("\n")
    line = next(number for number, text in enumerate(lines, 1) if '"Txt"' in text)
    assert ["UNKNOWN_TYPE", line, lines[line - 1].index('"Txt"') + 1] in first
    assert sorted(code for code, *_ in fixed) == sorted(code for code, *_ in first if code != "UNKNOWN_TYPE")
    assert "INVALID_JSON" in {code for code, *_ in broken}
