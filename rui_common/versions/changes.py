"""The changes between two versions of a document, as plain records with sentences.

Every difference of the contents belongs to a change. The exceptions are the layout of the text, the order of
properties, and the id of the version that the document replaces.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from rui_common.syntax.paths import Path
from rui_common.texts import count_of
from rui_common.versions.match import Matching
from rui_common.versions.sentences import Verb, capitalized, ended, sentence_of

MIN_PLACES = 3  # minimum number of sentences that become one if they differ in their place alone
MAX_SENTENCES = 7  # maximum number of sentences of a summary
MAX_LINES = MAX_SENTENCES + 2  # maximum number of lines of a summary
NOTHING = "Nothing changes for users."


class ChangeKind(Enum):
    """What happened, in the order of a summary."""

    REMOVED = "removed"
    ADDED = "added"
    CHANGED = "changed"
    MOVED = "moved"


class Area(Enum):
    """What a change concerns, in the order of a summary."""

    APP = "app"
    PAGES = "pages"
    DATA = "data"
    BLOCKS = "blocks"
    NAVIGATION = "navigation"
    HIDDEN = "hidden"


class Pattern(NamedTuple):
    """The sentence about changes that are the same in several places: the words around the number of these places."""

    before: str
    noun: str  # what a place is, such as ``table``
    after: str = ""

    @property
    def key(self) -> tuple[str, str]:
        """What is the same of patterns whose places may be of several sorts."""
        return self.before, self.after

    def sentence(self, nouns: Collection[str], count: int, documents: int = 1) -> str:
        """Return the sentence about a number of places, of one sort or of several, in one or several documents."""
        noun = "places" if len(nouns) > 1 else f"{self.noun}s"
        within = "" if documents == 1 else f" in {count_of(documents, 'documents')}"
        return ended(f"{capitalized(self.before)}{count_of(count, noun)}{within}{self.after}")


@dataclass(frozen=True)
class Change:
    """A difference: what happened, what it concerns, and the parts of its sentence, with the marks of `sentences`."""

    kind: ChangeKind
    area: Area
    subject: str
    verb: Verb
    rest: str
    old: Path | None  # the path of the element, property or list in the old version; None if it was added
    new: Path | None  # its path in the new version; None if it was removed
    topic: str = ""  # the words of a change that users do not see, in the line about such changes
    pattern: Pattern | None = None  # the sentence if the same happens in other places, too

    @property
    def sentence(self) -> str:
        return sentence_of([self.subject], self.verb, self.rest)

    @property
    def is_visible(self) -> bool:
        return self.area is not Area.HIDDEN

    @property
    def is_endpoint(self) -> bool:
        """Whether it is about an endpoint of the whole app, and not about the block at its path."""
        return self.area is Area.DATA and self.kind in (ChangeKind.ADDED, ChangeKind.REMOVED)

    @property
    def rank(self) -> tuple[bool, int, int]:
        """Its place in a summary: removed pages and endpoints come first."""
        is_loss = self.kind is ChangeKind.REMOVED and self.area in (Area.PAGES, Area.DATA)
        return not is_loss, [*Area].index(self.area), [*ChangeKind].index(self.kind)


class Summary(NamedTuple):
    """The most important changes."""

    sentences: list[str]  # at most `MAX_SENTENCES`; one for several changes of which only the subjects differ
    further: int  # the number of visible changes that they do not contain
    hidden: str  # a sentence about what users do not see, or ``""``
    counts_places: bool  # whether one of the sentences has the number of places instead of their names

    @property
    def lines(self) -> list[str]:
        lines = [*self.sentences]
        if self.further:
            lines.append(f"And {count_of(self.further, 'more changes')}.")
        if self.hidden:
            lines.append(self.hidden)
        return lines


class Screen(NamedTuple):
    """An element directly below the root that is a node, such as a page, in one version or both."""

    title: str  # a phrase that names it, such as ``page **Today**``
    old: Path | None  # its path in the old version, or None
    new: Path | None  # its path in the new version, or None
    kind: ChangeKind | None  # whether it was added, removed or changed; None if users see the same
    # the visible changes in it; several may have the same sentence. A moved element is where it is now.
    changes: list[Change]


@dataclass(frozen=True)
class Comparison:
    """Two versions with the differences between them."""

    matching: Matching  # which elements are the same
    changes: tuple[Change, ...]  # the differences, as a summary orders them
    screens: tuple[Screen, ...]  # the screens of both versions in the order of the new one, removed ones last

    @property
    def summary(self) -> Summary:
        """The most important changes; without any change, no sentences."""
        return summary_of(self.changes)

    @property
    def app(self) -> list[Change]:
        """The visible changes of the app as a whole."""
        return [change for change in self.changes if change.area is Area.APP]

    @property
    def navigation(self) -> list[Change]:
        """The visible changes of the navigation."""
        return [change for change in self.changes if change.area is Area.NAVIGATION]

    @property
    def hidden(self) -> list[Change]:
        """The changes that users do not see."""
        return [change for change in self.changes if not change.is_visible]


def summary_of(changes: Iterable[Change]) -> Summary:
    """Return the most important of some changes. Those that differ in subject or place alone are one sentence."""
    groups: dict[tuple[Area, Verb, str], dict[str, Change]] = {}  # the last key is the subject
    topics: dict[str, None] = {}
    for change in changes:
        if change.is_visible:
            groups.setdefault((change.area, change.verb, change.rest), {}).setdefault(change.subject, change)
        else:
            topics[change.topic] = None
    sentences: list[tuple[str, int]] = []  # each with the number of changes in it
    counts_places = False
    for similar_groups in _with_one_pattern([*groups.values()]):
        members = [change for group in similar_groups for change in group.values()]
        pattern = members[0].pattern
        if len(similar_groups) > 1 and pattern is not None:
            nouns = {change.pattern.noun for change in members if change.pattern is not None}
            sentence = pattern.sentence(nouns, len(members))
            counts_places = True
        else:
            sentence = sentence_of(similar_groups[0], members[0].verb, members[0].rest)
        sentences.append((sentence, len(members)))
    further = sum(count for _, count in sentences[MAX_SENTENCES:])
    if topics and not sentences:
        sentences.append((NOTHING, 0))
    hidden = ""
    if topics:
        hidden = f"Not visible to users: {', '.join(topics)}."
    return Summary([sentence for sentence, _ in sentences[:MAX_SENTENCES]], further, hidden, counts_places)


class SharedChange(NamedTuple):
    """What changes in the same way in several documents."""

    sentence: str
    changes: list[list[Change]]  # the changes of each document; an empty list for one without any


def shared_changes(documents: Sequence[Iterable[Change]]) -> list[SharedChange]:
    """Return what changes in at least two documents, and in enough places, in the order of a summary."""
    groups: dict[object, list[list[Change]]] = {}
    for number, changes in enumerate(documents):
        for change in changes:
            if change.is_visible and change.pattern is not None:
                group = groups.setdefault((change.area, change.pattern.key), [[] for _ in documents])
                group[number].append(change)
    shared: list[tuple[Change, SharedChange]] = []
    for group in groups.values():
        members = [change for changes in group for change in changes]
        pattern = members[0].pattern
        count = sum(map(bool, group))
        if pattern is not None and count > 1 and len(members) >= MIN_PLACES:
            nouns = {change.pattern.noun for change in members if change.pattern is not None}
            shared.append((members[0], SharedChange(pattern.sentence(nouns, len(members), count), group)))
    return [shared_change for _, shared_change in sorted(shared, key=lambda pair: pair[0].rank)]


def _with_one_pattern(groups: list[dict[str, Change]]) -> Iterator[list[dict[str, Change]]]:
    """Yield groups of changes with one rest, those together that have one pattern, if there are enough."""
    by_pattern: dict[object, list[dict[str, Change]]] = {}
    keys: list[object] = []
    for number, group in enumerate(groups):
        patterns = {change.pattern and (change.area, change.pattern.key) for change in group.values()}
        keys.append(number if len(patterns) > 1 or None in patterns else patterns.pop())
        by_pattern.setdefault(keys[-1], []).append(group)
    for key, group in zip(keys, groups, strict=True):
        similar_groups = by_pattern[key]
        if len(similar_groups) < MIN_PLACES:
            yield [group]
        elif group is similar_groups[0]:
            yield similar_groups
