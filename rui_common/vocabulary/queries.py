"""Small questions about the vocabulary that several descriptions ask."""

from __future__ import annotations

from rui_common.validation.validator import PLANNED, UNKNOWN_PROP, WRONG_TYPE
from rui_common.vocabulary.kinds import EnumKind, ListKind, NodeKind, ObjectKind, TextKind
from rui_common.vocabulary.rules import RULES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from rui_common.vocabulary.schema import Kind, Prop, Shape, Vocabulary


def json_type(kind: Kind) -> str:
    """The JSON type of a value of this kind, or ``any``."""
    if isinstance(kind, TextKind | EnumKind):
        return "string"
    if isinstance(kind, ListKind):
        return "array"
    return "object" if isinstance(kind, ObjectKind | NodeKind) else "any"


def notation(kind: Kind) -> str:
    """A kind in one short phrase: ``"stack" | "row"``, ``(Metric | Table | Text)[]``, ``ReadBinding``."""
    if isinstance(kind, EnumKind):
        return " | ".join(f'"{value}"' for value in kind.values)
    if isinstance(kind, ObjectKind):
        tightened = sorted(tightened_by(kind.shape))
        return kind.shape.name + (f" with {', '.join(tightened)}" if tightened else "")
    if isinstance(kind, NodeKind):
        names = " | ".join(kind.types)
        return f"({names})" if len(kind.shapes) > 1 else names
    if isinstance(kind, ListKind):
        return f"{notation(kind.items)}[]"
    return json_type(kind)


def tightened_by(shape: Shape) -> set[str]:
    """The properties that this variant of a shape requires and the shape itself does not."""
    return set(shape.required) - set(shape.base.required) if shape.base is not None else set()


def signature(shape: Shape) -> str:
    """A shape in one line, for readers who pay by the word; ``*`` marks what is required."""
    registered = [f"{prop.name}{'*' if prop.required else ''}: {notation(prop.kind)}" for prop in shape.props.values()]
    suggested = [f"{prop.name}: {notation(prop.kind)}" for prop in shape.suggested.values()]
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
    kind = prop.kind
    if prop.required:
        yield "missing", prop.missing
    if isinstance(kind, EnumKind):
        yield "value", kind.rule
        if kind.planned:
            yield "planned", PLANNED
    elif json_type(kind) != "any":
        yield "type", WRONG_TYPE
    if isinstance(kind, TextKind) and kind.pattern:
        yield "form", kind.rule
    if isinstance(kind, ObjectKind):
        for name in sorted(tightened_by(kind.shape)):
            yield f"missing:{name}", kind.shape.props[name].missing
    if isinstance(kind, ListKind):
        yield "empty", kind.empty
        yield from _of_items(kind.items)
    yield from _of_symbols(prop)


def _of_items(items: Kind) -> Iterator[tuple[str, str]]:
    if isinstance(items, NodeKind):
        yield "child", items.child
        yield "planned", PLANNED
        for name, rule in items.nested.items():
            yield f"child:{name}", rule
        if items.defines is not None and items.defines.unused:
            yield "unused", items.defines.unused


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


__all__ = [
    "UNKNOWN_PROP", "broken_rules", "children", "json_type", "notation", "parents", "rules_of_code",
    "signature", "tightened_by",
]  # fmt: skip
