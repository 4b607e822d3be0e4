"""Measure whether hints suffice: a client without a vocabulary fixes documents by following the hints of responses.

The client is `benchmarks/hint_client.py`.

The benchmark prints the rounds until the service accepts the document: by code for documents with one error and with
several, by kind of change for documents with syntax errors; and the share of documents that needed one round.
"""

from __future__ import annotations

import json
import random
import re
from collections import Counter, defaultdict

from benchmarks.breaking import BREAKS, broken
from benchmarks.breaking_text import LOSING, TEXT_BREAKS
from benchmarks.hint_client import MAX_ROUNDS, Json, Post, rounds, service
from benchmarks.sample import sample, sample_text

Counts = dict[str, Counter[int]]

SIZE = 3_000
TARGET = 0.95
"""Minimum share of documents that one round fixes."""


# The trials ----------------------------------------------------------------------------------------------------------


def trials(post: Post, seeds: range, breaks: int) -> tuple[Counts, list[Json]]:
    """Break documents in `breaks` places and fix them; return rounds by the first response's codes, and failures."""
    by_code: Counts = defaultdict(Counter)
    failed: list[Json] = []
    for seed in seeds:
        chance = random.Random(seed)
        mutant, done = broken(sample(SIZE, seed=seed % 40), chance, breaks)
        session = rounds(post, json.dumps(mutant))
        number, errors = session.rounds, session.answers
        if not errors:
            continue
        for code in {item["code"] for item in errors[0]} if breaks > 1 else [errors[0][0]["code"]]:
            by_code[code][number] += 1
        by_code[ALL][number] += 1
        if number > 1:
            failed.append({"done": done, "errors": errors, "before": mutant})
    return by_code, failed


def text_trials(post: Post, seeds: range) -> tuple[Counts, list[Json]]:
    """Break the text of documents in every way in turn and fix it; return rounds by kind of change, and failures."""
    by_break: Counts = defaultdict(Counter)
    failed: list[Json] = []
    for seed in seeds:
        chance = random.Random(seed)
        name, breaker = [*TEXT_BREAKS.items()][seed % len(TEXT_BREAKS)]
        original = sample_text(SIZE, seed=seed % 40, indent=chance.choice((2, 2, 4, None)))
        text = breaker(original, chance)
        session = rounds(post, text)
        number, errors, fixed = session.rounds, session.answers, session.texts[-1]
        if not errors:
            continue
        by_break[name][number] += 1
        by_break[LOST if name in LOSING else ALL][number] += 1
        by_break[KEPT][1 if _ID.findall(fixed) == _ID.findall(original) else NEVER] += name not in LOSING
        if number > 1:
            failed.append({"done": name, "errors": errors, "before": text})
    return by_break, failed


ALL = "all"
LOST = "all in which something is lost"
"""Changes that remove a part of the document, which no hint can restore; counted separately."""
KEPT = "every node of the document is there again"
_ID = re.compile(r'"id": ?"([^"]*)"')
NEVER = MAX_ROUNDS + 1


def share(counted: Counter[int], most: int = 1) -> float:
    """Return the share of documents that needed at most `most` rounds."""
    return sum(count for number, count in counted.items() if number <= most) / counted.total()


def print_table(title: str, counts: Counts) -> None:
    """Print a table of rounds."""
    print(f"  {title}")
    for name, numbers in sorted(counts.items(), key=lambda item: (item[0] in (ALL, LOST), item[0])):
        if name != KEPT:
            print(f"    {name:<36}{share(numbers):8.1%} of {numbers.total():5,} in one round; most {max(numbers)}")
    if KEPT in counts:
        print(f"    {KEPT:<36}{share(counts[KEPT]):8.1%} of {counts[KEPT].total():5,}")


def main(seeds: int = 3_000) -> bool:
    """Print the rounds; return whether one round fixes 95 % of single errors, and five rounds all documents."""
    with service() as post:
        texts, _ = text_trials(post, range(seeds))
        single, _ = trials(post, range(seeds), 1)
        several, _ = trials(post, range(seeds, seeds + seeds // 3), 5)
    print("\nRounds to valid by the hints alone, over HTTP")
    print_table(f"one change of the text, {len(TEXT_BREAKS)} kinds", texts)
    print_table(f"one error, {len(BREAKS)} kinds", single)
    print_table("up to five errors", several)
    worst = max(*single[ALL], *several[ALL], *texts[ALL], *texts[LOST])
    kept = min(share(single[ALL]), share(texts[ALL])) >= TARGET and worst <= MAX_ROUNDS
    print(f"  in one round: {share(single[ALL]):.1%} of single errors, {share(texts[ALL]):.1%} of changes of the text "
          f"(limit {TARGET:.0%}), all within {MAX_ROUNDS} rounds: {'ok' if kept else 'MISSED'}")  # fmt: skip
    return kept


if __name__ == "__main__":
    main()
