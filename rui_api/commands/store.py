"""``rui store``: commands of an operator for a store. They need no running service."""

import argparse
import asyncio
import json
import os
import re
import sys
from collections.abc import Callable, Sequence
from fnmatch import fnmatchcase
from functools import partial
from time import monotonic, time

import msgspec

from rui_api.config.loading import Parser, read_settings
from rui_api.store.availability import StoreOptions
from rui_api.store.base import StorageUnavailable, StoredSpec, timestamp, tombstone
from rui_api.store.copy import COPIED, DELETED, UNCHANGED, copy
from rui_api.store.factory import opened_store
from rui_api.store.prune import Pruned, prune
from rui_common.nodes.requests import requests_of
from rui_common.redact import escape_control, redact_all_userinfo
from rui_common.spec_ids import spec_id_of
from rui_common.suggest import did_you_mean
from rui_common.texts import shorten
from rui_common.validation.analysis import validate

EXIT_OK = 0
EXIT_NOT_DONE = 1
"""Some of the specs could not be copied or deleted."""
EXIT_ERROR = 2
EXIT_INTERRUPTED = 130

EXISTING = StoreOptions(deadline=30.0, create=False)
"""No HTTP client is waiting, so the deadline is longer than in the service."""
PAGE_SIZE = 64  # Specs that are listed at a time. The largest of them take 16 MB of memory.
REPORT_SECONDS = 10.0  # seconds between two lines about the progress of a long command
URL_HELP = "A store is sqlite:///PATH, with a fourth slash an absolute one, or postgresql://USER@HOST/DATABASE."


class _Meta(msgspec.Struct):
    title: str = ""


class _Titled(msgspec.Struct):
    """The part of a RUI that is listed."""

    meta: _Meta = msgspec.field(default_factory=_Meta)


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command of ``rui store``, and return the exit code.

    It is 0 for success, 1 if specs could not be copied or deleted, 2 for a wrong command line or an unavailable store,
    and 130 after SIGINT.
    """
    is_default = False
    try:
        arguments = _parse(argv)
        is_default = getattr(arguments, "store", "") is None
        code: int = asyncio.run(arguments.command(arguments))
        return code
    except SystemExit:  # --help
        return EXIT_OK
    except StorageUnavailable as error:
        _print_error(f"{error}; --store names another store" if is_default else str(error))
        return EXIT_ERROR
    except ValueError as error:
        _print_error(str(error))
        return EXIT_ERROR
    except KeyboardInterrupt:
        _print_error("interrupted; run it again to go on")
        return EXIT_INTERRUPTED


async def copy_specs(arguments: argparse.Namespace) -> int:
    """Copy the specs of one store into another, print the result, and return the exit code."""
    creating = EXISTING._replace(create=True)
    async with opened_store(arguments.source, EXISTING) as source, opened_store(arguments.target, creating) as target:
        if await source.identity() == await target.identity():
            raise ValueError("FROM and TO are the same store")  # a copy onto itself would pass for a backup
        was_empty = not await target.list_entries("", 1)
        counts, failed = await copy(source, target, only_missing=arguments.since is not None)
    text = f"{counts[COPIED]:,} copied, {counts[UNCHANGED]:,} there already, {len(failed):,} failed"
    if counts[DELETED]:
        text += f", {counts[DELETED]:,} deleted"
    print(text)  # noqa: T201
    if was_empty and counts[COPIED]:
        _print_error("TO was empty. If FROM is a backup, what was deleted after it was made is stored again")
    for spec_id, error in failed.items():
        _print_error(f"{spec_id}: {error}")
    if failed:
        return EXIT_NOT_DONE
    return EXIT_OK


async def delete_specs(arguments: argparse.Namespace) -> int:
    """Replace specs by tombstones, print the result, and return the exit code."""
    reason = " ".join(arguments.reason.split())
    if not reason:
        raise ValueError("--reason: a text is needed")
    spec_ids = dict.fromkeys(map(_spec_id, arguments.spec_ids))
    code = EXIT_OK
    async with opened_store(_store_url(arguments), EXISTING) as store:
        for spec_id in spec_ids:
            found = await store.fetch(spec_id)
            if found is None:
                code = EXIT_NOT_DONE
                _print_error(f"{spec_id}: there is no such spec")
            elif found.is_deleted:
                text = escape_control(f"deleted already, at {found.created_at}: {found.rui.decode()}")
                print(f"{spec_id}: {text}")  # noqa: T201
            else:
                await store.store(tombstone(spec_id, timestamp(time()), reason))
                print(f"{spec_id}: deleted")  # noqa: T201
    return code


async def list_specs(arguments: argparse.Namespace) -> int:
    """Print a line for each spec and tombstone, and return the exit code."""
    line = _text_line
    if arguments.format == "json":
        line = _json_line
    async with opened_store(_store_url(arguments), EXISTING) as store:
        last = ""
        while page := await store.list_specs(last, PAGE_SIZE):
            last = page[-1].spec_id
            listed = [spec for spec in page if not arguments.endpoint or reads(spec, arguments.endpoint)]
            sys.stdout.write("".join([f"{line(spec)}\n" for spec in listed]))
    return EXIT_OK


def reads(spec: StoredSpec, pattern: str) -> bool:
    """Return whether a block of a spec reads an endpoint that fits a pattern, with or without the query."""
    if spec.is_deleted:
        return False
    tree = validate(json.loads(spec.rui)).tree
    paths = [request.path for node in tree for request in requests_of(node.members, node.shape)]
    return any(fnmatchcase(text, pattern) for path in paths for text in (path, path.partition("?")[0]))


def _text_line(spec: StoredSpec) -> str:
    if spec.is_deleted:
        text = f"deleted: {spec.rui.decode()}"
    else:
        text = f"{len(spec.rui):>7} {spec.content_hash} {title_of(spec)}"
    return escape_control(f"{spec.spec_id} {spec.created_at} {text}")


def _json_line(spec: StoredSpec) -> str:
    value: dict[str, object] = {"specId": spec.spec_id}
    if spec.is_deleted:
        value |= {"deletedAt": spec.created_at, "reason": spec.rui.decode()}
    else:
        value |= {"createdAt": spec.created_at, "size": len(spec.rui), "title": title_of(spec)}
        value |= {"contentHash": spec.content_hash}
    return json.dumps(value)  # in ASCII, whatever the encoding of standard output is


def title_of(spec: StoredSpec) -> str:
    """Return the title of a spec; ``""`` without one."""
    try:
        return msgspec.json.decode(spec.rui, type=_Titled).meta.title
    except (msgspec.MsgspecError, RecursionError):  # `rui store copy` reports a content that is not readable
        return ""


async def prune_specs(arguments: argparse.Namespace) -> int:
    """Delete old specs, print the result, also after an interruption, and return the exit code."""
    before = timestamp(time() - _seconds(arguments.older_than))
    reason = f"older than {arguments.older_than}"
    verb = "deleted"
    if arguments.dry_run:
        reason = ""
        verb = "would be deleted"
    done = Pruned()
    next_report = monotonic() + REPORT_SECONDS
    is_read = False
    try:
        async with opened_store(_store_url(arguments), EXISTING) as store:
            async for _ in prune(store, before, done, reason):
                is_read = True
                if monotonic() >= next_report:
                    next_report = monotonic() + REPORT_SECONDS
                    _print_error(f"{done.share:.0%} read, {done.deleted:,} {verb}")
            is_read = True
    finally:
        if is_read:  # else there is only the error
            counts = f"{done.deleted:,} {verb}, {done.deleted_bytes:,} bytes; {done.kept:,} kept"
            print(f"created before {before}: {counts}")  # noqa: T201
    return EXIT_OK


def _seconds(age: str) -> int:
    match = re.fullmatch("([1-9][0-9]{0,4})([hdw])", age)
    if match is None:
        raise ValueError(f"--older-than: an age like 90d is needed (h hours, d days, w weeks), not {age!r:.40}")
    return int(match[1]) * {"h": 3_600, "d": 86_400, "w": 604_800}[match[2]]


def _store_url(arguments: argparse.Namespace) -> str:
    if arguments.store is None:
        return read_settings([], os.environ).store
    url: str = arguments.store  # also if it is empty: a variable without a value does not mean the default store
    return url


def _spec_id(name: str) -> str:
    spec_id = spec_id_of(name)
    if spec_id is None:
        raise ValueError(f"{redact_all_userinfo(name):.200}: this is neither the id of a spec nor the address of one")
    return spec_id


def _print_error(text: str) -> None:
    print(f"rui store: {escape_control(text)}", file=sys.stderr)  # noqa: T201


def _parse(argv: Sequence[str] | None) -> argparse.Namespace:
    """Return the arguments. They have the function of the command as ``command``.

    Raises:
        SettingsError: the command line is invalid.
    """
    words = sys.argv[1:] if argv is None else argv
    parser, names = _parser()
    if not words:
        parser.error(f"name a command: {', '.join(names)}")
    if words[0] and words[0] not in names and not words[0].startswith("-"):
        meant = did_you_mean(words[0], names) or f" ({', '.join(names)})"
        parser.error(f"unknown command {shorten(words[0])}{meant}")
    return parser.parse(words)


def _parser() -> tuple[Parser, list[str]]:
    """Return the parser, and the names of the commands."""
    parser = Parser(prog="rui store", description="Copy, list, delete and prune stored specs.", allow_abbrev=False)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    add_parser = partial(commands.add_parser, allow_abbrev=False)
    copy_parser = add_parser(
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
    list_parser = add_parser(
        "list",
        help="list the specs",
        description="Print a line for each spec, in the order of the ids: id, time, bytes, hash and title. A deleted "
        "one has id, time and reason of its deletion.",
        epilog=URL_HELP,
    )
    list_parser.add_argument("--format", choices=["text", "json"], default="text", help="json: an object per line")
    list_parser.add_argument(
        "--endpoint", metavar="PATTERN", default="", help="only specs that read one that fits, such as '/api/bills*'"
    )
    list_parser.set_defaults(command=list_specs)
    delete_parser = add_parser(
        "delete",
        help="delete specs for good, such as after a complaint",
        description="Delete specs for good. Their ids stay known: requests for them get 410, and copying "
        "an older store into this one does not bring them back. Running services need no restart.",
        epilog=URL_HELP,
    )
    delete_parser.add_argument("spec_ids", metavar="ID", nargs="+", help="the id of a spec, or the address of its page")
    delete_parser.add_argument("--reason", metavar="TEXT", required=True, help="kept in the store, for operators only")
    delete_parser.set_defaults(command=delete_specs)
    _add_prune(add_parser)
    for command in (list_parser, delete_parser, commands.choices["prune"]):
        command.add_argument("--store", metavar="STORE", help="by default the store that rui serve would use")
    return parser, [*commands.choices]


def _add_prune(add_parser: Callable[..., Parser]) -> None:
    prune_parser = add_parser(
        "prune",
        help="delete old specs for good",
        description="Delete all specs that are older than an age, as `rui store delete` does, ten at a time, while "
        "services use the store. A spec is deleted also if another one names it in meta.replaces. What an interrupted "
        "run has deleted stays deleted, and the next run goes on. Without this command, specs are kept for ever.",
        epilog=URL_HELP,
    )
    age_help = "such as 90d: hours (h), days (d) or weeks (w) since a spec was stored"
    prune_parser.add_argument("--older-than", metavar="AGE", required=True, help=age_help)
    prune_parser.add_argument("--dry-run", action="store_true", help="count the specs, and delete nothing")
    prune_parser.set_defaults(command=prune_specs)


if __name__ == "__main__":
    sys.exit(main())
