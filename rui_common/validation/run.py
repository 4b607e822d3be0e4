"""Value → findings, by walking the vocabulary.

There are two floors. What a page says about itself, `validate_page`: its paths begin at the page, so that an editor
may keep the report while other pages change. What the document says, `join`: it puts the reports behind each other
and adds what only all of them together can tell. Checking a whole document is both floors over everything.

Findings come in canonical order (docs/decisions.md, section 3) and lazily: whoever wants fifty of them takes
fifty, and the rest is never looked for.
"""

from __future__ import annotations

from rui_common.validation.events import PageSlot, Plain
from rui_common.validation.findings import FIRST_USED, Finding
from rui_common.validation.hints import Given, NewName
from rui_common.validation.scopes import Scope
from rui_common.validation.validator import Validator
from rui_common.vocabulary.rui_0_1 import VOCABULARY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from rui_common.syntax.paths import Path
    from rui_common.validation.events import Event, Mention
    from rui_common.validation.hints import Taken
    from rui_common.validation.validator import Scopes
    from rui_common.vocabulary.schema import Symbol, Vocabulary

NONE_INCOMPLETE: frozenset[Path] = frozenset()


def validate(
    value: dict[str, object], *, incomplete: frozenset[Path] = NONE_INCOMPLETE, vocabulary: Vocabulary = VOCABULARY
) -> Iterator[Finding]:
    """Check a whole document (specification, section 7.2; docs/decisions.md, sections 2 and 3).

    Args:
        value: the root object, as a JSON reader gives it. (A root of another type is a fault of the text, R0.)
        damaged: paths of the objects and arrays of a broken text in which something may be missing; the
            rules about absence say nothing about these.
        vocabulary: what to check against.

    Yields:
        Every independent fault, in canonical order, no two of the same path and code.
    """
    scope = Scope(vocabulary.root, value, incomplete)
    head = validate_shell(value, scope, incomplete=incomplete, vocabulary=vocabulary)
    walk = Validator(vocabulary, incomplete)
    return join(
        scope,
        head,
        lambda slot: walk.node(slot.element, slot.path, slot.kind, {}),
        vocabulary=vocabulary,
        from_root=True,
    )


def validate_shell(
    value: dict[str, object],
    scope: Scope,
    *,
    incomplete: frozenset[Path] = NONE_INCOMPLETE,
    vocabulary: Vocabulary = VOCABULARY,
) -> Iterator[Event]:
    """What the document says outside its pages, with a `PageSlot` where each page stands."""
    scopes: Scopes = dict.fromkeys(vocabulary.root.scope, (scope, ()))
    return Validator(vocabulary, incomplete, in_head=True).properties(value, vocabulary.root, (), scopes)


def validate_page(
    slot: PageSlot, *, incomplete: frozenset[Path] = NONE_INCOMPLETE, vocabulary: Vocabulary = VOCABULARY
) -> Iterable[Event]:
    """What one page says about itself; paths, those in `incomplete` too, begin at the page."""
    return Validator(vocabulary, incomplete).node(slot.element, (), slot.kind, {})


def join(
    scope: Scope,
    head: Iterable[Event],
    report_of: Callable[[PageSlot], Iterable[Event]],
    *,
    vocabulary: Vocabulary = VOCABULARY,
    from_root: bool = False,
) -> Iterator[Finding]:
    """Put the reports together and judge the names that they mention.

    Args:
        scope: the names of the document.
        head: what `validate_shell` said.
        report_of: gives what `validate_page` said, or said before, about the page in a slot.
        vocabulary: what the reports were made with.
        from_root: whether the paths in the reports begin at the root already, as nobody keeps them.

    Yields:
        The findings of the whole document, in canonical order.
    """
    names = _Names(scope, vocabulary)
    for event in head:
        if isinstance(event, PageSlot):
            yield from _join_page(names, event, report_of(event), () if from_root else event.path)
        else:
            yield from names.judge(event, ())


def _join_page(names: _Names, slot: PageSlot, report: Iterable[Event], base: Path) -> Iterator[Finding]:
    """The findings of one page; `base` leads to where the paths in its report begin."""
    owed = names.unused(slot)
    before_owed = (slot.path, (*slot.path, "id"))
    for event in report:
        for finding in names.judge(event, base):
            names.use_waiting(slot, finding)
            if owed is not None and finding.path not in before_owed:
                yield owed
                owed = None
            yield finding
    if owed is not None:
        yield owed


class _Names:
    """The names of a document that its pages mention, as far as they have been read."""

    def __init__(self, scope: Scope, vocabulary: Vocabulary) -> None:
        self._scope = scope
        self._vocabulary = vocabulary
        # Where each name was defined first: the path of the page, and from there on either the path of the name or
        # the sound node that it is somewhere in.
        self._first: dict[Symbol, dict[str, tuple[Path, Path | Plain]]] = {}
        # The names that nodes are told apart by: free ones are looked for when a hint is worded, by then all are known.
        identities = (shape.props["id"].defines for shape in vocabulary.nodes.values())
        self._ahead: dict[str, None] = {}
        known = [self._first.setdefault(symbol, {}) for symbol in identities if symbol is not None]
        self._taken: Taken = (*known[:1], self._ahead)
        self._given = Given()

    def judge(self, event: Event, base: Path) -> Iterable[Finding]:
        """The findings that an event of the page at `base` gives, now that all before it are known."""
        if isinstance(event, Plain):
            return self._plain(event, base)
        if isinstance(event, Finding):
            found = event.below(base)
            found.taken, found.given = (*event.taken, *self._taken), self._given
            return (found,)
        assert isinstance(event, tuple)  # noqa: S101  pages hold no pages
        finding = self._mention(event, base)
        return () if finding is None else (finding,)

    def _plain(self, plain: Plain, base: Path) -> Iterable[Finding]:
        known = self._first.setdefault(plain.symbol, {})
        new = dict.fromkeys(plain.ids, (base, plain))
        if len(new) == len(plain.ids) and known.keys().isdisjoint(new):
            known.update(new)
            return ()
        self._ahead.update(dict.fromkeys(plain.ids))  # who takes fifty findings shall be offered free names for them
        found = (self._mention(mention, base) for mention in self._mentions(plain))
        return (finding for finding in found if finding is not None)

    def _mention(self, mention: Mention, base: Path) -> Finding | None:
        """Is the name the second of its kind, or does it lead nowhere?"""
        symbol, name, path, is_use = mention
        if is_use:
            return self._scope.dangling(symbol, name, base + path, ())
        here = (base, path)
        first = self._first.setdefault(symbol, {}).setdefault(name, here)
        if first is here or symbol.duplicate is None:
            return None
        page, where = first
        if isinstance(where, Plain):
            where = self._found_in(where, page)[name]
        related = ((page + where, FIRST_USED),)
        finding = Finding(base + path, symbol.duplicate, got=name, example=NewName(name), related=related)
        finding.taken, finding.given = self._taken, self._given
        return finding

    def _found_in(self, plain: Plain, page: Path) -> dict[str, Path]:
        """Where the names in sound nodes stand; from now on this is known of all of them."""
        places = {name: path for _, name, path, _ in self._mentions(plain)}
        self._first[plain.symbol].update((name, (page, path)) for name, path in places.items())
        return places

    def _mentions(self, plain: Plain) -> Iterator[Mention]:
        """The names in sound nodes, with their paths."""
        nodes = [*plain.nodes]
        if len(plain.ids) == len(nodes):  # their own: nothing below them has one
            for name, (_, path) in zip(plain.ids, nodes, strict=True):
                yield (plain.symbol, name, (*path, "id"), False)
            return
        walk = Validator(self._vocabulary, NONE_INCOMPLETE, in_full=True)
        for value, path in nodes:
            for event in walk.node(value, path, plain.kind, {}):
                assert isinstance(event, tuple)  # noqa: S101  it is sound: there is nothing else to say
                yield event

    def unused(self, slot: PageSlot) -> Finding | None:
        """The finding that nobody uses the page in this slot, as a symbol of the document."""
        symbol = slot.kind.defines
        name = slot.element.get("id") if isinstance(slot.element, dict) else None
        if symbol is None or not isinstance(name, str):
            return None
        return self._scope.unused(symbol, name, (*slot.path, "id"), ())

    def use_waiting(self, slot: PageSlot, finding: Finding) -> None:
        """Where the id of a page has to change, offer the one name that is used and leads nowhere."""
        if (
            isinstance(finding.example, NewName)
            and finding.path == (*slot.path, "id")
            and slot.kind.defines is not None
        ):
            finding.example = NewName(self._scope.only_waiting(slot.kind.defines) or finding.example)
