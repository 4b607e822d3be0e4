"""Counters of requests. They become Prometheus metrics when they are scraped, in `rui_api.observability.prometheus`."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from itertools import accumulate

from rui_common.http_contract.errors import ERROR_MESSAGES

DURATION_BOUNDS = (0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
"""Upper bounds of the histogram buckets, in seconds."""
SIZE_BOUNDS = (256, 1_024, 4_096, 16_384, 65_536, 262_144, 1_048_576)
"""Upper bounds of the histogram buckets, in bytes."""


class Histogram:
    """Observed values by bucket, and their sum.

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


class RouteCounters:
    """The requests of one route, method and status."""

    __slots__ = ("received", "seconds", "sent")

    def __init__(self) -> None:
        self.seconds = Histogram(DURATION_BOUNDS)
        self.received = Histogram(SIZE_BOUNDS)
        self.sent = Histogram(SIZE_BOUNDS)


class RequestCounters:
    """The requests of one process.

    A Counter and three Histograms of prometheus_client take 3.8 µs per request, `add` takes 0.7.

    Attributes:
        routes: counters by route, method and status.
        codes: number of error codes in responses. Those of the service start at 0, because Prometheus sees no increase
            in a counter that starts at 1.
        running: number of requests in progress.
    """

    def __init__(self) -> None:
        self.routes: dict[tuple[str, str, int], RouteCounters] = {}
        self.codes: Counter[str] = Counter(dict.fromkeys(ERROR_MESSAGES, 0))
        self.running = 0

    def add(self, key: tuple[str, str, int], seconds: float, received: int, sent: int) -> None:
        """Count a finished request under its route, method and status."""
        counters = self.routes.get(key)
        if counters is None:
            counters = self.routes[key] = RouteCounters()
        counters.seconds.observe(seconds)
        counters.received.observe(received)
        counters.sent.observe(sent)
