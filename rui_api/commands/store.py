"""``rui store``: what an operator does with a store while no service has to run."""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from contextlib import suppress
from time import monotonic
from typing import TYPE_CHECKING, NoReturn, TextIO

from rui_api.observability.escape import escape_control
from rui_api.store.base import StorageUnavailable
from rui_api.store.bulk import open_archive
from rui_api.store.copy import Copied, copy
from rui_api.store.url import is_postgres, shown, sqlite_path
from rui_common.redact import redact_all_userinfo

if TYPE_CHECKING:
    from collections.abc import Sequence

OK, FOUND, FAILED, INTERRUPTED = 0, 1, 2, 130
MAX_SHOWN = 20
"""Specs that could not be copied and are named one by one."""
SAME = "FROM and TO are the same store"
STORES = "sqlite:///PATH, with a fourth slash an absolute one, or postgresql://USER@HOST/DATABASE"


class _UsageError(Exception):
    pass


class _InterruptedError(Exception):
    """A store went away while it was copied."""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        """Refuse in one line, without the usage that argparse would print."""
        raise _UsageError(redact_all_userinfo(message))


def main(argv: Sequence[str] | None = None) -> int:
    """Run ``rui store copy FROM TO`` or ``rui store info STORE``.

    Args:
        argv: what follows ``rui store``; without it the arguments of the process.

    Returns:
        The exit code: 0 when all is well, 1 when specs could not be copied, 2 for a wrong command line or a store
        that does not answer, 130 when it was interrupted.
    """
    try:
        given = _parser().parse_args(sys.argv[1:] if argv is None else argv)
    except _UsageError as error:
        return _complain(f"{error}; see rui store --help")
    except SystemExit:  # --help
        return OK
    copying = given.command == "copy"
    try:
        return asyncio.run(_copy(given.source, given.target) if copying else _info(given.store))
    except _InterruptedError as error:
        return _complain(f"{error}; nothing is lost, run it again to go on")
    except (ValueError, StorageUnavailable) as error:
        return _complain(str(error))
    except KeyboardInterrupt:
        _complain("interrupted; run it again to go on")
        return INTERRUPTED


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="rui store", description="Look after stored specs.", allow_abbrev=False)
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND", parser_class=_Parser)
    copying = commands.add_parser(
        "copy", help="copy all specs of one store into another",
        description="Copy all specs of one store into another, and verify the hash of each. What is there already is "
        "compared and left as it is, so a copy that was interrupted goes on when it is run again.",
        epilog=f"A store is {STORES}. FROM has to be there; TO is made when it is not.",
    )  # fmt: skip
    copying.add_argument("source", metavar="FROM", help="where the specs are; a service may go on using it")
    copying.add_argument("target", metavar="TO", help="where they are wanted, too")
    info = commands.add_parser(
        "info", help="say what is in a store", description="Say what is in a store.", epilog=f"A store is {STORES}."
    )
    info.add_argument("store", metavar="STORE", help="the store")
    return parser


async def _copy(source_url: str, target_url: str) -> int:
    if _are_one(source_url, target_url):
        raise ValueError(SAME)
    source = await open_archive(source_url, create=False)
    try:
        target = await open_archive(target_url, create=True)
        try:
            if (one := await source.identity()) and one == await target.identity():
                raise ValueError(SAME)
            progress = Progress(await source.count(), sys.stderr)
            try:
                copied = await copy(source, target, progress.show)
                in_source = await source.count()
            except StorageUnavailable as fault:
                raise _InterruptedError(str(fault)) from fault
            finally:
                progress.clear()
            return _report(copied, in_source)
        finally:
            await target.close()
    finally:
        await source.close()


def _are_one(source_url: str, target_url: str) -> bool:
    """Whether both name one store, as far as that shows in them: a copy onto itself would look like a backup."""
    if source_url == target_url or is_postgres(source_url) or is_postgres(target_url):
        return source_url == target_url
    source, target = sqlite_path(source_url), sqlite_path(target_url)
    with suppress(OSError):
        return source.samefile(target)
    return os.path.realpath(source) == os.path.realpath(target)


def _report(copied: Copied, in_source: int) -> int:
    _say(f"{copied.copied:,} copied, {copied.there:,} there already, {len(copied.failed):,} failed")
    for spec_id, why in list(copied.failed.items())[:MAX_SHOWN]:
        _complain(f"{spec_id}: {why}")
    if len(copied.failed) > MAX_SHOWN:
        _complain(f"and {len(copied.failed) - MAX_SHOWN:,} more")
    if in_source > copied.seen:
        new = f"{in_source - copied.seen:,} were stored in FROM meanwhile"
        _say(f"{new}: stop the service that uses it, and run it again")
    return FOUND if copied.failed else OK


async def _info(url: str) -> int:
    store = await open_archive(url, create=False)
    try:
        count, (first, last) = await store.count(), await store.times()
    finally:
        await store.close()
    _say(
        f"{shown(url)}: {count:,} {'spec' if count == 1 else 'specs'}"
        + (f", stored from {first} to {last}" if count else "")
    )
    return OK


class Progress:
    """A bar on a terminal; where there is none, nothing.

    Args:
        total: the specs that there are.
        stream: where it is shown.
    """

    WIDTH = 30

    def __init__(self, total: int, stream: TextIO | None) -> None:
        self._total = total
        self._stream = stream if stream is not None and stream.isatty() else None
        self._begun = monotonic()
        self._shown = 0.0

    def show(self, copied: Copied) -> None:
        """How far it is; ten times a second at most."""
        now = monotonic()
        if self._stream is None or now - self._shown < 0.1:
            return
        self._shown = now
        total = max(self._total, copied.seen)
        filled = self.WIDTH * copied.seen // total
        bar = "#" * filled + "-" * (self.WIDTH - filled)
        rate = copied.seen / max(now - self._begun, 0.001)
        text = f"[{bar}] {copied.seen:,} of {total:,}, {rate:,.0f} a second"
        self._stream.write(f"\r\x1b[K{text}")
        self._stream.flush()

    def clear(self) -> None:
        """Take it away."""
        if self._stream is not None:
            self._stream.write("\r\x1b[K")
            self._stream.flush()


def _say(text: str) -> None:
    print(text)  # noqa: T201


def _complain(text: str) -> int:
    print(f"rui store: {escape_control(text)}", file=sys.stderr)  # noqa: T201
    return FAILED


if __name__ == "__main__":
    sys.exit(main())
