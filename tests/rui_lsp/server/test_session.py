"""Order of a session; no message of a client and no internal error ends it. Runs without a process."""

import pytest
from lsprotocol import types
from pygls.exceptions import (
    JsonRpcContentModified,
    JsonRpcException,
    JsonRpcInvalidParams,
    JsonRpcInvalidRequest,
    JsonRpcParseError,
    JsonRpcServerNotInitialized,
)

import rui_lsp.documents.document
from rui_common.version import TOOL_VERSION
from rui_lsp.documents import workspace
from tests.rui_lsp.conversation import URI, Conversation, alive, changed, closed, opened
from tests.rui_lsp.runtime.test_reader import raw

INVALID_PARAMS, INVALID_REQUEST = JsonRpcInvalidParams.CODE, JsonRpcInvalidRequest.CODE
CONTENT_MODIFIED, PARSE_ERROR = JsonRpcContentModified.CODE, JsonRpcParseError.CODE
SERVER_NOT_INITIALIZED = JsonRpcServerNotInitialized.CODE

# Order


def test_no_request_is_served_before_initialize_and_no_notification():
    conversation = Conversation(initialized=False)
    assert conversation.request("shutdown") == SERVER_NOT_INITIALIZED
    assert conversation.request("textDocument/hover", {}) == SERVER_NOT_INITIALIZED
    assert conversation.open("[]") == []
    assert conversation.published() == []
    info = conversation.request("initialize", {"capabilities": {}})["serverInfo"]
    assert info == {"name": "rui", "version": TOOL_VERSION}
    assert alive(conversation)


def test_a_second_initialize_is_refused():
    assert Conversation().request("initialize", {"capabilities": {}}) == INVALID_REQUEST


@pytest.mark.parametrize("params", [None, [], "x"])
def test_initialize_needs_parameters(params):
    conversation = Conversation(initialized=False)
    assert conversation.request("initialize", params) == INVALID_PARAMS
    assert conversation.request("initialize", {"capabilities": {}})["capabilities"]


def test_after_shutdown_there_is_only_exit():
    conversation = Conversation()
    conversation.open("[]")
    conversation.published()
    assert conversation.request("shutdown") is None
    assert conversation.published() == []
    assert conversation.request("shutdown") == INVALID_REQUEST
    assert conversation.request("initialize", {"capabilities": {}}) == INVALID_REQUEST
    assert conversation.change("{}", 2) == conversation.shut() == conversation.published() == []
    assert conversation.exit_code is None
    assert conversation.say({"method": "exit"}) == []
    assert conversation.exit_code == 0


@pytest.mark.parametrize("initialized", [False, True])
def test_exit_without_shutdown_is_a_failure(initialized):
    conversation = Conversation(initialized=initialized)
    conversation.say({"method": "exit"})
    assert conversation.exit_code == 1


# Negotiation


@pytest.mark.parametrize(
    ("capabilities", "encoding"),
    [
        ({}, "utf-16"),
        ({"general": {}}, "utf-16"),
        ({"general": {"positionEncodings": []}}, "utf-16"),
        ({"general": {"positionEncodings": ["utf-8", "utf-16"]}}, "utf-8"),
        ({"general": {"positionEncodings": ["utf-7", "utf-32", "utf-8"]}}, "utf-32"),
        ({"general": {"positionEncodings": ["ebcdic", 8, None]}}, "utf-16"),
        ({"general": {"positionEncodings": "utf-8"}}, "utf-16"),
        ({"general": None}, "utf-16"),
        (None, "utf-16"),
    ],
)
def test_the_first_known_encoding_of_the_client_is_taken(capabilities, encoding):
    conversation = Conversation(initialized=False)
    answer = conversation.request("initialize", {"capabilities": capabilities})
    assert answer["capabilities"]["positionEncoding"] == encoding


# Newest text only


def test_a_burst_of_changes_is_read_once_as_it_is_at_last():
    conversation = Conversation()
    burst = [{"method": "textDocument/didChange", "params": changed("[" * number, number)} for number in range(2, 22)]
    assert conversation.say({"method": "textDocument/didOpen", "params": opened("[]")}, *burst) == []
    [(uri, version, _)] = conversation.published()
    assert (uri, version) == (URI, 21)
    assert conversation.published() == []


def test_documents_wait_in_turn():
    conversation = Conversation()
    conversation.say(
        {"method": "textDocument/didOpen", "params": opened("[]", 1, "file:///1")},
        {"method": "textDocument/didOpen", "params": opened("[]", 1, "file:///2")},
        {"method": "textDocument/didChange", "params": changed("{", 2, "file:///1")},
    )
    assert [uri for uri, _, _ in conversation.published()] == ["file:///1", "file:///2"]


def test_a_document_closed_before_its_turn_is_only_cleared():
    conversation = Conversation()
    [cleared] = conversation.say({"method": "textDocument/didOpen", "params": opened("{")}, closed())
    assert cleared["params"] == {"uri": URI, "diagnostics": []}
    assert conversation.published() == []


def test_a_document_closed_and_opened_again_is_new():
    conversation = Conversation()
    conversation.open("[]", 5)
    conversation.shut()
    conversation.published()
    conversation.open("{", 1)
    [(_, version, number)] = conversation.published()
    assert (version, number > 0) == (1, True)


def test_saving_changes_nothing():
    conversation = Conversation()
    conversation.open("[]")
    conversation.published()
    assert conversation.say({"method": "textDocument/didSave", "params": {"textDocument": {"uri": URI}}}) == []
    assert conversation.published() == []


# Invalid messages


def test_versions_out_of_order_are_noted_and_the_change_counts(caplog):
    conversation = Conversation()
    conversation.open("[]", 5)
    conversation.published()
    conversation.change("{", 3)
    assert conversation.published()[0][1] == 3
    assert "version 3 follows version 5" in caplog.text
    conversation.change("[", 3)
    assert "version 3 follows version 3" in caplog.text


def test_what_is_not_open_is_not_changed_or_closed(caplog):
    conversation = Conversation()
    assert conversation.change("{", 2) == conversation.shut() == conversation.published() == []
    assert caplog.text.count(f"{URI}, which is not open") == 2
    assert alive(conversation)


def test_of_closed_documents_only_the_last_ones_are_known(monkeypatch):
    monkeypatch.setattr(workspace, "MAX_CLOSED", 2)
    documents = workspace.RuiWorkspace()
    for name in ("a", "b", "c", "b", "d"):
        documents.put_text_document(types.TextDocumentItem(name, "rui-json", 1, "{}"))
        documents.remove_text_document(name)
    codes = {}
    for name in "abcd":
        with pytest.raises(JsonRpcException) as refusal:
            documents.get(types.TextDocumentIdentifier(name))
        codes[name] = refusal.value.code
    assert codes == {"a": INVALID_PARAMS, "b": CONTENT_MODIFIED, "c": INVALID_PARAMS, "d": CONTENT_MODIFIED}


def test_opening_twice_takes_the_new_text(caplog):
    conversation = Conversation()
    conversation.open("{", 1)
    conversation.published()
    conversation.open("[]", 2)
    assert conversation.published() == [(URI, 2, 1)]
    assert "a second time" in caplog.text


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("textDocument/didOpen", None),
        ("textDocument/didOpen", [1]),
        ("textDocument/didOpen", {"textDocument": {"uri": 5, "text": "[]"}}),
        ("textDocument/didOpen", {"textDocument": {"uri": URI}}),
        ("textDocument/didChange", {}),
        ("textDocument/didChange", {"textDocument": {"uri": URI, "version": 2}}),
        ("textDocument/didChange", {"textDocument": {"uri": URI, "version": 2}, "contentChanges": {}}),
        ("textDocument/didChange", {"textDocument": {"uri": URI, "version": 2}, "contentChanges": ["x"]}),
        ("textDocument/didChange", {"textDocument": {"uri": URI, "version": 2}, "contentChanges": [{"text": None}]}),
        (
            "textDocument/didChange",
            {
                "textDocument": {"uri": URI, "version": 2},
                "contentChanges": [{"text": "{"}, {"text": "", "range": {"start": {"line": 0}, "end": {}}}],
            },
        ),
        (
            "textDocument/didChange",
            {
                "textDocument": {"uri": URI, "version": 2},
                "contentChanges": [
                    {
                        "text": "",
                        "range": {"start": {"line": 0, "character": True}, "end": {"line": 0, "character": 1.5}},
                    }
                ],
            },
        ),
        ("textDocument/didClose", {"textDocument": None}),
        ("textDocument/didClose", 7),
    ],
)
def test_malformed_notifications_change_nothing_and_are_noted(method, params, caplog):
    conversation = Conversation()
    conversation.open("[]")
    conversation.published()
    assert conversation.say({"method": method, "params": params}) == []
    assert conversation.published() == []
    assert method in caplog.text
    assert conversation.workspace.find(URI).source == "[]"
    assert alive(conversation)


@pytest.mark.parametrize(
    ("data", "request_id", "code"),
    [
        (raw(b"{"), None, PARSE_ERROR),
        (b"garbage\r\n\r\n", None, PARSE_ERROR),
        (raw(b"\xff\xfe{\0}\0"), None, INVALID_REQUEST),
        (raw(b"[]"), None, INVALID_REQUEST),
        (raw(b"null"), None, INVALID_REQUEST),
        (raw(b'{"id": 4, "method": "shutdown"}'), 4, INVALID_REQUEST),
        (raw(b'{"jsonrpc": "1.0", "id": "x", "method": "shutdown"}'), "x", INVALID_REQUEST),
        (raw(b'{"jsonrpc": "2.0"}'), None, INVALID_REQUEST),
        (raw(b'{"jsonrpc": "2.0", "id": 4, "method": 5}'), 4, INVALID_REQUEST),
        (raw(b'{"jsonrpc": "2.0", "id": [4], "method": "shutdown"}'), None, INVALID_REQUEST),
        (raw(b'{"jsonrpc": "2.0", "id": null, "method": "textDocument/hover"}'), None, INVALID_REQUEST),
    ],
)
def test_what_is_no_request_is_answered_with_an_error(data, request_id, code):
    conversation = Conversation()
    conversation.sent.clear()
    conversation.feed(data)
    [answer] = conversation.sent
    assert (answer["id"], answer["error"]["code"]) == (request_id, code)
    assert alive(conversation)


def test_an_answer_to_nothing_asked_is_only_noted(caplog):
    conversation = Conversation()
    assert conversation.say({"id": 3, "result": 5}) == []
    assert "unknown request 3" in caplog.text


def test_a_fault_of_ours_is_noted_and_survived(monkeypatch, caplog):
    diagnose = rui_lsp.documents.document.diagnose

    def faulty(document):
        if document.text == "fault":
            raise ZeroDivisionError("one of those days")
        return diagnose(document)

    monkeypatch.setattr(rui_lsp.documents.document, "diagnose", faulty)
    conversation = Conversation()
    conversation.open("fault")
    assert conversation.published() == []
    assert "ZeroDivisionError: one of those days" in caplog.text
    conversation.change("[]", 2)
    assert conversation.published() == [(URI, 2, 1)]


def test_a_fault_of_ours_in_a_request_is_answered_without_a_traceback(monkeypatch, caplog):
    def faulty(params):
        raise ZeroDivisionError("one of those days")

    conversation = Conversation()
    conversation.server.protocol.fm.features["textDocument/hover"] = faulty
    params = {"textDocument": {"uri": URI}, "position": {"line": 0, "character": 0}}
    [answer] = conversation.answers({"id": 5, "method": "textDocument/hover", "params": params})
    assert answer["error"] == {"code": -32603, "message": "ZeroDivisionError: one of those days"}
    assert "Traceback" in caplog.text
    assert alive(conversation)


def test_what_is_malformed_in_initialize_is_left_out():
    conversation = Conversation(initialized=False)
    capabilities = {"workspace": {"applyEdit": "yes"}, "textDocument": 5, "window": {"workDoneProgress": True}}
    assert conversation.request("initialize", {"capabilities": capabilities, "trace": "loud", "rootUri": 5, "x": 1})
    assert conversation.server.supports("window.work_done_progress")
    assert not conversation.server.supports("text_document.hover")
    assert conversation.workspace.folder_uris == []
    assert alive(conversation)
