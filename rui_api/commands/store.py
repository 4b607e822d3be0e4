"""``rui store``: commands of an operator for a store. They need no running service."""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from collections.abc import AsyncIterator, Coroutine, Sequence
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime
from typing import NoReturn

from rui_api.config.loading import read_settings
from rui_api.http.requests import canonical_spec_id
from rui_api.store.base import DeletedSpec, StorageUnavailable, Store
from rui_api.store.copy import copy
from rui_api.store.factory import open_store
from rui_api.store.url import is_postgres, sqlite_path
from rui_common.redact import escape_control, redact_all_userinfo

EXIT_OK = 0
EXIT_NOT_DONE = 1
"""Some of the specs could not be copied or deleted."""
EXIT_ERROR = 2
EXIT_INTERRUPTED = 130

DEADLINE = 30.0
"""Seconds for one request to a store. No HTTP client is waiting, so it is longer than in the service."""
LAST = "last"
"""Value of ``--since``: what the target lacks."""
MAX_REPORTED = 20
"""Maximum number of failed specs that are reported one by one."""

URL_HELP = "A store is sqlite:///PATH, with a fourth slash an absolute one, or postgresql://USER@HOST/DATABASE."


class _UsageError(Exception):
    pass


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        """Raise, so that the error is printed in one line without the usage."""
        raise _UsageError(redact_all_userinfo(message))


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command of ``rui store``.

    Args:
        argv: the arguments after ``rui store``; by default those of the process.

    Returns:
        The exit code: 0 for success, 1 if specs could not be copied or deleted, 2 for a wrong command line or an
        unavailable store, 130 after SIGINT.
    """
    try:
        arguments = _parser().parse_args(sys.argv[1:] if argv is None else argv)
    except _UsageError as error:
        return _print_error(f"{error}; see rui store --help")
    except SystemExit:  # --help
        return EXIT_OK
    try:
        return asyncio.run(_command(arguments))
    except (ValueError, StorageUnavailable) as error:
        return _print_error(str(error))
    except KeyboardInterrupt:
        _print_error("interrupted; run it again to go on")
        return EXIT_INTERRUPTED


def _command(arguments: argparse.Namespace) -> Coroutine[None, None, int]:
    """Return the command as a coroutine."""
    if arguments.command == "copy":
        return copy_specs(arguments.source, arguments.target, only_missing=arguments.since == LAST)
    url = arguments.store or read_settings([], os.environ).store
    return delete_specs(url, arguments.spec_ids, arguments.reason)


async def copy_specs(source_url: str, target_url: str, *, only_missing: bool) -> int:
    """Copy the specs of one store into another, print the result, and return the exit code.

    Args:
        source_url: the store to read.
        target_url: the store to write; created if it is missing.
        only_missing: whether specs that the target has are left out, without a comparison.

    Raises:
        ValueError: the arguments cannot be used.
        StorageUnavailable: a store cannot be opened, or failed during the copy.
    """
    if _is_same(source_url, target_url):
        raise ValueError("FROM and TO are the same store")
    async with _opened(source_url) as source, _opened(target_url, create=True) as target:
        result = await copy(source, target, only_missing=only_missing)
    text = f"{result.copied:,} copied, {result.unchanged:,} there already, {len(result.failed):,} failed"
    if result.deleted:
        text += f", {result.deleted:,} deleted"
    _print_line(text)
    for spec_id, error in list(result.failed.items())[:MAX_REPORTED]:
        _print_error(f"{spec_id}: {error}")
    if len(result.failed) > MAX_REPORTED:
        _print_error(f"and {len(result.failed) - MAX_REPORTED:,} more")
    return EXIT_NOT_DONE if result.failed else EXIT_OK


async def delete_specs(url: str, names: Sequence[str], reason: str) -> int:
    """Replace specs by tombstones, print the result, and return the exit code.

    Args:
        url: the store.
        names: ids of specs, or addresses that end with them.
        reason: why they are deleted. It is stored, but not shown to clients.

    Raises:
        ValueError: a name contains no id, or there is no reason.
        StorageUnavailable: the store does not answer.
    """
    if not reason.strip():
        raise ValueError("--reason: a text is needed")
    now = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    spec_ids = list(dict.fromkeys(_spec_id(name) for name in names))
    code = EXIT_OK
    async with _opened(url) as store:
        for spec_id in spec_ids:
            found = await store.fetch(spec_id)
            if found is None:
                code = EXIT_NOT_DONE
                _print_error(f"{spec_id}: there is no such spec")
            elif isinstance(found, DeletedSpec):
                _print_line(f"{spec_id}: deleted already, at {found.deleted_at}: {found.reason}")
            else:
                await store.delete(DeletedSpec(spec_id, now, reason.strip()))
                _print_line(f"{spec_id}: deleted")
    return code


@asynccontextmanager
async def _opened(url: str, *, create: bool = False) -> AsyncIterator[Store]:
    store = open_store(url, deadline=DEADLINE, create=create)
    try:
        await store.open()
        yield store
    finally:
        await store.close()


def _is_same(source_url: str, target_url: str) -> bool:
    """Return whether both URLs lead to the same store, since a copy onto itself would pass for a backup."""
    if source_url == target_url or is_postgres(source_url) or is_postgres(target_url):
        return source_url == target_url
    source = sqlite_path(source_url)
    target = sqlite_path(target_url)
    with suppress(OSError):
        return source.samefile(target)
    return source.resolve() == target.resolve()


def _spec_id(name: str) -> str:
    path = name.partition("?")[0].partition("#")[0].rstrip("/")
    spec_id = canonical_spec_id(path.rpartition("/")[2])
    if spec_id is None:
        raise ValueError(f"{redact_all_userinfo(name):.200}: this is neither the id of a spec nor the address of one")
    return spec_id


def _print_line(text: str) -> None:
    print(text)  # noqa: T201


def _print_error(text: str) -> int:
    """Print an error in one line, and return the exit code of a command that cannot run."""
    print(f"rui store: {escape_control(text)}", file=sys.stderr)  # noqa: T201
    return EXIT_ERROR


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="rui store", description="Copy stores of specs, and delete specs.", allow_abbrev=False)
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND", parser_class=_Parser)
    copy_parser = commands.add_parser(
        "copy",
        help="copy all specs of one store into another",
        description="Copy all specs of one store into another, and verify the hash of each. Specs that TO contains "
        "already are compared and left as they are, so an interrupted copy continues when it is run again. What was "
        "deleted in one of the stores is deleted in TO.",
        epilog=f"{URL_HELP} FROM must exist; TO is created if it is missing.",
    )
    copy_parser.add_argument("source", metavar="FROM", help="the store to read; a service may be using it")
    copy_parser.add_argument("target", metavar="TO", help="the store to write")
    copy_parser.add_argument(
        "--since", choices=[LAST], help="only what TO lacks since the last copy, without comparing the others"
    )
    delete_parser = commands.add_parser(
        "delete",
        help="delete specs for good, such as after a complaint",
        description="Delete specs for good. Their ids stay known: requests for them get 410, and no copy or backup "
        "brings them back. Running services need no restart.",
        epilog=URL_HELP,
    )
    delete_parser.add_argument("spec_ids", metavar="ID", nargs="+", help="the id of a spec, or the address of its page")
    delete_parser.add_argument(
        "--reason", metavar="TEXT", required=True, help="kept in the store, and not shown to clients"
    )
    delete_parser.add_argument(
        "--store",
        metavar="STORE",
        default="",
        help="the store; by default the one that rui serve would use, with RUI_STORE or the file in RUI_CONFIG",
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())
