"""Plain numbers about requests: counted with next to no cost, made into metrics when somebody asks."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter

from rui_common.http_contract.endpoints import ERROR_MESSAGES

SECONDS = (0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
"""Upper bounds of the buckets that durations are counted in; one more holds what took longer."""
BYTES = (256, 1_024, 4_096, 16_384, 65_536, 262_144, 1_048_576)
"""The same for sizes of bodies."""


class Histogram:
    """How many values lie under which bound, and their sum.

    Attributes:
        buckets: not yet summed up, one more than bounds.
        total: of all values.
    """

    __slots__ = ("buckets", "total")

    def __init__(self, bounds: tuple[float, ...]) -> None:
        self.buckets = [0] * (len(bounds) + 1)
        self.total = 0.0


class Requests:
    """The requests of one route, one method, one status."""

    __slots__ = ("received", "seconds", "sent")

    def __init__(self) -> None:
        self.seconds = Histogram(SECONDS)
        self.received = Histogram(BYTES)
        self.sent = Histogram(BYTES)


class Counts:
    """All numbers of one process.

    Attributes:
        requests: by route, method and status.
        codes: the codes of errors in answers, each time that one stood there; those of the service itself are there
            from the beginning, for a counter that comes into being at 1 is to Prometheus one that never rose.
        running: requests that are being answered.
    """

    def __init__(self) -> None:
        self.requests: dict[tuple[str, str, int], Requests] = {}
        self.codes: Counter[str] = Counter(dict.fromkeys(ERROR_MESSAGES, 0))
        self.running = 0

    def add(self, key: tuple[str, str, int], seconds: float, received: int, sent: int) -> None:
        """Count a request that was answered."""
        requests = self.requests.get(key)
        if requests is None:
            requests = self.requests[key] = Requests()
        # Written out: three calls would cost as much as all the rest.
        histogram = requests.seconds
        histogram.buckets[bisect_left(SECONDS, seconds)] += 1
        histogram.total += seconds
        histogram = requests.received
        histogram.buckets[bisect_left(BYTES, received)] += 1
        histogram.total += received
        histogram = requests.sent
        histogram.buckets[bisect_left(BYTES, sent)] += 1
        histogram.total += sent
