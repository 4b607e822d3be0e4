"""What is a merge by identity worth beside git's merge by lines, and how long does it take?

Both sides make realistic edits to one document: pages, blocks and columns are added, removed, moved, renamed and
retitled, paths change. `tests.inputs.histories` knows what each side says, so that a lost edit is found.
"""

import argparse
import gc
import json
import random
import shutil
import statistics
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from benchmarks import NotMeasuredError, Row, in_turns, median_ratio, timed
from rui_common.syntax.document import read
from rui_common.versions.merge import merge
from tests.inputs.histories import History, both_sides, facts
from tests.inputs.merging import choose
from tests.inputs.sample import sample

LARGE = 250_000
EDITS = 4
"""Maximum number of edits of each side."""
ROUNDS = 5
MAX_SECONDS = 1.0


def rows(options: list[str]) -> Iterator[Row]:
    """Yield the numbers of conflicts and broken documents, and the seconds of a large merge."""
    parser = argparse.ArgumentParser(prog="benchmarks versions")
    parser.add_argument("--pairs", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args(options)
    if shutil.which("git") is None:
        raise NotMeasuredError("the peer needs git")
    with tempfile.TemporaryDirectory() as folder:
        yield from _pairs(Path(folder), args.pairs, args.seed)
        yield from _large(Path(folder), args.seed)


def _pairs(folder: Path, pairs: int, seed: int) -> Iterator[Row]:
    found = Counter[str]()
    for number in range(pairs):
        base = sample(6_000, seed=seed + number)
        chance = random.Random(seed + number)
        histories = both_sides(base, chance, EDITS)
        before = facts(base)
        ours, theirs = (facts(history.document, history) for history in histories)
        expected = (before | ours | theirs) - (before - ours) - (before - theirs)
        values = [base, *(history.document for history in histories)]
        texts = [json.dumps(value, indent=2, ensure_ascii=False) + "\n" for value in values]
        found.update(_outcome_of_git(folder, texts, expected, histories))
        merged = merge(*map(read, texts))
        if merged.conflicts:
            found["rui merge: conflict"] += 1
        elif not read(merged.text).valid:
            found["rui merge: broken JSON"] += 1
        elif facts(json.loads(merged.text), *histories) != expected:
            found["rui merge: an edit is lost"] += 1
    git = found["git merge-file: conflict"]
    yield Row(f"git merge-file, conflicts of {pairs} pairs", git)
    yield Row("git merge-file, broken JSON without a conflict", found["git merge-file: broken JSON"])
    yield Row("git merge-file, conflicts with a choice that is broken JSON", found["git merge-file: broken choice"])
    yield Row("git merge-file, merged with an edit lost", found["git merge-file: an edit is lost"])
    conflicts = found["rui merge: conflict"]
    yield Row(f"rui merge, conflicts of {pairs} pairs", conflicts, git, detail="limit: those of git merge-file")
    yield Row("rui merge, broken JSON without a conflict", found["rui merge: broken JSON"], 0)
    yield Row("rui merge, merged with an edit lost", found["rui merge: an edit is lost"], 0)


def _outcome_of_git(
    folder: Path, texts: list[str], expected: set[tuple[str, ...]], histories: tuple[History, History]
) -> Iterator[str]:
    done = _merge_file(folder, texts)
    text = done.stdout.decode()
    if done.returncode:
        yield "git merge-file: conflict"
        if not all(choose(text, side).valid for side in (0, 1)):
            yield "git merge-file: broken choice"
    elif not read(text).valid:
        yield "git merge-file: broken JSON"
    elif facts(json.loads(text), *histories) != expected:
        yield "git merge-file: an edit is lost"


def _merge_file(folder: Path, texts: list[str]) -> subprocess.CompletedProcess[bytes]:
    for name, text in zip(("base", "ours", "theirs"), texts, strict=True):
        (folder / name).write_text(text, encoding="utf-8")
    command = ["git", "merge-file", "-p", "ours", "base", "theirs"]
    return subprocess.run(command, cwd=folder, capture_output=True, check=False)


def _large(folder: Path, seed: int) -> Iterator[Row]:
    base = sample(LARGE, seed=seed)
    values = [base, *(history.document for history in both_sides(base, random.Random(seed), 40))]
    texts = [json.dumps(value, indent=2, ensure_ascii=False) for value in values]
    unrelated = [json.dumps(sample(LARGE, seed=seed + number), indent=2) for number in range(3)]
    found = in_turns(
        {
            "rui merge": partial(_merge, texts),
            "nothing in common": partial(_merge, unrelated),
            "git merge-file": timed(partial(_merge_file, folder, texts)),
        },
        ROUNDS,
    )
    git = statistics.median(found["git merge-file"])
    ratio = median_ratio(found["rui merge"], found["git merge-file"])
    for name in ("rui merge", "nothing in common"):
        seconds = statistics.median(found[name])
        detail = f"{ratio:.0f} × git merge-file, {git * 1e3:.0f} ms" if name == "rui merge" else ""
        yield Row(f"three documents of 250 KB, {name}, CPU seconds", seconds, MAX_SECONDS, detail=detail)


def _merge(texts: list[str]) -> float:
    """Merge three texts; return the CPU seconds, which other load of the machine does not change much."""
    gc.collect()
    start = time.process_time()
    base, ours, theirs = map(read, texts)
    merge(base, ours, theirs)
    return time.process_time() - start
