"""Guess what an author meant: a wrapper around the document, a value of another structure, or another type of node."""

from __future__ import annotations

from rui_common.syntax.reader import parse_embedded_object
from rui_common.validation.findings import Finding
from rui_common.validation.hints import (
    DescribeTypes,
    FixFirst,
    ListByKey,
    PutInList,
    PutInto,
    Rename,
    ReplaceParent,
    TakeElement,
    TakeValue,
    Unnest,
    WriteInstead,
)
from rui_common.validation.model import ABSENT
from rui_common.vocabulary.aliases import MAX_KEYS, shape_of_node, wrapper_among
from rui_common.vocabulary.kinds import ListKind, NodeKind
from rui_common.vocabulary.rules import ABSENT_TYPE, UNKNOWN_PROP, UNREGISTERED_TYPE
from rui_common.vocabulary.structures import BARE_ELEMENT, BARE_LIST, BOXED_LIST, LISTED_OBJECT, inner_kind

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rui_common.syntax.paths import Path
    from rui_common.validation.model import Suggestion
    from rui_common.vocabulary.schema import Kind, Shape, Vocabulary
    from rui_common.vocabulary.structures import Structure


def wrapper_prop(value: dict[str, object], shape: Shape) -> str | None:
    """Return the property that is read as the whole object: it contains an object, or the text of one; or None."""
    if len(value) > MAX_KEYS or any(name in value for name in shape.required):
        return None
    objects: dict[str, dict[str, object]] = {}
    for name in value.keys() - shape.props.keys():
        inner = parse_embedded_object(value[name])
        if isinstance(inner, dict):
            objects[name] = inner
    return wrapper_among(objects, value, shape)


def is_all_nested(values: list[object], kind: NodeKind, vocabulary: Vocabulary) -> bool:
    """Return whether a node contains only nodes of types that must not be nested, such as sections."""
    for value in values:
        shape = None
        if isinstance(value, dict):
            shape = shape_of_node(value, kind, vocabulary)
        if shape is None or shape.name not in kind.nested:
            return False
    return True


def replacement_of_parent(path: Path) -> Suggestion:
    """Return the suggestion to replace the parent of the node at `path` by its children.

    A parent in a holder or in an object by keys has to be put into its list first.
    """
    if len(path) < 3 or isinstance(path[-3], int):
        return ReplaceParent(path[:-1])
    if len(path) > 3 and isinstance(path[-4], str):
        return FixFirst(path[:-3])
    return FixFirst(path[:-2])


def restructuring(structure: Structure, value: object, kind: Kind) -> Suggestion:
    """Return the change that gives a value the structure that is expected."""
    if structure.sort == BARE_LIST:
        return PutInto(structure.name)
    if structure.sort == LISTED_OBJECT:
        return TakeElement()
    if structure.sort == BARE_ELEMENT:
        return PutInList()
    if structure.sort == BOXED_LIST:
        return TakeValue(structure.name)
    names = inner_kind(structure, kind).inner_shapes[0].props[structure.name].kind
    keys = value if isinstance(value, dict) else {}
    return ListByKey(structure.name, next(filter(names.accepts, keys), ""))


def is_caused_by_type(finding: Finding, node: dict[str, object], path: Path, likely_shape: Shape) -> bool:
    """Return whether a finding would disappear if the node at `path` had the type of `likely_shape`."""
    if finding.path[: len(path)] != path:
        return False
    below = finding.path[len(path) :]
    if below == ("type",):
        return False
    if len(below) == 1:
        return finding.rule == UNKNOWN_PROP or finding.got is ABSENT
    if len(below) != 2:
        return False
    name, index = below
    prop = likely_shape.props.get(str(name))
    items = prop.kind.items if prop is not None and isinstance(prop.kind, ListKind) else None
    values = node.get(str(name))
    if not isinstance(items, NodeKind) or not isinstance(values, list) or not isinstance(index, int):
        return False
    element = values[index]
    return isinstance(element, dict) and element.get("type") in (*items.types,)


def suggestion_for_absent(
    name: str, key: str | None, wrapper: str | None, value: dict[str, object]
) -> Suggestion | None:
    """Return the change that gives an object its absent property, if it has that under another name or in a wrapper."""
    if wrapper is not None:
        return unnest(wrapper, value)
    if key is not None:
        return Rename(key, name)
    return None


def unnest(wrapper: str, value: dict[str, object]) -> Unnest:
    """Return the suggestion to replace the root by what is in a wrapper."""
    return Unnest(wrapper, is_text=isinstance(value[wrapper], str))


def absent_type(path: Path, kind: NodeKind, shape: Shape | None) -> Finding:
    """Return the finding that a node, which is read as `shape`, has no type."""
    names = tuple(kind.types)
    if shape is None:
        return Finding(path, ABSENT_TYPE, names=names, suggestion=DescribeTypes(kind.shapes))
    return Finding(path, ABSENT_TYPE, names=names, example=shape.name)


def unregistered_type(path: Path, node_type: object, kind: NodeKind, shape: Shape | None) -> Finding:
    """Return the finding that the type of a node, which is read as `shape`, is not registered."""
    names = tuple(kind.types)
    if shape is None:
        return Finding(path, UNREGISTERED_TYPE, got=node_type, names=names, suggestion=DescribeTypes(kind.shapes))
    suggestion = WriteInstead(shape.name, node_type)
    return Finding(path, UNREGISTERED_TYPE, got=node_type, names=names, suggestion=suggestion, match=None)
