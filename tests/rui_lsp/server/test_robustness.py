"""For every kind of bad input over real standard input and output, the server returns an LSP error and continues."""

import sys

import pytest

from tests.rui_lsp.lsp_client import Client, ResponseError
from tests.rui_lsp.marked import DOCUMENT, any_params, broken_texts, document_requests, opened

PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS, INTERNAL_ERROR = -32700, -32600, -32601, -32602, -32603
NOT_INITIALIZED, CANCELLED, CONTENT_MODIFIED = -32002, -32800, -32801
URI = "file:///robust.rui.json"
TOP = {"line": 0, "character": 0}
HOVER = {"textDocument": {"uri": URI}, "position": TOP}

# A server with a failing hover handler and a definition handler that notifies the client.
FAULTY = """
import sys
from rui_lsp.features import definition, hover
def fail(ls, params):
    raise ZeroDivisionError("one of those days")
def note(ls, params):
    ls.protocol.notify("test/asked", params.position)
hover.hover, definition.definition = fail, note
from rui_lsp.main import main
sys.exit(main(sys.argv[1:]))
"""


def code_of(client, method, params=None):
    with pytest.raises(ResponseError) as error:
        client.request(method, params)
    return error.value.code


def check_alive(client, version=1):
    uri = f"file:///alive{version}.rui.json"
    client.open(uri, "[]", version)
    assert [item["code"] for item in client.diagnostics(uri, version)] == ["INVALID_JSON"]


def errors(client):
    return [message["error"]["code"] for message in client.received if message.get("error")]


def test_requests_before_initialize_and_after_shutdown():
    client = Client.start(initialize=False)
    client.open(URI, "[]")
    for method, params in (("textDocument/hover", HOVER), ("shutdown", None), ("rui/unheardOf", {})):
        assert code_of(client, method, params) == NOT_INITIALIZED
    assert "capabilities" in client.request("initialize", {"capabilities": {}})
    assert code_of(client, "initialize", {"capabilities": {}}) == INVALID_REQUEST
    client.notify("initialized", {})
    check_alive(client)
    assert client.request("shutdown") is None
    for method, params in (("textDocument/hover", HOVER), ("shutdown", None), ("initialize", {"capabilities": {}})):
        assert code_of(client, method, params) == INVALID_REQUEST
    client.notify("exit")
    assert client.wait() == 0


MALFORMED = [
    (b"{", PARSE_ERROR),
    (b"\xff\xfe", PARSE_ERROR),
    (b'"x"', INVALID_REQUEST),
    (b"[]", INVALID_REQUEST),
    (b"{}", INVALID_REQUEST),
    (b'{"jsonrpc": "2.0", "id": 90, "method": 7}', INVALID_REQUEST),
    (b'{"jsonrpc": "2.0", "id": {}, "method": "shutdown"}', INVALID_REQUEST),
    (b'{"jsonrpc": "2.0", "id": 91, "method": "rui/unheardOf"}', METHOD_NOT_FOUND),
    (b'{"jsonrpc": "2.0", "id": 92, "method": "textDocument/hover", "params": [1]}', INVALID_PARAMS),
    (b'{"jsonrpc": "2.0", "id": 93, "method": "textDocument/hover"}', INVALID_PARAMS),
    (b"[" * 100_000, PARSE_ERROR),
]


def test_malformed_messages_get_an_error_each():
    client = Client.start()
    for body, code in MALFORMED:
        before = len(errors(client))
        client.send_bytes(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
        answer = client.wait_for(lambda message, n=before: message.get("error") and len(errors(client)) > n)
        assert errors(client)[-1] == code, (body[:60], answer)
    client.notify("rui/unheardOf", {"x": 1})
    client.notify("$/setTrace", {"value": "off"})
    check_alive(client)
    assert client.shut_down() == 0
    assert not [line for line in client.stderr if "Traceback" in line]


def test_documents_that_are_not_open_and_versions_out_of_order():
    client = Client.start()
    assert code_of(client, "textDocument/hover", HOVER) == INVALID_PARAMS
    client.change(URI, 2, [{"text": "{}"}])
    client.close(URI)
    client.open(URI, "[]", 5)
    assert len(client.diagnostics(URI, 5)) == 1
    client.change(URI, 3, [{"text": '{"version": "0.1"}'}])
    found = client.diagnostics(URI, 3)
    assert "MISSING_REQUIRED_PROP" in {item["code"] for item in found}
    client.close(URI)
    assert client.diagnostics(URI, None) == []
    for method in ("textDocument/hover", "textDocument/definition", "textDocument/completion"):
        assert code_of(client, method, HOVER) == CONTENT_MODIFIED
    check_alive(client)
    assert client.shut_down() == 0
    assert not [line for line in client.stderr if "Traceback" in line]


def test_an_internal_fault_is_logged_answered_and_survived():
    client = Client.start(command=[sys.executable, "-c", FAULTY])
    client.open(URI, DOCUMENT)
    client.diagnostics(URI, 1)
    assert code_of(client, "textDocument/hover", HOVER) == INTERNAL_ERROR
    assert [message for message in client.received if "Traceback" in str(message)] == []
    check_alive(client)
    assert client.shut_down() == 0
    assert any("ZeroDivisionError: one of those days" in line for line in client.stderr)


def test_a_request_cancelled_before_it_started_is_not_computed():
    client = Client.start(command=[sys.executable, "-c", FAULTY])
    client.open(URI, DOCUMENT)
    client.diagnostics(URI, 1)
    asked = [
        {"jsonrpc": "2.0", "id": 100 + line, "method": "textDocument/definition",
         "params": {**HOVER, "position": {"line": line, "character": 0}}} for line in range(3)
    ]  # fmt: skip
    cancel = {"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": 101}}
    client.send(*asked, cancel)
    answers = [client.wait_for(lambda message, n=number: message.get("id") == n) for number in (100, 101, 102)]
    assert [answer.get("error", {}).get("code") for answer in answers] == [None, CANCELLED, None]
    told = [message["params"]["line"] for message in client.received if message.get("method") == "test/asked"]
    assert told == [0, 2]
    client.kill()


def test_every_request_in_every_broken_text():
    """The server returns a result or a refusal, never an internal error."""
    with Client.start() as client:
        for number, text in enumerate(broken_texts()[:30]):
            uri = f"file:///broken{number}.rui.json"
            client.open(uri, text)
            params = {**any_params(opened("")), "textDocument": {"uri": uri}, "position": {"line": 3, "character": 9}}
            for method in document_requests():
                try:
                    client.request(method, params)
                except ResponseError as error:
                    assert error.code not in {INTERNAL_ERROR, INVALID_PARAMS}, (method, text, str(error))
            client.close(uri)
