"""The order of a session. No message of a client and no internal error ends it. Runs without a process."""

import random

import pytest

from rui_common.validation.analysis import Analysis
from tests.inputs.sample import sample_text
from tests.rui_lsp.conversation import LOOP, REFRESHES, URI, Conversation
from tests.rui_lsp.sessions import notified, odd_sessions

CANCELLED, SERVER_CANCELLED, INTERNAL_ERROR = -32800, -32802, -32603


def pull(number):
    return {"id": number, "method": "textDocument/diagnostic", "params": {"textDocument": {"uri": URI}}}


def session(delay=0, capabilities=None):
    """A session with an open document and a pause before diagnostics."""
    conversation = Conversation(capabilities, {"diagnostics": {"delay": delay}})
    conversation.open("[]")
    assert conversation.published() == ([] if capabilities else [(URI, 1, 1)])
    return conversation


def responses(conversation):
    """Return the code of the error of each response, or "result", by its id."""
    found = [message for message in conversation.sent if "id" in message and "method" not in message]
    return {message["id"]: message.get("error", {}).get("code", "result") for message in found}


def check_alive(conversation):
    """The server still handles documents."""
    conversation.published()
    conversation.open("[]", 7, "file:///alive.rui.json")
    assert ("file:///alive.rui.json", 7, 1) in conversation.published()


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
def test_random_edits_have_the_text_and_diagnostics_of_a_fresh_reading(encoding):
    for indent in (2, None):
        chance = random.Random(f"{encoding} {indent}")
        assert notified(chance, encoding, sample_text(2000, indent=indent), 80) > 20


def test_odd_edits_have_the_text_of_a_model():
    odd_sessions(random.Random(1), 300)


# Diagnostics after a pause


def test_diagnostics_are_published_at_once_after_open_and_save_and_else_after_a_pause():
    conversation = session(10_000)
    conversation.change("{", 2)
    conversation.change("{}", 3)
    assert conversation.published() == []
    conversation.save()
    assert [version for _, version, _ in conversation.published()] == [3]
    conversation.change("{", 4)
    [cleared] = conversation.shut()
    assert cleared["params"] == {"uri": URI, "diagnostics": []}


def test_diagnostics_are_published_once_after_several_edits():
    conversation = session(1_000)
    for version in range(2, 5):
        conversation.change("{", version)
    LOOP.run_until_complete(conversation.server.pauses.wait(URI))
    assert [version for _, version, _ in conversation.published()] == [4]


def test_requested_diagnostics_wait_for_a_pause_or_a_save():
    conversation = session(10_000, REFRESHES)
    conversation.say(pull(1))
    assert responses(conversation)[1] == "result"
    conversation.change("{", 2)
    conversation.say(pull(2))
    conversation.change("{}", 3)
    assert 2 not in responses(conversation)
    conversation.save()
    assert responses(conversation)[2] == "result"
    assert "Missing required property" in str(conversation.sent[-1])


def test_a_later_request_for_diagnostics_replaces_an_earlier_one():
    conversation = session(10_000, REFRESHES)
    conversation.change("{", 2)
    conversation.say(pull(11), pull(12))
    assert {11, 12} & set(responses(conversation)) == {11}
    error = conversation.sent[-1]["error"]
    assert (error["code"], error["data"]) == (SERVER_CANCELLED, {"retriggerRequest": False})
    conversation.say({"method": "$/cancelRequest", "params": {"id": 12}})
    assert responses(conversation)[12] == CANCELLED
    conversation.say(pull(13))
    conversation.shut()
    assert conversation.sent[-1] | {"result": None} == {"id": 13, "jsonrpc": "2.0", "result": None}
    assert conversation.sent[-1]["result"]["items"] == []


def test_a_client_that_cannot_refresh_is_pushed_diagnostics():
    conversation = Conversation({"textDocument": {"diagnostic": {}}})
    assert "diagnosticProvider" not in conversation.capabilities
    conversation.open("[]")
    assert conversation.published() == [(URI, 1, 1)]


# Faults


def fail(*_):
    raise ZeroDivisionError("one of those days")


def test_a_fault_in_diagnostics_is_logged(monkeypatch, caplog):
    conversation = Conversation()
    with monkeypatch.context() as patched:
        patched.setattr(Analysis, "diagnostics", property(fail))
        conversation.open("[]")
    assert conversation.published() == []
    assert "ZeroDivisionError: one of those days" in caplog.text
    conversation.change("[]", 2)
    assert conversation.published() == [(URI, 2, 1)]


def test_a_fault_in_a_request_is_logged_and_answered(caplog):
    conversation = Conversation()
    conversation.server.feature("rui/test")(lambda ls, params: fail())
    assert conversation.request("rui/test", {}) == INTERNAL_ERROR
    assert "Traceback" in caplog.text
    check_alive(conversation)
