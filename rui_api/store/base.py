"""The interface of a store, its records and its errors."""

from __future__ import annotations

from typing import NamedTuple, Protocol


class StorageUnavailable(Exception):  # noqa: N818  named after the error code of section 7.4
    """The store cannot answer now. The message is for the log only: it may contain names of files and hosts."""


class StoreFull(StorageUnavailable):
    """The store or its disk is full. Specs can be read, and an operator can make room."""


class StoreRefused(StorageUnavailable):
    """The database belongs to another program or to a later version of this one. Only an operator can help."""


class StoredSpec(NamedTuple):
    """A stored spec, which never changes (specification, section 2.4). The fields have the order of the columns.

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
    """The tombstone of a spec that an operator deleted. Its id is never used again; clients do not get the reason."""

    spec_id: str
    deleted_at: str
    reason: str


class ListedId(NamedTuple):
    """The id of a spec or of a tombstone."""

    spec_id: str
    is_deleted: bool


ReadResult = StoredSpec | DeletedSpec | None
"""A spec, its tombstone, or None if the store has never had it."""

Row = tuple[str, str, str, str, str, bytes]
"""A row of the table of specs. A tombstone has no content hash, and its reason in place of the RUI."""


def to_row(spec: StoredSpec | DeletedSpec) -> Row:
    """Return the row of a spec or of a tombstone."""
    if isinstance(spec, StoredSpec):
        return (*spec,)
    return spec.spec_id, spec.deleted_at, "", "", "", spec.reason.encode("utf-8", "replace")


def from_row(row: Row) -> StoredSpec | DeletedSpec:
    """Return the spec or the tombstone in a row."""
    spec = StoredSpec(*row)
    if spec.content_hash:
        return spec
    return DeletedSpec(spec.spec_id, spec.created_at, spec.rui.decode("utf-8", "replace"))


class Store(Protocol):
    """A store of specs for one event loop. It connects on first use, and again after a failure.

    All methods but `close` raise `StorageUnavailable` if the store is unreachable, read-only, full, frozen or
    overloaded, within the deadline in its options. A failed call leaves no partial data.
    """

    async def open(self) -> None:
        """Create the store if it is missing, and bring its schema up to date.

        Raises:
            StoreRefused: the database belongs to another program or to a later version of this one.
        """

    async def store(self, spec: StoredSpec) -> None:
        """Store `spec`. On return it survives the death of the process and of the machine.

        An id that exists already is left unchanged.
        """

    async def fetch(self, spec_id: str) -> ReadResult:
        """Return the spec with this id (canonical, lower case), its tombstone, or None."""

    async def ready(self) -> None:
        """Return if a spec could be stored now."""

    async def delete(self, spec: DeletedSpec) -> None:
        """Durably replace a spec by its tombstone. A tombstone that exists already is left unchanged."""

    async def list_ids(self, after: str, limit: int) -> list[ListedId]:
        """Return at most `limit` ids in order, beginning after the id `after`; ``""`` for the start."""

    async def close(self) -> None:
        """Finish pending requests and release all resources. The store is not used afterwards."""
