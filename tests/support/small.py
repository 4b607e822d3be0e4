"""A small document into which tests insert a block."""

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
