"""Measure whether syntax errors carry their repair: all edits of a text together make it JSON with the recovered value.

python -m tests.inputs.repairing --texts 100000
"""

import argparse
import json
import random
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from rui_common.editing.edits import apply
from rui_common.syntax.document import Document, read
from rui_common.syntax.paths import Path
from tests.inputs.breaking_text import TEXT_BREAKS
from tests.inputs.sample import sample_text
from tests.inputs.single_breaks import break_once

REPAIRED = "JSON with the recovered value"
VALID = "valid"
NO_VALUE = "no value was recovered"
NO_EDITS = "an error without edits"
FAILURES = ("edits out of order", "edits overlap", "not JSON", "another value")
OUT_OF_ORDER, OVERLAP, NOT_JSON, ANOTHER_VALUE = FAILURES


def outcome(text: str) -> str:
    """Apply the edits of all errors of a text at once, and return what results."""
    document = read(text)
    faults = document.all_syntax
    if document.valid:
        return VALID
    if document.span_of(()) is None:
        return NO_VALUE
    if not all(fault.edits for fault in faults):
        return NO_EDITS
    if any(list(fault.edits) != sorted(fault.edits, key=lambda edit: edit.span) for fault in faults):
        return OUT_OF_ORDER
    try:
        after = read(apply(document.text, [edit for fault in faults for edit in fault.edits]))
    except ValueError:
        return OVERLAP
    if not after.valid:
        return NOT_JSON
    return REPAIRED if as_json(after, document) == as_json(document, document) else ANOTHER_VALUE


def as_json(document: Document, before: Document) -> str:
    """Return the value of a document as JSON, without the properties that have no value in another document."""
    value: Any = document.value
    for path in _without_value(before):
        with suppress(KeyError, IndexError, TypeError):  # of an overridden property
            parent = value
            for step in path[:-1]:
                parent = parent[step]
            if parent[path[-1]] is None:
                del parent[path[-1]]
    return json.dumps(value)


def _without_value(document: Document) -> Iterator[Path]:
    pending: list[Path] = [()]
    while pending:
        path = pending.pop()
        for member in document.members(path):
            if member.is_missing:
                yield (*path, member.step)
            elif member.members() is not None:
                pending.append((*path, member.step))


def broken_text(seed: int) -> str:
    """Return the text of a document with one break; half of them are those of people and agents."""
    chance = random.Random(seed)
    text = sample_text(chance.choice([1_000, 1_500, 3_000]), seed=seed % 40, indent=chance.choice([2, 2, 4, None]))
    if seed % 2:
        return break_once(text, chance)
    return TEXT_BREAKS[chance.choice(sorted(TEXT_BREAKS))](text, chance)


def main() -> None:
    """Print the outcomes; the exit code is 1 if a repair fails."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--texts", type=int, default=20_000)
    arguments = parser.parse_args()
    counts: Counter[str] = Counter()
    failed: list[int] = []
    for seed in range(arguments.texts):
        result = outcome(broken_text(seed))
        counts[result] += 1
        if result in FAILURES:
            failed.append(seed)
    for result, count in counts.most_common():
        print(f"{count:8,} {result}")
    if failed:
        raise SystemExit(f"seeds that fail: {failed[:20]}")


if __name__ == "__main__":
    main()
