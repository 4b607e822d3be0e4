"""Fixes for values of the wrong type: a number as a string, a string as the object that contains it."""

from __future__ import annotations

import json

from rui_common.editing.edits import Edit, format_json, indent_at, indent_unit, line_end_of
from rui_common.fixes.model import Fix
from rui_common.syntax.paths import value_at
from rui_common.syntax.spans import Span
from rui_common.vocabulary.kinds import ListKind, NodeKind, ObjectKind

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rui_common.editing.generate import Json, NamesInUse, ValueGenerator
    from rui_common.syntax.document import Document
    from rui_common.syntax.paths import Path
    from rui_common.vocabulary.schema import Kind, Prop, Shape

    Conversion = tuple[str, Edit, Json | None, Shape]


def coercions(document: Document, path: Path, kind: Kind) -> Iterator[Fix]:
    """The unsafe fixes that keep the value of a property and change its type."""
    member = document.find(path)
    if member is None or member.span is None:
        return
    value = value_at(document.value, path)
    source = document.text[member.start : member.end]
    coerced = kind.coerce(value, source)
    if coerced is not None:
        text = json.dumps(coerced, ensure_ascii=False)
        yield Fix(f"Convert to {kind.word}: {text}", (Edit(member.span, text),), False)
    elif isinstance(value, list) and len(value) == 1 and _is_possible(value[0], kind):
        element = document.members(path)[0]
        edits = (Edit(Span(member.start, element.start), ""), Edit(Span(element.end, member.end), ""))
        yield Fix("Remove the array around it", edits, False)
    elif isinstance(kind, ListKind) and isinstance(value, dict):
        start = Span(member.start, member.start)
        end = Span(member.end, member.end)
        yield Fix("Wrap in an array", (Edit(start, "["), Edit(end, "]")), False)


def _is_possible(value: object, kind: Kind) -> bool:
    if isinstance(kind, ObjectKind):
        return isinstance(value, dict) and value.keys() >= set(kind.shape.required)
    return not isinstance(kind, ListKind | NodeKind) and kind.accepts(value)


def element_conversions(
    document: Document, path: Path, shapes: Sequence[Shape], names: NamesInUse
) -> Iterator[Conversion]:
    """Replacements for an element that should be an object.

    Yields:
        The title, the edit, the new object (None for elements of an array), and its shape.
    """
    member = document.find(path)
    if member is None or member.span is None:
        return
    text = document.text
    value = value_at(document.value, path)
    if isinstance(value, list) and value and all(isinstance(element, dict) for element in value):
        elements = document.members(path)
        edit = Edit(member.span, text[elements[0].start : elements[-1].end])
        yield "Replace the array by its elements", edit, None, shapes[0]
    if isinstance(value, str):
        for shape in shapes:
            prop_name = _sole_text_prop(shape, value, names.generator_at(path[:-1]))
            if prop_name is not None:
                new = names.generator_at(path[:-1]).new_object(shape, None, {prop_name: value})
                yield f"Wrap in a {shape.name}", _replacement(text, member.span, new), new, shape
    for shape in shapes:
        new = names.generator_at(path[:-1]).new_object(shape)
        yield f"Replace by a {shape.name}", _replacement(text, member.span, new), new, shape


def _sole_text_prop(shape: Shape, value: str, generator: ValueGenerator) -> str | None:
    """The only property of a shape that an author must write as free text, if `value` is possible there."""
    required = [prop for prop in shape.props.values() if prop.required]
    texts = [prop for prop in required if prop.kind.is_free_text]
    if len(texts) != 1 or not all(prop is texts[0] or _has_default(prop) for prop in required):
        return None
    prop = texts[0]
    is_dangling = prop.uses is not None and not generator.is_defined(prop.uses, value)
    if is_dangling or not generator.is_free(prop.defines, value):
        return None
    return prop.name


def _has_default(prop: Prop) -> bool:
    """Whether a property is an id or a literal, so that it can be generated."""
    return prop.defines is not None or len(prop.kind.values) == 1


def _replacement(text: str, span: Span, value: object) -> Edit:
    line_end = line_end_of(text)
    if not line_end:
        return Edit(span, format_json(value, line_end="", unit=""))
    indent = indent_at(text, span.start)
    return Edit(span, format_json(value, indent, unit=indent_unit(indent), line_end=line_end))
