"""Fixes for values that a property does not allow, or that are doubtful: another value, or another form of it."""

import json
from collections.abc import Iterator

from rui_common.editing.edits import remove_member
from rui_common.editing.generate import ValueGenerator
from rui_common.fixes.model import Fix, choices, fixes_from, quote, use_value
from rui_common.fixes.name_fixes import fix_malformed_name, remove_element, rename_definition
from rui_common.fixes.property_fixes import rename_property
from rui_common.syntax.paths import Path
from rui_common.syntax.spans import Edit, Span
from rui_common.validation.analysis import Analysis
from rui_common.validation.findings import Finding
from rui_common.validation.lints import Lint
from rui_common.validation.meant import Meant, holds_content, meant_by
from rui_common.vocabulary.kinds import ListKind
from rui_common.vocabulary.problems import Problem
from rui_common.vocabulary.rules import HOST_IN_PATH, KEY_PATH, NOT_SHOWN, PATH_CHARACTER, UNKNOWN_VALUE
from rui_common.vocabulary.schema import Kind, Prop


def fix_value(analysis: Analysis, finding: Finding) -> Iterator[Fix]:
    """Correct the value of a property, or remove it if it is optional; remove an element of a wrong type."""
    if isinstance(finding.step, int):
        yield from remove_element(analysis, finding.path)
        return
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
        new = ValueGenerator(analysis, finding.node).missing_value(prop, finding.node.kind)
        yield from use_value(analysis, path, new)


def _choices(analysis: Analysis, finding: Finding, allowed: tuple[str, ...]) -> Iterator[Fix]:
    """Yield the allowed values in place of a scalar. Only one that it is a misspelling of, or a number for, is safe."""
    value = finding.got
    if value is None or isinstance(value, dict | list):
        return
    meant = Meant(str(value)) if str(value) in allowed else meant_by(finding)
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


def _conversions(analysis: Analysis, path: Path, value: object, kind: Kind) -> Iterator[Fix]:
    """Yield the fixes that keep the content of a value and change its type."""
    span = analysis.document.span_of(path)
    if span is None:
        return
    source = analysis.document.text[span.start : span.end]
    coerced = kind.coerce(value, source)
    if coerced is not None:
        text = json.dumps(coerced)
        yield from fixes_from(f"Convert to {kind.word}: {text}", [Edit(span, text)])
    elif isinstance(kind, ListKind) and isinstance(value, dict):
        shapes = [shape for shape in kind.inner_shapes if not value.keys().isdisjoint(shape.props)]
        is_complete = any(value.keys() >= {*shape.required} for shape in shapes)
        edits = [Edit(Span(span.start, span.start), "["), Edit(Span(span.end, span.end), "]")]
        if shapes:  # It has a property that elements have, so it may be meant as the only element.
            yield from fixes_from("Wrap in an array", edits, is_safe=is_complete)


def fix_lint(analysis: Analysis, lint: Lint) -> Iterator[Fix]:
    """Yield the fixes of a doubtful value; none for one that only the author can correct."""
    path = lint.path
    if path in analysis.overridden:
        return
    if lint.code == NOT_SHOWN:  # a further property, which means a suggested one
        yield from rename_property(analysis, path, lint.meant, is_safe=lint.is_certain)
    elif lint.code == UNKNOWN_VALUE:
        values = () if lint.prop is None else lint.prop.kind.values
        meant = Meant(lint.meant, is_certain=lint.is_certain) if lint.meant else None
        yield from choices(analysis, path, values, meant)
    elif lint.code in {HOST_IN_PATH, PATH_CHARACTER, KEY_PATH} and lint.meant:
        if lint.prop is not None and lint.prop.defines is not None:
            yield from rename_definition(analysis, path, lint.meant, is_safe=lint.is_certain)
        else:
            yield from use_value(analysis, path, lint.meant, is_safe=lint.is_certain)
