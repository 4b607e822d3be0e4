"""``rui store``: commands of an operator for a store. They need no running service."""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from collections.abc import Coroutine, Sequence
from typing import NoReturn

from rui_api.commands import store_upkeep
from rui_api.commands.store_copy import LAST, CopyStoppedError, run_copy
from rui_api.commands.store_output import EXIT_INTERRUPTED, EXIT_OK, print_error
from rui_api.config.loading import read_settings
from rui_api.store.base import StorageUnavailable
from rui_common.redact import redact_all_userinfo

URL_HELP = "A store is sqlite:///PATH, with a fourth slash an absolute one, or postgresql://USER@HOST/DATABASE."
STORE_HELP = "the store; by default the one that rui serve would use, with RUI_STORE or the file in RUI_CONFIG"


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
        return print_error(f"{error}; see rui store --help")
    except SystemExit:  # --help
        return EXIT_OK
    return _run(arguments)


def _run(arguments: argparse.Namespace) -> int:
    try:
        return asyncio.run(_command(arguments))
    except CopyStoppedError as error:
        code = print_error(str(error))
        return EXIT_INTERRUPTED if error.is_interrupted else code
    except (ValueError, StorageUnavailable) as error:
        return print_error(str(error))
    except KeyboardInterrupt:
        print_error("interrupted; run it again to go on")
        return EXIT_INTERRUPTED


def _command(arguments: argparse.Namespace) -> Coroutine[None, None, int]:
    """Return the command as a coroutine."""
    if arguments.command == "copy":
        return run_copy(arguments.source, arguments.target, arguments.since)
    url = arguments.store or read_settings([], os.environ).store
    if arguments.command == "info":
        return store_upkeep.print_info(url)
    if arguments.command == "migrate":
        return store_upkeep.migrate(url, finish=arguments.finish)
    if arguments.command == "purge":
        return store_upkeep.purge(url, fully=arguments.full)
    return store_upkeep.delete(url, arguments.spec_ids, arguments.reason, absent=arguments.absent)


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="rui store", description="Copy, inspect and maintain stores of specs.", allow_abbrev=False)
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
        "--since",
        metavar="TIME",
        default="",
        help=f"only specs that were stored at this time or later, such as 2026-01-31; {LAST}: only those that TO "
        "lacks, without comparing the others",
    )
    _add(commands, "info", "show how many specs a store contains")
    _add_delete(commands)
    purge = _add(commands, "purge", "remove what is left of deleted specs from the files of a store")
    purge.add_argument(
        "--full",
        action="store_true",
        help="write all specs anew, which also removes what other tools deleted. A running service cannot store specs "
        "meanwhile, and with PostgreSQL not read them",
    )
    migrate = _add(commands, "migrate", "take the steps of the schema that services leave out, because they take long")
    migrate.add_argument(
        "--finish",
        action="store_true",
        help="also the steps after which programs of earlier versions cannot use the store",
    )
    return parser


def _add(commands: argparse._SubParsersAction[_Parser], name: str, text: str) -> _Parser:
    """Add a command that takes a store."""
    parser = commands.add_parser(name, help=text, description=f"{text.capitalize()}.", epilog=URL_HELP)
    parser.add_argument("store", metavar="STORE", nargs="?", default="", help=STORE_HELP)
    return parser


def _add_delete(commands: argparse._SubParsersAction[_Parser]) -> None:
    parser = commands.add_parser(
        "delete",
        help="delete specs for good, such as after a complaint",
        description="Delete specs for good. Their ids stay known: requests for them get 410, and no copy or backup "
        "brings them back. Running services need no restart.",
        epilog=URL_HELP,
    )
    parser.add_argument("spec_ids", metavar="ID", nargs="+", help="the id of a spec, or the address of its page")
    parser.add_argument("--reason", metavar="TEXT", required=True, help="kept in the store, and not shown to clients")
    parser.add_argument("--store", metavar="STORE", default="", help=STORE_HELP)
    parser.add_argument(
        "--absent", action="store_true", help="also ids that the store does not have, so that no copy adds them"
    )


if __name__ == "__main__":
    sys.exit(main())
