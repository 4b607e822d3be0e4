"""`rui serve`: settings, start, stop."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest

from rui_api.commands.serve import _listen, main
from rui_api.config.options import Settings
from rui_api.observability.log_records import MAX_CLIENT
from rui_common.describe import minimal_example
from tests.rui_api.live import JSON, process
from tests.rui_api.load import wait_until


@pytest.mark.parametrize("host", ["127.0.0.1", "::1"])
def test_port_in_use(host: str, capsys) -> None:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        taken = socket.create_server((host, 0), family=family)
    except OSError:
        pytest.skip(f"this machine has no {host}")
    with taken:
        port = taken.getsockname()[1]
        assert main(["--host", host, "--port", str(port)]) == 2
    assert capsys.readouterr().err == f"rui serve: cannot listen on {host} port {port}: Address already in use\n"


@pytest.mark.parametrize("host", ["256.256.256.256", "no.such.host.invalid", "a..b", "x" * 300])
def test_host_that_is_none(host: str, capsys) -> None:
    assert main(["--host", host, "--port", "0"]) == 2
    err = capsys.readouterr().err
    assert err.startswith(f"rui serve: cannot listen on {host} port 0: ")
    assert err.count("\n") == 1


@pytest.mark.parametrize(("host", "reaches"), [("::", True), ("::1", False)])
def test_every_address_is_of_both_sorts(host: str, reaches: bool, monkeypatch) -> None:
    """On some systems, IPv6 sockets exclude IPv4 by default."""

    class Strict(socket.socket):
        def __init__(self, family: int = -1, *more: object, **others: object) -> None:
            super().__init__(family, *more, **others)
            if family == socket.AF_INET6:
                self.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)

    if not socket.has_dualstack_ipv6():
        pytest.skip("this machine has no IPv6")
    monkeypatch.setattr(socket, "socket", Strict)
    with _listen(Settings(host=host, port=0)) as listener, socket.socket(socket.AF_INET) as client:
        assert (client.connect_ex(("127.0.0.1", listener.getsockname()[1])) == 0) is reaches


@pytest.mark.skipif(os.name != "posix", reason="needs POSIX signals")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_start_and_stop(tmp_path: Path, number: signal.Signals) -> None:
    """The service logs one line at the start, stores before the end, exits with 0, and logs no other line."""
    with process("--store", f"sqlite:///{tmp_path}/rui.db") as (child, service):
        saved = service.store()
        child.send_signal(number)
        out, err = child.communicate(timeout=20)
        assert (child.returncode, out, err) == (0, "", "")
    with process("--store", f"sqlite:///{tmp_path}/rui.db") as (_, service):
        assert service.client.get(f"/api/specs/{saved['specId']}").json()["normalizedRui"] == saved["normalizedRui"]


SIGNALLED = """
import signal, sys
import uvicorn.server
real = uvicorn.server.asyncio_run

def run(coroutine, **more):
    signal.raise_signal(int(sys.argv[1]))
    real(coroutine, **more)

uvicorn.server.asyncio_run = run
from rui_api.commands.serve import main
sys.exit(main(sys.argv[2:]))
"""


@pytest.mark.skipif(os.name != "posix", reason="needs POSIX signals")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_just_before_the_event_loop_runs(tmp_path: Path, number: signal.Signals) -> None:
    options = ["--port", "0", "--store", f"sqlite:///{tmp_path}/rui.db"]
    command = [sys.executable, "-c", SIGNALLED, str(int(number)), *options]
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.skipif(os.name != "posix", reason="needs POSIX signals")
def test_stop_waits_for_what_has_begun(tmp_path: Path) -> None:
    with process("--store", f"sqlite:///{tmp_path}/rui.db") as (child, service):
        body = service.client.build_request("POST", "/api/specs", json=minimal_example(), headers=JSON).content
        head = b"POST /api/specs HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
        with socket.create_connection(("127.0.0.1", service.port), timeout=10) as connection:
            connection.sendall(head % len(body) + body[:10])
            time.sleep(0.2)
            child.send_signal(signal.SIGTERM)
            time.sleep(0.3)
            connection.sendall(body[10:])
            assert connection.recv(100).startswith(b"HTTP/1.1 201 ")
        assert child.wait(20) == 0


def stalled(port: int) -> socket.socket:
    """Return a connection with an incomplete request, which delays the stop of the service."""
    connection = socket.create_connection(("127.0.0.1", port), timeout=10)
    connection.sendall(b"POST /api/specs HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
                       b"Content-Length: 10\r\n\r\n{")  # fmt: skip
    time.sleep(0.2)
    return connection


@pytest.mark.skipif(os.name != "posix", reason="needs POSIX signals")
def test_interrupted_twice_it_does_not_wait(tmp_path: Path) -> None:
    """The service logs no line and closes the store, which leaves no write-ahead log."""
    store = ("--store", f"sqlite:///{tmp_path}/rui.db")
    with process(*store, "--stop-timeout", "3600") as (child, service), stalled(service.port):
        service.store()
        child.send_signal(signal.SIGINT)
        time.sleep(0.3)
        assert child.poll() is None
        child.send_signal(signal.SIGINT)
        assert (child.communicate(timeout=20), child.returncode) == (("", ""), 0)
    assert not (tmp_path / "rui.db-wal").exists()


@pytest.mark.skipif(os.name != "posix", reason="needs POSIX signals")
def test_a_hangup_ends_only_what_has_lost_its_terminal(tmp_path: Path) -> None:
    """A SIGHUP that asks for new log files does not stop the service."""
    store = ("--store", f"sqlite:///{tmp_path}/rui.db")
    with process(*store, start_new_session=True) as (child, service):
        child.send_signal(signal.SIGHUP)
        service.store()
        child.terminate()
        assert (child.communicate(timeout=20), child.returncode) == (("", ""), 0)
    ours, theirs = os.openpty()
    program = ("-c", f"import fcntl, termios; fcntl.ioctl({theirs}, termios.TIOCSCTTY); "
               "import sys; from rui_api.commands.serve import main; sys.exit(main())")  # fmt: skip
    with process(*store, program=program, start_new_session=True, pass_fds=[theirs]) as (child, service):
        os.close(theirs)
        service.store()
        os.close(ours)
        assert (child.communicate(timeout=20), child.returncode) == (("", ""), 0)


@pytest.mark.skipif(sys.platform != "linux", reason="needs /dev/full")
@pytest.mark.parametrize("spoilt", ["/dev/full", "a pipe that nobody reads", "closed"])
def test_whom_nobody_listens_to_serves_all_the_same(tmp_path: Path, spoilt: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    reader, pipe = os.pipe()
    os.close(reader)
    full = os.open("/dev/full", os.O_WRONLY)
    stream = pipe if "pipe" in spoilt else full
    command = [
        sys.executable,
        "-m",
        "rui_api.commands.serve",
        "--port",
        str(port),
        "--store",
        f"sqlite:///{tmp_path}/rui.db",
    ]
    if spoilt == "closed":
        command = ["sh", "-c", 'exec "$@" <&- >&- 2>&-', "sh", *command]
    with subprocess.Popen(command, stdout=stream, stderr=stream) as child:
        try:
            wait_until(lambda: answers(port), "it serves")
            assert httpx.post(f"http://127.0.0.1:{port}/api/specs", json=minimal_example()).status_code == 201
            child.terminate()
            assert child.wait(20) == 0
        finally:
            child.kill()
            os.close(pipe)
            os.close(full)


def answers(port: int) -> bool:
    try:
        return httpx.get(f"http://127.0.0.1:{port}/api/health").status_code == 200
    except httpx.TransportError:
        return False


def test_default_store_is_in_the_working_directory(tmp_path: Path) -> None:
    with process(cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(Path.cwd())}) as (_, service):
        service.store()
    assert (tmp_path / "rui.db").exists()


def test_store_that_cannot_be_opened_does_not_hinder_the_start(tmp_path: Path) -> None:
    """The service logs the error at the start, and again at the first request for the store."""
    with process("--store", f"sqlite:///{tmp_path}/no/such/rui.db") as (child, service):
        assert "it is tried again with every request" in child.stderr.readline()
        assert service.post("/api/specs", minimal_example()).status_code == 503
        assert service.post("/api/validate", minimal_example()).status_code == 200
        child.terminate()
        _, err = child.communicate(timeout=20)
    assert err.count("\n") == 1
    assert "store unavailable: " in err
    assert "no/such/rui.db" in err


@pytest.mark.parametrize("module", ["litestar", "uvicorn", "jinja2"])
def test_service_that_is_not_installed(tmp_path: Path, module: str) -> None:
    code = (
        f"import sys; sys.modules[{module!r}] = None; "
        "from rui_api.commands.serve import main; sys.exit(main(['--port', '0']))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path,
                          env={**os.environ, "PYTHONPATH": str(Path.cwd())}, timeout=30, check=False)  # fmt: skip
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "pip install 'rui-toolkit[api]'" in done.stderr


def test_trusted_proxy_may_say_https(tmp_path: Path) -> None:
    forwarded = {"X-Forwarded-Proto": "https", "X-Forwarded-For": "1.2.3.4", "Host": "rui.example.org"}
    store = f"sqlite:///{tmp_path}/rui.db"
    with process("--store", store, "--trust-proxies", "127.0.0.1") as (_, service):
        answer = service.post("/api/specs", minimal_example(), **forwarded)
        assert answer.json()["url"].startswith("https://rui.example.org/")
    with process("--store", store, "--trust-proxies", "10.0.0.1") as (_, service):
        answer = service.post("/api/specs", minimal_example(), **forwarded)
        assert answer.json()["url"].startswith("http://rui.example.org/")


@pytest.mark.parametrize(("host", "proxy"), [("::1", "::1"), ("::", "127.0.0.1"), ("::", "127.0.0.0/8")])
def test_trusted_proxy_of_a_service_on_ipv6(tmp_path: Path, host: str, proxy: str) -> None:
    """A service that listens on IPv6 and IPv4 also has proxies with IPv4 addresses."""
    log = tmp_path / "rui.log"
    try:
        socket.create_server((host, 0), family=socket.AF_INET6).close()
    except OSError:
        pytest.skip("this machine has no IPv6")
    arguments = ("--host", host, "--trust-proxies", proxy, "--log-file", str(log), "--log-level", "info")
    with process("--store", f"sqlite:///{tmp_path}/rui.db", *arguments) as (child, service):
        address = service.url if ":" in proxy else f"http://127.0.0.1:{service.port}"
        forwarded = {**JSON, "X-Forwarded-Proto": "https", "X-Forwarded-For": "2001:db8::7", "Host": "rui.example.org"}
        answer = httpx.post(f"{address}/api/specs", json=minimal_example(), headers=forwarded)
        assert answer.json()["url"].startswith("https://rui.example.org/")
        httpx.get(f"{address}/api/health", headers={"X-Forwarded-For": "x" * 10_000})
        child.terminate()
        assert child.wait(20) == 0
    clients = [json.loads(line).get("client", "") for line in log.read_text().splitlines() if '"request"' in line]
    assert clients == ["2001:db8::7", "x" * MAX_CLIENT]
