"""A vocabulary as a later version could declare it, with other names for everything."""

from rui_common.version import RUI_VERSION
from rui_common.vocabulary.kinds import ListKind, NodeKind, ObjectKind
from rui_common.vocabulary.rui_0_1 import METRIC, NAVIGATION, PAGE_ID, SECTION, node, one_of, string
from rui_common.vocabulary.schema import NodeRole, Prop, Role, Shape, Vocabulary

SOURCE = Shape("Source", "", [
    Prop("verb", one_of("FETCH"), "", role=Role.METHOD), Prop("from", string, "", role=Role.ENDPOINT),
    Prop("pick", string, "", role=Role.SELECT), Prop("sort", string, ""),
])  # fmt: skip

GIZMO = node("Gizmo", NodeRole.BLOCK, "A curve.", Prop("caption", string, "", role=Role.LABEL),
    Prop("series", ListKind(ObjectKind(
        Shape("Series", "", [Prop("name", string, "", role=Role.LABEL), Prop("line", one_of("solid", "dotted"), "")])
    ), rule="R17"), ""),
    Prop("source", ObjectKind(SOURCE), ""), Prop("note", string, "", role=Role.CONTENT),
    Prop("panels", ListKind(NodeKind(METRIC, child="R13"), rule="R16"), ""))  # fmt: skip

BOARD = node("Board", NodeRole.LAYOUT, "A page.",
    Prop("name", string, "", role=Role.LABEL),
    Prop("flow", one_of("down", "across"), "", role=Role.LAYOUT, row="across"),
    Prop("blocks", ListKind(NodeKind(GIZMO, SECTION, child="R12"), rule="R15"), ""))  # fmt: skip

LATER = Vocabulary(
    RUI_VERSION,
    Shape("RUI", "", [
        Prop("navigation", ObjectKind(NAVIGATION), ""),
        Prop("boards", ListKind(NodeKind(BOARD, child="R12", defines=PAGE_ID), rule="R8"), ""),
    ]),
    planned={},
)  # fmt: skip
