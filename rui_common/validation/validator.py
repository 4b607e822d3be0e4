"""Validate a value against the vocabulary: one walk over the declarations, and one table of names.

This module does not refer to particular shapes. Findings come in canonical order: the properties of a shape as
declared, then unknown properties by code point (docs/decisions.md, section 3).
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import NamedTuple

from rui_common.syntax.paths import Path
from rui_common.validation.findings import ABSENT, Finding
from rui_common.validation.names import Name, NameTable, Scope, symbols_in, symbols_of
from rui_common.vocabulary.kinds import ListKind, NodeKind, ObjectKind
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_common.vocabulary.rules import ABSENT_TYPE, PLANNED, RULES, UNKNOWN_PROP, UNREGISTERED_TYPE
from rui_common.vocabulary.schema import Kind, Prop, Shape, Symbol, Vocabulary

Scopes = dict[Symbol, Scope]
"""The scope of each symbol around a value."""

NONE_INCOMPLETE: frozenset[Path] = frozenset()

_RULE_ORDER = {number: index for index, number in enumerate(RULES)}


class Validation(NamedTuple):
    """The findings and the names of a document.

    Attributes:
        findings: every independent violation in canonical order, at most one for a path and code.
        names: the names.
    """

    findings: list[Finding]
    names: NameTable


def validate(
    value: dict[str, object],
    *,
    incomplete: frozenset[Path] = NONE_INCOMPLETE,
    vocabulary: Vocabulary = VOCABULARY,
    limit: int = sys.maxsize,
) -> list[Finding]:
    """Validate a whole document (specification, section 7.2; docs/decisions.md, sections 2 and 3).

    Args:
        value: the root object.
        incomplete: paths of the objects and arrays of a broken text in which something may be missing, to which the
            rules about absence do not apply; and of scalars with syntax errors, which are not validated.
        vocabulary: the vocabulary of the document.
        limit: maximum number of findings.

    Returns:
        Every independent violation, in canonical order, at most one for a path and code; the first `limit` of them.
    """
    return analyze(value, incomplete=incomplete, vocabulary=vocabulary, limit=limit).findings


def analyze(
    value: dict[str, object],
    *,
    incomplete: frozenset[Path] = NONE_INCOMPLETE,
    vocabulary: Vocabulary = VOCABULARY,
    limit: int = sys.maxsize,
) -> Validation:
    """Validate a whole document and return its names, too: all of them if it has less than `limit` findings.

    The arguments are those of `validate`.
    """
    return _Walk(vocabulary, incomplete, limit).document(value)


def names_of(value: object, vocabulary: Vocabulary = VOCABULARY) -> NameTable:
    """Return the names of a document, valid or not."""
    if not isinstance(value, dict):
        return NameTable()
    return analyze(value, vocabulary=vocabulary).names


def _canonical_order(placed: tuple[int, Finding]) -> tuple[int, int]:
    place, finding = placed
    return place, _RULE_ORDER[finding.rule]


class _Walk:
    """Walks a document once and gathers findings and names.

    Args:
        vocabulary: the registered and planned types.
        incomplete: see `validate`.
        limit: maximum number of findings. As the walk has canonical order, it skips the rest of each list then, except
            definitions of names that were used before.

    Attributes:
        findings: the findings, each with its place in canonical order.
        names: the names.
    """

    def __init__(self, vocabulary: Vocabulary, incomplete: frozenset[Path], limit: int) -> None:
        self.findings: list[tuple[int, Finding]] = []
        self.names = NameTable()
        self._vocabulary = vocabulary
        self._incomplete = incomplete
        self._around_syntax_errors = {path[:-1] for path in incomplete}
        self._limit = limit
        self._place = 0

    def document(self, value: dict[str, object]) -> Validation:
        """Validate the root object."""
        scopes = {symbol: Scope(symbol, ()) for symbol in self._vocabulary.symbols}
        self.properties(value, self._vocabulary.root, (), scopes)
        placed = [*self.findings, *self.names.findings(self._limit)]
        placed.sort(key=_canonical_order)
        return Validation([finding for _, finding in placed[: self._limit]], self.names)

    def properties(
        self, value: dict[str, object], shape: Shape, path: Path, scopes: Scopes, type_finding: Finding | None = None
    ) -> None:
        """Validate an object of a known shape.

        Args:
            value, shape, path, scopes: the object, its shape, its path and the scopes around it.
            type_finding: the finding about the ``type`` of a node, if that is not the name of `shape`.
        """
        planned = shape.planned_type(value) if shape.planned_types else None
        if planned is not None:
            self._report(Finding(path, PLANNED, got=planned, shape=shape))
            return
        if shape.scope:
            scopes = {**scopes, **{symbol: Scope(symbol, path) for symbol in shape.scope}}
        may_skip = type_finding is None and path not in self._around_syntax_errors
        for name, prop in shape.props.items():
            self._place += 1
            if may_skip and prop.is_plain and name in value and prop.kind.accepts(value[name]):
                continue  # Most properties end here: their paths are not needed.
            if type_finding is not None and name == "type":
                self._report(type_finding)
            elif name in value:
                self._property(value[name], shape, prop, (*path, name), scopes)
            elif prop.required:
                self._absent(value, shape, prop, path, scopes)
        if not shape.open and not value.keys() <= shape.props.keys():
            self._unknown_properties(value, shape, path)

    def _property(self, value: object, shape: Shape, prop: Prop, path: Path, scopes: Scopes) -> None:
        if self._has_syntax_error(value, path):
            self._may_lack(symbols_of(prop), scopes)
            return
        if prop.defines is not None:
            self._name(value, prop.defines, scopes, path, shape, prop)
        if prop.uses is not None:
            self._name(value, prop.uses, scopes, path, shape, prop, is_use=True)
        if not prop.is_scalar or not prop.kind.accepts(value):
            self._value(value, prop.kind, path, scopes, shape, prop)

    def _absent(self, around: dict[str, object], shape: Shape, prop: Prop, path: Path, scopes: Scopes) -> None:
        self._may_lack(symbols_of(prop), scopes)
        if path not in self._incomplete:
            inner_path = (*path, prop.name)
            self._report(Finding(inner_path, prop.missing, shape=shape, prop=prop, kind=prop.kind, around=around))

    def _unknown_properties(self, value: dict[str, object], shape: Shape, path: Path) -> None:
        absent = tuple(name for name in shape.props if name not in value)
        for name in sorted(value.keys() - shape.props.keys()):
            self._place += 1
            self._report(Finding((*path, name), UNKNOWN_PROP, got=value[name], allowed=absent, shape=shape))

    def _value(
        self, value: object, kind: Kind, path: Path, scopes: Scopes, shape: Shape | None, prop: Prop | None
    ) -> None:
        """Validate the value of a property, or an element of a list, whose `shape` and `prop` are None."""
        if isinstance(kind, ObjectKind) and isinstance(value, dict):
            self.properties(value, kind.shape, path, scopes)
        elif isinstance(kind, NodeKind) and isinstance(value, dict):
            self._node(value, kind, path, scopes)
        elif isinstance(kind, ListKind) and isinstance(value, list):
            self._list(value, kind, path, scopes, shape, prop)
        else:
            self._violation(value, kind, path, scopes, shape, prop)

    def _violation(
        self, value: object, kind: Kind, path: Path, scopes: Scopes, shape: Shape | None, prop: Prop | None
    ) -> None:
        """Report a value that its kind does not allow."""
        violation = kind.violation(value)
        if violation is None:
            return
        self._may_lack(symbols_in(kind), scopes)
        finding = Finding(
            path, violation.rule,
            got=value, allowed=violation.values, expected=violation.expected, shape=shape, prop=prop, kind=kind,
        )  # fmt: skip
        self._report(finding)

    def _list(
        self, values: list[object], kind: ListKind, path: Path, scopes: Scopes, shape: Shape | None, prop: Prop | None
    ) -> None:
        if not values or path in self._incomplete:
            self._may_lack(symbols_in(kind), scopes)
        if not values and path not in self._incomplete:
            self._report(Finding(path, kind.empty, got=values, shape=shape, prop=prop, kind=kind))
        for index, value in enumerate(values):
            if len(self.findings) >= self._limit:
                self._definitions(values, index, kind, path, scopes)
                return
            self._place += 1
            inner_path = (*path, index)
            if self._has_syntax_error(value, inner_path):
                self._may_lack(symbols_in(kind.items), scopes)
            else:
                self._value(value, kind.items, inner_path, scopes, None, None)

    # Nodes

    def _node(self, node: dict[str, object], kind: NodeKind, path: Path, scopes: Scopes) -> None:
        """Validate a node (docs/decisions.md, section 2, cases 2 to 5)."""
        type_path = (*path, "type")
        node_type = node.get("type", ABSENT)
        shape = None
        if isinstance(node_type, str) and type_path not in self._incomplete:
            shape = self._vocabulary.nodes.get(node_type)
        if shape is None:
            self._untyped_node(node, node_type, kind, path, scopes)
            return
        self._element_name(node, kind, path, scopes, shape)
        type_finding = None
        if node_type not in kind.types:
            rule = kind.nested.get(shape.name, kind.child)
            finding = Finding(path, rule, got=node_type, allowed=tuple(kind.types), kind=kind)
            if kind.at_type:
                type_finding = finding._replace(path=type_path)
            else:
                self._report(finding)
        self.properties(node, shape, path, scopes, type_finding)

    def _untyped_node(
        self, node: dict[str, object], node_type: object, kind: NodeKind, path: Path, scopes: Scopes
    ) -> None:
        """Validate a node whose type is absent, planned, unknown, or has a syntax error."""
        if isinstance(node_type, str) and node_type in self._vocabulary.planned:
            self._element_name(node, kind, path, scopes, None)
            self._report(Finding(path, PLANNED, got=node_type, kind=kind))
            self._identity(node, path, scopes)
            return
        finding = self._type_finding(node_type, kind, path)
        shape = kind.shape_by_properties(node)
        self._element_name(node, kind, path, scopes, shape)
        if shape is not None:
            self.properties(node, shape, path, scopes, finding)
            return
        self._identity(node, path, scopes)
        self._place += 1
        if finding is not None:
            self._report(finding)

    def _type_finding(self, node_type: object, kind: NodeKind, path: Path) -> Finding | None:
        """Return the finding about a type that is absent or unknown; None if it may be lost by a syntax error."""
        type_path = (*path, "type")
        if type_path in self._incomplete:
            return None
        allowed = tuple(kind.types)
        if node_type is not ABSENT:
            return Finding(type_path, UNREGISTERED_TYPE, got=node_type, allowed=allowed, kind=kind)
        if path in self._incomplete:
            return None
        return Finding(type_path, ABSENT_TYPE, allowed=allowed, kind=kind)

    # Names

    def _element_name(
        self, node: dict[str, object], kind: NodeKind, path: Path, scopes: Scopes, shape: Shape | None
    ) -> None:
        """Add the name that an element of a list of nodes has regardless of its type: a page, for example."""
        if kind.defines is None:
            return
        id_path = (*path, "id")
        prop = None if shape is None else shape.props.get("id")
        value = node.get("id")
        if self._has_syntax_error(value, id_path):
            value = None
        # The place of the `id`, which is the first property.
        self._place += 1
        self._name(value, kind.defines, scopes, id_path, shape, prop)
        self._place -= 1

    def _definitions(self, values: list[object], start: int, kind: ListKind, path: Path, scopes: Scopes) -> None:
        """Add the names that the elements from an index define, up to the first element that lacks its name."""
        if kind.defines is None:
            return
        self._place += 1
        for index in range(start, len(values)):
            element = values[index]
            name = element.get("id") if isinstance(element, dict) else None
            self._name(name, kind.defines, scopes, (*path, index, "id"))
            if not isinstance(name, str):
                return

    def _identity(self, node: dict[str, object], path: Path, scopes: Scopes) -> None:
        """Add the id of a node that is not read: it counts for uniqueness."""
        symbol = self._vocabulary.node_symbol
        self._place += 1
        if symbol is not None:
            self._name(node.get("id"), symbol, scopes, (*path, "id"))

    def _name(
        self,
        value: object,
        symbol: Symbol,
        scopes: Scopes,
        path: Path,
        shape: Shape | None = None,
        prop: Prop | None = None,
        *,
        is_use: bool = False,
    ) -> None:
        if isinstance(value, str):
            self.names.add(Name(scopes[symbol], value, path, is_use, self._place, shape, prop))
        else:
            self._may_lack([(symbol, is_use)], scopes)

    def _may_lack(self, symbols: Iterable[tuple[Symbol, bool]], scopes: Scopes) -> None:
        """Note that definitions or uses may be missing: rules about them would only repeat another fault."""
        for symbol, is_use in symbols:
            names = self.names.within(scopes[symbol])
            if is_use:
                names.has_all_uses = False
            else:
                names.has_all_definitions = False

    def _has_syntax_error(self, value: object, path: Path) -> bool:
        """Return whether a scalar has a syntax error, so that its value is unknown."""
        return bool(self._incomplete) and not isinstance(value, dict | list) and path in self._incomplete

    def _report(self, finding: Finding) -> None:
        if len(self.findings) < self._limit:
            self.findings.append((self._place, finding))
