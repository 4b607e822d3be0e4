"""`rui lsp`: the language server as a process."""

import asyncio
import gc
import os
import sys
from argparse import ArgumentError, ArgumentParser

from rui_common.redact import escape_control
from rui_common.suggest import did_you_mean
from rui_common.texts import EMPTY_ARGUMENT, has_empty_argument
from rui_common.version import missing_package

USAGE = """\
usage: rui lsp [--stdio] [--log FILE]

The language server: an editor starts it and connects to it.

  --stdio       use standard input and output, which is the only transport
  --log FILE    write a log to the end of FILE instead of to standard error
  -h, --help    show this and exit
"""

_STDIN = 0
_STDOUT = 1
_STDERR = 2


def main(argv: list[str] | None = None) -> int:
    """Run the language server until its client sends ``exit`` or disconnects.

    Args:
        argv: the arguments after ``rui lsp``; by default the process's own.

    Returns:
        The exit code: 0 after `shutdown` and `exit`, 1 without the `shutdown`, 2 when it cannot start or a message is
        too long.
    """
    # Errors have one line: argparse exits with several.
    parser = ArgumentParser(add_help=False, allow_abbrev=False, exit_on_error=False)
    parser.add_argument("-h", "--help", action="store_true")
    parser.add_argument("--stdio", action="store_true")
    parser.add_argument("--log", metavar="FILE")
    # Some editors pass their process id. The end of the input shows that an editor has ended.
    parser.add_argument("--clientProcessId", metavar="PID")
    try:
        options, unknown = parser.parse_known_args(argv)
    except ArgumentError as error:
        return _fail(str(error))
    if options.help:
        sys.stdout.write(USAGE)
        return 0
    if has_empty_argument(sys.argv[1:] if argv is None else argv):
        return _fail(f"{EMPTY_ARGUMENT}; see rui lsp --help")
    if unknown:
        meant = did_you_mean(unknown[0].partition("=")[0], ("--stdio", "--log", "--help"))
        return _fail(f"unknown argument {unknown[0]}{meant}; see rui lsp --help")
    try:
        return _serve(options.log)
    except ModuleNotFoundError as error:
        return _fail(missing_package(error.name, "lsp"))
    except OSError as error:  # A file.
        return _fail(str(error) or repr(error))


def _fail(reason: str) -> int:
    sys.stderr.write(f"rui lsp: {escape_control(reason)}\n")
    return 2


def _serve(log_file: str | None) -> int:
    gc.set_threshold(20_000)  # The default collects hundreds of times during the imports and in a large document.
    # `--help` does not wait for these imports.
    from rui_lsp.features import create_server
    from rui_lsp.protocol.connection import MessageTooLongError, serve_stdio
    from rui_lsp.protocol.log import configure_log

    gc.freeze()  # Imported modules stay: no later collection looks at them.
    configure_log(log_file)
    server = create_server()
    try:
        if os.isatty(_STDIN):
            sys.stderr.write("rui lsp: waiting for an editor on standard input; see rui lsp --help\n")
        asyncio.run(serve_stdio(server.protocol, _STDIN, _take_stdout(), _STDERR))
    except KeyboardInterrupt:
        pass
    except MessageTooLongError as error:
        return _fail(str(error))
    finally:
        server.end_session()
    if server.is_shut_down:
        return 0
    return 1


def _take_stdout() -> int:
    """Reserve standard output for the protocol; `print` writes to standard error then."""
    target = os.dup(_STDOUT)
    os.dup2(_STDERR, _STDOUT)
    return target
