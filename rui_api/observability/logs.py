"""The log: `logging` with a thread that writes lines in batches, as JSON for programs or as text for terminals.

A request never waits for standard error. `QueueHandler` with a `QueueListener` writes each line by itself, which takes
120 µs of CPU: thread switches and flushes.
"""

import json
import logging
import os
import re
import select
import sys
import threading
from collections import Counter, deque
from contextvars import ContextVar

import msgspec

from rui_api.store.base import timestamp
from rui_common.redact import escape_control

MAX_QUEUED = 20_000  # lines that wait while standard error blocks; further ones are dropped, and their number is logged
BATCH_SECONDS = 0.04  # how long a line waits for others
MAX_WRITE = 4096  # bytes of one write to a pipe that are not mixed with those of other workers: PIPE_BUF of Linux
STOP_SECONDS = 2.0  # maximum time to write the rest at the end: the reader of the log may be blocked
MAX_NUMBER = 1 << 63  # readers of JSON may have no larger numbers
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
            "event": _message(record),
            "logger": record.name,
            **_fields(self, record),
        }
        try:
            return msgspec.json.encode(line).decode()
        except Exception:  # msgspec has several for what is not JSON, such as half a surrogate pair in a path
            return json.dumps(_plain(line), ensure_ascii=False, separators=(",", ":"))


_WORD = re.compile(r"[^\s\"=]+")


class TextFormatter(logging.Formatter):
    """Formats a record for a terminal, with control characters escaped."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line, and lines of a traceback."""
        fields = _fields(self, record)
        rows = _text(fields.pop("traceback", "")).splitlines()
        words = " ".join(f"{name}={_word(value)}" for name, value in fields.items())
        head = f"{self.formatTime(record, '%H:%M:%S')} {record.levelname.lower():7} "
        line = f"{_text(_message(record))} {words}".rstrip()
        return "\n".join([head + escape_control(line), *map(escape_control, rows)])


def _fields(formatter: logging.Formatter, record: logging.LogRecord) -> dict[str, object]:
    """Return the further fields of a line: those of the record, the id of the current request, and the traceback."""
    fields = {**getattr(record, FIELDS, {})}
    if request_id.get():
        fields["id"] = request_id.get()
    if record.exc_info:
        fields["traceback"] = formatter.formatException(record.exc_info)
    return fields


def _message(record: logging.LogRecord) -> str:
    """Return the message; if its arguments do not fit, the message and the arguments as they are."""
    try:
        return record.getMessage()
    except Exception:  # any of a conversion
        return f"{_text(record.msg)} {_text(record.args or '')}".rstrip()


def _plain(value: object) -> object:
    """Return a value as JSON can contain it, with what has no form of its own there as text."""
    if isinstance(value, dict):
        return {_text(name): _plain(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    is_number = isinstance(value, int | float) and abs(value) < MAX_NUMBER
    if value is None or is_number:
        return value
    return _text(value)


def _text(value: object) -> str:
    """Return a value as a text, with half surrogate pairs escaped."""
    try:
        text = str(value)
    except Exception as error:  # any of `__str__`
        text = f"<{type(value).__name__}: {type(error).__name__}>"
    return text.encode("utf-8", "backslashreplace").decode()


def _word(value: object) -> str:
    """Return a value as one word: in quotes if it has spaces or other marks, as a path must not look like fields."""
    text = _text(value)
    return text if _WORD.fullmatch(text) else json.dumps(text, ensure_ascii=False)


class LogWriter(logging.Handler):
    """Queues lines. A thread writes them to a file descriptor within 50 ms.

    `stop` writes the rest; SIGKILL loses it. No error ends the thread: what cannot be written is counted.
    """

    def __init__(self, formatter: logging.Formatter, descriptor: int) -> None:
        super().__init__()
        self._descriptor = descriptor
        self.setFormatter(formatter)
        self._lines: deque[bytes] = deque()
        self._dropped: Counter[str] = Counter()  # number of lines by reason
        self._is_cut = False  # whether the last line was written in part
        self._has_lines = threading.Event()
        self._is_stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="rui-log", daemon=True)
        self._thread.start()

    def emit(self, record: logging.LogRecord) -> None:
        """Queue the line of a record, or drop it if too many wait."""
        if len(self._lines) >= MAX_QUEUED:
            self._count_dropped("the reader of the log is too slow", 1)
            return
        self._lines.append(self._line(record))
        if not self._has_lines.is_set():
            self._has_lines.set()

    def stop(self) -> None:
        """Write what is queued, unless standard error blocks."""
        self._is_stopping.set()
        self._has_lines.set()
        self._thread.join(STOP_SECONDS)

    def _run(self) -> None:
        while not self._is_stopping.is_set():
            self._has_lines.wait()
            self._is_stopping.wait(BATCH_SECONDS)
            self._has_lines.clear()
            self._write_batch()

    def _write_batch(self) -> None:
        batch = b""
        while self._lines:
            line = self._lines.popleft()
            if len(batch) + len(line) > MAX_WRITE:
                self._write_lines(batch)
                batch = b""
            batch += line
        self._write_lines(batch)
        for reason, count in list(self._dropped.items()):
            notice = self._line(record_of(logging.WARNING, f"{count} lines were dropped: {reason}"))
            if count and not self._write(notice):
                self._count_dropped(reason, -count)

    def _line(self, record: logging.LogRecord) -> bytes:
        try:
            text = self.format(record)
        except Exception as error:  # any of what a caller has logged
            event = f"a line of {record.name} cannot be formatted: {type(error).__name__}"
            text = self.format(record_of(logging.ERROR, event))
        return text.encode("utf-8", "backslashreplace") + b"\n"

    def _write_lines(self, lines: bytes) -> None:
        for reason, count in self._write(lines).items():
            self._count_dropped(reason, count)

    def _write(self, lines: bytes) -> dict[str, int]:
        """Write lines. Return the number of those that are not written to their end, by reason, if there are any."""
        content = b"\n" * self._is_cut + lines
        try:
            while content:
                count = _write(self._descriptor, content)
                self._is_cut = not content[:count].endswith(b"\n")
                content = content[count:]
        except OSError as error:
            return {error.strerror or type(error).__name__: min(content.count(b"\n"), lines.count(b"\n"))}
        return {}

    def _count_dropped(self, reason: str, count: int) -> None:
        with self.lock:  # type: ignore[union-attr]  # the lock of `handle`, which calls `emit`
            self._dropped[reason] += count


def _write(descriptor: int, content: bytes) -> int:
    """Write bytes, and return their number. Not through `sys.stderr`: its lock would block the end of the process."""
    while True:
        try:
            return os.write(descriptor, content)
        except BlockingIOError:  # a process that shares it has set it to O_NONBLOCK, and its reader pauses
            select.select([], [descriptor], [])


def record_of(level: int, event: str) -> logging.LogRecord:
    """Return a record of the service that no logger has made."""
    return logging.LogRecord("rui_api", level, "", 0, event, None, None)


def start_logging(level_name: str, log_format: str) -> LogWriter:
    """Write everything that is logged to standard error. The caller stops the writer at the end.

    Libraries log warnings and errors, and uvicorn errors. With ``debug``, the service and uvicorn log everything.
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
    root.setLevel(max(level, logging.WARNING))
    logging.getLogger("rui_api").setLevel(level)
    # uvicorn warns of every malformed request and every offered upgrade: any client could fill the log.
    logging.getLogger("uvicorn").setLevel(level if level == logging.DEBUG else logging.ERROR)
    logging.captureWarnings(capture=True)
    logging.raiseExceptions = False  # a log that cannot be written must not stop the service
    # No line shows them; finding them out takes a third of the time for a record.
    logging.logThreads = logging.logProcesses = logging.logMultiprocessing = False
    return writer
