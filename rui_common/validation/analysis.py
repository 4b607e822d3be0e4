"""Everything that is known about one text; the features of all surfaces read it here."""

from __future__ import annotations

import sys
from functools import cached_property

from rui_common.json_values import JsonObject
from rui_common.nodes.names import Names
from rui_common.nodes.node import Node, NodeTree
from rui_common.problems.finding import Finding
from rui_common.problems.root import WrongRoot, wrong_text
from rui_common.problems.texts import may_have_lost_characters
from rui_common.syntax.document import Document
from rui_common.syntax.paths import Path, value_at
from rui_common.validation.diagnostics import Diagnostic, diagnose
from rui_common.validation.validator import ValidationResult, validate_document
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_common.vocabulary.schema import Kind, Prop, Vocabulary


def validate(value: JsonObject, vocabulary: Vocabulary = VOCABULARY, *, limit: int = sys.maxsize) -> ValidationResult:
    """Validate a value that was not read from a text here; with at most `limit` findings."""
    return validate_document(value, vocabulary, limit=limit)


class Analysis:
    """The analysis of one text. Each part is computed once, on first use. Use it in the thread of its document.

    `diagnostics` have at most `limit` findings.
    """

    def __init__(self, document: Document, vocabulary: Vocabulary = VOCABULARY, *, limit: int = sys.maxsize) -> None:
        self.document = document
        self.vocabulary = vocabulary
        self._limit = limit

    def of(self, document: Document) -> Analysis:
        return Analysis(document, self.vocabulary, limit=self._limit)

    @cached_property
    def validation(self) -> ValidationResult:
        """What one walk over the value finds. Of a document whose root is no object, only that."""
        value = self.document.value
        finding: Finding | None = None
        if not self.document.valid:
            finding = wrong_text(self.document, self.document.syntax, self.vocabulary)
        elif not isinstance(value, dict):
            finding = WrongRoot(value, self.vocabulary)
        if finding is not None or not isinstance(value, dict):
            empty = validate_document({}, self.vocabulary, limit=0)
            return empty._replace(findings=[] if finding is None else [finding])
        incomplete = self.document.incomplete
        partial = frozenset(path for path in incomplete if isinstance(value_at(value, path), dict | list))
        return validate_document(
            value,
            self.vocabulary,
            partial=partial,
            unreadable=incomplete - partial,
            # In a text that is lossy, the error of its encoding says so.
            may_have_lost_characters=not self.document.is_lossy and may_have_lost_characters(self.document.text),
        )

    @property
    def tree(self) -> NodeTree:
        """The nodes. The root is an empty object if the document has no object as its root."""
        return self.validation.tree

    @property
    def findings(self) -> list[Finding]:
        """Every independent violation of a rule, in canonical order."""
        return self.validation.findings

    @cached_property
    def names(self) -> Names:
        return Names(self.validation.scopes)

    @cached_property
    def diagnostics(self) -> list[Diagnostic]:
        """All errors and warnings that depend on the text alone."""
        return diagnose(self.document, self.findings[: self._limit], self.validation.lints)

    @cached_property
    def overridden(self) -> frozenset[Path]:
        """The paths of properties that occur several times in their object."""
        return frozenset(repeated.path for repeated in self.document.duplicate_keys())

    def nearest(self, path: Path) -> Node:
        """Return the innermost object or array around, or at, a path."""
        node = self.tree.root
        for step in path:
            child = self.tree.child(node, step)
            if child is None:
                return node
            node = child
        return node

    def prop(self, path: Path) -> Prop | None:
        """Return the declaration of the property at a path, which may be absent."""
        node = self.tree.at(path[:-1])
        if node is None or not path:
            return None
        return node.prop_of(path[-1])

    def kind(self, path: Path) -> Kind | None:
        """Return the kind of value that is declared for a path; None without a declaration."""
        if not path:
            return self.tree.root.kind
        node = self.tree.at(path[:-1])
        if node is None:
            return None
        return node.kind_of(path[-1])
