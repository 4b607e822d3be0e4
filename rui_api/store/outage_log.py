"""Log the start, the reasons and the end of an outage of the store, not every failed request."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from time import monotonic

from rui_api.store.base import StorageUnavailable

log = logging.getLogger("rui_api.store")

REMINDER_INTERVAL = 60.0
"""Seconds between two lines about the same reason of an outage that goes on."""

OUTAGE_INTERVAL = 1.0
"""Minimum seconds between two lines about the same reason of different outages: every second request may fail."""

OVERLOAD_INTERVAL = 10.0
"""Minimum seconds between two lines about a full queue, which may be full and free again with every request."""

MAX_REASONS = 100


class OutageLog:
    """The current errors of a store, by operation. Thread-safe.

    Args:
        subject: what is unavailable, as lines name it.
        clock: the current time in seconds.
    """

    def __init__(self, subject: str = "store", clock: Callable[[], float] = monotonic) -> None:
        self._subject = subject
        self._clock = clock
        self._lock = threading.Lock()
        self._failing: set[str] = set()
        self._begun = 0.0
        self._is_logged = False
        self._logged_at: dict[str, float] = {}
        self._last_overload = -OVERLOAD_INTERVAL

    def report(self, operation: str, error: StorageUnavailable | None) -> None:
        """Note the outcome of a request: `error`, or None if it succeeded.

        Each reason is logged when it is new in the outage, and again every minute while it lasts.
        """
        if error is None and operation not in self._failing:  # the common case, without the lock
            return
        with self._lock:
            if error is not None:
                if not self._failing:
                    self._begun = self._clock()
                    self._is_logged = False
                self._failing.add(operation)
                self._log(str(error))
            elif operation in self._failing:
                self._failing.remove(operation)
                if not self._failing and self._is_logged:
                    log.warning("%s answers again after %.1f s", self._subject, self._clock() - self._begun)

    def explain(self, reason: str) -> None:
        """Log a reason for the current outage."""
        with self._lock:
            if self._failing:
                self._log(reason)

    def is_ongoing(self, operation: str) -> bool:
        """Return whether the last request of this operation failed."""
        return operation in self._failing

    def overload(self, waiting: int) -> StorageUnavailable:
        """Log that the queue is full, and return the error to raise."""
        error = StorageUnavailable(f"{waiting} requests wait for the store already")
        with self._lock:
            now = self._clock()
            if now - self._last_overload >= OVERLOAD_INTERVAL:
                self._last_overload = now
                log.error("%s overloaded: %s", self._subject, error)
        return error

    def _log(self, reason: str) -> None:
        now = self._clock()
        last = self._logged_at.get(reason, -REMINDER_INTERVAL)
        interval = REMINDER_INTERVAL if last >= self._begun else OUTAGE_INTERVAL
        if now - last < interval:
            return
        if len(self._logged_at) >= MAX_REASONS:
            self._logged_at.clear()
        self._logged_at[reason] = now
        self._is_logged = True
        log.error("%s unavailable: %s", self._subject, reason)
