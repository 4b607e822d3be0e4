"""Validate a whole document, or its pages one by one.

A report of a page (`validate_page`) only depends on the page, so that an editor may keep it while other pages change.
`merge_reports` combines the report of the document shell with those of the pages, and checks the names that they
mention. Findings come in canonical order (docs/decisions.md, section 3) and lazily: a caller that stops after fifty
does not pay for the rest.
"""

from __future__ import annotations

from rui_common.suggest import kebab_case
from rui_common.syntax.paths import value_at
from rui_common.validation.events import Mention, PageSlot, ValidNodes
from rui_common.validation.example_values import NodeInPlace
from rui_common.validation.findings import Finding
from rui_common.validation.free_names import FreshIdPlaceholder, placeholder_name
from rui_common.validation.links import NewDefinition
from rui_common.validation.model import ABSENT, FIRST_USED, SuggestedNames
from rui_common.validation.name_checks import find_dangling, find_unused
from rui_common.validation.scopes import Scope
from rui_common.validation.validator import Mode, Validator
from rui_common.vocabulary.held import id_place
from rui_common.vocabulary.rui_0_1 import VOCABULARY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from rui_common.syntax.paths import Path
    from rui_common.validation.events import Event
    from rui_common.validation.model import UsedNames
    from rui_common.validation.validator import Scopes
    from rui_common.vocabulary.schema import Symbol, Vocabulary

NONE_INCOMPLETE: frozenset[Path] = frozenset()


def validate(
    value: dict[str, object], *, incomplete: frozenset[Path] = NONE_INCOMPLETE, vocabulary: Vocabulary = VOCABULARY
) -> Iterator[Finding]:
    """Validate a whole document (specification, section 7.2; docs/decisions.md, sections 2 and 3).

    Args:
        value: the root object.
        incomplete: paths of the objects and arrays of a broken text in which something may be missing; the rules
            about absence do not apply to them.
        vocabulary: the vocabulary of the document.

    Yields:
        Every independent violation, in canonical order, at most one for a path and code.
    """
    scope = Scope(vocabulary.root, value, incomplete, vocabulary=vocabulary)
    names = _NameCheck(scope, vocabulary)
    validator = Validator(vocabulary, incomplete)
    for event in validate_shell(value, scope, incomplete=incomplete, vocabulary=vocabulary):
        if isinstance(event, PageSlot):
            report = validator.node(event.element, event.path, event.kind, {})
            yield from _page_findings(names, event, report, ())
        else:
            yield from names.check(event, ())


def validate_shell(
    value: dict[str, object],
    scope: Scope,
    *,
    incomplete: frozenset[Path] = NONE_INCOMPLETE,
    vocabulary: Vocabulary = VOCABULARY,
) -> Iterable[Event]:
    """Validate the document outside of its pages. Each page gives a `PageSlot`."""
    scopes: Scopes = dict.fromkeys(vocabulary.root.scope, (scope, ()))
    return Validator(vocabulary, incomplete, Mode.SHELL).properties(value, vocabulary.root, (), scopes)


def validate_page(
    slot: PageSlot, *, incomplete: frozenset[Path] = NONE_INCOMPLETE, vocabulary: Vocabulary = VOCABULARY
) -> Iterable[Event]:
    """Validate one page. Paths, those in `incomplete` included, are relative to the page."""
    return Validator(vocabulary, incomplete).node(slot.element, (), slot.kind, {})


def merge_reports(
    scope: Scope,
    shell: Iterable[Event],
    report_of: Callable[[PageSlot], Iterable[Event]],
    *,
    vocabulary: Vocabulary = VOCABULARY,
) -> Iterator[Finding]:
    """Merge the reports of shell and pages.

    Args:
        scope: the names of the document.
        shell: the report of `validate_shell`.
        report_of: returns the report of `validate_page`, possibly of an earlier call, for the page in a slot.
        vocabulary: the vocabulary of the reports.

    Yields:
        The findings of the document, in canonical order.
    """
    names = _NameCheck(scope, vocabulary)
    for event in shell:
        if isinstance(event, PageSlot):
            yield from _page_findings(names, event, report_of(event), event.path)
        else:
            yield from names.check(event, ())


def _page_findings(names: _NameCheck, slot: PageSlot, report: Iterable[Event], base: Path) -> Iterator[Finding]:
    """Yield the findings of one page; the paths in its report are relative to `base`."""
    id_path = names.id_path(slot)
    unused = names.unused(slot, id_path)
    paths_before_unused = (slot.path, (*slot.path, "id"), id_path)
    for event in report:
        for finding in names.check(event, base):
            if unused is not None and finding.path not in paths_before_unused:
                yield unused
                unused = None
            yield names.with_new_name(slot, finding, id_path)
    if unused is not None:
        yield unused


class _NameCheck:
    """Checks the names that the pages of a document mention, in order."""

    def __init__(self, scope: Scope, vocabulary: Vocabulary) -> None:
        self._scope = scope
        self._vocabulary = vocabulary
        # Symbol → name → path of the page of its first definition, and either the path of the name relative to the
        # page, or the valid nodes that define it.
        self._first: dict[Symbol, dict[str, tuple[Path, Path | ValidNodes]]] = {}
        # Ids of valid nodes that have not been added to `_first` yet. Hints are worded when all names are known.
        self._pending_ids: dict[str, None] = {}
        self._used_names: UsedNames = (self._pending_ids,)
        if vocabulary.node_symbol is not None:
            self._used_names = (self._first.setdefault(vocabulary.node_symbol, {}), self._pending_ids)
        self._suggested_names = SuggestedNames(scope.value, vocabulary)

    def check(self, event: Event, base: Path) -> Iterable[Finding]:
        """Return the findings for an event of the page at `base`, given all names before it."""
        if isinstance(event, ValidNodes):
            return self._valid_nodes(event, base)
        if isinstance(event, Finding):
            return [event.in_document(base, self._used_names, self._suggested_names)]
        assert isinstance(event, Mention)  # noqa: S101  pages contain no pages
        finding = self._mention(event, base)
        if finding is None:
            return []
        return [finding]

    def _valid_nodes(self, nodes: ValidNodes, base: Path) -> Iterable[Finding]:
        first = self._first.setdefault(nodes.symbol, {})
        new = dict.fromkeys(nodes.ids, (base, nodes))
        if len(new) == len(nodes.ids) and first.keys().isdisjoint(new):
            first.update(new)
            return []
        self._pending_ids.update(dict.fromkeys(nodes.ids))
        return self._duplicates(nodes, base)

    def _duplicates(self, nodes: ValidNodes, base: Path) -> Iterator[Finding]:
        for mention in self._mentions(nodes):
            finding = self._mention(mention, base)
            if finding is not None:
                yield finding

    def _mention(self, mention: Mention, base: Path) -> Finding | None:
        """Return a finding if a use is dangling, or if a definition is not the first."""
        symbol, name, path, is_use = mention
        if is_use:
            return find_dangling(self._scope, symbol, name, base + path, ())
        definition = (base, path)
        first = self._first.setdefault(symbol, {}).setdefault(name, definition)
        if first is definition or symbol.duplicate is None:
            return None
        page, path_of_first = first
        if isinstance(path_of_first, ValidNodes):
            path_of_first = self._paths_in(path_of_first, page)[name]
        self._suggested_names.changing.add(base + path)
        return Finding(
            base + path,
            symbol.duplicate,
            got=name,
            example=FreshIdPlaceholder(self._well_formed(name, symbol)),
            related=((page + path_of_first, FIRST_USED),),
            used_names=self._used_names,
            suggested_names=self._suggested_names,
        )

    def _well_formed(self, name: str, symbol: Symbol) -> str:
        """Return the id in lowercase kebab-case, or a placeholder if no word of it is left."""
        kind = next(iter(self._vocabulary.nodes.values())).props["id"].kind
        return next(filter(kind.accepts, (name, kebab_case(name))), placeholder_name(symbol))

    def _paths_in(self, nodes: ValidNodes, page: Path) -> dict[str, Path]:
        """Return and keep the paths of the names in valid nodes."""
        paths = {mention.name: mention.path for mention in self._mentions(nodes)}
        self._first[nodes.symbol].update((name, (page, path)) for name, path in paths.items())
        return paths

    def _mentions(self, nodes: ValidNodes) -> Iterator[Mention]:
        """Yield the names in valid nodes with their paths."""
        nodes_and_paths = list(nodes.nodes)
        if len(nodes.ids) == len(nodes_and_paths):  # there are no nodes below them
            for name, (_, path) in zip(nodes.ids, nodes_and_paths, strict=True):
                yield Mention(nodes.symbol, name, (*path, "id"), False)
            return
        validator = Validator(self._vocabulary, NONE_INCOMPLETE, Mode.NAMES)
        for value, path in nodes_and_paths:
            for event in validator.node(value, path, nodes.kind, {}):
                assert isinstance(event, Mention)  # noqa: S101  valid nodes have no findings
                yield event

    def id_path(self, slot: PageSlot) -> Path | None:
        """Return the path that the id of the page in this slot is read from, or None."""
        if not isinstance(slot.element, dict):
            return None
        place = id_place(slot.element, slot.kind, self._vocabulary)
        if place is None:
            return None
        return (*slot.path, *place)

    def unused(self, slot: PageSlot, id_path: Path | None) -> Finding | None:
        """Return the finding that the page in this slot is unused, if it is."""
        symbol = slot.kind.defines
        if symbol is None or self._scope.is_consistent(symbol, is_use=False):
            return None
        if id_path is None or not isinstance(slot.element, dict):
            return None
        name = value_at(slot.element, id_path[len(slot.path) :])
        if not isinstance(name, str):
            return None
        finding = find_unused(self._scope, symbol, name, id_path, ())
        if finding is None:
            return None
        return finding._replace(used_names=self._used_names, suggested_names=self._suggested_names)

    def with_new_name(self, slot: PageSlot, finding: Finding, id_path: Path | None) -> Finding:
        """Where the id of a page must change, or is absent, offer the name that fits its uses."""
        path = id_path or (*slot.path, "id")
        symbol = slot.kind.defines
        if symbol is None or finding.example is ABSENT or finding.path not in (slot.path, path):
            return finding
        if finding.path == path:
            self._suggested_names.changing.add(path)
            return finding._replace(suggestion=NewDefinition(self._scope, symbol, path))
        if not isinstance(finding.example, NodeInPlace):
            return finding
        return finding._replace(suggestion=NewDefinition(self._scope, symbol, path, finding.example.with_id))
