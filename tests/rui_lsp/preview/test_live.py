"""The live preview of a real server process: its addresses, events, and what it refuses."""

import json
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlsplit

import httpx
import pytest

from rui_common.describe import minimal_example
from tests.rui_lsp.lsp_client import DEADLINE, Client

URI = "file:///nowhere/shop.rui.json"
VALID = json.dumps(minimal_example(), indent=2)


class Author:
    """An editor with one document, and the browser that shows its preview."""

    def __init__(self, client: Client) -> None:
        self.client = client
        client.open(URI, VALID)
        self.address = urlsplit(self.preview())
        self.origin = f"http://{self.address.netloc}"

    def preview(self, uri: str = URI) -> str:
        return str(self.client.run("rui.preview", {"uri": uri, "show": False})["uri"])

    def ask(self, name: str = "", method: str = "GET", path: str = "", **headers: str) -> httpx.Response:
        return httpx.request(method, f"{self.origin}{path or self.address.path + name}", headers=headers, timeout=60)


@pytest.fixture(scope="module")
def shared() -> Iterator[Author]:
    with Client(capabilities={"window": {"showDocument": {"support": True}}}) as client:
        yield Author(client)


@pytest.fixture
def author(shared: Author) -> Author:
    """An author with the example open."""
    shared.client.received.clear()
    shared.client.open(URI, VALID)
    return shared


def test_the_page_is_that_of_the_text_in_the_editor(author: Author) -> None:
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/[\w-]{22}/", author.address.geturl())
    assert "Orders are refreshed" in author.ask().text
    author.client.change(URI, 2, VALID.replace("Orders are", "Wow! Orders are") + "}")
    author.client.diagnostics(URI, 2)
    page = author.ask().text
    assert "Wow! Orders are refreshed" in page
    assert "INVALID_JSON" in page


def test_the_page_of_the_document_edited_last_is_opened_in_the_browser(author: Author) -> None:
    author.client.change(URI, 2, VALID)
    author.client.send({"id": "p", "method": "workspace/executeCommand", "params": {"command": "rui.preview"}})
    shown = author.client.wait_for(lambda message: message.get("method") == "window/showDocument")
    author.client.send({"id": shown["id"], "result": {"success": True}})
    assert shown["params"] == {"uri": author.address.geturl(), "external": True, "takeFocus": False}
    response = author.client.wait_for(lambda message: message.get("id") == "p")
    assert response["result"] == {"uri": author.address.geturl()}


def test_a_page_may_load_only_its_own_files(author: Author) -> None:
    response = author.ask()
    policy = response.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert response.headers["Referrer-Policy"] == "no-referrer"
    assert response.headers["Cache-Control"] == "no-store"
    assert "Access-Control-Allow-Origin" not in response.headers
    names = re.findall(r'(?:src|href)="([\w.]+\.(?:js|css|svg))"', response.text)
    assert names == ["inspector.svg", "live.css", "live.js"]
    for name in names:
        file = author.ask(name)
        assert (file.status_code, file.headers["X-Content-Type-Options"]) == (200, "nosniff")
    assert '<noscript><p class="refresh">' in response.text


def test_events_follow_the_text_and_the_caret(author: Author) -> None:
    with httpx.stream("GET", f"{author.address.geturl()}events", timeout=DEADLINE) as response:
        assert response.headers["Content-Type"] == "text/event-stream"
        events = (json.loads(line[6:]) for line in response.iter_lines() if line.startswith("data: "))

        def following(kind: str) -> dict[str, object]:
            return next(event for event in events if event.get("kind") == kind)

        following("changed")
        place = {"textDocument": {"uri": URI}, "position": {"line": 1, "character": 2}}
        author.client.run("rui.previewCursor", place)
        assert following("cursor")["offset"] == VALID.index("\n") + 3
        place["position"] = {"line": 0, "character": 1}
        author.client.request("textDocument/documentHighlight", place)
        assert following("cursor")["offset"] == 1
        author.client.change(URI, 2, "\n" + VALID)
        following("changed")


@pytest.mark.parametrize(("answer", "status"), [({"success": True}, 200), ({"success": False}, 502)])
def test_a_click_moves_the_cursor_of_the_editor(author: Author, answer: dict[str, object], status: int) -> None:
    offset = VALID.index('"pages"')
    with ThreadPoolExecutor() as pool:
        clicked = pool.submit(author.ask, f"clicked/{offset}", "POST", Origin=author.origin)
        shown = author.client.wait_for(lambda message: message.get("method") == "window/showDocument")
        start = {"line": VALID[:offset].count("\n"), "character": 2}
        assert shown["params"] == {"uri": URI, "takeFocus": True, "selection": {"start": start, "end": start}}
        author.client.send({"id": shown["id"], "result": answer})
        assert clicked.result().status_code == status


HOSTS = {
    421: ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example", "[::1]"],
    200: ["localhost", "LOCALHOST:9000", "127.0.0.1", "127.0.0.1:1"],
}


def test_only_this_host_and_a_forwarded_port_are_accepted(author: Author) -> None:
    for status, hosts in HOSTS.items():
        for host in hosts:
            response = author.ask(Host=host)
            assert (response.status_code, "Orders" in response.text) == (status, status == 200), host


def test_another_site_cannot_move_the_cursor(author: Author) -> None:
    for origin in ("", "null", "http://evil.example", "https://127.0.0.1"):
        assert author.ask("clicked/5", "POST", Origin=origin).status_code == 403, origin
    for name in ("clicked/", "clicked/-1", "clicked/1e3", f"clicked/{'9' * 50}", "events", ""):
        assert author.ask(name, "POST", Origin=author.origin).status_code == 403, name
    assert not [message for message in author.client.received if message.get("method") == "window/showDocument"]


@pytest.mark.parametrize("path", ["/", "//", "{path}../../etc/passwd", "{path}no.js", "/A{path}", "{path}é"])
def test_a_wrong_address_is_refused(author: Author, path: str) -> None:
    with socket.create_connection(("127.0.0.1", author.address.port), timeout=DEADLINE) as connection:
        connection.sendall(f"GET {path.format(path=author.address.path)} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
        assert connection.makefile("rb").readline() == b"HTTP/1.0 404 Not Found\r\n"


def test_each_document_has_an_address_and_a_closed_one_is_shown_as_in_its_file(author: Author, tmp_path) -> None:
    path = tmp_path / "a b.rui.json"
    path.write_text(VALID.replace("Orders are", "Bicycles are"))
    author.client.open(path.as_uri(), VALID.replace("Orders are", "Cars are"))
    address = author.preview(path.as_uri())
    assert address == author.preview(path.as_uri().replace("%20", " ")) != author.address.geturl() == author.preview()
    there = urlsplit(address).path
    assert "Cars are" in author.ask(path=there).text
    assert "Cars are" not in author.ask().text
    author.client.close(path.as_uri())
    author.client.diagnostics(path.as_uri(), None)
    assert "Bicycles are" in author.ask(path=there).text
    path.unlink()
    response = author.ask(path=there)
    assert response.status_code == 410
    assert "is not open, and its file cannot be read: No such file or directory." in response.text


def test_the_server_starts_without_what_few_sessions_need() -> None:
    code = "import sys; from rui_lsp.features import create_server; create_server(); print(*sys.modules)"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    modules = set(result.stdout.split())
    assert "rui_lsp.commands.preview" in modules
    assert not modules & {"rui_lsp.preview.live", "rui_inspector", "jinja2", "rui_common.describe", "multiprocessing"}
