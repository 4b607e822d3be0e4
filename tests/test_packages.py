"""The wheel in an empty environment, and its metadata."""

import ast
import json
import re
import subprocess
import sys
import venv
import zipfile
from email import message_from_bytes
from pathlib import Path

import pytest

from tests.rui_cli.running import VALID

ROOT = Path(__file__).parents[1]
MISSPELT = VALID.replace('"content"', '"contnet"')


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from the sdist of the working tree."""
    folder = tmp_path_factory.mktemp("dist")
    subprocess.run([sys.executable, "-m", "build", "--outdir", folder, ROOT], check=True, capture_output=True)
    [wheel] = folder.glob("*.whl")
    return wheel


@pytest.fixture(scope="module")
def pyz(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The command line as one file."""
    path = tmp_path_factory.mktemp("pyz") / "rui.pyz"
    subprocess.run([sys.executable, ROOT / "deploy" / "build_pyz.py", path], check=True, capture_output=True)
    return path


@pytest.fixture(scope="module")
def programs(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the programs in an environment that has the wheel alone."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder)
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", folder / "bin" / "python"]
    subprocess.run([*pip, "install", "--quiet", "--no-index", wheel], check=True)
    return folder / "bin"


def run(program: Path, *arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run([program, *arguments], input=stdin, capture_output=True, text=True, check=False, cwd="/")


def test_the_metadata_has_what_an_index_shows(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        [name] = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
        about = message_from_bytes(archive.read(name))
    assert about["Author"] and about["Keywords"]
    assert {line.partition(",")[0] for line in about.get_all("Project-URL", [])} >= {"Source", "Changelog", "Issues"}
    extras = about.get_all("Provides-Extra", [])
    assert "all" in extras
    assert not {"dev", "docs"} & {*extras}
    assert not re.search(r"\]\((docs|editors)/", str(about.get_payload()))


def test_the_programs_work_with_the_wheel_alone(programs: Path) -> None:
    assert run(programs / "rui-toolkit", "check", "-", stdin=VALID).returncode == 0
    failed = run(programs / "rui", "check", "-", "--format", "json", stdin=MISSPELT)
    assert failed.returncode == 1
    assert {edit["text"] for item in json.loads(failed.stdout) for edit in item["fixes"][0]["edits"]} == {'"content"'}
    report = json.loads(run(programs / "rui", "check", "--format", "rdjson", "-", stdin=MISSPELT).stdout)
    assert report["diagnostics"][0]["suggestions"][0]["text"] in MISSPELT.replace("contnet", "content")
    schema = json.loads(run(programs / "rui", "schema", "--structured").stdout)
    assert schema["required"] == [*schema["properties"]]
    assert run(programs / "rui", "skill").stdout.startswith("---\nname: rui\n")


@pytest.mark.parametrize(("arguments", "stdin", "code", "words"), [
    (["check", "-"], VALID, 0, ""), (["check", "-"], MISSPELT, 1, "UNKNOWN_PROP"),
    (["format", "-"], VALID, 0, '"version": "0.1"'), (["wireframe", "-"], VALID, 0, "<style>"),
    (["diff", "/dev/null", "-"], VALID, 1, "The document is new."),
    (["skill"], "", 0, "name: rui"), (["serve"], "", 2, 'pip install ".[api]" in a checkout'),
])  # fmt: skip
def test_one_file_runs_with_the_standard_library_alone(
    pyz: Path, arguments: list[str], stdin: str, code: int, words: str
) -> None:
    command = [sys.executable, "-I", "-S", pyz, *arguments]
    done = subprocess.run(command, input=stdin, capture_output=True, text=True, check=False, cwd="/")
    assert done.returncode == code
    assert words in done.stdout + done.stderr


def test_one_file_names_the_python_that_it_needs(pyz: Path) -> None:
    with zipfile.ZipFile(pyz) as archive:
        main = archive.read("__main__.py").decode()
    # The syntax of the oldest Python that runs the file.
    ast.parse(main, feature_version=(3, 7))
    older = main.replace("(3, 11)", "(4, 0)", 1)
    done = subprocess.run([sys.executable, "-c", older], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert "Python 3.11 or newer is needed" in done.stderr
