"""Long sessions of random edits with a check after each: `make soak-lsp` (`python -m benchmarks.soak EDITS MINUTES`).

The first part sends arbitrary edits through the protocol, a third in each encoding. The text of the server must equal
that of a simple model. The second part makes edits as in editors, which break and fix texts, for ten minutes at most.
The incremental analysis must equal a new one. The third part makes wild edits (`wild_edits.py`).
"""

from __future__ import annotations

import random
import sys
import time

from benchmarks import wild_edits
from benchmarks.sample import sample_text
from rui_common.validation.incremental import IncrementalDocument
from rui_lsp.documents.analysis import Analysis
from tests.rui_lsp.sessions import check, edits, notified

LENGTH, SHORT = 2000, 200
"""Edits in a session. The sessions of the second part are short, so that a few minutes cover many sorts of texts."""

ENCODINGS = ("utf-8", "utf-16", "utf-32")


def main(count: int = 100_000, minutes: float = 10) -> bool:
    """Run all parts. Raises AssertionError for a difference in the first two."""
    return in_step(count) and read_again(count, minutes) and wild_edits.run(max(count // 20, wild_edits.STATES))


def in_step(count: int) -> bool:
    """Send edits in notifications, and compare the text with a simple model after each."""
    start = time.perf_counter()
    sessions = -(-count // (LENGTH * len(ENCODINGS)))
    for session in range(sessions):
        for encoding in ENCODINGS:
            chance = random.Random(f"{session} {encoding}")
            text = sample_text(3000, indent=chance.choice([2, None]), seed=session)
            notified(chance, encoding, text, min(LENGTH, count))
    done = sessions * len(ENCODINGS) * min(LENGTH, count)
    took = time.perf_counter() - start
    print(f"{done} wild edits in {took:.0f} s, a third in each encoding: always the client's text", flush=True)
    return True


def read_again(count: int, minutes: float) -> bool:
    """Edit, and compare the incremental analysis with a new one. Raises AssertionError for a difference."""
    start, kept, done = time.perf_counter(), 0, 0
    end = start + minutes * 60
    for session in range(-(-count // SHORT)):
        chance = random.Random(session)
        size, indent = chance.choice([(3000, 2), (3000, None), (8000, 2), (8000, None), (20_000, 2)])
        text = sample_text(size, indent=indent, seed=session)
        text = chance.choice([text, text, text.replace("\n", "\r\n"), text.replace("page-1", "page-😀")])
        analysis, steps = Analysis.from_text(text), edits(chance, text)
        for _ in range(min(SHORT, count)):
            if time.perf_counter() > end:
                break
            analysis = analysis.edited(*next(steps))
            check(analysis, chance)
            kept += isinstance(analysis.document, IncrementalDocument)
            done += 1
    share = 100 * kept / max(1, done)
    print(f"{done} edits in {time.perf_counter() - start:.0f} s, {share:.0f} % page by page: no disagreement")
    return True


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000, float(sys.argv[2]) if len(sys.argv) > 2 else 10)
