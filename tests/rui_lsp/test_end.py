"""The end of a session while something is waited for: the client, a service, a description, a browser.

What waits is answered, the process and its children end at once, and standard error is empty.
"""

import json
import signal
import socket
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from rui_common.describe import minimal_example
from rui_lsp.protocol.log import is_fault
from tests.rui_api.live import wait_until
from tests.rui_common.client.hostile import hostile
from tests.rui_lsp.conversation import Conversation
from tests.rui_lsp.lsp_client import Client
from tests.rui_openapi.shop import SHOP, table

CANCELLED = -32800
URI = "file:///nowhere/a.rui.json"
VALID = json.dumps(minimal_example(), indent=2)
FAULTY = VALID.replace('"0.1"', "0.1")
ABLE = {
    "window": {"showDocument": {"support": True}, "workDoneProgress": True},
    "workspace": {
        "applyEdit": True,
        "configuration": True,
        "diagnostics": {"refreshSupport": True},
        "didChangeConfiguration": {"dynamicRegistration": True},
    },
    "textDocument": {"diagnostic": {}},
}
SHOW, EDIT, PROGRESS = "window/showDocument", "workspace/applyEdit", "window/workDoneProgress/create"
RUN = "workspace/executeCommand"


def run(command: str, **arguments: object) -> dict[str, object]:
    return {"method": RUN, "params": {"command": command, "arguments": [{"uri": URI, **arguments}]}}


# `shutdown` while the client is asked


class Waiting(NamedTuple):
    """A message of the client, and the request of the server that it does not answer."""

    message: dict[str, object]
    asked: str
    text: str = VALID


WAITING = {
    "preview": Waiting(run("rui.preview"), SHOW),
    "element": Waiting(run("rui.showNode", path="pages[0]"), SHOW),
    "fix all": Waiting(run("rui.fixAll"), EDIT, FAULTY),
    "publish": Waiting(run("rui.publish"), PROGRESS),
    "settings": Waiting({"method": "initialized", "params": {}}, "workspace/configuration"),
    "registration": Waiting({"method": "initialized", "params": {}}, "client/registerCapability"),
    "new settings": Waiting(
        {"method": "workspace/didChangeConfiguration", "params": {"settings": {}}}, "workspace/configuration"
    ),
    "refresh": Waiting(
        {"method": "workspace/didChangeWatchedFiles", "params": {"changes": []}}, "workspace/diagnostic/refresh"
    ),
}


@pytest.mark.parametrize("name", WAITING)
def test_shutdown_is_answered_while_the_client_is_asked(name: str, caplog: pytest.LogCaptureFixture) -> None:
    waiting = WAITING[name]
    author = Conversation(ABLE)
    author.open(waiting.text, uri=URI)
    is_request = waiting.message["method"] == RUN
    author.say({"id": "waiting", **waiting.message} if is_request else waiting.message)
    [asked] = author.until(
        lambda: [message["id"] for message in author.sent if message.get("method") == waiting.asked], waiting.asked
    )
    assert author.answer("waiting") is None
    assert author.request("shutdown") is None
    if is_request:
        assert author.until(lambda: author.answer("waiting"), "response")["error"]["code"] == CANCELLED
    count = len(author.sent)
    for _ in range(2):  # The client has come to it after all.
        author.say({"id": asked, "result": None})
    assert len(author.sent) == count
    assert not list(filter(is_fault, caplog.records))


def test_all_requests_that_wait_are_answered(caplog: pytest.LogCaptureFixture, tmp_path: Path) -> None:
    arrived, released = threading.Event(), threading.Event()

    def hang(_: object) -> None:
        arrived.set()
        released.wait()

    (tmp_path / "a.rui.json").write_text("{")
    with hostile(hang) as service:
        options = {"server": {"url": service.url}, "diagnostics": {"delay": 10_000}}
        author = Conversation(ABLE | {"window": {}}, options, rootUri=tmp_path.as_uri())
        author.open(VALID, uri=URI)
        author.change(f"{VALID} ", 2, uri=URI)
        document = {"textDocument": {"uri": URI}}
        author.say(
            {"id": "publish", **run("rui.publish")},
            {"id": "again", **run("rui.publish")},
            {"id": "pull", "method": "textDocument/diagnostic", "params": document},
            {"id": "all", "method": "workspace/diagnostic", "params": {"previousResultIds": []}},
            {"id": "shutdown", "method": "shutdown"},
        )
        for request in ("publish", "again", "pull", "all"):
            answer = author.until(lambda request=request: author.answer(request), request)
            assert answer["error"]["code"] == CANCELLED
        released.set()
    assert author.answer("shutdown")["result"] is None
    assert not list(filter(is_fault, caplog.records))


# The end of the process

PATIENT = "import rui_lsp.commands.publish as publish, rui_lsp.main as main; publish.TIMEOUT = 3600; exit(main.main())"
"""A server that would wait for an hour for a service."""

ENDS: dict[str, tuple[Callable[[Client], object], int]] = {
    "shutdown and exit": (lambda client: client.send({"id": "end", "method": "shutdown"}, {"method": "exit"}), 0),
    "exit": (lambda client: client.notify("exit"), 1),
    "end of the input": (lambda client: client.process.stdin.close(), 1),
    "SIGTERM": (lambda client: client.process.terminate(), -signal.SIGTERM),
    "SIGKILL": (lambda client: client.process.kill(), -signal.SIGKILL),
}
"""What ends the server, and its exit code."""


@pytest.fixture
def check_end(request: pytest.FixtureRequest) -> Callable[[Client], None]:
    def check(client: Client) -> None:
        end, code = ENDS[request.param]
        children = children_of(client.process.pid)
        end(client)
        assert client.process.wait(180) == code
        client.kill()  # reads the rest of its output
        assert client.stderr == []
        for pid in children:
            wait_until(lambda pid=pid: not Path(f"/proc/{pid}/exe").exists(), f"end of {pid}")

    return check


def children_of(pid: int) -> list[str]:
    """Return the processes that the main thread of a process has started."""
    return Path(f"/proc/{pid}/task/{pid}/children").read_text().split()


def client_of(root: Path) -> Client:
    return Client(root=root, capabilities={"window": ABLE["window"]}, command=[sys.executable, "-c", PATIENT])


@pytest.mark.parametrize("check_end", ["shutdown and exit", "SIGTERM"], indirect=True)
def test_no_end_waits_for_a_service(check_end: Callable[[Client], None], tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        client = client_of(tmp_path)
        client.configure(server={"url": f"http://127.0.0.1:{silent.getsockname()[1]}"})
        client.open(URI, VALID)
        client.send({"id": "publish", **run("rui.publish")})
        asked = client.wait_for(lambda message: message.get("method") == PROGRESS)
        client.send({"id": asked["id"], "result": None})
        connection, _ = silent.accept()
        with connection:
            check_end(client)


@pytest.mark.parametrize("check_end", ["exit", "end of the input"], indirect=True)
def test_no_end_waits_for_a_browser(check_end: Callable[[Client], None], tmp_path: Path) -> None:
    client = client_of(tmp_path)
    client.open(URI, VALID)
    address = client.run("rui.preview", {"uri": URI, "show": False})["uri"]
    host, _, secret = address.removeprefix("http://").strip("/").partition("/")
    name, _, port = host.partition(":")
    events, click = (socket.create_connection((name, int(port))) for _ in range(2))
    with events, click:
        events.sendall(f"GET /{secret}/events HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
        assert events.recv(1)
        lines = (f"POST /{secret}/clicked/10 HTTP/1.1", f"Host: {host}", f"Origin: http://{host}", "", "")
        click.sendall("\r\n".join(lines).encode())
        client.wait_for(lambda message: message.get("method") == SHOW)
        check_end(client)


@pytest.mark.parametrize(("check_end", "is_read"), [
    ("shutdown and exit", False), ("SIGKILL", False), ("exit", True), ("end of the input", True), ("SIGKILL", True),
], indirect=["check_end"])  # fmt: skip
def test_the_process_for_descriptions_ends_too(
    check_end: Callable[[Client], None], is_read: bool, tmp_path: Path
) -> None:
    (tmp_path / "openapi.yaml").write_text(SHOP)
    (tmp_path / "rui.toml").write_text('[api]\nopenapi = "openapi.yaml"\n')
    client = client_of(tmp_path)
    uri = (tmp_path / "a.rui.json").as_uri()
    client.open(uri, table("/oders", "items", "id"))
    if is_read:
        client.wait_for(lambda message: "UNKNOWN_PATH" in json.dumps(message))
    wait_until(lambda: children_of(client.process.pid), "start of the process")
    check_end(client)
