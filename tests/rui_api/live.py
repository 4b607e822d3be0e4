"""A service on a real port, a client that checks responses against the OpenAPI document, and raw requests."""

import json
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import httpx
import uvicorn
from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match
from litestar.types import ASGIApp

from rui_api import work_process
from rui_api.app import create_app
from rui_api.commands.server import SERVER_OPTIONS
from rui_api.commands.signals import IGNORED_SIGNALS
from rui_api.config.options import Settings
from rui_api.contract.endpoints import BODIES
from rui_api.openapi.document import openapi_document
from rui_api.routes import tasks
from rui_api.routes.home import PLAYGROUND
from rui_api.routes.html import ASSET_FOLDER
from rui_api.store.availability import StoreOptions
from rui_api.store.base import StorageUnavailable
from rui_api.store.factory import open_store
from rui_common import task_process
from rui_common.describe import minimal_example

JSON = {"Content-Type": "application/json"}
UUID = "4be0643f-1d98-473b-97cd-ca98a65347dd"
PATIENT = 180.0
"""Seconds after which a test gives up; nothing is measured by it."""
PATIENT_SERVE = "tests.rui_api.patient_serve"
AS_SHIPPED = ("-m", "rui_api.commands.serve")
"""The program of tests that need the limits of time of the service."""
UNDESCRIBED = re.compile(rf"/|/docs.*|/specs/[^/]+/compare.*|({ASSET_FOLDER}|{PLAYGROUND}).*")
"""Addresses of pages, and of their files and requests, which are no endpoints of the API."""


def wait_until(true: Callable[[], object], what: str) -> None:
    """Wait until `true` returns True."""
    deadline = time.monotonic() + PATIENT
    while not true():
        assert time.monotonic() < deadline, f"it never came to: {what}"
        time.sleep(0.01)


class Down:
    """A store that is never available."""

    async def store(self, _: object) -> None:
        raise StorageUnavailable("down")

    async def fetch(self, _: object) -> None:
        raise StorageUnavailable("down")

    async def ready(self) -> None:
        raise StorageUnavailable("down")

    async def close(self) -> None:
        pass


class Service:
    """A running service: its address, a client for it, and its process, or the server in this one."""

    child: subprocess.Popen[str]
    server: uvicorn.Server

    def __init__(self, url: str) -> None:
        self.url = url
        self.client = httpx.Client(
            base_url=url,
            event_hooks={"response": [check_described]},
            timeout=PATIENT,
            verify=False,  # no TLS: reading the certificates takes longer than most tests
        )

    @property
    def port(self) -> int:
        return int(self.url.rpartition(":")[2])

    def post(self, path: str, body: object, **headers: str) -> httpx.Response:
        """Send a POST, with `body` as JSON unless it is bytes."""
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        return self.client.post(path, content=content, headers={**JSON, **headers})

    def store(self, body: object = None) -> dict[str, object]:
        """Store a RUI; obey ``Retry-After``, because other tests may keep the disk busy."""
        for _ in range(10):
            answer = self.post("/api/specs", minimal_example() if body is None else body)
            if answer.status_code != 503:
                break
            time.sleep(int(answer.headers.get("retry-after", "1")))
        assert answer.status_code == 201, answer.text
        return answer.json()

    def raw(self, *parts: bytes) -> tuple[bytes, bytes]:
        """Send bytes; return head and body of everything received until the service closes the connection."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=PATIENT) as connection:
            for part in parts:
                connection.sendall(part)
            received = b""
            while chunk := connection.recv(65_536):
                received += chunk
        head, _, body = received.partition(b"\r\n\r\n")
        return head, body


@contextmanager
def running(app: ASGIApp, keep_alive: int = 5) -> Iterator[Service]:
    """Serve `app` on a free port of this machine, in a thread.

    A busy machine gets more time for tasks in other processes, until the tests end: the services of a session and of a
    module overlap, so neither may give the time back.
    """
    work_process.MAX_SECONDS = task_process.MAX_START_SECONDS = PATIENT
    tasks.MAX_EXTRA_SECONDS = tasks.MAX_EXTRA_WAIT_SECONDS = PATIENT
    config = uvicorn.Config(
        app,
        **SERVER_OPTIONS,
        proxy_headers=False,
        timeout_graceful_shutdown=1,
        timeout_keep_alive=keep_alive,
    )
    server = uvicorn.Server(config)
    listener = socket.create_server(("127.0.0.1", 0))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    try:
        wait_until(lambda: server.started or not thread.is_alive(), "the service starts")
        service = Service(f"http://127.0.0.1:{listener.getsockname()[1]}")
        service.server = server
        with service.client:
            yield service
    finally:
        server.should_exit = True
        thread.join(PATIENT)


def shared_service(folder: Path) -> AbstractContextManager[Service]:
    """Serve an empty store in a folder."""
    return patient_service(f"sqlite:///{folder}/rui.db")


def patient_service(url: str) -> AbstractContextManager[Service]:
    """Serve the store at a URL."""
    return running(patient_app(Settings(store=url)))


def patient_app(settings: Settings, **options: Any) -> ASGIApp:
    """Return the service with a store that answers late instead of with 503: other tests keep machine and disk busy."""
    store = open_store(settings.store, StoreOptions(max_bytes=settings.max_bytes, deadline=PATIENT))
    return create_app(settings, store, **options)


@contextmanager
def process(
    *arguments: str, program: tuple[str, ...] = ("-m", PATIENT_SERVE), **popen: object
) -> Iterator[tuple[subprocess.Popen[str], Service]]:
    """Run `rui serve` as a process on a free port; it logs warnings and errors.

    `program`: by default without the limits of time that a busy machine exceeds; see `AS_SHIPPED`.
    """
    command = [sys.executable, *program, "--port", "0", "--log-level", "warning", *arguments]
    popen = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True} | popen
    with subprocess.Popen(command, **popen) as child:
        try:
            first_line = child.stdout.readline()
            found = re.search(r"http://(?:\[\S+?\]|[^\s:]+):\d+", first_line)
            assert found, child.stderr.read()
            service = Service(found[0])
            service.child = child
            with service.client:
                yield child, service
        finally:
            child.kill()


@cache
def described() -> dict[str, object]:
    """Return the OpenAPI document, with bodies that have no further fields, as only later versions may add some."""
    document = openapi_document("http://localhost")
    for body in BODIES:
        document["components"]["schemas"][body.name]["additionalProperties"] = False
    return document


def check_described(response: httpx.Response) -> None:
    """The OpenAPI document has this method, path and status, and its schema admits the body."""
    request = response.request
    if response.status_code == 405 or request.method == "OPTIONS" or UNDESCRIBED.fullmatch(request.url.path):
        return
    path = re.sub(r"(?<=/specs/)[^/]+(?=$|/rui.json)", "{id}", request.url.path)
    item = described()["paths"].get(path)
    if item is None:
        assert response.status_code in (404, 400), f"no Endpoint in rui_api/contract/endpoints.py has the path {path}"
        return
    responses = item[request.method.lower().replace("head", "get")]["responses"]
    name = f"{response.status_code} of {request.method} {path}"
    assert str(response.status_code) in responses, f"{name}: its Endpoint has no ResponseSpec of this status"
    described_ = responses[str(response.status_code)]
    required = {name.lower() for name, header in described_["headers"].items() if header["required"]}
    absent = required - {*response.headers}
    assert not absent, f"{name}: described headers are absent: {absent}"
    content = described_.get("content", {})
    response.read()
    media_type = response.headers.get("content-type", "").partition(";")[0]
    if not response.content:
        assert request.method == "HEAD" or not content, f"{name} has no body, but is described as {[*content]}"
        return
    assert media_type in content, f"{name} has the media type {media_type}, but is described as {[*content]}"
    if media_type == "application/json":
        error = best_match(validator(json.dumps(content[media_type]["schema"])).iter_errors(response.json()))
        assert error is None, f"{name}: its Body does not fit at {error.json_path}: {error.message:.300}"


@cache
def validator(schema: str) -> Draft202012Validator:
    return Draft202012Validator({**json.loads(schema), "components": described()["components"]})


ROOT = Path(__file__).parent.parent.parent

DEPLOY = ROOT / "deploy"


def workers(pid: int) -> set[int]:
    """Return the processes of the workers, without the resource tracker of multiprocessing."""
    listed = subprocess.run(
        ["ps", "-ww", "-o", "pid=,args=", "--ppid", str(pid)], capture_output=True, text=True, check=False
    )
    return {int(line.split()[0]) for line in listed.stdout.splitlines() if "spawn_main" in line}


def ignores_signals(pid: int) -> bool:
    """Return whether a process has started so far that it ignores what the service ignores; False if it has ended."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except FileNotFoundError:
        return False
    ignored = int(status.partition("SigIgn:")[2].split()[0], 16)
    return all(ignored >> (signal.Signals[name] - 1) & 1 for name in IGNORED_SIGNALS)


@contextmanager
def at_socket(path: Path, *options: str) -> Iterator[tuple[subprocess.Popen[str], httpx.Client]]:
    """Run a service that listens on a Unix socket; yield its process and a client."""
    command = [sys.executable, "-m", PATIENT_SERVE, "--unix-socket", str(path), "--log-level", "info"]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen([*command, *options], text=True, **pipes) as child:
        try:
            banner = child.stdout.readline()
            assert banner.startswith(f"RUI service on unix:{path}, specs in "), child.stderr.read()
            with httpx.Client(
                transport=httpx.HTTPTransport(uds=str(path)), base_url="http://a", timeout=PATIENT
            ) as client:
                yield child, client
        finally:
            child.kill()
