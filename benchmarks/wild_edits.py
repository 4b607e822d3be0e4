"""Wild edits: after each, the incremental analysis must equal that of the same text opened afresh.

An edit deletes up to 300 characters, inserts JSON's marks or typed characters, or pastes a piece of the document,
anywhere in documents of several sizes. The same seed gives the same edits.
"""

from __future__ import annotations

import argparse
import random
import time

from benchmarks.breaking import broken
from benchmarks.sample import sample, to_text
from rui_common.validation.incremental import IncrementalDocument
from rui_lsp.documents.analysis import Analysis
from tests.rui_lsp.sessions import check, wild_edits

STATES = 5_000
SESSION = 50
"""Edits of a session, after which another document is edited."""

DOCUMENTS = ((1_500, 2), (3_000, 2), (3_000, None), (8_000, 2), (8_000, None), (30_000, 2))
"""(length, indentation) of the documents."""


VARIANTS = 4


def document(length: int, indent: int | None, seed: int, chance: random.Random) -> str:
    """Return a valid document, one with other line ends and wide characters, a faulty or a wrapped one."""
    value: object = sample(length, indent=indent, seed=seed)
    variant = seed // len(DOCUMENTS) % VARIANTS
    if variant == 1:
        value, _ = broken(value, chance, chance.randint(1, 8))
    elif variant == 2:
        value = {"rui": value}
    text = to_text(value, indent)
    if variant == 3:
        text = text.replace("\n", "\r\n").replace("page-1", "page-😀").replace('"title"', '"title": 1, "title"')
    return text


def main(options: list[str] | None = None) -> bool:
    """Print the number of states that differ; return whether there is none."""
    parser = argparse.ArgumentParser(prog="wild_edits", description=__doc__)
    parser.add_argument("--states", type=int, default=STATES)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args(options or [])
    return run(arguments.states, arguments.seed)


def run(states: int, seed: int = 0) -> bool:
    """Make edits, and print the first difference of each session."""
    start = time.perf_counter()
    done = by_page = differences = 0
    for session in range(-(-states // SESSION)):
        chance = random.Random(f"{seed} {session}")
        length, indent = DOCUMENTS[session % len(DOCUMENTS)]
        text = document(length, indent, session, chance)
        analysis = Analysis.from_text(text)
        steps = wild_edits(chance, text)
        for number in range(min(SESSION, states - done)):
            analysis = analysis.edited(*next(steps))
            done += 1
            by_page += isinstance(analysis.document, IncrementalDocument)
            try:
                check(analysis, chance)
            except AssertionError as error:
                differences += 1
                print(f"  session {session}, edit {number} differs: {error!s:.500}")
                break
    took = time.perf_counter() - start
    share = 100 * by_page / max(1, done)
    print(f"{done} states of wild edits in {took:.0f} s, {share:.0f} % read page by page: {differences} differences")
    return differences == 0
