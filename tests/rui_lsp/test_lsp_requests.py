"""Requests: who answers them, when, and about which text."""

import pytest

from rui_lsp import features
from rui_lsp.documents.workspace import Workspace
from rui_lsp.protocol.errors import (
    INVALID_PARAMS,
    METHOD_NOT_FOUND,
    REQUEST_CANCELLED,
    LspError,
)
from rui_lsp.runtime.server import make_server
from tests.rui_lsp.conversation import URI, Conversation, alive, changed

# What pygls serves


@pytest.mark.parametrize(
    ("method", "params", "code"),
    [
        (
            "textDocument/declaration",
            {"textDocument": {"uri": URI}, "position": {"line": 0, "character": 0}},
            METHOD_NOT_FOUND,
        ),
        ("textDocument/hover", {"textDocument": 5}, INVALID_PARAMS),
        ("rui/unheardOf", None, METHOD_NOT_FOUND),
        ("$/unheardOf", [1], METHOD_NOT_FOUND),
    ],
)
def test_requests_that_nobody_serves_are_refused(method, params, code):
    conversation = Conversation()
    conversation.say({"method": "initialized", "params": {}}, {"method": "$/cancelRequest", "params": {"id": 1}})
    assert conversation.request(method, params) == code
    assert conversation.request(method, params) == code
    assert alive(conversation)


def test_notifications_that_nobody_knows_are_ignored():
    conversation = Conversation()
    unheard_of = {"method": "rui/unheardOf", "params": {"a": {"jsonrpc": "2.0"}}}
    assert conversation.say(*[unheard_of] * 200) == []
    assert conversation.say({"method": "$/setTrace", "params": {"value": "off"}}) == []
    assert conversation.say({"method": "$/setTrace", "params": 5}) == []
    assert alive(conversation)


def test_what_is_announced_is_what_is_served():
    announced = Conversation(initialized=False).request("initialize", {"capabilities": {}})["capabilities"]
    served = make_server(Workspace()).protocol
    params = {"processId": None, "rootUri": None, "capabilities": {}}
    served.handle_message(
        served.structure_message({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params})
    )
    theirs = served._converter.unstructure(served.server_capabilities)
    # pygls has the one in any case, the others when it knows their options.
    either_way = {"executeCommandProvider", "semanticTokensProvider", "documentOnTypeFormattingProvider", "workspace"}
    assert announced.keys() - either_way == theirs.keys() - either_way
    assert all(announced[name] == value for name, value in features.capabilities().items())


# Requests in time


@pytest.fixture
def asked(monkeypatch):
    """Serves `rui/echo` (answered with the text of the document), `rui/refuse` and `rui/fail`; every echo computed."""
    computed = []

    def echo(workspace, params):
        computed.append(params)
        document = workspace.document_of(params)
        return str(document.text)

    def refuse(workspace, params):
        raise LspError("not today")

    def fail(workspace, params):
        raise ZeroDivisionError("one of those days")

    served = {"rui/echo": echo, "rui/refuse": refuse, "rui/fail": fail}
    monkeypatch.setattr(features, "handlers", lambda: served)
    return computed


def echo(number, uri=URI):
    return {"id": number, "method": "rui/echo", "params": {"textDocument": {"uri": uri}}}


def cancel(number):
    return {"method": "$/cancelRequest", "params": {"id": number}}


def test_features_take_and_give_plain_data(asked):
    conversation = Conversation()
    conversation.open("[]")
    assert conversation.request("rui/echo", {"textDocument": {"uri": URI}, "x": [1]}) == "[]"
    assert asked == [{"textDocument": {"uri": URI}, "x": [1]}]


def test_a_document_that_is_not_open_is_refused(asked):
    conversation = Conversation()
    assert conversation.request("rui/echo", {"textDocument": {"uri": URI}}) == INVALID_PARAMS
    assert conversation.request("rui/echo", {}) == INVALID_PARAMS
    assert conversation.request("rui/echo", {"textDocument": {"uri": 5}}) == INVALID_PARAMS


def test_what_cannot_be_served_is_refused_with_a_reason(asked):
    [answer] = Conversation().answers({"id": 5, "method": "rui/refuse", "params": {}})
    assert answer["error"] == {"code": -32803, "message": "not today"}


def test_a_fault_of_a_feature_is_noted_answered_and_survived(asked, caplog):
    conversation = Conversation()
    [answer] = conversation.answers({"id": 5, "method": "rui/fail", "params": {}})
    assert answer["error"]["code"] == -32603
    assert "data" not in answer["error"]
    assert "ZeroDivisionError: one of those days" in caplog.text
    assert alive(conversation)


@pytest.mark.parametrize("together", [True, False])
def test_a_request_cancelled_before_its_turn_is_not_computed(asked, together):
    conversation = Conversation()
    conversation.open("[]")
    told = len(conversation.sent)
    messages = [echo(1), echo(2), cancel(1), cancel("x"), cancel(99), cancel([1])]
    if not together:
        for message in messages[:-1]:
            conversation.say(message)
    answers = conversation.answers(*(messages if together else messages[-1:]))
    found = {
        message["id"]: message.get("error", {}).get("code") for message in conversation.sent[told:] if "id" in message
    }
    assert answers[-1]["id"] == 2
    assert found == {1: REQUEST_CANCELLED, 2: None}
    assert len(asked) == 1


def test_a_request_is_about_the_text_that_was_there_when_it_came(asked):
    conversation = Conversation()
    conversation.open("[1]")
    change = {"method": "textDocument/didChange", "params": changed("[2]", 2)}
    close = {"method": "textDocument/didClose", "params": {"textDocument": {"uri": URI}}}
    answers = conversation.answers(echo(1), change, echo(2), close, echo(3))
    assert [(answer["id"], answer.get("result")) for answer in answers] == [(1, "[1]"), (2, "[2]"), (3, None)]
    assert answers[-1]["error"]["code"] == -32801


def test_a_request_cancelled_behind_a_change_is_not_computed(asked):
    conversation = Conversation()
    conversation.open("[1]")
    conversation.answers(echo(1), {"method": "textDocument/didChange", "params": changed("[2]", 2)}, cancel(1))
    assert asked == []


def test_shutdown_answers_what_waits(asked):
    answers = Conversation().answers(echo(1), {"id": 2, "method": "shutdown"})
    assert [answer["id"] for answer in answers] == [1, 2]
