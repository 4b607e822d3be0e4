"""DATA: the columns of both stores, and the statements that lead from each version of the schema to the next.

A released version never changes; the next one is appended. A store takes the versions that it lacks when it is opened,
in one transaction. A store with a later version than this program is refused.
"""

from collections.abc import Sequence

from rui_api.store.base import StoreRefused

COLUMNS = "spec_id, created_at, content_hash, validation_version, registry_version, normalized_rui"
ON_CONFLICT = (
    "ON CONFLICT (spec_id) DO UPDATE SET created_at = excluded.created_at, content_hash = '', validation_version = '', "
    "registry_version = '', normalized_rui = excluded.normalized_rui "
    "WHERE excluded.content_hash = '' AND old.content_hash <> ''"
)
"""A tombstone replaces the spec with its id. Nothing else changes a row."""

SQLITE_VERSIONS = (
    "CREATE TABLE specs (spec_id TEXT PRIMARY KEY, created_at TEXT NOT NULL, content_hash TEXT NOT NULL, "
    "validation_version TEXT NOT NULL, registry_version TEXT NOT NULL, normalized_rui BLOB NOT NULL)",
)
# The prefix rui_ keeps the tables apart from others in the same database. BYTEA, because TEXT refuses NUL and JSONB
# reorders keys. The primary key is random, so it can distribute the table.
POSTGRES_VERSIONS = (
    "CREATE TABLE rui_specs (spec_id UUID PRIMARY KEY, created_at TEXT NOT NULL, content_hash TEXT NOT NULL, "
    "validation_version TEXT NOT NULL, registry_version TEXT NOT NULL, normalized_rui BYTEA NOT NULL)",
)


def missing_versions(current: int, versions: Sequence[str]) -> Sequence[str]:
    """Return the statements that a store with the version `current` lacks; 0 is an empty store.

    Raises:
        StoreRefused: the store has a later version.
    """
    if current > len(versions):
        raise StoreRefused(
            f"the store has schema version {current}, this program knows versions up to {len(versions)}: "
            "use a later program"
        )
    return versions[current:]
