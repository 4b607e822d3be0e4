"""Run the commands of the README and compare their output."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from tests.rui_api.live import process
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


def test_the_python_example(tmp_path: Path) -> None:
    [script] = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    with process("--store", f"sqlite:///{tmp_path / 'rui.db'}") as (_, service):
        command = [sys.executable, "-c", script.replace(ADDRESS, service.url)]
        done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    assert re.fullmatch(re.escape(service.url) + r"/specs/[0-9a-f-]{36}\n", done.stdout)
