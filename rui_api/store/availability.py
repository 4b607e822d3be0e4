"""What both stores do while the database is slow or away: they refuse requests in time, and log the reason."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from typing import NamedTuple

from rui_api.store.base import StorageUnavailable, StoreFull
from rui_common.vocabulary.rules import MAX_BODY_BYTES

log = logging.getLogger("rui_api.store")

RESERVED = 2 * MAX_BODY_BYTES
"""Bytes that stay free, so that a full store refuses all specs and not only large ones."""
MAX_WAITING_BYTES = 32 << 20
"""Bytes of the specs that wait. Bounds memory while the database hangs."""
REMINDER_INTERVAL = 60.0
"""Seconds between two lines about the same reason."""
QUIET_INTERVAL = 1.0
"""Seconds without a failure after which an outage is over. Every second request may fail."""


class StoreOptions(NamedTuple):
    """How a store works.

    Attributes:
        max_waiting: maximum number of waiting requests that write, and of those that read.
        max_bytes: maximum size of the file, or of the table with its indexes; 0 means none.
        deadline: seconds that a request waits. Clients are answered within two seconds.
        create: whether a missing store is created.
    """

    max_waiting: int = 2_000
    max_bytes: int = 0
    deadline: float = 1.5
    create: bool = True

    def check_room(self, used: int, size: int = 0) -> None:
        """Raise `StoreFull` if a store that uses so many bytes has no room for a number of further ones."""
        if self.max_bytes and used + max(size, RESERVED) > self.max_bytes:
            raise StoreFull(f"the store is full: it uses {used:,} bytes, --store-max-bytes is {self.max_bytes:,}")


class RequestQueue:
    """The requests of one sort that wait for a database, and the log of its outages. A sort is such as ``storing``."""

    def __init__(self, operation: str, limit: int) -> None:
        self._operation = operation
        self._limit = limit
        self._number = 0
        self._bytes = 0
        self._logged_at: dict[str, float] = {}
        self._failed_at = 0.0

    @contextmanager
    def add(self, size: int = 0) -> Iterator[None]:
        """Count a request of `size` bytes in a `with` block, and log its outcome.

        A reason is logged when it is new, and again every minute; then the end of the outage.

        Raises:
            StorageUnavailable: too many requests wait already.
        """
        try:
            if self._number >= self._limit or self._bytes + size > MAX_WAITING_BYTES:
                raise StorageUnavailable("too many requests wait for the store")
            self._number += 1
            self._bytes += size
            try:
                yield
            finally:
                self._number -= 1
                self._bytes -= size
        except StorageUnavailable as error:
            self._note_failure(str(error))
            raise
        if self._logged_at and monotonic() - self._failed_at >= QUIET_INTERVAL:
            self._logged_at.clear()
            log.warning("store answers again: %s", self._operation)

    def _note_failure(self, reason: str) -> None:
        now = self._failed_at = monotonic()
        if now - self._logged_at.get(reason, -REMINDER_INTERVAL) >= REMINDER_INTERVAL:
            self._logged_at[reason] = now
            log.error("store unavailable: %s: %s", self._operation, reason)
