"""Plain numbers about a store, for whoever watches it."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, field

BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0)
"""Seconds: the upper bounds of the buckets that durations are counted in; one more bucket holds what took longer."""


@dataclass(slots=True)
class OperationStats:
    """One sort of request to a store, such as putting.

    Attributes:
        done: requests that were answered.
        failed: requests that were not, those that `refused` counts among them.
        refused: requests that were turned away at once, because too many waited.
        waiting: requests that wait now.
        waiting_bytes: the size of what they hold.
        batches: so often the store was asked for what waited together.
        seconds: the time that requests waited for their answer, all in all.
        buckets: how many of them took how long; not yet summed up, one bucket more than `BOUNDS`.
    """

    done: int = 0
    failed: int = 0
    refused: int = 0
    waiting: int = 0
    waiting_bytes: int = 0
    batches: int = 0
    seconds: float = 0.0
    buckets: list[int] = field(default_factory=lambda: [0] * (len(BOUNDS) + 1))

    def observe(self, seconds: float) -> None:
        """A request was answered or failed after so many seconds."""
        self.seconds += seconds
        self.buckets[bisect_left(BOUNDS, seconds)] += 1


@dataclass(frozen=True, slots=True)
class StoreStats:
    """The numbers of one store. They are the living ones: they go on counting.

    Attributes:
        put: what was to be stored. What asks whether the store is ready waits in this line, too, and counts there as
            long as it waits.
        get: what was looked up.
        ready: what came of asking whether the store is ready.
    """

    put: OperationStats
    get: OperationStats
    ready: OperationStats = field(default_factory=OperationStats)
