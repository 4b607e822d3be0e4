"""Merge random histories: `python -m tests.inputs.merging --histories 2000 --seed 0`.

Each pair of histories begins with one document, and the laws of merging hold for it. What is merged without a conflict
says what both sides say, whichever side is ours. Of conflicts, each choice is JSON and loses no edit of its side.
"""

import argparse
import json
import random
import sys
from collections import Counter

from rui_common.editing.edits import apply
from rui_common.syntax.document import Document, read
from rui_common.versions.merge import Merge, merge
from tests.inputs.histories import History, both_sides, facts
from tests.inputs.sample import sample
from tests.support.strategies import Json, MeantGenerator, Random, mutate

INDENTS = (2, 2, 4, None)


def base_document(chance: Random) -> Json:
    """Return a document without repeated links, which have no identity."""
    base: Json = MeantGenerator(chance).document()
    if chance.random() < 0.6:
        base = sample(1500, seed=chance.randrange(1000))
    items = base["navigation"]["items"]
    links = {item["pageId"]: item for item in reversed(items)}
    base["navigation"]["items"] = [item for item in items if links[item["pageId"]] is item]
    return base


def choose(text: str, side: int) -> Document:
    """Return the document after the choice of ours (0) or theirs (1) at each conflict."""
    document = read(text)
    while document.conflicts:
        conflict = document.conflicts[0]
        kept = (conflict.ours, conflict.theirs)[side]
        document = read(apply(document.text, conflict.keep(kept)))
    return document


def check(seed: int) -> Merge:
    """Merge the histories of a seed in both directions, and assert the laws. Return the merge."""
    chance = random.Random(seed)
    base = base_document(chance)
    one, two = both_sides(base, chance, chance.choice((1, 2, 3, 6)))
    indent = chance.choice(INDENTS)
    texts = [json.dumps(value, ensure_ascii=False, indent=indent) for value in (base, one.document, two.document)]
    base_text, one_text, two_text = texts
    check_trivial(base_text, one_text)
    check_trivial(base_text, two_text)
    merged, reverse = (
        merge(read(base_text), *map(read, sides)) for sides in ((one_text, two_text), (two_text, one_text))
    )
    assert bool(merged.conflicts) == bool(reverse.conflicts)
    before, ours, theirs = facts(base), facts(one.document, one), facts(two.document, two)
    if not merged.conflicts:
        expected = (before | ours | theirs) - (before - ours) - (before - theirs)
        for result in (merged, reverse):
            assert facts(_value(read(result.text)), one, two) == expected
        return merged
    for result, sides in ((merged, (ours, theirs)), (reverse, (theirs, ours))):
        for number, side in enumerate(sides):
            check_choice(result.text, number, before, side, (one, two))
    return merged


def check_any(seed: int) -> Merge:
    """Merge documents with any values at any places, and assert that the result is JSON and each choice, too."""
    chance = random.Random(seed)
    base = mutate(base_document(chance), chance, chance.randint(0, 3))
    sides = [mutate(base, chance, chance.randint(1, 8)) for _ in range(2)]
    texts = [json.dumps(value, indent=chance.choice(INDENTS)) for value in (base, *sides)]
    merged = merge(*map(read, texts))
    documents = [choose(merged.text, number) for number in (0, 1)]
    assert all(document.valid and isinstance(document.value, dict) for document in documents)
    assert bool(merged.conflicts) == (documents[0].text != documents[1].text)
    return merged


def check_trivial(base: str, side: str) -> None:
    """Assert that a merge with an unchanged side, or with the same side, is the other side."""
    documents = base, side, base
    assert merge(*map(read, documents)).text == side
    assert merge(read(base), read(base), read(side)).text == side
    assert merge(read(base), read(side), read(side)).text == side
    # The same in another layout, so that the texts differ and the values are compared.
    compact = json.dumps(json.loads(base), separators=(",", ":"))
    assert read(merge(read(compact), read(side), read(base)).text).value == read(side).value
    assert read(merge(read(compact), read(base), read(side)).text).value == read(side).value


def check_choice(
    text: str, number: int, before: set[tuple[str, ...]], side: set[tuple[str, ...]], histories: tuple[History, History]
) -> None:
    """Assert that a choice is JSON, has what its side has added, and not what it has removed."""
    chosen = facts(_value(choose(text, number)), *histories)
    assert side - before <= chosen
    assert not (before - side) & chosen


def _value(document: Document) -> Json:
    assert document.valid, document.text
    return document.value


def main() -> None:
    """Check many histories; print what became of them."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--histories", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    results = Counter[str]()
    for seed in range(args.seed, args.seed + args.histories):
        try:
            results["conflict" if check(seed).conflicts else "merged"] += 1
            results["conflict of any values" if check_any(seed).conflicts else "merged with any values"] += 1
        except Exception as error:
            results["failed"] += 1
            print(f"seed {seed}: {error!r:.300}")
    print(", ".join(f"{count} {what}" for what, count in results.most_common()))
    sys.exit(results["failed"] > 0)


if __name__ == "__main__":
    main()
