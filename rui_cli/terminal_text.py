"""Escape text for a terminal, and compute its width there.

Control characters can move the cursor or change colours, bidirectional controls can reorder a line, line separators can
end it. All of them are replaced by their JSON escapes.
"""

from __future__ import annotations

import unicodedata

_JOINERS = {"\u200c", "\u200d"}
"""Zero-width non-joiner and joiner, which belong to the words of some languages."""
_ESCAPED_CATEGORIES = {"Cc", "Cf", "Cs", "Zl", "Zp"}
TAB_WIDTH = 4


def escape_character(text: str, index: int, *, tab: str) -> str:
    """Return the character at `index`, its escape, or `tab` for a tab. A joiner after a wide character is escaped."""
    character = text[index]
    if character == "\t":
        return tab
    if character in _JOINERS:
        is_after_wide = index > 0 and width(text[index - 1]) == 2
        if not is_after_wide:
            return character
    elif unicodedata.category(character) not in _ESCAPED_CATEGORIES:
        return character
    code = ord(character)
    if code > 0xFFFF:
        code -= 0x10000
        return f"\\u{0xD800 + (code >> 10):04x}\\u{0xDC00 + (code & 0x3FF):04x}"
    return f"\\u{code:04x}"


def width(character: str) -> int:
    """Return the columns of a character in a terminal: 0, 1 or 2."""
    if character in _JOINERS or unicodedata.category(character) in {"Mn", "Me"}:
        return 0
    if unicodedata.east_asian_width(character) in {"W", "F"}:
        return 2
    return 1
