"""The rules of the house that a machine can check (ARCHITECTURE.md, CONTRIBUTING.md)."""

import ast
import inspect
import json
import re
import tomllib
from pathlib import Path

import pytest

from benchmarks.__main__ import benchmarks
from rui_common import client
from rui_common.version import TOOL_VERSION
from tests.mutants import TESTS, mutants_of

ROOT = Path(__file__).parent.parent
FOLDERS = ("rui_common", "rui_openapi", "rui_cli", "rui_lsp", "rui_api", "rui_inspector", "editors", "tests", "eval",
           "benchmarks")  # fmt: skip
OTHER_SOURCES = [
    path for pattern in ("rui_inspector/static/*", "editors/*/src/**/*") for path in ROOT.glob(pattern)
    if path.suffix in (".js", ".ts", ".css")
]  # fmt: skip
DATA = {"rui_0_1.py", "rules.py"}
MAX_FILE_LINES = 600
MAX_FUNCTION_LINES = 50


def test_files_and_functions_are_small() -> None:
    assert all(any((ROOT / folder).rglob("*.py")) for folder in FOLDERS)
    assert {path.suffix for path in OTHER_SOURCES} == {".js", ".ts", ".css"}
    for path in [*OTHER_SOURCES, *(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py"))]:
        text = path.read_text(encoding="utf-8")
        assert path.name in DATA or text.count("\n") <= MAX_FILE_LINES, path
        for node in ast.walk(ast.parse(text)) if path.suffix == ".py" else ():
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                assert (node.end_lineno or 0) - node.lineno < MAX_FUNCTION_LINES, (path, node.name)


def test_the_language_server_has_no_fragments() -> None:
    """A file of a few lines is read together with another one."""
    files = {path: path.read_text("utf-8").count("\n") for path in (ROOT / "rui_lsp").rglob("*.py")}
    assert files
    assert [path for path, lines in files.items() if lines < 20 and not path.stem.startswith("__")] == []


@pytest.mark.parametrize("name", ["Client", "InvalidRuiError", "SavedSpec", "ServiceError", "UnreachableError"])
def test_the_public_api_is_documented(name: str) -> None:
    """Other projects may import `rui_common.client`."""
    exported = getattr(client, name)
    public = [value for member, value in vars(exported).items() if not member.startswith("_")]
    assert all(inspect.getdoc(one) for one in (exported, *filter(inspect.isfunction, public)))


def test_there_is_one_version() -> None:
    assert tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"] == TOOL_VERSION
    for name in ("package.json", "package-lock.json"):
        assert json.loads((ROOT / "editors" / "vscode" / name).read_text())["version"] == TOOL_VERSION
    pages = [(ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "docs/comparing.md")]
    shown = [re.findall(r"(?:rev: |rui-toolkit@)v([\d.]+)", page) for page in pages]
    assert shown == [[TOOL_VERSION] * 2, [TOOL_VERSION]]


def test_the_benchmarks_that_are_named_are_there() -> None:
    pages = [ROOT / "CONTRIBUTING.md", ROOT / "eval" / "README.md"]
    named = {name for page in pages for name in re.findall(r"-m benchmarks (\w+)", page.read_text(encoding="utf-8"))}
    assert named
    assert named <= {*benchmarks()}


def recipes() -> dict[str, str]:
    """Return the recipes of CONTRIBUTING.md by title."""
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    part = page.split("## How to add …\n")[1].split("\n## ")[0]
    return {text.partition("\n")[0]: text for text in part.split("### ")[1:]}


@pytest.mark.parametrize("title", recipes())
def test_each_recipe_ends_with_the_command_that_checks_it(title: str) -> None:
    last = recipes()[title].strip().rpartition("\n")[2]
    found = re.fullmatch(r"Check: `\.venv/bin/python -m pytest ([^`]+)`", last)
    assert found is not None
    paths = [ROOT / path for path in found[1].split()]
    assert all(path.name.startswith("test_") if path.is_file() else [*path.rglob("test_*.py")] for path in paths)


def test_recipes_name_files_that_exist() -> None:
    named = {
        name
        for text in recipes().values()
        for name in re.findall(r"`((?:rui_|tests/|benchmarks/|docs/)[\w/.-]+)`", text)
    }
    files = {name for name in named if "/" in name and "<" not in name}
    assert files
    assert [name for name in sorted(files) if not (ROOT / name).exists()] == []


def test_mutants_of_every_function_that_may_have_one() -> None:
    for file, tests in TESTS.items():
        mutants = mutants_of(file)
        assert mutants, file
        original = ast.dump(ast.parse((ROOT / file).read_bytes()))
        for mutant in mutants[:3]:
            assert ast.dump(ast.parse(mutant.source())) != original, mutant
        assert all((ROOT / test.partition("::")[0]).exists() for test in tests), file


def test_no_repeated_group_is_possessive() -> None:
    """`re` of Python 3.11.2, that of Debian 12, keeps what a possessive group has read before it fails.

    So a possessive repetition of `a|"b"` reads the quote of `a"`. That of one character is right: `[ab]*+`.
    """
    possessive = re.compile(r"(?<!\\)\)(?:[*+?]|\{[0-9,]*\})\+")
    assert possessive.search("(?:a|b){0,9}" + "+")
    sources = {path: path.read_text("utf-8") for folder in FOLDERS for path in (ROOT / folder).rglob("*.py")}
    assert [path for path, text in sources.items() if possessive.search(text)] == []


def imported_by(path: Path) -> list[str]:
    """Return the full names of what a module imports: ``tests.support.small.DOCUMENT``."""
    nodes = [*ast.walk(ast.parse(path.read_bytes()))]
    plain = [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    found = [node for node in nodes if isinstance(node, ast.ImportFrom)]
    return [*plain, *(f"{node.module}.{alias.name}" for node in found for alias in node.names)]


def test_what_tests_share_is_in_no_test_module() -> None:
    """A test module is imported by pytest alone: what others need is in a module beside it, or in tests/support."""
    used = {path: imported_by(path) for folder in FOLDERS for path in (ROOT / folder).rglob("*.py")}
    assert "tests.mutants.TESTS" in used[Path(__file__)]
    wrong = [(path, name) for path, names in used.items() for name in names if re.match(r"tests\.(.*\.)?test_", name)]
    assert wrong == []


def test_tests_that_share_an_editor_run_in_one_process(request: pytest.FixtureRequest) -> None:
    """pytest-xdist reads the groups that tests/conftest.py sets: they are a part of the names of tests."""
    is_grouped = request.config.getoption("loadgroup", default=False)
    assert request.node.nodeid.endswith(f"@{request.node.nodeid.partition('::')[0]}") == is_grouped
