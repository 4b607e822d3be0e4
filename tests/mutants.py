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
MEANT = "rui_common/validation/meant.py"
MATCH = "rui_common/versions/match.py"
COMPARE = "rui_common/versions/compare.py"
CHANGES = "rui_common/versions/changes.py"
VERSIONS = "tests/rui_common/versions"
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
RPC = "rui_lsp/protocol/json_rpc.py"
PARAMETERS = "rui_lsp/protocol/parameters.py"
FRAMING = "rui_lsp/protocol/framing.py"
CONNECTION = "rui_lsp/protocol/connection.py"
OPEN = "rui_lsp/documents/open_documents.py"
LINES = "rui_common/syntax/line_index.py"

CORPUS = "tests/test_corpus.py tests/rui_common/validation"
HASHES = "tests/properties/test_canonical_form.py"
SYNTAX = "tests/rui_common/syntax tests/test_corpus.py"
FIXES = "tests/rui_common/fixes"
STORE = "tests/rui_api/store/test_sqlite_store.py tests/rui_api/store/test_copy.py"
HTTP = "tests/rui_api/http tests/rui_api/routes/test_errors.py tests/rui_api/routes/test_validate.py"
ORIGINS = "tests/rui_api/routes/test_origins.py tests/rui_api/routes/test_errors.py"
MESSAGES = "tests/rui_lsp/protocol"
LSP = "tests/rui_lsp/server tests/rui_lsp/diagnostics tests/rui_lsp/client tests/rui_lsp/features"

MUTANTS = (
    Mutant(VALIDATOR, "        if not prop.required:\n            return\n", "", CORPUS),
    Mutant(VALIDATOR, "for name in sorted(members.keys() - shape.props.keys()):", "for name in members.keys() - shape.props.keys() - {'id'}:", CORPUS),
    Mutant(VALIDATOR, "        if not shape.open:\n            self._unknown_properties", "        if True:\n            self._unknown_properties", CORPUS),
    Mutant(VALIDATOR, "rule = kind.nested.get(node_type, kind.child)", "rule = kind.child", CORPUS),
    Mutant(VALIDATOR, "        if violation is not None:\n            self._lack(symbols_in(kind))\n", "        if violation is not None:\n", CORPUS),
    Mutant(VALIDATOR, "if not values and not is_partial and", "if not values and", CORPUS),
    Mutant(VALIDATOR, "return ordered[:limit]", "return ordered[: limit + 1]", CORPUS),
    Mutant(VALIDATOR, "while index and _is_before(finding, ordered[index - 1]):", "while False:", CORPUS),
    Mutant(VALIDATOR, "return is_same_place and", "return", CORPUS),
    Mutant(VALIDATOR, "        if self._broken.is_partial(node):\n            return\n", "", CORPUS),
    Mutant(VALIDATOR, "            self._identity(self._vocabulary.node_symbol, node, members)\n", "            pass\n", CORPUS),
    Mutant(VALIDATOR, "self._definitions(node, values, index, kind)", "pass", CORPUS),
    Mutant(VALIDATOR, "        if self._broken.is_partial(node):\n            return None\n", "", CORPUS),
    Mutant(VALIDATOR, "if name.text in scope.defined or not scope.has_all_definitions or", "if name.text in scope.defined or", CORPUS),
    Mutant(VALIDATOR, "if name.text in scope.used or not scope.has_all_uses or", "if name.text in scope.used or", CORPUS),
    Mutant(VALIDATOR, "len(same) > 1:", "len(same) > 2:", CORPUS),
    Mutant(VALIDATOR, "first = (same[0].path,)", "first = (same[1].path,)", CORPUS),
    Mutant(VALIDATOR, "        name.scope.add(name)\n", "        pass\n", "tests/rui_lsp/features/test_rename.py"),
    Mutant(MEANT, "    if squash(key) in _foreign_words(_root(node).shape) | _unplaced(node):\n        return None\n", "", CORPUS),
    Mutant(MEANT, "and not _is_defined(finding, name)", "", FIXES),
    Mutant(PROPERTY_FIXES, "if placement.place is Place.NOTHING:", "if True:", FIXES),
    Mutant(PROPERTY_FIXES, "is_safe=finding.got is None)", "is_safe=True)", FIXES),
    Mutant(PROPERTY_FIXES, "node.members.keys() >= {*node.shape.required}", "True", FIXES),
    Mutant(PROPERTY_FIXES, "    if path in analysis.overridden:\n        return  #", "    if False:\n        return  #", FIXES),
    Mutant(READER, "raw = source.removeprefix(codecs.BOM_UTF8)", "raw = source", SYNTAX),
    Mutant(READER, "not is_too_deep(value) and not _has_lone", "not _has_lone", SYNTAX),
    Mutant(READER, " and not _has_lone_surrogates(text)", "", SYNTAX),
    Mutant(READER, "if skip_space(text, end).end() == len(text) and", "if", SYNTAX),
    Mutant(READER, "start = len(raw[: error.start].decode())", "start = error.start", SYNTAX),
    Mutant(HASHING, 'return name.encode("utf-16-be")', 'return name.encode("utf-32-be")', HASHES),
    Mutant(HASHING, "_MAX_FIXED = 21", "_MAX_FIXED = 20", HASHES),
    Mutant(HASHING, "_MIN_FIXED = -6", "_MIN_FIXED = -5", HASHES),
    Mutant(FIX_ALL, "if has_more_errors or len(left) > len(analysis.findings) - len(some):", "if has_more_errors:", FIXES),
    Mutant(FIX_ALL, "        if better is fixed:\n            break\n", "        break\n", FIXES),
    Mutant(FIX_ALL, "safe = [fix for fix in found if fix.is_safe]", "safe = [*found]", FIXES),
    Mutant(FIX_ALL, "pending += (part[middle:], part[:middle])", "pending.append(part[:middle])", FIXES),
    Mutant(FILES, "if len(data) > MAX_FILE_BYTES:", "if len(data) >= MAX_FILE_BYTES:", "tests/rui_cli/test_hostile_files.py"),
    Mutant(FILES, "            raise OSError(f\"it is a {kind}\")\n", "            pass\n", "tests/rui_cli/test_hostile_files.py"),
    Mutant(SQLITE, "PRAGMA synchronous = FULL", "PRAGMA synchronous = OFF", STORE),
    Mutant(SQLITE, "            if self._current() is None:\n                raise StorageUnavailable(\"the file was replaced during a commit\")\n", "", STORE),
    Mutant("rui_api/store/availability.py", "if self.max_bytes and used + max(size, RESERVED) > self.max_bytes:", "if False:", "tests/rui_api/store"),
    Mutant(SQLITE, "        if not self._may_create and not self._path.stat().st_size:\n            raise StorageUnavailable(\"the file is empty\")  # a copy into it may have begun\n", "", "tests/rui_api/store"),
    Mutant(SQLITE, "        if not is_deleting:\n", "        if True:\n", "tests/rui_api/store"),
    Mutant(SQLITE, "free < size + DISK_RESERVED // 2", "False", "tests/rui_api/store/test_disks.py"),
    Mutant(SQLITE, 'uri += "&immutable=1"', "pass", "tests/rui_api/store/test_disks.py"),
    Mutant("rui_api/store/prune.py", "if not entry.is_deleted", "if True", "tests/rui_api/commands/test_store.py"),
    Mutant("rui_api/store/prune.py", "len(entry.created_at) == len(before) and ", "", "tests/rui_api/commands/test_store.py"),
    Mutant("rui_common/client.py", "self.status >= 500 and ", "", "tests/rui_common/client"),
    Mutant("rui_common/client.py", "(response.status in _GATEWAY_ERRORS and is_idempotent)", "response.status in _GATEWAY_ERRORS", "tests/rui_common/client"),
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
    Mutant(LINES, "return min(max(start, wide.offset(units)), self.line_end(line))", "return min(max(start, wide.offset(units)), self.line_start(line + 1))", LSP),
    Mutant(OPEN, "            document.apply_change(change)\n        document.version", "            document.apply_change(change)\n            break\n        document.version", LSP),
    Mutant(OPEN, "        self._workspace.remove_text_document(uri)\n", "", MESSAGES),
    Mutant(PARAMETERS, "        if change.get(\"range\", ...) is None:", "        if False:", LSP),
    Mutant(PARAMETERS, "            or _is_enum(fault.type)\n", "", MESSAGES),
    Mutant(PARAMETERS, "    converter.register_structure_hook(str, _string)\n", "", MESSAGES),
    Mutant(PARAMETERS, "            folder[\"name\"] = folder.get(\"uri\")", "            pass", MESSAGES),
    Mutant(RPC, "if self._state == _State.SHUT_DOWN:\n            raise", "if False:\n            raise", MESSAGES),
    Mutant(RPC, "            message.pop(\"error\", None)", "            pass", MESSAGES),
    Mutant(RPC, "method in _TEXT_METHODS and self.on_lost_text is not None", "False", MESSAGES),
    Mutant(FRAMING, "rb\"content-length[ \\t]*:[ \\t]*(\\d+)[ \\t]*\\r?\\n\", re.IGNORECASE", "rb\"Content-Length: (\\d+)\\r\\n\"", MESSAGES),
    Mutant(CONNECTION, "            self._is_open = False\n            self._ended.set()", "            self._is_open = False", "tests/rui_lsp/server"),
    Mutant(CONNECTION, "    while _exists(process_id):", "    while True:", "tests/rui_lsp/server"),
    Mutant(MATCH, "            if count * 2 > max(", "            if count * 2 >= max(", VERSIONS),
    Mutant(MATCH, "            return numbers.get(one.target, one.name)", "            return one.name", VERSIONS),
    Mutant(MATCH, "        if one.name is not None and not one.has_label:", "        if False:", VERSIONS),
    Mutant(MATCH, "symbol is not None and symbol not in self._data_symbols", "symbol is not None", VERSIONS),
    Mutant(MATCH, "        if len(olds) > 1 or len(news) > 1:", "        if False:", VERSIONS),
    Mutant(COMPARE, "            yield from self._orders(old, new)", "            pass", VERSIONS),
    Mutant(COMPARE, "        if prop.uses is not None and not self._is_renamed(owner, old, new):", "        if False:", VERSIONS),
    Mutant(COMPARE, "            if labels == [old, new]:", "            if False:", VERSIONS),
    Mutant(COMPARE, "        if self._to_new.get(old.parent) is new.parent and old.list_name == new.list_name:", "        if self._to_new.get(old.parent) is new.parent:", VERSIONS),
    Mutant(COMPARE, "and (prop is None or prop.role is not Role.REPLACES)", "", VERSIONS),
    Mutant(CHANGES, "        return not is_loss, ", "        return False, ", VERSIONS),
    Mutant("rui_common/versions/sentences.py", "    return _SPECIAL.sub(r\"\\\\\\g<0>\", text)", "    return text", VERSIONS),
    Mutant("rui_inspector/html/comparison.py", "if change.sentence not in by_sentence:", "if True:", "tests/rui_inspector/html/test_comparison.py"),
    Mutant("rui_api/routes/inspector.py", "    if _replaced_id(one) == other.spec_id:", "    if False:", "tests/rui_api/routes/test_pages.py"),
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
