"""Output for the operator: log lines, request ids, metrics."""

import asyncio
import json
import logging
import os
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from h11 import LocalProtocolError
from litestar.types import Receive, Scope, Send
from prometheus_client.parser import text_string_to_metric_families

from rui_api.observability.logs import FIELDS, TextFormatter
from rui_api.observability.middleware import RequestObserver
from rui_common.describe import minimal_example
from rui_common.vocabulary.rules import MESSAGES
from tests.rui_api.live import UUID, Service, process
from tests.rui_api.metrics import Numbers, measured, numbers
from tests.support.ports import free_port

SECRET = "correct horse battery staple"


@contextmanager
def logged(store: Path, *arguments: str) -> Iterator[tuple[Service, list[dict[str, object]]]]:
    """Run `rui serve`; after the block, the list has the lines of its log."""
    lines: list[dict[str, object]] = []
    with process("--store", f"sqlite:///{store}/rui.db", "--log-level", "info", *arguments) as (child, service):
        yield service, lines
        child.terminate()
        _, err = child.communicate(timeout=60)
    lines += [json.loads(line) for line in err.splitlines()]


def test_a_response_that_cannot_be_sent() -> None:
    """Bytes after the last request of a connection get 400 from uvicorn; the response of the request is dropped."""
    received: list[str] = []

    async def app(_scope: Scope, _receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"{}", "more_body": False})

    async def receive() -> dict[str, object]:
        received.append("http.disconnect")
        return {"type": "http.disconnect"}

    async def send(_message: object) -> None:
        raise LocalProtocolError("the state is MUST_CLOSE")

    scope = {
        "type": "http",
        "headers": [],
        "method": "POST",
        "path": "/",
        "raw_path": b"/",
        "client": None,
        "state": {},
    }
    asyncio.run(RequestObserver(app)(scope, receive, send))
    assert received, "the connection is closed before the application returns"


def broken() -> dict[str, object]:
    return {**minimal_example(), "surplus": 1, "more": 2}


def test_metrics_count_what_happened(tmp_path: Path) -> None:
    with measured("--store", f"sqlite:///{tmp_path}/rui.db") as (service, port):
        for _ in range(3):
            service.post("/api/validate", broken())
        spec_id = service.store()["specId"]
        for path in (f"/api/specs/{spec_id}", f"/api/specs/{UUID}", f"/specs/{spec_id}", "/no/such", "/nor/this"):
            service.client.get(path)
        service.client.request("DELETE", "/api/specs")
        service.post("/api/validate", b"{")
        found = numbers(port)
    for expected, labels in (
        (3, {"route": "/api/validate", "method": "POST", "status": "200"}),
        (1, {"route": "/api/validate", "method": "POST", "status": "400"}),
        (1, {"route": "/api/specs", "method": "POST", "status": "201"}),
        (1, {"route": "/api/specs/:id", "method": "GET", "status": "200"}),
        (1, {"route": "/api/specs/:id", "method": "GET", "status": "404"}),
        (1, {"route": "other", "method": "DELETE", "status": "405"}),
        (1, {"route": "/specs/:id", "method": "GET", "status": "200"}), (2, {"route": "other", "status": "404"}),
    ):  # fmt: skip
        assert found("rui_requests_total", **labels) == expected, labels
    assert found("rui_request_duration_seconds_count") == found("rui_requests_total") == 11


def test_metrics_by_their_names(tmp_path: Path) -> None:
    with measured("--store", f"sqlite:///{tmp_path}/rui.db") as (service, port):
        service.store()
        for names, expected in (
            (["rui_validations_total"], {"rui_validations_total"}),
            (["rui_validations", "rui_work_total"], {"rui_validations_total", "rui_work_total"}), (["nothing"], set()),
        ):  # fmt: skip
            answer = httpx.get(f"http://127.0.0.1:{port}/metrics", params={"name[]": names})
            families = text_string_to_metric_families(answer.text)
            assert {sample.name for family in families for sample in family.samples} == expected


def test_metrics_of_work(tmp_path: Path) -> None:
    """They count what agents ask for besides validations, by result."""
    fixable = json.dumps(minimal_example()).replace('"title": "Orders"', '"titel": "Orders"').encode()
    with measured("--store", f"sqlite:///{tmp_path}/rui.db") as (service, port):
        base = service.store()["specId"]
        found = numbers(port)
        assert found("rui_work_total") == 0
        assert len([sample for family in found.families for sample in family.samples
                    if sample.name == "rui_work_total"]) == 7  # fmt: skip
        service.post("/api/validate?fix=true", fixable)
        service.post("/api/validate?fix=true", b'{"version": 1}')
        service.post("/api/validate?fix=true", minimal_example())
        service.post(f"/api/specs?base={base}", {})
        service.post(f"/api/specs?base={base}", {"pages": []})
        service.post(f"/api/specs?base={base[:-1]}", {})
        found = numbers(port)
    for work, result, expected in (
        ("base", "done", 2), ("base", "refused", 1), ("changes", "done", 1), ("fix", "nothing", 1), ("fix", "done", 1),
    ):  # fmt: skip
        assert found("rui_work_total", work=work, result=result) == expected, (work, result)


def validations(found: Numbers) -> tuple[dict[str, float], dict[str, float]]:
    """Return the numbers of documents by result, and those of errors by code that are not 0."""
    results = {result: found("rui_validations_total", result=result) for result in ("valid", "invalid", "unreadable")}
    codes = {code: found("rui_validation_errors_total", code=code) for code in MESSAGES}
    return results, {code: number for code, number in codes.items() if number}


def test_metrics_of_validations(tmp_path: Path) -> None:
    """They count what clients of the API sent, by result, and every error in a response. The editor does not count."""
    with measured("--store", f"sqlite:///{tmp_path}/rui.db") as (service, port):
        service.client.get("/api/health")
        found = numbers(port)
        samples = {sample.name: sample.value for family in found.families for sample in family.samples}
        labels = [[*sample.labels.values()] for family in found.families for sample in family.samples
                  if sample.name in ("rui_validations_total", "rui_validation_errors_total")]  # fmt: skip
        assert sorted(labels) == sorted([["valid"], ["invalid"], ["unreadable"], *([code] for code in MESSAGES)])
        assert validations(found) == (dict.fromkeys(("valid", "invalid", "unreadable"), 0), {})
        assert samples["rui_validations_total"] == 0
        service.store()
        service.post("/api/validate", minimal_example())
        for path in ("/api/validate", "/api/specs"):
            service.post(path, broken())
            for unreadable in (b"", b"{", b"[]", b" " * 300_000):
                service.post(path, unreadable)
            service.post(path, minimal_example(), **{"Content-Type": "text/plain"})
        large = {**minimal_example(), **{f"p{number}": "x" * 1000 for number in range(60)}}
        service.post("/api/validate", large)
        service.client.post("/playground/check", content=b"{}")
        service.client.post("/", data={"rui": "{}"})
        found = numbers(port)
    results, codes = validations(found)
    assert results == {"valid": 2, "invalid": 3, "unreadable": 10}
    assert codes == {"UNKNOWN_PROP": 4 + 50, "INVALID_JSON": 10}


def test_series_exist_before_the_first_failure(tmp_path: Path) -> None:
    """`rate` does not see that a series appears with 1: those of alerts are there from the first scrape."""
    with measured("--store", f"sqlite:///{tmp_path}/no/such/rui.db") as (service, port):
        service.client.get("/api/health")
        fresh = numbers(port)
        assert fresh("rui_requests_total", status="503") == fresh("rui_requests_total", status="500") == 0
        service.post("/api/specs", minimal_example())
        for path in (f"/specs/{UUID}", f"/specs/{UUID}/compare/{UUID}", f"/api/specs/{UUID}", "/api/ready"):
            assert service.client.get(path).status_code == 503
            assert service.client.head(path).status_code == 503
        for path in ("/", "/docs", "/docs/rules/R1", "/api/docs", "/nope", "/playground/x"):
            for method in ("GET", "HEAD", "POST", "DELETE", "OPTIONS", "PURGE"):
                service.client.request(method, path)
        later = numbers(port)
    assert later("rui_requests_total", status="503") == 9
    names = [[(sample.labels["route"], sample.labels["method"], sample.labels["status"])
              for family in scraped.families for sample in family.samples if sample.name == "rui_requests_total"]
             for scraped in (fresh, later)]  # fmt: skip
    routes = {(route, method) for route, method, _ in names[1]}
    assert len(routes) > 50, f"series exist only for {sorted(routes)}"
    missing = {(*pair, status) for pair in routes for status in ("500", "503")} - {*names[0]}
    assert not missing, "these series do not exist before their first response"


def test_metrics_whose_files_are_removed(tmp_path: Path) -> None:
    """As programs do that clean the folder of temporary files. An empty list would look like a service at rest."""
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    port = free_port()
    options = ("--metrics-port", str(port), "--store", f"sqlite:///{tmp_path}/rui.db")
    with process(*options, env=environment) as (child, service):
        service.store()
        assert numbers(port)("rui_validations_total", result="valid") == 1
        (folder,) = tmp_path.glob("rui-metrics-*")
        shutil.rmtree(folder)
        service.store()
        answer = httpx.get(f"http://127.0.0.1:{port}/metrics", timeout=60)
        assert (answer.status_code, answer.text.count("\n")) == (503, 1)
        assert f"{folder} were removed; restart the service" in answer.text
        child.terminate()
        out, err = child.communicate(timeout=60)
        assert (child.returncode, out, err) == (0, "", "")


def test_lines_describe_requests_without_their_content(tmp_path: Path) -> None:
    with logged(tmp_path) as (service, lines):
        saved = service.store(minimal_example() | {"meta": {"title": SECRET}})
        service.post("/api/validate", broken(), **{"X-Request-ID": "agent-7"})
        service.client.get(f"/specs/{saved['specId']}", params={"q": SECRET})
        service.client.get("/nope")
    started, stored, refused, page, missing, stopped = lines
    assert started["event"].startswith("RUI service on http://127.0.0.1:")
    assert "at most 1,073,741,824 bytes (--store-max-bytes)" in started["event"]
    assert (stopped["event"], stopped["level"], stopped["logger"]) == ("stopped", "info", "rui_api")
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", stopped["time"])
    assert (stored["route"], stored["status"], stored["specId"]) == ("/api/specs", 201, saved["specId"])
    assert stored["client"] == "127.0.0.1" and stored["ms"] > 0 and stored["sent"] > stored["size"] > 0
    assert (refused["id"], refused["codes"]) == ("agent-7", ["UNKNOWN_PROP"])
    assert page["path"] == f"/specs/{saved['specId']}" and page["route"] == "/specs/:id"
    assert (missing["route"], missing["codes"], missing["level"]) == ("other", ["NOT_FOUND"], "info")
    assert SECRET not in json.dumps(lines)


def test_a_log_that_cannot_be_written_stops_nothing(tmp_path: Path) -> None:
    read, write = os.pipe()
    os.close(read)
    store = ("--store", f"sqlite:///{tmp_path}/rui.db", "--log-level", "info")
    buffered = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    with process(*store, stderr=write, env=buffered) as (child, service):
        os.close(write)
        service.store()
        child.terminate()
        assert child.wait(60) == 0


LABELS = [
    ("agent-7", True), ("a" * 100, True), ("a" * 101, False), ("", False), ("a b", False), ("-a", False),
    ("a\u00e9", False),
]  # fmt: skip


@pytest.mark.parametrize(("given", "kept"), LABELS)
def test_request_id(service: Service, given: str, kept: bool) -> None:
    answer = httpx.get(f"{service.url}/api/health", headers=[("X-Request-ID", given.encode("latin-1"))], timeout=60)
    assert (answer.headers["x-request-id"] == given) is kept
    assert answer.headers["x-request-id"]
    twice = httpx.get(f"{service.url}/api/health", headers=[("X-Request-ID", "a"), ("X-Request-ID", "b")], timeout=60)
    assert twice.headers["x-request-id"] not in ("a", "b", "a, b")


def test_session(tmp_path: Path) -> None:
    """The log has the session that an agent names, if it is valid and the only one."""
    with logged(tmp_path) as (service, lines):
        for given, _ in LABELS:
            httpx.get(f"{service.url}/api/health", headers=[("X-RUI-Session", given.encode("latin-1"))], timeout=60)
        httpx.get(f"{service.url}/api/health", headers=[("X-RUI-Session", "a"), ("X-RUI-Session", "b")], timeout=60)
        service.client.get("/api/health")
    found = [line.get("session") for line in lines if line["event"] == "request"]
    assert found == [*(given if kept else None for given, kept in LABELS), None, None]


def test_text_for_people_cannot_take_a_terminal_over() -> None:
    record = logging.makeLogRecord({"msg": "a\x1b[2J", FIELDS: {"path": "/\x1b[2J\r\n\u202e", "traceback": "x\n\x1b"}})
    line = TextFormatter().format(record)
    assert "\x1b" not in line and "\r" not in line


def test_metrics_port_in_use(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        command = ["-m", "rui_api.commands.serve", "--port", "0", "--metrics-port", str(port)]
        done = subprocess.run(
            [sys.executable, *command, "--store", f"sqlite:///{tmp_path}/rui.db"],
            capture_output=True, text=True, check=False, timeout=60,
        )  # fmt: skip
    assert done.returncode == 3
    reason = f"cannot serve metrics on --metrics-port {port}: Address already in use"
    assert done.stderr == f"rui serve: {reason}; choose another port, or RUI_METRICS_PORT\n"
