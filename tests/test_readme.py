"""Run the commands of the README and compare their output."""

import inspect
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from rui_common import check, client
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


def test_the_example_of_a_pipeline(tmp_path: Path) -> None:
    [script] = [script for script in python_examples("docs/library.md") if "Client" in script]
    texts = {
        "draft": (ROOT / "examples" / "first-draft.rui.json").read_bytes(),
        "desk": (ROOT / "examples" / "order-desk.rui.json").read_bytes().replace(b'"Table"', b'"Tabel"'),
        "latin": '{"version": "0.1", "meta": {"title": "Größe"}}'.encode("latin-1"),
        "comment": b'// mine\n{"version": "0.1"}', "empty": b"",
    }  # fmt: skip
    (tmp_path / "examples").mkdir()
    for name, text in texts.items():
        (tmp_path / "examples" / f"{name}.rui.json").write_bytes(text)
    with process("--store", f"sqlite:///{tmp_path / 'rui.db'}") as (_, service):
        command = [sys.executable, "-c", script.replace(ADDRESS, service.url)]
        printed = subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, text=True).stdout
    for expected in ("comment.rui.json:1:1 Comments are not allowed", f"desk.rui.json {service.url}/specs/",
                     "draft.rui.json:16:44 Metric requires a read binding.", "empty.rui.json:1:1 Expected a JSON value",
                     "latin.rui.json:1:41 The byte 0xF6 is not UTF-8"):  # fmt: skip
        assert expected in printed
    assert b'"Table"' in (tmp_path / "examples" / "desk.rui.json").read_bytes()
    for name in ("latin", "comment", "empty", "draft"):
        assert (tmp_path / "examples" / f"{name}.rui.json").read_bytes() == texts[name]


@pytest.mark.parametrize("name", ["README.md", "docs/library.md"])
def test_the_examples_of_the_library(name: str) -> None:
    [script] = [script for script in python_examples(name) if "import check, fix" in script and "Client" not in script]
    printed = run_script(script)
    assert "Missing required property" in printed
    assert "AppliedFix(" in printed


ITEM = client.ErrorItem("", "", "", "")
RECORDS = (client.Validation, client.SavedSpec, client.ErrorItem, client.FixedRui, client.FixItem)
FAILURE = client.ServiceError("")
FAILURES = (
    client.InvalidRuiError(client.Validation(False, (ITEM,), False, None)), client.UnreachableError("", sent=True),
    client.InvalidAddressError(""),
)  # fmt: skip


def test_the_table_of_the_client_is_complete() -> None:
    """It names what is stable: classes, methods, parameters with their defaults, and fields."""
    text = (ROOT / "docs/library.md").read_text(encoding="utf-8").partition("## The client")[2].partition("\n## ")[0]
    rows = [re.split(r" *\| *", row) for row in re.findall(r"^\| (`.*)", text, re.MULTILINE)]
    named = {row[0].strip("`"): set(re.findall(r"`([^`]+)`", row[1])) for row in rows}
    expected = {record.__name__: {*record._fields} for record in RECORDS}
    expected["Client"] = parameters_of(client.Client)
    expected |= {f"Client.{name}": parameters_of(getattr(client.Client, name)) for name in public(client.Client)}
    expected["ServiceError"] = public(FAILURE) | public(client.ServiceError)
    expected |= {type(failure).__name__: public(failure) - expected["ServiceError"] for failure in FAILURES}
    assert named == expected
    values = [getattr(client, name) for name in public(client)]
    classes = [value for value in values if inspect.isclass(value) and value.__module__ == client.__name__]
    assert {value.__name__ for value in classes} == {name for name in expected if "." not in name}


def public(of: object) -> set[str]:
    return {name for name in vars(of) if not name.startswith("_")}


def parameters_of(function: Callable[..., object]) -> set[str]:
    parameters = inspect.signature(function).parameters.values()
    shown = {str(parameter.replace(annotation=parameter.empty)).replace("'", '"') for parameter in parameters}
    return shown - {"self"}


def test_the_picture_is_that_of_the_document() -> None:
    document = re.findall(r"```json\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)[0]
    assert check(document).errors + check(document).warnings == ()
    drawn = rui("wireframe", "--format", "svg", "-", stdin=document.encode())
    assert drawn == (0, (ROOT / "docs/images/readme.svg").read_text(encoding="utf-8"), "")
