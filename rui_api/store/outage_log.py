"""Log the start and the end of an outage of the store, not every failed request."""

from __future__ import annotations

import logging
import threading
from time import monotonic

from rui_api.store.base import StorageUnavailable

log = logging.getLogger("rui_api.store")

OVERLOAD_INTERVAL = 10.0
"""Minimum seconds between two lines about a full queue, which may be full and free again with every request."""

OUTAGE_INTERVAL = 10.0
"""Minimum seconds between two lines about outages: a store that serves every second request fails all the time."""


class OutageLog:
    """The current errors of a store, by operation. Thread-safe.

    Args:
        subject: what is unavailable, as lines name it.
    """

    def __init__(self, subject: str = "store") -> None:
        self._subject = subject
        self._lock = threading.Lock()
        self._errors: dict[str, str] = {}
        self._is_logged = False
        self._is_explained = True
        self._begun = -OUTAGE_INTERVAL
        self._last_overload = -OVERLOAD_INTERVAL

    def report(self, operation: str, error: StorageUnavailable | None) -> None:
        """Log `error` if it begins an outage, or the end of the outage if `error` is None.

        An outage that ends and begins again within `OUTAGE_INTERVAL` is logged once.
        """
        if error is None and operation not in self._errors:  # the common case, without the lock
            return
        with self._lock:
            if error is not None:
                self._is_logged = (self._is_logged and bool(self._errors)) or self._log(error)
                self._errors[operation] = str(error)
            elif self._errors.pop(operation, None) is not None and not self._errors and self._is_logged:
                log.warning("%s answers again after %.1f s", self._subject, monotonic() - self._begun)

    def _log(self, error: StorageUnavailable) -> bool:
        now = monotonic()
        if now - self._begun < OUTAGE_INTERVAL:
            return False
        self._begun = now
        self._is_explained = False
        log.error("%s unavailable: %s", self._subject, error)
        return True

    def explain(self, reason: str) -> None:
        """Log the reason for the current outage, once."""
        with self._lock:
            if not self._is_explained:
                self._is_explained = True
                log.error("%s unavailable: %s", self._subject, reason)

    def is_ongoing(self, operation: str) -> bool:
        """Return whether the last request of this operation failed."""
        return operation in self._errors

    def overload(self, waiting: int) -> StorageUnavailable:
        """Log that the queue is full, and return the error to raise."""
        error = StorageUnavailable(f"{waiting} requests wait for the store already")
        with self._lock:
            if monotonic() - self._last_overload >= OVERLOAD_INTERVAL:
                self._last_overload = monotonic()
                log.error("%s overloaded: %s", self._subject, error)
        return error
