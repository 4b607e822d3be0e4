"""A small document into which tests insert a block."""

from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_common.vocabulary.schema import NodeRole

_BLOCKS = [shape for shape in VOCABULARY.nodes.values() if shape.role is NodeRole.BLOCK]
BLOCK_TYPES = [shape.name for shape in sorted(_BLOCKS, key=lambda shape: len(shape.required))]
"""The types of blocks, as they are offered for a node of which little is known: that with the fewest required first."""

DOCUMENT = """\
{
  "version": "0.1",
  "meta": {},
  "navigation": {"items": [{"pageId": "home"}]},
  "pages": [
    {"id": "home", "type": "Page", "title": "Home", "children": [
      {"id": "main", "type": "Section", "direction": "stack", "children": [
        BLOCK
      ]}
    ]}
  ]
}
"""
"""Sound, once there is a block in the place of BLOCK."""


BINDING = '{"type": "read", "method": "GET", "path": "/orders"}'

TABLE = '{"id": "t", "type": "Table", "binding": @, "columns": [{"key": "status"}, {"key": "total"}]}'.replace(
    "@", BINDING
)

TEXT = '{"id": "a", "type": "Text", "content": "x"}'


def block(text: str) -> str:
    return DOCUMENT.replace("BLOCK", text)
