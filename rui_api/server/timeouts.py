"""The read and the write timeout of a connection."""

from __future__ import annotations

from asyncio import AbstractEventLoop, TimerHandle
from collections.abc import Callable

NEVER = float("inf")


class Timeouts:
    """A read and a write deadline that share one timer.

    The timer is not reset when a deadline moves further away: it fires early and is then set again. So a request that
    arrives in one piece needs no timer operation.
    """

    __slots__ = ("_due", "_loop", "_on_read_timeout", "_on_write_timeout", "_read", "_timer", "_write")

    def __init__(
        self, loop: AbstractEventLoop, on_read_timeout: Callable[[], None], on_write_timeout: Callable[[], None]
    ) -> None:
        self._loop = loop
        self._on_read_timeout = on_read_timeout
        self._on_write_timeout = on_write_timeout
        self._read = NEVER
        self._write = NEVER
        self._due = NEVER
        self._timer: TimerHandle | None = None

    def set_read_deadline(self, seconds: float) -> None:
        """Require data from the client within this time; replaces the previous read deadline."""
        self._read = self._loop.time() + seconds
        self._schedule()

    def clear_read_deadline(self) -> None:
        """Require no data from the client."""
        self._read = NEVER

    def set_write_deadline(self, seconds: float) -> None:
        """Require that the client reads all pending data within this time."""
        self._write = self._loop.time() + seconds
        self._schedule()

    def clear_write_deadline(self) -> None:
        """The pending write has completed."""
        self._write = NEVER

    def cancel(self) -> None:
        """Clear both deadlines: the connection is closed."""
        self._read = NEVER
        self._write = NEVER
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _schedule(self) -> None:
        due = min(self._read, self._write)
        if self._timer is not None:
            if self._due <= due:
                return
            self._timer.cancel()
        self._due = due
        self._timer = self._loop.call_at(due, self._on_timer)

    def _on_timer(self) -> None:
        self._timer = None
        now = self._loop.time()
        if self._write <= now:
            self._write = NEVER
            self._on_write_timeout()
        if self._read <= now:
            self._read = NEVER
            self._on_read_timeout()
        if self._timer is None and min(self._read, self._write) != NEVER:
            self._schedule()
