"""Log lines are written in batches, and a reader that is blocked delays nothing."""

import errno
import json
import logging
import os
import select
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from rui_api.observability import logs
from rui_api.observability.logs import JsonFormatter, LogWriter
from rui_common.describe import minimal_example
from tests.rui_api.live import AS_SHIPPED, PATIENT, process, wait_until

PIPE = 65_536
"""Bytes that a pipe holds."""


class Errors:
    """A pipe in place of standard error."""

    def __init__(self) -> None:
        reader, self.descriptor = os.pipe()
        self._reader = os.fdopen(reader, encoding="utf-8")

    def close_reader(self) -> None:
        self._reader.close()

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


def record(message: object, args: tuple[object, ...] = (), **fields: object) -> logging.LogRecord:
    return logging.makeLogRecord({"msg": message, "args": args, "levelname": "INFO", logs.FIELDS: fields})


def test_lines_of_a_batch_keep_their_order(errors: Errors, writer: LogWriter, monkeypatch: pytest.MonkeyPatch) -> None:
    """They share writes, each of which has whole lines and is short enough not to be mixed with those of workers."""
    written: list[bytes] = []
    monkeypatch.setattr(logs, "_write", lambda _, part: written.append(part) or len(part))
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


class Unprintable:
    def __str__(self) -> str:
        raise ValueError(self)

    __repr__ = __str__


def nested(depth: int) -> list[object]:
    inner: list[object] = []
    for _ in range(depth):
        inner = [inner]
    return inner


def failed(error: Exception) -> logging.LogRecord:
    """Return a record with the traceback of an error."""
    failure = record("a")
    failure.exc_info = (type(error), error, None)
    return failure


def changed(**attributes: object) -> logging.LogRecord:
    """Return a record with other attributes."""
    return logging.makeLogRecord({**record("a").__dict__, **attributes})


circular: list[object] = []
circular.append(circular)

RECORDS: dict[str, tuple[logging.LogRecord, object]] = {
    "half a surrogate pair": (record("a \ud800", path="caf\udce9", number=1), "a \\ud800"),
    "a lone surrogate in a name": (record("a", **{"\udcff": 1}), "a"),
    "control characters": (record("a\n\0\x1b[2J"), "a\n\0\x1b[2J"),
    "an object": (record("a", value=object()), "a"),
    "an object without a text": (record("a", value=Unprintable()), "a"),
    "a message without a text": (record(Unprintable()), "<Unprintable: ValueError>"),
    "a path": (record("a", path=Path("/caf\udce9")), "a"),
    "bytes": (record("a", value=b"\xff"), "a"),
    "NaN": (record("a", value=float("nan"), inner=[float("inf")], path="\udce9"), "a"),
    "a huge number": (record("a", value=1 << 70), "a"),
    "a number of more digits than Python shows": (record("a", value=10**5_000), "a"),
    "too few arguments": (record("%s and %s", args=("b",)), "%s and %s ('b',)"),
    "too many arguments": (record("a", args=("b",)), "a ('b',)"),
    "a wrong argument": (record("%d", args=("b",)), "%d ('b',)"),
    "arguments without a text": (record("%s", args=(Unprintable(),)), "%s <tuple: ValueError>"),
    "a very long value": (record("a", value="\udce9" + "x" * 1_000_000), "a"),
    "a set": (record("a", value={"\udce9", 1}), "a"),
    "names that are no texts": (changed(**{logs.FIELDS: {1: 2, None: 3, (4,): "\udce9"}}), "a"),
    "half a pair in a traceback": (failed(ValueError("caf\udce9")), "a"),
    "a traceback of an error without a text": (failed(ValueError(Unprintable())), "a"),
    "a group of errors": (failed(ExceptionGroup("\udce9", [OSError(2, "a", "caf\udce9")])), "a"),
    "half a pair in the name of a logger": (changed(name="caf\udce9"), "a"),
    "a level without a name": (changed(levelname="", levelno=7), "a"),
    "a time that is none": (changed(created=float("nan")), None),
    "fields that are no dictionary": (changed(**{logs.FIELDS: 7}), None),
    "a traceback that is none": (changed(exc_info=7), None),
    "a list": (record("a", value=["\udce9", 1, None, True, {"b": object()}]), "a"),
    "a circular list": (record("a", value=circular), None),
    "a deep list": (record("a", value=nested(100_000)), None),
}
"""What is logged, and the event in the line; None if another line takes its place."""


@pytest.mark.parametrize("formatter", [JsonFormatter(), logs.TextFormatter()])
@pytest.mark.parametrize(("logged", "event"), RECORDS.values(), ids=RECORDS)
def test_every_record_has_a_line(
    errors: Errors, formatter: logging.Formatter, logged: logging.LogRecord, event: str | None
) -> None:
    """Its readers can read it, and the next line follows. JSON is one line, and a traceback more lines of text."""
    writer = LogWriter(formatter, errors.descriptor)
    writer.handle(logging.makeLogRecord(logged.__dict__))
    writer.handle(record("next"))
    lines = [errors.line()]
    while "next" not in lines[-1]:
        lines.append(errors.line())
    writer.stop()
    assert len(lines) == 2 or (logged.exc_info and not isinstance(formatter, JsonFormatter))
    if isinstance(formatter, JsonFormatter):
        line, _ = map(strictly, lines)
        assert line["event"] == event if event else "cannot be formatted" in str(line["event"])


@pytest.mark.parametrize(("path", "shown"), [
    ("/api/specs", "path=/api/specs"), ("/x level=error id=1", 'path="/x level=error id=1"'),
    ('/x" level=error', r'path="/x\" level=error"'), ("", 'path=""'),
])  # fmt: skip
def test_no_path_looks_like_fields_of_a_line(path: str, shown: str) -> None:
    line = logs.TextFormatter().format(record("request", path=path, status=404))
    assert line.endswith(f" request {shown} status=404")


def test_what_is_not_unicode_is_escaped_in_a_traceback_too() -> None:
    for error in (ValueError("caf\udce9"), OSError(2, "gone", "caf\udce9")):
        assert r"caf\udce9" in logs.TextFormatter().format(failed(error))


def strictly(line: str) -> dict[str, object]:
    """Read a line as a reader does that knows neither NaN nor half a surrogate pair."""
    line.encode()
    value = json.loads(line, parse_constant=pytest.fail)
    json.dumps(value, ensure_ascii=False).encode()
    return value


def test_values_of_a_record_that_is_escaped_keep_their_types(errors: Errors, writer: LogWriter) -> None:
    writer.handle(record("a", path="caf\udce9", ms=1.5, status=200, sent=None, codes=["A"]))
    (line,) = errors.lines(1)
    kept = {name: line[name] for name in ("path", "ms", "status", "sent", "codes")}
    assert kept == {"path": "caf\\udce9", "ms": 1.5, "status": 200, "sent": None, "codes": ["A"]}


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


# Standard error that cannot be written --------------------------------------------------------------------------------


def test_a_reader_that_pauses_where_writing_does_not_block(errors: Errors) -> None:
    """A program that shares standard error may have set it so. All lines arrive when the reader goes on."""
    os.set_blocking(errors.descriptor, False)
    writer = LogWriter(JsonFormatter(), errors.descriptor)
    count = 3_000
    for number in range(count):
        writer.handle(record("x" * 250, number=number))
    wait_until(lambda: not select.select([], [errors.descriptor], [], 0)[1], "the pipe is full")
    assert [line["number"] for line in errors.lines(count)] == [*range(count)]
    writer.stop()


@pytest.mark.parametrize("size", [100, 200_000])
def test_lines_are_whole_where_writing_does_not_block(errors: Errors, size: int) -> None:
    os.set_blocking(errors.descriptor, False)
    writer = LogWriter(JsonFormatter(), errors.descriptor)
    for number in range(20):
        writer.handle(record("x" * size, number=number))
    assert [(line["number"], len(line["event"])) for line in errors.lines(20)] == [(n, size) for n in range(20)]
    writer.stop()


def test_dropped_lines_are_counted_where_writing_does_not_block(
    errors: Errors, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each line that was logged is read, or counted."""
    monkeypatch.setattr(logs, "MAX_QUEUED", 100)
    os.set_blocking(errors.descriptor, False)
    writer = LogWriter(JsonFormatter(), errors.descriptor)
    count = 2_000
    for number in range(count):
        writer.handle(record("x" * 250, number=number))
    read = 0
    dropped = 0
    while read + dropped < count:
        (line,) = errors.lines(1)
        read += "number" in line
        dropped += int(str(line["event"]).split()[0]) if "dropped" in str(line["event"]) else 0
    assert (read + dropped, dropped > 0) == (count, True)
    writer.stop()


class FullDisk:
    """`os.write` to a disk with room for some bytes."""

    def __init__(self, room: int) -> None:
        self.room = room
        self.content = b""

    def __call__(self, _: int, content: bytes) -> int:
        if not self.room:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        part = content[: self.room]
        self.room -= len(part)
        self.content += part
        return len(part)


def test_a_full_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """What does not fit is counted. When there is room again, the next line has a line of its own, and so has it."""
    disk = FullDisk(room=500)
    monkeypatch.setattr(logs, "_write", disk)
    writer = LogWriter(JsonFormatter(), -1)
    for number in range(40):
        writer.handle(record("x" * 50, number=number))
    wait_until(lambda: disk.content.count(b"\n") + writer._dropped.total() == 40, "each line is written or counted")
    disk.room = 1_000_000
    writer.handle(record("again"))
    writer.stop()
    *kept, cut, again, notice = disk.content.decode().splitlines()
    assert [json.loads(line)["number"] for line in kept] == [*range(len(kept))]
    assert not cut.endswith("}")
    assert json.loads(again)["event"] == "again"
    assert json.loads(notice)["event"] == f"{40 - len(kept)} lines were dropped: No space left on device"


def test_nobody_reads_any_more(errors: Errors) -> None:
    """The log goes on, and ends."""
    errors.close_reader()
    writer = LogWriter(JsonFormatter(), errors.descriptor)
    for _ in range(3):
        writer.handle(record("x"))
        wait_until(lambda: not writer._lines, "it is not written")
    assert writer._thread.is_alive()
    writer.stop()
    assert not writer._thread.is_alive()


@pytest.mark.parametrize("is_blocking", [True, False])
def test_the_reader_ends_while_lines_wait_for_it(errors: Errors, is_blocking: bool) -> None:
    """Each line that was not read is counted, and the log goes on."""
    os.set_blocking(errors.descriptor, is_blocking)
    writer = LogWriter(JsonFormatter(), errors.descriptor)
    count = 2 * PIPE // 250
    for _ in range(count):
        writer.handle(record("x" * 250))
    wait_until(lambda: not select.select([], [errors.descriptor], [], 0)[1], "the pipe is full")
    errors.close_reader()
    wait_until(lambda: not writer._lines and writer._dropped, "they are dropped")
    writer.handle(record("x"))
    writer.stop()
    writer._thread.join(PATIENT)
    assert {*writer._dropped} == {"Broken pipe"} and PIPE // 300 < writer._dropped.total() <= count + 1


def test_a_descriptor_that_cannot_be_written_in_between(errors: Errors) -> None:
    """When it can be written again, the log says how many lines are lost. A closed one has the same error."""
    descriptor = os.dup(errors.descriptor)
    writer = LogWriter(JsonFormatter(), descriptor)
    writer.handle(record("before"))
    assert errors.lines(1)[0]["event"] == "before"
    unwritable = os.open(os.devnull, os.O_RDONLY)
    os.dup2(unwritable, descriptor)
    os.close(unwritable)
    for _ in range(3):
        writer.handle(record("lost"))
    wait_until(lambda: writer._dropped.total() == 3, "they are lost")
    os.dup2(errors.descriptor, descriptor)
    writer.handle(record("again"))
    assert [line["event"] for line in errors.lines(2)] == ["again", "3 lines were dropped: Bad file descriptor"]
    writer.stop()
    os.close(descriptor)


# The service ----------------------------------------------------------------------------------------------------------

ASCII = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}


@pytest.mark.parametrize(("name", "locale", "log_format"), [
    (b"caf\xe9", {}, "json"), (b"caf\xe9", {}, "text"), ("ü".encode(), ASCII, "json"),
    ("日本".encode(), {"PYTHONIOENCODING": "ascii"}, "text"),
])  # fmt: skip
def test_a_store_whose_name_is_in_another_encoding(
    tmp_path: Path, name: bytes, locale: dict[str, str], log_format: str
) -> None:
    """Each line is written, also when the store is lost."""
    folder = tmp_path / os.fsdecode(name)
    folder.mkdir()
    store = f"sqlite:///{folder}/rui.db"
    options = ("--store", store, "--log-level", "info", "--log-format", log_format)
    strict = {"PYTHONIOENCODING": "utf-8:strict"}  # as in most locales
    with process(*options, env={**os.environ, **strict, **locale}) as (child, service):
        service.store()
        Path(folder, "rui.db").unlink()
        assert service.post("/api/specs", minimal_example()).status_code == 503
        child.terminate()
        _, err = child.communicate(timeout=PATIENT)
    lines = err.splitlines()
    assert len(lines) == 5 and "stopped" in lines[-1]
    assert log_format == "text" or all(map(strictly, lines))


def test_a_store_whose_name_no_file_can_have(tmp_path: Path) -> None:
    """A settings file is UTF-8, also where names of files are ASCII."""
    settings = tmp_path / "service.toml"
    settings.write_text('store = "sqlite:///日本/rui.db"\n', "utf-8")
    command = [sys.executable, *AS_SHIPPED, "--port", "0", "--config", str(settings)]
    done = subprocess.run(command, env={**os.environ, **ASCII}, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        f"rui serve: {settings}: store: '\\u65e5\\u672c/rui.db' cannot be used: names of files are in ascii here; "
        "LC_ALL=C.UTF-8 allows all characters\n"
    )


def test_a_service_whose_log_nobody_reads_where_writing_does_not_block(tmp_path: Path) -> None:
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    options = ("--store", f"sqlite:///{tmp_path}/rui.db", "--log-level", "info", "--log-format", "json")
    count = 3 * PIPE // 250
    with process(*options, stderr=writer) as (child, service), os.fdopen(reader) as log:
        os.close(writer)
        for number in range(count):
            headers = {"X-Request-ID": f"n{number}"}
            assert service.post("/api/validate", minimal_example(), **headers).status_code == 200
        read = [log.readline() for _ in range(count + 1)]
        assert [json.loads(line)["id"] for line in read[1:]] == [f"n{number}" for number in range(count)]
        child.terminate()
        assert json.loads(log.readline())["event"] == "stopped"
        assert child.wait(PATIENT) == 0
