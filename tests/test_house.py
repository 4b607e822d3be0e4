"""The rules of the house that a machine can check (ARCHITECTURE.md, CONTRIBUTING.md)."""

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.__main__ import ON_DEMAND, benchmarks
from rui_common.version import TOOL_VERSION

ROOT = Path(__file__).parent.parent
PACKAGES = ["rui_common", "rui_cli", "rui_lsp", "rui_api", "rui_inspector"]
SOURCES = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))
SIZED = [*SOURCES, *sorted((ROOT / "editors").glob("*.py")), *(
    path for folder in ("tests", "benchmarks", "eval") for path in sorted((ROOT / folder).rglob("*.py"))
)]  # fmt: skip
OTHER_SOURCES = sorted(
    path for pattern in ("rui_inspector/static/*", "editors/*/src/**/*") for path in ROOT.glob(pattern)
    if path.suffix in (".js", ".ts", ".css")
)  # fmt: skip
DATA = {"rui_0_1.py", "rules.py"}
MAX_FILE_LINES = 600
MAX_FUNCTION_LINES = 50


def name(path: Path) -> str:
    return str(path.relative_to(ROOT))


def functions(tree: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


def imported_roots(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            yield str(node.module).partition(".")[0]


@pytest.mark.parametrize("path", SIZED, ids=name)
def test_files_and_functions_are_small(path: Path) -> None:
    text = path.read_text()
    if path.name not in DATA:
        assert text.count("\n") <= MAX_FILE_LINES
    long = {
        function.name: function.end_lineno - function.lineno + 1
        for function in functions(ast.parse(text))
        if function.end_lineno is not None and function.end_lineno - function.lineno + 1 > MAX_FUNCTION_LINES
    }
    assert not long


@pytest.mark.parametrize("path", OTHER_SOURCES, ids=name)
def test_files_in_other_languages_are_small(path: Path) -> None:
    assert path.read_text().count("\n") <= MAX_FILE_LINES


@pytest.mark.parametrize("path", SOURCES, ids=name)
def test_public_functions_are_documented(path: Path) -> None:
    bare = [
        function.name
        for function in functions(ast.parse(path.read_text()))
        if not function.name.startswith("_") and function.name != "accept" and not ast.get_docstring(function)
    ]
    nested = {
        inner.name
        for outer in functions(ast.parse(path.read_text()))
        for inner in functions(outer)
        if inner is not outer
    }
    assert not [function for function in bare if function not in nested]


def test_the_core_imports_the_standard_library_alone() -> None:
    allowed = {*sys.stdlib_module_names, "rui_common"}
    foreign = {
        (name(path), root)
        for path in SOURCES
        if path.is_relative_to(ROOT / "rui_common")
        for root in imported_roots(ast.parse(path.read_text()))
        if root not in allowed
    }
    assert not foreign


def test_nothing_but_who_talks_to_a_service_loads_the_client() -> None:
    inside = ROOT / "rui_common"
    users = {
        name(path)
        for path in SOURCES
        if path.is_relative_to(inside) and not path.is_relative_to(inside / "client")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.ImportFrom) and str(node.module).startswith("rui_common.client")
    }
    assert not users


def test_checking_a_file_imports_nothing_slow() -> None:
    """Start-up is a feature: what these cost would be a third of the whole run (benchmarks/startup.py)."""
    script = (
        "import sys\n"
        "from rui_common.syntax.document import read\n"
        "from rui_common.validation.diagnostics import diagnose\n"
        "diagnose(read(b'{\"version\": 1}'))\n"
        "print(*sorted({'typing', 'dataclasses', 'inspect', 'pathlib', 'asyncio', 'http'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-S", "-c", script], capture_output=True, text=True, cwd=ROOT, check=True)
    assert done.stdout.split() == []


def test_there_is_one_version() -> None:
    assert tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"] == TOOL_VERSION


def test_the_import_contracts_hold() -> None:
    lint_imports = Path(sys.executable).parent / "lint-imports"
    done = subprocess.run([lint_imports], capture_output=True, text=True, cwd=ROOT, check=False)
    assert done.returncode == 0, done.stdout


def test_the_benchmarks_that_are_named_are_there() -> None:
    made = (ROOT / "Makefile").read_text(encoding="utf-8")
    named = {name for names in re.findall(r"-m benchmarks((?: \w+)+)", made) for name in names.split()}
    assert named
    assert named | ON_DEMAND <= {*benchmarks()}
