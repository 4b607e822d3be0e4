"""Log lines are written in batches, and a reader that is blocked delays nothing."""

import json
import logging
import os
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from rui_api.observability import logs
from rui_api.observability.logs import JsonFormatter, LogWriter
from rui_common.describe import minimal_example
from tests.rui_api.live import AS_SHIPPED, process, wait_until

PIPE = 65_536
"""Bytes that a pipe holds."""


class Errors:
    """A pipe in place of standard error."""

    def __init__(self) -> None:
        reader, self.descriptor = os.pipe()
        self._reader = os.fdopen(reader, encoding="utf-8")

    def close(self) -> None:
        self._reader.close()
        os.close(self.descriptor)

    def line(self) -> str:
        return self._reader.readline()

    def lines(self, count: int) -> list[dict[str, object]]:
        return [json.loads(self.line()) for _ in range(count)]


@pytest.fixture
def errors() -> Iterator[Errors]:
    found = Errors()
    yield found
    found.close()


@pytest.fixture
def writer(errors: Errors) -> Iterator[LogWriter]:
    writer = LogWriter(JsonFormatter(), errors.descriptor)
    yield writer
    writer.stop()


def record(message: str, **fields: object) -> logging.LogRecord:
    return logging.makeLogRecord({"msg": message, "levelname": "INFO", logs.FIELDS: fields})


def test_lines_of_a_batch_keep_their_order(errors: Errors, writer: LogWriter, monkeypatch: pytest.MonkeyPatch) -> None:
    """They share writes, each of which has whole lines and is short enough not to be mixed with those of workers."""
    written: list[bytes] = []
    monkeypatch.setattr(logs, "_write", lambda _, part: written.append(part))
    for number in range(1000):
        writer.handle(record(f"line {number}"))
    wait_until(lambda: b"".join(written).count(b"\n") == 1000, "all lines are written")
    assert [json.loads(line)["event"] for line in b"".join(written).splitlines()] == [f"line {n}" for n in range(1000)]
    assert all(part.endswith(b"\n") and len(part) <= logs.MAX_WRITE for part in written if part)
    assert len(written) < 100


@pytest.mark.parametrize("size", [1, 4_000, 5_000, 200_000])
def test_lines_of_every_length(errors: Errors, writer: LogWriter, size: int) -> None:
    for number in range(3):
        writer.handle(record("x" * size, number=number))
    found = errors.lines(3)
    assert [(line["number"], len(line["event"])) for line in found] == [(0, size), (1, size), (2, size)]


def test_what_belongs_to_the_request(errors: Errors, writer: LogWriter) -> None:
    """The id and the traceback are those of the moment of the log call."""
    token = logs.request_id.set("agent-7")
    try:
        raise ValueError("lost")
    except ValueError as error:
        failed = record("failed")
        failed.exc_info = (ValueError, error, error.__traceback__)
        writer.handle(failed)
    finally:
        logs.request_id.reset(token)
    (line,) = errors.lines(1)
    assert line["id"] == "agent-7" and "ValueError: lost" in line["traceback"]


def test_lone_surrogates(errors: Errors) -> None:
    """The text of a path may contain them. The line is written, and the next one, too."""
    writer = LogWriter(logs.TextFormatter(), errors.descriptor)
    writer.handle(record("a \ud800"))
    writer.handle(record("b"))
    writer.stop()
    assert [errors.line()[17:] for _ in range(2)] == ["a \ufffd\n", "b\n"]


def test_dropped_lines_are_counted(errors: Errors, writer: LogWriter, monkeypatch: pytest.MonkeyPatch) -> None:
    """A blocked reader delays no caller. When it reads again, it learns how many lines it has missed."""
    monkeypatch.setattr(logs, "MAX_QUEUED", 100)
    sent = 0
    while not writer._dropped:
        writer.handle(record("x" * 1000))
        sent += 1
    for _ in range(50):
        writer.handle(record("x" * 1000))
        sent += 1
    found: list[dict[str, object]] = []
    while not any("dropped" in str(line["event"]) for line in found):
        found += errors.lines(1)
    dropped = next(str(line["event"]) for line in found if "dropped" in str(line["event"]))
    assert dropped.endswith(" lines were dropped: the reader of the log is too slow")
    assert 50 <= int(dropped.split()[0]) < sent


def test_the_end_does_not_wait_for_a_blocked_reader(errors: Errors, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logs, "STOP_SECONDS", 0.1)
    writer = LogWriter(JsonFormatter(), errors.descriptor)
    writer.handle(record("x" * 2 * PIPE))
    ended = threading.Thread(target=writer.stop)
    ended.start()
    ended.join(60)
    assert not ended.is_alive()
    errors.lines(1)  # so that the thread ends


def test_a_service_whose_log_nobody_reads(tmp_path: Path) -> None:
    """Its lines fill the pipe. It answers, keeps the lines for later, and ends."""
    options = ("--store", f"sqlite:///{tmp_path}/rui.db", "--log-level", "info", "--log-format", "json")
    count = 2 * PIPE // 250
    with process(*options, program=AS_SHIPPED) as (child, service):
        service.client.event_hooks = {}
        for number in range(count):
            headers = {"X-Request-ID": f"n{number}"}
            assert service.post("/api/validate", minimal_example(), **headers).status_code == 200
        read = [child.stderr.readline() for _ in range(count + 1)]
        assert [json.loads(line)["id"] for line in read[1:]] == [f"n{number}" for number in range(count)]
        for _ in range(count):
            assert service.client.get("/api/health").status_code == 200
        child.terminate()
        assert child.wait(60) == 0


def test_a_record_keeps_its_exception_for_other_handlers() -> None:
    read_end, write_end = os.pipe()
    writer = LogWriter(JsonFormatter(), write_end)
    try:
        1 / 0  # noqa: B018
    except ZeroDivisionError:
        record = logging.makeLogRecord({"msg": "failed", "exc_info": sys.exc_info()})
    writer.emit(record)
    writer.stop()
    assert b"ZeroDivisionError" in os.read(read_end, 10_000)
    assert record.exc_info is not None
    os.close(read_end)
    os.close(write_end)
