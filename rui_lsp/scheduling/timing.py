"""How the process shares its time, so that typing never waits for work that can wait.

By default a thread that computes keeps the interpreter for 5 ms, and the garbage collector visits all objects now and
then: with a large document open, that stops everything for 50 ms and more. `configure_process` changes both.
"""

from __future__ import annotations

import asyncio
import gc
import sys
import time
from asyncio import TimerHandle
from collections.abc import Callable

SWITCH_INTERVAL = 0.0005
"""Seconds after which a thread that computes lets another one run."""

_YOUNG = 2000  # objects, after which a collection takes a millisecond at most
_MIDDLE = 10  # such collections
_NEVER = 1 << 30
_OLD_ROUNDS = 1000  # collections of the middle generation after which a full one is due: hours of typing

IDLE_SECONDS = 0.5
"""Seconds without a message after which the author is assumed not to type."""

CHOICE_SECONDS = 3.0
"""The same at a member that is only begun: the author may be reading the proposals."""

SLICE = 0.0005
"""Seconds that a task may keep the event loop."""

_TURNS = 4  # of the event loop, from bytes that arrive to the response to the request that they hold


def configure_process() -> None:
    """Let threads take turns quickly, and leave full garbage collections to `collect_garbage`.

    Before the server is imported, this saves an eighth of its start: full collections would find nothing then.
    """
    sys.setswitchinterval(SWITCH_INTERVAL)
    gc.set_threshold(_YOUNG, _MIDDLE, _NEVER)


def keep_imported_objects() -> None:
    """Exclude all objects that exist from garbage collections: what has been imported stays for good."""
    gc.freeze()


def collect_garbage(*, has_closed: bool) -> None:
    """Run a full garbage collection if a document has been closed, or if many changes have been made."""
    if has_closed or gc.get_count()[2] > _OLD_ROUNDS:
        gc.collect()


class IdleTimer:
    """Calls a function when `restart` has not been called for `IDLE_SECONDS`."""

    __slots__ = ("_callback", "_timer")

    def __init__(self, callback: Callable[[], None]) -> None:
        self._callback = callback
        self._timer: TimerHandle | None = None

    def restart(self) -> None:
        """Begin to wait again."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_later(IDLE_SECONDS, self._callback)


class TimeSlice:
    """Measures how long a task has kept the event loop."""

    __slots__ = ("_start",)

    def __init__(self) -> None:
        self._start = time.perf_counter()

    @property
    def is_over(self) -> bool:
        """Whether `SLICE` is used up: then it is time for a `pause`."""
        return time.perf_counter() - self._start > SLICE

    async def pause(self) -> None:
        """Let others run; then the next slice begins."""
        for _ in range(_TURNS):
            await asyncio.sleep(0)
        self._start = time.perf_counter()
