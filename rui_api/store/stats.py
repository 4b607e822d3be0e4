"""Counters of a store."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, field
from itertools import accumulate

DURATION_BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0)
"""Upper bounds of the histogram buckets, in seconds."""


class Histogram:
    """Observed values by bucket, and their sum. Also used for requests, in `rui_api.observability.counters`.

    Attributes:
        bounds: upper bounds of the buckets.
        buckets: number of values per bucket, not cumulative. The last one counts values above all bounds.
        total: sum of the values.
    """

    __slots__ = ("bounds", "buckets", "total")

    def __init__(self, bounds: tuple[float, ...]) -> None:
        self.bounds = bounds
        self.buckets = [0] * (len(bounds) + 1)
        self.total = 0.0

    def observe(self, value: float) -> None:
        self.buckets[bisect_left(self.bounds, value)] += 1
        self.total += value

    def add(self, other: Histogram) -> None:
        """Add the values of a histogram with the same bounds."""
        self.buckets = [mine + its for mine, its in zip(self.buckets, other.buckets, strict=True)]
        self.total += other.total

    def cumulative(self) -> list[tuple[str, float]]:
        """Return (upper bound, number of values up to it), as Prometheus counts them."""
        labels = [*(f"{bound:g}" if bound < 1 else str(bound) for bound in self.bounds), "+Inf"]
        return list(zip(labels, accumulate(self.buckets), strict=True))


@dataclass(slots=True)
class OperationStats:
    """Counters of one operation, such as `put`.

    Attributes:
        done: requests that succeeded.
        failed: requests that failed, including `refused`.
        refused: requests that were rejected because the queue was full.
        waiting: requests in the queue now.
        waiting_bytes: bytes that these hold.
        batches: batches that the store has handled.
        seconds: durations of all requests.
    """

    done: int = 0
    failed: int = 0
    refused: int = 0
    waiting: int = 0
    waiting_bytes: int = 0
    batches: int = 0
    seconds: Histogram = field(default_factory=lambda: Histogram(DURATION_BOUNDS))


@dataclass(frozen=True, slots=True)
class StoreStats:
    """Counters of a store.

    Attributes:
        put: `Store.store`. Its queue also holds the requests of `Store.ready`.
        get: `Store.fetch`; with replicas, those that were sent to the primary server.
        ready: `Store.ready`.
        replica: those of `Store.fetch` that were sent to replicas, or None if there are none.
    """

    put: OperationStats
    get: OperationStats
    ready: OperationStats = field(default_factory=OperationStats)
    replica: OperationStats | None = None
