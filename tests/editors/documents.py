"""Sample documents."""

GOOD = """\
{
  "version": "0.1",
  "meta": { "title": "Orders" },
  "navigation": { "items": [{ "pageId": "home", "label": "Start" }, { "pageId": "orders", "label": "Orders" }] },
  "pages": [
    {
      "id": "home",
      "type": "Page",
      "title": "Start",
      "children": [
        {
          "id": "main",
          "type": "Section",
          "direction": "stack",
          "children": [
            { "id": "welcome", "type": "Text", "content": "Orders come in every five minutes." }
          ]
        }
      ]
    },
    {
      "id": "orders",
      "type": "Page",
      "title": "Orders",
      "children": [
        {
          "id": "open",
          "type": "Section",
          "direction": "stack",
          "children": [
            { "id": "note", "type": "Text", "content": "All that are open." }
          ]
        }
      ]
    }
  ]
}
"""


def place_of(text: str, words: str, *, after: bool = False) -> tuple[int, int]:
    """Return line and character (in UTF-16 code units) of the start or end of `words` in a text."""
    offset = text.index(words) + (len(words) if after else 0)
    line_start = text.rfind("\n", 0, offset) + 1
    return text.count("\n", 0, offset), len(text[line_start:offset].encode("utf-16-le")) // 2
