"""``rui store info``, ``delete``, ``purge`` and ``migrate``: an operator looks after one store."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import partial
from time import monotonic, time

from rui_api.commands.store_output import EXIT_NOT_DONE, EXIT_OK, StatusLine, counted, print_error, print_line
from rui_api.http.urls import canonical_spec_id
from rui_api.observability.log_records import timestamp
from rui_api.store.base import DeletedSpec
from rui_api.store.bulk import BulkStore, open_bulk_store
from rui_api.store.rows import Row, from_row
from rui_api.store.url import redact_password


@asynccontextmanager
async def _opened(url: str) -> AsyncIterator[BulkStore]:
    store = await open_bulk_store(url, create=False)
    try:
        yield store
    finally:
        await store.close()


async def print_info(url: str) -> int:
    """Print what a store contains, and which steps of its schema are left."""
    async with _opened(url) as store:
        deleted = await store.count_deleted()
        count = await store.count() - deleted
        first, last = await store.timestamps()
        pending = store.schema.pending(store.steps)
    text = f"{redact_password(url)}: {counted(count, 'spec')}"
    if count:
        text += f", stored from {first} to {last}"
    if deleted:
        text += f", {deleted:,} deleted"
    print_line(text)
    if pending:
        print_line(f"{counted(len(pending), 'step')} of its schema left to take: see rui store migrate --help")
    return EXIT_OK


async def delete(url: str, names: Sequence[str], reason: str, *, absent: bool) -> int:
    """Replace specs by tombstones, and remove their content from the files of the store.

    Args:
        url: the store.
        names: ids of specs, or addresses that end with them.
        reason: why they are deleted. It is stored, but not shown to clients.
        absent: whether ids that the store does not have get a tombstone, too.

    Raises:
        ValueError: a name contains no id, or there is no reason.
        StorageUnavailable: the store does not answer.
    """
    if not reason.strip():
        raise ValueError("--reason: a text is needed")
    spec_ids = list(dict.fromkeys(_spec_id(name) for name in names))
    code = EXIT_OK
    async with _opened(url) as store:
        deleted = []
        for spec_id, row in zip(spec_ids, await store.find(spec_ids), strict=True):
            if row is None and not absent:
                code = EXIT_NOT_DONE
                print_error(f"{spec_id}: there is no such spec; with --absent a copy cannot bring it back either")
            elif row is not None and not row.content_hash:
                print_line(f"{spec_id}: deleted already, at {row.created_at}{_reason(row)}")
            else:
                deleted.append(DeletedSpec(spec_id, timestamp(time()), reason.strip()))
        if deleted:
            await store.delete_many(deleted)
            for spec in deleted:
                print_line(f"{spec.spec_id}: deleted")
            left = await store.erase(fully=False)
            if left:
                code = EXIT_NOT_DONE
                print_error(f"its content may be left in a file: {left}; run rui store purge")
    return code


def _spec_id(name: str) -> str:
    path = name.partition("?")[0].partition("#")[0].rstrip("/")
    spec_id = canonical_spec_id(path.rpartition("/")[2])
    if spec_id is None:
        raise ValueError(f"{name:.200}: this is neither the id of a spec nor the address of one")
    return spec_id


def _reason(row: Row) -> str:
    spec = from_row(row)
    return f": {spec.reason}" if isinstance(spec, DeletedSpec) else ""


async def purge(url: str, *, fully: bool) -> int:
    """Remove the remains of deleted specs from the files of a store."""
    async with _opened(url) as store:
        left = await store.erase(fully=fully)
    if left:
        print_error(f"content of deleted specs may be left in a file: {left}; run it again")
        return EXIT_NOT_DONE
    print_line("purged")
    return EXIT_OK


async def migrate(url: str, *, finish: bool) -> int:
    """Take the steps of the schema that are left.

    Args:
        url: the store.
        finish: whether the steps that shut out programs of earlier versions are taken, too.
    """
    status = StatusLine(sys.stderr)
    left = []
    async with _opened(url) as store:
        for version in store.schema.pending(store.steps):
            step = store.steps[version - 1]
            if step.is_closing and not finish:
                left.append(f"{version} ({step.title})")
                continue
            name = f"step {version} of {len(store.steps)}, {step.title}"
            started = monotonic()
            try:
                await store.take_step(version, partial(_show, status, name))
            finally:
                status.clear()
            print_line(f"{name}: done in {monotonic() - started:.1f} s")
    if left:
        print_line(
            f"left: {', '.join(left)}. Run it with --finish when no program of an earlier version uses the store; "
            "until then you can go back to one"
        )
    else:
        print_line("the schema is up to date")
    return EXIT_OK


def _show(status: StatusLine, name: str, progress: str) -> None:
    status.show(f"{name}: {progress}")
