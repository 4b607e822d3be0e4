"""A long session of random edits, checked after every one: `python -m benchmarks.soak [EDITS]`, by default 100,000."""

from __future__ import annotations

import random
import sys
import time

from benchmarks.sample import sample_text
from rui_common.pages import PagedDocument
from rui_lsp.analysis import Analysis
from tests.lsp.sessions import check, edits

LENGTH = 2000


def main(count: int = 100_000) -> bool:
    """Edit and check; any disagreement is an AssertionError."""
    start, kept = time.perf_counter(), 0
    for session in range(-(-count // LENGTH)):
        chance = random.Random(session)
        size, indent = chance.choice([(3000, 2), (3000, None), (8000, 2), (8000, None), (20_000, 2)])
        text = sample_text(size, indent=indent, seed=session)
        text = chance.choice([text, text, text.replace("\n", "\r\n"), text.replace("page-1", "page-😀")])
        analysis, steps = Analysis.of(text), edits(chance, text)
        for _ in range(min(LENGTH, count)):
            analysis = analysis.edited(*next(steps))
            check(analysis, chance)
            kept += isinstance(analysis.document, PagedDocument)
    share = 100 * kept / (LENGTH * -(-count // LENGTH))
    print(f"{count} edits in {time.perf_counter() - start:.0f} s, {share:.0f} % page by page: no disagreement")
    return True


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000)
