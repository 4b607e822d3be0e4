"""The live preview of a real server process: its addresses, events, and what it refuses."""

import http.client
import json
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest

from rui_common.describe import minimal_example
from tests.rui_lsp.lsp_client import DEADLINE, Client

URI = "file:///nowhere/shop.rui.json"
VALID = json.dumps(minimal_example(), indent=2)
SHOWS = {"window": {"showDocument": {"support": True}}}


class Author:
    """An editor with one document, and the browser that shows its preview."""

    def __init__(self, client: Client, text: str = VALID) -> None:
        self.client = client
        self.version = 1
        client.open(URI, text)
        self.address = urlsplit(self.preview())

    def preview(self, uri: str = URI) -> str:
        command = {"command": "rui.preview", "arguments": [{"uri": uri, "show": False}]}
        return str(self.client.request("workspace/executeCommand", command)["uri"])

    def type(self, text: str, line: int = 0, character: int = 0) -> None:
        self.version += 1
        place = {"line": line, "character": character}
        self.client.change(URI, self.version, [{"range": {"start": place, "end": place}, "text": text}])

    def wait(self) -> None:
        """Wait until the server has handled everything that was sent."""
        self.client.request("textDocument/foldingRange", {"textDocument": {"uri": URI}})

    def ask(self, name: str = "", method: str = "GET", *, path: str = "", body: str | None = None, **headers: str):
        """Return status, headers and body of a response. An empty header is not sent."""
        connection = http.client.HTTPConnection("127.0.0.1", self.address.port, timeout=DEADLINE)
        connection.putrequest(method, path or self.address.path + name, skip_host=True, skip_accept_encoding=True)
        content = {} if body is None else {"Content-Length": str(len(body))}
        for header, value in {"Host": self.address.netloc, **content, **headers}.items():
            if value:
                connection.putheader(header.replace("_", "-"), value)
        connection.endheaders(None if body is None else body.encode())
        response = connection.getresponse()
        text = response.read().decode()
        connection.close()
        return response.status, response.headers, text

    def send(self, data: bytes) -> bytes:
        """Send bytes; return everything that the server sends until it closes the connection."""
        with socket.create_connection(("127.0.0.1", self.address.port), timeout=DEADLINE) as connection:
            connection.sendall(data)
            received = b""
            while more := connection.recv(65_536):
                received += more
        return received


class Events:
    """A connection that gets events."""

    def __init__(self, author: Author) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", author.address.port, timeout=DEADLINE)
        self.connection.request("GET", f"{author.address.path}events")
        self.response = self.connection.getresponse()
        assert self.response.headers["Content-Type"] == "text/event-stream"

    def next(self):
        while True:
            line = self.response.readline()
            assert line, "the server has closed the connection"
            if line.startswith(b"data: "):
                return json.loads(line[6:])

    def is_closed(self) -> bool:
        return self.response.read().strip() == b""


@pytest.fixture(scope="module")
def shared() -> Iterator[Author]:
    """An author for tests that change nothing."""
    with Client.start(capabilities=SHOWS) as client:
        yield Author(client)


@pytest.fixture
def author() -> Iterator[Author]:
    with Client.start(capabilities=SHOWS) as client:
        yield Author(client)


def test_the_page_is_that_of_the_text_in_the_editor(author: Author) -> None:
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/[\w-]{22}/0/", author.address.geturl())
    status, _, page = author.ask()
    assert status == 200
    assert "Orders are refreshed" in page
    author.type(" ")
    events = Events(author)
    events.next()
    start = VALID.index("Orders are")
    line = VALID[:start].count("\n")
    author.type("Wow! ", line, start - VALID.rindex("\n", 0, start) - 1)
    author.wait()
    assert "Wow! Orders are refreshed" in author.ask()[2]


def test_broken_text_is_shown_with_its_errors(author: Author) -> None:
    author.type("}")
    author.wait()
    _, _, page = author.ask()
    assert "INVALID_JSON" in page


def test_a_page_may_load_only_its_own_files(shared: Author) -> None:
    _, headers, page = shared.ask()
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert headers["Referrer-Policy"] == "no-referrer"
    assert headers["Cache-Control"] == "no-store"
    assert "Access-Control-Allow-Origin" not in headers
    names = re.findall(r'(?:src|href)="([\w.]+\.(?:js|css|svg))"', page)
    assert names == ["inspector.svg", "live.css", "live.js"]
    for name in names:
        status, headers, _ = shared.ask(name)
        assert status == 200
        assert headers["X-Content-Type-Options"] == "nosniff"
    assert '<noscript><p class="refresh">' in page


def test_events_follow_the_text_and_the_caret(author: Author) -> None:
    events = Events(author)
    assert events.next() == {"kind": "changed"}
    place = {"textDocument": {"uri": URI}, "position": {"line": 1, "character": 2}}
    author.client.request("workspace/executeCommand", {"command": "rui.previewCursor", "arguments": [place]})
    assert events.next() == {"kind": "cursor", "offset": VALID.index("\n") + 3}
    place["position"] = {"line": 0, "character": 1}
    author.client.request("textDocument/documentHighlight", place)
    assert events.next() == {"kind": "cursor", "offset": 1}
    author.type("\n")
    both = [events.next(), events.next()]
    assert {"kind": "cursor", "offset": 0} in both
    assert {"kind": "changed"} in both


def test_a_click_moves_the_cursor_of_the_editor(author: Author) -> None:
    offset = VALID.index('"pages"')
    origin = f"http://{author.address.netloc}"
    connection = http.client.HTTPConnection("127.0.0.1", author.address.port, timeout=DEADLINE)
    connection.request("POST", f"{author.address.path}clicked", body=str(offset), headers={"Origin": origin})
    shown = author.client.wait_for(lambda message: message.get("method") == "window/showDocument")
    start = {"line": VALID[:offset].count("\n"), "character": 2}
    assert shown["params"] == {"uri": URI, "takeFocus": True, "selection": {"start": start, "end": start}}
    author.client.send({"jsonrpc": "2.0", "id": shown["id"], "result": {"success": True}})
    assert connection.getresponse().status == 200
    connection.close()


@pytest.mark.parametrize("answer", [{"result": {"success": False}}, {"error": {"code": -32603, "message": "gone"}}])
def test_an_editor_that_does_not_show_the_document(author: Author, answer) -> None:
    origin = f"http://{author.address.netloc}"
    connection = http.client.HTTPConnection("127.0.0.1", author.address.port, timeout=DEADLINE)
    connection.request("POST", f"{author.address.path}clicked", body="5", headers={"Origin": origin})
    shown = author.client.wait_for(lambda message: message.get("method") == "window/showDocument")
    author.client.send({"jsonrpc": "2.0", "id": shown["id"], **answer})
    response = connection.getresponse()
    assert response.status == 502
    assert b"editor" in response.read()
    connection.close()


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "localhost.evil.example", "", "127.0.0.1:x", "[::1]"],
)
def test_another_host_is_refused(shared: Author, host: str) -> None:
    status, _, text = shared.ask(Host=host)
    assert status == 421
    assert VALID[:20] not in text
    assert "Orders" not in text


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:9000", "127.0.0.1", "127.0.0.1:1"])
def test_a_forwarded_port_is_accepted(shared: Author, host: str) -> None:
    assert shared.ask(Host=host)[0] == 200


@pytest.mark.parametrize("origin", ["", "null", "http://evil.example", "https://127.0.0.1"])
def test_another_site_cannot_move_the_cursor(shared: Author, origin: str) -> None:
    status, _, _ = shared.ask("clicked", "POST", body="5", Origin=origin)
    assert status == 403
    assert not [message for message in shared.client.received if message.get("method") == "window/showDocument"]


@pytest.mark.parametrize(
    "change",
    [
        lambda path: "/",
        lambda path: path.replace("/0/", "/1/"),
        lambda path: path.replace("/0/", "/-1/"),
        lambda path: path.replace("/0/", "/00/"),
        lambda path: path[:-1],
        lambda path: f"{path}../../etc/passwd",
        lambda path: f"{path}nothing.js",
        lambda path: f"/{'A' * 22}/0/",
        lambda path: f"/%41{path[2:]}",
        lambda path: f"{path}\u00e9",
    ],
)
def test_a_wrong_address_is_refused(shared: Author, change) -> None:
    path = change(shared.address.path)
    data = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode()
    assert shared.send(data).startswith(b"HTTP/1.0 404 Not Found\r\n")


@pytest.mark.parametrize("body", ["", "-1", "1e3", "x", "9" * 50])
def test_a_click_without_an_offset_is_refused(shared: Author, body: str) -> None:
    status, _, _ = shared.ask("clicked", "POST", body=body, Origin=f"http://{shared.address.netloc}")
    assert status == 400


def test_several_documents_have_an_address_each(author: Author) -> None:
    other = "file:///nowhere/a%20b.rui.json"
    author.client.open(other, VALID.replace("Orders are", "Bicycles are"))
    address = author.preview(other)
    assert address != author.address.geturl()
    assert author.preview("file:///nowhere/a b.rui.json") == address
    assert author.preview() == author.address.geturl()
    assert "Bicycles" in author.ask(path=urlsplit(address).path)[2]
    assert "Bicycles" not in author.ask()[2]


def test_a_closed_document_is_shown_as_in_its_file(author: Author, tmp_path) -> None:
    path = tmp_path / "shop.rui.json"
    path.write_text(VALID.replace("Orders are", "Bicycles are"))
    author.client.open(path.as_uri(), VALID)
    address = urlsplit(author.preview(path.as_uri())).path
    assert "Orders are" in author.ask(path=address)[2]
    author.client.close(path.as_uri())
    author.client.request(
        "textDocument/foldingRange", {"textDocument": {"uri": URI}}
    )  # Then the close has been handled.
    assert "Bicycles are" in author.ask(path=address)[2]
    path.unlink()
    author.client.open(path.as_uri(), VALID)
    author.client.close(path.as_uri())
    author.wait()
    status, _, text = author.ask(path=address)
    assert status == 410
    assert "The document is closed in the editor, and has no file." in text


def test_a_page_goes_on_after_a_restart_of_the_server() -> None:
    other = "file:///nowhere/other.rui.json"
    with Client.start() as client:
        author = Author(client)
        client.open(other, VALID)
        before = [author.preview(), author.preview(other)]
    with Client.start() as client:
        for uri in (other, URI):
            client.open(uri, VALID)
        after = [resumed(client, URI, before[0]), resumed(client, other, before[1])]
        assert after == before
        assert resumed(client, other, before[0]) == before[1]


@pytest.mark.parametrize(
    "address", ["x", "http://127.0.0.1:0/", "http://evil.example:80/{secret}/0/", "http://127.0.0.1:99999/{secret}/0/"]
)
def test_another_address_is_not_resumed(address: str) -> None:
    secret = "A" * 22
    with Client.start() as client:
        client.open(URI, VALID)
        found = urlsplit(resumed(client, URI, address.format(secret=secret)))
        assert found.hostname == "127.0.0.1"
        assert secret not in found.path


def test_an_address_whose_port_is_taken_is_replaced() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken, Client.start() as client:
        client.open(URI, VALID)
        address = f"http://127.0.0.1:{taken.getsockname()[1]}/{'A' * 22}/0/"
        assert urlsplit(resumed(client, URI, address)).port != taken.getsockname()[1]


def resumed(client: Client, uri: str, address: str) -> str:
    command = {"command": "rui.preview", "arguments": [{"uri": uri, "show": False, "address": address}]}
    return str(client.request("workspace/executeCommand", command)["uri"])


def test_the_server_starts_without_the_preview() -> None:
    code = "import sys; from rui_lsp.create import create_server; create_server(); print(*sys.modules)"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    modules = set(result.stdout.split())
    assert "rui_lsp.commands.preview" in modules
    assert not modules & {"rui_lsp.live_preview", "rui_inspector", "jinja2"}
