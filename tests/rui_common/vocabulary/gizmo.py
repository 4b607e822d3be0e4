"""The vocabulary with a further block type, Gizmo, from declarations alone.

No block type will have this name: tests use it for an unknown type, too.
"""

import copy
from dataclasses import replace

from rui_common.describe import minimal_example
from rui_common.version import RUI_VERSION
from rui_common.vocabulary.kinds import ListKind, NodeKind, ObjectKind
from rui_common.vocabulary.rui_0_1 import PLANNED_BLOCKS, READ_BINDING, RUI, VOCABULARY, node, one_of, string
from rui_common.vocabulary.schema import NodeRole, Prop, Shape, Vocabulary

SERIES = Shape(
    "Series",
    "One line of a Gizmo.",
    [Prop("key", string, "The field that the line follows.", required=True, example="total")],
    suggested=[Prop("label", string, "What the line is called.", example="Total")],
    is_open=True,
)

GIZMO = node(
    "Gizmo", NodeRole.BLOCK, "Values over time.",
    Prop("binding", ObjectKind(READ_BINDING), "Where the points come from.", required=True, missing="R18",
         example={"type": "read", "method": "GET", "path": "/api/orders/history", "valuePath": "data.points"}),
    Prop("style", one_of("line", "bar"), "How to draw them.",
         required=True, example="line", synonyms="look"),
    Prop("series", ListKind(ObjectKind(SERIES), rule="R17"), "The lines.", required=True, example=[{"key": "total"}]),
    Prop("unit", string, "The unit of the values.", required=True, example="EUR", placeholder="unit?"),
)  # fmt: skip


def replaced(shape: Shape, name: str, kind: ListKind) -> Shape:
    """Return the shape with another kind for the values of one property."""
    props = [replace(prop, kind=kind) if prop.name == name else prop for prop in shape.props.values()]
    return Shape(shape.name, shape.doc, props, role=shape.role, scope=shape.scope)


def with_block(block: Shape) -> Vocabulary:
    """Return RUI with an additional block type in sections, as a next version could define it."""
    blocks = VOCABULARY.nodes["Section"].props["children"].kind.items
    children = ListKind(NodeKind(*blocks.shapes, block, child=blocks.child, nested=blocks.nested), rule="R16")
    section = replaced(VOCABULARY.nodes["Section"], "children", children)
    page = replaced(VOCABULARY.nodes["Page"], "children", ListKind(NodeKind(section, child="R12"), rule="R15"))
    pages = RUI.props["pages"].kind.items
    kind = NodeKind(page, child=pages.child, at_type=pages.at_type, defines=pages.defines)
    return Vocabulary(RUI_VERSION, replaced(RUI, "pages", ListKind(kind, rule="R8")), planned=PLANNED_BLOCKS)


EXTENDED = with_block(GIZMO)


def with_gizmo(changes: dict[str, object]) -> dict[str, object]:
    """Return the minimal document with a Gizmo and these changed properties. None removes a property."""
    document = minimal_example(EXTENDED)
    gizmo = {prop.name: copy.deepcopy(prop.example) for prop in GIZMO.props.values()} | changes
    gizmo = {name: value for name, value in gizmo.items() if value is not None}
    section = document["pages"][0]["children"][0]
    section["children"] = [gizmo]
    return document
