"""The schema of a SQLite file: reading it, and the steps of `rui_api.store.migrations`."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from rui_api.store.base import StoreRefused
from rui_api.store.migrations import SQLITE_STEPS, Schema, without_concurrency


def migrate(raw: sqlite3.Connection) -> Schema:
    """Create the schema of an empty file, or take the steps without which this program cannot use it.

    Other processes may do the same at the same time, so the schema is read again under the lock.

    Raises:
        StoreRefused: the file belongs to another program or to a later version of this one.
    """
    schema = read_schema(raw)
    if schema.required == 0:
        _create(raw)
        schema = read_schema(raw)
    schema.check(SQLITE_STEPS)
    for version in schema.needed(SQLITE_STEPS):
        take_step(raw, version)
        schema = read_schema(raw)
    return schema


def read_schema(raw: sqlite3.Connection) -> Schema:
    """Return the schema of a file.

    Raises:
        StoreRefused: the file belongs to another program.
    """
    tables = {name for (name,) in raw.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if not tables:
        return Schema(0, frozenset())
    if not {"schema_version", "specs"} <= tables:
        raise StoreRefused("this is the database of another program")
    (required,) = raw.execute("SELECT max(version) FROM schema_version").fetchone()
    steps = raw.execute("SELECT step FROM schema_steps") if "schema_steps" in tables else ()
    return Schema(int(required or 0), frozenset({1, *(int(step) for (step,) in steps)}))


def take_step(raw: sqlite3.Connection, version: int) -> None:
    """Take the step to `version` in one transaction, unless another process has."""
    with transaction(raw):
        if version not in read_schema(raw).taken:
            _take_step(raw, version)


def _create(raw: sqlite3.Connection) -> None:
    with transaction(raw):
        if read_schema(raw).required:
            return
        raw.execute("CREATE TABLE schema_version (version INTEGER NOT NULL)")
        raw.execute("INSERT INTO schema_version VALUES (1)")
        for version in range(1, len(SQLITE_STEPS) + 1):
            _take_step(raw, version)


def _take_step(raw: sqlite3.Connection, version: int) -> None:
    step = SQLITE_STEPS[version - 1]
    for statement in step.statements:
        raw.execute(without_concurrency(statement))
    raw.execute("CREATE TABLE IF NOT EXISTS schema_steps (step INTEGER PRIMARY KEY)")
    raw.execute("INSERT INTO schema_steps VALUES (?)", (version,))
    if step.is_closing:
        raw.execute("UPDATE schema_version SET version = max(version, ?)", (version,))


@contextmanager
def transaction(raw: sqlite3.Connection) -> Iterator[None]:
    """Run statements in a transaction that writes."""
    raw.execute("BEGIN IMMEDIATE")
    try:
        yield
        raw.execute("COMMIT")
    except BaseException:
        if raw.in_transaction:
            raw.execute("ROLLBACK")
        raise
