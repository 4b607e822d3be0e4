"""The interface of a store, its records and its errors."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import NamedTuple, Protocol


class StorageUnavailable(Exception):  # noqa: N818  named after the error code of section 7.4
    """The store cannot answer now. The message is for the log only: it may contain names of files and hosts."""


class StoreFull(StorageUnavailable):
    """The store or its disk is full. Specs can be read, and an operator can make room."""


class OutcomeUnknown(StorageUnavailable):
    """The store did not answer in time, or its connection broke: what was to be stored may be stored."""


class StoreRefused(StorageUnavailable):
    """The database belongs to another program or to a later version of this one. Only an operator can help."""


class StoredSpec(NamedTuple):
    """A row of the table of specs: a spec, which never changes (specification, section 2.4), or a tombstone."""

    spec_id: str  # the UUID in its canonical form, in lower case
    created_at: str  # such as ``2026-01-31T09:15:00.123Z``; of a tombstone, the time of the deletion
    content_hash: str  # ``sha256:`` and 64 hexadecimal digits; of a tombstone, ``""``
    validation_version: str  # the version of the rules that the validator applied
    registry_version: str  # the version of the vocabulary
    rui: bytes  # ``normalizedRui`` as JSON in UTF-8. Every GET returns exactly these bytes. Of a tombstone, the reason.

    @property
    def is_deleted(self) -> bool:
        """Whether an operator deleted the spec. Its id is never used again; clients do not get the reason."""
        return not self.content_hash


class Entry(NamedTuple):
    """A row without its content, which has `size` bytes."""

    spec_id: str
    created_at: str
    size: int
    is_deleted: bool


def timestamp(seconds: float) -> str:
    """Format a Unix time such as ``2026-01-31T09:15:00.123Z``."""
    time = datetime.fromtimestamp(seconds, UTC)
    return time.isoformat(timespec="milliseconds").removesuffix("+00:00") + "Z"


def tombstone(spec_id: str, deleted_at: str, reason: str) -> StoredSpec:
    """Return the tombstone that replaces a spec when it is stored."""
    return StoredSpec(spec_id, deleted_at, "", "", "", reason.encode("utf-8", "replace"))


class Store(Protocol):
    """A store of specs for one event loop. It connects on first use, and again after a failure.

    All methods but `close` raise `StorageUnavailable` if the store is unreachable, read-only, full, frozen or
    overloaded, within the deadline in its options. A failed call leaves no partial data.
    """

    async def open(self) -> Sequence[str]:
        """Create the store if it is missing, and bring its schema up to date. May raise `StoreRefused`.

        Returns:
            What may lose specs, and only an operator can change; a sentence without its end for each.
        """

    async def store(self, spec: StoredSpec) -> None:
        """Store a spec, or a tombstone. On return it survives the death of the process and of the machine.

        An id that exists already is left unchanged, except that a tombstone replaces its spec.
        """

    async def fetch(self, spec_id: str) -> StoredSpec | None:
        """Return the spec with this id (canonical, lower case), its tombstone, or None."""

    async def ready(self) -> None:
        """Return if a spec could be stored now."""

    async def list_entries(self, after: str, limit: int) -> list[Entry]:
        """Return at most `limit` entries in the order of their ids, after the id `after` or ``""``."""

    async def list_specs(self, after: str, limit: int) -> list[StoredSpec]:
        """Return at most `limit` specs and tombstones in the order of their ids, after the id `after` or ``""``."""

    async def identity(self) -> object:
        """Return a value that only another connection to the same data has."""

    async def close(self) -> None:
        """Finish pending requests and release all resources. The store is not used afterwards."""
