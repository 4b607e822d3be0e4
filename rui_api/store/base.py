"""The interface of a store, its records and its errors."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from rui_api.store.stats import StoreStats


class StorageUnavailable(Exception):  # noqa: N818  named after the error code of section 7.4
    """The store cannot answer now; trying again later may help.

    The message is for the operator's log and not for clients: it may contain names of files and hosts.
    """


class StoreFull(StorageUnavailable):
    """A limit of the size of the store is reached. Specs can be read, and an operator can make room."""


class StoreRefused(StorageUnavailable):
    """The database belongs to another program or to a later version of this one. Only an operator can help."""


class StoredSpec(NamedTuple):
    """A stored spec, which never changes (specification, section 2.4). The fields are in the order of the columns.

    Attributes:
        spec_id: the UUID in its canonical form, in lower case.
        created_at: such as ``2026-01-31T09:15:00.123Z``.
        content_hash: ``sha256:`` and 64 hexadecimal digits.
        validation_version: the version of the rules that the validator applied.
        registry_version: the version of the vocabulary.
        rui: ``normalizedRui`` as JSON in UTF-8. Every GET returns exactly these bytes.
    """

    spec_id: str
    created_at: str
    content_hash: str
    validation_version: str
    registry_version: str
    rui: bytes


class DeletedSpec(NamedTuple):
    """The tombstone of a spec that an operator deleted. Its id is never used again.

    Attributes:
        spec_id: the UUID in its canonical form, in lower case.
        deleted_at: a time in the form of `StoredSpec.created_at`.
        reason: for the operator, not for clients.
    """

    spec_id: str
    deleted_at: str
    reason: str


ReadResult = StoredSpec | DeletedSpec | None
"""A spec, its tombstone, or None if the store has never had it."""


class Measurement(NamedTuple):
    """The size of a store.

    Attributes:
        used: the bytes that it uses.
        free: the free bytes on its disk, or None if they are not known.
    """

    used: int
    free: int | None = None


class Store(Protocol):
    """A store of specs. It connects on first use, and again after a failure.

    `store`, `fetch` and `ready` raise `StorageUnavailable` if the store is unreachable, read-only, full, frozen or
    overloaded. They do so within `rui_api.store.queue.STALL_TIMEOUT` seconds if the store makes no progress, and within
    `MAX_WAIT` seconds if it is only slow. A failed call leaves no partial data.
    """

    async def store(self, spec: StoredSpec) -> None:
        """Store `spec`. On return it survives the death of the process and of the machine."""

    async def fetch(self, spec_id: str) -> ReadResult:
        """Return the spec with this id (canonical, lower case), its tombstone, or None.

        Another process may delete a spec at any time; the next call returns the tombstone.
        """

    async def ready(self) -> None:
        """Return if a spec could be stored and read now."""

    async def measure(self) -> Measurement:
        """Return the size of the store.

        Raises:
            StorageUnavailable: it cannot be measured now.
        """

    def stats(self) -> StoreStats:
        """Return the live counters of this store."""

    async def close(self) -> None:
        """Finish pending requests and release all resources. The store is not used afterwards."""
