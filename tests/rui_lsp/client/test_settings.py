"""Settings of the client: sources, effects, and invalid values."""

from dataclasses import fields

import pytest

from rui_common.vocabulary.rules import MESSAGES, RULES, WARNINGS
from rui_lsp.client.settings import LEVELS, SERVER_URL, SETTINGS, Settings
from tests.rui_lsp.conversation import URI, Conversation
from tests.rui_lsp.lsp_client import PUBLISH
from tests.rui_lsp.marked import DOCUMENT

ASKABLE = {"workspace": {"configuration": True, "didChangeConfiguration": {"dynamicRegistration": True}}}
ORPHAN = "ORPHAN_PAGE"


class Editor(Conversation):
    """A client that answers requests for its settings."""

    def __init__(self, capabilities=None, options=None, folders=()):
        super().__init__(capabilities, options, workspaceFolders=[{"uri": uri, "name": uri} for uri in folders])
        self.say({"method": "initialized", "params": {}})

    def asked(self, method):
        """Return the last request of the server with this method."""
        return [message for message in self.sent if message.get("method") == method and "id" in message][-1]

    def answer(self, *settings):
        """Answer the last request for settings."""
        return self.say({"id": self.asked("workspace/configuration")["id"], "result": settings})

    def changed(self, settings=None):
        return self.say({"method": "workspace/didChangeConfiguration", "params": {"settings": settings}})

    def levels(self, uri=URI):
        """Return code → severity of the diagnostics published last."""
        self.settle()
        last = [m for m in self.sent if m.get("method") == PUBLISH and m["params"]["uri"] == uri][-1]
        return {item["code"]: item["severity"] for item in last["params"]["diagnostics"]}


def severity(**levels):
    return {"rui": {"diagnostics": {"severity": levels}}}


@pytest.mark.parametrize(
    ("layers", "expected"),
    [
        ((), {}),
        ((None, [], 5, "x", {"rui": 5}), {}),
        (({"rui": {"server": {"url": "https://a.org/"}}},), {"server_url": "https://a.org"}),
        (({"rui": {"server.url": "https://a.org"}},), {"server_url": "https://a.org"}),
        (({"rui": None}, {"rui.server.url": "http://a"}), {"server_url": "http://a"}),
        (({"rui.server.url": "http://b"}, {"rui.server.url": "http://a"}), {"server_url": "http://b"}),
        (({"rui.openapi": " api.yaml "},), {"openapi": "api.yaml"}),
        ((severity(ORPHAN_PAGE="warning", r7b="Off", duplicate_key="hint"),),
         {"severities": {"ORPHAN_PAGE": 2, "R7B": 0, "DUPLICATE_KEY": 4}}),
        ((severity(R1=None),), {}),
    ],
)  # fmt: skip
def test_settings_are_read(layers, expected):
    settings = Settings.parse(*layers)
    usual = {name: setting.default for name, setting in SETTINGS.items()}
    assert {name: getattr(settings, name) for name in SETTINGS} == {**usual, **expected}
    assert settings.messages == []


def test_each_field_is_declared_once():
    assert {field.name for field in fields(Settings)} == {*SETTINGS, "messages"}
    chosen = Settings.parse(severity(R1="off"), {"rui.openapi": "a.yaml"})
    assert chosen != Settings.parse({"rui.openapi": "a.yaml"}) == chosen.with_default_severities()
    assert hash(chosen) == hash(Settings.parse({"rui.openapi": "a.yaml"}, severity(R1="off")))


def test_a_configured_service_has_documentation():
    assert Settings.parse({"rui.server.url": SERVER_URL}).docs_url == ""
    assert Settings.parse({"rui.server.url": "https://kim:secret@a.org/x"}).docs_url == "https://a.org/x/docs"


@pytest.mark.parametrize(
    ("given", "error_message"),
    [
        ({"rui.server.url": 5}, "rui.server.url: expected a URL such as http"),
        ({"rui.openapi": 5}, "rui.openapi: expected the path of a file"),
        ({"rui": {"server": {"url": "localhost:8000"}}}, "not 'localhost:8000'"),
        ({"rui.server.url": "ftp://kim:secret@a.org"}, "not 'ftp://***@a.org'"),
        ({"rui.diagnostics.severity": "off"}, "expected an object such as"),
        (severity(ORFAN_PAGE="off"), "unknown rule or code 'ORFAN_PAGE' (did you mean ORPHAN_PAGE?)"),
        (severity(ORPHAN_PAGE="fatal"), "ORPHAN_PAGE: expected one of off, error, warning"),
        (severity(ORPHAN_PAGE=2), "not 2"),
    ],
)
def test_an_invalid_value_is_replaced_by_the_default_and_reported_once(given, error_message):
    settings = Settings.parse(given)
    assert settings == Settings.parse()
    [message] = settings.messages
    assert error_message in message
    assert message.endswith("; the default is used.")
    editor = Editor(options=given)
    assert editor.shown() == [message]
    editor.changed(given)
    assert editor.shown() == [message]


def test_every_code_and_every_rule_has_a_severity():
    for name in [*MESSAGES, *WARNINGS, *RULES]:
        for word, number in LEVELS.items():
            assert Settings.parse(severity(**{name: word})).severities == {name.upper(): number}


def test_the_number_of_a_rule_has_precedence_over_a_code():
    editor = Editor(options=severity(ORPHAN_PAGE="hint", R11="information"))
    editor.open(DOCUMENT)
    assert editor.levels()[ORPHAN] == LEVELS["information"]


def test_the_server_requests_settings():
    editor = Editor(ASKABLE, severity(ORPHAN_PAGE="hint"))
    registered = editor.asked("client/registerCapability")["params"]["registrations"]
    assert [item["method"] for item in registered] == ["workspace/didChangeConfiguration"]
    editor.open(DOCUMENT)
    assert editor.levels()[ORPHAN] == LEVELS["hint"]
    assert editor.asked("workspace/configuration")["params"] == {"items": [{"section": "rui"}]}
    editor.answer({"diagnostics": {"severity": {ORPHAN: "warning"}}})
    assert editor.levels()[ORPHAN] == LEVELS["warning"]
    # The notification of a change has no settings, so the server requests them.
    editor.changed()
    editor.answer(None)
    assert editor.levels()[ORPHAN] == LEVELS["hint"]


def test_a_client_that_cannot_be_asked_sends_them():
    editor = Editor()
    editor.open(DOCUMENT)
    editor.changed(severity(ORPHAN_PAGE="off"))
    assert ORPHAN not in editor.levels()
    for nothing in (None, {}, {"python": {}}, 5):
        editor.changed(nothing)
        assert ORPHAN not in editor.levels()
    editor.changed({"rui": {}})
    assert editor.levels()[ORPHAN] == LEVELS["error"]


def test_each_folder_has_its_own():
    folders = ["file:///w/one", "file:///w/one/inner/", "file:///w/onetwo"]
    editor = Editor(ASKABLE, folders=folders)
    assert editor.asked("workspace/configuration")["params"]["items"] == [
        {"section": "rui"}, *({"scopeUri": uri, "section": "rui"} for uri in folders)
    ]  # fmt: skip
    names = ["w/a", "w/one/a", "w/one/inner/a", "w/onetwo/a"]
    for name in names:
        editor.open(DOCUMENT, uri=f"file:///{name}")
    each = [{"diagnostics": {"severity": {ORPHAN: level}}} for level in ("hint", "warning", "information", "hint")]
    editor.answer(*each)
    assert [editor.levels(f"file:///{name}")[ORPHAN] for name in names] == [4, 2, 3, 4]
