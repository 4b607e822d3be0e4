"""Limits of the size of a store, so that specs are refused before a disk is full.

The size is measured from time to time. Between two measurements, what is written is counted.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import NamedTuple

from rui_api.store.base import Measurement, StoreFull
from rui_common.vocabulary.rules import MAX_BODY_BYTES

WRITTEN_TIMES = 2
"""How often a spec is counted between two measurements: it is in the log and in the table."""

RESERVED = WRITTEN_TIMES * MAX_BODY_BYTES
"""Bytes that stay free, for a spec of the maximum size: all specs are refused from then on, and not only large ones."""

FULL_SECONDS = 1.0
"""Seconds between two measurements of a store that is full."""

GIGABYTE = 1 << 30


class CapacityLimits(NamedTuple):
    """The limits; 0 means none.

    Attributes:
        max_bytes: the maximum size of the store.
        min_free: the minimum of free bytes on its disk.
    """

    max_bytes: int = 0
    min_free: int = 0


UNLIMITED = CapacityLimits()


class Capacity:
    """The room that is left in a store. For one thread.

    Args:
        limits: the limits.
        seconds: how long a measurement is used.
        clock: the current time in seconds.
    """

    def __init__(
        self, limits: CapacityLimits = UNLIMITED, seconds: float = 1.0, clock: Callable[[], float] = monotonic
    ) -> None:
        self._limits = limits
        self._seconds = seconds
        self._clock = clock
        self._measured_at: float | None = None
        self._measurement = Measurement(0)
        self._room: float = float("inf")

    def is_due(self, size: int) -> bool:
        """Return whether the store has to be measured before `size` bytes are written."""
        if not any(self._limits):
            return False
        if self._measured_at is None:
            return True
        age = self._clock() - self._measured_at
        if self._has_room(size):
            return age >= self._seconds
        return age >= min(self._seconds, FULL_SECONDS)

    def update(self, measurement: Measurement) -> None:
        """Set the current size of the store."""
        self._measured_at = self._clock()
        self._measurement = measurement
        self._room = min(self._below_max(), self._above_min_free())

    def reserve(self, size: int) -> None:
        """Count `size` bytes that are about to be written; 0 only checks that there is room.

        Raises:
            StoreFull: there is no room for them.
        """
        if self._has_room(size):
            self._room -= WRITTEN_TIMES * size
            return
        used, free = self._measurement
        if free is not None and self._above_min_free() < self._below_max():
            raise StoreFull(f"the disk is nearly full: {_shown(free)} are free, of which --store-min-free keeps "
                            f"{_shown(self._limits.min_free)}")  # fmt: skip
        raise StoreFull(f"the store is full: it uses {_shown(used)} of --store-max-bytes, "
                        f"{_shown(self._limits.max_bytes)}")  # fmt: skip

    def _has_room(self, size: int) -> bool:
        return self._room > max(RESERVED, WRITTEN_TIMES * size)

    def _below_max(self) -> float:
        if not self._limits.max_bytes:
            return float("inf")
        return self._limits.max_bytes - self._measurement.used

    def _above_min_free(self) -> float:
        if not self._limits.min_free or self._measurement.free is None:
            return float("inf")
        return self._measurement.free - self._limits.min_free


def measure_file(path: Path) -> Measurement:
    """Return the size of a SQLite file with its write-ahead log, and the free bytes on its disk.

    Raises:
        OSError: its folder is missing.
    """
    used = 0
    for name in (f"{path}", f"{path}-wal"):
        with suppress(FileNotFoundError):
            used += os.stat(name).st_size  # noqa: PTH116  as in `rui_api.store.sqlite.database`
    return Measurement(used, shutil.disk_usage(path.parent).free)


def _shown(size: int) -> str:
    return f"{size / GIGABYTE:.2f} GB"
