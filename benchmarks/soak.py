"""Long sessions of random edits: `make soak-lsp` (`python -m benchmarks.soak EDITS`).

It sends arbitrary edits through the protocol, a third in each encoding. After each notification the text of the server
must equal that of a simple model.
"""

from __future__ import annotations

import random
import sys
import time

from benchmarks.sample import sample_text
from tests.rui_lsp.sessions import notified

LENGTH = 2000
"""Edits of a session."""

ENCODINGS = ("utf-8", "utf-16", "utf-32")


def main(count: int = 100_000) -> bool:
    """Send edits, and compare the text after each notification. Raises AssertionError for a difference."""
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


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000)
