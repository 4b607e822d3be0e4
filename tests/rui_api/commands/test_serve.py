"""`rui serve`: start, stop, addresses."""

import json
import os
import re
import resource
import shlex
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from pathlib import Path

import httpx
import pytest

from rui_api.commands.serve import main
from rui_api.commands.signals import IGNORED_SIGNALS
from rui_common.describe import minimal_example
from tests.rui_api.live import AS_SHIPPED, JSON, PATIENT_SERVE, at_socket, ignores_signals, process, wait_until
from tests.rui_api.raw_http import GET_HEALTH
from tests.support.ports import free_port


@pytest.fixture(autouse=True)
def _restored_signals() -> Iterator[None]:
    """Restore what `main` changes in this process: programs that it starts later would inherit ignored signals."""
    numbers = (signal.SIGTERM, *(signal.Signals[name] for name in IGNORED_SIGNALS))
    before = {number: signal.getsignal(number) for number in numbers}
    for name in IGNORED_SIGNALS:  # a test of another file may have called `main`
        signal.signal(signal.Signals[name], signal.SIG_DFL)
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.parametrize(("host", "way_out", "code"), [
    ("127.0.0.1", "make serve PORT=", 3), ("192.0.2.1", "--host", 3), ("no.such.host.invalid", "", 3),
    ("a..b", "", 2), ("x" * 300, "", 2),
])  # fmt: skip
def test_an_address_that_cannot_be_used(host: str, way_out: str, code: int, capsys) -> None:
    """A later start may succeed if it is not there yet, or in use: systemd starts the service again then."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert main(["--host", host, "--port", str(port)]) == code
    err = capsys.readouterr().err
    assert err.startswith(f"rui serve: cannot listen on {host} port {port}: ")
    assert err.count("\n") == 1
    assert way_out in err


def is_open(port: int, host: str = "127.0.0.1") -> bool:
    try:
        socket.create_connection((host, port), timeout=60).close()
    except ConnectionError:
        return False
    return True


def listens_at(path: Path) -> bool:
    """Return whether a service listens at a Unix socket, whose file is there a moment earlier."""
    with closing(socket.socket(socket.AF_UNIX)) as client:
        return client.connect_ex(str(path)) == 0


OTHER_SIGNALS = [
    *(signal.Signals[name] for name in IGNORED_SIGNALS), signal.SIGPIPE, signal.SIGWINCH, signal.SIGCHLD, signal.SIGURG,
    signal.SIGCONT,
]  # fmt: skip


def test_signals_that_do_not_stop_the_service(tmp_path: Path) -> None:
    """They do nothing, neither during the start nor later, and write nothing."""
    command = [sys.executable, "-m", PATIENT_SERVE, "--port", "0", "--log-level", "warning"]
    environment = {**os.environ, "PYTHONPATH": str(Path.cwd())}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, cwd=tmp_path, env=environment, text=True, **pipes) as child:
        try:
            wait_until(lambda: ignores_signals(child.pid), "the start")
            with ThreadPoolExecutor() as pool:
                banner = pool.submit(child.stdout.readline)
                while not banner.done():
                    for number in OTHER_SIGNALS:
                        child.send_signal(number)
                    time.sleep(0.001)  # the child needs the processor
            url = banner.result().split()[3].rstrip(",")
            for number in OTHER_SIGNALS:
                child.send_signal(number)
                assert httpx.get(f"{url}/api/health", timeout=60).status_code == 200, number
            assert httpx.post(f"{url}/playground/check", content=b"{}", timeout=60).status_code == 200
            child.terminate()
            out, err = child.communicate(timeout=60)
            assert (child.returncode, out, err) == (0, "", "")
        finally:
            child.kill()


POST_BODY = b"Host: a\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"
LAST_REQUESTS = {
    "GET": (GET_HEALTH, 200),
    "HEAD": (GET_HEALTH.replace(b"GET", b"HEAD"), 200),
    "OPTIONS": (b"OPTIONS /api/specs HTTP/1.1\r\nHost: a\r\n\r\n", 204),
    "POST": (b"POST /api/validate HTTP/1.1\r\n" + POST_BODY, 200),
    "a POST that is refused": (b"POST /api/specs HTTP/1.1\r\n" + POST_BODY[:-1] + b"]", 400),
    "a body that nobody reads": (b"POST /nope HTTP/1.1\r\n" + POST_BODY, 404),
    "a chunked body": (b"POST /api/validate HTTP/1.1\r\n" + POST_BODY.replace(
        b"Content-Length: 2\r\n\r\n{}", b"Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"), 200),
    "no address": (b"GET /nope HTTP/1.1\r\nHost: a\r\n\r\n", 404),
    "no method": (b"PUT /api/specs HTTP/1.1\r\nHost: a\r\n\r\n", 405),
    "a page": (b"GET / HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\n\r\n", 200),
    "a page about an error": (b"GET /nope HTTP/1.1\r\nHost: a\r\nAccept: text/html\r\n\r\n", 404),
    "what the client has": (b"GET /llms.txt HTTP/1.1\r\nHost: a\r\nIf-None-Match: *\r\n\r\n", 304),
    "an offered upgrade": (GET_HEALTH.replace(b"\r\n\r\n", b"\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n"), 200),
    "another host": (GET_HEALTH.replace(b"Host: a", b"Host: a b"), 400),
    "no HTTP": (b"G\0T / HTTP/1.1\r\n\r\n", 400),
    "HTTP/1.0": (b"GET /api/health HTTP/1.0\r\n\r\n", 200),
    "several requests": (GET_HEALTH * 3, 200),
}  # fmt: skip
"""What arrives on an open connection after the signal to stop, and the status of the only response."""


def test_requests_on_open_connections_are_answered_at_the_end(tmp_path: Path) -> None:
    """A client or proxy keeps connections, and does not know that the service ends before it has sent a request."""
    with process("--store", f"sqlite:///{tmp_path}/rui.db") as (child, service):
        new = socket.create_connection(("127.0.0.1", service.port), timeout=60)
        kept = [socket.create_connection(("127.0.0.1", service.port), timeout=60) for _ in LAST_REQUESTS]
        for connection in kept:
            connection.sendall(GET_HEALTH)
            answer = b""
            while not answer.endswith(b'{"status":"ok"}'):
                answer += connection.recv(1000)
            assert b"connection: close" not in answer
        child.send_signal(signal.SIGTERM)
        wait_until(lambda: not is_open(service.port), "no further connection is accepted")
        requests = [(GET_HEALTH, 200), *LAST_REQUESTS.values()]
        for connection, (request, _) in zip([new, *kept], requests, strict=True):
            connection.sendall(request)
        for connection, (request, status) in zip([new, *kept], requests, strict=True):
            with connection:
                answer = b"".join(iter(lambda: connection.recv(65_536), b""))  # noqa: B023
                head = answer.partition(b"\r\n\r\n")[0].lower()
                assert head.startswith(b"http/1.1 %d " % status) and b"connection: close" in head.split(b"\r\n"), (
                    request
                )
                assert answer.count(b"HTTP/1.1 ") == 1
        assert child.wait(60) == 0


# The shell's redirection of a service that goes on without that stream, and what its log says.
OUTPUTS = {
    "a full disk": (">/dev/full", "standard output cannot be written: No space left on device"),
    "closed": (">&-", ""),
    "a pipe without a reader": ("| true", "standard output cannot be written: Broken pipe"),
    "a log on a full disk": ("2>/dev/full", None),
    "a closed log": ("2>&-", None),
    "a log without a reader": ("2>&1 | true", None),
    "nothing at all": ("<&- >&- 2>&-", None),
}


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="it needs a device that is full")
@pytest.mark.parametrize(("redirection", "warning"), OUTPUTS.values(), ids=OUTPUTS)
def test_a_service_needs_neither_its_output_nor_its_log(tmp_path: Path, redirection: str, warning: str | None) -> None:
    path = tmp_path / "rui.sock"
    serve = f"{shlex.quote(sys.executable)} -m rui_api.commands.serve --unix-socket {path}"
    serve = f"{serve} --store sqlite:///{tmp_path}/rui.db --log-format json"
    command = f"sh -c {shlex.quote(f'echo $$ >{tmp_path}/pid; exec {serve}')} {redirection}"
    with subprocess.Popen(["sh", "-c", command], stderr=subprocess.PIPE, text=True) as shell:
        try:
            wait_until(lambda: listens_at(path), "it listens")
            with httpx.Client(transport=httpx.HTTPTransport(uds=str(path)), base_url="http://a", timeout=60) as client:
                assert client.post("/api/specs", json=minimal_example(), headers=JSON).status_code == 201
                assert client.get("/api/health").status_code == 200
        finally:
            os.kill(int((tmp_path / "pid").read_text()), signal.SIGTERM)
            _, log = shell.communicate(timeout=60)
    assert shell.returncode == 0
    if warning is not None:
        lines = [json.loads(line) for line in log.splitlines()]
        assert [line["event"] for line in lines if line["level"] != "info"] == ([warning] if warning else [])


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGQUIT])
def test_start_and_stop(tmp_path: Path, number: signal.Signals) -> None:
    """The default store is in the working directory. A running request is finished; only one line is written."""
    with process(cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(Path.cwd())}) as (child, service):
        body = service.client.build_request("POST", "/api/specs", json=minimal_example(), headers=JSON).content
        head = (
            b"POST /api/specs HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: %d\r\n"
            b"Expect: 100-continue\r\n\r\n"
        )
        with socket.create_connection(("127.0.0.1", service.port), timeout=60) as connection:
            connection.sendall(head % len(body))
            assert connection.recv(100).startswith(b"HTTP/1.1 100 "), "the request is running"
            child.send_signal(number)
            wait_until(lambda: not is_open(service.port), "no further connection is accepted")
            for ignored in OTHER_SIGNALS:
                child.send_signal(ignored)
            connection.sendall(body)
            assert connection.recv(100).startswith(b"HTTP/1.1 201 ")
        out, err = child.communicate(timeout=60)
        assert (child.returncode, out, err) == (0, "", "")
    assert (tmp_path / "rui.db").exists()


def test_a_store_that_cannot_be_opened_does_not_prevent_the_start(tmp_path: Path) -> None:
    """The service logs the error at the start, and again at the first request for the store."""
    with process("--store", f"sqlite:///{tmp_path}/no/such/rui.db") as (child, service):
        assert "it is tried again with every request" in child.stderr.readline()
        assert service.post("/api/specs", minimal_example()).status_code == 503
        assert service.post("/api/validate", minimal_example()).status_code == 200
        child.terminate()
        _, err = child.communicate(timeout=60)
    assert err.count("\n") == 1
    assert "store unavailable: " in err and "no/such/rui.db" in err


@pytest.mark.parametrize("module", ["litestar", "uvicorn"])
def test_a_missing_package(tmp_path: Path, module: str) -> None:
    code = (
        f"import sys; sys.modules[{module!r}] = None; "
        "from rui_api.commands.serve import main; sys.exit(main(['--port', '0']))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path,
                          env={**os.environ, "PYTHONPATH": str(Path.cwd())}, timeout=60, check=False)  # fmt: skip
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert 'pip install ".[api]" in a checkout' in done.stderr


@pytest.mark.parametrize(("host", "proxy", "scheme"), [
    ("127.0.0.1", "127.0.0.1", "https"), ("127.0.0.1", "10.0.0.1", "http"), ("::", "127.0.0.0/8", "https"),
])  # fmt: skip
def test_trusted_proxies(tmp_path: Path, host: str, proxy: str, scheme: str) -> None:
    """A service that listens on IPv6 and IPv4 also has proxies with IPv4 addresses."""
    if not socket.has_dualstack_ipv6():
        pytest.skip("this machine has no IPv6")
    forwarded = {**JSON, "X-Forwarded-Proto": "https", "X-Forwarded-For": "2001:db8::7", "Host": "rui.example.org"}
    arguments = ("--store", f"sqlite:///{tmp_path}/rui.db", "--host", host, "--trust-proxies", proxy)
    with process(*arguments) as (_, service):
        address = f"http://127.0.0.1:{service.port}/api/specs"
        answer = httpx.post(address, json=minimal_example(), headers=forwarded, timeout=60)
        assert answer.json()["url"].startswith(f"{scheme}://rui.example.org/")


def test_unix_socket(tmp_path: Path) -> None:
    """One that a killed service has left is replaced, one in use is not."""
    path = tmp_path / "rui.sock"
    store = ("--store", f"sqlite:///{tmp_path}/rui.db", "--trust-proxies", "*")
    with at_socket(path, *store) as (child, client):
        assert path.stat().st_mode & 0o777 == 0o666
        child.kill()
        child.wait()
    assert path.exists()
    forwarded = {"X-Forwarded-For": "192.0.2.7", "X-Forwarded-Proto": "https", "Host": "rui.example.org"}
    with at_socket(path, *store) as (child, client):
        saved = client.post("/api/specs", json=minimal_example(), headers=forwarded)
        assert saved.json()["url"].startswith("https://rui.example.org/api/specs/")
        assert client.get("/", headers={"Accept": "text/html"}).status_code == 200
        assert client.post("/playground/check", content=b"{}").status_code == 200
        assert main(["--unix-socket", str(path)]) == 3
        assert client.get("/api/health").status_code == 200, "the first service still has the socket"
        child.terminate()
        _, err = child.communicate(timeout=60)
    lines = [json.loads(line) for line in err.splitlines()]
    stored, page = lines[1:3]
    assert (stored["client"], stored["status"]) == ("192.0.2.7", 201) and "client" not in page
    assert {line["level"] for line in lines} == {"info"}


@pytest.mark.parametrize("kind", ["file", "folder", "no/such/rui.sock", "x" * 200, "a\0b"])
def test_unix_sockets_that_cannot_be_used(tmp_path: Path, kind: str, capsys) -> None:
    """Other files are kept."""
    path = tmp_path / kind
    if kind == "file":
        path.write_text("keep")
    if kind == "folder":
        path.mkdir()
    assert main(["--unix-socket", str(path)]) in (2, 3)
    err = capsys.readouterr().err
    shown = str(path).replace("\0", "\ufffd")
    assert err.startswith(f"rui serve: cannot listen on {shown}: ") and err.count("\n") == 1
    assert kind != "file" or path.read_text() == "keep"


def link_local() -> str:
    """Return an IPv6 address with its zone, as ``--host`` has it."""
    listed = subprocess.run(["ip", "-6", "-o", "address"], capture_output=True, text=True, check=False)
    found = re.search(r"^\d+: (\S+) +inet6 (fe80:[^/ ]+)", listed.stdout, re.MULTILINE)
    if found is None:
        pytest.skip("this machine has no link-local address")
    return f"{found[2]}%{found[1]}"


def test_a_host_with_a_zone(tmp_path: Path) -> None:
    """A link-local address belongs to an interface; its URL has the zone as RFC 6874 writes it."""
    host = link_local()
    with process("--store", f"sqlite:///{tmp_path}/rui.db", "--host", host) as (_, service):
        assert service.url.startswith(f"http://[{host.replace('%', '%25')}]:")
        assert is_open(service.port, host)


@pytest.mark.parametrize("log_format", ["json", "text"])
def test_a_failed_start_is_one_line(tmp_path: Path, log_format: str, capsys) -> None:
    """In the format of the log: a port in use, and a database of another program."""
    path = tmp_path / "other.db"
    with closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE others (x)")
    options = ["--log-format", log_format, "--store", f"sqlite:///{path}"]
    with socket.create_server(("127.0.0.1", 0)) as taken:
        assert main([*options, "--port", str(taken.getsockname()[1])]) == 3
    command = [sys.executable, "-m", "rui_api.commands.serve", "--port", "0", *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 2
    for err, words in ((capsys.readouterr().err, "choose another port with --port"), (done.stderr, "other.db")):
        assert err.count("\n") == 1 and words in err
        if log_format == "json":
            line = json.loads(err)
            assert (line["level"], line["logger"]) == ("error", "rui_api") and words in line["event"]
        else:
            assert err.startswith("rui serve: ")


def test_a_database_that_is_down_at_the_start() -> None:
    """Every line is JSON, also the first one, and the error has one line."""
    with process("--store", f"postgresql://rui@127.0.0.1:{free_port()}/rui", "--log-format", "json") as (
        child,
        service,
    ):
        assert service.client.get("/api/ready").status_code == 503
        child.terminate()
        _, err = child.communicate(timeout=60)
    lines = [json.loads(line) for line in err.splitlines()]
    assert len([line for line in lines if "tried again with every request" in line["event"]]) == 1
    assert "tried again" in lines[0]["event"] and {line["level"] for line in lines} == {"error"}


@pytest.mark.parametrize("size", [0, 100, 200_000])
def test_an_upload_when_the_service_ends(tmp_path: Path, size: int) -> None:
    """The client that does not finish in time gets 503, and the log one line of uvicorn without a stack trace."""
    head = (
        b"POST /api/specs HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 250000\r\n"
        b"Expect: 100-continue\r\n\r\n"
    )
    options = ("--store", f"sqlite:///{tmp_path}/rui.db", "--log-level", "info", "--log-format", "json")
    with (
        process(*options, program=AS_SHIPPED) as (child, service),
        socket.create_connection(("127.0.0.1", service.port), timeout=60) as connection,
    ):
        connection.sendall(head)
        assert connection.recv(100).startswith(b"HTTP/1.1 100 ")
        connection.sendall(b"{" * size)
        child.terminate()
        received = b""
        while part := connection.recv(65_536):
            received += part
        _, err = child.communicate(timeout=60)
    answer = received.decode().lower()
    assert answer.startswith("http/1.1 503 ") and "\r\nconnection: close\r\n" in answer and "overloaded" in answer
    assert "\r\nretry-after: " in answer and "\r\nx-request-id: " in answer
    assert child.returncode == 0
    started, cancelled, request, stopped = map(json.loads, err.splitlines())
    assert (started["level"], stopped["event"]) == ("info", "stopped")
    assert cancelled["event"].startswith("Cancel 1 running task") and "traceback" not in cancelled
    assert (request["status"], request["level"]) == (503, "info") and "traceback" not in request


def test_a_client_that_does_not_read_when_the_service_ends(tmp_path: Path) -> None:
    """Its connection is closed, without a stack trace."""
    with process("--store", f"sqlite:///{tmp_path}/rui.db", program=AS_SHIPPED) as (child, service):
        large = {**minimal_example(), "meta": {"x": "y" * 250_000}}
        path = f"/api/specs/{service.store(large)['specId']}"
        with socket.create_connection(("127.0.0.1", service.port), timeout=60) as connection:
            connection.sendall(f"GET {path} HTTP/1.1\r\nHost: a\r\n\r\n".encode() * 40)
            wait_until(lambda: b"HTTP/1.1 200" in connection.recv(12, socket.MSG_PEEK), "the first response")
            child.terminate()
            _, err = child.communicate(timeout=60)
    assert child.returncode == 0 and "Traceback" not in err and err.count("\n") <= 3


def test_descriptors_run_out(tmp_path: Path) -> None:
    """New connections are closed, with one line in the log, not one per connection. Later the service goes on."""
    options = ("--store", f"sqlite:///{tmp_path}/rui.db", "--log-format", "json")
    with process(*options) as (child, service):
        service.store()
        resource.prlimit(child.pid, resource.RLIMIT_NOFILE, (64, 64))
        with ExitStack() as stack:
            for _ in range(100):
                stack.enter_context(socket.create_connection(("127.0.0.1", service.port), timeout=60))
            line = json.loads(child.stderr.readline())
            assert (line["level"], line["event"]) == (
                "error", "new connections are closed: Too many open files; raise LimitNOFILE or ulimit -n"
            )  # fmt: skip
        assert service.client.get("/api/health").status_code == 200
        child.terminate()
        _, err = child.communicate(timeout=60)
    assert err == ""
