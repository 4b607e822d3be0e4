"""The order of a session, and that nothing a client sends, and no fault of ours, ends it. Without a process."""

import json

import pytest

import rui_lsp.analysis
from rui_lsp import features
from rui_lsp.errors import (
    INVALID_PARAMS,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    PARSE_ERROR,
    REQUEST_CANCELLED,
    SERVER_NOT_INITIALIZED,
    LspError,
)
from rui_lsp.server import make_server
from rui_lsp.session import Session
from rui_lsp.workspace import Workspace
from tests.lsp.client import frame
from tests.lsp.test_lsp_frames import raw

URI = "file:///a.rui.json"


class Conversation:
    """A session, what it sends, and a client that says what a test wants said."""

    def __init__(self, *, initialized: bool = True) -> None:
        self.sent: list[dict] = []
        self.session = Session()
        self.session.send = self._take
        self._number = 0
        if initialized:
            self.request("initialize", {"capabilities": {}})

    def _take(self, data: bytes) -> None:
        header, _, body = data.partition(b"\r\n\r\n")
        assert header.startswith(b"Content-Length: %d" % len(body))
        self.sent.append(json.loads(body))

    def say(self, *messages: dict) -> list[dict]:
        """Send messages at once; return what is sent back before there is time to work."""
        before = len(self.sent)
        self.session.feed(b"".join(frame({"jsonrpc": "2.0", **message}) for message in messages))
        return self.sent[before:]

    def request(self, method: str, params: object = None) -> object:
        """Send a request; return its result or the code of its error."""
        self._number += 1
        [answer] = self.answers({"id": self._number, "method": method, "params": params})
        assert answer["id"] == self._number
        return answer["result"] if "result" in answer else answer["error"]["code"]

    def answers(self, *messages: dict) -> list[dict]:
        """Send messages at once; return what is sent back when there was time to work, notifications left out."""
        before = len(self.sent)
        self.say(*messages)
        while self.session.has_work:
            self.session.work()
        return [message for message in self.sent[before:] if "id" in message]

    def open(self, text: str, version: int = 1, uri: str = URI) -> list[dict]:
        return self.say({"method": "textDocument/didOpen", "params": opened(text, version, uri)})

    def change(self, text: str, version: int, uri: str = URI) -> list[dict]:
        return self.say({"method": "textDocument/didChange", "params": changed(text, version, uri)})

    def close(self, uri: str = URI) -> list[dict]:
        return self.say({"method": "textDocument/didClose", "params": {"textDocument": {"uri": uri}}})

    def published(self) -> list[tuple[str, int | None, int]]:
        """Work until there is nothing to do; return (address, version, number of diagnostics) of what is published."""
        before = len(self.sent)
        while self.session.has_work:
            self.session.work()
        return [
            (message["params"]["uri"], message["params"].get("version"), len(message["params"]["diagnostics"]))
            for message in self.sent[before:]
        ]


def opened(text, version=1, uri=URI):
    return {"textDocument": {"uri": uri, "languageId": "rui-json", "version": version, "text": text}}


def changed(text, version, uri=URI):
    return {"textDocument": {"uri": uri, "version": version}, "contentChanges": [{"text": text}]}


def alive(conversation: Conversation) -> bool:
    """Whether documents are still served."""
    conversation.open("[]", 7, "file:///alive.rui.json")
    return ("file:///alive.rui.json", 7, 1) in conversation.published()


# Order


def test_no_request_is_served_before_initialize_and_no_notification():
    conversation = Conversation(initialized=False)
    assert conversation.request("shutdown") == SERVER_NOT_INITIALIZED
    assert conversation.request("textDocument/hover", {}) == SERVER_NOT_INITIALIZED
    assert conversation.open("[]") == []
    assert conversation.published() == []
    assert conversation.request("initialize", {"capabilities": {}})["serverInfo"] == {"name": "rui"}
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
    assert conversation.request("shutdown") is None
    assert conversation.published() == []
    assert conversation.request("shutdown") == INVALID_REQUEST
    assert conversation.request("initialize", {"capabilities": {}}) == INVALID_REQUEST
    assert conversation.change("{}", 2) == conversation.close() == conversation.published() == []
    assert conversation.session.exit_code is None
    assert conversation.say({"method": "exit"}) == []
    assert conversation.session.exit_code == 0
    assert conversation.say({"id": 9, "method": "shutdown"}) == []


@pytest.mark.parametrize("initialized", [False, True])
def test_exit_without_shutdown_is_a_failure(initialized):
    conversation = Conversation(initialized=initialized)
    conversation.say({"method": "exit"})
    assert conversation.session.exit_code == 1


@pytest.mark.parametrize(("shut_down", "code"), [(True, 0), (False, 1)])
def test_the_end_of_input_is_an_exit(shut_down, code):
    conversation = Conversation()
    if shut_down:
        conversation.request("shutdown")
    conversation.session.end_of_input()
    assert conversation.session.exit_code == code


# What was agreed


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
    conversation.open("[]", 1, "file:///1")
    conversation.open("[]", 1, "file:///2")
    conversation.change("{", 2, "file:///1")
    assert [uri for uri, _, _ in conversation.published()] == ["file:///1", "file:///2"]


def test_a_document_closed_before_its_turn_is_only_cleared():
    conversation = Conversation()
    conversation.open("{")
    [cleared] = conversation.close()
    assert cleared["params"] == {"uri": URI, "diagnostics": []}
    assert conversation.published() == []


def test_a_document_closed_and_opened_again_is_new():
    conversation = Conversation()
    conversation.open("[]", 5)
    conversation.close()
    conversation.open("{", 1)
    [(_, version, number)] = conversation.published()
    assert (version, number > 0) == (1, True)


def test_saving_changes_nothing():
    conversation = Conversation()
    conversation.open("[]")
    conversation.published()
    assert conversation.say({"method": "textDocument/didSave", "params": {"textDocument": {"uri": URI}}}) == []
    assert conversation.published() == []


# What should not be


def test_versions_out_of_order_are_noted_and_the_change_counts(caplog):
    conversation = Conversation()
    conversation.open("[]", 5)
    conversation.change("{", 3)
    assert conversation.published()[0][1] == 3
    assert "version 3 follows version 5" in caplog.text


def test_what_is_not_open_is_not_changed_or_closed(caplog):
    conversation = Conversation()
    assert conversation.change("{", 2) == conversation.close() == conversation.published() == []
    assert caplog.text.count(f"{URI}, which is not open") == 2
    assert alive(conversation)


def test_opening_twice_takes_the_new_text(caplog):
    conversation = Conversation()
    conversation.open("{", 1)
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
    assert str(conversation.session._workspace.documents[URI].text) == "[]"
    assert alive(conversation)


@pytest.mark.parametrize(
    ("data", "request_id", "code"),
    [
        (raw(b"{"), None, PARSE_ERROR),
        (b"garbage\r\n\r\n", None, PARSE_ERROR),
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
    conversation.session.feed(data)
    [answer] = conversation.sent
    assert (answer["id"], answer["error"]["code"]) == (request_id, code)
    assert alive(conversation)


def test_an_answer_to_nothing_asked_is_only_noted(caplog):
    conversation = Conversation()
    assert conversation.say({"id": 3, "result": 5}) == []
    assert "nothing asked" in caplog.text


def test_a_fault_of_ours_is_noted_and_survived(monkeypatch, caplog):
    diagnose = rui_lsp.analysis.diagnose

    def faulty(document, findings):
        if document.text == "fault":
            raise ZeroDivisionError("one of those days")
        return diagnose(document, findings)

    monkeypatch.setattr(rui_lsp.analysis, "diagnose", faulty)
    conversation = Conversation()
    conversation.open("fault")
    assert conversation.published() == []
    assert "ZeroDivisionError: one of those days" in caplog.text
    conversation.change("[]", 2)
    assert conversation.published() == [(URI, 2, 1)]


def test_a_fault_of_ours_in_a_request_is_answered_without_a_traceback(monkeypatch, caplog):
    def faulty(self):
        raise ZeroDivisionError("one of those days")

    monkeypatch.setattr(Session, "_load_pygls", faulty)
    conversation = Conversation()
    [answer] = conversation.answers({"id": 5, "method": "textDocument/hover", "params": {}})
    assert answer["error"] == {"code": -32603, "message": "Internal fault: ZeroDivisionError: one of those days"}
    assert "Traceback" in caplog.text
    assert alive(conversation)


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
        ("workspace/executeCommand", {"command": "rui.unheardOf"}, INVALID_PARAMS),
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
    assert conversation.say({"method": "$/setTrace", "params": {"value": "verbose"}}) == []
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
        return document and str(document.text)

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


def test_a_document_that_is_not_open_has_no_answer(asked):
    conversation = Conversation()
    assert conversation.request("rui/echo", {"textDocument": {"uri": URI}}) is None
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
    messages = [echo(1), echo(2), cancel(1), cancel("x"), cancel(99), cancel([1])]
    if not together:
        for message in messages[:-1]:
            conversation.say(message)
    answers = conversation.answers(*(messages if together else messages[-1:]))
    found = {message["id"]: message.get("error", {}).get("code") for message in conversation.sent[1:]}
    assert answers[-1]["id"] == 2
    assert found == {1: REQUEST_CANCELLED, 2: None}
    assert len(asked) == 1


def test_a_request_is_about_the_text_that_was_there_when_it_came(asked):
    conversation = Conversation()
    conversation.open("[1]")
    change = {"method": "textDocument/didChange", "params": changed("[2]", 2)}
    close = {"method": "textDocument/didClose", "params": {"textDocument": {"uri": URI}}}
    answers = conversation.answers(echo(1), change, echo(2), close, echo(3))
    assert [(answer["id"], answer["result"]) for answer in answers] == [(1, "[1]"), (2, "[2]"), (3, None)]


def test_a_request_cancelled_behind_a_change_is_not_computed(asked):
    conversation = Conversation()
    conversation.open("[1]")
    conversation.answers(echo(1), {"method": "textDocument/didChange", "params": changed("[2]", 2)}, cancel(1))
    assert asked == []


def test_shutdown_answers_what_waits(asked):
    answers = Conversation().answers(echo(1), {"id": 2, "method": "shutdown"})
    assert [answer["id"] for answer in answers] == [1, 2]
