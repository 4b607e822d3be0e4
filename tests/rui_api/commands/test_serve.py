"""`rui serve`: settings, start, stop."""

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


@pytest.mark.skipif(os.name != "posix", reason="needs POSIX signals")
def test_stop_waits_for_what_has_begun(tmp_path: Path) -> None:
    with process("--store", f"sqlite:///{tmp_path}/rui.db") as (child, service):
        body = service.client.build_request("POST", "/api/specs", json=minimal_example(), headers=JSON).content
        head = (
            b"POST /api/specs HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: %d\r\n"
            b"Expect: 100-continue\r\n\r\n"
        )
        with socket.create_connection(("127.0.0.1", service.port), timeout=60) as connection:
            connection.sendall(head % len(body))
            assert connection.recv(100).startswith(b"HTTP/1.1 100 "), "the request is running"
            child.send_signal(signal.SIGTERM)
            time.sleep(0.3)
            connection.sendall(body)
            assert connection.recv(100).startswith(b"HTTP/1.1 201 ")
        assert child.wait(20) == 0


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
    try:
        socket.create_server((host, 0), family=socket.AF_INET6).close()
    except OSError:
        pytest.skip("this machine has no IPv6")
    arguments = ("--host", host, "--trust-proxies", proxy)
    with process("--store", f"sqlite:///{tmp_path}/rui.db", *arguments) as (_, service):
        address = service.url if ":" in proxy else f"http://127.0.0.1:{service.port}"
        forwarded = {**JSON, "X-Forwarded-Proto": "https", "X-Forwarded-For": "2001:db8::7", "Host": "rui.example.org"}
        answer = httpx.post(f"{address}/api/specs", json=minimal_example(), headers=forwarded)
        assert answer.json()["url"].startswith("https://rui.example.org/")
