"""Commands over LSP: with and without a service, in editors with many and with few capabilities."""

import itertools
import json
import threading

import pytest

from rui_common.client import Client as Service
from rui_common.describe import full_example, minimal_example, rule_page
from rui_common.syntax.document import read
from rui_common.validation.diagnostics import diagnose
from rui_common.vocabulary.rules import MESSAGES, RULES, WARNINGS
from rui_lsp.features.execute_command import COMMANDS
from tests.rui_common.client.hostile import answers, free_port, hostile
from tests.rui_lsp.lsp_client import Client, ResponseError

URI = "file:///nowhere/shop%20a.rui.json"
NEW = "file:///w/new.rui.json"
VALID = json.dumps(minimal_example(), indent=2)
ABLE = {
    "window": {"showDocument": {"support": True}, "workDoneProgress": True},
    "workspace": {"applyEdit": True, "workspaceEdit": {"documentChanges": True, "resourceOperations": ["create"]}},
}
NUMBERS = itertools.count()


class Editor:
    """An editor that answers the requests of the server.

    Attributes:
        does: its results by method.
        requests: method and parameters of the requests of the server.
    """

    def __init__(self, client):
        self.client = client

    def begin(self, url="http://127.0.0.1:9", text=VALID):
        """Forget everything, use a service, and open a document."""
        self.client.received.clear()
        self.does = {"window/showDocument": {"success": True}, "workspace/applyEdit": {"applied": True}}
        self.requests = []
        self.client.configure(server={"url": url})
        self.version = next(NUMBERS)
        self.client.open(URI, text, self.version)
        return self

    def run(self, command, *arguments):
        """Run a command, answer the requests of the server, and return the result."""
        number = f"run-{next(NUMBERS)}"
        params = {"command": command, "arguments": [*arguments]}
        self.client.send({"id": number, "method": "workspace/executeCommand", "params": params})
        while True:
            received = self.client.wait_for(lambda message: "id" in message)
            self.client.received.remove(received)
            if received["id"] == number:
                if "error" in received:
                    raise ResponseError(received["error"]["code"], received["error"]["message"])
                return received["result"]
            self.requests.append((received["method"], received.get("params")))
            self.client.send({"id": received["id"], "result": self.does.get(received["method"])})

    def shown(self):
        """Return the documents of `window/showDocument`."""
        return [params for method, params in self.requests if method == "window/showDocument"]

    def messages(self):
        """Return the messages of `window/showMessage`: (type, text)."""
        all_params = [m["params"] for m in self.client.received if m.get("method") == "window/showMessage"]
        return [(params["type"], params["message"]) for params in all_params]

    def progress(self):
        """Return the kinds of all progress notifications."""
        return [m["params"]["value"]["kind"] for m in self.client.received if m.get("method") == "$/progress"]


@pytest.fixture(scope="module")
def able():
    with Client(capabilities=ABLE) as client:
        yield Editor(client)


@pytest.fixture(scope="module")
def plain():
    """An editor without capabilities."""
    with Client() as client:
        yield Editor(client)


# rui.publish


def test_a_valid_document_is_stored_and_shown(able, plain, service):
    author = able.begin(service.url)
    result = author.run("rui.publish", URI)
    assert result.pop("published") is True
    stored = Service(service.url).fetch(result["specId"])
    assert stored.normalized_rui == minimal_example()
    assert result == {
        "specId": stored.spec_id, "url": stored.url, "viewUrl": stored.view_url, "createdAt": stored.created_at,
        "contentHash": stored.content_hash,
    }  # fmt: skip
    assert author.shown() == [{"uri": stored.view_url, "external": True, "takeFocus": False}]
    assert author.messages() == []
    assert author.progress() == ["begin", "end"]
    author = plain.begin(service.url)  # This editor cannot show pages.
    result = author.run("rui.publish", {"uri": URI})
    assert author.messages() == [(3, f"shop a.rui.json is published: {result['viewUrl']}")]
    assert author.progress() == []


def test_a_file_is_published_as_it_is_open_or_else_as_it_is_on_disk(able, service, tmp_path):
    path = tmp_path / "b ü.rui.json"
    path.write_text(json.dumps(full_example()))
    author = able.begin(service.url)
    for expected in (full_example(), minimal_example()):
        result = author.run("rui.publish", path.as_uri())
        assert Service(service.url).fetch(result["specId"]).normalized_rui == expected
        author.client.open(path.as_uri(), VALID)


@pytest.mark.parametrize("text", [VALID.replace('"title"', '"titel"'), "{"])
def test_an_invalid_document_is_refused_with_error_and_line(able, service, text):
    author = able.begin(service.url, text)
    result = author.run("rui.publish", URI)
    assert result["published"] is False
    assert result["diagnostics"] == author.client.diagnostics(URI, author.version)
    line = result["diagnostics"][0]["range"]["start"]["line"] + 1
    [(_, message)] = author.messages()
    reason = f"shop a.rui.json is not published, as it is not valid. line {line}: {diagnose(read(text))[0].message}"
    assert reason in message
    assert author.shown() == []
    author.client.configure(server={"url": service.url}, diagnostics={"severity": dict.fromkeys(MESSAGES, "off")})
    assert author.run("rui.publish", URI)["diagnostics"] == result["diagnostics"]


def test_an_error_that_only_the_service_finds_has_its_range(able):
    items = [{"path": "pages[0].title", "code": "NEW_RULE", "message": "Too plain.", "hint": "Say more."}]
    with hostile(answers(200, json.dumps({"valid": False, "errors": items}).encode())) as server:
        result = able.begin(server.url).run("rui.publish", URI)
    [item] = result["diagnostics"]
    assert (item["code"], item["range"]["start"]["line"]) == ("NEW_RULE", VALID[: VALID.index('"Orders"')].count("\n"))
    assert "Too plain." in result["message"]


def test_an_unavailable_service_is_reported(able):
    url = f"http://127.0.0.1:{free_port()}"
    author = able.begin(url)
    result = author.run("rui.publish", URI)
    assert (result["published"], result["server"]) == (False, url)
    assert author.messages() == [(1, result["message"])]
    assert f"cannot reach {url}: Connection refused" in result["message"]
    assert "rui.server.url" in result["message"]
    with hostile(answers(503, b'{"error": "STORAGE_UNAVAILABLE", "message": "Soon."}', "Retry-After: 999")) as server:
        message = able.begin(server.url).run("rui.publish", URI)["message"]
    assert "is not available now: Soon." in message
    assert "the address of a service is like" in able.begin("http://a?b").run("rui.publish", URI)["message"]


def test_other_requests_do_not_wait_for_the_service(plain):
    arrived, released = threading.Event(), threading.Event()

    def hang(_):
        arrived.set()
        released.wait()

    with hostile(hang) as server:
        client = plain.begin(server.url).client
        params = {"command": "rui.publish", "arguments": [URI]}
        client.send({"id": "p", "method": "workspace/executeCommand", "params": params})
        arrived.wait()
        client.open("file:///b.rui.json", "[]")
        assert client.diagnostics("file:///b.rui.json", 1)
        assert client.request("textDocument/foldingRange", {"textDocument": {"uri": URI}})
        client.notify("$/cancelRequest", {"id": "p"})
        answer = client.wait_for(lambda message: message.get("id") == "p")
        released.set()
    assert answer["error"]["code"] == -32800


# rui.explainRule


@pytest.mark.parametrize("word", ["r7B", "UNKNOWN_PROP", "missing_required_prop", *WARNINGS])
def test_rules_are_explained(plain, word):
    author = plain.begin()
    result = author.run("rui.explainRule", word)
    rules = [rule.number for rule in RULES.values() if word.upper() in {rule.number.upper(), rule.code}]
    assert result["markdown"] == "\n".join(map(rule_page, rules)) or word in WARNINGS
    number = rules[0] if rules else word
    assert result["markdown"].startswith((f"# {number} ", f"# {number}\n"))
    assert result["url"] == f"http://127.0.0.1:9/docs/rules/{number}"
    assert [rule["number"] for rule in author.run("rui.explainRule")["rules"]] == [*RULES, *WARNINGS]


# rui.newDocument


def test_a_new_document_is_valid(able):
    author = able.begin()
    assert json.loads(author.run("rui.newDocument")["text"]) == minimal_example()
    assert json.loads(author.run("rui.newDocument", {"full": True})["text"]) == full_example()
    assert author.requests == []
    text = author.run("rui.newDocument", {"uri": NEW, "title": "Größe 😀"})["text"]
    assert json.loads(text)["meta"]["title"] == "Größe 😀"
    (first, edit), (second, shown) = author.requests
    assert (first, second) == ("workspace/applyEdit", "window/showDocument")
    create, insert = edit["edit"]["documentChanges"]
    assert (create["kind"], create["uri"], create["options"]["overwrite"]) == ("create", NEW, False)
    assert (insert["textDocument"], insert["edits"][0]["newText"]) == ({"uri": NEW, "version": None}, text)
    assert shown["uri"] == NEW


def test_a_file_that_cannot_be_created_is_an_error(able, plain):
    for author, does, reason in (
        (plain, None, "does not let a language server create files"),
        (able, {"applied": False, "failureReason": "It is there."}, "could not be created: It is there."),
        (able, {"applied": False}, "could not be created."),
    ):
        author.begin().does["workspace/applyEdit"] = does
        with pytest.raises(ResponseError, match=reason) as refused:
            author.run("rui.newDocument", NEW)
        assert refused.value.code == -32803


# rui.preview

HOSTED = {"stylesheet": "https://e/x.css", "script": "https://e/x.js", "policy": "default-src 'none'", "nonce": "n0"}


def test_a_preview_for_a_webview_and_for_a_browser(able, tmp_path):
    author = able.begin(text='{"pages": [{"id": "home", "type": "Page", "title": "Anfang", "children": [')
    html = author.run("rui.preview", {"uri": URI, **HOSTED})["html"]
    for part in ("Anfang", 'data-offset="11"', "default-src &#39;none&#39;", '<script src="https://e/x.js" nonce="n0"'):
        assert part in html
    assert author.shown() == []
    uri = author.run("rui.preview", URI)["uri"]
    assert author.shown() == [{"uri": uri, "external": True, "takeFocus": False}]
    assert author.run("rui.preview") == {"uri": uri}  # the document edited last
    path = tmp_path / "latin.rui.json"
    path.write_bytes(VALID.replace("Orders", "Größe").encode("latin-1"))
    assert "UTF-8" in author.run("rui.preview", {"uri": path.as_uri(), **HOSTED})["html"]


@pytest.mark.parametrize(
    ("command", "arguments", "code"),
    [
        ("rui.preview", [{"uri": URI, "nonce": 5}], -32602),
        ("rui.unheardOf", [], -32602),
        *((command, arguments, -32602) for command in COMMANDS for arguments in ([5], [URI, 5], [{"colour": "red"}])),
        ("rui.publish", [], -32602),
        *((command, [uri], -32803) for command in ("rui.publish", "rui.preview") for uri in (
            "file:///nowhere/else.rui.json", "untitled:Untitled-1", "\0",
        )),
        ("rui.explainRule", ["R99"], -32602),
        ("rui.newDocument", [{"title": "\ud800"}], -32602),
    ],
)  # fmt: skip
def test_bad_arguments_are_an_error_of_the_protocol(plain, command, arguments, code):
    with pytest.raises(ResponseError) as refused:
        plain.client.run(command, *arguments)
    assert refused.value.code == code
