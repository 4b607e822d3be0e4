"""The log: `logging` with a thread that writes lines in batches, as JSON for programs or as text for terminals.

A request never waits for standard error. Writing each line by itself costs 120 µs of CPU: thread switches and flushes.
"""

import copy
import logging
import os
import sys
import threading
from collections import deque
from contextlib import suppress
from contextvars import ContextVar

import msgspec

from rui_api.store.base import timestamp
from rui_common.redact import escape_control

MAX_QUEUED = 20_000  # lines that wait while standard error blocks; further ones are dropped, and their number is logged
BATCH_SECONDS = 0.04  # how long a line waits for others
MAX_WRITE = 4096  # bytes of one write to a pipe that are not mixed with those of other workers: PIPE_BUF of Linux
STOP_SECONDS = 2.0  # maximum time to write the rest at the end: the reader of the log may be blocked
STDERR = 2
FIELDS = "fields"
"""Attribute of a log record: a dictionary with further fields of its line."""

request_id: ContextVar[str] = ContextVar("request_id", default="")  # the id of the current request


class JsonFormatter(logging.Formatter):
    """Formats a record as a JSON object in one line."""

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "time": timestamp(record.created),
            "level": record.levelname.lower(),
            "event": record.getMessage(),
            "logger": record.name,
            **getattr(record, FIELDS),
        }
        return msgspec.json.encode(line).decode()


class TextFormatter(logging.Formatter):
    """Formats a record for a terminal, with control characters escaped."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line, and lines of a traceback."""
        fields = dict(getattr(record, FIELDS))
        rows = str(fields.pop("traceback", "")).splitlines()
        words = " ".join(f"{name}={value}" for name, value in fields.items())
        head = f"{self.formatTime(record, '%H:%M:%S')} {record.levelname.lower():7} "
        return "\n".join([head + escape_control(f"{record.getMessage()} {words}".rstrip()), *map(escape_control, rows)])


class LogWriter(logging.Handler):
    """Queues records. A thread formats them, and writes them to a file descriptor within 50 ms.

    `stop` writes the rest; SIGKILL loses it.
    """

    def __init__(self, formatter: logging.Formatter, descriptor: int) -> None:
        super().__init__()
        self._descriptor = descriptor
        self.setFormatter(formatter)
        self._records: deque[logging.LogRecord] = deque()
        self._dropped = 0
        self._has_records = threading.Event()
        self._is_stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="rui-log", daemon=True)
        self._thread.start()

    def emit(self, record: logging.LogRecord) -> None:
        """Queue a record, or drop it if too many wait."""
        if len(self._records) >= MAX_QUEUED:
            self._dropped += 1
            return
        fields = record.__dict__.setdefault(FIELDS, {})
        if request_id.get():
            fields["id"] = request_id.get()
        if record.exc_info:  # frames would keep their objects
            fields["traceback"] = logging.Formatter().formatException(record.exc_info)
            record = copy.copy(record)  # other handlers need the exception
            record.exc_info = None
        self._records.append(record)
        if not self._has_records.is_set():
            self._has_records.set()

    def stop(self) -> None:
        """Write what is queued, unless standard error blocks."""
        self._is_stopping.set()
        self._has_records.set()
        self._thread.join(STOP_SECONDS)

    def _run(self) -> None:
        while not self._is_stopping.is_set():
            self._has_records.wait()
            self._is_stopping.wait(BATCH_SECONDS)
            self._has_records.clear()
            self._write_batch()

    def _write_batch(self) -> None:
        batch = b""
        while self._records:
            line = self._line(self._records.popleft())
            if len(batch) + len(line) > MAX_WRITE:
                _write(self._descriptor, batch)
                batch = b""
            batch += line
        _write(self._descriptor, batch)
        if self._dropped:
            event = f"{self._dropped} lines were dropped: the reader of the log is too slow"
            self._dropped = 0
            record = {"name": "rui_api", "levelname": "WARNING", "msg": event, FIELDS: {}}
            _write(self._descriptor, self._line(logging.makeLogRecord(record)))

    def _line(self, record: logging.LogRecord) -> bytes:
        return self.format(record).encode("utf-8", "backslashreplace") + b"\n"


def _write(descriptor: int, content: bytes) -> None:
    """Write all bytes. Not through `sys.stderr`: its lock would block the end of the process."""
    with suppress(OSError):  # nobody reads it any more
        while content:
            content = content[os.write(descriptor, content) :]


def start_logging(level_name: str, log_format: str) -> LogWriter:
    """Write everything that is logged to standard error. The caller stops the writer at the end.

    Libraries log warnings and errors, and uvicorn errors, unless the level is ``debug``.
    """
    level = logging.getLevelNamesMapping()[level_name.upper()]
    # Python has no `sys.stderr` if the descriptor is closed: a database could get its number.
    descriptor = STDERR if sys.stderr is not None else os.open(os.devnull, os.O_WRONLY)
    formatter: logging.Formatter = JsonFormatter()
    if log_format == "text" or (log_format == "auto" and os.isatty(descriptor)):
        formatter = TextFormatter()
    writer = LogWriter(formatter, descriptor)
    root = logging.getLogger()
    root.handlers = [writer]
    root.setLevel(level if level == logging.DEBUG else max(level, logging.WARNING))
    logging.getLogger("rui_api").setLevel(level)
    if level != logging.DEBUG:
        # uvicorn warns of every malformed request and every offered upgrade: any client could fill the log.
        logging.getLogger("uvicorn").setLevel(logging.ERROR)
    logging.captureWarnings(capture=True)
    logging.raiseExceptions = False  # a log that cannot be written must not stop the service
    # No line shows them; finding them out takes a third of the time for a record.
    logging.logThreads = logging.logProcesses = logging.logMultiprocessing = False
    return writer
