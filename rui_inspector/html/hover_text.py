"""Write the Markdown of `rui_common.editing.hover` as HTML: paragraphs, lists, rules, bold text, code and links."""

from __future__ import annotations

import re

from rui_inspector.escape import escape

_INLINE = re.compile(r"\*\*(.+?)\*\*|`([^`]*)`|\[(\w+)\]\((\w+(?:/\w+)*)\)")


def hover_html(markdown: str) -> str:
    """Return the HTML of a hover text. Its links are relative addresses; other ones remain text."""
    parts: list[str] = []
    for block in markdown.split("\n\n"):
        if block == "---":
            parts.append("<hr>")
        elif block.startswith("- "):
            items = "".join(f"<li>{_inline(line[2:])}</li>" for line in block.split("\n"))
            parts.append(f"<ul>{items}</ul>")
        elif block:
            parts.append(f"<p>{_inline(block)}</p>")
    return "".join(parts).replace("</ul><ul>", "")


def _inline(text: str) -> str:
    html = []
    end = 0
    for match in _INLINE.finditer(text):
        bold, code, name, address = match.groups()
        html.append(escape(text[end : match.start()]))
        if bold is not None:
            html.append(f"<b>{_inline(bold)}</b>")
        elif code is not None:
            html.append(f"<code>{escape(code)}</code>")
        else:
            html.append(f'<a href="{escape(address)}">{escape(name)}</a>')
        end = match.end()
    html.append(escape(text[end:]))
    return "".join(html)
