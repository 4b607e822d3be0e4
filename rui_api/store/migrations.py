"""DATA: how the schema of a store came to be what it is, version by version.

A version is never changed once it is released; the next one is added behind it. Programs of the version before may
still run while a store is migrated, so a step has to leave what they read and write in place.
"""

from __future__ import annotations

from rui_api.store.base import StoreRefused

SQLITE_MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        "CREATE TABLE specs (spec_id TEXT PRIMARY KEY, created_at TEXT NOT NULL, content_hash TEXT NOT NULL, "
        "validation_version TEXT NOT NULL, registry_version TEXT NOT NULL, normalized_rui BLOB NOT NULL)",
    ),
)
"""The statements that lead to version 1, to version 2, and so on."""

# Tables have longer names here, for others may live in the same database. Ids are random, so that stores that split
# tables by key ranges spread them. BYTEA, for TEXT and JSONB refuse or change what JSON may hold.
POSTGRES_MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        "CREATE TABLE rui_specs (spec_id UUID PRIMARY KEY, created_at TEXT NOT NULL, content_hash TEXT NOT NULL, "
        "validation_version TEXT NOT NULL, registry_version TEXT NOT NULL, normalized_rui BYTEA NOT NULL)",
    ),
)


def refuse_later(found: int, known: int) -> None:
    """Nothing, if this program knows version `found`.

    Raises:
        StoreRefused: it does not; the message is for the operator.
    """
    if found > known:
        raise StoreRefused(
            f"the store has schema version {found}, this program knows versions up to {known}: use a later program"
        )
