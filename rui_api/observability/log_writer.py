"""The log: lines go into a bounded queue, and a thread writes them in chunks.

Logging never waits for a disk, a pipe or a terminal. If lines come faster than they can be written, they are dropped
and counted, and the log contains the number of missing lines.

`logging` and a QueueListener instead of this thread take 12 µs more per request; a QueueListener without LogRecords
takes 4 µs more, since it writes every line for itself.
"""

from __future__ import annotations

import logging
import os
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from logging.handlers import QueueHandler
from stat import S_ISFIFO
from time import sleep

from rui_api.observability import log_records
from rui_api.observability.log_records import EventLine, RequestLogRecord

MAX_QUEUED = 20_000
"""Lines; a few MB."""
GATHER_SECONDS = 0.05
"""Time in which lines gather before they are written together."""
MAX_PIPE_CHUNK = 4_096
"""Bytes that a pipe takes at once, so that the lines of several workers do not mix."""
MAX_CHUNK = 65_536
"""Bytes per write to anything else."""
CLOSE_TIMEOUT = 2.0
"""Seconds in which the last lines are written."""

STANDARD_ERROR = 2
SERVICE_UNAVAILABLE = 503


class LogWriter:
    """A log. Its thread starts with the first line.

    Args:
        path: a file, which is created if it is missing or was moved away; "" for standard error.
        log_format: ``json`` or ``text``.
        level: the lowest level that is written, as in `logging`.

    Raises:
        OSError: the file cannot be opened.

    Attributes:
        dropped: number of lines that could not be written.
    """

    def __init__(self, path: str, log_format: str, level: int) -> None:
        self.dropped = 0
        self.level = level
        self._path = path
        self._encode = log_records.to_json if log_format == "json" else log_records.to_text
        self._queue: deque[RequestLogRecord | EventLine] = deque()
        self._has_lines = threading.Event()
        self._starting = threading.Lock()
        self._thread: threading.Thread | None = None
        self._is_closing = False
        self._reported = 0
        self._file = STANDARD_ERROR
        if path:
            self._file = _open(path)

    def log_request(self, record: RequestLogRecord) -> None:
        """Log a request if the level includes INFO, or if it failed. A store that is down logs that itself, once."""
        is_failure = record.status >= 500 and record.status != SERVICE_UNAVAILABLE
        if is_failure or self.level <= logging.INFO:
            self.put_nowait(record)

    def put_nowait(self, line: RequestLogRecord | EventLine) -> None:
        """Queue a line, or drop it if the queue is full."""
        if len(self._queue) >= MAX_QUEUED:
            self.dropped += 1
            return
        self._queue.append(line)
        if not self._has_lines.is_set():
            if self._thread is None:
                self._start()
            self._has_lines.set()

    def close(self) -> None:
        """Write the queued lines, within `CLOSE_TIMEOUT`."""
        self._is_closing = True
        self._has_lines.set()
        if self._thread is not None:
            self._thread.join(CLOSE_TIMEOUT)

    def _start(self) -> None:
        with self._starting:
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="rui-log", daemon=True)
                self._thread.start()

    def _run(self) -> None:
        while not self._is_closing or self._queue:
            self._has_lines.wait()
            self._has_lines.clear()
            if not self._is_closing:
                sleep(GATHER_SECONDS)
            with suppress(Exception):  # an error must neither end the log nor be logged
                self._write_queued()

    def _write_queued(self) -> None:
        if self._path:
            with suppress(OSError):
                self._reopen_if_moved()
        is_pipe = S_ISFIFO(os.fstat(self._file).st_mode)
        for chunk in self._chunks(MAX_PIPE_CHUNK if is_pipe else MAX_CHUNK):
            try:
                _write(self._file, chunk)
            except OSError:  # no space, or no reader
                self.dropped += chunk.count(b"\n")

    def _chunks(self, max_size: int) -> Iterator[bytes]:
        chunk = bytearray()
        for line in self._lines():
            if chunk and len(chunk) + len(line) + 1 > max_size:
                yield bytes(chunk)
                chunk.clear()
            chunk += line
            chunk += b"\n"
        if chunk:
            yield bytes(chunk)

    def _lines(self) -> Iterator[bytes]:
        while self._queue:
            line = self._queue.popleft()
            if isinstance(line, RequestLogRecord):
                yield self._encode(log_records.request_line(line))
            else:
                yield self._encode(line)
        missing = self.dropped - self._reported
        if missing:
            self._reported = self.dropped
            yield self._encode(log_records.dropped_line(missing))

    def _reopen_if_moved(self) -> None:
        with suppress(FileNotFoundError):
            if os.path.samestat(os.fstat(self._file), os.stat(self._path)):  # noqa: PTH116
                return
        file = _open(self._path)
        os.close(self._file)
        self._file = file


class LogHandler(QueueHandler):
    """Queues the records of `logging` in a `LogWriter`."""

    def __init__(self, writer: LogWriter) -> None:
        super().__init__(writer)  # type: ignore[arg-type]  # a handler only calls `put_nowait`
        self.setLevel(writer.level)

    def prepare(self, record: logging.LogRecord) -> EventLine:
        return log_records.event_line(record)


def _open(path: str) -> int:
    return os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o640)


def _write(file: int, data: bytes) -> None:
    while data:
        data = data[os.write(file, data) :]
