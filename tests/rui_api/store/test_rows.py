"""The form of specs in a row: compressed or not, older rows, corrupt rows, tombstones."""

import asyncio
import hashlib
import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from benchmarks.sample import sample_text
from rui_api.store.base import DeletedSpec, StorageUnavailable, StoredSpec
from rui_api.store.dictionary import DICTIONARY_1
from rui_api.store.factory import open_store
from rui_api.store.rows import MIN_SIZE, Row, from_row, to_row
from rui_common.describe import full_example, minimal_example
from tests.rui_api.store.test_stores import spec

TEXTS = [b"{}", b"", b"\0", b"\1", b"\1{}", b"\0\1\2", b"x" * MIN_SIZE, bytes(range(256)) * 3, b"\1" * MIN_SIZE,
         json.dumps(minimal_example()).encode(), json.dumps(full_example()).encode(), b"[" * 300_000]  # fmt: skip


@pytest.mark.parametrize("is_compressed", [False, True])
@pytest.mark.parametrize("rui", TEXTS, ids=range(len(TEXTS)))
def test_a_row_contains_the_very_bytes(rui: bytes, is_compressed: bool) -> None:
    stored = spec(rui)
    row = to_row(stored, is_compressed=is_compressed)
    assert from_row(row) == stored
    assert len(row.content) <= len(rui) + 1


def test_the_row_of_an_earlier_program_is_read() -> None:
    stored = spec(json.dumps(full_example()).encode())
    assert from_row(Row(*stored)) == stored
    assert to_row(stored, is_compressed=False) == stored


@pytest.mark.parametrize(("size", "share"), [(700, 0.35), (2_500, 0.30), (50_000, 0.20)])
def test_specs_become_smaller(size: int, share: float) -> None:
    rui = sample_text(size, indent=None).encode()
    assert len(to_row(spec(rui), is_compressed=True).content) < share * len(rui)


def test_the_dictionary_never_changes() -> None:
    assert (
        hashlib.sha256(DICTIONARY_1).hexdigest() == "c21fbcdf177b41b6b5b367966d7b9be0eda7ac330bac70d81783296598dcbdf8"
    )


def test_a_tombstone() -> None:
    deleted = DeletedSpec(spec().spec_id, "2026-01-31T09:15:00.123Z", 'größe "\0"')
    row = to_row(deleted, is_compressed=True)
    assert from_row(row) == deleted
    assert json.loads(row.content)  # an earlier program sends it as the document


@pytest.mark.parametrize("content", [b"\1", b"\1abc", b"\1" + bytes(50)])
def test_a_corrupt_row(content: bytes) -> None:
    with pytest.raises(StorageUnavailable, match=r"the row of spec .* is corrupt"):
        from_row(Row(*spec()[:5], content))


def test_a_cut_row() -> None:
    row = to_row(spec(sample_text(2_500).encode()), is_compressed=True)
    for end in (len(row.content) // 2, len(row.content) - 1):
        with pytest.raises(StorageUnavailable, match="is corrupt"):
            from_row(row._replace(content=row.content[:end]))


def test_a_corrupt_row_fails_no_other_request(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    good, bad = spec(b"{}"), spec(sample_text(2_500).encode())

    async def run() -> list[object]:
        store = open_store(f"sqlite:///{tmp_path}/rui.db")
        await store.store(good)
        await store.store(bad)
        with closing(sqlite3.connect(tmp_path / "rui.db", isolation_level=None)) as connection:
            connection.execute("UPDATE specs SET normalized_rui = x'01ff' WHERE spec_id = ?", (bad.spec_id,))
        results = await asyncio.gather(*(store.fetch(one.spec_id) for one in (good, bad)), return_exceptions=True)
        await store.close()
        return results

    found, error = asyncio.run(run())
    assert isinstance(found, StoredSpec) and found == good
    assert isinstance(error, StorageUnavailable)
    assert f"the row of spec {bad.spec_id} is corrupt" in caplog.text
