"""``rui store``: commands of an operator for a store. They need no running service."""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from collections.abc import Sequence
from time import time

from rui_api.config.loading import Parser, read_settings
from rui_api.http.requests import canonical_spec_id
from rui_api.observability.logs import timestamp
from rui_api.store.availability import StoreOptions
from rui_api.store.base import StorageUnavailable, tombstone
from rui_api.store.copy import COPIED, DELETED, UNCHANGED, copy
from rui_api.store.factory import opened_store
from rui_api.store.url import is_postgres, sqlite_path
from rui_common.redact import escape_control, redact_all_userinfo

EXIT_OK = 0
EXIT_NOT_DONE = 1
"""Some of the specs could not be copied or deleted."""
EXIT_ERROR = 2
EXIT_INTERRUPTED = 130

EXISTING = StoreOptions(deadline=30.0, create=False)
"""No HTTP client is waiting, so the deadline is longer than in the service."""
URL_HELP = "A store is sqlite:///PATH, with a fourth slash an absolute one, or postgresql://USER@HOST/DATABASE."


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command of ``rui store``, and return the exit code.

    It is 0 for success, 1 if specs could not be copied or deleted, 2 for a wrong command line or an unavailable store,
    and 130 after SIGINT.
    """
    try:
        arguments = _parser().parse_args(argv)
        code: int = asyncio.run(arguments.command(arguments))
        return code
    except SystemExit:  # --help
        return EXIT_OK
    except (ValueError, StorageUnavailable) as error:
        _print_error(str(error))
        return EXIT_ERROR
    except KeyboardInterrupt:
        _print_error("interrupted; run it again to go on")
        return EXIT_INTERRUPTED


async def copy_specs(arguments: argparse.Namespace) -> int:
    """Copy the specs of one store into another, print the result, and return the exit code."""
    if _is_same(arguments.source, arguments.target):
        raise ValueError("FROM and TO are the same store")
    creating = EXISTING._replace(create=True)
    async with opened_store(arguments.source, EXISTING) as source, opened_store(arguments.target, creating) as target:
        counts, failed = await copy(source, target, only_missing=arguments.since is not None)
    text = f"{counts[COPIED]:,} copied, {counts[UNCHANGED]:,} there already, {len(failed):,} failed"
    if counts[DELETED]:
        text += f", {counts[DELETED]:,} deleted"
    print(text)  # noqa: T201
    for spec_id, error in failed.items():
        _print_error(f"{spec_id}: {error}")
    return EXIT_NOT_DONE if failed else EXIT_OK


async def delete_specs(arguments: argparse.Namespace) -> int:
    """Replace specs by tombstones, print the result, and return the exit code."""
    reason = arguments.reason.strip()
    if not reason:
        raise ValueError("--reason: a text is needed")
    spec_ids = dict.fromkeys(map(_spec_id, arguments.spec_ids))
    code = EXIT_OK
    async with opened_store(arguments.store or read_settings([], os.environ).store, EXISTING) as store:
        for spec_id in spec_ids:
            found = await store.fetch(spec_id)
            if found is None:
                code = EXIT_NOT_DONE
                _print_error(f"{spec_id}: there is no such spec")
            elif found.is_deleted:
                print(f"{spec_id}: deleted already, at {found.created_at}: {found.rui.decode()}")  # noqa: T201
            else:
                await store.store(tombstone(spec_id, timestamp(time()), reason))
                print(f"{spec_id}: deleted")  # noqa: T201
    return code


def _is_same(source: str, target: str) -> bool:
    """Return whether both URLs lead to the same store, since a copy onto itself would pass for a backup."""
    if is_postgres(source) or is_postgres(target):
        return source == target
    paths = sqlite_path(source), sqlite_path(target)
    return paths[0].resolve() == paths[1].resolve() or (paths[1].exists() and paths[0].samefile(paths[1]))


def _spec_id(name: str) -> str:
    spec_id = canonical_spec_id(name.rstrip("/").rpartition("/")[2])
    if spec_id is None:
        raise ValueError(f"{redact_all_userinfo(name):.200}: this is neither the id of a spec nor the address of one")
    return spec_id


def _print_error(text: str) -> None:
    print(f"rui store: {escape_control(text)}", file=sys.stderr)  # noqa: T201


def _parser() -> Parser:
    parser = Parser(prog="rui store", description="Copy stores of specs, and delete specs.", allow_abbrev=False)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
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
    copy_parser.add_argument("--since", choices=["last"], help="only what TO lacks, without comparing the others")
    copy_parser.set_defaults(command=copy_specs)
    delete_parser = commands.add_parser(
        "delete",
        help="delete specs for good, such as after a complaint",
        description="Delete specs for good. Their ids stay known: requests for them get 410, and no copy or backup "
        "brings them back. Running services need no restart.",
        epilog=URL_HELP,
    )
    delete_parser.add_argument("spec_ids", metavar="ID", nargs="+", help="the id of a spec, or the address of its page")
    delete_parser.add_argument("--reason", metavar="TEXT", required=True, help="kept in the store, for operators only")
    delete_parser.add_argument("--store", metavar="STORE", help="by default the store that rui serve would use")
    delete_parser.set_defaults(command=delete_specs)
    return parser
