"""Requests: their handlers, their order, and the version of the text that they use."""

import asyncio

import pytest
from pygls.exceptions import JsonRpcInvalidParams, JsonRpcMethodNotFound, JsonRpcRequestCancelled

from benchmarks import answers
from rui_lsp.protocol.errors import RequestFailedError
from tests.rui_lsp.conversation import URI, Conversation, alive, changed, closed

INVALID_PARAMS, METHOD_NOT_FOUND = JsonRpcInvalidParams.CODE, JsonRpcMethodNotFound.CODE
REQUEST_CANCELLED = JsonRpcRequestCancelled.CODE

# Requests of pygls


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


# Requests in time


def asking(*, initialized=True):
    """A server with `rui/echo` (returns the text), `rui/refuse` and `rui/fail`, and the list of echoes."""
    conversation = Conversation(initialized=initialized)
    computed = []

    def echo(ls, params):
        computed.append(params)
        return ls.workspace.get(params.textDocument).source

    def refuse(ls, params):
        raise RequestFailedError("not today")

    def fail(ls, params):
        raise ZeroDivisionError("one of those days")

    for name, handler in (("echo", echo), ("refuse", refuse), ("fail", fail)):
        conversation.server.feature(f"rui/{name}")(handler)
    return conversation, computed


def echo(number, uri=URI):
    return {"id": number, "method": "rui/echo", "params": {"textDocument": {"uri": uri}}}


def cancel(number):
    return {"method": "$/cancelRequest", "params": {"id": number}}


def test_a_document_that_is_not_open_is_refused():
    conversation, _ = asking()
    assert conversation.request("rui/echo", {"textDocument": {"uri": URI}}) == INVALID_PARAMS
    for params in ({}, {"textDocument": {"uri": 5}}, None, [1]):
        assert conversation.request("textDocument/foldingRange", params) == INVALID_PARAMS


def test_what_cannot_be_served_is_refused_with_a_reason():
    conversation, _ = asking()
    [answer] = conversation.answers({"id": 5, "method": "rui/refuse", "params": {}})
    assert answer["error"] == {"code": -32803, "message": "not today"}


def test_a_fault_of_a_feature_is_noted_answered_and_survived(caplog):
    conversation, _ = asking()
    [answer] = conversation.answers({"id": 5, "method": "rui/fail", "params": {}})
    assert answer["error"]["code"] == -32603
    assert "data" not in answer["error"]
    assert "ZeroDivisionError: one of those days" in caplog.text
    assert alive(conversation)


def test_a_request_cancelled_before_its_turn_is_not_computed():
    conversation, computed = asking()
    conversation.open("[]")
    before = len(conversation.sent)
    conversation.say(echo(1), echo(2), cancel(1), cancel("x"), cancel(99), cancel([1]))
    codes = {message["id"]: message.get("error", {}).get("code") for message in conversation.sent[before:]}
    assert codes == {1: REQUEST_CANCELLED, 2: None}
    assert len(computed) == 1


def test_a_request_that_has_begun_can_be_cancelled():
    conversation = Conversation()
    ended = []

    async def wait(ls, params):
        try:
            await asyncio.sleep(3600)
        finally:
            ended.append(params)

    conversation.server.feature("rui/wait")(wait)
    assert conversation.answers({"id": 7, "method": "rui/wait", "params": {}}) == []
    [answer] = conversation.answers(cancel(7))
    assert answer["error"]["code"] == REQUEST_CANCELLED
    assert len(ended) == 1


def test_a_request_is_about_the_text_that_was_there_when_it_came():
    conversation, _ = asking()
    conversation.open("[1]")
    change = {"method": "textDocument/didChange", "params": changed("[2]", 2)}
    answers = conversation.answers(echo(1), change, echo(2), closed(), echo(3))
    assert [(answer["id"], answer.get("result")) for answer in answers] == [(1, "[1]"), (2, "[2]"), (3, None)]
    assert answers[-1]["error"]["code"] == -32801


def test_a_request_cancelled_behind_a_change_is_not_computed():
    conversation, computed = asking()
    conversation.open("[1]")
    conversation.answers(echo(1), {"method": "textDocument/didChange", "params": changed("[2]", 2)}, cancel(1))
    assert computed == []


def test_shutdown_answers_what_waits():
    conversation, _ = asking()
    answers = conversation.answers(echo(1), {"id": 2, "method": "shutdown"})
    assert [answer["id"] for answer in answers] == [1, 2]


def test_every_request_is_timed_or_exempt():
    answers.check_complete()
