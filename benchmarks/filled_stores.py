"""Stores with millions of specs, filled in bulk: faster than any service could store them."""

from __future__ import annotations

import asyncio
import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

from benchmarks.sample import sample
from rui_api.http.responses import to_json
from rui_api.routes.specs import new_spec
from rui_api.store.base import StoredSpec
from rui_api.store.factory import prepare_store
from rui_common.editing.normal_form import normalize
from rui_common.hashing import content_hash

SIZE = 2_500
DISTINCT = 200
"""Number of different documents in a store."""
KNOWN = 1_000
"""One of so many ids is returned."""
BEGIN = datetime(2026, 1, 1, tzinfo=UTC)
PACE = timedelta(milliseconds=100)

_INSERT = "INSERT INTO specs VALUES (?, ?, ?, ?, ?, ?)"
_FILL = (
    "WITH new AS (INSERT INTO rui_specs SELECT gen_random_uuid(), to_char(timestamp '2026-01-01' + "
    """i * interval '100 ms', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), hash, '0.1', '0.1', content """
    "FROM generate_series($1::int, $2::int) AS i JOIN samples ON n = i % $3 RETURNING spec_id) "
    "SELECT spec_id::text FROM (SELECT spec_id, row_number() OVER () AS number FROM new) AS numbered "
    "WHERE number % $4 = 0"
)
_CHUNK = 500_000


def documents() -> list[StoredSpec]:
    """Return `DISTINCT` specs with new ids."""
    made = []
    for seed in range(DISTINCT):
        rui = normalize(sample(SIZE, seed=seed))
        made.append(new_spec(to_json(rui), content_hash(rui)))
    return made


def fill_sqlite(path: Path, count: int) -> list[str]:
    """Create a store of `count` specs. Returns some of their ids."""
    assert prepare_store(f"sqlite:///{path}") is None
    known: list[str] = []
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        # The index fits into memory: ids are in random order, as those of a service.
        for pragma in ("journal_mode = OFF", "synchronous = OFF", "cache_size = -2000000", "locking_mode = EXCLUSIVE"):
            connection.execute(f"PRAGMA {pragma}")
        connection.execute("BEGIN")
        connection.executemany(_INSERT, _rows(count, known))
        connection.execute("COMMIT")
    return known


def _rows(count: int, known: list[str]) -> Iterator[StoredSpec]:
    templates = documents()
    generator = random.Random(1)
    for number in range(count):
        digits = f"{generator.getrandbits(128):032x}"
        spec_id = f"{digits[:8]}-{digits[8:12]}-4{digits[13:16]}-a{digits[17:20]}-{digits[20:]}"
        if number % KNOWN == 0:
            known.append(spec_id)
        time = (BEGIN + number * PACE).isoformat(timespec="milliseconds")[:23]
        yield templates[number % DISTINCT]._replace(spec_id=spec_id, created_at=f"{time}Z")


def fill_postgres(url: str, count: int) -> list[str]:
    """Create a store of `count` specs. Returns some of their ids."""
    assert prepare_store(url) is None
    return asyncio.run(_fill_postgres(url, count))


async def _fill_postgres(url: str, count: int) -> list[str]:
    import asyncpg  # noqa: PLC0415  an optional package

    known = []
    connection = await asyncpg.connect(url)
    try:
        await connection.execute("CREATE TABLE samples (n INTEGER PRIMARY KEY, hash TEXT, content BYTEA)")
        values = [(number, spec.content_hash, spec.rui) for number, spec in enumerate(documents())]
        await connection.copy_records_to_table("samples", records=values)
        for begin in range(1, count + 1, _CHUNK):
            end = min(begin + _CHUNK - 1, count)
            known += [row[0] for row in await connection.fetch(_FILL, begin, end, DISTINCT, KNOWN)]
        await connection.execute("DROP TABLE samples")
        await connection.execute("VACUUM (ANALYZE, FREEZE) rui_specs")
        await connection.execute("CHECKPOINT")
    finally:
        await connection.close()
    return known
