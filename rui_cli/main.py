"""`rui`: runs a command and reports its errors.

A command is a function ``main(argv) -> exit code`` in a module that is imported when the command runs.
"""

import gc
import os
import sys
from importlib import import_module
from typing import NamedTuple

from rui_cli import output
from rui_cli.errors import DEBUG_VARIABLE, ExitCode, OperationalError, UsageError, internal_error, reason
from rui_common.document_files import SUFFIX
from rui_common.suggest import did_you_mean
from rui_common.texts import EMPTY_ARGUMENT
from rui_common.version import RUI_VERSION, TOOL_VERSION, missing_package


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
    "impact": Command("rui_cli.commands.impact", "say what breaks when the OpenAPI description changes"),
    "merge": Command("rui_cli.commands.merge", "merge two versions of a document; also for git"),
    "git": Command("rui_cli.commands.git", "let git diff and git merge use rui"),
    "publish": Command("rui_cli.commands.publish", "store a document in a service, and print its address"),
    "serve": Command("rui_api.commands.serve", "run the service that validates and stores documents", "api"),
    "store": Command("rui_api.commands.store", "copy, inspect and maintain stores of documents", "api"),
    "lsp": Command("rui_lsp.main", "run the language server for editors", "lsp"),
}

OTHER_NAMES = {
    **dict.fromkeys(("validate", "lint", "verify", "test"), "check"), "fix": "check --fix", "fmt": "format",
    **dict.fromkeys(("init", "create", "add"), "new"), **dict.fromkeys(("compare", "changes"), "diff"),
    **dict.fromkeys(("draw", "render", "show", "preview", "view"), "wireframe"), "push": "publish", "upload": "publish",
    **dict.fromkeys(("run", "start", "server"), "serve"), "rules": "explain", "vocabulary": "schema",
}  # fmt: skip
"""What other tools call a command."""


def run() -> None:
    """Run the console script `rui`."""
    gc.set_threshold(20_000)  # The default collects a dozen times during the imports, in vain: 10 % of `rui check`.
    try:
        code = main(sys.argv[1:])
    except Exception as error:
        # Python would end with 1, which means errors in documents; to git, that conflicts are in the file.
        sys.excepthook(type(error), error, error.__traceback__)
        code = ExitCode.FAILED
    gc.freeze()  # The interpreter collects garbage at its end, and skips frozen objects.
    sys.exit(code)


def main(argv: list[str]) -> int:
    """Run one command; return the exit code. Every error is reported in one line on standard error."""
    if argv[:1] == ["help"] and argv[1:]:
        argv = [argv[1], "--help"]
    command = argv[0] if argv and argv[0] in COMMANDS else ""
    output.prepare_streams()
    try:
        code = _run(argv, command)
        if not sys.stdout.closed:
            sys.stdout.flush()
        return code
    except BrokenPipeError:
        output.discard()
        return ExitCode.BROKEN_PIPE
    except KeyboardInterrupt:
        output.discard()
        output.print_message("interrupted", command)
        return ExitCode.INTERRUPTED
    except OSError as error:
        output.discard()
        output.print_message(f"cannot go on: {reason(error)}", command)
    except Exception as error:
        if os.environ.get(DEBUG_VARIABLE) == "1":
            raise
        output.print_message(internal_error(error), command)
    return ExitCode.FAILED


def _run(argv: list[str], command: str) -> int:
    try:
        if not command:
            return _run_without_command(argv)
        code: int = import_module(COMMANDS[command].module).main(argv[1:])
        return code
    except UsageError as error:
        program = f"rui {command}".strip()
        output.print_message(f"{error}; see {program} --help", command)
    except OperationalError as error:
        output.print_message(str(error), command)
    except ModuleNotFoundError as error:
        extra = COMMANDS[command].extra if command else ""
        if not extra:
            raise
        output.print_message(missing_package(error.name, extra), command)
    except SystemExit as error:  # after --help
        if isinstance(error.code, int):
            return error.code
        return ExitCode.OK
    return ExitCode.FAILED


def _run_without_command(argv: list[str]) -> int:
    if not argv:
        output.write(_help(), to_stderr=True)
        return ExitCode.FAILED
    word = argv[0]
    if not word:
        raise UsageError(EMPTY_ARGUMENT)
    if word in {"-h", "--help", "help"}:
        output.write(_help())
    elif word in {"-V", "--version"}:
        output.write(f"rui {TOOL_VERSION} (RUI {RUI_VERSION})\n")
    else:
        raise UsageError(_unknown(word))
    return ExitCode.OK


def _unknown(word: str) -> str:
    """Return the error about a word in place of a command, with the command that is probably meant."""
    if word.startswith("-"):
        return f"unknown option {word}{did_you_mean(word, ('--help', '--version'))}"
    is_file = word.endswith(SUFFIX) or os.path.exists(word)
    meant = f"check {output.shell_word(word)}" if is_file else OTHER_NAMES.get(word, "")
    hint = f" (did you mean rui {meant}?)" if meant else did_you_mean(word, COMMANDS)
    return f"unknown command {word}{hint}"


def _help() -> str:
    commands = "\n".join(f"  {name:<10} {command.summary}" for name, command in COMMANDS.items())
    return (
        "Validate, format, store and edit RUI 0.1 documents.\n\nusage: rui COMMAND [OPTIONS] [ARGUMENTS]\n\n"
        f"Commands:\n{commands}\n\n"
        "Options:\n  -V, --version  print the version and exit\n  -h, --help     show this and exit\n\n"
        "`rui COMMAND --help` describes a command. Exit codes: 0 success, 1 errors in documents,\n"
        "2 invalid command line, or a file could not be read or written.\n"
    )
