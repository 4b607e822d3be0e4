"""A reference model for `text_buffer.TextBuffer`, which follows the LSP definition of edits directly."""

from __future__ import annotations

import random
import re

Position = tuple[int, int]

# Difficult texts: line ends, separators that only Python treats as line ends, wide characters, half surrogate pairs.
SNIPPETS = [
    "", "a", "bc", '{"id": 1}', " " * 7, "\n", "\r", "\r\n", "\n\r", "\r\r\n", "é", "ß\n", "😀", "𝄞𝄞", "漢字", "\u2028",
    "\u2029", "\x85", "\f", "\v", "\x1c", "\ufeff", "\ud83d", "\ude00", "\ude00\ud83d",
]  # fmt: skip


class Model:
    """A text as a list of characters per line; in UTF-16 every half of a surrogate pair counts as a character."""

    def __init__(self, text: str, encoding: str) -> None:
        self.encoding = encoding
        self.text = self._own(text)

    def __str__(self) -> str:
        return joined(self.text)

    def replace(self, start: Position, end: Position, new: str) -> None:
        left, right = sorted([self.offset(*start), self.offset(*end)])
        self.text = self._own(self.text[:left] + new + self.text[right:])

    def offset(self, line: int, character: int) -> int:
        lines = re.split(r"(\r\n|\r|\n)", self.text)  # text, terminator, text, …
        if line < 0:
            return 0
        if 2 * line >= len(lines):
            return len(self.text)
        at = sum(map(len, lines[: 2 * line]))
        for letter in lines[2 * line]:
            character -= self._width(letter)
            if character < 0:
                break
            at += 1
        return at

    def _width(self, letter: str) -> int:
        return len(letter.encode("utf-8", "surrogatepass")) if self.encoding == "utf-8" else 1

    def _own(self, text: str) -> str:
        if self.encoding != "utf-16":
            return joined(text)
        return re.sub("[\U00010000-\U0010ffff]", lambda match: "".join(halves(match[0])), text)


def halves(letter: str) -> tuple[str, str]:
    raw = letter.encode("utf-16-le")
    return raw[:2].decode("utf-16-le", "surrogatepass"), raw[2:].decode("utf-16-le", "surrogatepass")


def joined(text: str) -> str:
    """Return the text with adjacent surrogate halves joined."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def random_text(chance: random.Random, most: int, snippets: list[str] = SNIPPETS) -> str:
    return "".join(chance.choices(snippets, k=chance.randrange(most)))


def random_range(chance: random.Random, text: str) -> tuple[Position, Position]:
    """Return two positions in any order: mostly close together, some past the ends of lines and of the text."""
    lines = text.count("\n") + text.count("\r") + 2
    line = chance.randrange(-1, lines + 2)
    other = line + chance.choice([0, 0, 0, 0, 1, -1, 2, chance.randrange(lines)])
    character = chance.choice([0, 1, 2, 3, chance.randrange(60), chance.randrange(60), 10**6])
    return (line, character), (other, max(0, character + chance.choice([0, 0, 1, 1, 2, 5, -3, 100])))
