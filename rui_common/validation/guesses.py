"""Guess what an author meant: a wrapper around the document, or a node of another type."""

from __future__ import annotations

from rui_common.syntax.reader import parse_embedded_object
from rui_common.validation.model import ABSENT
from rui_common.vocabulary.kinds import ListKind, NodeKind
from rui_common.vocabulary.rules import UNKNOWN_PROP

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rui_common.syntax.paths import Path
    from rui_common.validation.findings import Finding
    from rui_common.vocabulary.schema import Shape


def wrapper_prop(value: dict[str, object], shape: Shape) -> str | None:
    """Return the only unknown property if it contains more than half of what `shape` requires, else None."""
    if shape.open or value.keys() <= shape.props.keys():
        return None
    unknown = value.keys() - shape.props.keys()
    if len(unknown) != 1:
        return None
    (name,) = unknown
    inner = parse_embedded_object(value[name])
    if not isinstance(inner, dict) or any(required in value for required in shape.required):
        return None
    present = sum(required in inner for required in shape.required)
    if 2 * present <= len(shape.required):
        return None
    return name


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
