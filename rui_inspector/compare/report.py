"""A comparison in words: the lines that page, terminal and Markdown show, each as phrases with a form."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from enum import Enum
from typing import NamedTuple

from rui_common.validation.findings import ABSENT
from rui_common.vocabulary.schema import Role
from rui_inspector.compare.comparison import ChangeKind, Comparison, EndpointChange, NodeChange, UseChange, top_of
from rui_inspector.compare.fields import SEPARATOR, FieldChange
from rui_inspector.escape import LONG, count_of, excerpt
from rui_inspector.model.overview import menus_of
from rui_inspector.model.view import ViewNode

MAX_WORDS = 200
"""Maximum number of words of two texts: beyond, a text counts as replaced, since the work grows steeply."""

MIN_RATIO = 0.3
"""Similarity of two texts below which one counts as replaced by the other."""

MAX_INNER = 20
"""Maximum number of nodes in an added or removed node that are listed."""

MAX_NAMED = 3
"""Maximum number of names of each kind of change in the summary."""

MAX_QUOTED = 48
"""Maximum number of characters of a text that names a node."""


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
    node: ViewNode | None = None


Phrases = list[Phrase]


class ReportItem(NamedTuple):
    """A change in words.

    Attributes:
        kinds: what happened.
        head: the line that names what has changed.
        lines: further lines.
        inner: the changes in a screen.
        change: the change of a node; None for other changes, and in the screen that a node has left.
    """

    kinds: Sequence[ChangeKind]
    head: Phrases
    lines: Sequence[Phrases] = ()
    inner: Sequence[ReportItem] = ()
    change: NodeChange | None = None


class Headline(NamedTuple):
    """A summary, such as ``Endpoints`` and ``1 removed (GET /stock)``, and the key of the section with the details."""

    name: str
    counts: str
    section: str


class Report(NamedTuple):
    """A comparison in words.

    Attributes:
        headlines: the summary: endpoints first, then screens, blocks, and the rest of the document.
        data: the changed endpoints.
        navigation: the changes of the navigation.
        screens: the changed screens, with the changes in them.
        rest: the other changes outside of screens.
        unchanged: the names of the screens that are the same in both documents.
    """

    headlines: list[Headline]
    data: list[ReportItem]
    navigation: list[ReportItem]
    screens: list[ReportItem]
    rest: list[ReportItem]
    unchanged: Phrases

    def sections(self) -> list[tuple[str, list[ReportItem]]]:
        """Return the sections with their titles, without empty ones."""
        sections = [("Data", self.data), ("Screens", [*self.navigation, *self.screens]), ("The rest", self.rest)]
        return [(title, items) for title, items in sections if items]


def report_of(comparison: Comparison) -> Report:
    """Return a comparison in words."""
    menus = {menu.name for view in (comparison.before, comparison.after) for menu in menus_of(view)}
    roots = [(_first_name(change), ReportItem([_kind_of(change)], _field(change))) for change in comparison.root]
    kinds = [ChangeKind.ADDED, ChangeKind.REMOVED, ChangeKind.CHANGED]
    return Report(
        _headlines(comparison, menus),
        [_endpoint(one) for one in sorted(comparison.endpoints, key=lambda change: kinds.index(change.kind))],
        [item for name, item in roots if name in menus],
        [_screen(comparison, screen) for screen in comparison.screens if screen.screen_kinds],
        [item for name, item in roots if name not in menus],
        [_name(screen.node) for screen in comparison.screens if not screen.screen_kinds],
    )


def name_of(node: ViewNode) -> str:
    """Return the name of a node for people: its label, else its text, else type and id, else its path."""
    if node.label.strip():
        return " ".join(excerpt(node.label).split())
    text = " ".join(_content_of(node).split())
    if len(text) > MAX_QUOTED:
        return f"“{text[:MAX_QUOTED].rstrip()}…”"
    if text:
        return f"“{text}”"
    if node.id:
        return excerpt(f"{node.type} {node.id}".strip())
    return f"{excerpt(node.type)} {node.path}".strip()


def place_of(node: ViewNode | None) -> str:
    """Return the place of a node in words, such as ``Staff › Training``; ancestors without a label are left out."""
    if node is None:
        return "the top"
    named = [one for one in node.ancestors() if one.label or one.parent is None]
    return SEPARATOR.join([name_of(one) for one in (*reversed(named), node)])


def _headlines(comparison: Comparison, menus: set[str]) -> list[Headline]:
    endpoints = [([one.kind], _endpoint_text(one)) for one in comparison.endpoints]
    screens = [(screen.screen_kinds[:1], name_of(screen.node)) for screen in comparison.screens]
    others = [change for change in comparison.nodes if change.node.parent is not None]
    sections = [(change.kinds, name_of(change.node)) for change in others if change.node.is_group]
    blocks = [(change.kinds, name_of(change.node)) for change in others if not change.node.is_group]
    screens_name = next(iter((*comparison.after.nested, *comparison.before.nested)), "pages")
    lines = [
        Headline("endpoints", _counts(endpoints), "DATA"),
        Headline(screens_name, _counts(screens), "SCREENS"),
        Headline("sections", _counts(sections), "SCREENS"),
        Headline("blocks", _counts(blocks), "SCREENS"),
    ]
    for name, number in Counter(map(_first_name, comparison.root)).items():
        section = "SCREENS" if name in menus else "REST"
        lines.append(Headline(excerpt(name), count_of(number, "changes"), section))
    return [line._replace(name=line.name[:1].upper() + line.name[1:]) for line in lines if line.counts]


def _counts(found: Sequence[tuple[Sequence[ChangeKind], str]]) -> str:
    """Return how many there are of each kind, with names, such as ``2 added (Staff, Stock), 1 removed (Today)``."""
    texts = []
    for kind in ChangeKind:
        names = [name for kinds, name in found if kind in kinds]
        more = ", …" if len(names) > MAX_NAMED else ""
        if names:
            texts.append(f"{len(names)} {kind.value} ({', '.join(names[:MAX_NAMED])}{more})")
    return ", ".join(texts)


def _first_name(change: FieldChange) -> str:
    """Return the property of the root that contains a changed property."""
    return change.words.removeprefix("order of ").split(SEPARATOR)[0]


def _endpoint(change: EndpointChange) -> ReportItem:
    return ReportItem([change.kind], [Phrase(_endpoint_text(change), Form.CODE)], [_use(use) for use in change.uses])


def _endpoint_text(change: EndpointChange) -> str:
    return f"{excerpt(change.method)} {excerpt(change.path)}"


def _use(use: UseChange) -> Phrases:
    """Return a block with the paths that it no longer reads and those that it reads now."""
    phrases = [Phrase(place_of(use.node), Form.NAME, use.node), Phrase(":")]
    for form, selects in ((Form.REMOVED, use.before), (Form.ADDED, use.after)):
        for select in selects:
            phrases += [Phrase(" "), Phrase(excerpt(select) or "the whole response", form)]
    return phrases


def _screen(comparison: Comparison, screen: NodeChange) -> ReportItem:
    inner = [_node(comparison, change, screen) for change in screen.inner]
    return ReportItem(screen.screen_kinds, [_name(screen.node)], _lines(comparison, screen), inner, screen)


def _node(comparison: Comparison, change: NodeChange, screen: NodeChange) -> ReportItem:
    """Return the change of a node in a screen; its place omits the name of the screen, which is the heading."""
    node = next(one for one in change.sides if top_of(one) in screen.sides)
    place = place_of(node).removeprefix(f"{name_of(screen.node)}{SEPARATOR}")
    head = [*_type(node), Phrase(place, Form.NAME, node)]
    if node.id and _type(node):
        head += [Phrase(" "), Phrase(excerpt(node.id), Form.QUIET)]
    listed = change if node is change.node else None
    return ReportItem(change.kinds, head, _lines(comparison, change), change=listed)


def _lines(comparison: Comparison, change: NodeChange) -> list[Phrases]:
    lines: list[Phrases] = []
    if change.before is None or change.after is None:
        lines = _blocks(one for one in change.node.descendants() if one not in comparison.matches)
    elif change.is_moved:
        lines = [[Phrase(_move_text(comparison, change.before, change.after))]]
    return [*lines, *map(_field, change.fields)]


def _move_text(comparison: Comparison, before: ViewNode, after: ViewNode) -> str:
    """Return where a moved node was and is, such as ``moved from Today › Figures to Stock``."""
    origin = place_of(before.parent)
    target = place_of(after.parent)
    if origin != target:
        return f"moved from {origin} to {target}"
    siblings = comparison.after.tops
    if after.parent is not None:
        siblings = after.parent.children
    index = siblings.index(after)
    if index == 0:
        return "moved to the first position"
    return f"moved to the position after {name_of(siblings[index - 1])}"


def _blocks(nodes: Iterable[ViewNode]) -> list[Phrases]:
    """Return the blocks in an added or removed node, a line each."""
    lines = [[*_type(node), _name(node)] for node in nodes if not node.is_group]
    if len(lines) > MAX_INNER:
        return [*lines[:MAX_INNER], [Phrase(f"and {len(lines) - MAX_INNER:,} more", Form.QUIET)]]
    return lines


def _name(node: ViewNode) -> Phrase:
    return Phrase(name_of(node), Form.NAME, node)


def _type(node: ViewNode) -> Phrases:
    """Return the type in front of a label or text; the name of a node contains it if it has neither."""
    if not node.label.strip() and not _content_of(node).strip():
        return []
    return [Phrase(excerpt(node.type or "no type"), Form.TYPE, node), Phrase(" ")]


def _content_of(node: ViewNode) -> str:
    """Return the text that a node shows, or ``""``."""
    texts = [value for _, value, prop in node.members if prop is not None and prop.role is Role.CONTENT]
    return next((text for text in texts if isinstance(text, str)), "")


def _kind_of(change: FieldChange) -> ChangeKind:
    if change.before is ABSENT:
        return ChangeKind.ADDED
    if change.after is ABSENT:
        return ChangeKind.REMOVED
    return ChangeKind.CHANGED


def _field(change: FieldChange) -> Phrases:
    """Return a changed property: the words that differ, or the old and the new value."""
    start = [Phrase(change.words, Form.QUIET), Phrase(":")]
    is_text = change.prop is None or change.prop.kind.is_free_text
    if is_text and isinstance(change.before, str) and isinstance(change.after, str):
        return [*start, Phrase(" "), *changed_words(change.before, change.after)]
    return [*start, Phrase(" "), *_replaced(_describe(change.before), _describe(change.after))]


def changed_words(before: str, after: str) -> Phrases:
    """Return two texts as one, with the words that differ; texts without much in common are removed and added."""
    old = before.split(" ")
    new = after.split(" ")
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    if len(old) + len(new) > MAX_WORDS or matcher.ratio() < MIN_RATIO:
        return _replaced(before, after)
    phrases: Phrases = []
    for tag, old_start, old_end, new_start, new_end in matcher.get_opcodes():
        removed = " ".join(old[old_start:old_end])
        added = " ".join(new[new_start:new_end])
        if phrases:
            phrases.append(Phrase(" "))
        if tag != "equal":
            phrases += _replaced(removed, added)
        elif removed:
            phrases.append(Phrase(_bounded(removed)))
    return phrases


def _replaced(removed: str, added: str) -> Phrases:
    """Return a removed and an added text, with a space between them."""
    phrases = []
    if removed:
        phrases.append(Phrase(_bounded(removed), Form.REMOVED))
    if removed and added:
        phrases.append(Phrase(" "))
    if added:
        phrases.append(Phrase(_bounded(added), Form.ADDED))
    return phrases


def _describe(value: object) -> str:
    """Return a value in a line of text; ``""`` if it is absent."""
    if value is ABSENT:
        return ""
    if isinstance(value, str) and value:
        return value
    return json.dumps(value, ensure_ascii=False)


def _bounded(text: str) -> str:
    """Return a text, or the beginning of a long text with its length."""
    if len(text) <= LONG:
        return text
    return f"{excerpt(text)} ({len(text):,} characters)"
