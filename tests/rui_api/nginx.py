"""nginx from the distribution with deploy/nginx.conf, of which addresses and paths are replaced."""

import os
import re
import shutil
import signal
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

CONFIG = Path(__file__).parent.parent.parent / "deploy" / "nginx.conf"
HOST = "rui.example.org"
BASE_URL = f"https://{HOST}"
MAIN = """
daemon off; pid {folder}/nginx.pid; error_log {folder}/error.log; worker_processes 1; {user}
events {{ worker_connections 512; }}
http {{
    client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
    include {folder}/rui.conf;
}}
"""


def require() -> None:
    """Skip with the name of the missing requirement; in CI, fail."""
    if missing := ", ".join(name for name in ("nginx", "openssl") if shutil.which(name) is None):
        assert os.environ.get("CI") != "true", f"missing: {missing}"
        pytest.skip(f"missing: {missing}")


class Nginx:
    """A running nginx.

    Attributes:
        client: a client that reaches it as `BASE_URL`.
        port: its port for TLS.
        plain_port: its port without TLS.
        folder: its files.
    """

    def __init__(self, folder: Path, plain_port: int, port: int) -> None:
        self.folder = folder
        self.plain_port = plain_port
        self.port = port
        self.tls = ssl.create_default_context(cafile=str(folder / "fullchain.pem"))
        # One connection per request: a client may send on a kept connection in the moment in which nginx closes it.
        limits = httpx.Limits(max_keepalive_connections=0)
        self.client = httpx.Client(base_url=f"https://127.0.0.1:{port}", verify=self.tls, timeout=60, limits=limits)
        self.client.event_hooks["request"] = [to_host]

    def connect(self) -> ssl.SSLSocket:
        """Return a connection for raw requests."""
        plain = socket.create_connection(("127.0.0.1", self.port), timeout=20)
        return self.tls.wrap_socket(plain, server_hostname=HOST)


def to_host(request: httpx.Request) -> None:
    """Ask for the host of the configuration, unless the test names another one."""
    request.extensions["sni_hostname"] = HOST
    if request.headers["host"].startswith("127.0.0.1"):
        request.headers["host"] = HOST


@contextmanager
def nginx(folder: Path, service_port: int, *replaced: tuple[str, str]) -> Iterator[Nginx]:
    """Run nginx in front of a service.

    Args:
        folder: for its files.
        service_port: the port of the service on this machine.
        replaced: patterns of the configuration, and their replacements.
    """
    folder.mkdir(exist_ok=True)
    create_certificate(folder)
    ports = free_ports(2)
    config = CONFIG.read_text()
    for pattern, value in (
        (r"listen \[::\].*\n", "\n"),
        (r"listen 80\b", f"listen 127.0.0.1:{ports[0]}"),
        (r"listen 443\b", f"listen 127.0.0.1:{ports[1]}"),
        (r"127\.0\.0\.1:8000", f"127.0.0.1:{service_port}"),
        (r"/etc/ssl/rui/", f"{folder}/"),
        (r"/var/cache/nginx/rui", f"{folder}/cache"),
        (r"/var/log/nginx/rui.log", f"{folder}/access.log"),
        *replaced,
    ):
        config, count = re.subn(pattern, value, config)
        assert count, f"deploy/nginx.conf has no {pattern}"
    (folder / "rui.conf").write_text(config)
    user = "user root;" if os.geteuid() == 0 else ""
    (folder / "nginx.conf").write_text(MAIN.format(folder=folder, user=user))
    command = ["nginx", "-p", str(folder), "-c", str(folder / "nginx.conf")]
    checked = subprocess.run([*command, "-t"], capture_output=True, text=True, check=False)
    assert (checked.returncode, "warn" in checked.stderr) == (0, False), checked.stderr
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as child:
        try:
            running = Nginx(folder, *ports)
            deadline = time.monotonic() + 20
            while True:
                try:
                    running.connect().close()
                except ConnectionRefusedError:
                    assert child.poll() is None and time.monotonic() < deadline, (folder / "error.log").read_text()
                    time.sleep(0.02)
                else:
                    break
            with running.client:
                yield running
        finally:
            child.send_signal(signal.SIGTERM)


def free_ports(number: int) -> list[int]:
    probes = [socket.create_server(("127.0.0.1", 0)) for _ in range(number)]
    ports = [probe.getsockname()[1] for probe in probes]
    for probe in probes:
        probe.close()
    return ports


def create_certificate(folder: Path) -> None:
    subject = ["-subj", f"/CN={HOST}", "-addext", f"subjectAltName=DNS:{HOST}"]
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
         *subject, "-keyout", "privkey.pem", "-out", "fullchain.pem"],
        cwd=folder, check=True, capture_output=True,
    )  # fmt: skip
