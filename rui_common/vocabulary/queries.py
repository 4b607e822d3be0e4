"""Small questions about the vocabulary that several descriptions ask."""

from __future__ import annotations

from rui_common.vocabulary.kinds import ListKind, NodeKind
from rui_common.vocabulary.rules import RULES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from rui_common.vocabulary.schema import Prop, Shape, Vocabulary


def signature(shape: Shape) -> str:
    """A shape in one line, for readers who pay by the word; ``*`` marks what is required."""
    registered = [f"{prop.name}{'*' if prop.required else ''}: {prop.kind.notation()}" for prop in shape.props.values()]
    suggested = [f"{prop.name}: {prop.kind.notation()}" for prop in shape.suggested.values()]
    if suggested:
        registered.append("by convention " + ", ".join(suggested))
    if shape.open:
        registered.append("anything else")
    return f"{shape.name} {{ {'; '.join(registered)} }}"


def parents(vocabulary: Vocabulary, shape: Shape) -> tuple[str, ...]:
    """The places where objects of this shape may stand: ``Section.children``."""
    return tuple(
        f"{owner.name}.{prop.name}"
        for owner in vocabulary.shapes.values()
        for prop in (*owner.props.values(), *owner.suggested.values())
        if shape.name in [inner.name for inner in prop.kind.inner_shapes]
    )


def children(shape: Shape) -> tuple[str, ...]:
    """The types of the nodes that an object of this shape may hold."""
    return tuple(
        inner.name
        for prop in shape.props.values()
        if isinstance(prop.kind, ListKind) and isinstance(prop.kind.items, NodeKind)
        for inner in prop.kind.items.shapes
    )


def broken_rules(prop: Prop) -> Iterator[tuple[str, str]]:
    """What may be wrong with a registered property, each with the number of the rule that it breaks.

    Yields:
        Pairs such as ``("missing", "R6")``. The first words are: missing, missing:PROPERTY (of the object in it),
        type, value, planned, form, empty, child, child:TYPE, duplicate, dangling, unused.
    """
    if prop.required:
        yield "missing", prop.missing
    yield from prop.kind.violated_rules()
    yield from _of_symbols(prop)


def _of_symbols(prop: Prop) -> Iterator[tuple[str, str]]:
    if prop.defines is not None and prop.defines.duplicate:
        yield "duplicate", prop.defines.duplicate
    if prop.defines is not None and prop.defines.unused:
        yield "unused", prop.defines.unused
    if prop.uses is not None and prop.uses.dangling:
        yield "dangling", prop.uses.dangling


def rules_of_code(code: str) -> tuple[str, ...]:
    """The numbers of the rules that share a code."""
    return tuple(rule.number for rule in RULES.values() if rule.code == code)
