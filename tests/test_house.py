"""The rules of the house that a machine can check (ARCHITECTURE.md, CONTRIBUTING.md)."""

import ast
import inspect
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from graphlib import TopologicalSorter
from importlib import import_module
from pathlib import Path

import pytest

from benchmarks.__main__ import benchmarks
from rui_common.version import TOOL_VERSION
from tests.mutants import MUTANTS

ROOT = Path(__file__).parent.parent
PACKAGES = ["rui_common", "rui_openapi", "rui_cli", "rui_lsp", "rui_api", "rui_inspector"]
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


def test_each_module_has_a_docstring() -> None:
    assert [name(path) for path in SOURCES if not ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))] == []


def test_files_and_functions_are_small() -> None:
    for path in [*SIZED, *OTHER_SOURCES]:
        text = path.read_text(encoding="utf-8")
        assert path.name in DATA or text.count("\n") <= MAX_FILE_LINES, path
        for function in functions(ast.parse(text)) if path.suffix == ".py" else ():
            assert (function.end_lineno or 0) - function.lineno < MAX_FUNCTION_LINES, (path, function.name)


PUBLIC_API = {
    "rui_common.client": ["Client", "InvalidRuiError", "SavedSpec", "ServiceError", "UnreachableError"],
}  # fmt: skip
"""The names that other projects may import. Each has a docstring, and so has each public method of a class."""


def public_members() -> Iterator[tuple[str, object]]:
    for module, names in PUBLIC_API.items():
        for exported in names:
            value = getattr(import_module(module), exported)
            yield f"{module}.{exported}", value
            if isinstance(value, type):
                for member, function in vars(value).items():
                    if inspect.isfunction(function) and not member.startswith("_"):
                        yield f"{module}.{exported}.{member}", function


def test_the_public_api_is_documented() -> None:
    assert [label for label, value in public_members() if not inspect.getdoc(value)] == []


EMPTY_DOCSTRINGS = re.compile(
    r"(It is|It has|They (are|do)|The same|As above|See above|Whether (it|they) (is|are|does|do)|It in words"
    r"|Returns? (it|them|the (value|result))|Does it|Do it)\.?",
    re.IGNORECASE,
)
MIN_DOCSTRING_WORDS = 3


def empty_docstrings(tree: ast.AST) -> Iterator[str]:
    """Docstrings that contain no information: a phrase without a noun, or only the words of the name."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        text = ast.get_docstring(node)
        if text is None:
            continue
        words = re.findall(r"[a-z0-9]+", text.lower())
        only_name = set(words) - {"a", "an", "the", "of"} <= set(node.name.lower().strip("_").split("_"))
        if EMPTY_DOCSTRINGS.fullmatch(text.strip()) or len(words) < MIN_DOCSTRING_WORDS or only_name:
            yield f"{node.name}: {text}"


def test_docstrings_are_not_empty_phrases() -> None:
    assert [found for path in SOURCES for found in empty_docstrings(ast.parse(path.read_text(encoding="utf-8")))] == []


def test_empty_phrases_are_found() -> None:
    text = """
def sent(): "It is."
def other(): "The same."
def page_count(): "The page count."
def send(): "Send the response head and body."
class A: "A person."
"""
    assert [line.split(":")[0] for line in empty_docstrings(ast.parse(text))] == ["sent", "other", "page_count", "A"]


def import_graph() -> dict[str, set[str]]:
    """Module → modules that it imports anywhere in its text, imports for type checking included."""
    modules = {
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path for path in SOURCES
    }
    graph: dict[str, set[str]] = {module: set() for module in modules}
    for module, path in modules.items():
        for node in ast.walk(ast.parse(path.read_text())):
            targets: list[str] = []
            if isinstance(node, ast.Import):
                targets = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                for alias in node.names:
                    inner = f"{node.module}.{alias.name}"
                    targets.append(inner if inner in modules else str(node.module))
            graph[module] |= {target for target in targets if target in modules and target != module}
    return graph


def test_no_file_imports_itself_through_others() -> None:
    TopologicalSorter(import_graph()).prepare()  # raises CycleError


def test_checking_a_file_imports_nothing_slow() -> None:
    """Each of these takes as long as the whole check of a small file (benchmarks/surfaces.py)."""
    script = (
        "import sys\n"
        "from rui_common.syntax.document import read\n"
        "from rui_common.validation.diagnostics import diagnose\n"
        "diagnose(read(b'{\"version\": 1}'))\n"
        "print(*sorted({'asyncio', 'http', 'jinja2', 'lsprotocol', 'yaml'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-S", "-c", script], capture_output=True, text=True, cwd=ROOT, check=False)
    assert (done.stdout, done.stderr) == ("\n", "")


def test_there_is_one_version() -> None:
    assert tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"] == TOOL_VERSION


def test_the_import_contracts_hold() -> None:
    lint_imports = Path(sys.executable).parent / "lint-imports"
    done = subprocess.run([lint_imports], capture_output=True, text=True, cwd=ROOT, check=False)
    assert done.returncode == 0, done.stdout


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


def test_each_mutant_changes_one_place() -> None:
    assert len(MUTANTS) >= 60
    for mutant in MUTANTS:
        assert (ROOT / mutant.file).read_text(encoding="utf-8").count(mutant.old) == 1, mutant
        assert mutant.old != mutant.new
        assert all((ROOT / path).exists() for path in mutant.tests.split()), mutant


def test_tests_that_share_an_editor_run_in_one_process(request: pytest.FixtureRequest) -> None:
    """pytest-xdist reads the groups that tests/conftest.py sets: they are a part of the names of tests."""
    is_grouped = request.config.getoption("loadgroup", default=False)
    assert request.node.nodeid.endswith(f"@{request.node.nodeid.partition('::')[0]}") == is_grouped
