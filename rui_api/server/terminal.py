"""The terminal that the service may have been started from: whether it is gone, and text that cannot take it over.

SIGHUP says two things: that the terminal was closed, and, to what runs without one, that it should begin anew.
"""

from __future__ import annotations

import os


class Terminal:
    """The terminal that this process was started from, if there is one."""

    def __init__(self) -> None:
        self._was_there = _is_there()

    def is_gone(self) -> bool:
        """Whether it was there at first, and is closed now."""
        return self._was_there and not _is_there()


def _is_there() -> bool:
    try:
        os.close(os.open("/dev/tty", os.O_RDONLY | getattr(os, "O_NOCTTY", 0)))
    except OSError:
        return False
    return True


def printable(text: str) -> str:
    """`text` in one line, without what would move the cursor or change colours."""
    return "".join(character if character.isprintable() else "�" for character in text)
