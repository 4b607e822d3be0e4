"""What is wrong with a store, for the operator's log: once when it begins, once when it is over."""

from __future__ import annotations

import logging
import threading
from time import monotonic

from rui_api.store.base import StorageUnavailable

log = logging.getLogger("rui_api.store")

OVERLOAD_INTERVAL = 10.0
"""Seconds between two lines about too much waiting, which may come and go with every request."""


class Trouble:
    """The faults that a store has now. May be used from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._now: dict[str, str] = {}
        self._overload = -OVERLOAD_INTERVAL

    def report(self, kind: str, fault: StorageUnavailable | None) -> None:
        """How it went: what failed is said when it is news, and that it is over when nothing is wrong any more.

        Args:
            kind: what was tried, such as ``read``.
            fault: what was wrong, or None.
        """
        if fault is None and kind not in self._now:  # nearly always
            return
        with self._lock:
            known = set(self._now.values())
            if fault is not None:
                self._now[kind] = str(fault)
                if str(fault) not in known:
                    log.error("store unavailable: %s", fault)
            elif self._now.pop(kind, None) is not None and not self._now:
                log.warning("store answers again")

    def lasts(self, kind: str) -> bool:
        """Whether what was tried last of this kind failed."""
        return kind in self._now

    def overload(self, waiting: int) -> StorageUnavailable:
        """Too much waits; what to raise."""
        fault = StorageUnavailable(f"{waiting} requests wait for the store already")
        with self._lock:
            if monotonic() - self._overload >= OVERLOAD_INTERVAL:
                self._overload = monotonic()
                log.error("store overloaded: %s", fault)
        return fault
