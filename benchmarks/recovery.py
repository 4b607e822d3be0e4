"""The values of broken documents that are recovered, and the number of errors, compared with VS Code's JSON parser.

The texts are the corpus of `tests/rui_common/syntax/recovery/broken`, and a valid document after one wrong character.
The benchmark counts the values that are still found at their paths, and the errors that are reported.
"""

from __future__ import annotations

import json
import random
import shutil
import statistics
import subprocess
from pathlib import Path
from typing import Any, NamedTuple

from rui_common.syntax.document import read
from tests.rui_common.syntax.recovery.broken_cases import FOLDER, cases, leaves, single_breaks

PEER = "jsonc-parser@3.3.1"
_PEERS = Path(__file__).parents[1] / ".venv" / "peers" / "jsonc"
_SCRIPT = Path(__file__).with_suffix(".js")

MIN_KEPT = 0.97
MIN_ONE_FAULT = 0.9
MAX_MEAN = 1.1

Leaf = tuple[tuple[str | int, ...], str]


class Text(NamedTuple):
    """A broken text, and the values that it still contains."""

    text: str
    wanted: set[Leaf]


class Outcome(NamedTuple):
    """The result of a parser: the number of errors, and the values with their paths."""

    faults: int
    found: set[Leaf]


def main() -> bool:
    """Print both tables; return whether our parser keeps the limits."""
    is_corpus_kept = _print_table("the corpus of broken documents", _corpus(), one_fault=0.0)
    is_break_kept = _print_table("one wrong character", _breaks(), one_fault=MIN_ONE_FAULT)
    return is_corpus_kept and is_break_kept


def _corpus() -> list[Text]:
    texts = []
    for case in cases():
        original = read(case.original)
        there = ((path, original.find(path)) for path, _ in leaves(original.value))
        left = {path for path, member in there if member is not None and member.end <= case.cut}
        texts.append(Text(case.broken, {leaf for leaf in leaves(original.value) if leaf[0] in left}))
    return texts


def _breaks() -> list[Text]:
    text = (FOLDER / "desk.json").read_text(encoding="utf-8")
    wanted = set(leaves(json.loads(text)))
    broken = (broken for _, broken in single_breaks(text, random.Random(1), 400))
    return [Text(one, wanted) for one in broken if not read(one).valid]


def _print_table(title: str, texts: list[Text], one_fault: float) -> bool:
    """Print the results of both parsers; return whether ours keeps the limits."""
    print(f"\n{title}: {len(texts)} texts")
    print(f"  {'':28}{'values kept':>12}{'one fault':>11}{'median':>8}{'mean':>7}{'silent':>8}")
    ours = [_ours(one.text) for one in texts]
    values, one, mean = _print_line("this toolkit", texts, ours)
    theirs = _theirs([one.text for one in texts])
    if theirs is not None:
        _print_line(f"VS Code's ({PEER})", texts, theirs)
    is_kept = values >= MIN_KEPT and one >= one_fault and mean <= MAX_MEAN and min(o.faults for o in ours) > 0
    limit = f"values ≥ {MIN_KEPT:.0%}, mean ≤ {MAX_MEAN}, never silent" + (
        f", one fault in ≥ {one_fault:.0%}" if one_fault else ""
    )
    print(f"  limit: {limit}: {'ok' if is_kept else 'MISSED'}")
    return is_kept


def _print_line(name: str, texts: list[Text], outcomes: list[Outcome]) -> tuple[float, float, float]:
    pairs = list(zip(texts, outcomes, strict=True))
    values = sum(len(text.wanted & outcome.found) for text, outcome in pairs) / sum(len(text.wanted) for text in texts)
    faults = [outcome.faults for outcome in outcomes]
    one = faults.count(1) / len(faults)
    mean = statistics.mean(faults)
    silent = faults.count(0)
    print(f"  {name:28}{values:12.2%}{one:11.1%}{statistics.median(faults):8.1f}{mean:7.2f}{silent:8d}")
    return values, one, mean


def _ours(text: str) -> Outcome:
    document = read(text)
    return Outcome(len(document.syntax), set(leaves(document.value)))


def _theirs(texts: list[str]) -> list[Outcome] | None:
    """Return the results of VS Code's parser; print the reason and return None if it cannot run."""
    node = shutil.which("node")
    npm = shutil.which("npm")
    package = _PEERS / "node_modules" / "jsonc-parser"
    if node is None or npm is None:
        print("  (no comparison: node or npm is missing)")
        return None
    if not package.exists():
        _PEERS.mkdir(parents=True, exist_ok=True)
        install = [npm, "install", "--prefix", str(_PEERS), "--no-audit", "--no-fund", "--silent", PEER]
        if subprocess.run(install, check=False).returncode:
            print(f"  ({PEER} cannot be installed: no comparison)")
            return None
    command = [node, str(_SCRIPT), str(package)]
    done = subprocess.run(command, input=json.dumps(texts), capture_output=True, text=True, check=True)
    return [Outcome(one["faults"], {_leaf(*leaf) for leaf in one["leaves"]}) for one in json.loads(done.stdout)]


def _leaf(path: list[str | int], value: Any) -> Leaf:
    return tuple(path), json.dumps(value)
