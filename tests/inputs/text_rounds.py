"""Measure whether the hints about broken JSON suffice: a client without a parser follows them.

The client is `tests/inputs/fixing_text.py`. The benchmark prints the rounds until the text is JSON, by kind of change,
and the share of texts that needed one round.
"""

import random
import re
from collections import Counter, defaultdict

from rui_common.describe.unreadable import root_hint, where_broken
from rui_common.syntax.document import read
from tests.inputs.breaking_text import LOSING, OMITTING, TEXT_BREAKS
from tests.inputs.fixing_text import fix_text
from tests.inputs.sample import sample_text

Counts = dict[str, Counter[int]]

SIZE = 3_000
MAX_ROUNDS = 5
"""Guideline in section 8 of the specification; texts that need more rounds count as not fixed."""
TARGET = 0.95
"""Minimum share of texts that one round fixes."""

ALL = "all"
LOST = "all in which something is lost"
"""Changes that remove a part of the document, which no hint can restore; counted separately."""
KEPT = "every node of the document is there again"
NEVER = MAX_ROUNDS + 1
_ID = re.compile(r'"id": ?"([^"]*)"')


def hint_about(text: str) -> str:
    """Return what the response of the service says about a text, or ``""`` if its JSON is an object."""
    document = read(text.encode())
    if not document.valid:
        return where_broken(document)
    return "" if isinstance(document.value, dict) else root_hint(document.value)


def rounds(text: str) -> tuple[int, str]:
    """Follow the hints until the text is JSON; return the number of rounds, at most `NEVER`, and the last text."""
    for number in range(NEVER):
        hint = hint_about(text)
        if not hint:
            return number, text
        text = fix_text(text, hint)
    return NEVER, text


def trials(seeds: range) -> Counts:
    """Break the text of documents in every way in turn and fix it; return rounds by kind of change."""
    by_break: Counts = defaultdict(Counter)
    breaks = [(name, breaker) for name, breaker in TEXT_BREAKS.items() if name != OMITTING]
    for seed in seeds:
        chance = random.Random(seed)
        name, breaker = breaks[seed % len(breaks)]
        original = sample_text(SIZE, seed=seed % 40, indent=chance.choice((2, 2, 4, None)))
        number, fixed = rounds(breaker(original, chance))
        if number == 0:
            continue
        by_break[name][number] += 1
        by_break[LOST if name in LOSING else ALL][number] += 1
        if name not in LOSING:
            by_break[KEPT][1 if _ID.findall(fixed) == _ID.findall(original) else NEVER] += 1
    return by_break
