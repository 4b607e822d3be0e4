"""The log: lines wait in a bounded queue, and a thread writes them, many at once.

Whoever logs never waits for a disk, a pipe or a terminal. When lines come faster than they can be written, they are
dropped and counted, and the log says how many are missing.
"""

from __future__ import annotations

import logging
import os
import threading
from collections import deque
from contextlib import suppress
from stat import S_ISFIFO
from time import sleep
from typing import TYPE_CHECKING

from rui_api.observability import log_records as lines

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rui_api.observability.log_records import EventLine, Noted

MAX_WAITING = 20_000
"""Lines; a few MB."""
TOGETHER = 0.05
"""Seconds in which lines gather, so that many are written at once."""
AT_ONCE = 4_096
"""Bytes that are written at once to a pipe: so much gets there in one piece, also when other processes write there."""
AT_ONCE_ELSEWHERE = 65_536
"""The same for all but pipes, which take more in one piece; each time, the event loop has to be waited for."""
FAREWELL = 2.0
"""Seconds that the last lines may take."""

STANDARD_ERROR = 2
UNAVAILABLE = 503


class Log:
    """A log; its thread starts with the first line.

    Args:
        path: of a file, which is made when it is not there, also when it was moved away; "" is standard error.
        form: ``json`` or ``text``.
        level: the lowest level that is written, as in `logging`.

    Raises:
        OSError: the file cannot be opened.
    """

    def __init__(self, path: str, form: str, level: int) -> None:
        self.dropped = 0
        self.level = level
        self._path = path
        self._encode = lines.to_json if form == "json" else lines.to_text
        self._requests = level <= logging.INFO
        self._waiting: deque[Noted | EventLine] = deque()
        self._something = threading.Event()
        self._starting = threading.Lock()
        self._thread: threading.Thread | None = None
        self._ending = False
        self._missing = 0
        self._file = STANDARD_ERROR
        if path:
            self._open()

    def request(self, noted: Noted) -> None:
        """A line about a request, if such are wanted; about one that failed in any case.

        A store that is down says so itself, once, and not with every request.
        """
        if self._requests or (noted[5] >= 500 and noted[5] != UNAVAILABLE):
            self._put(noted)

    def event(self, line: EventLine) -> None:
        """A line about anything else."""
        self._put(line)

    def close(self) -> None:
        """Write what waits, as long as that takes no more than `FAREWELL`."""
        self._ending = True
        self._something.set()
        if self._thread is not None:
            self._thread.join(FAREWELL)

    def _put(self, line: Noted | EventLine) -> None:
        waiting = self._waiting
        if len(waiting) >= MAX_WAITING:
            self.dropped += 1
            return
        waiting.append(line)
        if not self._something.is_set():
            if self._thread is None:
                self._start()
            self._something.set()

    def _start(self) -> None:
        with self._starting:
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="rui-log", daemon=True)
                self._thread.start()

    def _run(self) -> None:
        while not self._ending or self._waiting:
            self._something.wait()
            self._something.clear()
            if not self._ending:
                sleep(TOGETHER)
            # A fault here must not end the log, nor be logged.
            with suppress(Exception):
                self._write_all()

    def _write_all(self) -> None:
        if self._path:
            with suppress(OSError):
                self._follow()
        at_once = AT_ONCE if S_ISFIFO(os.fstat(self._file).st_mode) else AT_ONCE_ELSEWHERE
        for piece in self._pieces(at_once):
            try:
                _write(self._file, piece)
            except OSError:  # no room, nobody reads any more
                self.dropped += piece.count(b"\n")

    def _pieces(self, at_once: int) -> Iterator[bytes]:
        piece: list[bytes] = []
        size = 0
        while self._waiting:
            taken = self._waiting.popleft()
            line = self._encode(lines.request_line(taken) if isinstance(taken, tuple) else taken)
            if size + len(line) + 1 > at_once and piece:
                yield b"\n".join(piece) + b"\n"
                piece, size = [], 0
            piece.append(line)
            size += len(line) + 1
        if self.dropped > self._missing:
            missing, self._missing = self.dropped - self._missing, self.dropped
            piece.append(self._encode(lines.own_line("warning", f"{missing} lines are missing here")))
        if piece:
            yield b"\n".join(piece) + b"\n"

    def _follow(self) -> None:
        """Make the file anew when it was moved away."""
        with suppress(FileNotFoundError):
            here, there = os.fstat(self._file), os.stat(self._path)  # noqa: PTH116
            if (here.st_dev, here.st_ino) == (there.st_dev, there.st_ino):
                return
        os.close(self._file)
        self._file = STANDARD_ERROR
        self._open()

    def _open(self) -> None:
        self._file = os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o640)


class Handler(logging.Handler):
    """Leads what is logged with `logging`, by us and by others, into a `Log`."""

    def __init__(self, log: Log) -> None:
        super().__init__(log.level)
        self._log = log

    def emit(self, record: logging.LogRecord) -> None:
        """Hand it on."""
        try:
            self._log.event(lines.event_line(record))
        except Exception:  # a message that its arguments do not fit
            self.handleError(record)


def _write(file: int, piece: bytes) -> None:
    while piece:
        piece = piece[os.write(file, piece) :]
