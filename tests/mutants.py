"""Mutants of the product: small faults, each of which a test should find.

    python -m tests.mutants [--sample COUNT] [--seed NUMBER] [WORD …]

The faults are made from the syntax of the modules in `TESTS`, so that a change of a module needs no change here: a
comparison is turned round, a condition or an operand left out, a number raised, a statement removed. Each mutant is
made in a copy of the checkout, and the tests of its module run there. The words select functions by file or name;
`--sample` takes that many mutants of those selected, 40 by default, and `--sample 0` all of them. The survivors are
printed with their lines. Some behave like the original, such as one without an early return for speed. The exit code is
1 if fewer are found than `MIN_SCORE`, and 2 if tests fail without a mutant, which would find every one. SIGINT and
SIGTERM end the tests that run, too, and remove the copy.
"""

import argparse
import ast
import math
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

ROOT = Path(__file__).parent.parent

MIN_SCORE = 0.85
MIN_SECONDS = 60.0
PATIENCE = 10
"""The tests of a mutant are ended after so many times what they take without one, and `MIN_SECONDS` at least. It counts
as found and is printed: a test that hangs does not pass. So a busy machine finds no mutants."""

_CASES = "tests/test_corpus.py::test_the_core_agrees_with_the_marks"
_CORPUS = (_CASES, "tests/rui_common/validation")
_VOCABULARY = ("tests/rui_common/vocabulary", "tests/rui_common/describe", *_CORPUS)
_HTTP = ("tests/rui_api/http", "tests/rui_api/routes/test_errors.py", "tests/rui_api/routes/test_validate.py")
_LSP = ("tests/rui_lsp/session", "tests/rui_lsp/features", "tests/rui_lsp/test_server.py")
_FIXES = (
    "tests/rui_common/fixes",
    "tests/rui_common/validation",
    "tests/rui_lsp/features",
    "tests/rui_common/syntax/test_conflicts.py",
    "tests/test_corpus.py",
    "tests/rui_openapi/comparison",
)
_PROBLEMS = ("tests/rui_common/validation", "tests/rui_common/fixes", "tests/test_corpus.py")
_EDITING = ("tests/rui_common/editing", "tests/rui_lsp/features", "tests/rui_common/fixes", "tests/rui_openapi/editing")
_DESCRIBE = ("tests/rui_common/describe", "tests/rui_cli/commands/test_printed_texts.py")
_OPENAPI = (
    "tests/rui_openapi",
    "tests/rui_lsp/session/test_apis.py",
    "tests/rui_cli/commands/test_check_openapi.py",
)
_DECODING = ("tests/rui_api/decoding",)
_STORE = ("tests/rui_api/store", "tests/rui_api/commands/test_store.py")
_PLAYGROUND = ("tests/rui_api/playground", "tests/rui_api/routes/test_playground.py")
_ROUTES = ("tests/rui_api/routes", "tests/rui_api/http", "tests/rui_api/observability")
_CLI = ("tests/rui_cli/commands", "tests/rui_cli/formats", "tests/rui_cli/test_main.py", "tests/rui_cli/test_files.py")

TESTS = {
    "rui_common/validation/validator.py": (*_CORPUS, "tests/rui_lsp/features/test_rename.py"),
    "rui_common/nodes/names.py": (
        _CASES,
        "tests/rui_common/editing/test_completion.py",
        "tests/rui_lsp/features/test_names.py",
        "tests/rui_lsp/features/test_rename.py",
        "tests/rui_common/validation",
    ),
    "rui_common/validation/lint_finder.py": _CORPUS,
    "rui_common/validation/answers.py": ("tests/rui_common/validation/test_hints.py", *_CORPUS),
    "rui_common/problems/finding.py": _PROBLEMS,
    "rui_common/problems/suggestion.py": _PROBLEMS,
    "rui_common/problems/meant.py": _PROBLEMS,
    "rui_common/problems/names.py": _PROBLEMS,
    "rui_common/problems/properties.py": _PROBLEMS,
    "rui_common/problems/values.py": _PROBLEMS,
    "rui_common/problems/elements.py": _PROBLEMS,
    "rui_common/problems/texts.py": _CORPUS,
    "rui_common/problems/further.py": _CORPUS,
    "rui_common/problems/suggested.py": _CORPUS,
    "rui_common/validation/diagnostics.py": _CORPUS,
    "rui_common/nodes/node.py": (*_CORPUS, "tests/rui_common/editing", "tests/rui_lsp/features"),
    "rui_common/vocabulary/kinds.py": _VOCABULARY,
    "rui_common/vocabulary/schema.py": _VOCABULARY,
    "rui_common/vocabulary/queries.py": _VOCABULARY,
    "rui_common/vocabulary/signatures.py": _VOCABULARY,
    "rui_common/editing/names.py": (
        "tests/rui_common/editing",
        "tests/rui_common/fixes",
        "tests/rui_lsp/features/test_rename.py",
    ),
    "rui_common/editing/requests.py": ("tests/rui_common/editing/test_completion.py",),
    "rui_common/editing/edits.py": _EDITING,
    "rui_common/editing/completion.py": _EDITING,
    "rui_common/editing/completion_context.py": _EDITING,
    "rui_common/editing/hover.py": _EDITING,
    "rui_common/editing/snippets.py": _EDITING,
    "rui_common/editing/generate.py": _EDITING,
    "rui_common/editing/formatter.py": _EDITING,
    "rui_common/editing/normal_form.py": (
        "tests/rui_common/editing/test_formatter.py",
        "tests/properties/test_canonical_form.py",
    ),
    "rui_common/editing/traversal.py": (
        "tests/rui_common/editing/test_traversal.py",
        "tests/rui_lsp/features/test_document_symbol.py",
        "tests/rui_lsp/features/test_semantic_tokens.py",
    ),
    "rui_common/describe/__main__.py": _DESCRIBE,
    "rui_common/describe/examples.py": _DESCRIBE,
    "rui_common/describe/json_schema.py": _DESCRIBE,
    "rui_common/describe/markdown.py": _DESCRIBE,
    "rui_common/describe/rule_pages.py": _DESCRIBE,
    "rui_common/describe/structured_schema.py": _DESCRIBE,
    "rui_common/describe/vocabulary_json.py": _DESCRIBE,
    "rui_common/describe/vocabulary_page.py": _DESCRIBE,
    "rui_common/fixes/refactorings.py": ("tests/rui_common/fixes/test_refactorings.py",),
    "rui_common/fixes/apply.py": _FIXES,
    "rui_common/fixes/quick_fixes.py": _FIXES,
    "rui_common/fixes/wrapping.py": _FIXES,
    "rui_common/fixes/syntax_fixes.py": _FIXES,
    "rui_common/fixes/fix_all.py": _FIXES,
    "rui_common/syntax/reader.py": ("tests/rui_common/syntax", "tests/test_corpus.py"),
    "rui_common/syntax/line_index.py": ("tests/rui_common/syntax", *_LSP),
    "rui_common/syntax/tree.py": ("tests/rui_common/syntax", *_CORPUS),
    "rui_common/syntax/conflicts.py": ("tests/rui_common/syntax/test_conflicts.py",),
    "rui_common/versions/merge.py": ("tests/rui_common/versions/test_merge.py",),
    "rui_common/versions/merge_inputs.py": ("tests/rui_common/versions/test_merge.py",),
    "rui_common/versions/merge_order.py": ("tests/rui_common/versions/test_merge.py",),
    "rui_common/versions/merge_text.py": ("tests/rui_common/versions/test_merge.py",),
    "rui_common/versions/merge_tree.py": ("tests/rui_common/versions/test_merge.py",),
    "rui_common/hashing.py": ("tests/properties/test_canonical_form.py",),
    "rui_common/document_files.py": ("tests/rui_cli/test_hostile_files.py", "tests/rui_cli/commands"),
    "rui_common/versions/match.py": ("tests/rui_common/versions/test_match.py", "tests/rui_common/versions"),
    "rui_common/versions/compare.py": ("tests/rui_common/versions/test_changes.py", "tests/rui_common/versions"),
    "rui_common/versions/changes.py": ("tests/rui_common/versions/test_changes.py", "tests/rui_common/versions"),
    "rui_common/versions/sentences.py": ("tests/rui_common/versions/test_changes.py", "tests/rui_common/versions"),
    "rui_common/versions/notes.py": ("tests/rui_common/versions/test_notes.py",),
    "rui_common/versions/answers.py": ("tests/rui_common/versions/test_answers.py",),
    "rui_common/versions/noted_parts.py": ("tests/rui_common/versions/test_answers.py",),
    "rui_common/versions/visible.py": ("tests/rui_common/versions",),
    "rui_common/versions/replaced.py": ("tests/rui_common/versions/test_answers.py", "tests/rui_cli/commands"),
    "rui_common/client.py": (
        "tests/rui_common/client",
        "tests/rui_cli/commands/test_behind_a_proxy.py",
        "tests/rui_api/test_client.py",
    ),
    "rui_common/publishing.py": ("tests/rui_lsp/commands/test_commands.py", "tests/rui_cli/commands/test_publish.py"),
    "rui_openapi/bindings.py": _OPENAPI,
    "rui_openapi/comparison/check.py": _OPENAPI,
    "rui_openapi/comparison/api_lint.py": _OPENAPI,
    "rui_openapi/comparison/suggestions.py": _OPENAPI,
    "rui_openapi/configuration.py": _OPENAPI,
    "rui_openapi/derive.py": _OPENAPI,
    "rui_openapi/description/api.py": _OPENAPI,
    "rui_openapi/description/operations.py": _OPENAPI,
    "rui_openapi/description/path_index.py": _OPENAPI,
    "rui_openapi/description/schemas.py": _OPENAPI,
    "rui_openapi/discovery.py": _OPENAPI,
    "rui_openapi/editing/completion.py": _OPENAPI,
    "rui_openapi/editing/definition.py": _OPENAPI,
    "rui_openapi/editing/hover.py": _OPENAPI,
    "rui_openapi/ground.py": _OPENAPI,
    "rui_openapi/reading/files.py": _OPENAPI,
    "rui_openapi/reading/references.py": _OPENAPI,
    "rui_openapi/reading/yaml_text.py": _OPENAPI,
    "rui_api/decoding/check_codegen.py": _DECODING,
    "rui_api/decoding/open_objects.py": _DECODING,
    "rui_api/decoding/struct_types.py": _DECODING,
    "rui_api/decoding/typed_decoder.py": _DECODING,
    "rui_api/store/sqlite.py": _STORE,
    "rui_api/store/prune.py": _STORE,
    "rui_api/store/availability.py": _STORE,
    "rui_api/store/copy.py": _STORE,
    "rui_api/store/factory.py": _STORE,
    "rui_api/store/parameters.py": _STORE,
    "rui_api/store/postgres.py": _STORE,
    "rui_api/store/schema.py": _STORE,
    "rui_api/store/url.py": _STORE,
    "rui_api/commands/store.py": ("tests/rui_api/commands/test_store.py", "tests/rui_api/store/test_copy.py"),
    "rui_api/commands/listening.py": ("tests/rui_api/commands/test_unix_sockets.py",),
    "rui_api/observability/logs.py": ("tests/rui_api/observability/test_log_writer.py",),
    "rui_api/http/connection.py": ("tests/rui_api/http/test_connection.py",),
    "rui_api/http/limits.py": _HTTP,
    "rui_api/http/bodies.py": _HTTP,
    "rui_api/http/responses.py": _HTTP,
    "rui_api/http/compression.py": ("tests/rui_api/http/test_caching.py",),
    "rui_api/http/cors.py": ("tests/rui_api/http/test_cors.py",),
    "rui_api/http/errors.py": _HTTP,
    "rui_api/http/requests.py": _ROUTES,
    "rui_api/routes/discovery.py": _ROUTES,
    "rui_api/routes/errors.py": _ROUTES,
    "rui_api/routes/home.py": _ROUTES,
    "rui_api/routes/html.py": _ROUTES,
    "rui_api/routes/inspector.py": _ROUTES,
    "rui_api/routes/dependencies.py": _ROUTES,
    "rui_api/routes/tasks.py": _ROUTES,
    "rui_api/routes/specs.py": _ROUTES,
    "rui_api/routes/request_checks.py": ("tests/rui_api/routes/test_origins.py", *_HTTP),
    "rui_api/playground/answers.py": _PLAYGROUND,
    "rui_api/playground/formats.py": _PLAYGROUND,
    "rui_api/work_process.py": ("tests/rui_api/test_work_process.py",),
    "rui_common/task_process.py": ("tests/rui_api/playground", "tests/rui_lsp/session"),
    "rui_cli/commands/check.py": _CLI,
    "rui_cli/commands/diff.py": _CLI,
    "rui_cli/commands/explain.py": _CLI,
    "rui_cli/commands/format.py": _CLI,
    "rui_cli/commands/merge.py": _CLI,
    "rui_cli/commands/new.py": _CLI,
    "rui_cli/commands/openapi.py": ("tests/rui_openapi/test_derive.py", *_CLI),
    "rui_cli/commands/publish.py": _CLI,
    "rui_cli/commands/schema.py": _CLI,
    "rui_cli/commands/skill.py": _CLI,
    "rui_cli/commands/wireframe.py": _CLI,
    "rui_lsp/session/pauses.py": _LSP,
    "rui_lsp/session/uris.py": ("tests/rui_lsp/session/test_uris.py",),
    "rui_lsp/session/closed_files.py": ("tests/rui_lsp/session/test_closed_files.py",),
    "rui_lsp/session/documents.py": (*_LSP, "tests/rui_lsp/protocol"),
    "rui_lsp/convert.py": _LSP,
    "rui_lsp/commands/publish.py": ("tests/rui_lsp/commands/test_commands.py",),
    "rui_lsp/protocol/json_rpc.py": ("tests/rui_lsp/protocol",),
    "rui_lsp/protocol/parameters.py": ("tests/rui_lsp/protocol", *_LSP),
    "rui_lsp/protocol/connection.py": ("tests/rui_lsp/protocol",),
}
"""Module → the tests that must find its mutants, those that find most first."""


class Mutant(NamedTuple):
    """A fault of a module.

    Attributes:
        file: the module.
        function: the qualified name of the function.
        line: the line of the fault.
        change: the changed source, before and after.
        start: where the changed source begins: a number of UTF-8 bytes.
        end: where it ends.
    """

    file: str
    function: str
    line: int
    change: tuple[str, str]
    start: int
    end: int

    def source(self) -> bytes:
        """Return the source of the module with the fault."""
        source = (ROOT / self.file).read_bytes()
        return source[: self.start] + self.change[1].encode() + source[self.end :]

    def __str__(self) -> str:
        before, after = (" ".join(text.split())[:60] for text in self.change)
        return f"{self.file}:{self.line} {self.function}: {before} → {after or 'removed'}"


# Making mutants -------------------------------------------------------------------------------------------------------

_TURNED = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip


def mutants_of(file: str) -> list[Mutant]:
    """Return the mutants of the functions of a module in the order of its lines."""
    source = (ROOT / file).read_bytes()
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    made = []
    for name, function in _functions(ast.parse(source)):
        for node, after in _faults(function):
            start = starts[node.lineno - 1] + node.col_offset
            end = starts[(node.end_lineno or 0) - 1] + (node.end_col_offset or 0)
            made.append(Mutant(file, name, node.lineno, (source[start:end].decode(), after), start, end))
    return made


def _functions(tree: ast.Module | ast.ClassDef, owner: str = "") -> Iterator[tuple[str, ast.AST]]:
    """Yield functions and methods with their qualified names; inner functions belong to the outer ones."""
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            yield from _functions(node, f"{node.name}.")
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield owner + node.name, node


def _faults(function: ast.AST) -> Iterator[tuple[ast.expr | ast.stmt, str]]:
    """Yield the parts of a function that are replaced, and the source that replaces them."""
    for node in _parts(function):
        for kind, faults in _OPERATORS:
            if isinstance(node, kind):
                for after in faults(node):
                    yield node, after  # type: ignore[misc]  # all kinds have a position


def _parts(node: ast.AST) -> Iterator[ast.AST]:
    """Yield a node and those in it, without those in which a fault changes no behaviour: annotations and assertions.

    Those of f-strings are left out, too, because Python 3.11 misplaces them.
    """
    yield node
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list"):
            continue
        for child in value if isinstance(value, list) else [value]:
            is_assertion = isinstance(child, ast.Assert) or (isinstance(child, ast.keyword) and child.arg == "strict")
            if isinstance(child, ast.AST) and not isinstance(child, ast.JoinedStr) and not is_assertion:
                yield from _parts(child)


def _compared(node: ast.Compare) -> Iterator[str]:
    if len(node.ops) == 1:
        yield _source(ast.Compare(node.left, [_TURNED[type(node.ops[0])]()], node.comparators))


def _without_operand(node: ast.BoolOp) -> Iterator[str]:
    for index in range(len(node.values)):
        rest = [*node.values[:index], *node.values[index + 1 :]]
        yield _source(ast.BoolOp(node.op, rest) if len(rest) > 1 else rest[0])


def _positive(node: ast.UnaryOp) -> Iterator[str]:
    if isinstance(node.op, ast.Not):
        yield _source(node.operand)


def _constant(node: ast.Constant) -> Iterator[str]:
    if isinstance(node.value, bool):
        yield str(not node.value)
    elif isinstance(node.value, int):
        yield str(node.value + 1)


def _without_body(node: ast.If) -> Iterator[str]:
    """Yield the statement without a condition that holds; without an `else` it then does nothing."""
    if not node.orelse:
        yield "pass"


def _unfiltered(node: ast.ListComp | ast.SetComp | ast.GeneratorExp) -> Iterator[str]:
    if any(one.ifs for one in node.generators):
        generators = [ast.comprehension(one.target, one.iter, [], one.is_async) for one in node.generators]
        yield _source(type(node)(node.elt, generators))


def _removed(node: ast.Expr | ast.AugAssign | ast.Raise) -> Iterator[str]:
    if not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant | ast.Yield | ast.YieldFrom)):
        yield "pass"


def _source(node: ast.expr) -> str:
    return f"({ast.unparse(node)})"


_OPERATORS: tuple[tuple[type[ast.AST] | tuple[type[ast.AST], ...], Callable[..., Iterator[str]]], ...] = (
    (ast.Compare, _compared),
    (ast.BoolOp, _without_operand),
    (ast.UnaryOp, _positive),
    (ast.Constant, _constant),
    (ast.If, _without_body),
    ((ast.ListComp, ast.SetComp, ast.GeneratorExp), _unfiltered),
    ((ast.Expr, ast.AugAssign, ast.Raise), _removed),
)


# Running their tests --------------------------------------------------------------------------------------------------


def copy_checkout(folder: Path) -> None:
    """Copy the files that git does not ignore."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)


def run_tests(tests: tuple[str, ...], folder: Path, seconds: float) -> int | None:
    """Run tests in a copy of the checkout; return pytest's exit code, or None if they were ended after seconds."""
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": ""}  # else each mutant compiles all sources again
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *tests]
    nowhere = subprocess.DEVNULL
    deadline = time.monotonic() + seconds
    # In a session of its own, so that the processes that the tests have started end with them.
    options = {"cwd": folder, "env": environment, "stdout": nowhere, "stderr": nowhere}
    with subprocess.Popen(command, start_new_session=True, **options) as child:
        while (code := child.poll()) is None and time.monotonic() < deadline and not received:
            time.sleep(0.05)
        with suppress(ProcessLookupError):
            os.killpg(child.pid, signal.SIGKILL)
    if received:
        sys.exit(128 + received[0])
    return code


def measure(tests: tuple[str, ...], folder: Path) -> float:
    """Run tests without a mutant; return the seconds after which those of a mutant are ended."""
    start = time.monotonic()
    if (code := run_tests(tests, folder, math.inf)) != 0:
        print(f"without a mutant, pytest exits with {code}: {' '.join(tests)}", file=sys.stderr)
        sys.exit(2)
    return max(MIN_SECONDS, PATIENCE * (time.monotonic() - start))


def try_mutant(mutant: Mutant, folder: Path, seconds: float) -> int | None:
    """Run the tests of a mutant in a copy of the checkout; return pytest's exit code, or None if they were ended."""
    path = folder / mutant.file
    original = path.read_bytes()
    _write(path, mutant.source())
    code = run_tests(TESTS[mutant.file], folder, seconds)
    _write(path, original)
    return code


def _write(path: Path, source: bytes) -> None:
    """Write a module with a time of its own: Python takes bytecode of the same size and second for that of the file."""
    newer = path.stat().st_mtime + 2
    path.write_bytes(source)
    os.utime(path, (newer, newer))


received: list[int] = []
"""Signals that end the program. Their handler raises nothing, which could lose a process that is being started."""


def main(argv: list[str]) -> int:
    """Run the chosen mutants; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants")
    parser.add_argument("--sample", type=int, default=40)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("words", nargs="*")
    options = parser.parse_args(argv)
    chosen = [
        mutant
        for file in TESTS
        for mutant in mutants_of(file)
        if not options.words or any(word in f"{file} {mutant.function}" for word in options.words)
    ]
    if not chosen:
        parser.error("no function of a file in TESTS has this name")
    if 0 < options.sample < len(chosen):
        chosen = sorted(random.Random(options.seed).sample(chosen, options.sample))
    found = 0
    for signum in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(signum, lambda number, _: received.append(number))
    with TemporaryDirectory() as temporary:
        folder = Path(temporary)
        copy_checkout(folder)
        limits: dict[tuple[str, ...], float] = {}
        for tests in dict.fromkeys(TESTS[mutant.file] for mutant in chosen):
            limits[tests] = measure(tests, folder)
        for mutant in chosen:
            code = try_mutant(mutant, folder, limits[TESTS[mutant.file]])
            found += code != 0
            if code is None:
                print(f"takes too long: {mutant}", flush=True)
            if code == 0:
                print(f"survives: {mutant}", flush=True)
    print(f"{found} of {len(chosen)} mutants found, {found / len(chosen):.0%}; at least {MIN_SCORE:.0%} wanted")
    return found < MIN_SCORE * len(chosen)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
