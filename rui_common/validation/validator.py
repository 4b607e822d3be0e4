"""Validate a value against the vocabulary: one walk over the declarations makes nodes, names, findings and lints.

This module does not refer to particular shapes. Findings come in canonical order: the properties of a shape as
declared, then unknown properties by code point (docs/decisions.md, section 3).
"""

import re
import sys
from collections.abc import Iterable, Iterator, Set
from itertools import groupby
from typing import NamedTuple

from rui_common.json_values import JsonObject, as_object
from rui_common.nodes.names import Name, Scope, symbols_in, symbols_of
from rui_common.nodes.node import Node, NodeTree, Root
from rui_common.problems.elements import Planned, WrongLength, link_symbol, type_finding
from rui_common.problems.finding import Finding, Lint
from rui_common.problems.further import declared
from rui_common.problems.meant import Rename, renames
from rui_common.problems.names import DanglingName, DuplicateName, UnusedName
from rui_common.problems.properties import AbsentProperty, UnknownProperty
from rui_common.problems.root import about_root
from rui_common.problems.suggested import NoOptionValue
from rui_common.problems.values import WrongValue
from rui_common.suggest import SearchBudget
from rui_common.syntax.paths import Path
from rui_common.validation.lint_finder import LintFinder
from rui_common.vocabulary.kinds import ListKind, NodeKind, ObjectKind
from rui_common.vocabulary.rules import RULES
from rui_common.vocabulary.schema import Kind, Prop, Shape, Symbol, Vocabulary

NOT_CHECKED = "The document is written for another version: nothing else in it was checked."
"""Advice for a document with properties of a later version."""

NO_STEPS: frozenset[str | int] = frozenset()

_NUMBERS = re.compile(r"[0-9]+(\.[0-9]+)*")

_RULE_ORDER = {number: index for index, number in enumerate(RULES)}


class ValidationResult(NamedTuple):
    """The results of one walk."""

    tree: NodeTree
    findings: list[Finding]  # every independent violation in canonical order, at most one for a path and code
    scopes: list[Scope]  # the scopes with the names: all of them if there are less findings than the limit
    lints: list[Lint]


def validate_document(
    value: JsonObject,
    vocabulary: Vocabulary,
    *,
    partial: frozenset[Path] = frozenset(),
    unreadable: frozenset[Path] = frozenset(),
    limit: int = sys.maxsize,
    may_have_lost_characters: bool = True,
) -> ValidationResult:
    """Validate a whole document (specification, section 7.2; docs/decisions.md, sections 2 and 3).

    Args:
        partial: paths of the objects and arrays of a broken text that may lack members: the rules about absence do not
            apply to them.
        unreadable: paths of scalars with syntax errors, which are not validated.
        limit: maximum number of findings.
        may_have_lost_characters: whether to search for U+FFFD in all texts. The value of a string with an error has it,
            too.
    """
    root = Root(value, ObjectKind(vocabulary.root), vocabulary.root, vocabulary=vocabulary)
    broken = _BrokenValues(partial, unreadable)
    finder = LintFinder(may_have_lost_characters=may_have_lost_characters)
    found = _Walk(root, broken, limit, finder)
    found.properties(root, value, vocabulary.root)
    root.definitions = {scope.symbol: scope.defined for scope in found.scopes if scope.node is root}
    findings = _ordered(_resolved(found.log), limit)
    if findings and not value.keys() <= vocabulary.root.props.keys():
        suggestions = about_root(value, vocabulary)
        for finding in findings:
            finding.about_root = suggestions
    version = value.get("version")
    if isinstance(version, str) and findings and findings[0].path == ("version",):
        is_later = _NUMBERS.fullmatch(version) is not None and _has_later_properties(root)
        findings[0].advice = _version_advice(version, vocabulary, is_later=is_later)
        if is_later:
            findings = findings[:1]
    for name in found.unreadable_names:
        name.scope.add(name)
    finder.find_names(found.scopes)
    lints = finder.lints
    if partial or unreadable:
        lints = [lint for lint in lints if not broken.may_cause(lint)]
    return ValidationResult(NodeTree(found.nodes), findings, found.scopes, lints)


def _has_later_properties(root: Root) -> bool:
    """Return whether a document has properties that only a later version has."""
    return any(name in root.members for names in root.vocabulary.later.values() for name in names)


def _version_advice(version: str, vocabulary: Vocabulary, *, is_later: bool) -> str:
    """Return what the hint about another version adds, or ``""``."""
    sentences = [NOT_CHECKED] if is_later else []
    if version in vocabulary.later:
        names = ", ".join(vocabulary.later[version])
        sentences.append(f"Version {version} is another vocabulary ({names}): the toolkit reads {vocabulary.version}.")
    return " ".join(sentences)


class _BrokenValues:
    """The values of a broken text to which not all rules apply."""

    def __init__(self, partial: frozenset[Path], unreadable: frozenset[Path]) -> None:
        self._partial = partial
        self._unreadable = unreadable
        self._unreadable_steps: dict[Path, set[str | int]] = {}
        for path in unreadable:
            self._unreadable_steps.setdefault(path[:-1], set()).add(path[-1])
        # Most nodes are not broken. The last step excludes nearly all of them, without a path for each.
        self._last_steps = {path[-1] if path else "" for path in (*partial, *self._unreadable_steps)}

    def is_partial(self, node: Node) -> bool:
        return node.step in self._last_steps and node.path in self._partial

    def unreadable_steps(self, node: Node) -> Set[str | int]:
        """Return the keys or indices of the scalars in a node that have a syntax error."""
        if node.step not in self._last_steps:
            return NO_STEPS
        return self._unreadable_steps.get(node.path, NO_STEPS)

    def may_have_lost_type(self, node: Node) -> bool:
        """Return whether the ``type`` of an object has a syntax error, or may be absent because of one."""
        if "type" in node.members:
            return "type" in self.unreadable_steps(node)
        return self.is_partial(node)

    def may_cause(self, lint: Lint) -> bool:
        """Return whether a syntax error may be the reason of a lint: the value is broken, or lacks members."""
        path = lint.path
        is_absent = isinstance(lint, NoOptionValue)
        return path in self._unreadable or path in self._partial or (is_absent and lint.node.path in self._partial)


class _Walk:
    """Walks a document once, in canonical order.

    At the `limit`, a maximum number of findings, it skips the rest of each list, except definitions of names that were
    used before.
    """

    def __init__(self, root: Root, broken: _BrokenValues, limit: int, lints: LintFinder) -> None:
        self.nodes: list[Node] = [root]  # in canonical order
        # Findings, and names that may turn out to be dangling or unused, in canonical order.
        self.log: list[Finding | Name] = []
        self.scopes: list[Scope] = []
        self.unreadable_names: list[Name] = []  # the names with syntax errors, which break no rules
        self._vocabulary = root.vocabulary
        self._broken = broken
        self._limit = limit
        self._lints = lints
        self._finding_count = 0
        self._budget = SearchBudget()
        self._scope_of: dict[Symbol, Scope] = {}
        self._enter(root.vocabulary.symbols, root)

    def properties(self, node: Node, members: JsonObject, shape: Shape, type_finding: Finding | None = None) -> None:
        """Validate an object of a known shape; `type_finding` is about its ``type``, if that is not the shape."""
        self._lints.find_texts(node, members, shape)
        if shape.open:
            self._open_object(node, shape, members)
        outer = self._scope_of
        if shape.scope:
            self._scope_of = outer.copy()
            self._enter(shape.scope, node)
        unreadable = self._broken.unreadable_steps(node)
        found: list[Rename] = []
        if not members.keys() <= shape.props.keys():
            found = self._renames(node, members, shape)
        for name, prop in shape.props.items():
            if type_finding is not None and name == "type":
                self._report(type_finding)
            elif name not in members:
                self._absent(node, shape, prop, found)
            elif unreadable and name in unreadable:
                self._unreadable_property(node, prop, members[name])
            elif not prop.is_unnamed_scalar or not prop.kind.accepts(members[name]):
                self._property(node, prop, members[name])
        self._scope_of = outer
        if not shape.open:
            self._unknown_properties(node, members, shape, found)

    def _renames(self, node: Node, members: JsonObject, shape: Shape) -> list[Rename]:
        """Return which properties the further ones of an object mean; none if they are allowed, and none is absent."""
        if shape.open and members.keys() >= {*shape.required}:
            return []
        return renames(node, self._budget)

    def _property(self, node: Node, prop: Prop, value: object) -> None:
        if prop.defines is not None:
            self._name(prop.defines, node, prop.name, value)
        if prop.uses is not None:
            self._name(prop.uses, node, prop.name, value, is_use=True)
        if not prop.is_scalar or not prop.kind.accepts(value):
            self._value(node, prop.name, value, prop.kind, prop)

    def _unreadable_property(self, node: Node, prop: Prop, value: object) -> None:
        self._lack(symbols_of(prop))
        for symbol, is_use in ((prop.defines, False), (prop.uses, True)):
            if symbol is not None:
                self._unreadable_name(symbol, node, prop.name, value, is_use=is_use)

    def _unreadable_name(self, symbol: Symbol, node: Node, step: str, value: object, *, is_use: bool) -> None:
        if isinstance(value, str):
            self.unreadable_names.append(Name(self._scope_of[symbol], value, node, step, is_use))

    def _absent(self, node: Node, shape: Shape, prop: Prop, found: list[Rename]) -> None:
        if not prop.required:
            return
        self._lack(symbols_of(prop))
        if self._broken.is_partial(node):
            return
        self._report(AbsentProperty(node, shape, prop, self._scope_at(node, prop), found))

    def _unknown_properties(self, node: Node, members: JsonObject, shape: Shape, found: list[Rename]) -> None:
        if members.keys() <= shape.props.keys():
            return
        meant = {rename.key: rename for rename in found}
        for name in sorted(members.keys() - shape.props.keys()):
            self._report(UnknownProperty(node, shape, name, meant.get(name)))

    def _value(self, parent: Node, step: str | int, value: object, kind: Kind, prop: Prop | None) -> None:
        """Validate the value of a property, or an element of a list, which has no declaration of its own."""
        if isinstance(value, dict) and isinstance(kind, ObjectKind):
            node = Node(value, kind, kind.shape, prop, parent, step)
            self.nodes.append(node)
            planned = value.get("type")
            if isinstance(planned, str) and planned in kind.shape.planned_types:
                if not self._broken.may_have_lost_type(node):
                    self._report(Planned(parent, step, planned, kind))
            else:
                self.properties(node, value, kind.shape)
        elif isinstance(value, dict) and isinstance(kind, NodeKind):
            node = Node(value, kind, kind.shape_of(value, self._vocabulary), None, parent, step)
            self.nodes.append(node)
            self._node(node, value, kind)
        elif isinstance(value, list) and isinstance(kind, ListKind):
            node = Node(value, kind, None, prop, parent, step)
            self.nodes.append(node)
            self._list(node, value, kind)
        else:
            self._violation(parent, step, value, kind, prop)

    def _violation(self, parent: Node, step: str | int, value: object, kind: Kind, prop: Prop | None) -> None:
        violation = kind.violation(value)
        if violation is not None:
            self._lack(symbols_in(kind))
            self._report(WrongValue(parent, step, value, kind, violation, self._scope_at(parent, prop)))

    def _list(self, node: Node, values: list[object], kind: ListKind) -> None:
        is_partial = self._broken.is_partial(node)
        if not values or is_partial:
            self._lack(symbols_in(kind))
        if not is_partial and not kind.allows(len(values)) and node.parent is not None:
            symbol = link_symbol(kind)
            scope = None if symbol is None else self._scope_of[symbol]
            self._report(WrongLength(node.parent, node.step, values, kind, scope))
        unreadable = self._broken.unreadable_steps(node)
        for index, value in enumerate(values):
            if self._finding_count >= self._limit:
                self._definitions(node, values, index, kind)
                return
            if unreadable and index in unreadable:
                self._lack(symbols_in(kind.items))
            else:
                self._value(node, index, value, kind.items, None)

    # Nodes

    def _node(self, node: Node, members: JsonObject, kind: NodeKind) -> None:
        """Validate a node (docs/decisions.md, section 2, cases 2 to 5)."""
        finding = type_finding(node, kind)
        if finding is not None and self._broken.may_have_lost_type(node):
            finding = None
        if finding is not None and finding.node is not node:
            self._report(finding)
            finding = None
        if kind.defines is not None:
            self._identity(kind.defines, node, members)
        if node.shape is not None:
            self.properties(node, members, node.shape, finding)
            return
        if self._vocabulary.node_symbol is not None:  # the id of a node that is not read counts for uniqueness
            self._identity(self._vocabulary.node_symbol, node, members)
        if finding is not None:
            self._report(finding)

    # Suggested properties, which are not validated

    def _open_object(self, node: Node, shape: Shape, members: JsonObject) -> None:
        """Find the lints in the suggested and further properties of an object, and make the nodes of the former."""
        self._lints.find_suggested(node, members, shape)
        if not members.keys() <= declared(shape):
            self._lints.find_further(node, members, shape)
        for prop in shape.suggested.values():
            if not prop.is_scalar and prop.name in members:
                self._suggested(node, prop.name, members[prop.name], prop.kind, prop)

    def _suggested(self, parent: Node, step: str | int, value: object, kind: Kind, prop: Prop | None) -> Node | None:
        """Make the nodes of a suggested property, and find the lints in it; return the node of an object or array."""
        if isinstance(value, list) and isinstance(kind, ListKind):
            node = Node(value, kind, None, prop, parent, step)
            self.nodes.append(node)
            elements = [self._suggested(node, index, element, kind.items, None) for index, element in enumerate(value)]
            self._lints.find_elements(node, value, kind.items, [element for element in elements if element is not None])
            return node
        if isinstance(value, dict) and isinstance(kind, ObjectKind):
            node = Node(value, kind, kind.shape, prop, parent, step)
            self.nodes.append(node)
            since = len(self._lints.lints)
            self._lints.find_texts(node, value, kind.shape)
            self._open_object(node, kind.shape, value)
            self._lints.find_absent_option(node, value, since)
            return node
        return None

    # Names

    def _enter(self, symbols: Iterable[Symbol], node: Node) -> None:
        for symbol in symbols:
            self._scope_of[symbol] = Scope(symbol, node)
            self.scopes.append(self._scope_of[symbol])

    def _scope_at(self, node: Node, prop: Prop | None) -> Scope | None:
        """Return the scope of the name that a property defines or uses; None if it has no name, or for an element."""
        if prop is None:
            return None
        symbol = prop.uses or prop.defines
        if prop.defines is not None and node.kind.defines is not None:
            symbol = node.kind.defines
        if symbol is None:
            return None
        return self._scope_of[symbol]

    def _identity(self, symbol: Symbol, node: Node, members: JsonObject) -> None:
        """Add the id of a node. It counts with any shape, and without one."""
        value = members.get("id")
        if "id" in self._broken.unreadable_steps(node):
            self._unreadable_name(symbol, node, "id", value, is_use=False)
            value = None
        self._name(symbol, node, "id", value)

    def _name(self, symbol: Symbol, node: Node, step: str, value: object, *, is_use: bool = False) -> None:
        """Add the name in a property. Rules that need all names are checked after the walk."""
        scope = self._scope_of[symbol]
        if not isinstance(value, str):
            scope.note_missing(is_use=is_use)
            return
        name = Name(scope, value, node, step, is_use)
        same_names = scope.add(name)
        if is_use:
            if symbol.dangling is not None:
                self.log.append(name)
            return
        if symbol.unused is not None:
            self.log.append(name)
        if symbol.duplicate is not None and len(same_names) > 1:
            wanted = self._scope_at(node, node.prop_of(step))
            self._report(DuplicateName(name, symbol.duplicate, wanted))

    def _definitions(self, parent: Node, values: list[object], start: int, kind: ListKind) -> None:
        """Add the names that the elements from an index define, up to the first element that lacks its name."""
        if kind.defines is None:
            return
        scope = self._scope_of[kind.defines]
        for index in range(start, len(values)):
            members = as_object(values[index])
            name = members.get("id")
            if not isinstance(name, str):
                scope.note_missing(is_use=False)
                return
            node = Node(members, kind.items, None, None, parent, index)
            scope.add(Name(scope, name, node, "id", is_use=False))

    def _lack(self, symbols: Iterable[tuple[Symbol, bool]]) -> None:
        for symbol, is_use in symbols:
            self._scope_of[symbol].note_missing(is_use=is_use)

    def _report(self, finding: Finding) -> None:
        """Add a finding to the log, unless the limit is reached."""
        if self._finding_count < self._limit:
            self.log.append(finding)
            self._finding_count += 1


def _resolved(log: list[Finding | Name]) -> Iterator[Finding]:
    """Yield the findings of a log; names that are dangling or unused become findings."""
    budget = SearchBudget()
    for entry in log:
        finding: Finding | None
        if isinstance(entry, Finding):
            finding = entry
        elif entry.is_use:
            finding = DanglingName.find(entry, budget)
        else:
            finding = UnusedName.find(entry)
        if finding is not None:
            yield finding


def _ordered(findings: Iterable[Finding], limit: int) -> list[Finding]:
    """Return the first `limit` findings. Those of one place, which are adjacent, are sorted by rule."""
    ordered: list[Finding] = []
    for _, group in groupby(findings, key=lambda finding: (finding.node, finding.step)):
        if len(ordered) >= limit:
            break
        ordered += sorted(group, key=lambda finding: _RULE_ORDER[finding.rule])
    return ordered[:limit]
