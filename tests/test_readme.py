"""Run the commands of the README and compare their output."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from rui_common import check
from tests.rui_api.live import process
from tests.rui_cli.running import rui
from tests.support.skipping import need_program
from tests.support.tour import commands, matches

ROOT = Path(__file__).parent.parent
ADDRESS = "http://127.0.0.1:8000"


def test_the_tour(tmp_path: Path) -> None:
    need_program("curl")
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    environment = {
        **os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}", "NO_COLOR": "1",
        "PYTHONUNBUFFERED": "",  # buffering would change the order of the output
    }  # fmt: skip
    ran = 0
    with process("--store", f"sqlite:///{tmp_path / 'rui.db'}") as (_, service):
        for command, expected in commands(ROOT / "README.md"):
            here = command.replace(ADDRESS, service.url).replace("/tmp/", f"{tmp_path}/")
            done = subprocess.run(
                here, shell=True, cwd=tmp_path, env=environment, check=False, text=True,
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            )  # fmt: skip
            assert matches(done.stdout.replace(service.url, ADDRESS), expected), f"$ {command}\n{done.stdout}"
            ran += 1
    assert ran >= 7


def python_examples(name: str) -> list[str]:
    return re.findall(r"```python\n(.*?)```", (ROOT / name).read_text(encoding="utf-8"), re.DOTALL)


def run_script(script: str) -> str:
    """Run a script in the folder of the project; return its output."""
    return subprocess.run([sys.executable, "-c", script], cwd=ROOT, check=True, capture_output=True, text=True).stdout


def test_the_example_of_the_client(tmp_path: Path) -> None:
    [script] = [script for script in python_examples("README.md") if "Client" in script]
    with process("--store", f"sqlite:///{tmp_path / 'rui.db'}") as (_, service):
        printed = run_script(script.replace(ADDRESS, service.url))
        assert re.fullmatch(re.escape(service.url) + r"/specs/[0-9a-f-]{36}\n", printed)


@pytest.mark.parametrize("name", ["README.md", "docs/library.md"])
def test_the_examples_of_the_library(name: str) -> None:
    [script] = [script for script in python_examples(name) if "import check, fix" in script]
    assert "Missing required property" in run_script(script)


def test_the_picture_is_that_of_the_document() -> None:
    document = re.findall(r"```json\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)[0]
    assert check(document).errors + check(document).warnings == ()
    drawn = rui("wireframe", "--format", "svg", "-", stdin=document.encode())
    assert drawn == (0, (ROOT / "docs/images/readme.svg").read_text(encoding="utf-8"), "")
