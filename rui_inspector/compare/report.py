"""A comparison in words: the lines that page, terminal and Markdown show, each as phrases with a form."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from enum import Enum
from typing import NamedTuple

from rui_inspector.compare.comparison import Comparison, NodeChange, ScreenChange
from rui_inspector.compare.endpoints import EndpointChange, Use, UseChange
from rui_inspector.compare.kinds import ChangeKind
from rui_inspector.compare.nodes import SEPARATOR, content_of, defined_names, name_of
from rui_inspector.compare.properties import ABSENT, Change
from rui_inspector.compare.words import Part, Segment
from rui_inspector.escape import LONG, shorten
from rui_inspector.model.overview import menus_of
from rui_inspector.model.view import Node, Request
from rui_inspector.model.wireframe import LAYOUT_ROLE

Phrases = list["Phrase"]

MAX_COMMON = 160
"""Length in characters above which the middle of a text between two changes is left out."""

CONTEXT = 60
"""Characters that are kept at each end of such a text."""

MAX_INNER = 20
"""Maximum number of nodes in an added or removed node that are listed."""

MAX_NAMED = 3
"""Maximum number of names of each kind of change in the summary."""

DROPPED = "dropped"
"""The word for an endpoint that is no longer read."""

READ_DIFFERENTLY = "read differently"


class Form(Enum):
    """The form of a phrase."""

    PLAIN = "plain"
    QUIET = "quiet"
    NAME = "name"
    TYPE = "type"
    CODE = "code"
    REMOVED = "removed"
    ADDED = "added"


class Phrase(NamedTuple):
    """A part of a line.

    Attributes:
        text: its text.
        form: its form.
        node: the node that it names, or None.
    """

    text: str
    form: Form = Form.PLAIN
    node: Node | None = None


class Item(NamedTuple):
    """A change in words.

    Attributes:
        kinds: what happened.
        head: the line that names what has changed.
        lines: further lines.
        words: the words for the kinds.
    """

    kinds: Sequence[ChangeKind]
    head: Phrases
    lines: list[Phrases]
    words: Mapping[ChangeKind, str]


class Topic(Enum):
    """A part of the report."""

    DATA = "DATA"
    SCREENS = "SCREENS"
    REST = "REST"


class Headline(NamedTuple):
    """A summary, such as ``endpoints`` and ``1 dropped (GET /stock)``, and the part of the report with the details."""

    name: str
    counts: str
    topic: Topic


class Report:
    """A comparison in words.

    Args:
        comparison: the differences.
    """

    def __init__(self, comparison: Comparison) -> None:
        self._comparison = comparison
        views = (comparison.before.view, comparison.after.view)
        self._menus = {menu.name for view in views for menu in menus_of(view)}

    def headlines(self) -> list[Headline]:
        """Return the summary: endpoints first, then screens, blocks, and the rest of the document."""
        comparison = self._comparison
        endpoints = [([one.kind], f"{shorten(one.method)} {shorten(one.path)}") for one in comparison.endpoints]
        screens = [(screen.kinds[:1], name_of(screen.node)) for screen in comparison.screens]
        tops = {screen.own for screen in comparison.screens}
        others = [change for change in comparison.nodes if change not in tops]
        blocks = [change for change in others if not self._is_layout(change.node)]
        groups = [change for change in others if self._is_layout(change.node)]
        lines = [
            Headline("endpoints", _counts(endpoints, _ENDPOINT_WORDS), Topic.DATA),
            Headline(self.screens_name(), _counts(screens, _WORDS), Topic.SCREENS),
            Headline(_groups_name(groups), _counts(_named(groups), _WORDS), Topic.SCREENS),
            Headline("blocks", _counts(_named(blocks), _WORDS), Topic.SCREENS),
        ]
        numbers = Counter(change.steps[0].name for change in comparison.root)
        for name, number in numbers.items():
            topic = Topic.SCREENS if name in self._menus else Topic.REST
            lines.append(Headline(shorten(name), _plural(number, "change"), topic))
        return [line for line in lines if line.counts]

    def screens_name(self) -> str:
        """Return the name of the screens, such as ``pages``."""
        names = (*self._comparison.after.view.nested, *self._comparison.before.view.nested)
        return next(iter(names), "pages")

    def endpoints(self) -> list[Item]:
        """Return the changes of the data."""
        kinds = [ChangeKind.ADDED, ChangeKind.REMOVED, ChangeKind.CHANGED]
        changes = sorted(self._comparison.endpoints, key=lambda change: kinds.index(change.kind))
        return [self._endpoint(change) for change in changes]

    def navigation(self) -> list[Item]:
        """Return the changes of the navigation."""
        changes = [change for change in self._comparison.root if change.steps[0].name in self._menus]
        return [_root_item(_without_list(change)) for change in changes]

    def rest(self) -> list[Item]:
        """Return the other changes outside of screens."""
        return [_root_item(change) for change in self._comparison.root if change.steps[0].name not in self._menus]

    def screen(self, screen: ScreenChange) -> Item:
        """Return a screen with the changes of its own properties."""
        lines = []
        if screen.own is not None:
            lines = self._lines(screen.own)
        return Item(screen.kinds, [Phrase(name_of(screen.node), Form.NAME, screen.node)], lines, _WORDS)

    def nodes(self, screen: ScreenChange) -> list[Item]:
        """Return the changes in a screen."""
        items = [self._node(change, screen) for change in screen.changes]
        return items + [self._departed(change) for change in screen.departed]

    def unchanged(self) -> list[ScreenChange]:
        """Return the screens that are the same in both documents."""
        return [screen for screen in self._comparison.screens if not screen.kinds]

    def _is_layout(self, node: Node) -> bool:
        shape = node.layout.shape
        return shape is not None and shape.role == LAYOUT_ROLE

    def _endpoint(self, change: EndpointChange) -> Item:
        head = [Phrase(_endpoint_text(change.method, change.path), Form.CODE)]
        return Item([change.kind], head, [self._use(use) for use in change.uses], _ENDPOINT_WORDS)

    def _use(self, use: UseChange) -> Phrases:
        if use.before is None and use.after is not None:
            return [Phrase("for "), *self._reader(use.after), *_instead("instead of", use.other)]
        if use.after is None and use.before is not None:
            return [Phrase("no longer for "), *self._reader(use.before), *_instead("now", use.other)]
        assert use.before is not None and use.after is not None  # noqa: S101  one of them is a use
        phrases = [self._place(use.after.node)]
        if use.before.select != use.after.select:
            old = Phrase(_select_text(use.before), Form.REMOVED)
            phrases += [Phrase(": "), old, Phrase(" "), Phrase(_select_text(use.after), Form.ADDED)]
        if use.added_fields:
            phrases += [Phrase(": also "), *_listed(use.added_fields, Form.ADDED)]
        if use.dropped_fields:
            phrases += [Phrase(": no longer "), *_listed(use.dropped_fields, Form.REMOVED)]
        return phrases

    def _reader(self, use: Use) -> Phrases:
        return [self._place(use.node), Phrase(" → "), Phrase(_select_text(use), Form.CODE)]

    def _place(self, node: Node) -> Phrase:
        return Phrase(self._comparison.place(node), Form.NAME, node)

    def _node(self, change: NodeChange, screen: ScreenChange) -> Item:
        """Return the change of a node; its place omits the name of the screen, which is the heading."""
        node = change.node
        place = self._comparison.place(node)
        prefix = f"{name_of(screen.node)}{SEPARATOR}"
        if screen.node is not node:
            place = place.removeprefix(prefix)
        head = [*_type(node), Phrase(place, Form.NAME, node)]
        if node.id and _type(node):
            head += [Phrase(" "), Phrase(shorten(node.id), Form.QUIET)]
        return Item(change.kinds, head, self._lines(change), _WORDS)

    def _lines(self, change: NodeChange) -> list[Phrases]:
        lines: list[Phrases] = []
        if change.is_moved:
            lines.append([Phrase(self._comparison.move_text(change))])
        if change.before is None:
            lines += self._content(change.node, self._comparison.pairs.before, Form.ADDED)
        elif change.after is None:
            lines += self._content(change.node, self._comparison.pairs.after, Form.REMOVED)
        lines += [_property(one) for one in change.properties]
        return lines

    def _content(self, node: Node, counterparts: Container[Node], form: Form) -> list[Phrases]:
        """Return what an added or removed node contains: its data, or the blocks in it."""
        lines = _details(node, form)
        inner = [one for one in _descendants(node) if one not in counterparts and not self._is_layout(one)]
        for one in inner[:MAX_INNER]:
            line = [*_type(one), Phrase(name_of(one), Form.NAME, one)]
            for detail in _details(one, form):
                line += [Phrase(" · "), *detail]
            lines.append(line)
        if len(inner) > MAX_INNER:
            lines.append([Phrase(f"and {len(inner) - MAX_INNER:,} more", Form.QUIET)])
        return lines

    def _departed(self, change: NodeChange) -> Item:
        assert change.before is not None and change.after is not None  # noqa: S101  it is in both documents
        node = change.before
        head = [*_type(node), Phrase(name_of(node), Form.NAME, node)]
        target = [Phrase("moved to "), self._place(change.after)]
        return Item([ChangeKind.MOVED], head, [target], _WORDS)


def describe(value: object) -> str:
    """Return a value in a line of text: properties of objects and elements of lists after each other."""
    if isinstance(value, str):
        return value or '""'
    if isinstance(value, list) and value and all(isinstance(inner, str | int | float) for inner in value):
        return ", ".join([describe(inner) for inner in value])
    if isinstance(value, dict) and value and all(isinstance(inner, str | int | float) for inner in value.values()):
        return ", ".join([f"{name}: {describe(inner)}" for name, inner in value.items()])
    return json.dumps(value, ensure_ascii=False)


_WORDS = {kind: kind.value for kind in ChangeKind}
_ENDPOINT_WORDS = {**_WORDS, ChangeKind.REMOVED: DROPPED, ChangeKind.CHANGED: READ_DIFFERENTLY}


def _counts(found: Sequence[tuple[Sequence[ChangeKind], str]], words: dict[ChangeKind, str]) -> str:
    """Return how many there are of each kind, with names, such as ``2 added (Staff, Stock), 1 dropped (Today)``."""
    texts = []
    for kind in ChangeKind:
        names = [name for kinds, name in found if kind in kinds]
        if names:
            shown = ", ".join(names[:MAX_NAMED])
            if len(names) > MAX_NAMED:
                shown += ", …"
            texts.append(f"{len(names)} {words[kind]} ({shown})")
    return ", ".join(texts)


def _named(changes: Iterable[NodeChange]) -> list[tuple[Sequence[ChangeKind], str]]:
    return [(change.kinds, name_of(change.node)) for change in changes]


def _groups_name(changes: Iterable[NodeChange]) -> str:
    """Return the name of nodes that arrange others: their type, if they have one in common."""
    types = {change.node.type for change in changes}
    if len(types) == 1:
        return f"{types.pop().lower()}s"
    return "groups"


def _plural(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def _type(node: Node) -> Phrases:
    """Return the type in front of a label or text; the name of a node contains it if it has neither."""
    if not node.label.strip() and not content_of(node).strip():
        return []
    return [Phrase(shorten(node.type or "no type"), Form.TYPE, node), Phrase(" ")]


def _descendants(node: Node) -> Iterator[Node]:
    for child in node.children:
        yield child
        yield from _descendants(child)


def _details(node: Node, form: Form) -> list[Phrases]:
    """Return the text, the names of list elements and the requests of a node."""
    lines: list[Phrases] = []
    content = content_of(node)
    if content.strip() and content.strip() not in name_of(node):
        lines.append([Phrase(_bounded(content), form)])
    names = defined_names(node)
    if names:
        lines.append(_listed(names, form))
    lines += [[Phrase(_request_text(request), Form.CODE)] for request in node.requests]
    return lines


def _without_list(change: Change) -> Change:
    """Return a change of the navigation without the name of the list of entries: ``navigation › Staff``."""
    first, *rest = change.steps
    elements = [index for index, step in enumerate(rest) if step.is_element]
    if elements:
        rest = rest[elements[0] :]
    return change._replace(steps=(first, *rest))


def _root_item(change: Change) -> Item:
    return Item([_kind_of(change)], _property(change), [], _WORDS)


def _kind_of(change: Change) -> ChangeKind:
    if change.before is ABSENT:
        return ChangeKind.ADDED
    if change.after is ABSENT:
        return ChangeKind.REMOVED
    return ChangeKind.CHANGED


def _property(change: Change) -> Phrases:
    """Return a changed property: the words that differ, or the old and the new value."""
    name = [Phrase(change.words, Form.QUIET), Phrase(": ")]
    segments = change.segments
    if segments:
        return [*name, *_segments(segments)]
    values = []
    if change.before is not ABSENT:
        values.append(Phrase(_bounded(describe(change.before)), Form.REMOVED))
    if change.after is not ABSENT:
        values.append(Phrase(_bounded(describe(change.after)), Form.ADDED))
    if len(values) > 1:
        values.insert(1, Phrase(" "))
    return [*name, *values]


def _segments(segments: Iterable[Segment]) -> Phrases:
    forms = {Part.SAME: Form.PLAIN, Part.REMOVED: Form.REMOVED, Part.ADDED: Form.ADDED}
    phrases: Phrases = []
    for part, text in segments:
        if phrases and part is Part.ADDED and phrases[-1].form is Form.REMOVED:
            phrases.append(Phrase(" "))
        shown = _bounded(text)
        if part is Part.SAME and len(text) > MAX_COMMON:
            shown = f"{text[:CONTEXT]} … {text[-CONTEXT:]}"
        phrases.append(Phrase(shown, forms[part]))
    return phrases


def _bounded(text: str) -> str:
    """Return a text, or the beginning of a long text with its length."""
    if len(text) <= LONG:
        return text
    return f"{shorten(text)} ({len(text):,} characters)"


def _endpoint_text(method: str, path: str) -> str:
    return f"{shorten(method)} {shorten(path)}"


def _request_text(request: Request) -> str:
    text = _endpoint_text(request.method, request.path)
    return f"{text} → {shorten(request.select)}" if request.select else text


def _select_text(use: Use) -> str:
    return shorten(use.select) or "the whole response"


def _instead(words: str, request: Request | None) -> Phrases:
    if request is None:
        return []
    return [Phrase(f", {words} "), Phrase(_request_text(request), Form.CODE)]


def _listed(names: Sequence[str], form: Form) -> Phrases:
    phrases: Phrases = []
    for name in names:
        if phrases:
            phrases.append(Phrase(", "))
        phrases.append(Phrase(shorten(name), form))
    return phrases
