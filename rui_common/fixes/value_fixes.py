"""Fixes for values that a property does not allow: another allowed value, or the same content in another form."""

from __future__ import annotations

import json
from collections.abc import Iterator

from rui_common.editing.edits import remove_member
from rui_common.fixes.context import choices, generator_at, quote, use_value
from rui_common.fixes.model import Fix, fixes_from
from rui_common.fixes.name_fixes import fix_malformed_name
from rui_common.syntax.paths import Path
from rui_common.syntax.spans import Edit, Span
from rui_common.validation.analysis import Analysis
from rui_common.validation.findings import Finding
from rui_common.validation.meant import Meant, holds_content, meant_by
from rui_common.vocabulary.kinds import ListKind
from rui_common.vocabulary.problems import Problem
from rui_common.vocabulary.schema import Kind, Prop


def fix_value(analysis: Analysis, finding: Finding) -> Iterator[Fix]:
    """Correct the value of a property, or remove it if it is optional."""
    prop = finding.prop
    if prop is None:
        return
    path = finding.path
    value = finding.got
    fixes: list[Fix] = []
    if prop.kind.values:
        fixes = [*_choices(analysis, finding, prop.kind.values)]
    elif prop.defines is not None and isinstance(value, str):
        fixes = fix_malformed_name(analysis, finding, prop, prop.defines, value)
    elif value is not None:
        fixes = _corrections(analysis, finding, prop) or [*_conversions(analysis, path, value, prop.kind)]
    yield from fixes
    if not prop.required:
        removal = [remove_member(analysis.document, path)]
        title = f"Remove {quote(prop.name)}"
        yield from fixes_from(title, removal, is_safe=value is None, discards=holds_content(value))
    elif not fixes and not holds_content(value):
        new = generator_at(analysis, finding.node).missing_value(prop, finding.node.kind)
        yield from use_value(analysis, path, new)


def _choices(analysis: Analysis, finding: Finding, allowed: tuple[str, ...]) -> Iterator[Fix]:
    """Yield the allowed values in place of a scalar. Only one that it is a misspelling of, or a number for, is safe."""
    value = finding.got
    if value is None or isinstance(value, dict | list):
        return
    meant = meant_by(finding)
    if str(value) in allowed:
        meant = Meant(str(value))
    yield from choices(analysis, finding.path, allowed, meant)


def _corrections(analysis: Analysis, finding: Finding, prop: Prop) -> list[Fix]:
    """Replace a malformed value by the certain correction, else propose each possible one."""
    meant = meant_by(finding)
    if meant is not None:
        return use_value(analysis, finding.path, meant.text, is_safe=meant.is_certain, is_likely=True)
    if finding.problem is not Problem.MALFORMED:
        return []
    possible = dict.fromkeys(new for new, _ in prop.kind.corrections(finding.got, prop.example))
    return [fix for new in possible for fix in use_value(analysis, finding.path, new)]


# Other types ----------------------------------------------------------------------------------------------------------


def _conversions(analysis: Analysis, path: Path, value: object, kind: Kind) -> Iterator[Fix]:
    """Yield the fixes that keep the content of a value and change its type."""
    span = analysis.document.span_of(path)
    if span is None:
        return
    source = analysis.document.text[span.start : span.end]
    coerced = kind.coerce(value, source)
    if coerced is not None:
        text = json.dumps(coerced, ensure_ascii=False)
        yield from fixes_from(f"Convert to {kind.word}: {text}", [Edit(span, text)])
    elif isinstance(kind, ListKind) and isinstance(value, dict):
        shapes = [shape for shape in kind.inner_shapes if not value.keys().isdisjoint(shape.props)]
        is_complete = any(value.keys() >= {*shape.required} for shape in shapes)
        edits = [Edit(Span(span.start, span.start), "["), Edit(Span(span.end, span.end), "]")]
        if shapes:  # It has a property that elements have, so it may be meant as the only element.
            yield from fixes_from("Wrap in an array", edits, is_safe=is_complete)
