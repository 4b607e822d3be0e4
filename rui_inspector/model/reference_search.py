"""Search the documentation: shapes, properties with their aliases, rules and endpoints."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from rui_common.vocabulary.aliases import squash
from rui_inspector.model.reference import rule_entries, shape_entries

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from rui_inspector.model.reference import PropEntry

MAX_HITS = 60
MAX_WORDS = 8

RANK_NAME = 0
RANK_PREFIX = 1
RANK_ALIAS = 2
RANK_PART = 3
RANK_TEXT = 4
NO_HIT = 5
"""How well a word fits an entry; lower is better."""


class Topic(NamedTuple):
    """Something that the documentation describes.

    Attributes:
        title: its name.
        sort: such as ``property``.
        path: its address below that of the documentation.
        text: its description.
        names: its names; the first one has precedence.
        aliases: other words for it.
    """

    title: str
    sort: str
    path: str
    text: str
    names: Sequence[str]
    aliases: Sequence[str] = ()


class Hit(NamedTuple):
    """A topic that was found, and the alias by which it was found, or ``""``."""

    topic: Topic
    alias: str


class Fit(NamedTuple):
    """How well a word fits a topic: the rank, and for aliases the position, as the likeliest one is the first."""

    rank: int
    position: int
    topic: Topic


def topics() -> Iterator[Topic]:
    """Yield the topics of the vocabulary and the rules."""
    for shape, sort, _, _, props, aliases, _ in shape_entries():
        path = f"/vocabulary#{shape.name}"
        yield Topic(shape.name, sort or "object", path, shape.doc, [shape.name], aliases)
        for entry in props:
            yield _prop_topic(entry)
    for rule in rule_entries().values():
        title = rule.number
        if not rule.is_warning:
            title = f"{rule.number} {rule.code}"
        text = f"{rule.condition} {rule.why}"
        yield Topic(title, "rule", f"/rules/{rule.number}", text, [rule.number, rule.code])


def find_topics(candidates: Iterable[Topic], query: str) -> list[Hit]:
    """Return the topics that contain every word of a query, or all words as one name, the best first."""
    words = [squash(word) or word.casefold() for word in query.split()[:MAX_WORDS]]
    if not words:
        return []
    fits = [min(_all_words(topic, words), _fit(topic, "".join(words)), key=_order) for topic in candidates]
    found = sorted((fit for fit in fits if fit.rank < NO_HIT), key=_order)
    return [Hit(fit.topic, _alias(fit)) for fit in found[:MAX_HITS]]


def _prop_topic(entry: PropEntry) -> Topic:
    values = [word for words in entry.value_aliases.values() for word in words]
    return Topic(
        entry.anchor,
        "property",
        f"/vocabulary#{entry.anchor}",
        entry.prop.doc,
        [entry.prop.name, entry.anchor, *entry.prop.kind.values],
        [*entry.aliases, *values],
    )


def _all_words(topic: Topic, words: Sequence[str]) -> Fit:
    return max((_fit(topic, word) for word in words), key=_order)


def _order(fit: Fit) -> tuple[int, int]:
    return fit.rank, fit.position


def _fit(topic: Topic, word: str) -> Fit:
    names = [squash(name) for name in topic.names]
    aliases = [squash(alias) for alias in topic.aliases]
    if word in names:
        return Fit(RANK_NAME, 0, topic)
    if any(name.startswith(word) for name in names):
        return Fit(RANK_PREFIX, 0, topic)
    if word in aliases:
        return Fit(RANK_ALIAS, aliases.index(word), topic)
    if any(word in name for name in names):
        return Fit(RANK_PART, 0, topic)
    if word in squash(topic.text):
        return Fit(RANK_TEXT, 0, topic)
    return Fit(NO_HIT, 0, topic)


def _alias(fit: Fit) -> str:
    if fit.rank != RANK_ALIAS:
        return ""
    return fit.topic.aliases[fit.position]
