"""eglot in Emacs, with the configuration of editors/README.md."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from rui_common.editing.formatter import format_document
from rui_common.syntax.document import read
from rui_common.validation.analysis import Analysis
from tests.editors import tools
from tests.editors.page import ROOT, configurations

DRAFT = (ROOT / "examples" / "first-draft.rui.json").read_text(encoding="utf-8")
COMPACT = json.dumps(json.loads((ROOT / "examples" / "order-desk.rui.json").read_text(encoding="utf-8")))
WIDE = '{ "version": "0.1", "meta": { "title": "é😀" }, "pagse": [] }\n'


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    """The result of the script emacs.el."""
    folder = tmp_path_factory.mktemp("emacs")
    configuration = "\n".join(configurations("Emacs (eglot)", "elisp"))
    (folder / "init.el").write_text(f"{configuration}\n", encoding="utf-8")
    (folder / "draft.rui.json").write_text(DRAFT, encoding="utf-8")
    (folder / "wide.rui.json").write_text(WIDE, encoding="utf-8")
    (folder / "compact.rui.json").write_text(COMPACT, encoding="utf-8")
    (folder / "inner").mkdir()
    (folder / "inner" / "closed.rui.json").write_text("{", encoding="utf-8")
    with tools.or_skip():
        emacs = tools.on_path("emacs")
        tools.run([emacs, "--batch", "-f", "package-activate-all", "--eval", "(require 'eglot)"], folder)
    environment = {
        **os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}", "HOME": str(folder),
        "LC_ALL": "C.UTF-8",
    }  # fmt: skip
    process = subprocess.run(
        [emacs, "--batch", "-f", "package-activate-all", "-l", "init.el", "-l", Path(__file__).with_name("emacs.el")],
        cwd=folder, env=environment, capture_output=True, text=True, timeout=240, check=False,
    )  # fmt: skip
    assert process.returncode == 0, process.stderr
    return {**json.loads(process.stdout), "compact": (folder / "compact.rui.json").read_text(encoding="utf-8")}


def codes(findings: object) -> list[str]:
    return sorted(code for code, *_ in findings)


def test_diagnostics_follow_a_change(result: dict[str, object]) -> None:
    assert result["mode"] == "rui-json-mode"
    assert codes(result["draft"]) == sorted(error.code for error in Analysis(read(DRAFT)).diagnostics)
    assert codes(result["changed"]) == [code for code in codes(result["draft"]) if code != "UNKNOWN_TYPE"]
    assert ["UNKNOWN_PROP", 1, WIDE.index('"pagse"')] in result["wide"]


def test_renamed_formatted_and_previewed(result: dict[str, object]) -> None:
    changed = DRAFT.replace('"Txt"', '"Text"').replace('"id": "today"', '"id": "this-day"')
    assert result["formatted"] == format_document(Analysis(read(changed)))
    assert str(result["preview"]).startswith("http://127.0.0.1:")
    assert " 200 OK" in str(result["page"])
    assert "this-day" in str(result["page"])


def test_diagnostics_of_a_folder_that_is_moved_follow_it(result: dict[str, object]) -> None:
    assert result["closed"] == ["inner/closed.rui.json"]
    assert result["moved"] == result["after"] == ["moved/closed.rui.json"]


def test_a_file_without_a_line_end_at_its_end_gets_one(result: dict[str, object]) -> None:
    assert result["compact"] == format_document(Analysis(read(COMPACT)))
