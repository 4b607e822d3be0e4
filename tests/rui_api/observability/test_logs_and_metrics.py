"""Output for the operator: log lines, request ids, metrics."""

import json
import logging
import os
import re
import signal
import socket
import struct
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from rui_api.app import create_app
from rui_api.commands.serve import main
from rui_api.config.options import Settings
from rui_api.http.response_headers import SECURITY
from rui_api.observability import log_records as lines
from rui_api.observability import log_writer as log_module
from rui_api.observability.log_writer import LogHandler, LogWriter
from rui_api.observability.middleware import OTHER, RouteNames
from rui_api.observability.request_id import RequestIds
from rui_common.describe import minimal_example
from rui_common.http_contract.endpoints import METRICS
from tests.rui_api.live import UUID, Service, process, rest, running

SECRET = "correct horse battery staple"


class Numbers:
    """Parsed metrics: ``numbers("rui_requests_total", route="/metrics")`` sums the samples with these labels."""

    def __init__(self, text: str) -> None:
        self.families = list(text_string_to_metric_families(text))

    def __call__(self, name: str, **labels: str) -> float:
        return sum(
            sample.value
            for family in self.families
            for sample in family.samples
            if sample.name == name and labels.items() <= sample.labels.items()
        )


def numbers(url: str) -> Numbers:
    answer = httpx.get(f"{url}/metrics", timeout=20)
    assert (answer.status_code, answer.headers["content-type"]) == (200, METRICS)
    return Numbers(answer.text)


@pytest.fixture
def fresh(tmp_path: Path) -> Iterator[Service]:
    with running(create_app(Settings(store=f"sqlite:///{tmp_path}/rui.db"))) as service:
        yield service


def broken() -> dict[str, object]:
    return {**minimal_example(), "surplus": 1, "more": 2}


def test_metrics_count_what_happened(fresh: Service) -> None:
    before = numbers(fresh.url)
    for _ in range(3):
        fresh.post("/api/validate", broken())
    spec_id = fresh.store()["specId"]
    for path in (f"/api/specs/{spec_id}", f"/api/specs/{UUID}", f"/specs/{spec_id}", "/no/such", "/nor/this"):
        fresh.client.get(path)
    fresh.client.request("DELETE", "/api/specs")
    fresh.post("/api/validate", b"{")
    fresh.client.get("/api/ready")
    found = numbers(fresh.url)
    for expected, labels in (
        (3, {"route": "/api/validate", "method": "POST", "status": "200"}),
        (1, {"route": "/api/validate", "method": "POST", "status": "400"}),
        (1, {"route": "/api/specs", "method": "POST", "status": "201"}),
        (1, {"route": "/api/specs/:id", "method": "GET", "status": "200"}),
        (1, {"route": "/api/specs/:id", "method": "GET", "status": "404"}),
        (1, {"route": "/api/specs", "method": "DELETE", "status": "405"}),
        (1, {"route": "/specs/:id", "method": "GET", "status": "200"}), (2, {"route": "other", "status": "404"}),
    ):  # fmt: skip
        assert found("rui_requests_total", **labels) == expected, labels
    assert found("rui_errors_total", code="UNKNOWN_PROP") == 6
    assert found("rui_errors_total", code="INVALID_JSON") == 1
    assert found("rui_errors_total", code="NOT_FOUND") == 3
    assert found("rui_request_duration_seconds_count") == found("rui_requests_total")
    sent = len(json.dumps(broken()).encode()) * 3 + 1
    assert found("rui_request_size_bytes_sum", route="/api/validate") == sent
    assert found("rui_requests_running") == 1
    assert before("rui_requests_total") == 0


def test_histograms_are_cumulative(fresh: Service) -> None:
    fresh.client.get("/api/health")
    found = numbers(fresh.url)
    samples = [sample for family in found.families for sample in family.samples
               if sample.name == "rui_request_duration_seconds_bucket"]  # fmt: skip
    assert [sample.value for sample in samples] == sorted(sample.value for sample in samples)
    assert samples[-1].labels["le"] == "+Inf" and samples[-1].value == 1


def test_what_the_protocol_refuses_counts(tmp_path: Path) -> None:
    log = tmp_path / "rui.log"
    arguments = ("--store", f"sqlite:///{tmp_path}/rui.db", "--log-file", str(log), "--log-level", "info")
    with process(*arguments) as (_, service):
        _, body = service.raw(b"NONSENSE\r\n\r\n")
        assert numbers(service.url)("rui_refused_total", code="BAD_REQUEST") == 1
        line = wait_for_line(log, status=400)
    assert (line["code"], line["client"]) == ("BAD_REQUEST", "127.0.0.1")
    assert (line["sent"], line["received"]) == (len(body), 0) and body
    assert "ms" not in line


def test_the_line_of_a_stored_spec_names_it(tmp_path: Path) -> None:
    log = tmp_path / "rui.log"
    arguments = ("--store", f"sqlite:///{tmp_path}/rui.db", "--log-file", str(log), "--log-level", "info")
    with process(*arguments) as (_, service):
        saved = service.store()
        line = wait_for_line(log, status=201)
        form = service.client.post("/", data={"rui": json.dumps(minimal_example()), "do": "store"})
        of_form = wait_for_line(log, status=303)
        service.client.get(saved["url"])
        read = wait_for_line(log, method="GET")
    size = len(json.dumps(saved["normalizedRui"], separators=(",", ":"), ensure_ascii=False).encode())
    assert (line["specId"], line["size"]) == (saved["specId"], size)
    assert form.headers["location"].endswith(of_form["specId"]) and of_form["size"] == size
    assert "specId" not in read and "size" not in read


def test_how_long_what_is_refused_took_is_logged_where_it_came_in_pieces(tmp_path: Path) -> None:
    log = tmp_path / "rui.log"
    arguments = ("--store", f"sqlite:///{tmp_path}/rui.db", "--log-file", str(log), "--log-level", "info")
    chunked = b"POST /api/validate HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n"
    with process(*arguments) as (_, service):
        with socket.create_connection(("127.0.0.1", service.port), timeout=10) as connection:
            for part in (chunked[:30], chunked[30:], b"0\r\n\r\nGET /nothing HT", b"XP"):  # the second one is no HTTP
                connection.sendall(part)
                time.sleep(0.2)
            rest(connection)
        second = wait_for_line(log, code="BAD_REQUEST")
        service.raw(chunked[:30], chunked[30:] + b"nonsense\r\n", wait=0.2)
        third = wait_for_line(log, received=2, code="BAD_REQUEST")
        service.raw(b"HEAD / HTTP/1.1\r\nnonsense\r\n\r\n")
        last = wait_for_line(log, method="HEAD")
    assert (second["path"], second["received"]) == ("/nothing", 0)
    assert 150 < second["ms"] < 20_000
    assert third["path"] == "/api/validate" and 150 < third["ms"] < 20_000
    assert (last["sent"], "ms" in last) == (0, False)


def test_metrics_can_be_turned_off(tmp_path: Path) -> None:
    with running(create_app(Settings(store=f"sqlite:///{tmp_path}/rui.db", metrics="off"))) as service:
        assert httpx.get(f"{service.url}/metrics").status_code == 404


def test_metrics_on_a_port_of_their_own(tmp_path: Path, capsys) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        store = f"sqlite:///{tmp_path}/rui.db"
        log = tmp_path / "rui.log"
        arguments = ["--port", "0", "--store", store, "--metrics", f"127.0.0.1:{port}", "--log-file", str(log)]
        assert main(arguments) == 2
    assert capsys.readouterr().err == f"rui serve: cannot serve metrics on 127.0.0.1:{port}: Address already in use\n"
    assert log.read_text() == "", "what never started never stopped"
    with process("--store", store, "--metrics", f"127.0.0.1:{port}") as (_, service):
        service.store()
        assert httpx.get(f"{service.url}/metrics").status_code == 404
        assert Numbers(httpx.get(f"http://127.0.0.1:{port}/metrics").text)("rui_requests_total", status="201") == 1


def test_the_port_of_metrics_bears_with_anybody(tmp_path: Path) -> None:
    """Wrong requests, broken connections and silent clients get a response or are closed, without a log line."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    arguments = (
        "--store",
        f"sqlite:///{tmp_path}/rui.db",
        "--metrics",
        f"127.0.0.1:{port}",
        "--headers-timeout",
        "0.3",
    )
    with process(*arguments) as (child, _):
        for method, path, status in (
            ("GET", "/metrics", 200), ("HEAD", "/metrics", 200), ("POST", "/metrics", 405), ("GET", "/", 404),
        ):  # fmt: skip
            answer = httpx.request(method, f"http://127.0.0.1:{port}{path}")
            assert (answer.status_code, answer.headers["server"]) == (status, "rui")
            assert {*SECURITY} <= {(name.lower(), value) for name, value in answer.headers.raw}
        for part in (b"", b"GET /met", b"GET /metrics HTTP/1.1\r\nA: "):
            with socket.create_connection(("127.0.0.1", port), timeout=10) as slow:
                slow.sendall(part)
                assert rest(slow) == b""
            with socket.create_connection(("127.0.0.1", port), timeout=10) as gone:
                gone.sendall(part)
                gone.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # Reset instead of close.
        child.terminate()
        assert child.communicate(timeout=20) == ("", "")


# Lines


def wait_for_line(file: Path, **wanted: object) -> dict[str, object]:
    """Return the first line of a log that has these values."""
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        for text in file.read_text().splitlines() if file.exists() else ():
            line = json.loads(text)
            if wanted.items() <= line.items():
                return line
        time.sleep(0.02)
    raise AssertionError(f"no line has {wanted}: {file.read_text()}")


def test_a_line_a_request(tmp_path: Path) -> None:
    path = tmp_path / "rui.log"
    arguments = ("--store", f"sqlite:///{tmp_path}/rui.db", "--log-file", str(path), "--log-level", "info")
    with process(*arguments) as (child, service):
        body = json.dumps({**broken(), "meta": {"title": SECRET}}).encode()
        answer = service.post("/api/validate?token=hunter2", body, **{"X-Request-ID": "agent-7"})
        assert answer.headers["x-request-id"] == "agent-7"
        child.send_signal(signal.SIGTERM)
        assert child.wait(20) == 0
    text = path.read_text()
    assert SECRET not in text and "hunter2" not in text
    first, line, last = map(json.loads, text.splitlines())
    assert first["event"].startswith("RUI service on http://")
    assert first["event"].endswith("at most 1,073,741,824 bytes (--store-max-bytes)")
    assert last["event"] == "stopped"
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", line.pop("time"))
    assert 0 < line.pop("ms") < 20_000
    assert line == {
        "level": "info", "event": "request", "id": "agent-7", "method": "POST", "path": "/api/validate",
        "route": "/api/validate", "status": 200, "received": len(body), "sent": len(answer.content),
        "client": "127.0.0.1", "code": "UNKNOWN_PROP",
    }  # fmt: skip


def test_an_internal_fault_is_traced_in_the_log_alone(tmp_path: Path) -> None:
    code = (
        "import sys, rui_api.routes.specs as specs\n"
        "def fail(_): raise RuntimeError('the bug')\n"
        "specs.valid = fail\n"
        "from rui_api.commands.serve import main\n"
        "sys.exit(main())"
    )
    store = f"sqlite:///{tmp_path}/rui.db"
    with process("--store", store, "--log-level", "warning", program=("-c", code)) as (child, service):
        answer = service.post("/api/validate", minimal_example())
        assert (answer.status_code, answer.json()["error"]) == (500, "INTERNAL_ERROR")
        assert "bug" not in answer.text
        child.terminate()
        _, err = child.communicate(timeout=20)
    fault, line = map(json.loads, err.splitlines())
    assert "RuntimeError: the bug" in fault["traceback"]
    assert (fault["level"], line["level"], line["status"]) == ("error", "error", 500)
    assert fault["id"] == line["id"] == answer.headers["x-request-id"]


@pytest.mark.parametrize(("given", "kept"), [
    ([b"a"], True), ([b"4be0643f-1d98-473b-97cd-ca98a65347dd"], True), ([b"x" * 100], True), ([b"a", b"b"], False),
    ([], False), ([b""], False), ([b"x" * 101], False), ([b"a b"], False), ([b"a\x1b"], False), ([b'"'], False),
    ([b"caf\xc3\xa9"], False), ([b"a\n"], False),
])  # fmt: skip
def test_request_ids(given: list[bytes], kept: bool) -> None:
    ids = RequestIds()
    headers = [(b"host", b"x"), *((b"x-request-id", value) for value in given)]
    found = ids.of(headers)
    assert (found == given[0]) if kept else (found not in given and found != ids.of(headers))


def test_routes() -> None:
    routes = RouteNames([
        "/api/specs", "/api/specs/{spec_id}", "/specs/{spec_id}", "/specs/{spec_id}/compare",
        "/specs/{spec_id}/compare/{other_id}",
    ])  # fmt: skip
    expected = {
        "/api/specs": "/api/specs", "/api/specs/1": "/api/specs/:id", "/specs/1": "/specs/:id",
        "/specs/1/compare": "/specs/:id/compare", "/specs/1/compare/2": "/specs/:id/compare/:id",
        "/api/specs/1/2": OTHER, "/specs/1/other": OTHER, "/specs/1/compare/2/3": OTHER, "/nothing": OTHER,
    }  # fmt: skip
    assert {path: routes.match(path) for path in expected} == expected


def request(path: str = "/", status: int = 200) -> lines.RequestLogRecord:
    return lines.RequestLogRecord(0.0, b"id", "GET", path, path, status, [], 0.001, 0, 0, ("::1", 1))


def test_text_for_people_cannot_take_a_terminal_over() -> None:
    text = lines.to_text(lines.request_line(request("/\x1b[2J\r\n\u202e")))
    assert text.decode().endswith("info    GET /�[2J��� 200 1 ms, 0 B in, 0 B out, ::1 [id]")
    unknown = request()._replace(seconds=None)
    assert lines.to_text(lines.request_line(unknown)).decode().endswith("info    GET / 200, 0 B in, 0 B out, ::1 [id]")


def test_lines_that_cannot_be_written_are_counted(tmp_path: Path, monkeypatch) -> None:
    """While the pipe has no reader, the log drops lines, never blocks the caller, and reports the number lost."""
    monkeypatch.setattr(log_module, "MAX_QUEUED", 100)
    monkeypatch.setattr(log_module, "CLOSE_TIMEOUT", 10)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    log = LogWriter(str(pipe), "json", logging.INFO)
    for number in range(5000):
        log.log_request(request(f"/{number}"))
        if number % 100 == 0:
            time.sleep(0.001)
    assert log.dropped > 0
    os.set_blocking(reader, True)
    read: list[bytes] = []
    thread = threading.Thread(target=lambda: read.extend(iter(lambda: os.read(reader, 65_536), b"")))
    thread.start()
    log.close()
    os.close(log._file)
    thread.join(20)
    os.close(reader)
    found = [json.loads(line) for line in b"".join(read).splitlines()]
    missing = [int(line["event"].split()[0]) for line in found if line["event"].endswith("lines are missing here")]
    assert sum(missing) == log.dropped
    assert len(found) - len(missing) + log.dropped == 5000


def test_a_file_that_was_moved_away_is_made_anew(tmp_path: Path) -> None:
    path = tmp_path / "rui.log"
    log = LogWriter(str(path), "json", logging.INFO)
    log.log_request(request("/one"))
    wait_for_line(path, path="/one")
    path.rename(tmp_path / "rui.log.1")
    log.log_request(request("/two"))
    wait_for_line(path, path="/two")
    log.close()
    assert len(path.read_text().splitlines()) == len((tmp_path / "rui.log.1").read_text().splitlines()) == 1


def test_log_that_cannot_be_opened(tmp_path: Path, capsys) -> None:
    assert main(["--port", "0", "--store", f"sqlite:///{tmp_path}/rui.db", "--log-file", str(tmp_path)]) == 2
    assert capsys.readouterr().err == f"rui serve: cannot log to {tmp_path}: Is a directory\n"


def test_others_log_here_too(tmp_path: Path) -> None:
    path = tmp_path / "rui.log"
    log = LogWriter(str(path), "json", logging.WARNING)
    logger = logging.getLogger("uvicorn.error")
    logger.addHandler(handler := LogHandler(log))
    try:
        logger.warning("odd: %s", "x")
        logger.info("nothing to see")
    finally:
        logger.removeHandler(handler)
    line = wait_for_line(path, event="odd: x")
    log.close()
    assert (line["logger"], line["level"]) == ("uvicorn.error", "warning")
    assert path.read_text().count("\n") == 1
