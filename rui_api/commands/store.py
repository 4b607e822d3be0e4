"""``rui store``: commands of an operator for a store. They need no running service."""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from contextlib import suppress
from time import monotonic
from typing import TYPE_CHECKING, NoReturn, TextIO

from rui_api.store.base import StorageUnavailable
from rui_api.store.bulk import open_bulk_store
from rui_api.store.copy import CopyResult, copy
from rui_api.store.url import is_postgres, redact_password, sqlite_path
from rui_common.redact import escape_control, redact_all_userinfo

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rui_api.store.bulk import BulkStore

EXIT_OK = 0
EXIT_NOT_COPIED = 1
EXIT_ERROR = 2
EXIT_INTERRUPTED = 130
MAX_REPORTED = 20
"""Maximum number of failed specs that are reported one by one."""
URL_HELP = "A store is sqlite:///PATH, with a fourth slash an absolute one, or postgresql://USER@HOST/DATABASE."


class _UsageError(Exception):
    pass


class _CopyInterruptedError(Exception):
    """A store became unavailable during the copy."""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        """Raise, so that the error is printed in one line without the usage."""
        raise _UsageError(redact_all_userinfo(message))


def main(argv: Sequence[str] | None = None) -> int:
    """Run ``rui store copy FROM TO`` or ``rui store info STORE``.

    Args:
        argv: the arguments after ``rui store``; by default those of the process.

    Returns:
        The exit code: 0 for success, 1 if specs could not be copied, 2 for a wrong command line or an unavailable
        store, 130 after SIGINT.
    """
    try:
        arguments = _parser().parse_args(sys.argv[1:] if argv is None else argv)
    except _UsageError as error:
        return _print_error(f"{error}; see rui store --help")
    except SystemExit:  # --help
        return EXIT_OK
    return _run(arguments)


def _run(arguments: argparse.Namespace) -> int:
    try:
        if arguments.command == "copy":
            return asyncio.run(_copy(arguments.source, arguments.target))
        return asyncio.run(_print_info(arguments.store))
    except _CopyInterruptedError as error:
        return _print_error(f"{error}; nothing is lost, run it again to go on")
    except (ValueError, StorageUnavailable) as error:
        return _print_error(str(error))
    except KeyboardInterrupt:
        _print_error("interrupted; run it again to go on")
        return EXIT_INTERRUPTED


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="rui store", description="Copy and inspect stores of specs.", allow_abbrev=False)
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND", parser_class=_Parser)
    copy_parser = commands.add_parser(
        "copy",
        help="copy all specs of one store into another",
        description="Copy all specs of one store into another, and verify the hash of each. Specs that TO contains "
        "already are compared and left as they are, so an interrupted copy continues when it is run again.",
        epilog=f"{URL_HELP} FROM must exist; TO is created if it is missing.",
    )
    copy_parser.add_argument("source", metavar="FROM", help="the store to read; a service may be using it")
    copy_parser.add_argument("target", metavar="TO", help="the store to write")
    text = "show how many specs a store contains"
    info_parser = commands.add_parser("info", help=text, description=f"{text.capitalize()}.", epilog=URL_HELP)
    info_parser.add_argument("store", metavar="STORE", help="the store")
    return parser


async def _copy(source_url: str, target_url: str) -> int:
    if _is_same_path(source_url, target_url):
        raise ValueError("FROM and TO are the same store")
    source = await open_bulk_store(source_url, create=False)
    try:
        target = await open_bulk_store(target_url, create=True)
        try:
            return await _copy_open(source, target)
        finally:
            await target.close()
    finally:
        await source.close()


async def _copy_open(source: BulkStore, target: BulkStore) -> int:
    fingerprint = await source.fingerprint()
    if fingerprint and fingerprint == await target.fingerprint():
        raise ValueError("FROM and TO are the same store")
    progress = Progress(await source.count(), sys.stderr)
    try:
        result = await copy(source, target, progress.show)
        in_source = await source.count()
    except StorageUnavailable as error:
        raise _CopyInterruptedError(str(error)) from error
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
    _print(f"{result.copied:,} copied, {result.unchanged:,} there already, {len(result.failed):,} failed")
    for spec_id, error in list(result.failed.items())[:MAX_REPORTED]:
        _print_error(f"{spec_id}: {error}")
    if len(result.failed) > MAX_REPORTED:
        _print_error(f"and {len(result.failed) - MAX_REPORTED:,} more")
    if in_source > result.total:
        new = f"{in_source - result.total:,} were stored in FROM meanwhile"
        _print(f"{new}: stop the service that uses it, and run it again")
    return EXIT_NOT_COPIED if result.failed else EXIT_OK


async def _print_info(url: str) -> int:
    store = await open_bulk_store(url, create=False)
    try:
        count = await store.count()
        first, last = await store.timestamps()
    finally:
        await store.close()
    text = f"{redact_password(url)}: {count:,} {'spec' if count == 1 else 'specs'}"
    if count:
        text += f", stored from {first} to {last}"
    _print(text)
    return EXIT_OK


class Progress:
    """A progress bar, shown only if the stream is a terminal.

    Args:
        total: number of specs to copy.
        stream: usually standard error.
    """

    WIDTH = 30

    def __init__(self, total: int, stream: TextIO | None) -> None:
        self._total = total
        self._stream = stream if stream is not None and stream.isatty() else None
        self._started = monotonic()
        self._updated = 0.0

    def show(self, result: CopyResult) -> None:
        """Draw the bar, at most ten times a second."""
        now = monotonic()
        if self._stream is None or now - self._updated < 0.1:
            return
        self._updated = now
        total = max(self._total, result.total)
        filled = self.WIDTH * result.total // total
        bar = "#" * filled + "-" * (self.WIDTH - filled)
        rate = result.total / max(now - self._started, 0.001)
        self._stream.write(f"\r\x1b[K[{bar}] {result.total:,} of {total:,}, {rate:,.0f} a second")
        self._stream.flush()

    def clear(self) -> None:
        if self._stream is not None:
            self._stream.write("\r\x1b[K")
            self._stream.flush()


def _print(text: str) -> None:
    print(text)  # noqa: T201


def _print_error(text: str) -> int:
    print(f"rui store: {escape_control(text)}", file=sys.stderr)  # noqa: T201
    return EXIT_ERROR


if __name__ == "__main__":
    sys.exit(main())
