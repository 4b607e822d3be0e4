"""Queries of the vocabulary that descriptions, hover and completion share."""

from collections.abc import Collection, Iterator

from rui_common.vocabulary.kinds import ListKind, NodeKind, ObjectKind
from rui_common.vocabulary.schema import Prop, Role, Shape, Symbol, Vocabulary, reachable


def parents(root: Shape, shape: Shape) -> tuple[str, ...]:
    """Return the properties below a root that may contain objects of a shape, such as ``Section.children``."""
    names = (
        f"{owner.name}.{prop.name}"
        for owner in reachable(root)
        for prop in owner.all_props
        if shape.name in [inner.name for inner in prop.kind.inner_shapes]
    )
    return tuple(dict.fromkeys(names))


def children(shape: Shape) -> tuple[str, ...]:
    """Return the types of the nodes that an object of a shape may contain."""
    return tuple(
        inner.name
        for prop in shape.props.values()
        if isinstance(prop.kind, ListKind) and isinstance(prop.kind.items, NodeKind)
        for inner in prop.kind.items.shapes
    )


def link_of(shape: Shape) -> tuple[Prop, Symbol] | None:
    """Return the only property that an object of a shape needs, if it uses a name that must be used; or None."""
    for prop in shape.props.values():
        if prop.uses is not None and prop.uses.unused is not None and [*shape.required] == [prop.name]:
            return prop, prop.uses
    return None


def containers(shape: Shape, types: Collection[str], outer: tuple[Shape, ...] = ()) -> tuple[tuple[Shape, str], ...]:
    """Return the shapes from `shape` down to one that can contain nodes of these types, each with its list.

    It is empty if there is none.
    """
    if shape in outer:
        return ()
    lists = [(prop.name, prop.kind) for prop in shape.props.values() if isinstance(prop.kind, ListKind)]
    for name, kind in lists:
        if isinstance(kind.items, NodeKind) and kind.items.types.keys() >= {*types}:
            return ((shape, name),)
    for name, kind in lists:
        for inner in kind.inner_shapes if kind.allows(1) else ():
            below = containers(inner, types, (*outer, shape))
            if below:
                return ((shape, name), *below)
    return ()


def path_with_role(vocabulary: Vocabulary, role: Role) -> tuple[str, str]:
    """Return the path of the property that has a role, in an object directly below the root: ``meta.replaces``."""
    return next(
        (outer.name, inner.name)
        for outer in vocabulary.root.props.values()
        if isinstance(outer.kind, ObjectKind)
        for inner in outer.kind.shape.props_with_role(role)
    )


NamedList = tuple[tuple[str, ...], Shape, Prop]
"""The path of a list below an object, the shape of its elements, and their property with a name."""


def named_lists(
    shape: Shape | None, symbol: Symbol, *, is_use: bool, path: tuple[str, ...] = ()
) -> Iterator[NamedList]:
    """Yield the lists below an object of a shape whose elements define names of a symbol, or use some."""
    for prop in () if shape is None else shape.props.values():
        kind = prop.kind
        inner_path = (*path, prop.name)
        if not isinstance(kind, ListKind):
            for inner in kind.inner_shapes:
                yield from named_lists(inner, symbol, is_use=is_use, path=inner_path)
            continue
        for element in kind.inner_shapes:
            for name in element.props.values():
                matches = name.defines is symbol or (kind.items.defines is symbol and name.defines is not None)
                if is_use:
                    matches = name.uses is symbol
                if matches:
                    yield inner_path, element, name


def broken_rules(prop: Prop) -> Iterator[tuple[str, str]]:
    """Yield what can be wrong with a registered property, each with the number of the rule.

    Yields:
        Pairs such as ``("missing", "R6")``. The first item is one of: missing, missing:PROPERTY (of the object in
        it), type, value, planned, form, empty, length, child, child:TYPE, duplicate, dangling, unused.
    """
    if prop.required:
        yield "missing", prop.missing
    yield from prop.kind.breaks.items()
    if prop.defines is not None and prop.defines.duplicate:
        yield "duplicate", prop.defines.duplicate
    if prop.defines is not None and prop.defines.unused:
        yield "unused", prop.defines.unused
    if prop.uses is not None and prop.uses.dangling:
        yield "dangling", prop.uses.dangling


def rule_url(docs_url: str, name: str) -> str:
    """Return the address of the page of a rule, or of a warning; ``""`` without documentation.

    Each documentation has these pages: the published site, and a service below ``/docs``.
    """
    if not docs_url:
        return ""
    return f"{docs_url}/rules/{name}"
