"""Merges that have lost one edit, and right ones: `python -m tests.inputs.auditing --histories 500 --right 5000`.

Ours makes one edit, theirs several. A merge without the edit of ours has lost it, and `lost_edits` must name it. A
right merge, each of whose conflicts somebody has resolved, has lost nothing.
"""

import argparse
import copy
import json
import random
import sys
from collections import Counter
from itertools import islice
from typing import NamedTuple

from rui_common.syntax.document import Document, read
from rui_common.versions.compare import compare
from rui_common.versions.lost_edits import lost_edits
from rui_common.versions.merge import merge
from tests.inputs.histories import EDITS, History
from tests.inputs.merging import base_document, choose, pair_of
from tests.support.strategies import Json

KINDS = ("retitle", "change_path", "add_block", "remove_node", "move_node", "label_column")


class LossyMerge(NamedTuple):
    """A merge without the edit of ours."""

    kind: str  # the name of the edit
    base: Document
    ours: Document
    theirs: Document
    merged: Document


def lossy_merge(seed: int) -> LossyMerge | None:
    """Return the merge of a seed; None if users do not see its edit, or if theirs touches the same place."""
    chance = random.Random(seed)
    kind = KINDS[seed % len(KINDS)]
    base = base_document(chance)
    ours, theirs = (History(copy.deepcopy(base), chance, side) for side in ("one", "two"))
    theirs.edit(chance.choices([*EDITS], k=chance.randint(0, 5)))
    if not EDITS[kind](ours):
        return None
    case = LossyMerge(kind, *map(_document, (base, ours.document, theirs.document, theirs.document)))
    complete = merge(case.base, case.ours, case.theirs)
    if complete.conflicts:
        return None
    changes = compare(case.merged.value, read(complete.text).value).changes
    return case if any(change.is_visible for change in changes) else None


def _document(value: Json) -> Document:
    return read(json.dumps(value, ensure_ascii=False))


def is_found(case: LossyMerge) -> bool:
    """Return whether the lost edit is named, as one of ours."""
    _, *versions = case
    lost = lost_edits(*versions)
    return bool(lost.of_ours)


def false_reports(seed: int) -> list[str]:
    """Return the sentences about right merges of a seed, with each choice at the conflicts."""
    _, texts = pair_of(seed)
    base, ours, theirs = map(read, texts)
    merged = merge(base, ours, theirs)
    sentences = []
    for side in (0, 1) if merged.conflicts else (0,):
        lost = lost_edits(base, ours, theirs, choose(merged.text, side))
        sentences += [change.sentence for changes in lost for change in changes]
    return sentences


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--histories", type=int, default=500, help="merges that have lost an edit")
    parser.add_argument("--right", type=int, default=1000, help="right merges")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    cases = ((seed, lossy_merge(seed)) for seed in range(args.seed, args.seed + 20 * args.histories))
    results = Counter[str]()
    for seed, case in islice(((seed, case) for seed, case in cases if case is not None), args.histories):
        found = is_found(case)
        results["found" if found else "missed"] += 1
        if not found:
            print(f"seed {seed}: {case.kind} is not named")
    for seed in range(args.seed, args.seed + args.right):
        sentences = false_reports(seed)
        results["wrongly reported" if sentences else "right merges without a report"] += 1
        if sentences:
            print(f"seed {seed}: {sentences[0]}")
    print(", ".join(f"{count} {what}" for what, count in results.most_common()))
    sys.exit(bool(results["missed"] + results["wrongly reported"]))


if __name__ == "__main__":
    main()
