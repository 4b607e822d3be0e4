"""Long sessions of random edits, checked after every one: `python -m benchmarks.soak [EDITS]`, by default 100,000.

First edits as editors make them, of texts that are broken and mended again: what is kept from edit to edit is what a
fresh look says. Then as many wild ones through the protocol, a third in each encoding: the server has the text that a
plain model has.
"""

from __future__ import annotations

import random
import sys
import time

from benchmarks.sample import sample_text
from rui_common.pages import PagedDocument
from rui_lsp.analysis import Analysis
from tests.lsp.sessions import check, edits, notified

LENGTH = 2000
ENCODINGS = ("utf-8", "utf-16", "utf-32")


def main(count: int = 100_000) -> bool:
    """Edit and check; any disagreement is an AssertionError."""
    return read_again(count) and in_step(count)


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
    print(f"{done} wild edits in {took:.0f} s, a third in each encoding: always the client's text")
    return True


def read_again(count: int) -> bool:
    """Edit and check what is kept; any disagreement is an AssertionError."""
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
