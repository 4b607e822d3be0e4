"""How the process shares its time, so that nobody who types waits for something that can wait.

Threads take turns at the interpreter, and by default one that computes keeps it for 5 ms, each time that another wants
it back. And from time to time Python looks through all objects for cycles that nobody can reach: with a large document
open, that stops everything for 50 ms and more. Both are set here for the whole process.
"""

from __future__ import annotations

import gc
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from asyncio import TimerHandle
    from collections.abc import Callable

SWITCH_INTERVAL = 0.0005
"""Seconds after which a thread that computes makes way."""

YOUNG, MIDDLE = 2000, 10
"""Objects, and rounds over those, after which young objects are looked through: it takes a millisecond at most."""

SLICE = 0.0005
"""Seconds of a task on the event loop after which others have their turn."""

_QUIET, _MOST = 2, 24
"""Others have turns of the loop then until nothing has come in for so many of them, and so many at most."""

_received = 0  # how often something has come in, or been worked on

QUIET = 0.5
"""Seconds without anything to do after which it may be assumed that nobody types."""

_NEVER = 1 << 30
_MANY = 1000
"""Rounds over objects of middle age after which it is time to look through all: hours of typing."""


def set_pace() -> None:
    """Have threads make way soon, and old objects looked through only by `tidy_up`."""
    sys.setswitchinterval(SWITCH_INTERVAL)
    gc.set_threshold(YOUNG, MIDDLE, _NEVER)


def settle() -> None:
    """Note that what has been loaded stays for good: `tidy_up` need not look at it."""
    gc.freeze()


def tidy_up(*, has_closed: bool) -> None:
    """Look through all objects, if that may be worth it; to be called when there is nothing else to do.

    Args:
        has_closed: whether a document has been closed since the last time.
    """
    if has_closed or gc.get_count()[2] > _MANY:
        gc.collect()


def note_work() -> None:
    """Note that something came in or was worked on: whoever pauses pauses a little longer."""
    global _received  # noqa: PLW0603
    _received += 1


class Quiet:
    """Calls something when nothing has happened for `QUIET` seconds: nobody types then.

    Args:
        then: what is called. Where there is no event loop, and so no time, that is at once.
    """

    __slots__ = ("_then", "_timer")

    def __init__(self, then: Callable[[], None]) -> None:
        self._then = then
        self._timer: TimerHandle | None = None

    def begins(self) -> None:
        """Note that something has happened, and now nothing does."""
        from asyncio import get_running_loop  # noqa: PLC0415  not needed before the reply to `initialize`

        if self._timer is not None:
            self._timer.cancel()
        try:
            self._timer = get_running_loop().call_later(QUIET, self._then)
        except RuntimeError:
            self._then()


class Slices:
    """Tells a task on the event loop when it is time to let others have their turn."""

    __slots__ = ("_since",)

    def __init__(self) -> None:
        self._since = time.perf_counter()

    @property
    def is_over(self) -> bool:
        """Whether a slice of time is used up: then it is time for a `pause`."""
        return time.perf_counter() - self._since > SLICE

    async def pause(self) -> None:
        """Let others have their turn; then the next slice begins."""
        from asyncio import sleep  # noqa: PLC0415  not needed before the reply to `initialize`

        quiet, seen = 0, _received
        for _ in range(_MOST):
            await sleep(0)
            quiet, seen = quiet + 1 if seen == _received else 0, _received
            if quiet == _QUIET:
                break
        self._since = time.perf_counter()
