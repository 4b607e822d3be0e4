"""The log: `logging` with a queue, and a thread that writes JSON for programs or text for terminals."""

from __future__ import annotations

import logging
import queue
import sys
from contextlib import suppress
from contextvars import ContextVar
from datetime import UTC, datetime
from logging.handlers import QueueHandler, QueueListener

import msgspec

from rui_common.redact import escape_control

MAX_QUEUED = 20_000
"""Lines that wait while standard error blocks; further ones are dropped."""
FIELDS = "fields"
"""Attribute of a log record: a dictionary with further fields of its line."""

request_id: ContextVar[str] = ContextVar("request_id", default="")
"""The id of the current request."""


class JsonFormatter(logging.Formatter):
    """Formats a record as a JSON object in one line."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
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
        rows = fields.pop("traceback", "").splitlines()
        words = " ".join(f"{name}={value}" for name, value in fields.items())
        head = f"{self.formatTime(record, '%H:%M:%S')} {record.levelname.lower():7} "
        return "\n".join([head + escape_control(f"{record.getMessage()} {words}".rstrip()), *map(escape_control, rows)])


class _Handler(QueueHandler):
    """Queues records, or drops them if the queue is full."""

    def prepare(self, record: logging.LogRecord) -> logging.LogRecord:
        """Add what only the thread that logs knows."""
        fields = dict(getattr(record, FIELDS, {}))
        if request_id.get():
            fields["id"] = request_id.get()
        if record.exc_info:
            fields["traceback"] = logging.Formatter().formatException(record.exc_info)
            record.exc_info = None
        setattr(record, FIELDS, fields)
        return record

    def enqueue(self, record: logging.LogRecord) -> None:
        """Queue a record."""
        with suppress(queue.Full):
            self.queue.put_nowait(record)


def start_logging(level_name: str, log_format: str) -> QueueListener:
    """Write everything that is logged to standard error. The caller stops the listener at the end.

    Libraries log warnings and errors, and uvicorn errors, unless the level is ``debug``.
    """
    level = logging.getLevelNamesMapping()[level_name.upper()]
    lines: queue.Queue[logging.LogRecord] = queue.Queue(MAX_QUEUED)
    root = logging.getLogger()
    root.handlers = [_Handler(lines)]
    root.setLevel(level if level == logging.DEBUG else max(level, logging.WARNING))
    logging.getLogger("rui_api").setLevel(level)
    if level != logging.DEBUG:
        # uvicorn warns of every malformed request and every offered upgrade: any client could fill the log.
        logging.getLogger("uvicorn").setLevel(logging.ERROR)
    logging.captureWarnings(capture=True)
    logging.raiseExceptions = False  # a log that cannot be written must not stop the service
    output = logging.StreamHandler()
    is_text = log_format == "text" or (log_format == "auto" and sys.stderr is not None and sys.stderr.isatty())
    output.setFormatter(TextFormatter() if is_text else JsonFormatter())
    listener = QueueListener(lines, output)
    listener.start()
    return listener


def timestamp(seconds: float) -> str:
    """Format a Unix time such as ``2026-01-31T09:15:00.123Z``."""
    time = datetime.fromtimestamp(seconds, UTC)
    return time.isoformat(timespec="milliseconds").removesuffix("+00:00") + "Z"
