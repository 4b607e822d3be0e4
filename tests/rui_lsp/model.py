"""A text and its edits by offsets, and the positions that a client sends for them."""

from __future__ import annotations

import random
import re

WIDTHS = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}

# Difficult texts: line ends, separators that only Python treats as line ends, wide characters.
SNIPPETS = [
    "", "a", "bc", '{"id": 1}', " " * 7, "\n", "\r", "\r\n", "\n\r", "\r\r\n", "é", "ß\n", "😀", "𝄞𝄞", "漢字", "\u2028",
    "\u2029", "\x85", "\f", "\v", "\x1c", "\ufeff",
]  # fmt: skip


def position(text: str, offset: int, encoding: str) -> dict[str, int]:
    """Return the position of an offset that is not within a line end."""
    lines = re.split(r"\r\n|\r|\n", text[:offset])
    codec, width = WIDTHS[encoding]
    return {"line": len(lines) - 1, "character": len(lines[-1].encode(codec)) // width}


def random_edit(chance: random.Random, text: str, encoding: str, snippets: list[str]) -> tuple[dict, str]:
    """Return a random change as a client sends it, and the text after it."""
    start = _before_line_end(text, chance.randrange(len(text) + 1))
    length = chance.choice([0, 0, 0, 1, 2, 8, chance.randrange(200)])
    end = max(start, _before_line_end(text, min(len(text), start + length)))
    new = "".join(chance.choices(snippets, k=chance.choice([0, 1, 1, 1, 4])))
    places = {"start": position(text, start, encoding), "end": position(text, end, encoding)}
    return {"range": places, "text": new}, text[:start] + new + text[end:]


def _before_line_end(text: str, offset: int) -> int:
    return offset - 1 if text[max(0, offset - 1) : offset + 1] == "\r\n" else offset
