"""Hand-made mutants: small faults of the product, each of which a test must find.

    python -m tests.mutants [WORD …]

A mutant is made in a copy of the checkout, and its tests run there. The words select mutants by file or text. The exit
code is 1 if one survives. `test_house.py` checks that the texts occur in their files.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

ROOT = Path(__file__).parent.parent


class Mutant(NamedTuple):
    """A fault of the product.

    Attributes:
        file: the module.
        old: a text that occurs once in it.
        new: the faulty text.
        tests: the tests of which one must fail.
    """

    file: str
    old: str
    new: str
    tests: str


VALIDATOR = "rui_common/validation/validator.py"
NAMES = "rui_common/validation/names.py"
READER = "rui_common/syntax/reader.py"
HASHING = "rui_common/hashing.py"
FIX_ALL = "rui_common/fixes/fix_all.py"
PROPERTY_FIXES = "rui_common/fixes/property_fixes.py"
FILES = "rui_common/document_files.py"
SQLITE = "rui_api/store/sqlite.py"
LIMITS = "rui_api/http/limits.py"
BODY = "rui_api/http/bodies.py"
RESPONSES = "rui_api/http/responses.py"
WORKER = "rui_api/playground/worker.py"
CHECKS = "rui_api/routes/request_checks.py"
PAUSES = "rui_lsp/diagnostics/pauses.py"
CONVERT = "rui_lsp/client/convert.py"

CORPUS = "tests/test_corpus.py tests/rui_common/validation"
HASHES = "tests/properties/test_canonical_form.py"
SYNTAX = "tests/rui_common/syntax tests/test_corpus.py"
FIXES = "tests/rui_common/fixes"
STORE = "tests/rui_api/store/test_sqlite_store.py tests/rui_api/store/test_copy.py"
HTTP = "tests/rui_api/http tests/rui_api/routes/test_errors.py tests/rui_api/routes/test_validate.py"
ORIGINS = "tests/rui_api/routes/test_origins.py tests/rui_api/routes/test_errors.py"
LSP = "tests/rui_lsp/server tests/rui_lsp/diagnostics tests/rui_lsp/client tests/rui_lsp/features"

MUTANTS = (
    Mutant(VALIDATOR, "elif prop.required:", "elif not prop.required:", CORPUS),
    Mutant(VALIDATOR, "for name in sorted(value.keys() - shape.props.keys()):", "for name in value.keys() - shape.props.keys() - {'id'}:", CORPUS),
    Mutant(VALIDATOR, "if not shape.open and not value.keys()", "if not value.keys()", CORPUS),
    Mutant(VALIDATOR, "rule = kind.nested.get(shape.name, kind.child)", "rule = kind.child", CORPUS),
    Mutant(VALIDATOR, "        if violation is None:\n            return\n        self._may_lack(symbols_in(kind), scopes)\n", "        if violation is None:\n            return\n", CORPUS),
    Mutant(VALIDATOR, "if not values and path not in self._incomplete:", "if not values:", CORPUS),
    Mutant(VALIDATOR, "placed[: self._limit]", "placed[: self._limit + 1]", CORPUS),
    Mutant(VALIDATOR, "placed.sort(key=_canonical_order)", "placed.sort(key=lambda one: one[0])", CORPUS),
    Mutant(VALIDATOR, "return place, _RULE_ORDER[finding.rule]", "return place, -_RULE_ORDER[finding.rule]", CORPUS),
    Mutant(VALIDATOR, "        if path not in self._incomplete:\n            inner_path", "        if True:\n            inner_path", CORPUS),
    Mutant(VALIDATOR, "shape = kind.shape_by_properties(node)", "shape = None", CORPUS),
    Mutant(VALIDATOR, "            self._identity(node, path, scopes)\n            return\n", "            return\n", CORPUS),
    Mutant(VALIDATOR, "self._definitions(values, index, kind, path, scopes)", "pass", CORPUS),
    Mutant(VALIDATOR, "        if path in self._incomplete:\n            return None\n", "", CORPUS),
    Mutant(NAMES, "if text not in names.defined:", "if text in names.defined:", CORPUS),
    Mutant(NAMES, "scope.symbol.dangling is not None and names.has_all_definitions", "scope.symbol.dangling is not None", CORPUS),
    Mutant(NAMES, "scope.symbol.unused is not None and names.has_all_uses", "scope.symbol.unused is not None", CORPUS),
    Mutant(NAMES, "for name in same[1:][:limit]:", "for name in same[2:][:limit]:", CORPUS),
    Mutant(NAMES, "related = ((same[0].path, FIRST_USED),)", "related = ((name.path, FIRST_USED),)", CORPUS),
    Mutant(NAMES, "        if text in names.used:\n            continue\n", "", CORPUS),
    Mutant(READER, "raw = source.removeprefix(codecs.BOM_UTF8)", "raw = source", SYNTAX),
    Mutant(READER, "not is_too_deep(value) and not _has_lone", "not _has_lone", SYNTAX),
    Mutant(READER, " and not _has_lone_surrogates(text)", "", SYNTAX),
    Mutant(READER, "if skip_space(text, end).end() == len(text) and", "if", SYNTAX),
    Mutant(READER, "start = len(raw[: error.start].decode())", "start = error.start", SYNTAX),
    Mutant(HASHING, 'return name.encode("utf-16-be")', 'return name.encode("utf-32-be")', HASHES),
    Mutant(HASHING, "_MAX_FIXED = 21", "_MAX_FIXED = 20", HASHES),
    Mutant(HASHING, "_MIN_FIXED = -6", "_MIN_FIXED = -5", HASHES),
    Mutant(FIX_ALL, " and len(left) <= len(findings) - len(some)", "", FIXES),
    Mutant(FIX_ALL, "        if better is fixed:\n            break\n", "        break\n", FIXES),
    Mutant(FIX_ALL, "safe = [fix for fix in found if fix.is_safe]", "safe = [*found]", FIXES),
    Mutant(FIX_ALL, "pending += (part[middle:], part[:middle])", "pending.append(part[:middle])", FIXES),
    Mutant(PROPERTY_FIXES, "if not has_content(value):", "if True:", FIXES),
    Mutant(PROPERTY_FIXES, "removal, is_safe=value is None)", "removal, is_safe=True)", FIXES),
    Mutant(PROPERTY_FIXES, "siblings.keys() >= {*fault.shape.required}", "True", FIXES),
    Mutant(PROPERTY_FIXES, "if context.counts_at(path[:-1])[key] != 1:", "if False:", FIXES),
    Mutant(FILES, "if len(data) > MAX_FILE_BYTES:", "if len(data) >= MAX_FILE_BYTES:", "tests/rui_cli/test_hostile_files.py"),
    Mutant(FILES, "            raise OSError(f\"it is a {kind}\")\n", "            pass\n", "tests/rui_cli/test_hostile_files.py"),
    Mutant(SQLITE, "PRAGMA synchronous = FULL", "PRAGMA synchronous = OFF", STORE),
    Mutant(SQLITE, "            if self._current() is None:\n                raise StorageUnavailable(\"the file was replaced during a commit\")\n", "", STORE),
    Mutant("rui_api/store/availability.py", "if self.max_bytes and used + max(size, RESERVED) > self.max_bytes:", "if False:", "tests/rui_api/store"),
    Mutant(SQLITE, "        if not self._may_create and not self._path.stat().st_size:\n            raise StorageUnavailable(\"the file is empty\")  # a copy into it may have begun\n", "", "tests/rui_api/store"),
    Mutant(SQLITE, "if self._options.max_bytes and not is_deleting:", "if self._options.max_bytes:", "tests/rui_api/store"),
    Mutant("rui_api/store/schema.py", "excluded.content_hash = '' AND ", "", "tests/rui_api/store"),
    Mutant(LIMITS, "if self._running >= self._max_requests:", "if self._running > self._max_requests:", HTTP),
    Mutant(LIMITS, ' or scope["path"] == HEALTH', "", HTTP),
    Mutant(LIMITS, "            self._running -= 1\n", "            pass\n", HTTP),
    Mutant(LIMITS, 'if scope["method"] == "POST":', 'if scope["method"] == "PUT":', HTTP),
    Mutant(LIMITS, "if self.size > max_bytes:", "if self.size >= max_bytes:", HTTP),
    Mutant(LIMITS, "if int(length) > max_bytes:", "if int(length) > 2 * max_bytes:", HTTP),
    Mutant(BODY, "has_duplicates = len(headers) < len(raw_headers)", "has_duplicates = False", HTTP),
    Mutant(BODY, "    if not isinstance(document.value, dict):\n        raise InvalidBody(root_fault(document.value))\n", "", HTTP),
    Mutant(RESPONSES, "    if is_known:\n", "    if not is_known:\n", HTTP),
    Mutant("rui_api/routes/dependencies.py", "age and settings.base_url and", "age and", HTTP),
    Mutant("rui_api/routes/dependencies.py", ' and "*" in settings.allow_origins', "", HTTP),
    Mutant(WORKER, "            self._kill_process()\n            message = ", "            message = ", "tests/rui_api/playground"),
    Mutant(WORKER, "min(self._waiting, key=lambda waiting: self._used[waiting.client])", "self._waiting[0]", "tests/rui_api/playground"),
    Mutant(CHECKS, 'return scheme in (b"http", b"https") and host in own_hosts', "return True", ORIGINS),
    Mutant(CHECKS, "if len(hosts) > 1 or (", "if (", HTTP),
    Mutant(CHECKS, "return site in OWN_SITES", "return True", ORIGINS),
    Mutant(CHECKS, "if origin is not None and origin not in self._origins and not self._is_own(headers):", "if False:", ORIGINS),
    Mutant(PAUSES, "previous.set_exception(ServerCancelledError())", "previous.set_result(None)", LSP),
    Mutant(PAUSES, "        self._cancel_timer(uri)\n        self._timers[uri] =", "        self._timers[uri] =", LSP),
    Mutant(PAUSES, "        self._on_pause(uri)\n", "", LSP),
    Mutant(CONVERT, "MAX_DIAGNOSTICS = 2_000", "MAX_DIAGNOSTICS = 20_000", "tests/rui_lsp"),
    Mutant(CONVERT, "start, end = sorted((to_offset(lsp_range.start, positions), to_offset(lsp_range.end, positions)))", "start, end = to_offset(lsp_range.start, positions), to_offset(lsp_range.end, positions)", LSP),
)  # fmt: skip
"""Faults of validator, reader, fixes, files, store, HTTP and language server."""


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


def is_killed(mutant: Mutant, folder: Path) -> bool:
    """Run the tests of a mutant in a copy of the checkout, and return whether one fails."""
    path = folder / mutant.file
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace(mutant.old, mutant.new), encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *mutant.tests.split()]
    try:
        return subprocess.run(command, cwd=folder, capture_output=True, check=False).returncode == 1
    finally:
        path.write_text(text, encoding="utf-8")


def main(words: list[str]) -> int:
    """Run the mutants that contain one of the words, or all of them; return the exit code."""
    chosen = [one for one in MUTANTS if not words or any(word in f"{one.file} {one.old}" for word in words)]
    survivors = 0
    with TemporaryDirectory() as temporary:
        copy_checkout(Path(temporary))
        for mutant in chosen:
            killed = is_killed(mutant, Path(temporary))
            survivors += not killed
            print(f"{'killed' if killed else 'ALIVE ':8}{mutant.file}: {mutant.old.strip()[:90]!r}", flush=True)
    print(f"{len(chosen)} mutants, {survivors} alive")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
