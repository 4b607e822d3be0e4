"""Text that may hold anything → text that a terminal shows as it is, and how wide it is there.

Control characters could move the cursor or change colours; bidirectional controls could show a line in another order
than it is read in; line separators could end it. All of these are written as the escapes that JSON has for them.
"""

from __future__ import annotations

import unicodedata

# Zero-width joiners and non-joiners belong to the words of some languages.
_HARMLESS = {"\u200c", "\u200d"}
_ESCAPED = {"Cc", "Cf", "Cs", "Zl", "Zp"}
TAB = 4


def sanitize(text: str) -> str:
    """`text` with every character that has no shape of its own as an escape."""
    return "".join(shown(text, index, tab="\\t") for index in range(len(text)))


def shown(text: str, index: int, *, tab: str = " " * TAB) -> str:
    """What to show for one character of a text."""
    character = text[index]
    if character == "\t":
        return tab
    if character in _HARMLESS and not (index and width(text[index - 1]) == 2):
        return character
    if unicodedata.category(character) not in _ESCAPED and character not in _HARMLESS:
        return character
    code = ord(character)
    if code > 0xFFFF:
        code -= 0x10000
        return f"\\u{0xD800 + (code >> 10):04x}\\u{0xDC00 + (code & 0x3FF):04x}"
    return f"\\u{code:04x}"


def width(character: str) -> int:
    """The columns that a character takes in a terminal: 0, 1 or 2."""
    if character in _HARMLESS or unicodedata.category(character) in {"Mn", "Me"}:
        return 0
    return 2 if unicodedata.east_asian_width(character) in {"W", "F"} else 1
