"""Messages that LSP does not allow: every request is answered, and the session goes on."""

import json

import pytest
from lsprotocol import types

from rui_common.validation.analysis import Analysis
from tests.rui_lsp.conversation import LOOP, REFRESHES, URI, Conversation, is_published
from tests.rui_lsp.lsp_client import frame

PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS = -32700, -32600, -32601, -32602
NOT_INITIALIZED = -32002

START = {"line": 0, "character": 0}
RANGE = {"start": START, "end": START}
DOCUMENT = {"textDocument": {"uri": URI}}
POSITION = {**DOCUMENT, "position": START}
FOREIGN = {"range": RANGE, "message": "x", "source": "eslint"}


def feed(conversation, body):
    """Send the content of a message; return the replies."""
    before = len(conversation.sent)
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    conversation.feed(b"Content-Length: %d\r\n\r\n%b" % (len(content), content))
    return [message for message in conversation.sent[before:] if not is_published(message)]


@pytest.fixture
def conversation():
    """A session with an open document, which is broken."""
    conversation = Conversation()
    conversation.open("[]")
    return conversation


def log_lines(caplog):
    """Return the lines of the server's own log."""
    return [line for record in caplog.records if record.name == "rui_lsp" for line in record.getMessage().splitlines()]


def check_alive(conversation):
    """The server goes on, and has the text of the document."""
    assert conversation.server.documents.find(URI).source == "[]"
    assert conversation.request("textDocument/documentSymbol", DOCUMENT) == []


# Not JSON-RPC, with the id and code of the answer.
MALFORMED = {
    "no JSON": (b"{", None, PARSE_ERROR),
    "no content": (b"", None, PARSE_ERROR),
    "no UTF-8": (b'{"jsonrpc": "2.0", "id": 1, "method": "caf\xe9"}', None, PARSE_ERROR),
    "NaN": (b'{"jsonrpc": "2.0", "id": NaN, "method": "shutdown"}', None, PARSE_ERROR),
    "infinite": (b'{"jsonrpc": "2.0", "id": 1e999, "method": "shutdown"}', None, PARSE_ERROR),
    "too deep": (b"[" * 100_000, None, PARSE_ERROR),
    "two values": (b"{} {}", None, PARSE_ERROR),
    "long number": (b'{"jsonrpc": "2.0", "id": %b, "method": "x"}' % (b"9" * 5000), None, PARSE_ERROR),
    "batch": ([{"jsonrpc": "2.0", "id": 1, "method": "shutdown"}], None, INVALID_REQUEST),
    "empty batch": ([], None, INVALID_REQUEST),
    "string": ("x", None, INVALID_REQUEST),
    "null": (None, None, INVALID_REQUEST),
    "empty": ({}, None, INVALID_REQUEST),
    "no version": ({"id": 8, "method": "shutdown"}, 8, INVALID_REQUEST),
    "version 1.0": ({"jsonrpc": "1.0", "id": "a", "method": "shutdown"}, "a", INVALID_REQUEST),
    "version number": ({"jsonrpc": 2.0, "id": 8, "method": "shutdown"}, 8, INVALID_REQUEST),
    "id null": ({"jsonrpc": "2.0", "id": None, "method": "shutdown"}, None, INVALID_REQUEST),
    "id list": ({"jsonrpc": "2.0", "id": [1], "method": "shutdown"}, None, INVALID_REQUEST),
    "id object": ({"jsonrpc": "2.0", "id": {}, "method": "shutdown"}, None, INVALID_REQUEST),
    "id true": ({"jsonrpc": "2.0", "id": True, "method": "shutdown"}, None, INVALID_REQUEST),
    "method number": ({"jsonrpc": "2.0", "id": 8, "method": 7}, 8, INVALID_REQUEST),
    "method null": ({"jsonrpc": "2.0", "id": 8, "method": None}, 8, INVALID_REQUEST),
    "only a version": ({"jsonrpc": "2.0"}, None, INVALID_REQUEST),
    "unknown": ({"jsonrpc": "2.0", "id": 8, "method": "textDocument/unheardOf"}, 8, METHOD_NOT_FOUND),
    "unknown optional": ({"jsonrpc": "2.0", "id": 8, "method": "$/x", "params": 1}, 8, METHOD_NOT_FOUND),
    "not announced": ({"jsonrpc": "2.0", "id": 8, "method": "textDocument/moniker"}, 8, METHOD_NOT_FOUND),
    "empty method": ({"jsonrpc": "2.0", "id": 8, "method": ""}, 8, METHOD_NOT_FOUND),
    "surrogate": ({"jsonrpc": "2.0", "id": "\ud800", "method": "\ud800"}, "\ud800", METHOD_NOT_FOUND),
    "two lines": ({"jsonrpc": "2.0", "id": 8, "method": "a\nb" + "x" * 9999}, 8, METHOD_NOT_FOUND),
}


@pytest.mark.parametrize(("body", "request_id", "code"), MALFORMED.values(), ids=MALFORMED)
def test_a_malformed_message_is_answered_and_logged_in_one_line(body, request_id, code, conversation, caplog):
    [answer] = feed(conversation, body)
    assert (answer["id"], answer["error"]["code"]) == (request_id, code)
    assert len(log_lines(caplog)) == 1
    assert len(log_lines(caplog)[0]) < 500
    check_alive(conversation)


@pytest.mark.parametrize("request_id", [0, -5, 1.5, 10**20, "", "x", "😀"])
def test_the_id_is_returned_as_it_was_sent(request_id, conversation):
    message = {"jsonrpc": "2.0", "id": request_id, "method": "textDocument/documentSymbol"}
    for params, key in ((DOCUMENT, "result"), ({}, "error")):
        [answer] = feed(conversation, {**message, "params": params})
        assert key in answer
        assert json.dumps(answer["id"]) == json.dumps(request_id)


def test_requests_with_the_same_id_are_all_answered(conversation):
    same = {"id": 4, "method": "textDocument/documentSymbol", "params": DOCUMENT}
    pull = {"id": 4, "method": "textDocument/hover", "params": POSITION}
    assert [answer["id"] for answer in conversation.say(same, pull, same)] == [4, 4, 4]


# Parameters: no answer is lost, and the message names the method and the value.


REFUSED = {
    "no position": ("textDocument/hover", DOCUMENT, "missing: params.position"),
    "no parameters": ("textDocument/hover", None, "params"),
    "a list": ("textDocument/hover", [], "params.textDocument"),
    "a number": ("textDocument/hover", 7, "params"),
    "negative": (
        "textDocument/hover",
        {**DOCUMENT, "position": {"line": -1, "character": 0}},
        "params.position",
    ),
    "huge": ("textDocument/hover", {**DOCUMENT, "position": {"line": 2**31, "character": 0}}, "params.position"),
    "text": ("textDocument/hover", {**DOCUMENT, "position": {"line": "0", "character": 0}}, "position.line"),
    "fraction": ("textDocument/hover", {**DOCUMENT, "position": {"line": 0.5, "character": 0}}, "position.line"),
    "name null": ("textDocument/rename", {**POSITION, "newName": None}, "params.newName"),
    "name number": ("textDocument/rename", {**POSITION, "newName": 7}, "params.newName"),
    "uri null": ("textDocument/documentSymbol", {"textDocument": {"uri": None}}, "params.textDocument.uri"),
    "uri list": ("textDocument/foldingRange", {"textDocument": {"uri": [URI]}}, "params.textDocument.uri"),
    "positions": ("textDocument/selectionRange", {**DOCUMENT, "positions": [START, 5]}, "params.positions[1]"),
    "no context": ("textDocument/references", POSITION, "missing: params.context"),
    "no range": ("textDocument/codeAction", {**DOCUMENT, "context": {"diagnostics": []}}, "missing: params.range"),
    "command": ("workspace/executeCommand", {"command": 5}, "params.command"),
    "no action context": ("textDocument/codeAction", {**DOCUMENT, "range": RANGE}, "missing: params.context"),
    "trigger": ("textDocument/completion", {**POSITION, "context": {"triggerKind": "typed"}}, "context.triggerKind"),
    "results": ("workspace/diagnostic", {"previousResultIds": [{"uri": 1}]}, "params.previousResultIds[0]"),
}


@pytest.mark.parametrize(("method", "params", "names"), REFUSED.values(), ids=REFUSED)
def test_parameters_that_cannot_be_read_are_named(method, params, names, conversation, caplog):
    [answer] = conversation.say({"id": 1, "method": method, "params": params})
    assert answer["error"]["code"] == INVALID_PARAMS
    assert answer["error"]["message"].startswith(f"{method}: ")
    assert names in answer["error"]["message"]
    assert len(log_lines(caplog)) == 1
    check_alive(conversation)


def action(**context):
    return ("textDocument/codeAction", {**DOCUMENT, "range": RANGE, "context": context})


# What clients send that does not matter: the request has its result.
TOLERATED = {
    "foreign tags": action(diagnostics=[{**FOREIGN, "tags": [-1]}]),
    "foreign severity": action(diagnostics=[{**FOREIGN, "severity": 0}]),
    "foreign description": action(diagnostics=[{**FOREIGN, "codeDescription": {}}]),
    "foreign data": action(diagnostics=[{**FOREIGN, "range": None, "data": {"id": 1}}]),
    "no source": action(diagnostics=[{"message": 5}, {"range": RANGE, "message": "x", "severity": 9, "tags": [7]}]),
    "no object": action(diagnostics=["x", None, 7]),
    "diagnostics null": action(diagnostics=None),
    "no diagnostics": action(),
    "trigger": action(diagnostics=[], triggerKind=9),
    "kinds": action(only=[5, "quickfix"]),
    "resolve": ("codeAction/resolve", {"title": "x", "diagnostics": [{**FOREIGN, "tags": [5]}]}),
    "completion": ("textDocument/completion", {**POSITION, "context": {"triggerKind": 77}}),
    "extra": ("textDocument/hover", {**POSITION, "view": {"id": 1}, "id": 9, "jsonrpc": "1.0"}),
    "integer as 1.0": ("textDocument/hover", {**DOCUMENT, "position": {"line": 0.0, "character": 0.0}}),
    "column": ("textDocument/hover", {**DOCUMENT, "position": {"line": 0, "character": 2**31 - 1}}),
    "item kind": ("completionItem/resolve", {"label": "x", "kind": 99, "tags": [9]}),
    "no command": ("textDocument/documentSymbol", {**DOCUMENT, "workDoneToken": None}),
}


@pytest.mark.parametrize(("method", "params"), TOLERATED.values(), ids=TOLERATED)
def test_values_that_do_not_matter_are_tolerated(method, params, conversation, caplog):
    [answer] = conversation.say({"id": 1, "method": method, "params": params})
    assert "result" in answer
    assert log_lines(caplog) == []


def test_foreign_diagnostics_do_not_hide_our_fixes():
    conversation = Conversation()
    conversation.open('{"version": "0.2"}')
    ours = next(message for message in conversation.sent if is_published(message))["params"]["diagnostics"]
    ours = [diagnostic | {"tags": [55]} for diagnostic in ours]
    whole = {"start": START, "end": {"line": 0, "character": 18}}
    for sent in ([], ours, [{**FOREIGN, "tags": [-1]}, *ours]):
        params = {**DOCUMENT, "range": whole, "context": {"diagnostics": sent}}
        actions = conversation.request("textDocument/codeAction", params)
        assert any(action["kind"] == "quickfix" for action in actions)


INITIALIZE = [
    {}, {"capabilities": None}, {"trace": "compact"}, {"initializationOptions": 5}, {"processId": -1},
    {"workspaceFolders": None}, {"workspaceFolders": [{"uri": "file:///a"}, {"uri": "file:///b", "name": ""}]},
    {"capabilities": {"textDocument": {"documentSymbol": {"symbolKind": {"valueSet": [99]}}}}},
    {"capabilities": {"workspace": {"resourceOperations": ["x"], "failureHandling": "x"}}},
    {"capabilities": {"workspace": {"workspaceEdit": {"failureHandling": "x"}}}},
    {"capabilities": {"general": {"positionEncodings": ["utf-7"]}}},
    {"capabilities": {"textDocument": {"completion": {"completionItem": {"tagSupport": {"valueSet": [7] * 200}}}}}},
]  # fmt: skip


@pytest.mark.parametrize("params", INITIALIZE, ids=json.dumps)
def test_initialize_succeeds(params, caplog):
    conversation = Conversation(initialized=False)
    capabilities = conversation.request("initialize", params)["capabilities"]
    assert capabilities["textDocumentSync"]
    assert capabilities["positionEncoding"] == "utf-16"
    assert log_lines(caplog) == []
    conversation.open("[]")
    check_alive(conversation)


def test_members_that_lsp_does_not_have_change_no_other_capability(tmp_path):
    bad = {"symbolKind": {"valueSet": [99]}, "hierarchicalDocumentSymbolSupport": True}
    conversation = Conversation({"textDocument": {"documentSymbol": bad}})
    assert conversation.server.supports("text_document.document_symbol.hierarchical_document_symbol_support")


@pytest.mark.parametrize("capabilities", [{"general": 7}, {"textDocument": {"completion": 7}}, 5], ids=json.dumps)
def test_capabilities_that_cannot_be_read_are_ignored(capabilities, caplog):
    conversation = Conversation(initialized=False)
    assert conversation.request("initialize", {"capabilities": capabilities})["capabilities"]["hoverProvider"]
    assert len(log_lines(caplog)) == 1
    conversation.open("[]")
    check_alive(conversation)


@pytest.mark.parametrize("params", [None, [], 7, {"clientInfo": {}}, {"workspaceFolders": "x"}], ids=json.dumps)
def test_another_initialize_can_follow_one_that_cannot_be_read(params):
    conversation = Conversation(initialized=False)
    assert conversation.request("initialize", params) == INVALID_PARAMS
    assert conversation.request("initialize", {})["capabilities"]
    conversation.open("[]")
    check_alive(conversation)


# Lifecycle


def test_only_initialize_is_served_before_initialize(caplog):
    conversation = Conversation(initialized=False)
    requests = ("textDocument/hover", "shutdown", "textDocument/unheardOf", "workspace/diagnostic", "$/x")
    assert [conversation.request(method, {}) for method in requests] == [NOT_INITIALIZED] * len(requests)
    conversation.open("[]")
    conversation.say({"method": "initialized", "params": {}}, {"method": "$/setTrace", "params": {"value": "off"}})
    assert conversation.request("initialize", {})["capabilities"]
    assert list(conversation.server.documents) == []
    assert "Traceback" not in caplog.text
    conversation.open("[]")
    check_alive(conversation)


def test_a_second_initialize_is_refused_and_changes_nothing(conversation):
    assert conversation.request("initialize", {"capabilities": {}}) == INVALID_REQUEST
    check_alive(conversation)


def test_requests_after_shutdown_are_refused(conversation):
    assert conversation.request("shutdown") is None
    requests = ("shutdown", "initialize", "textDocument/hover", "textDocument/unheardOf")
    assert [conversation.request(method, {}) for method in requests] == [INVALID_REQUEST] * len(requests)
    assert conversation.change("{}", 2) == []
    assert not conversation.server.protocol.ended.is_set()
    conversation.say({"method": "exit"})
    assert conversation.server.protocol.ended.is_set()


def test_unreadable_shutdown_and_exit_are_served(conversation):
    for _ in range(2):
        conversation.say({"id": 70, "method": "shutdown", "params": {"reason": 5}})
    assert [message.get("result", "error") for message in conversation.sent if message.get("id") == 70] == [
        None,
        "error",
    ]
    conversation.say({"method": "exit", "params": [5]})
    assert conversation.server.protocol.ended.is_set()


# Notifications and responses: one line in the log at most


NOTIFICATIONS = {
    "optional": ("$/unheardOf", {"x": 1}, 0),
    "progress": ("$/progress", 5, 0),
    "unknown": ("rui/unheardOf", {"x": 1}, 1),
    "not announced": ("notebookDocument/didChange", {"notebookDocument": {}}, 1),
    "trace": ("$/setTrace", {"value": "compact"}, 0),
    "trace number": ("$/setTrace", 5, 1),
    "cancel": ("$/cancelRequest", {"id": {}}, 1),
    "cancel null": ("$/cancelRequest", None, 1),
    "cancel true": ("$/cancelRequest", {"id": True}, 1),
    "close": ("textDocument/didClose", 7, 1),
    "close another": ("textDocument/didClose", {"textDocument": {"uri": None}}, 1),
    "save": ("textDocument/didSave", {"textDocument": 7}, 1),
    "files": ("workspace/didChangeWatchedFiles", {"changes": [{"uri": 5, "type": 1}]}, 1),
    "file kinds": ("workspace/didChangeWatchedFiles", {"changes": [{"uri": "file:///a", "type": 9}]}, 0),
    "folders": ("workspace/didChangeWorkspaceFolders", {"event": {"added": [{"uri": "file:///x"}], "removed": []}}, 0),
    "folders null": ("workspace/didChangeWorkspaceFolders", {"event": {"added": None, "removed": [5]}}, 1),
    "no folders": ("workspace/didChangeWorkspaceFolders", {"event": None}, 1),
    "settings": ("workspace/didChangeConfiguration", {}, 1),
    "initialized": ("initialized", 5, 0),
    "initialized null": ("initialized", None, 0),
    "no changes": ("textDocument/didChange", {"textDocument": {"uri": URI, "version": 2}, "contentChanges": None}, 1),
    "no text": ("textDocument/didChange", {"textDocument": {"uri": URI}, "contentChanges": [{"range": RANGE}]}, 1),
    "another text": ("textDocument/didOpen", {"textDocument": {"uri": URI, "languageId": "json", "text": 5}}, 1),
}


@pytest.mark.parametrize(("method", "params", "lines"), NOTIFICATIONS.values(), ids=NOTIFICATIONS)
def test_a_notification_that_cannot_be_read_is_logged(method, params, lines, conversation, caplog):
    conversation.say({"method": method, "params": params})
    assert len(log_lines(caplog)) == lines
    check_alive(conversation)


def test_cancelling_an_unknown_request_changes_nothing(conversation):
    assert conversation.say({"method": "$/cancelRequest", "params": {"id": 99}}) == []
    check_alive(conversation)


RESPONSES = [{"result": 5}, {"error": {"code": 1, "message": "x"}}, {"error": 5}, {}, {"result": None, "error": None}]


@pytest.mark.parametrize("response", RESPONSES, ids=json.dumps)
def test_a_response_to_no_request_is_ignored(response, conversation, caplog):
    for request_id in (3, "x", 1.5):
        caplog.clear()
        assert conversation.say({"id": request_id, **response}) == []
        assert len(log_lines(caplog)) == 1
    check_alive(conversation)


@pytest.mark.parametrize("response", [{"result": "x"}, {"result": {}}, {"error": 5}, {"error": {"code": "x"}}, {}])
def test_an_unreadable_response_is_an_error_of_the_request(response, caplog):
    conversation = Conversation()
    future = conversation.server.protocol.send_request(
        types.WINDOW_SHOW_DOCUMENT, types.ShowDocumentParams("file:///a")
    )
    request = conversation.sent[-1]
    conversation.say({"id": request["id"], **response})
    assert future.done()
    if response:
        assert "window/showDocument" in caplog.text
        assert len(log_lines(caplog)) == 1
        assert future.exception() is not None


def test_a_null_error_beside_a_result_is_no_error():
    conversation = Conversation()
    future = conversation.server.protocol.send_request(
        types.WINDOW_SHOW_DOCUMENT, types.ShowDocumentParams("file:///a")
    )
    conversation.say({"id": conversation.sent[-1]["id"], "result": {"success": True}, "error": None})
    assert future.result().success


def test_a_response_does_not_end_a_request_of_the_client():
    conversation = Conversation(REFRESHES, {"diagnostics": {"delay": 10_000}})
    conversation.open("[]")
    conversation.change("{", 2)
    conversation.say({"id": 5, "method": "textDocument/diagnostic", "params": DOCUMENT})
    conversation.say({"id": 5, "result": 7})
    conversation.save()
    [answer] = [message for message in conversation.sent if message.get("id") == 5]
    assert answer["result"]["items"]


# Texts


def test_a_change_of_a_closed_document_is_logged(conversation, caplog):
    conversation.shut()
    conversation.change("{}", 2)
    assert "is not open" in caplog.text
    assert len(log_lines(caplog)) == 1


@pytest.mark.parametrize(("version", "read"), [(None, 0), (3.0, 3), (-5, -5)])
def test_versions(version, read, caplog):
    conversation = Conversation()
    conversation.open("[]", version)
    conversation.change("{}", version)
    assert conversation.server.documents.find(URI).source == "{}"
    assert [message["version"] for message in conversation.received("textDocument/publishDiagnostics")] == [read, read]
    assert log_lines(caplog) == []


def test_pulls_of_what_is_not_open_are_answered(tmp_path, caplog):
    conversation = Conversation(REFRESHES)
    (tmp_path / "folder.rui.json").mkdir()
    (tmp_path / "latin.rui.json").write_bytes(b'{"a": "\xe9"}')
    uris = ["untitled:Untitled-1", "", "x", "file://host/share/a.rui.json", "git:/a.rui.json?%7B", "file:///a%00b",
            "file:///gone.rui.json", "file:///" + "x" * 5000, "file://[", "\ud800"]  # fmt: skip
    for uri in (*uris, (tmp_path / "folder.rui.json").as_uri()):
        report = conversation.request("textDocument/diagnostic", {"textDocument": {"uri": uri}})
        assert (report["kind"], report["items"]) == ("full", []), uri
        again = {"textDocument": {"uri": uri}, "previousResultId": report["resultId"]}
        assert conversation.request("textDocument/diagnostic", again)["kind"] == "unchanged"
    latin = {"textDocument": {"uri": (tmp_path / "latin.rui.json").as_uri()}}
    assert conversation.request("textDocument/diagnostic", latin)["items"]
    assert "Traceback" not in caplog.text


def test_a_fault_in_a_pull_gives_an_empty_report(tmp_path, monkeypatch, caplog):
    (tmp_path / "closed.rui.json").write_text("{")
    conversation = Conversation(REFRESHES, rootUri=tmp_path.as_uri())
    conversation.open("[]")
    closed = {"textDocument": {"uri": (tmp_path / "closed.rui.json").as_uri()}}

    def fail(*_: object) -> None:
        raise ZeroDivisionError("one of those days")

    monkeypatch.setattr(Analysis, "diagnostics", property(fail))
    for params in (DOCUMENT, closed):
        assert conversation.request("textDocument/diagnostic", params)["items"] == []
    reports = conversation.request("workspace/diagnostic", {"previousResultIds": []})["items"]
    assert [report["items"] for report in reports] == [[], []]
    assert caplog.text.count("ZeroDivisionError: one of those days") == 4
    monkeypatch.undo()
    for params in (DOCUMENT, closed):
        assert conversation.request("textDocument/diagnostic", params)["items"]


# Headers


HOVER = {"jsonrpc": "2.0", "id": 901, "method": "textDocument/documentSymbol", "params": DOCUMENT}
BODY = json.dumps(HOVER).encode()
HEADERS = [
    "content-length: {}\r\n", "CONTENT-LENGTH: {}\r\n", "Content-Length:{}\r\n", "Content-Length :  {}  \r\n",
    "Content-Length: {}\n", "Content-Length:\t0{}\r\n",
    "Content-Type: application/vscode-jsonrpc; charset=utf8\r\nContent-Length: {}\r\n",
    "Content-Length: {}\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\n",
    "content-length:{}\r\ncontent-type:x\r\n", "X-Odd\r\nContent-Length: {}\r\n",
    ": :\r\n\xff\r\nContent-Length: {}\r\n",
    "X-" + "y" * 100_000 + ": z\r\nContent-Length: {}\r\n", "\r\n\r\nContent-Length: {}\r\n",
]  # fmt: skip


@pytest.mark.parametrize("header", HEADERS, ids=lambda header: repr(header[:60]))
def test_headers_may_be_spelled_in_any_way(header, conversation, caplog):
    end = b"\n" if header.endswith("}\n") else b"\r\n"
    conversation.feed(header.format(len(BODY)).encode("latin-1") + end + BODY)
    assert [message["result"] for message in conversation.sent if message.get("id") == 901] == [[]]
    assert log_lines(caplog) == []


NO_LENGTH = [
    "Content-Length: x", "Content-Length:", "Content-Length: -5", "Content-Length: 1e3", "Content-Length: 0x10",
    "Content-Type: x", "garbage", "Content-Length: 5 bytes", "Length: 5", "{",
]  # fmt: skip


@pytest.mark.parametrize("header", NO_LENGTH)
def test_a_message_without_a_length_is_skipped_and_logged_in_one_line(header, conversation, caplog):
    conversation.feed(f"{header}\r\n\r\n".encode() + BODY + frame(HOVER | {"id": 902}))
    answered = [message["id"] for message in conversation.sent if message.get("id") in (901, 902)]
    assert answered == [902]
    assert len(log_lines(caplog)) == 1
    check_alive(conversation)


def test_an_input_that_ends_within_a_message_is_logged(conversation, caplog):
    conversation.feed(frame(HOVER)[:-5])
    assert "the input ends after" in caplog.text
    conversation.feed(b"Content-Length: 7\r\n")
    LOOP.run_until_complete(conversation.server.pauses.wait(URI))
    check_alive(conversation)
