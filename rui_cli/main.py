"""`rui`: which command is meant, and what becomes of everything that goes wrong in it.

A command is a module with a function `main(argv) -> int`, loaded when it is asked for.
"""

from __future__ import annotations

import gc
import os
import sys

from rui_cli import output
from rui_cli.errors import ProblemError, UsageError, reason

OK, FOUND, FAILED, INTERRUPTED, NOBODY_READS = 0, 1, 2, 130, 141
"""Exit codes: in order; findings; a wrong command line or an I/O error; Ctrl-C; the reader of the output has gone."""

COLLECT_AFTER = 20_000
"""Objects that are made before somebody looks for circles among them. At 700 it is done a dozen times while modules are
loaded, and finds nothing."""

COMMANDS = {
    "check": ("rui_cli.commands.check", "say what is wrong with RUI documents, and where"),
    "format": ("rui_cli.commands.format", "write documents in canonical order and layout"),
    "explain": ("rui_cli.commands.explain", "explain a rule or an error code"),
    "schema": ("rui_cli.commands.schema", "print the vocabulary, or a JSON Schema of it"),
    "new": ("rui_cli.commands.new", "write a valid document to start from"),
    "publish": ("rui_cli.commands.publish", "store a document in a service, and say where to look at it"),
    "serve": ("rui_cli.commands.serve", "run the service that validates and stores documents"),
    "store": ("rui_cli.commands.store", "copy stored documents to another store, say what is in one"),
    "lsp": ("rui_cli.commands.lsp", "run the language server that editors talk to"),
}
"""The commands, each with its module and what it does."""


def run() -> None:
    """The console script `rui`."""
    sys.exit(main())


def main(argv: list[str] | None = None) -> int:
    """Run one command.

    Args:
        argv: the arguments behind the program's name; those of the process if None.

    Returns:
        The exit code. Nothing is raised: what goes wrong is said in one line on standard error.
    """
    argv = sys.argv[1:] if argv is None else argv
    gc.set_threshold(COLLECT_AFTER)
    try:
        code = _dispatch(argv)
        output.flush()
    except (Exception, KeyboardInterrupt) as error:
        return _failed(error, argv[0] if argv and argv[0] in COMMANDS else "")
    return code


def _failed(error: BaseException, command: str) -> int:
    """Say what went wrong; the exit code."""
    if isinstance(error, UsageError):
        output.print_error(f"{error}; see rui {command + ' ' if command else ''}--help", command)
        return FAILED
    if isinstance(error, ProblemError):
        output.print_error(str(error), command)
        return FAILED
    # What is still waiting to be written may be what cannot be written.
    output.abandon_stdout()
    if isinstance(error, BrokenPipeError):
        return NOBODY_READS
    if isinstance(error, KeyboardInterrupt):
        output.print_error("interrupted", command)
        return INTERRUPTED
    if isinstance(error, OSError):
        output.print_error(f"cannot go on: {reason(error)}", command)
    elif os.environ.get("RUI_DEBUG") == "1":
        import traceback  # noqa: PLC0415

        output.write("".join(traceback.format_exception(error)), to_stderr=True)
    else:
        output.print_error(f"{_internal(error)}; run again with RUI_DEBUG=1 and report what it prints", command)
    return FAILED


def _dispatch(argv: list[str]) -> int:
    word = argv[0] if argv else ""
    if word in COMMANDS:
        from rui_cli.loading import load  # noqa: PLC0415  not for --version
        from rui_cli.options import HelpRequested  # noqa: PLC0415

        module = load(COMMANDS[word][0])
        try:
            code: int = module.main(argv[1:])
        except HelpRequested:
            output.write(module.COMMAND.help())
            return OK
        return code
    if word in {"-V", "--version"}:
        from rui_cli.version import tool_version  # noqa: PLC0415
        from rui_common.vocabulary.rui_0_1 import VERSION  # noqa: PLC0415

        output.write(f"rui {tool_version()} (RUI {VERSION})\n")
        return OK
    if word in {"-h", "--help", "help"}:
        return _dispatch([argv[1], "--help"]) if word == "help" and argv[1:2] else _show_help()
    if not argv:
        output.write(_help(), to_stderr=True)
        return FAILED
    from rui_cli.options import meant  # noqa: PLC0415

    kind = "option" if word.startswith("-") else "command"
    raise UsageError(f"unknown {kind} {word}{meant(word, [*COMMANDS, '--help', '--version'])}")


def _show_help() -> int:
    output.write(_help())
    return OK


def _help() -> str:
    from rui_cli.options import table  # noqa: PLC0415  only for help

    commands = table("Commands", [(name, summary) for name, (_, summary) in COMMANDS.items()])
    options = table("Options", [("-V, --version", "print the version and exit"), ("-h, --help", "show this and exit")])
    return (
        "Validate, format, store and edit RUI 0.1 documents.\n\nusage: rui COMMAND [OPTIONS] [ARGUMENTS]\n\n"
        f"{commands}\n\n{options}\n\n"
        "`rui COMMAND --help` tells all about a command. Exit codes: 0 in order, 1 something was found,\n"
        "2 wrong command line or something could not be read or written.\n"
    )


def _internal(error: BaseException) -> str:
    """What to report of an error that nobody thought of, in one line."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    where = ""
    if trace is not None:
        code = trace.tb_frame.f_code
        where = f" in {os.path.basename(code.co_filename)}:{trace.tb_lineno}"
    text = str(error).partition("\n")[0]
    return f"internal error: {type(error).__name__}{': ' if text else ''}{text[:200]}{where}"
