"""DATA: the SQL of the store, except migrations. A test explains each statement on a filled table: none may scan it.

Parameters have types of PostgreSQL's core, and arrays are sent as ``text[]``. For another array asyncpg looks up its
type with a query that takes PostgreSQL 16 ms per connection, and Citus or CockroachDB seconds.
"""

from __future__ import annotations

COLUMNS = "created_at, content_hash, validation_version, registry_version, normalized_rui"

INSERT = f"INSERT INTO rui_specs (spec_id, {COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (spec_id) DO NOTHING"  # noqa: S608

SELECT = f"SELECT spec_id::text, {COLUMNS} FROM rui_specs WHERE spec_id = ANY($1::text[]::uuid[])"  # noqa: S608

# Without the name of the table, ORDER BY means the column of the result, which is text and has no index.
PAGE = f"SELECT spec_id::text, {COLUMNS} FROM rui_specs WHERE spec_id > $1 ORDER BY rui_specs.spec_id LIMIT $2"  # noqa: S608

TABLE_EXISTS = "SELECT 1 FROM rui_specs WHERE spec_id = '00000000-0000-0000-0000-000000000000'"

READ_ONLY = "SHOW transaction_read_only"
SYNCHRONOUS_COMMIT = "SHOW synchronous_commit"
SET_SYNCHRONOUS_COMMIT = "SET synchronous_commit = on"

SCHEMA_VERSION = "SELECT max(version) FROM rui_schema_version"
CREATE_VERSION = "CREATE TABLE rui_schema_version (version INTEGER PRIMARY KEY)"
FIRST_VERSION = "INSERT INTO rui_schema_version VALUES (1)"
NEXT_VERSION = "UPDATE rui_schema_version SET version = $2 WHERE version = $1"

COUNT = "SELECT count(*) FROM rui_specs"
TIMESTAMPS = "SELECT min(created_at), max(created_at) FROM rui_specs"

FINGERPRINT = (
    "SELECT concat_ws(' ', pg_postmaster_start_time(), "
    "(SELECT oid FROM pg_database WHERE datname = current_database()), 'rui_specs'::regclass::oid)"
)
"""Identifies a table of a running server: a clone of a server is another store."""

FULL_SCANS = (COUNT, TIMESTAMPS)
"""Statements of ``rui store info``, which the service never runs."""
