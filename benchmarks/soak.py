"""Long sessions of random edits, checked after every one: `make soak-lsp` (`python -m benchmarks.soak EDITS MINUTES`).

First wild ones through the protocol, a third in each encoding: the server has the text that a plain model has. Then as
many as editors make them, of texts that are broken and fixed again, for ten minutes at most: what is kept from edit to
edit is what a fresh look says.
"""

from __future__ import annotations

import random
import sys
import time

from benchmarks.sample import sample_text
from rui_common.validation.incremental import IncrementalDocument
from rui_lsp.documents.analysis import Analysis
from tests.rui_lsp.sessions import check, edits, notified

LENGTH, SHORT = 2000, 200
"""Edits in a session. What is read again begins anew more often: so there are all sorts of texts in few minutes."""

ENCODINGS = ("utf-8", "utf-16", "utf-32")


def main(count: int = 100_000, minutes: float = 10) -> bool:
    """Edit and check; any disagreement is an AssertionError."""
    return in_step(count) and read_again(count, minutes)


def in_step(count: int) -> bool:
    """Send edits in notifications, and compare with a plain model after each."""
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
    """Edit and check what is kept; any disagreement is an AssertionError."""
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
