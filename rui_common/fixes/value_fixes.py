"""Fixes for values that a property does not allow: another allowed value, or the same content in another form."""

from __future__ import annotations

import json
from collections.abc import Iterator

from rui_common.editing.edits import remove_member
from rui_common.fixes.context import FixContext, choices, has_content, quote, use_value
from rui_common.fixes.model import Fix, fixes_from
from rui_common.fixes.name_fixes import fix_malformed_name
from rui_common.suggest import probably_meant
from rui_common.syntax.paths import Path
from rui_common.syntax.spans import Edit, Span
from rui_common.validation.findings import Finding
from rui_common.vocabulary.kinds import ListKind
from rui_common.vocabulary.schema import Kind, Prop


def fix_value(context: FixContext, fault: Finding) -> Iterator[Fix]:
    """Correct the value of a property, or remove it if it is optional."""
    prop = fault.prop
    if prop is None:
        return
    path = fault.path
    value = context.value(path)
    fixes: list[Fix] = []
    if prop.kind.values:
        fixes = [*_choices(context, path, prop.kind.values)]
    elif prop.defines is not None and isinstance(value, str):
        fixes = fix_malformed_name(context, fault, prop, prop.defines, value)
    elif value is not None:
        fixes = _corrections(context, path, prop, value) or [*_conversions(context, path, prop.kind)]
    yield from fixes
    if not prop.required:
        removal = [remove_member(context.document, path)]
        title = f"Remove {quote(prop.name)}"
        yield from fixes_from(title, removal, is_safe=value is None, discards=has_content(value))
    elif not fixes and not has_content(value) and not prop.kind.accepts(value):
        new = context.generator_at(path[:-1]).missing_value(prop, context.kind_at(path[:-1]))
        yield from use_value(context, path, new)


def _choices(context: FixContext, path: Path, allowed: tuple[str, ...]) -> Iterator[Fix]:
    """The allowed values in place of a scalar. Only one that it is a misspelling of, or a number for, is safe."""
    value = context.value(path)
    if value is not None and not isinstance(value, dict | list):
        text = str(value)
        meant = probably_meant(text, allowed)
        if text in allowed:
            meant = text
        yield from choices(context, path, allowed, meant)


def _corrections(context: FixContext, path: Path, prop: Prop, value: object) -> list[Fix]:
    """Replace a malformed value by the certain correction, else propose each possible one."""
    corrections = list(prop.kind.corrections(value, prop.example))
    for new, is_certain in corrections:
        if is_certain:
            return use_value(context, path, new, is_safe=True)
    possible = dict.fromkeys(new for new, _ in corrections)
    return [fix for new in possible for fix in use_value(context, path, new)]


# Other types ----------------------------------------------------------------------------------------------------------


def _conversions(context: FixContext, path: Path, kind: Kind) -> Iterator[Fix]:
    """The fixes that keep the content of a value and change its type."""
    member = context.document.find(path)
    if member is None or member.span is None:
        return
    value = context.value(path)
    source = context.document.text[member.start : member.end]
    coerced = kind.coerce(value, source)
    if coerced is not None:
        text = json.dumps(coerced, ensure_ascii=False)
        yield from fixes_from(f"Convert to {kind.word}: {text}", [Edit(member.span, text)])
    elif isinstance(kind, ListKind) and isinstance(value, dict):
        shapes = [shape for shape in kind.inner_shapes if not value.keys().isdisjoint(shape.props)]
        is_complete = any(value.keys() >= {*shape.required} for shape in shapes)
        edits = [Edit(Span(member.start, member.start), "["), Edit(Span(member.end, member.end), "]")]
        if shapes:  # It has a property that elements have, so it may be meant as the only element.
            yield from fixes_from("Wrap in an array", edits, is_safe=is_complete)
