"""A small document into which tests insert a block."""

from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_common.vocabulary.schema import NodeRole

_BLOCKS = [shape for shape in VOCABULARY.nodes.values() if shape.role is NodeRole.BLOCK]
BLOCK_TYPES = [shape.name for shape in sorted(_BLOCKS, key=lambda shape: len(shape.required))]
"""The types of blocks, as they are offered for a node of which little is known: that with the fewest required first."""
TYPES_OF_A_TEXT = sorted((shape.name for shape in _BLOCKS), key=lambda name: name != "Text")
"""The types of blocks, as they are offered for a Text: its own first."""

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


def with_copy(number: str = "") -> str:
    """Return a document with a page, and below it a copy with another title, whose ids end in `number`."""
    document = block(TEXT)
    page = document[document.index('    {"id": "home"') : document.index("\n  ]\n}")]
    copy = page.replace('"Home"', '"Copy"')
    for name in ("home", "main", "a"):
        copy = copy.replace(f'"{name}"', f'"{name}{number}"')
    if number:
        document = document.replace('{"pageId": "home"}', f'{{"pageId": "home"}}, {{"pageId": "home{number}"}}')
    return document.replace(page, f"{page},\n{copy}")
