"""ClientSettings of the client: sources, effects, and invalid values."""

import pytest

from rui_lsp.session.settings import LEVELS, SERVER_URL, SETTINGS, ClientSettings
from tests.rui_lsp.conversation import URI, Conversation
from tests.rui_lsp.lsp_client import PUBLISH
from tests.rui_lsp.marked import DOCUMENT

ASKABLE = {"workspace": {"configuration": True, "didChangeConfiguration": {"dynamicRegistration": True}}}
ORPHAN = "ORPHAN_PAGE"


def editor_of(capabilities=None, options=None, folders=(), settings=()):
    """Return a client that responds to requests for its settings."""
    named = [{"uri": uri, "name": uri} for uri in folders]
    editor = Conversation(capabilities, options, workspaceFolders=named)
    editor.results = {"workspace/configuration": [*settings], "client/registerCapability": None}
    editor.say({"method": "initialized", "params": {}})
    return editor


def change(editor, settings=None):
    editor.say({"method": "workspace/didChangeConfiguration", "params": {"settings": settings}})


def level(editor, uri=URI):
    """Return the severity of the error in `DOCUMENT` as it is published last; None if it is off."""
    editor.settle()
    last = [params for params in editor.received(PUBLISH) if params["uri"] == uri][-1]
    return {item["code"]: item["severity"] for item in last["diagnostics"]}.get(ORPHAN)


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
    settings = ClientSettings.parse(*layers)
    usual = {name: setting.default for name, setting in SETTINGS.items()}
    assert {name: getattr(settings, name) for name in SETTINGS} == {**usual, **expected}
    assert settings.messages == []


def test_a_configured_service_has_documentation():
    assert ClientSettings.parse({"rui.server.url": SERVER_URL}).docs_url == ""
    assert ClientSettings.parse({"rui.server.url": "https://kim:secret@a.org/x"}).docs_url == "https://a.org/x/docs"


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
    settings = ClientSettings.parse(given)
    assert settings == ClientSettings.parse()
    [message] = settings.messages
    assert error_message in message
    assert message.endswith("; the default is used.")
    editor = editor_of(options=given)
    assert editor.shown() == [message]
    change(editor, given)
    assert editor.shown() == [message]


def test_the_number_of_a_rule_has_precedence_over_a_code():
    editor = editor_of(options=severity(ORPHAN_PAGE="hint", R11="information"))
    editor.open(DOCUMENT)
    assert level(editor) == LEVELS["information"]


def test_the_server_requests_settings():
    editor = editor_of(ASKABLE, severity(ORPHAN_PAGE="hint"), settings=severity(ORPHAN_PAGE="warning").values())
    [registered] = editor.received("client/registerCapability")
    assert [item["method"] for item in registered["registrations"]] == ["workspace/didChangeConfiguration"]
    assert editor.received("workspace/configuration") == [{"items": [{"section": "rui"}]}]
    editor.open(DOCUMENT)
    assert level(editor) == LEVELS["warning"]
    # The notification of a change has no settings, so the server requests them.
    editor.results["workspace/configuration"] = [None]
    change(editor)
    assert level(editor) == LEVELS["hint"]


def test_a_client_that_cannot_be_asked_sends_them():
    editor = editor_of()
    editor.open(DOCUMENT)
    change(editor, severity(ORPHAN_PAGE="off"))
    assert level(editor) is None
    for nothing in (None, {}, {"python": {}}, 5):
        change(editor, nothing)
        assert level(editor) is None
    change(editor, {"rui": {}})
    assert level(editor) == LEVELS["error"]


def test_each_folder_has_its_own():
    folders = ["file:///w/one", "file:///w/one/inner/", "file:///w/onetwo"]
    each = [{"diagnostics": {"severity": {ORPHAN: name}}} for name in ("hint", "warning", "information", "hint")]
    editor = editor_of(ASKABLE, folders=folders, settings=each)
    [requested] = editor.received("workspace/configuration")
    assert requested["items"] == [{"section": "rui"}, *({"scopeUri": uri, "section": "rui"} for uri in folders)]
    uris = [f"file:///w/{name}" for name in ("a", "one/a", "one/inner/a", "onetwo/a")]
    for uri in uris:
        editor.open(DOCUMENT, uri=uri)
    assert [level(editor, uri) for uri in uris] == [4, 2, 3, 4]
