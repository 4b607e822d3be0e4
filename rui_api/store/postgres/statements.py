"""DATA: the SQL of the store, except migrations. A test explains each statement on a filled table: none may scan it.

Parameters have types of PostgreSQL's core, and arrays are sent as ``text[]``. For another array asyncpg looks up its
type with a query that takes PostgreSQL 16 ms per connection, and Citus or CockroachDB seconds.
"""

from __future__ import annotations

from math import ceil

COLUMNS = "created_at, content_hash, validation_version, registry_version, normalized_rui"

INSERT = f"INSERT INTO rui_specs (spec_id, {COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (spec_id) DO NOTHING"  # noqa: S608

# Repeats an insert without an answer. A row that is there is written again, unchanged, so that this commit waits for
# the synchronous standby in place of the first one, whose wait may have ended with a crash. DO NOTHING would not wait.
REPEAT = (
    f"INSERT INTO rui_specs AS old (spec_id, {COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6) "  # noqa: S608
    "ON CONFLICT (spec_id) DO UPDATE SET created_at = old.created_at"
)

SELECT = f"SELECT spec_id::text AS id, {COLUMNS} FROM rui_specs WHERE spec_id = ANY($1::text[]::uuid[])"  # noqa: S608

# The text has another name than the column. If both were called spec_id, ORDER BY would mean the text, which has no
# index; in the queries that Citus sends to its workers also if the name of the table were before it.
PAGE = f"SELECT spec_id::text AS id, {COLUMNS} FROM rui_specs WHERE spec_id > $1 ORDER BY spec_id LIMIT $2"  # noqa: S608

IDS = "SELECT spec_id::text AS id FROM rui_specs WHERE spec_id > $1 ORDER BY spec_id LIMIT $2"
DELETED_IDS = (
    "SELECT spec_id::text AS id FROM rui_specs WHERE content_hash = '' AND spec_id > $1 ORDER BY spec_id LIMIT $2"
)

# In the order in which they were stored, which is the order of the table. Needs the index of the second version.
PAGE_BY_TIME = (
    f"SELECT spec_id::text AS id, {COLUMNS} FROM rui_specs WHERE (created_at, spec_id) > ($1, $2::uuid) "  # noqa: S608
    "ORDER BY created_at, spec_id LIMIT $3"
)

# Idempotent: a tombstone stays as it is.
DELETE = (
    f"INSERT INTO rui_specs AS old (spec_id, {COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6) "  # noqa: S608
    "ON CONFLICT (spec_id) DO UPDATE SET (created_at, content_hash, validation_version, registry_version, "
    "normalized_rui) = (excluded.created_at, excluded.content_hash, excluded.validation_version, "
    "excluded.registry_version, excluded.normalized_rui) WHERE old.content_hash <> ''"
)

TABLE_EXISTS = "SELECT 1 FROM rui_specs WHERE spec_id = '00000000-0000-0000-0000-000000000000'"

READ_ONLY = "SHOW transaction_read_only"
SERVER_START = "SELECT pg_postmaster_start_time()::text"
WAITING = (
    "SELECT pid, coalesce(wait_event, '') FROM pg_stat_activity WHERE pid = ANY($1::text[]::int[]) AND state = 'active'"
)
DURABLE = (
    "SELECT set_config('synchronous_commit', CASE current_setting('synchronous_commit') "
    "WHEN 'remote_apply' THEN 'remote_apply' ELSE 'on' END, true)"
)
"""Makes the commit of this transaction durable, on the synchronous standby too, for any default of the role."""


def limits(seconds: float, *, is_local: bool) -> str:
    """Return the statement with the settings of a session, or of a transaction: timeouts and `DURABLE`."""
    timeout = ceil(seconds * 1000)
    lock_timeout = timeout - timeout // 10  # ends first, since its message names the lock
    scope = str(is_local).lower()
    return (
        f"{DURABLE.replace('true', scope)}, "
        f"set_config('statement_timeout', '{timeout}', {scope}), set_config('lock_timeout', '{lock_timeout}', {scope})"
    )


REQUIRED_VERSION = "SELECT max(version) FROM rui_schema_version"
CREATE_VERSION = "CREATE TABLE rui_schema_version (version INTEGER PRIMARY KEY)"
FIRST_VERSION = "INSERT INTO rui_schema_version VALUES (1)"
REQUIRE_VERSION = "UPDATE rui_schema_version SET version = $1 WHERE version < $1"
STEPS = "SELECT step FROM rui_schema_steps"
CREATE_STEPS = "CREATE TABLE IF NOT EXISTS rui_schema_steps (step INTEGER PRIMARY KEY)"
RECORD_STEP = "INSERT INTO rui_schema_steps VALUES ($1)"

SIZE = "SELECT pg_total_relation_size('rui_specs')"
# The function of Citus is missing elsewhere, and refuses a table that is not distributed.
HAS_CITUS = "SELECT to_regclass('pg_catalog.pg_dist_partition') IS NOT NULL"
CITUS_SIZE = (
    "SELECT coalesce((SELECT citus_total_relation_size(logicalrelid) FROM pg_dist_partition "
    "WHERE logicalrelid = 'rui_specs'::regclass), pg_total_relation_size('rui_specs'))"
)

COUNT = "SELECT count(*) FROM rui_specs"
COUNT_SINCE = "SELECT count(*) FROM rui_specs WHERE created_at >= $1"
COUNT_DELETED = "SELECT count(*) FROM rui_specs WHERE content_hash = ''"
TIMESTAMPS = "SELECT min(created_at), max(created_at) FROM rui_specs"

FINGERPRINT = (
    "SELECT concat_ws(' ', pg_postmaster_start_time(), "
    "(SELECT oid FROM pg_database WHERE datname = current_database()), 'rui_specs'::regclass::oid)"
)
"""Identifies a table of a running server: a clone of a server is another store."""

# A lock for migrations. Waiting for it in a statement would hold a snapshot, for which the other migration waits.
TRY_LOCK = "SELECT pg_try_advisory_lock(5264721)"
INVALID_INDEXES = (
    "SELECT indexrelid::regclass::text FROM pg_index WHERE indrelid = 'rui_specs'::regclass AND NOT indisvalid"
)
INDEX_PROGRESS = (
    "SELECT phase, coalesce(100.0 * blocks_done / nullif(blocks_total, 0), 0)::float8 "
    "FROM pg_stat_progress_create_index WHERE pid = $1"
)
BACKEND = "SELECT pg_backend_pid()"
ERASE = "VACUUM rui_specs"
ERASE_FULLY = "VACUUM (FULL) rui_specs"

FULL_SCANS = (COUNT, COUNT_SINCE, TIMESTAMPS)
"""Statements of ``rui store``, which the service never runs."""
