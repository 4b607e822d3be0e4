"""A value of the wrong type → what it may be meant as: a number as a string, a string as the object around it."""

from __future__ import annotations

import json

from rui_common.editing.edits import Edit, indent_at, lay_out
from rui_common.editing.generate import value_at
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


def conversions(document: Document, path: Path, kind: Kind) -> Iterator[tuple[str, tuple[Edit, ...]]]:
    """What the value of a property may become: titles and changes.

    Args:
        document: the document.
        path: the property.
        kind: what its value may be.
    """
    member, value = document.find(path), value_at(document.value, path)
    if member is None or member.span is None:
        return
    written = document.text[member.start : member.end]
    coerced = kind.coerce(value, written)
    if coerced is not None:
        text = json.dumps(coerced, ensure_ascii=False)
        yield f"Write it as {kind.word}: {text}", (Edit(member.span, text),)
    elif isinstance(value, list) and len(value) == 1 and _may_be(kind, value[0]):
        inside = document.members(path)[0]
        yield "Take it out of the array", (
            Edit(Span(member.start, inside.start), ""), Edit(Span(inside.end, member.end), "")
        )  # fmt: skip
    elif isinstance(kind, ListKind) and isinstance(value, dict):
        ends = ((member.start, "["), (member.end, "]"))
        yield "Put it into an array", tuple(Edit(Span(at, at), text) for at, text in ends)


def _may_be(kind: Kind, value: object) -> bool:
    """Whether a value is of the type that a kind asks for."""
    if isinstance(kind, ObjectKind):
        return isinstance(value, dict) and value.keys() >= set(kind.shape.required)
    return not isinstance(kind, ListKind | NodeKind) and kind.accepts(value)


def element_conversions(
    document: Document, path: Path, shapes: Sequence[Shape], names: NamesInUse
) -> Iterator[Conversion]:
    """What an element that should be an object may become: a string the text that one needs, a list its elements.

    Args:
        document: the document.
        path: the element.
        shapes: what may stand there.
        names: the names of the document.

    Yields:
        What it would do in words, the change, the new object if there is one, and its shape.
    """
    member, value = document.find(path), value_at(document.value, path)
    if member is None or member.span is None:
        return
    text = document.text
    if isinstance(value, list) and value and all(isinstance(one, dict) for one in value):
        inside = document.members(path)
        elements = text[inside[0].start : inside[-1].end]
        yield "Replace the array by what is in it", Edit(member.span, elements), None, shapes[0]
    for shape in shapes if isinstance(value, str) else ():
        name = _only_text(shape, str(value), names.maker_at(path[:-1]))
        if name is not None:
            made = names.maker_at(path[:-1]).make(shape, None, {name: value})
            yield f"Put it into a {shape.name}", _laid_out(text, member.span, made), made, shape
    for shape in shapes:
        made = names.maker_at(path[:-1]).make(shape)
        yield f"Replace it by a {shape.name}", _laid_out(text, member.span, made), made, shape


def _only_text(shape: Shape, value: str, maker: ValueGenerator) -> str | None:
    """The property that a string is meant for: the only text that an object of a shape needs, if it may be that one."""
    props = [prop for prop in shape.props.values() if prop.required]
    texts = [prop for prop in props if prop.kind.is_free_text]
    if len(texts) != 1 or not all(prop is texts[0] or _goes_without_saying(prop) for prop in props):
        return None
    prop = texts[0]
    if prop.uses is not None and not maker.is_taken(prop.uses, value):
        return None
    return prop.name if maker.is_free(prop.defines, value) else None


def _goes_without_saying(prop: Prop) -> bool:
    """Whether a property can be made without the author: an id, or a literal."""
    return prop.defines is not None or len(prop.kind.values) == 1


def _laid_out(text: str, span: Span, value: object) -> Edit:
    end = "\r\n" if "\r\n" in text else "\n" if "\n" in text else "\r" if "\r" in text else ""
    if not end:
        return Edit(span, lay_out(value, line_end="", unit=""))
    indent = indent_at(text, span.start)
    return Edit(span, lay_out(value, indent, unit="\t" if indent.startswith("\t") else "  ", line_end=end))
