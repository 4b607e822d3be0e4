"""`rui`: runs a command and reports its errors.

A command is a function ``main(argv) -> exit code`` in a module that is imported when the command runs.
"""

from __future__ import annotations

import gc
import os
import sys
from importlib import import_module
from typing import NamedTuple

from rui_cli import output
from rui_cli.errors import ExitCode, OperationalError, UsageError, reason

GC_THRESHOLD = 20_000
"""New objects before a garbage collection. The default, 700, collects a dozen times during the imports, in vain."""


class Command(NamedTuple):
    """A command: its module, its summary for the help, and the extra that installs the dependencies of the module."""

    module: str
    summary: str
    extra: str = ""


COMMANDS = {
    "check": Command("rui_cli.commands.check", "report errors in RUI documents, and fix them"),
    "format": Command("rui_cli.commands.format", "write documents in canonical order and layout"),
    "explain": Command("rui_cli.commands.explain", "explain a rule or an error code"),
    "schema": Command("rui_cli.commands.schema", "print the vocabulary, or its JSON Schema"),
    "skill": Command("rui_cli.commands.skill", "print a skill for coding agents, as Markdown"),
    "new": Command("rui_cli.commands.new", "write a valid document to start from"),
    "openapi": Command("rui_cli.commands.openapi", "derive an OpenAPI description from documents"),
    "wireframe": Command("rui_cli.commands.wireframe", "draw the pages of a document as HTML or SVG"),
    "diff": Command("rui_cli.commands.diff", "compare two documents: data, screens, texts; also for git"),
    "publish": Command("rui_cli.commands.publish", "store a document in a service, and print its address"),
    "serve": Command("rui_api.commands.serve", "run the service that validates and stores documents", "api"),
    "store": Command("rui_api.commands.store", "copy, inspect and maintain stores of documents", "api"),
    "lsp": Command("rui_lsp.main", "run the language server for editors", "lsp"),
}


def run() -> None:
    """Run the console script `rui`."""
    code = main()
    gc.freeze()  # At its end, the interpreter collects garbage once more. Frozen objects are skipped.
    sys.exit(code)


def main(argv: list[str] | None = None) -> int:
    """Run one command; every error is reported in one line on standard error.

    Args:
        argv: the arguments after the program's name; None for those of the process.

    Returns:
        The exit code.
    """
    if argv is None:
        argv = sys.argv[1:]
    gc.set_threshold(GC_THRESHOLD)
    try:
        code = _dispatch(argv)
        output.flush()
    except (Exception, KeyboardInterrupt) as error:
        command = argv[0] if argv and argv[0] in COMMANDS else ""
        return _report_error(error, command)
    return code


def _report_error(error: BaseException, command: str) -> int:
    if isinstance(error, UsageError):
        program = f"rui {command}".strip()
        output.print_error(f"{error}; see {program} --help", command)
        return ExitCode.FAILED
    if isinstance(error, OperationalError):
        output.print_error(str(error), command)
        return ExitCode.FAILED
    # The error may be that standard output cannot be written: drop its buffer.
    output.redirect_stdout_to_devnull()
    if isinstance(error, BrokenPipeError):
        return ExitCode.BROKEN_PIPE
    if isinstance(error, KeyboardInterrupt):
        output.print_error("interrupted", command)
        return ExitCode.INTERRUPTED
    if isinstance(error, OSError):
        output.print_error(f"cannot go on: {reason(error)}", command)
    elif os.environ.get("RUI_DEBUG") == "1":
        import traceback  # noqa: PLC0415  only for debugging

        output.write("".join(traceback.format_exception(error)), to_stderr=True)
    else:
        output.print_error(f"{_internal_error(error)}; run again with RUI_DEBUG=1 and report its output", command)
    return ExitCode.FAILED


def _dispatch(argv: list[str]) -> int:
    word = argv[0] if argv else ""
    if word in COMMANDS:
        return _run_command(COMMANDS[word], argv[1:])
    if word in {"-V", "--version"}:
        _print_version()
        return ExitCode.OK
    if word == "help" and argv[1:]:
        return _dispatch([argv[1], "--help"])
    if word in {"-h", "--help", "help"}:
        output.write(_help())
        return ExitCode.OK
    if not argv:
        output.write(_help(), to_stderr=True)
        return ExitCode.FAILED
    from rui_cli.parser import did_you_mean  # noqa: PLC0415  only for errors

    kind = "option" if word.startswith("-") else "command"
    raise UsageError(f"unknown {kind} {word}{did_you_mean(word, [*COMMANDS, '--help', '--version'])}")


def _run_command(command: Command, argv: list[str]) -> int:
    try:
        code: int = import_module(command.module).main(argv)
    except ModuleNotFoundError as error:
        if not command.extra:
            raise
        name = f"rui-toolkit[{command.extra}]"
        raise OperationalError(f"{error.name} is not installed: pip install '{name}'") from None
    except SystemExit as error:  # after --help
        if isinstance(error.code, int):
            return error.code
        return ExitCode.OK
    return code


def _print_version() -> None:
    from rui_common.version import TOOL_VERSION  # noqa: PLC0415  only for --version
    from rui_common.vocabulary.rui_0_1 import VERSION  # noqa: PLC0415

    output.write(f"rui {TOOL_VERSION} (RUI {VERSION})\n")


def _help() -> str:
    commands = "\n".join(f"  {name:<10} {command.summary}" for name, command in COMMANDS.items())
    return (
        "Validate, format, store and edit RUI 0.1 documents.\n\nusage: rui COMMAND [OPTIONS] [ARGUMENTS]\n\n"
        f"Commands:\n{commands}\n\n"
        "Options:\n  -V, --version  print the version and exit\n  -h, --help     show this and exit\n\n"
        "`rui COMMAND --help` describes a command. Exit codes: 0 success, 1 errors in documents,\n"
        "2 invalid command line, or a file could not be read or written.\n"
    )


def _internal_error(error: BaseException) -> str:
    """Return a one-line report of an unexpected error."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    report = f"internal error: {type(error).__name__}"
    text = str(error).partition("\n")[0]
    if text:
        report += f": {text[:200]}"
    if trace is not None:
        report += f" in {os.path.basename(trace.tb_frame.f_code.co_filename)}:{trace.tb_lineno}"
    return report
