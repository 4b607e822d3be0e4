"""JSON text as HTML in which keys, strings, numbers and literals have classes. The text may be malformed."""

from __future__ import annotations

import re

from rui_inspector.escape import escape

_TOKEN = re.compile(
    r'(?P<key>"(?:[^"\\\n]|\\.)*"(?=[ \t]*:))|(?P<string>"(?:[^"\\\n]|\\.)*")'
    r"|(?P<number>-?\d[\d.eE+-]*)|(?P<literal>\b(?:true|false|null)\b)"
)


def color_json(text: str) -> str:
    """Return JSON text as HTML; the classes are ``json-key``, ``json-string``, ``json-number``, ``json-literal``."""
    parts: list[str] = []
    end = 0
    for token in _TOKEN.finditer(text):
        parts.append(escape(text[end : token.start()]))
        parts.append(f'<span class="json-{token.lastgroup}">{escape(token[0])}</span>')
        end = token.end()
    parts.append(escape(text[end:]))
    return "".join(parts)
