"""What the commands of ``rui store`` print, and their exit codes."""

from __future__ import annotations

import sys
from time import monotonic
from typing import TextIO

from rui_api.store.copy import CopyResult
from rui_common.redact import escape_control

EXIT_OK = 0
EXIT_NOT_DONE = 1
"""Some of the specs could not be copied or deleted."""
EXIT_ERROR = 2
EXIT_INTERRUPTED = 130

_INTERVAL = 0.1
"""Seconds between two drawings of a line of progress."""


def print_line(text: str) -> None:
    """Print a result."""
    print(text)  # noqa: T201


def print_error(text: str) -> int:
    """Print an error in one line, and return the exit code of a command that cannot run."""
    print(f"rui store: {escape_control(text)}", file=sys.stderr)  # noqa: T201
    return EXIT_ERROR


def counted(number: int, singular: str) -> str:
    """Return such as ``1 spec`` and ``1,000 specs``."""
    if number == 1:
        return f"1 {singular}"
    return f"{number:,} {singular}s"


class StatusLine:
    """A line of progress that is drawn again and again, only if the stream is a terminal."""

    def __init__(self, stream: TextIO | None) -> None:
        self._stream = stream if stream is not None and stream.isatty() else None
        self._updated = 0.0

    def show(self, text: str) -> None:
        """Draw `text`, at most ten times a second."""
        now = monotonic()
        if self._stream is not None and now - self._updated >= _INTERVAL:
            self._updated = now
            self._stream.write(f"\r\x1b[K{text}")
            self._stream.flush()

    def clear(self) -> None:
        """Remove the line."""
        if self._stream is not None:
            self._stream.write("\r\x1b[K")
            self._stream.flush()


class Progress:
    """A progress bar of a copy, shown only if the stream is a terminal.

    Args:
        total: number of specs to copy.
        stream: usually standard error.
    """

    WIDTH = 30

    def __init__(self, total: int, stream: TextIO | None) -> None:
        self._total = total
        self._line = StatusLine(stream)
        self._started = monotonic()

    def show(self, result: CopyResult) -> None:
        """Draw the bar with the rate and the time that is left."""
        total = max(self._total, result.total, 1)
        filled = self.WIDTH * result.total // total
        bar = "#" * filled + "-" * (self.WIDTH - filled)
        rate = result.total / max(monotonic() - self._started, 0.001)
        left = (total - result.total) / max(rate, 0.001)
        self._line.show(f"[{bar}] {result.total:,} of {total:,}, {rate:,.0f} a second, {_duration(left)} left")

    def clear(self) -> None:
        """Remove the bar."""
        self._line.clear()


def _duration(seconds: float) -> str:
    if seconds < 60:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min"
