"""Fixes for diagnostics: changes of the text that remove one.

A fix is *safe* if it may be applied without review: it is the only plausible correction, and no content is lost. Other
fixes are *unsafe*, for a person to choose from. Only texts that `may_be_edited` have safe fixes: in another one, most
edits are wrong. Safe are, for example:

- a misspelt name: that of a property whose value fits, a type, an enum value (``get`` for ``GET``), or a reference to a
  page or column. Digits are not regarded as misspelt: ``page-9`` is not ``page-1``. Neither is another method or value:
  ``POST`` is not almost ``GET``;
- another system's word for a property whose value fits, but not for a type or an enum value;
- a missing literal: ``method``, the ``type`` of a binding, the ``type`` of a node that only one shape fits. Another
  literal of the object must not contradict it: a binding with ``POST`` and without ``type`` may be meant to write;
- a missing object without required properties (``meta``);
- a ``null`` that may be removed;
- a property beside the object that has the property of this name, such as a ``title`` beside ``meta``;
- an object that has all properties of an element, where a list is expected;
- an id that is not in kebab-case, together with its references, if the new one is free;
- the repeated ids of a copy that differs from its original (`rui_common.fixes.copies`);
- a short form in full (`rui_common.problems.short_forms`), and parameters of a request in its path;
- a path without its leading slash, a value path with the root of JSONPath (``$.``), white space around either;
- a navigation entry for a page that has none, unless some entry is dangling, as that may be meant for it; if there
  are no entries, one for each page;
- a superfluous or missing comma, a missing colon, surplus brackets at the end, a needless backslash, or a mark, word,
  space or quotes of another language with one possible meaning (`SyntaxFault.is_safe`);
- an ellipsis, and the prose or code fence around the only RUI of a text;
- JSON around the only RUI in it, the escapes of a text that is the content of a JSON string, and the quotes and
  escapes of JSON in a string where an object or array is expected.

No fix writes an example: what only the author knows is a placeholder (`Prop.placeholder`). A fix that loses text or
objects is never the first one. What is suggested is declared by the problems (`rui_common.problems`).
"""

from collections.abc import Iterable
from itertools import chain

from rui_common.editing.edits import remove_duplicate
from rui_common.fixes.apply import Fix, apply_suggestion, fixes_from
from rui_common.fixes.syntax_fixes import leaves_conflicts, new_document_fixes, syntax_fixes
from rui_common.json_values import as_object
from rui_common.problems.document import DUPLICATE_KEY
from rui_common.problems.finding import Finding, Lint
from rui_common.problems.meant import has_type, renames
from rui_common.problems.root import WrongRoot
from rui_common.suggest import squash
from rui_common.syntax.document import Document
from rui_common.syntax.errors import FaultKind, SyntaxFault
from rui_common.syntax.spans import Edit
from rui_common.validation.analysis import Analysis
from rui_common.validation.diagnostics import Diagnostic
from rui_common.vocabulary.schema import Kind

MAX_ELEMENTS = 20  # Elements of a list that are searched for properties. Bounds the time.


def may_be_edited(analysis: Analysis) -> bool:
    """Return whether safe fixes may change a text: it is or contains a RUI, or becomes one by renaming a key.

    Any other text may be a program, a log, or a document of another format. A key is renamed in JSON alone: a broken
    text without the keys of a RUI is not known to be one.
    """
    document = analysis.document
    if document.is_rui or escaped_document(document) is not None:
        return True
    about_root = [suggestion for finding in analysis.findings[:1] for suggestion in finding.about_root]
    if about_root or not document.valid:
        return any(suggestion.is_safe for suggestion in about_root)
    root = analysis.tree.root
    return any(
        rename.is_certain
        and rename.prop.name in analysis.vocabulary.identifying
        and _has_parts(root.members[rename.key], rename.prop.kind)
        for rename in renames(root)
    )


def escaped_document(document: Document) -> SyntaxFault | None:
    """Return the error of a text that is the content of a JSON string with a RUI; None for another text."""
    fault = next(iter(document.syntax), None)
    return fault if fault is not None and fault.kind is FaultKind.ESCAPED and fault.edits else None


def _has_parts(value: object, kind: Kind) -> bool:
    """Return whether a value, or one of its first elements, is an object with a property that `kind` expects there."""
    elements = value[:MAX_ELEMENTS] if isinstance(value, list) else [value]
    members = [member for element in elements for member in as_object(element).items()]
    props = [prop for shape in kind.inner_shapes for prop in shape.all_props]
    return any(prop.is_called(squash(key)) and has_type(inner, prop.kind) for key, inner in members for prop in props)


def find_fixes(analysis: Analysis, diagnostic: Diagnostic) -> list[Fix]:
    """Return all fixes for one diagnostic, the safe ones first; often there is none."""
    fixes = _find(analysis, diagnostic)
    document = analysis.document
    if any(fix.is_safe for fix in fixes) and not may_be_edited(analysis):
        fixes = [fix._replace(is_safe=False) for fix in fixes]
    if diagnostic.fault is None and document.conflicts:
        return [fix for fix in fixes if leaves_conflicts(document, fix)]
    return fixes


def _find(analysis: Analysis, diagnostic: Diagnostic) -> list[Fix]:
    if isinstance(diagnostic.finding, WrongRoot) and not diagnostic.finding.about_root:
        return new_document_fixes(analysis)
    if diagnostic.finding is not None:
        return fixes_of(analysis, diagnostic.finding)
    if diagnostic.code == DUPLICATE_KEY.code:
        edit = remove_duplicate(analysis.document, diagnostic.path, diagnostic.span)
        return fixes_from("Remove this duplicate", [edit])
    return syntax_fixes(analysis, diagnostic.fault)


def fixes_of(analysis: Analysis, finding: Finding) -> list[Fix]:
    """Return all fixes for one finding, the safe ones first."""
    member = analysis.document.find(finding.path)
    is_missing = member is not None and member.is_missing and not finding.about_root
    if is_missing or (isinstance(finding, Lint) and finding.path in analysis.overridden):
        return []
    suggestions = finding.about_root or chain(finding.suggestions(), finding.alternatives())
    return _in_order(fix for suggestion in suggestions for fix in apply_suggestion(analysis, suggestion))


def _in_order(fixes: Iterable[Fix]) -> list[Fix]:
    """Return the distinct fixes: safe ones, others, and those that discard content if not all do."""
    distinct: dict[tuple[Edit, ...], Fix] = {}
    for fix in fixes:
        distinct.setdefault(fix.edits, fix)
    ordered = sorted(distinct.values(), key=lambda fix: (fix.discards, not fix.is_safe))
    if ordered and ordered[0].discards:
        return []
    return ordered
