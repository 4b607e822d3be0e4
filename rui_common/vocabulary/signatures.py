"""Signatures: each shape in one line, for hints, `/llms.txt`, `/api/docs` and the compact schema.

A signature looks like the JSON that it describes, such as ``Text: {"id": ID, "type": "Text", "content": string}``.
Shapes without a type of their own, such as bindings and columns, are part of the signature that contains them.
"""

from functools import cache

from rui_common.vocabulary.kinds import ListKind, NodeKind, ObjectKind
from rui_common.vocabulary.schema import MORE, Kind, Prop, Shape, Vocabulary, reachable

MARKS = f'"?": optional. "{MORE}": more, which no page shows. No array is empty.'
"""The marks of signatures, for the legend."""


def signature(shape: Shape) -> str:
    return f"{shape.name}: {_object(shape)}"


def signatures(vocabulary: Vocabulary) -> list[str]:
    """Return the signatures of all shapes that are not part of the signature of another one."""
    shapes = vocabulary.shapes.values()
    parts = {part.name for shape in shapes for part in inlined(shape) if part is not shape}
    return [signature(shape) for shape in shapes if shape.name not in parts]


@cache
def legend(vocabulary: Vocabulary) -> str:
    """Return what signatures leave open: the form of values, the rules about names, and what has no place."""
    kinds = {prop.kind.sample: prop.kind for shape in vocabulary.shapes.values() for prop in shape.props.values()}
    forms = [f"{sample}: {kind.form}." for sample, kind in kinds.items() if sample]
    requirements = [symbol.requirement for symbol in vocabulary.symbols if symbol.requirement]
    return " ".join([MARKS, *forms, *requirements, vocabulary.advice]).rstrip()


@cache
def inlined(shape: Shape) -> tuple[Shape, ...]:
    """Return the shapes that are part of the signature of a shape, itself included."""
    parts = [shape]
    for prop in shape.all_props:
        for inner in prop.kind.inner_shapes:
            if not inner.is_node:
                parts += inlined(inner)
    return tuple(parts)


@cache
def nodes_below(kind: Kind) -> tuple[Shape, ...]:
    """Return the shapes of the nodes in a value of a kind, those in their children included, parents first."""
    below = [shape for inner in kind.inner_shapes for shape in reachable(inner)]
    return tuple(dict.fromkeys(shape for shape in below if shape.is_node))


def _object(shape: Shape) -> str:
    members = [_member(prop) for prop in shape.all_props]
    if shape.open:
        members.append(MORE)
    return "{" + ", ".join(members) + "}"


def _member(prop: Prop) -> str:
    mark = "" if prop.required else "?"
    length = prop.kind.length if isinstance(prop.kind, ListKind) else ""
    notes = "; ".join(note for note in (length, prop.note) if note)
    return f'"{prop.name}"{mark}: {_value(prop.kind, prop)}{f" ({notes})" if notes else ""}'


def _value(kind: Kind, prop: Prop) -> str:
    if prop.uses is not None and prop.uses.notation:
        return prop.notation
    if isinstance(kind, ListKind):
        return f"[{_value(kind.items, prop)}]"
    if isinstance(kind, NodeKind):
        return " | ".join(kind.types)
    if isinstance(kind, ObjectKind):
        return _object(kind.shape)
    return kind.sample or kind.notation()
