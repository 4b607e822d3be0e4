"""When the patience with one connection ends."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from asyncio import AbstractEventLoop, TimerHandle
    from collections.abc import Callable

NEVER = float("inf")


class Phase(Enum):
    """What is coming in, and so what there is patience for."""

    BETWEEN = "between two requests"
    HEAD = "the head of a request is arriving"
    BODY = "its body is arriving"
    UNREAD = "the rest of it is thrown away"
    LINGERING = "everything is said; what still comes in is thrown away"


class Deadlines:
    """Two deadlines of a connection: for what has to come in, and for what has to go out.

    There is one timer, and it is late on purpose: it is set again only when it would ring too late, or has rung too
    early. So a request that arrives in one piece sets none.

    Args:
        loop: the event loop that the connection lives in.
        reading: called when the time for what has to come in is up.
        writing: called when the time for what has to go out is up.
    """

    __slots__ = ("_in", "_loop", "_out", "_reading", "_rings", "_timer", "_writing")

    def __init__(self, loop: AbstractEventLoop, reading: Callable[[], None], writing: Callable[[], None]) -> None:
        self._loop = loop
        self._reading = reading
        self._writing = writing
        self._in = self._out = self._rings = NEVER
        self._timer: TimerHandle | None = None

    def expect(self, seconds: float) -> None:
        """Something has to come in within so many seconds; what was expected before no longer counts."""
        self._in = self._loop.time() + seconds
        self._set()

    def expect_nothing(self) -> None:
        """Nothing has to come in."""
        self._in = NEVER

    def send(self, seconds: float) -> None:
        """What is written has to be gone within so many seconds."""
        self._out = self._loop.time() + seconds
        self._set()

    def sent(self) -> None:
        """It is."""
        self._out = NEVER

    def stop(self) -> None:
        """The connection is gone."""
        self._in = self._out = NEVER
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _set(self) -> None:
        due = min(self._in, self._out)
        if self._timer is not None:
            if self._rings <= due:
                return
            self._timer.cancel()
        self._rings = due
        self._timer = self._loop.call_at(due, self._ring)

    def _ring(self) -> None:
        self._timer = None
        now = self._loop.time()
        if self._out <= now:
            self._out = NEVER
            self._writing()
        if self._in <= now:
            self._in = NEVER
            self._reading()
        if self._timer is None and min(self._in, self._out) != NEVER:
            self._set()
