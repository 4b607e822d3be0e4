"""The normal form of a document: its properties in canonical order (docs/decisions.md, section 5)."""

from rui_common.json_values import as_object
from rui_common.nodes.node import Node, NodeTree
from rui_common.vocabulary.schema import Shape


def normalize(tree: NodeTree) -> dict[str, object]:
    """Return the normal form of a document.

    Registered properties come in the order of the vocabulary, then suggested ones, then all others by code point.
    Values without a declaration are sorted by code point at every depth. Arrays keep their order. No value is added,
    removed or changed, in invalid documents either. The function is idempotent.
    """
    return as_object(_value(tree, tree.root.value, tree.root))


def canonical_names(members: dict[str, object], shape: Shape | None) -> list[str]:
    names = [] if shape is None else [prop.name for prop in shape.all_props if prop.name in members]
    if len(names) < len(members):
        names += sorted(members.keys() - {*names})
    return names


def registered_children(tree: NodeTree, node: Node) -> dict[str | int, Node]:
    """Return the nodes in a node by step, except those of suggested properties, which are sorted by code point."""
    suggested = {} if node.shape is None else node.shape.suggested
    return {child.step: child for child in tree.children(node) if child.step not in suggested}


def _value(tree: NodeTree, value: object, node: Node | None) -> object:
    """Return the normal form of a value; `node` is its node if the vocabulary declares it."""
    if node is None:
        return by_code_point(value)
    inner = registered_children(tree, node)
    if isinstance(value, dict):
        names = canonical_names(value, node.shape)
        return {name: _value(tree, value[name], inner.get(name)) for name in names}
    if isinstance(value, list):
        return [_value(tree, element, inner.get(index)) for index, element in enumerate(value)]
    return value


def by_code_point(value: object) -> object:
    """Return a JSON value with the properties of all objects in it sorted by code point; itself if they are sorted."""
    # Most values are sorted, and a hostile one has 100,000 containers: looking takes a third of the time of copying.
    if _is_sorted(value):
        return value
    return _sorted_copy(value)


def _is_sorted(value: object) -> bool:
    if isinstance(value, dict):
        names = list(value)
        return names == sorted(names) and all(map(_is_sorted, value.values()))
    return not isinstance(value, list) or all(map(_is_sorted, value))


def _sorted_copy(value: object) -> object:
    if isinstance(value, dict):
        return {name: _sorted_copy(value[name]) for name in sorted(value)}
    if isinstance(value, list):
        return [_sorted_copy(element) for element in value]
    return value
