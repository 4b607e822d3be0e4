"""Log the start and the end of an outage of the store, not every failed request."""

from __future__ import annotations

import logging
import threading
from time import monotonic

from rui_api.store.base import StorageUnavailable

log = logging.getLogger("rui_api.store")

OVERLOAD_INTERVAL = 10.0
"""Minimum seconds between two lines about a full queue, which may be full and free again with every request."""


class OutageLog:
    """The current errors of a store, by operation. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._errors: dict[str, str] = {}
        self._last_overload = -OVERLOAD_INTERVAL

    def report(self, operation: str, error: StorageUnavailable | None) -> None:
        """Log `error` if no operation fails with it yet, or the end of the outage if `error` is None."""
        if error is None and operation not in self._errors:  # the common case, without the lock
            return
        with self._lock:
            if error is not None:
                if str(error) not in self._errors.values():
                    log.error("store unavailable: %s", error)
                self._errors[operation] = str(error)
            elif self._errors.pop(operation, None) is not None and not self._errors:
                log.warning("store answers again")

    def is_ongoing(self, operation: str) -> bool:
        """Return whether the last request of this operation failed."""
        return operation in self._errors

    def overload(self, waiting: int) -> StorageUnavailable:
        """Log that the queue is full, and return the error to raise."""
        error = StorageUnavailable(f"{waiting} requests wait for the store already")
        with self._lock:
            if monotonic() - self._last_overload >= OVERLOAD_INTERVAL:
                self._last_overload = monotonic()
                log.error("store overloaded: %s", error)
        return error
