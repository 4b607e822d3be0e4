"""``rui store copy``."""

from __future__ import annotations

import asyncio
import os
import sys
from contextlib import suppress
from datetime import UTC, datetime

from rui_api.commands.store_output import EXIT_NOT_DONE, EXIT_OK, Progress, print_error, print_line
from rui_api.store.base import StorageUnavailable
from rui_api.store.bulk import BulkStore, open_bulk_store
from rui_api.store.copy import CopyResult, copy, copy_missing
from rui_api.store.url import is_postgres, sqlite_path

LAST = "last"
"""Value of ``--since``: what the target lacks, whatever its time."""
MAX_REPORTED = 20
"""Maximum number of failed specs that are reported one by one."""


class CopyStoppedError(Exception):
    """The copy ended before its end.

    Args:
        reason: for the operator.
        is_interrupted: whether the operator stopped it.
    """

    def __init__(self, reason: str, *, is_interrupted: bool) -> None:
        super().__init__(reason)
        self.is_interrupted = is_interrupted


async def run_copy(source_url: str, target_url: str, since: str) -> int:
    """Copy the specs of one store into another, print the result, and return the exit code.

    Args:
        source_url: the store to read.
        target_url: the store to write; created if it is missing.
        since: a time, `LAST`, or an empty string for all specs.

    Raises:
        ValueError: the arguments cannot be used.
        StorageUnavailable: a store cannot be opened.
        CopyStoppedError: a store failed during the copy, or the copy was interrupted.
    """
    if since != LAST:
        since = _parse_time(since)
    if _is_same_path(source_url, target_url):
        raise ValueError("FROM and TO are the same store")
    source = await open_bulk_store(source_url, create=False)
    try:
        target = await open_bulk_store(target_url, create=True)
        try:
            return await _copy_open(source, target, since)
        finally:
            await target.close()
    finally:
        await source.close()


def _parse_time(text: str) -> str:
    """Return a time in the form of `createdAt`. Without a time zone it is UTC."""
    if not text:
        return ""
    try:
        time = datetime.fromisoformat(text)
    except ValueError:
        raise ValueError(f"--since: a time such as 2026-01-31 or 2026-01-31T09:15Z is needed, or {LAST}") from None
    if time.tzinfo is None:
        time = time.replace(tzinfo=UTC)
    return time.astimezone(UTC).isoformat(timespec="milliseconds").removesuffix("+00:00") + "Z"


async def _copy_open(source: BulkStore, target: BulkStore, since: str) -> int:
    fingerprint = await source.fingerprint()
    if fingerprint and fingerprint == await target.fingerprint():
        raise ValueError("FROM and TO are the same store")
    result = CopyResult()
    progress = Progress(0 if since == LAST else await source.count(since), sys.stderr)
    try:
        if since == LAST:
            await copy_missing(source, target, result, lambda: progress.show(result))
            in_source = 0
        else:
            await copy(source, target, result, lambda: progress.show(result), since=since)
            in_source = await source.count(since)
        if result.newly_deleted:
            await target.erase(fully=False)
    except StorageUnavailable as error:
        text = f"{error}; nothing is lost, run it again to go on"
        raise CopyStoppedError(text, is_interrupted=False) from error
    except asyncio.CancelledError:
        text = f"interrupted after {result.total:,} specs; run it again to go on"
        raise CopyStoppedError(text, is_interrupted=True) from None
    finally:
        progress.clear()
    return _report(result, in_source)


def _is_same_path(source_url: str, target_url: str) -> bool:
    """Return whether both URLs lead to the same file, since a copy onto itself would pass for a backup."""
    if source_url == target_url or is_postgres(source_url) or is_postgres(target_url):
        return source_url == target_url
    source = sqlite_path(source_url)
    target = sqlite_path(target_url)
    with suppress(OSError):
        return source.samefile(target)
    return os.path.realpath(source) == os.path.realpath(target)


def _report(result: CopyResult, in_source: int) -> int:
    text = f"{result.copied:,} copied, {result.unchanged:,} there already, {len(result.failed):,} failed"
    if result.deleted:
        text += f", {result.deleted:,} deleted"
    print_line(text)
    for spec_id, error in list(result.failed.items())[:MAX_REPORTED]:
        print_error(f"{spec_id}: {error}")
    if len(result.failed) > MAX_REPORTED:
        print_error(f"and {len(result.failed) - MAX_REPORTED:,} more")
    if in_source > result.total:
        new = f"{in_source - result.total:,} were stored in FROM meanwhile"
        print_line(f"{new}: stop the service that uses it, and run it again")
    return EXIT_NOT_DONE if result.failed else EXIT_OK
