"""What holds for the whole project: one version, a documented API, benchmarks that exist."""

import inspect
import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from benchmarks.__main__ import benchmarks
from rui_common import client
from rui_common.version import TOOL_VERSION

ROOT = Path(__file__).parent.parent
FOLDERS = ("rui_common", "rui_openapi", "rui_cli", "rui_lsp", "rui_api", "rui_inspector", "editors", "tests", "eval",
           "benchmarks")  # fmt: skip


@pytest.mark.parametrize("name", ["Client", "InvalidRuiError", "SavedSpec", "ServiceError", "UnreachableError"])
def test_the_public_api_is_documented(name: str) -> None:
    """Other projects may import `rui_common.client`."""
    exported = getattr(client, name)
    public = [value for member, value in vars(exported).items() if not member.startswith("_")]
    assert all(inspect.getdoc(member) for member in (exported, *filter(inspect.isfunction, public)))


def test_there_is_one_version() -> None:
    assert tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"] == TOOL_VERSION
    for name in ("package.json", "package-lock.json"):
        assert json.loads((ROOT / "editors" / "vscode" / name).read_text())["version"] == TOOL_VERSION
    pages = [(ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "docs/comparing.md")]
    shown = [re.findall(r"(?:rev: |rui-toolkit@)v([\d.]+)", page) for page in pages]
    assert shown == [[TOOL_VERSION] * 2, [TOOL_VERSION]]


def test_the_benchmarks_that_are_named_are_there() -> None:
    pages = [ROOT / name / "README.md" for name in ("benchmarks", "eval")]
    named = {name for page in pages for name in re.findall(r"-m benchmarks (\w+)", page.read_text(encoding="utf-8"))}
    assert named
    assert named <= {*benchmarks()}


def test_every_benchmark_can_be_imported() -> None:
    """They run by hand alone, and use names of the product."""
    code = "\n".join(f"from benchmarks.{name} import rows" for name in benchmarks())
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)


def test_no_repeated_group_is_possessive() -> None:
    """`re` of Python 3.11.2, that of Debian 12, keeps what a possessive group has read before it fails.

    So a possessive repetition of `a|"b"` reads the quote of `a"`. That of one character is right: `[ab]*+`.
    """
    possessive = re.compile(r"(?<!\\)\)(?:[*+?]|\{[0-9,]*\})\+")
    assert possessive.search("(?:a|b){0,9}" + "+")
    sources = {path: path.read_text("utf-8") for folder in FOLDERS for path in (ROOT / folder).rglob("*.py")}
    assert [path for path, text in sources.items() if possessive.search(text)] == []


def test_tests_that_share_an_editor_run_in_one_process(request: pytest.FixtureRequest) -> None:
    """pytest-xdist reads the groups that tests/conftest.py sets: they are a part of the names of tests."""
    is_grouped = request.config.getoption("loadgroup", default=False)
    assert request.node.nodeid.endswith(f"@{request.node.nodeid.partition('::')[0]}") == is_grouped
