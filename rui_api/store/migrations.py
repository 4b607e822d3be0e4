"""DATA: the statements that create the schema of a store, by version.

A released version never changes; the next one is appended. During a migration, programs of the previous version may
still run, so each step must keep the tables and columns that they use.
"""

from __future__ import annotations

from rui_api.store.base import StoreRefused

SQLITE_MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        "CREATE TABLE specs (spec_id TEXT PRIMARY KEY, created_at TEXT NOT NULL, content_hash TEXT NOT NULL, "
        "validation_version TEXT NOT NULL, registry_version TEXT NOT NULL, normalized_rui BLOB NOT NULL)",
    ),
)
"""Statements that lead to version 1, to version 2, and so on."""

# The prefix rui_ keeps the tables apart from others in the same database. BYTEA, because TEXT refuses NUL and JSONB
# reorders keys.
POSTGRES_MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        "CREATE TABLE rui_specs (spec_id UUID PRIMARY KEY, created_at TEXT NOT NULL, content_hash TEXT NOT NULL, "
        "validation_version TEXT NOT NULL, registry_version TEXT NOT NULL, normalized_rui BYTEA NOT NULL)",
    ),
)


def refuse_later(version: int, known: int) -> None:
    """Raise `StoreRefused` if the schema `version` of a store is later than the latest one `known`."""
    if version > known:
        raise StoreRefused(
            f"the store has schema version {version}, this program knows versions up to {known}: use a later program"
        )
