"""The order of a session. No message of a client and no internal error ends it. Runs without a process."""

import pytest
from pygls.exceptions import JsonRpcContentModified, JsonRpcMethodNotFound

import rui_lsp.documents.document
from tests.rui_lsp.conversation import LOOP, NO_PAUSE, REFRESHES, URI, Conversation, alive, changed

CANCELLED, SERVER_CANCELLED, INTERNAL_ERROR = -32800, -32802, -32603


def pull(number, uri=URI):
    return {"id": number, "method": "textDocument/diagnostic", "params": {"textDocument": {"uri": uri}}}


def session(delay, capabilities=None):
    """A session with an open document and a pause before diagnostics."""
    conversation = Conversation(initialized=False)
    params = {"capabilities": capabilities or {}, "initializationOptions": {"diagnostics": {"delay": delay}}}
    conversation.request("initialize", params)
    conversation.open("[]")
    return conversation


def responses(conversation):
    """Return the code of the error of each response, or "result", by its id."""
    found = [message for message in conversation.sent if "id" in message and "method" not in message]
    return {message["id"]: message.get("error", {}).get("code", "result") for message in found}


# Order


def test_requests_before_initialize_are_errors():
    conversation = Conversation(initialized=False)
    params = {"textDocument": {"uri": URI}, "position": {"line": 0, "character": 0}}
    assert conversation.request("textDocument/hover", params) == INTERNAL_ERROR
    conversation.open("[]")
    assert conversation.request("initialize", {"capabilities": {}, "initializationOptions": NO_PAUSE})["capabilities"]
    assert alive(conversation)


def test_after_shutdown_there_is_only_exit():
    conversation = Conversation()
    conversation.open("[]")
    conversation.published()
    assert conversation.request("shutdown") is None
    assert conversation.server.is_shut_down
    assert conversation.change("{}", 2) == conversation.shut() == conversation.published() == []
    with pytest.raises(SystemExit) as end:
        conversation.say({"method": "exit"})
    assert end.value.code == 0


@pytest.mark.parametrize(
    ("capabilities", "encoding"),
    [
        ({}, "utf-16"),
        ({"general": {"positionEncodings": []}}, "utf-16"),
        ({"general": {"positionEncodings": ["utf-8", "utf-16"]}}, "utf-8"),
        ({"general": {"positionEncodings": ["utf-32", "utf-8"]}}, "utf-32"),
    ],
)
def test_the_first_known_encoding_of_the_client_is_used(capabilities, encoding):
    conversation = Conversation(initialized=False)
    answer = conversation.request("initialize", {"capabilities": capabilities})
    assert answer["capabilities"]["positionEncoding"] == encoding


# Diagnostics after a pause


def test_diagnostics_are_published_at_once_after_open_and_save_and_else_after_a_pause():
    conversation = session(10_000)
    assert [version for _, version, _ in conversation.published()] == [1]
    conversation.change("{", 2)
    conversation.change("{}", 3)
    assert conversation.published() == []
    conversation.say({"method": "textDocument/didSave", "params": {"textDocument": {"uri": URI}}})
    assert [version for _, version, _ in conversation.published()] == [3]


def test_diagnostics_are_published_once_after_several_edits():
    conversation = session(1_000)
    conversation.published()
    for version in range(2, 5):
        conversation.change("{", version)
    LOOP.run_until_complete(conversation.server.pauses.wait(URI))
    assert [version for _, version, _ in conversation.published()] == [4]


def test_a_closed_document_has_no_pause():
    conversation = session(10_000)
    conversation.change("{", 2)
    [cleared] = conversation.shut()
    assert cleared["params"] == {"uri": URI, "diagnostics": []}


def test_requested_diagnostics_wait_for_a_pause_or_a_save():
    conversation = session(10_000, REFRESHES)
    conversation.say(pull(1))
    assert responses(conversation)[1] == "result"
    conversation.change("{", 2)
    conversation.say(pull(2))
    conversation.change("{}", 3)
    assert 2 not in responses(conversation)
    conversation.say({"method": "textDocument/didSave", "params": {"textDocument": {"uri": URI}}})
    assert responses(conversation)[2] == "result"
    assert "Missing required property" in str(conversation.sent[-1])


def test_a_later_request_for_diagnostics_replaces_an_earlier_one():
    conversation = session(10_000, REFRESHES)
    conversation.change("{", 2)
    conversation.say(pull(1), pull(2))
    assert {1, 2} & set(responses(conversation)) == {1}
    answer = conversation.sent[-1]
    assert answer["error"]["code"] == SERVER_CANCELLED
    assert answer["error"]["data"] == {"retriggerRequest": False}
    conversation.say({"method": "$/cancelRequest", "params": {"id": 2}})
    assert responses(conversation)[2] == CANCELLED
    conversation.say(pull(3))
    conversation.shut()
    assert responses(conversation)[3] == JsonRpcContentModified.CODE


def test_a_client_that_cannot_refresh_is_pushed_diagnostics():
    conversation = Conversation(initialized=False)
    capabilities = {"textDocument": {"diagnostic": {}}}
    answer = conversation.request("initialize", {"capabilities": capabilities})
    assert "diagnosticProvider" not in answer["capabilities"]
    conversation.open("[]")
    assert conversation.published() == [(URI, 1, 1)]


# Invalid messages: an error or a line in the log


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("textDocument/didOpen", None),
        ("textDocument/didOpen", {"textDocument": {"uri": URI}}),
        ("textDocument/didChange", {}),
        ("textDocument/didChange", {"textDocument": {"uri": URI, "version": 2}, "contentChanges": ["x"]}),
        ("textDocument/didChange", changed("{", 2, "file:///not-open.rui.json")),
        ("textDocument/didClose", 7),
        ("textDocument/hover", {"textDocument": 5}),
        ("$/setTrace", 5),
    ],
)
def test_wrong_parameters_are_logged_and_change_nothing(method, params, caplog):
    conversation = Conversation()
    conversation.open("[]")
    conversation.published()
    assert conversation.say({"method": method, "params": params}) == []
    assert conversation.published() == []
    assert caplog.text
    assert conversation.server.documents.find(URI).source == "[]"
    assert alive(conversation)


@pytest.mark.parametrize(
    "body",
    [
        b"{", b"\xff\xfe", b'"x"', b"[]", b"{}", b"[" * 100_000,
        b'{"jsonrpc": "2.0", "id": 90, "method": 7}',
        b'{"jsonrpc": "2.0", "id": {}, "method": "shutdown"}',
        b'{"jsonrpc": "1.0", "id": 1, "method": "shutdown"}',
        b'{"jsonrpc": "2.0", "id": 3, "result": 5}',
    ],
)  # fmt: skip
def test_malformed_messages_are_logged_or_answered(body, caplog):
    conversation = Conversation()
    conversation.sent.clear()
    conversation.feed(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
    assert caplog.text or conversation.sent
    assert alive(conversation)


def test_unknown_requests_are_errors():
    conversation = Conversation()
    params = {"textDocument": {"uri": URI}, "position": {"line": 0, "character": 0}}
    for method in ("textDocument/declaration", "rui/unheardOf", "$/unheardOf"):
        assert conversation.request(method, params) == JsonRpcMethodNotFound.CODE


# Faults, refusals and cancellation


def test_a_fault_in_diagnostics_is_logged(monkeypatch, caplog):
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


def test_a_fault_in_a_request_is_logged_and_answered(caplog):
    def fail(ls, params):
        raise ZeroDivisionError("one of those days")

    conversation = Conversation()
    conversation.server.feature("rui/test")(fail)
    assert conversation.request("rui/test", {}) == INTERNAL_ERROR
    assert "Traceback" in caplog.text
    assert alive(conversation)
