"""Fixes for diagnostics: changes of the text that remove one.

A fix is *safe* if it may be applied without review: it is the only plausible correction, and no content is lost. Other
fixes are *unsafe*, for a person to choose from. Safe are:

- a misspelt name, or another word for it: a property whose value fits, a type, an enum value, ``get`` for ``GET``, a
  reference to a page or column. Digits are not regarded as misspelt: ``page-9`` is not ``page-1``. Neither is another
  method or value: ``POST`` is not almost ``GET``;
- a missing literal (``method``, the ``type`` of a binding, the ``type`` of a node that only one shape fits), unless
  another literal of the object contradicts it: a binding with ``POST`` and without ``type`` may be meant to write;
- a missing object without required properties (``meta``);
- a ``null`` that may be removed;
- an object that has all properties of an element, where a list is expected;
- an id that is not in kebab-case, together with its references, if the new one is free;
- a path without its leading slash, a value path with the root of JSONPath (``$.``), white space around either;
- a navigation entry for a page that has none, unless some entry is dangling, as that may be meant for it;
- a superfluous or missing comma, a missing colon, or a mark, word, space or quotes of another language that can mean
  nothing else (`SyntaxFault.is_safe`);
- an ellipsis, and the prose or code fence around a document.

No fix writes an example: what only the author knows is a placeholder (`Prop.placeholder`). A fix that loses text or
objects is never the first one. All fixes are derived from the declarations; no shape, property or rule is named here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from rui_common.editing.edits import insert_properties, remove_duplicate, remove_member
from rui_common.fixes.context import FixContext, quote, use_value
from rui_common.fixes.model import MAX_FIXES, Fix, fixes_from
from rui_common.fixes.name_fixes import broken_name, fix_broken_name, rename_definition
from rui_common.fixes.node_fixes import fix_element, fix_empty_list, fix_type
from rui_common.fixes.property_fixes import fix_absent_property, fix_unknown_property, name_label
from rui_common.fixes.syntax_fixes import syntax_fixes
from rui_common.fixes.value_fixes import fix_value
from rui_common.syntax.document import Document
from rui_common.syntax.spans import Edit
from rui_common.syntax.tree import UNKNOWN
from rui_common.validation.diagnostics import Diagnostic, Proposal
from rui_common.validation.findings import Finding
from rui_common.vocabulary.kinds import ListKind, NodeKind
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_common.vocabulary.rules import DUPLICATE_KEY, UNKNOWN_PROP, UNNAMED_LABEL
from rui_common.vocabulary.schema import Vocabulary


class FixFinder:
    """Finds fixes for the diagnostics of one document; lookups are shared between them."""

    def __init__(self, document: Document, vocabulary: Vocabulary = VOCABULARY) -> None:
        self._document = document
        self._context = FixContext(document, vocabulary)

    def find(self, diagnostic: Diagnostic) -> list[Fix]:
        """All fixes for one diagnostic, the safe ones first; often there is none.

        Args:
            diagnostic: one of the document, from `rui_common.validation.diagnostics.diagnose`.
        """
        if diagnostic.finding is not None:
            return self.find_for(diagnostic.finding)
        if diagnostic.proposals:
            return _in_order(self._propose(diagnostic.proposals))
        if diagnostic.code == DUPLICATE_KEY:
            removal = remove_duplicate(self._document, diagnostic.path, diagnostic.span)
            return fixes_from("Remove this duplicate", [removal])
        if diagnostic.code == UNNAMED_LABEL:
            return name_label(self._context, diagnostic.path)
        if diagnostic.path:
            return []
        return syntax_fixes(self._document, diagnostic.fault)

    def find_for(self, finding: Finding) -> list[Fix]:
        """All fixes for one finding, the safe ones first."""
        return _in_order(self._fix_finding(finding))

    def _fix_finding(self, finding: Finding) -> Iterator[Fix]:
        context = self._context
        path = finding.path
        around = context.kind_at(path[:-1])
        member = self._document.find(path)
        name = broken_name(context, finding)
        if finding.rule == UNKNOWN_PROP:
            yield from fix_unknown_property(context, finding)
        elif path[-1] == "type" and isinstance(around, NodeKind):
            yield from fix_type(context, finding, around)
        elif member is None:
            yield from fix_absent_property(context, finding)
        elif member.start == UNKNOWN:
            return
        elif name is not None:
            yield from fix_broken_name(context, finding, name)
        elif isinstance(finding.kind, ListKind) and context.value(path) == []:
            yield from fix_empty_list(context, path, finding.kind)
        elif isinstance(path[-1], int) and finding.kind is not None:
            yield from fix_element(context, path, finding.kind)
        else:
            yield from fix_value(context, finding)

    def _propose(self, proposals: Sequence[Proposal]) -> Iterable[Fix]:
        """The first proposals that can be applied; the only one is safe."""
        is_only = len(proposals) == 1
        return islice((fix for proposal in proposals for fix in self._apply(proposal, is_only=is_only)), MAX_FIXES)

    def _apply(self, proposal: Proposal, *, is_only: bool) -> list[Fix]:
        path, value = proposal
        location = self._context.location(path)
        if value is None:
            return fixes_from(f"Remove {quote(path[-1])}", [remove_member(self._document, path)], is_safe=is_only)
        if self._document.find(path) is None:
            order = [] if location is None or location.shape is None else [*location.shape.props]
            edits = insert_properties(self._document, path[:-1], {str(path[-1]): value}, order)
            return fixes_from(f"Add {quote(path[-1])}: {quote(value)}", edits, is_safe=is_only)
        if location is not None and location.prop is not None and location.prop.defines is not None:
            return rename_definition(self._context, path, value, is_safe=is_only)
        return use_value(self._context, path, value, is_safe=is_only)


def _in_order(fixes: Iterable[Fix]) -> list[Fix]:
    """The distinct fixes: the safe ones first, those that discard content last, and none if these are all."""
    distinct: dict[tuple[Edit, ...], Fix] = {}
    for fix in fixes:
        distinct.setdefault(fix.edits, fix)
    ordered = sorted(distinct.values(), key=lambda fix: (fix.discards, not fix.is_safe))
    if ordered and ordered[0].discards:
        return []
    return ordered
