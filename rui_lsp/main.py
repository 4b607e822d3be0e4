"""`rui lsp`: the language server as a process."""

from __future__ import annotations

import os
import sys

USAGE = """\
usage: rui lsp [--stdio | --tcp PORT] [--log FILE]

The language server: an editor starts it and connects to it.

  --stdio       speak on standard input and output (the default)
  --tcp PORT    listen on 127.0.0.1:PORT instead, for development; 0 takes a free port
  --log FILE    write a log to the end of FILE instead of to standard error
  -h, --help    show this and exit
"""

_STDIN = 0
_STDOUT = 1
_STDERR = 2
_INTERRUPTED = 130


class UsageError(ValueError):
    """The command line is wrong; the message states the reason."""


class _Options:
    __slots__ = ("log_file", "tcp_port")

    def __init__(self) -> None:
        self.log_file: str | None = None
        self.tcp_port: int | None = None


def main(argv: list[str] | None = None) -> int:
    """Run the language server until its client sends ``exit`` or disconnects.

    Args:
        argv: the arguments after ``rui lsp``; by default the process's own.

    Returns:
        The exit code: 0 after `shutdown` and `exit`, 1 without the `shutdown`, 2 when it cannot start.
    """
    arguments = sys.argv[1:] if argv is None else argv
    if "-h" in arguments or "--help" in arguments:
        sys.stdout.write(USAGE)
        return 0
    try:
        options = _parse(arguments)
        return _serve(options)
    except BrokenPipeError:
        return 1  # The client is gone.
    except (UsageError, OSError) as error:
        sys.stderr.write(f"rui lsp: {error}\n")
        return 2
    except KeyboardInterrupt:
        return _INTERRUPTED


def _parse(arguments: list[str]) -> _Options:
    options = _Options()
    rest = iter(arguments)
    for argument in rest:
        name, equals, value = argument.partition("=")
        if argument == "--stdio":
            options.tcp_port = None
        elif name == "--clientProcessId":
            # Some editors pass their process id. The end of the input shows that an editor has ended.
            value = value if equals else next(rest, "")
        elif name == "--tcp":
            options.tcp_port = _port(value if equals else next(rest, ""))
        elif name == "--log":
            options.log_file = value if equals else next(rest, "")
            if not options.log_file:
                raise UsageError("--log needs the name of a file")
        else:
            raise UsageError(f"unknown argument {argument!r}; see rui lsp --help")
    return options


def _port(text: str) -> int:
    if text.isdecimal() and text.isascii() and len(text) <= 5 and int(text) <= 65535:
        return int(text)
    raise UsageError(f"--tcp needs a port between 0 and 65535, not {text!r}")


def _serve(options: _Options) -> int:
    # `--help` and an interrupt do not wait for these imports; the first one makes the others faster.
    from rui_lsp.scheduling.timing import configure_process  # noqa: PLC0415

    configure_process()
    from rui_lsp.protocol.log import configure_log  # noqa: PLC0415
    from rui_lsp.runtime.transport import HOST, serve_stdio, serve_tcp  # noqa: PLC0415

    configure_log(options.log_file)
    if options.tcp_port is None:
        if os.isatty(_STDIN):
            sys.stderr.write("rui lsp: waiting for an editor on standard input; see rui lsp --help\n")
        return serve_stdio(_STDIN, _take_stdout())

    def on_listening(port: int) -> None:
        sys.stderr.write(f"rui lsp: listening on {HOST}:{port}\n")
        sys.stderr.flush()

    return serve_tcp(options.tcp_port, on_listening)


def _take_stdout() -> int:
    """Reserve standard output for the protocol and return its descriptor; `print` writes to standard error then."""
    target = os.dup(_STDOUT)
    os.dup2(_STDERR, _STDOUT)
    return target
