"""Escape text of clients for terminals."""

from __future__ import annotations


def escape_control(text: str) -> str:
    """Replace every character that is not printable, so that the text stays on one line and changes no colours."""
    return "".join(character if character.isprintable() else "�" for character in text)
