"""Measure whether hints keep the author's content: documents in the words of other systems, fixed by hints alone.

A valid document is put consistently into other words, with 2 to 7 habits: other names of properties
(`tests/data/other_words.json`), other words for types and enum values, an object around the document, sections in
sections, blocks in pages. The client (`benchmarks/hint_client.py`) then follows the hints of the service.

A scalar property counts as lost if it is not in the final document under its name with its value, and as invented if
it is in the final document only. The sections that a hint puts around blocks in pages are not counted.
"""

from __future__ import annotations

import argparse
import copy
import json
import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.hint_client import MAX_ROUNDS, Json, Misled, Post, Session, rounds, service
from benchmarks.sample import sample
from rui_common.vocabulary.kinds import ListKind, ObjectKind
from rui_common.vocabulary.lookup import shape_of
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_common.vocabulary.schema import Kind, Shape

WORDS = Path(__file__).parents[1] / "tests" / "data" / "other_words.json"
SIZE = 3_000
DOCUMENTS = 300
FEWEST_HABITS = 2
MOST_HABITS = 7

MEAN_ROUNDS = 1.3
MOST_ROUNDS = 3
CHANGED = 0.2
"""Maximum number of properties that are lost or invented, per document."""
MISLED = 0.02
"""Maximum number of hints that mislead, per document."""

MOST_PRINTED = 60
"""Maximum number of habits that are printed."""

WRAPPERS = ("rui", "app", "document", "spec", "dashboard", "ui")
ANY_NODE = "Node"
"""Stands for every node type in `other_words.json`."""

Leaf = tuple[str, str]
"""The name of a property, and its scalar value as JSON text."""


class Habit(NamedTuple):
    """One consistent deviation from the vocabulary.

    Attributes:
        sort: ``property``, ``type``, ``value``, ``wrapper``, ``level`` or ``structure``.
        place: the property (``Metric.label``), node type, enum value (``Section.direction=row``) or structure.
        word: the other word, or the other structure of the value; ``""`` for a level.
    """

    sort: str
    place: str
    word: str = ""


NESTED_SECTIONS = Habit("level", "sections in sections")
FLAT_PAGES = Habit("level", "blocks in pages")


STRUCTURES = {
    "RUI.navigation": ("bare list", "listed"),
    "Navigation.items": ("element", "boxed"),
    "RUI.pages": ("by key", "element", "boxed"),
    "Page.children": ("by key", "element", "boxed"),
    "Section.children": ("by key", "element", "boxed"),
    "Metric.binding": ("listed",),
    "Table.binding": ("listed",),
    "Table.columns": ("by key", "element", "boxed"),
    "Table.filter": ("listed",),
}
"""Property → the other structures that its value may have. A list of several elements is never written as one."""
HOLDERS = ("props", "options", "config", "attributes", "settings", "params", "data")
HELD = ("Page", "Section", "Metric", "Table", "Text")
"""Types whose properties, except id and type, may be one level too deep."""


class Draft(NamedTuple):
    """A document in other words.

    Attributes:
        habits: the deviations.
        sent: the document with them.
        kept: the scalar properties that a client should keep.
    """

    habits: list[Habit]
    sent: Json
    kept: Counter[Leaf]


class Outcome(NamedTuple):
    """What the client made of a draft."""

    draft: Draft
    session: Session
    lost: Counter[Leaf]
    invented: Counter[Leaf]

    @property
    def changed(self) -> int:
        """The number of properties that were lost or invented."""
        return self.lost.total() + self.invented.total()


# Habits --------------------------------------------------------------------------------------------------------------


class Typed(NamedTuple):
    """A property in a document, with its declaration."""

    shape: Shape
    name: str
    value: Json
    kind: Kind


def properties(value: Json, kind: Kind) -> Iterator[Typed]:
    """Yield every registered property of a valid value."""
    if isinstance(value, list) and isinstance(kind, ListKind):
        for element in value:
            yield from properties(element, kind.items)
    shape = shape_of(value, kind, VOCABULARY) if isinstance(value, dict) else None
    if shape is None:
        return
    for name, prop in shape.props.items():
        if name in value:
            yield Typed(shape, name, value[name], prop.kind)
            yield from properties(value[name], prop.kind)


def possible_habits(document: Json) -> dict[str, list[Habit]]:
    """Return the habits with words that would make a valid document invalid, by their place."""
    words = json.loads(WORDS.read_text(encoding="utf-8"))
    habits: dict[str, list[Habit]] = defaultdict(list)
    for typed in properties(document, ObjectKind(VOCABULARY.root)):
        place = _place(typed.shape, typed.name)
        habits[place] = [Habit("property", place, word) for word in words["properties"].get(place, ())]
        if place == f"{ANY_NODE}.type":
            habits[typed.value] = [Habit("type", typed.value, word) for word in words["types"][typed.value]]
        elif isinstance(typed.value, str):
            of_value = f"{place}={typed.value}"
            habits[of_value] = [
                Habit("value", of_value, word) for word in words["values"].get(place, {}).get(typed.value, ())
            ]
    return {place: options for place, options in habits.items() if options}


def draft(document: Json, chance: random.Random) -> Draft:
    """Put a valid document into other words, by habits that `chance` selects."""
    possible = possible_habits(document)
    possible["wrapper"] = [Habit("wrapper", "wrapper", word) for word in WRAPPERS]
    possible["level"] = [NESTED_SECTIONS, FLAT_PAGES]
    possible |= structure_habits(document)
    number = chance.randint(FEWEST_HABITS, MOST_HABITS)
    places = chance.sample(sorted(possible), number)
    return draft_with(document, [chance.choice(possible[place]) for place in places])


def structure_habits(document: Json) -> dict[str, list[Habit]]:
    """Return the habits of structure that concern a valid document, by their place."""
    typed = [*properties(document, ObjectKind(VOCABULARY.root))]
    present = {_place(one.shape, one.name) for one in typed}
    habits = {
        f"structure of {place}": [Habit("structure", place, word) for word in words]
        for place, words in STRUCTURES.items()
        if place in present
    }
    types = [name for name in HELD if any(one.shape.name == name for one in typed)]
    return habits | {f"holder in {name}": [Habit("structure", name, word) for word in HOLDERS] for name in types}


def draft_with(document: Json, habits: list[Habit]) -> Draft:
    """Put a valid document into other words, by the given habits."""
    changed = copy.deepcopy(document)
    if FLAT_PAGES in habits:
        for page in changed["pages"]:
            page["children"] = [block for section in page["children"] for block in section["children"]]
    kept = Counter(leaves(changed))
    if NESTED_SECTIONS in habits:
        for number, page in enumerate(changed["pages"], 1):
            group = {"id": f"group-{number}", "type": "Section", "direction": "stack"}
            page["children"] = [group | {"children": page["children"]}]
    words = {habit.place: habit.word for habit in habits if habit.sort != "structure"}
    words |= {f"structure of {habit.place}": habit.word for habit in habits if habit.sort == "structure"}
    sent = in_other_words(changed, ObjectKind(VOCABULARY.root), words)
    for habit in habits:
        if habit.sort == "wrapper":
            sent = {habit.word: sent}
    return Draft(habits, sent, kept)


def in_other_words(value: Json, kind: Kind, words: dict[str, str]) -> Json:
    """Return a value with the words of some places (see `Habit`) replaced."""
    if isinstance(value, list) and isinstance(kind, ListKind):
        # A section in a section has the place of a block, and its type selects its shape all the same.
        return [in_other_words(element, kind.items, words) for element in value]
    shape = _shape(value, kind)
    if shape is None:
        return value
    result = {}
    for name, inner in value.items():
        place = _place(shape, name)
        prop = shape.props.get(name)
        if place == f"{ANY_NODE}.type":
            other = words.get(inner, inner)
        elif isinstance(inner, str) or prop is None:
            other = words.get(f"{place}={inner}", inner)
        else:
            other = in_other_words(inner, prop.kind, words)
            other = in_other_structure(other, words.get(f"structure of {place}", ""), prop.kind, words)
        result[words.get(place, name)] = other
    return _with_holder(result, shape, words)


def in_other_structure(value: Json, structure: str, kind: Kind, words: dict[str, str]) -> Json:
    """Return a value in another structure, see `STRUCTURES`; unchanged if it cannot be read back."""
    if structure == "bare list":
        (value,) = value.values()
        return value
    if structure == "listed":
        return [value]
    if structure == "element" and isinstance(value, list) and len(value) == 1:
        return value[0]
    if structure == "boxed" and isinstance(value, list):
        return {"list": value}
    if structure == "by key" and isinstance(value, list):
        place = "Column.key" if kind.inner_shapes[0].name == "Column" else f"{ANY_NODE}.id"
        name = words.get(place, place.partition(".")[2])
        keys = [element.get(name) for element in value]
        if all(len(element) > 1 for element in value) and len({*keys}) == len(keys):
            return {element.pop(name): element for element in value}
    return value


def _with_holder(value: Json, shape: Shape, words: dict[str, str]) -> Json:
    """Return an object with all properties but the first two in another object, if that is a habit."""
    holder = words.get(f"structure of {shape.name}", "")
    if not holder or shape.name not in HELD:
        return value
    kept = [words.get(f"{ANY_NODE}.{name}", name) for name in ("id", "type")]
    return {name: value[name] for name in kept if name in value} | {
        holder: {name: inner for name, inner in value.items() if name not in kept}
    }


def _place(shape: Shape, name: str) -> str:
    """Return how `other_words.json` names a property."""
    if shape.is_node and name in ("id", "type"):
        return f"{ANY_NODE}.{name}"
    return f"{shape.name}.{name}"


def _shape(value: Json, kind: Kind) -> Shape | None:
    """Return the shape of an object; of a node also where its type is not allowed."""
    if not isinstance(value, dict):
        return None
    return VOCABULARY.nodes.get(str(value.get("type"))) or shape_of(value, kind, VOCABULARY)


# Results -------------------------------------------------------------------------------------------------------------


def leaves(value: Json, added: frozenset[str] | None = None) -> Iterator[Leaf]:
    """Yield the scalar properties of a value.

    Args:
        value: the value.
        added: if given, the ids of the author; the properties of other sections are left out.
    """
    if isinstance(value, list):
        for element in value:
            yield from leaves(element, added)
    if not isinstance(value, dict):
        return
    is_added = added is not None and value.get("type") == "Section" and value.get("id") not in added
    for name, inner in value.items():
        if isinstance(inner, dict | list):
            yield from leaves(inner, added)
        elif not is_added:
            yield name, json.dumps(inner)


def outcome(post: Post, one: Draft) -> Outcome:
    """Let the client fix a draft, and compare the result with the original."""
    session = rounds(post, json.dumps(one.sent))
    final = json.loads(session.texts[-1])
    ids = None
    if FLAT_PAGES in one.habits:
        ids = frozenset(json.loads(text) for name, text in one.kept if name == "id")
    result = Counter(leaves(final, ids))
    invented = result - one.kept - Counter(leaves(one.sent))
    return Outcome(one, session, one.kept - result, invented)


def run(post: Post, seeds: range) -> list[Outcome]:
    """Fix one draft per seed."""
    outcomes = []
    for seed in seeds:
        chance = random.Random(seed)
        outcomes.append(outcome(post, draft(sample(SIZE, seed=seed), chance)))
    return outcomes


def run_each(post: Post) -> list[Outcome]:
    """Fix one draft per word, with this habit alone, in a document that has every property."""
    document = sample(2 * SIZE, seed=2)
    possible = possible_habits(document) | structure_habits(document)
    habits = [habit for options in possible.values() for habit in options]
    return [outcome(post, draft_with(document, [habit])) for habit in habits]


class Summary(NamedTuple):
    """The figures that have limits."""

    mean_rounds: float
    most_rounds: int
    changed: float
    misled: float

    @property
    def is_within_limits(self) -> bool:
        """Whether every limit is kept."""
        within = [
            self.mean_rounds <= MEAN_ROUNDS,
            self.most_rounds <= MOST_ROUNDS,
            self.changed <= CHANGED,
            self.misled <= MISLED,
        ]
        return all(within)


def summary(outcomes: list[Outcome]) -> Summary:
    """Return the figures of a run."""
    number = len(outcomes)
    all_rounds = [one.session.rounds for one in outcomes]
    changed = sum(one.changed for one in outcomes)
    misled = sum(len(one.session.misled) for one in outcomes)
    return Summary(sum(all_rounds) / number, max(all_rounds), changed / number, misled / number)


def print_habits(outcomes: list[Outcome]) -> None:
    """Print the habits of documents with lost or invented properties, misled clients or more than one round."""
    bad: dict[Habit, Counter[str]] = defaultdict(Counter)
    for one in outcomes:
        for habit in one.draft.habits:
            bad[habit]["documents"] += 1
            bad[habit]["changed"] += one.changed
            bad[habit]["misled"] += len(one.session.misled)
            bad[habit]["rounds"] += max(0, one.session.rounds - 1)
    print("  habits of the documents in which most was lost or invented")
    by_harm = sorted(bad.items(), key=lambda item: -(item[1]["changed"] + item[1]["misled"]) / item[1]["documents"])
    for habit, counts in by_harm[:MOST_PRINTED]:
        if counts["changed"] + counts["misled"]:
            print(f"    {habit.place} → {habit.word or habit.sort}: {dict(counts)}")


def print_misled(misled: list[Misled]) -> None:
    """Print some hints that misled the client."""
    for item, fault in misled[:10]:
        print(f"    {item['code']} at {item['path']}: {item['hint']}\n      → {fault['code']} at {fault['path']}")


def main(options: Sequence[str] = ()) -> bool:
    """Print the figures; return whether every limit is kept."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks other_words")
    parser.add_argument("--each", action="store_true", help="one document for each word, with this habit alone")
    is_each = parser.parse_args(list(options)).each
    with service() as post:
        outcomes = run_each(post) if is_each else run(post, range(DOCUMENTS))
    figures = summary(outcomes)
    print(f"\nDocuments in the words of other systems, fixed by hints alone: {len(outcomes)}")
    counts = Counter(one.session.rounds for one in outcomes)
    never = counts.pop(MAX_ROUNDS + 1, 0)
    print("  rounds: " + ", ".join(f"{count} in {number}" for number, count in sorted(counts.items())), end="")
    print(f", {never} not fixed" if never else "")
    lost = sum(one.lost.total() for one in outcomes)
    invented = sum(one.invented.total() for one in outcomes)
    print(f"  mean rounds {figures.mean_rounds:.2f} (limit {MEAN_ROUNDS}), most {figures.most_rounds} ({MOST_ROUNDS})")
    print(f"  {lost} properties lost, {invented} invented: {figures.changed:.2f} per document (limit {CHANGED})")
    print(f"  misled {figures.misled:.3f} per document (limit {MISLED})")
    print_misled([misled for one in outcomes for misled in one.session.misled])
    print_habits(outcomes)
    kept = figures.is_within_limits
    print(f"  limits: {'ok' if kept else 'MISSED'}")
    return kept


if __name__ == "__main__":
    main()
