"""The playground process: it reads requests from standard input and writes answers to standard output.

A request is JSON: the action, the text, and the two positions of the selection. An answer is the JSON for the page, or
empty if the action failed.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import traceback
from contextlib import suppress

from rui_api.playground.messages import read_message, write_message
from rui_inspector.html.playground import Selection, answer

NICE = 5
"""The requests of the API have priority."""


def serve() -> None:
    """Answer requests until the service closes the pipe."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C ends the service, which ends this process.
    if hasattr(os, "nice"):
        os.nice(NICE)
    source = open(os.dup(0), "rb", buffering=0)  # noqa: SIM115, PTH123
    target = open(os.dup(1), "wb", buffering=0)  # noqa: SIM115, PTH123
    os.dup2(2, 1)  # `print` writes to standard error.
    with suppress(EOFError, OSError):
        while True:
            write_message(target, _answer(read_message(source)))


def _answer(request: bytes) -> bytes:
    try:
        action, text, start, end = json.loads(request)
        return json.dumps(answer(action, text, Selection(tuple(start), tuple(end))), separators=(",", ":")).encode()
    except Exception:
        traceback.print_exc(file=sys.stderr)
        return b""
