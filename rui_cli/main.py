"""`rui`: runs a command and reports its errors.

A command is a function ``(argv) -> exit code`` in a module that is imported when the command runs.
"""

from __future__ import annotations

import gc
import os
import sys

from rui_cli import output
from rui_cli.errors import ExitCode, OperationalError, UsageError, reason

GC_THRESHOLD = 20_000
"""New objects before a garbage collection. The default, 700, collects a dozen times during the imports, in vain."""


class CommandEntry:
    """A command: its module, the function that runs it, and its summary for the help."""

    __slots__ = ("function", "module", "summary")

    def __init__(self, module: str, function: str, summary: str) -> None:
        self.module = module
        self.function = function
        self.summary = summary


COMMANDS = {
    "check": CommandEntry("rui_cli.commands.check", "main", "report errors in RUI documents, and fix them"),
    "format": CommandEntry("rui_cli.commands.format", "main", "write documents in canonical order and layout"),
    "explain": CommandEntry("rui_cli.commands.explain", "main", "explain a rule or an error code"),
    "schema": CommandEntry("rui_cli.commands.schema", "main", "print the vocabulary, or its JSON Schema"),
    "new": CommandEntry("rui_cli.commands.new", "main", "write a valid document to start from"),
    "openapi": CommandEntry("rui_cli.commands.openapi", "main", "derive an OpenAPI description from documents"),
    "wireframe": CommandEntry("rui_cli.commands.wireframe", "main", "draw the pages of a document as HTML or SVG"),
    "diff": CommandEntry("rui_cli.commands.diff", "main", "compare two documents: data, screens, texts; also for git"),
    "publish": CommandEntry("rui_cli.commands.publish", "main", "store a document in a service, and print its address"),
    "serve": CommandEntry("rui_cli.commands.delegates", "serve", "run the service that validates and stores documents"),
    "store": CommandEntry("rui_cli.commands.delegates", "store", "copy, inspect and maintain stores of documents"),
    "lsp": CommandEntry("rui_cli.commands.delegates", "lsp", "run the language server for editors"),
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
    from rui_cli.options import did_you_mean  # noqa: PLC0415  only for errors

    kind = "option" if word.startswith("-") else "command"
    raise UsageError(f"unknown {kind} {word}{did_you_mean(word, [*COMMANDS, '--help', '--version'])}")


def _run_command(entry: CommandEntry, argv: list[str]) -> int:
    from rui_cli import lazy  # noqa: PLC0415  not for --version
    from rui_cli.options import HelpRequested  # noqa: PLC0415

    try:
        code: int = lazy.import_attr(entry.module, entry.function)(argv)
    except HelpRequested as request:
        output.write(str(request))
        return ExitCode.OK
    return code


def _print_version() -> None:
    from rui_common.version import TOOL_VERSION  # noqa: PLC0415  only for --version
    from rui_common.vocabulary.rui_0_1 import VERSION  # noqa: PLC0415

    output.write(f"rui {TOOL_VERSION} (RUI {VERSION})\n")


def _help() -> str:
    from rui_cli.options import table  # noqa: PLC0415  only for help

    commands = table("Commands", [(name, entry.summary) for name, entry in COMMANDS.items()])
    options = table("Options", [("-V, --version", "print the version and exit"), ("-h, --help", "show this and exit")])
    return (
        "Validate, format, store and edit RUI 0.1 documents.\n\nusage: rui COMMAND [OPTIONS] [ARGUMENTS]\n\n"
        f"{commands}\n\n{options}\n\n"
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
