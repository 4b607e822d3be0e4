"""Merge random histories: `python -m tests.inputs.merging --histories 2000 --seed 0`; `--kind adding` for one kind.

Each pair of histories begins with one document, and the laws of merging hold for it. What is merged without a conflict
says what both sides say, in the order of both, whichever side is ours. Of conflicts, each choice is JSON and loses no
edit of its side. Few are needless: git's merge by lines is a document with the edits of both sides.
"""

import argparse
import json
import random
import sys
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from rui_cli.git import favour
from rui_common.editing.edits import apply
from rui_common.syntax.document import Document, read
from rui_common.validation.analysis import Analysis
from rui_common.versions.merge import Merge, merge
from tests.inputs.histories import ADDITIONS, KINDS, History, both_sides, facts, orders
from tests.inputs.order_edits import lost as lost_orders
from tests.inputs.sample import sample
from tests.support.strategies import Json, MeantGenerator, Random, mutate

INDENTS = (2, 2, 4, None)


def base_document(chance: Random) -> Json:
    """Return a document without repeated links, which have no identity, and with some longer lists."""
    base: Json = MeantGenerator(chance).document()
    if chance.random() < 0.6:
        base = sample(1500, seed=chance.randrange(1000))
    items = base["navigation"]["items"]
    links = {item["pageId"]: item for item in reversed(items)}
    base["navigation"]["items"] = [item for item in items if links[item["pageId"]] is item]
    History(base, chance, "base", common=0).edit(chance.choices(ADDITIONS, k=chance.choice((0, 5, 10, 20))))
    return base


def choose(text: str, side: int) -> Document:
    """Return the document after the choice of ours (0) or theirs (1) at each conflict."""
    document = read(text)
    while document.conflicts:
        conflict = document.conflicts[0]
        kept = (conflict.ours, conflict.theirs)[side]
        document = read(apply(document.text, conflict.keep(kept)))
    return document


class Pair(NamedTuple):
    """A document, and what two histories have made of it."""

    base: Json
    histories: tuple[History, History]

    @property
    def documents(self) -> tuple[Json, Json, Json]:
        return self.base, self.histories[0].document, self.histories[1].document

    def losses(self, result: Json) -> list[str]:
        """Return the edits of both sides that a merged document does not have, in words."""
        before, ours, theirs = (facts(document, *self.histories) for document in self.documents)
        expected = (before | ours | theirs) - (before - ours) - (before - theirs)
        found = facts(result, *self.histories)
        lost = [f"not there: {fact}" for fact in expected - found] + [f"there: {fact}" for fact in found - expected]
        return [*lost, *self._lost_orders(result, 0), *self._lost_orders(result, 1)]

    def losses_of_choice(self, result: Json, side: int) -> list[str]:
        """Return the edits of one side that a choice does not have, in words."""
        histories = self.histories[side], self.histories[1 - side]
        before, edited, found = (
            facts(document, *histories) for document in (self.base, self.documents[side + 1], result)
        )
        lost = [f"not there: {fact}" for fact in edited - before - found]
        lost += [f"there: {fact}" for fact in (before - edited) & found]
        return lost + self._lost_orders(result, side)

    def _lost_orders(self, result: Json, side: int) -> list[str]:
        histories = self.histories[side], self.histories[1 - side]
        base, *sides, found = (orders(document, *histories) for document in (*self.documents, result))
        return [*lost_orders(base, sides[side], sides[1 - side], found)]


def pair_of(seed: int, kind: str = "", indents: Sequence[int | None] = INDENTS) -> tuple[Pair, list[str]]:
    """Return the histories of a seed, of a kind or of any, and the texts of base and both sides."""
    chance = random.Random(seed)
    base = base_document(chance)
    pair = Pair(base, both_sides(base, chance, chance.choice((1, 2, 3, 6)), kind))
    indent = chance.choice(indents)
    return pair, [json.dumps(value, ensure_ascii=False, indent=indent) for value in pair.documents]


def check(seed: int, kind: str = "") -> Merge:
    """Merge the histories of a seed in both directions, and assert the laws. Return the merge."""
    pair, texts = pair_of(seed, kind)
    base_text, one_text, two_text = texts
    check_trivial(base_text, one_text)
    check_trivial(base_text, two_text)
    merged, reverse = (
        merge(read(base_text), *map(read, sides)) for sides in ((one_text, two_text), (two_text, one_text))
    )
    assert bool(merged.conflicts) == bool(reverse.conflicts)
    for result, sides in ((merged, (0, 1)), (reverse, (1, 0))):
        if not result.conflicts:
            losses = pair.losses(_value(read(result.text)))
            assert not losses, losses
        for number, side in enumerate(sides):
            losses = pair.losses_of_choice(_value(choose(result.text, number)), side)
            assert not losses, losses
    return merged


def is_needless(seed: int, kind: str = "") -> bool:
    """Return whether git merges the histories of a seed by lines, and what results has the edits of both sides."""
    pair, (base, ours, theirs) = pair_of(seed, kind)
    sides = favour(base.encode(), ours.encode(), theirs.encode())
    if sides is None or sides[0] != sides[1]:
        return False
    document = read(sides[0])
    if not document.valid or document.duplicate_keys() or pair.losses(document.value):
        return False
    errors = [len(Analysis(version).findings) for version in (document, read(ours), read(theirs))]
    return errors[0] <= max(errors[1:])


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


def _value(document: Document) -> Json:
    assert document.valid, document.text
    return document.value


def main() -> None:
    """Check many histories; print what became of them."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--histories", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--kind", choices=["", *KINDS], default="")
    args = parser.parse_args()
    results = Counter[str]()
    for seed in range(args.seed, args.seed + args.histories):
        try:
            merged = check(seed, args.kind)
            results["conflict" if merged.conflicts else "merged"] += 1
            if merged.conflicts and is_needless(seed, args.kind):
                results["needless"] += 1
                print(f"seed {seed}: git has no conflict: {', '.join(merged.conflicts):.300}")
            if not args.kind:
                results["conflict of any values" if check_any(seed).conflicts else "merged with any values"] += 1
        except Exception as error:
            results["failed"] += 1
            print(f"seed {seed}: {error!r:.300}")
    print(", ".join(f"{count} {what}" for what, count in results.most_common()))
    sys.exit(results["failed"] > 0)


if __name__ == "__main__":
    main()
