"""`rui serve`: start, stop, addresses."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

from rui_api.commands.serve import IGNORED_SIGNALS, main
from rui_common.describe import minimal_example
from tests.rui_api.live import JSON, process, wait_until


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


@pytest.mark.parametrize("host", ["127.0.0.1", "no.such.host.invalid", "a..b", "x" * 300])
def test_an_address_that_cannot_be_used(host: str, capsys) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert main(["--host", host, "--port", str(port)]) == 2
    err = capsys.readouterr().err
    assert err.startswith(f"rui serve: cannot listen on {host} port {port}: ")
    assert err.count("\n") == 1
    assert "Address already in use" in err or host != "127.0.0.1"


def is_open(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=60).close()
    except ConnectionError:
        return False
    return True


OTHER_SIGNALS = [
    *(signal.Signals[name] for name in IGNORED_SIGNALS), signal.SIGPIPE, signal.SIGWINCH, signal.SIGCHLD, signal.SIGURG,
    signal.SIGCONT,
]  # fmt: skip


def ignores_signals(pid: int) -> bool:
    status = Path(f"/proc/{pid}/status").read_text()
    ignored = int(status.partition("SigIgn:")[2].split()[0], 16)
    return all(ignored >> (signal.Signals[name] - 1) & 1 for name in IGNORED_SIGNALS)


def test_signals_that_do_not_stop_the_service(tmp_path: Path) -> None:
    """They do nothing, neither during the start nor later, and write nothing."""
    command = [sys.executable, "-m", "rui_api.commands.serve", "--port", "0", "--log-level", "warning"]
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
            url = banner.result().split()[3].rstrip(",")
            for number in OTHER_SIGNALS:
                child.send_signal(number)
                assert httpx.get(f"{url}/api/health").status_code == 200, number
            assert httpx.post(f"{url}/playground/check", content=b"{}", timeout=60).status_code == 200
            child.terminate()
            out, err = child.communicate(timeout=60)
            assert (child.returncode, out, err) == (0, "", "")
        finally:
            child.kill()


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


@pytest.mark.parametrize("module", ["litestar", "uvicorn", "opentelemetry.exporter"])
def test_a_missing_package(tmp_path: Path, module: str) -> None:
    code = (
        f"import sys; sys.modules[{module!r}] = None; "
        "from rui_api.commands.serve import main; sys.exit(main(['--port', '0', '--otel', 'on']))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path,
                          env={**os.environ, "PYTHONPATH": str(Path.cwd())}, timeout=60, check=False)  # fmt: skip
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "pip install 'rui-toolkit[api]'" in done.stderr


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
        answer = httpx.post(address, json=minimal_example(), headers=forwarded)
        assert answer.json()["url"].startswith(f"{scheme}://rui.example.org/")
