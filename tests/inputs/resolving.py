"""Resolve some conflicts by hand and merge the rest: `python -m tests.inputs.resolving --histories 500 --seed 0`.

git merges two histories by lines, or with our driver. Then a user resolves some of the conflicts, and edits other
lines. After `rui merge FILE`, both choices at each conflict that is left have what the user has done, and each choice
has the edits of its side. A file that cannot be merged is unchanged.
"""

import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile
from collections import Counter
from contextlib import chdir
from pathlib import Path

from rui_common.syntax.document import read
from rui_common.versions.merge import merge
from tests.inputs.histories import facts
from tests.inputs.merging import choose, pair_of
from tests.rui_cli.running import rui
from tests.support.strategies import Json, Random

Facts = set[tuple[str, ...]]
NAME = "app.rui.json"
_BLOCK = re.compile(r"^<<<<<<< .*?^=======\n.*?^>>>>>>> [^\n]*\n", re.MULTILINE | re.DOTALL)
_TEXT = re.compile(r'("(?:title|label|content)": )"[^"]*"')


class Repository:
    """A repository in a folder, with the versions of one document."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.file = folder / NAME
        self.git("init", "--quiet", "--initial-branch", "main")
        self.git("config", "user.name", "A")
        self.git("config", "user.email", "a@example.org")

    def git(self, *arguments: str) -> int:
        environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
        command = ["git", "-c", "gc.auto=0", *arguments]
        return subprocess.run(command, cwd=self.folder, env=environment, capture_output=True, check=False).returncode

    def merge(self, seed: int, texts: list[str]) -> str | None:
        """Merge two versions by lines; return the text in conflict, or None if there is none."""
        self.git("reset", "--quiet", "--hard")
        for branch, start, text in zip(("base", "two", "one"), ("main", "base", "base"), texts, strict=True):
            self.git("checkout", "--quiet", *(["--orphan", f"{branch}{seed}"] if branch == "base" else
                                              ["-b", f"{branch}{seed}", f"{start}{seed}"]))  # fmt: skip
            self.file.write_text(text, encoding="utf-8")
            self.git("add", NAME)
            self.git("commit", "--quiet", "--message", branch)
        return self.file.read_text(encoding="utf-8") if self.git("merge", f"two{seed}") else None


def edit(text: str, chance: Random) -> str:
    """Resolve some of the conflicts in a text, and change some other lines."""

    def resolve(block: re.Match[str]) -> str:
        ours, _, theirs = block[0].partition("=======\n")
        lines = [ours.split("\n", 1)[1], theirs[: theirs.rindex(">>>>>>> ")]]
        how = chance.random()
        if how < 0.5:
            return block[0]
        if how < 0.7:
            return lines[0]
        if how < 0.9:
            return lines[1]
        return "" if how < 0.95 else "".join(lines)

    def change(found: re.Match[str]) -> str:
        return f'{found[1]}"Mine {chance.randrange(1_000_000)}"' if chance.random() < 0.03 else found[0]

    resolved = _BLOCK.sub(resolve, text) if chance.random() < 0.8 else text
    return _TEXT.sub(change, resolved) if chance.random() < 0.5 else resolved


def choices(text: str) -> list[Json] | None:
    """Return the values of both choices; None if one is not JSON."""
    documents = [choose(text, side) for side in (0, 1)]
    if not all(document.valid for document in documents):
        return None
    return [document.value for document in documents]


def check(repository: Repository, seed: int) -> str:
    """Return what became of the histories of a seed; raise AssertionError if anything is lost."""
    chance = random.Random(seed)
    _, texts = pair_of(seed, indents=(2, 4))
    base, ours, theirs = (f"{text}\n" for text in texts)
    text = repository.merge(seed, [base, theirs, ours])
    if text is None:
        return "no conflict by lines"
    if chance.random() < 0.3:
        text = merge(read(base), read(ours), read(theirs)).text
    before = choices(text)
    edited = edit(text, chance)
    repository.file.write_text(edited, encoding="utf-8")
    with chdir(repository.folder):
        ran = rui("merge", NAME)
    result = repository.file.read_text(encoding="utf-8")
    if ran.code == 2:
        assert result == edited
        return "unchanged"
    if edited == text and result == merge(read(base), read(ours), read(theirs)).text:
        return "merged as git has left it"
    after, found = choices(edited), choices(result)
    assert found is not None
    assert all(mine in result for mine in re.findall(r"Mine \d+", edited))
    if before is None or after is None:
        return "merged, with choices that were not JSON before"
    try:
        values = [[facts(value) for value in values] for values in (before, after, found)]
    except KeyError:
        return "merged, with nodes without an id"
    _check_decisions(*values)
    sides = [facts(json.loads(side)) for side in (base, ours, theirs)]
    for side, edits, value in zip(sides[1:], values[1], values[2], strict=True):
        lost = (side - sides[0]) & edits - value
        assert not lost, f"lost: {sorted(lost)}"
        back = (sides[0] - side) & value - edits
        assert not back, f"back: {sorted(back)}"
    return "merged with conflicts" if ran.code else "merged"


def _check_decisions(before: list[Facts], after: list[Facts], found: list[Facts]) -> None:
    """Assert that what the user has made the same in both choices is the same in those of the result."""
    lost = after[0] & after[1] - (before[0] & before[1]) - (found[0] & found[1])
    assert not lost, f"decided, and lost: {sorted(lost)}"
    back = ((before[0] | before[1]) - (after[0] | after[1])) & (found[0] | found[1])
    assert not back, f"removed, and back: {sorted(back)}"


def main() -> None:
    """Check many histories; print what became of them."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--histories", type=int, default=500)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    results = Counter[str]()
    with tempfile.TemporaryDirectory() as folder:
        repository = Repository(Path(folder))
        for seed in range(args.seed, args.seed + args.histories):
            try:
                results[check(repository, seed)] += 1
            except Exception as error:
                results["failed"] += 1
                print(f"seed {seed}: {error!r:.300}")
    print(", ".join(f"{count} {what}" for what, count in results.most_common()))
    sys.exit(results["failed"] > 0)


if __name__ == "__main__":
    main()
