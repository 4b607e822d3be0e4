"""Bindings and an OpenAPI description in the language server: diagnostics, fixes, completion, hover, definition."""

import itertools
import json

import pytest

from rui_lsp.session import apis
from tests.rui_api.live import wait_until
from tests.rui_lsp.conversation import Conversation
from tests.rui_lsp.lsp_client import PUBLISH, Client
from tests.rui_lsp.marked import CURSOR, opened
from tests.rui_openapi.shop import SHOP, as_json, metric, table

TOML = '[api]\nopenapi = "openapi.yaml"\n'
CAPABILITIES = {
    "textDocument": {
        "completion": {"completionItem": {"snippetSupport": True}},
        "hover": {"contentFormat": ["markdown"]},
        "definition": {"linkSupport": True},
    },
    "workspace": {"didChangeWatchedFiles": {"dynamicRegistration": True}},
}
SHOW = "window/showMessage"
NUMBERS = itertools.count()


class Project:
    """A folder with a description and `rui.toml`, in the workspace of a client that is pushed diagnostics."""

    def __init__(self, client, folder, toml=TOML):
        self.client, self.folder = client, folder
        self.folder.mkdir(exist_ok=True)
        self.write("openapi.yaml", SHOP)
        self.write("rui.toml", toml)

    def uri(self, name="a.rui.json"):
        return (self.folder / name).as_uri()

    def write(self, name, text):
        """Write a file, and report it as a client that watches it does."""
        (self.folder / name).write_text(text)
        self.client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": self.uri(name), "type": 2}]})

    def open(self, text, name="a.rui.json"):
        """Open a document, or replace its text."""
        self.client.close(self.uri(name))
        self.text, self.cursor = text.replace(CURSOR, ""), text.find(CURSOR)
        self.client.open(self.uri(name), self.text)

    def ask(self, method):
        before = self.text[: self.cursor]
        position = {"line": before.count("\n"), "character": len(before) - before.rfind("\n") - 1}
        return self.client.request(method, {"textDocument": {"uri": self.uri()}, "position": position})

    def published(self, *codes, name="a.rui.json"):
        """Wait for diagnostics with exactly these codes; return them."""

        uri = self.uri(name)
        found = self.client.wait_for(lambda message: is_about(message, uri) and codes_of(message) == [*codes])
        self.client.received = [message for message in self.client.received if not is_about(message, uri)]
        return found["params"]["diagnostics"]

    def shown(self, part):
        """Wait for a message to the author that contains a text; return it."""
        found = self.client.wait_for(
            lambda message: message.get("method") == SHOW and part in message["params"]["message"]
        )
        return found["params"]["message"]

    def fixes(self, diagnostics):
        """Return title → text after the fix."""
        params = {
            "textDocument": {"uri": self.uri()}, "range": diagnostics[0]["range"],
            "context": {"diagnostics": diagnostics, "only": ["quickfix"]},
        }  # fmt: skip
        actions = self.client.request("textDocument/codeAction", params)
        return {
            action["title"]: opened(self.text).with_edits(*action["edit"]["changes"].values()) for action in actions
        }


@pytest.fixture(scope="module")
def workspace(tmp_path_factory):
    """One server; each test has a folder in its workspace."""
    folder = tmp_path_factory.mktemp("workspace")
    with Client(capabilities=CAPABILITIES, root=folder) as client:
        yield client, folder


@pytest.fixture
def project(workspace):
    client, folder = workspace
    client.received.clear()
    project = Project(client, folder / str(next(NUMBERS)))
    yield project
    for name in ("a.rui.json", "b.rui.json"):
        client.close(project.uri(name))


def test_differences_are_warnings(project):
    project.open(table("/orders", "items", "stats"))
    (item,) = project.published("UNKNOWN_FIELD")
    assert (item["severity"], item["source"]) == (2, "rui")
    assert 'Did you mean "status"?' in item["message"]
    page = project.client.run("rui.preview", {"uri": project.uri(), "stylesheet": "a.css"})
    assert "The rows of GET /orders have no" in page["html"]
    project.write("rui.toml", TOML + "strict = true\n")
    (item,) = project.published("UNKNOWN_FIELD")
    assert item["severity"] == 1


def test_the_preview_shows_what_the_description_states(project):
    text = metric("/summary", "data.open")
    project.open(text)
    project.published()

    def preview():
        return project.client.run("rui.preview", {"uri": project.uri(), "stylesheet": "a.css"})["html"]

    wait_until(lambda: "1 of 1 binding is in the description" in preview(), "the description")
    assert "a number · no example" in preview()
    project.write("openapi.yaml", SHOP.replace("open: {type: integer}", "open: {type: integer, example: 1284}"))
    wait_until(lambda: "1284" in preview(), "the example")
    assert "GET /summary" in preview() and "a number · example" in preview()
    project.write("rui.toml", "[api]\nopenapi = false\n")
    wait_until(lambda: "1284" not in preview(), "the placeholder")
    assert "in the description" not in preview()


# Document → the code of its warning, the titles of fixes and what the text contains after each.
FIXES = {
    "a misspelt path": (table("/oders", "items"), "UNKNOWN_PATH", {'Use "/orders"': '"path": "/orders"'}),
    "a misspelt value path": (table("/orders", "itms"), "UNKNOWN_VALUE_PATH", {'Use "items"': '"valuePath": "items"'}),
    "an object": (
        metric("/summary", "data"), "NOT_SCALAR",
        {'Use "data.open"': '"data.open"', 'Use "data.label"': '"data.label"'},
    ),
    "no value path": (table("/orders", None), "NOT_LIST", {'Add "valuePath": "items"': '"valuePath": "items"'}),
    "an option": (
        table("/orders", "items", "status", filter={"field": "status", "options": [{"value": "zzz"}]}),
        "UNKNOWN_OPTION", {'Use "open"': '"value": "open"', 'Use "shipped"': '"value": "shipped"'},
    ),
    "a type": (
        table("/orders", "items", {"key": "status", "type": "number"}), "WRONG_FORM",
        {'Use "string"': '"type": "string"'},
    ),
    "a column and its filter": (
        table("/orders", "items", "id", "stats", filter={"field": "stats"}), "UNKNOWN_FIELD",
        {'Rename to "status"': '"field": "status"'},
    ),
}  # fmt: skip


@pytest.mark.parametrize(("text", "code", "expected"), FIXES.values(), ids=FIXES)
def test_every_warning_has_fixes(text, code, expected, project):
    project.open(text)
    found = project.fixes(project.published(code))
    for title, part in expected.items():
        assert part in found[title]
        json.loads(found[title])


PATH = table(f"/or{CURSOR}ders", "items", "stats")
VALUE_PATH = table("/orders", f"it{CURSOR}ems", "stats")
KEY = table("/orders", "items", f"sta{CURSOR}tus", "stats")
"""Documents with a warning, which shows that the description of the folder is read."""

HOVERS = {
    PATH: ["**GET /orders**: List orders", "Response: an object with `items`", "ReadBinding.path"],
    VALUE_PATH: ["**items**: a list; each element is an object with `id`, `status`"],
    KEY: ["**status**: a string: `open`, `shipped`"],
}


def test_completion_and_hover_describe_the_api(project):
    project.open(PATH)
    project.published("UNKNOWN_FIELD")
    for text, expected in HOVERS.items():
        project.open(text)
        shown = project.ask("textDocument/hover")["contents"]["value"]
        assert [part for part in expected if part not in shown] == []
    project.open(table(CURSOR, "items"))
    found = project.ask("textDocument/completion")
    items = found["items"] if isinstance(found, dict) else found  # an incomplete list while files are read
    item = next(item for item in items if item["label"] == "/orders/{id}")
    assert item["textEdit"]["newText"] == '"/orders/${1:{id\\}}"'


@pytest.mark.parametrize("file", ["openapi.yaml", "openapi.json"])
def test_definitions_are_in_the_description(file, project):
    content = SHOP if file.endswith("yaml") else json.dumps(json.loads(as_json(SHOP)), indent=2)
    project.write(file, content)
    project.write("rui.toml", f'[api]\nopenapi = "{file}"\n')
    project.open(PATH)
    project.published("UNKNOWN_FIELD")
    for text, name in {PATH: "get", VALUE_PATH: "items", KEY: "status"}.items():
        project.open(text)
        (link,) = project.ask("textDocument/definition")
        assert link["targetUri"] == project.uri(file)
        selection = link["targetSelectionRange"]
        line = content.split("\n")[selection["start"]["line"]]
        assert line[selection["start"]["character"] : selection["end"]["character"]].strip('"') == name


def test_a_changed_description_rechecks_documents(project):
    project.open(table("/orders", "items", "id"))
    project.open(table("/sales", "items", "id"), "b.rui.json")
    project.published("UNKNOWN_PATH", name="b.rui.json")
    project.write("openapi.yaml", SHOP.replace("/orders", "/sales"))
    project.published("UNKNOWN_PATH")
    project.published(name="b.rui.json")
    # Also if the client does not watch the file.
    (project.folder / "openapi.yaml").write_text(SHOP)
    project.published()


def test_a_changed_rui_toml_applies(project):
    project.write("rui.toml", "")
    project.open(table("/oders", "items", "id"))
    project.published()
    project.write("rui.toml", TOML)
    project.published("UNKNOWN_PATH")
    project.write("rui.toml", "[api]\nopenap = 1\n")
    assert "`api.openap` is unknown (did you mean openapi?)." in project.shown("rui.toml: `api.openap`")
    project.published()


def is_about(message, uri):
    return message.get("method") == PUBLISH and message["params"]["uri"] == uri


def codes_of(message):
    return [diagnostic["code"] for diagnostic in message["params"]["diagnostics"]]


@pytest.mark.parametrize("capabilities", [{}, CAPABILITIES], ids=["watches nothing", "watches"])
def test_a_rui_toml_that_the_client_does_not_report_applies_when_a_document_is_saved_or_opened(capabilities, tmp_path):
    (tmp_path / "openapi.yaml").write_text(SHOP)
    with Client(capabilities=capabilities, root=tmp_path) as client:
        first, second = ((tmp_path / f"{name}.rui.json").as_uri() for name in ("first", "second"))

        def check(act, *codes):
            client.received.clear()
            act()
            client.wait_for(lambda message: is_about(message, first) and codes_of(message) == [*codes])

        def save():
            client.notify("textDocument/didSave", {"textDocument": {"uri": first}})

        check(lambda: client.open(first, table("/oders", "items", "id")))
        toml = tmp_path / "rui.toml"
        toml.write_text(TOML)
        check(save, "UNKNOWN_PATH")
        toml.unlink()
        check(save)
        toml.write_text(TOML)
        check(lambda: client.open(second, table("/orders", "items", "id")), "UNKNOWN_PATH")


def test_the_setting_names_a_description_for_open_and_closed_documents(tmp_path):
    (tmp_path / "closed.rui.json").write_text(metric("/summary", "data"))
    options = {"rui": {"openapi": "openapi.yaml"}}
    with Client(capabilities=CAPABILITIES, options=options, root=tmp_path) as client:
        registration = client.wait_for(lambda message: message.get("method") == "client/registerCapability")
        watchers = registration["params"]["registrations"][0]["registerOptions"]["watchers"]
        assert [watcher["globPattern"] for watcher in watchers] == ["**/*.rui.json", "**/rui.toml"]
        project = Project(client, tmp_path, '[api]\nopenapi = "missing.yaml"\n')
        project.open(table("/oders", "items", "id"))
        project.published("NOT_SCALAR", name="closed.rui.json")
        project.published("UNKNOWN_PATH")
        client.configure(openapi="")
        project.published()
        assert "cannot read" in project.shown("missing.yaml")


def test_a_description_on_another_computer_is_reported(project):
    """It is not read: on Windows, that would send the author's credentials there."""
    project.write("rui.toml", '[api]\nopenapi = "//server/share/openapi.yaml"\n')
    project.open(table("/oders", "items", "id"))
    assert project.shown("on another computer").startswith("Bindings are not compared with an API: //server/share/")


def test_a_bad_description_is_reported_once(project):
    project.write("openapi.yaml", "openapi: [")
    for name in ("b.rui.json", "a.rui.json"):
        project.open(table("/oders", "items", "id"), name)
    shown = project.shown("openapi.yaml: line 2, column 1")
    assert shown.startswith("Bindings are not compared with an API: cannot ") and "\n" not in shown
    project.client.change(project.uri(), 2, "{")
    project.published("INVALID_JSON")
    assert [message["params"]["message"] for message in project.client.received if message.get("method") == SHOW] == [
        shown
    ]
    project.write("openapi.yaml", SHOP)
    project.client.change(project.uri(), 3, project.text)
    project.published("UNKNOWN_PATH")


def test_a_description_that_takes_too_long_is_reported(tmp_path, monkeypatch, caplog):
    monkeypatch.setattr(apis, "MAX_SECONDS", 0.0)
    (tmp_path / "openapi.yaml").write_text(SHOP)
    (tmp_path / "rui.toml").write_text(TOML)
    conversation = Conversation(rootUri=tmp_path.as_uri())
    try:
        conversation.open(table("/oders", "items", "id"), uri=(tmp_path / "a.rui.json").as_uri())
        [message] = conversation.until(conversation.shown, "message")
    finally:
        conversation.server.end_session()
    assert "openapi.yaml" in message and "longer than 0 seconds" in message
    assert len(caplog.records) == 1


def test_a_reference_that_leads_nowhere_is_no_reason_to_compare_nothing(project):
    project.write("openapi.yaml", SHOP.replace("schemas/Summary", "schemas/None"))
    project.open(table("/oders", "items", "id"))
    project.published("UNKNOWN_PATH")
    project.client.run("rui.fixAll", project.uri())  # a message of the server that comes later
    project.shown("No change")
    assert len([message for message in project.client.received if message.get("method") == SHOW]) == 1


def test_a_description_that_no_document_uses_any_more_is_not_missed(project):
    project.open(table("/oders", "items", "id"))
    project.published("UNKNOWN_PATH")
    (project.folder / "openapi.yaml").unlink()
    project.write("rui.toml", '[api]\nopenapi = "none.yaml"\n')
    project.published()
    shown = project.shown("none.yaml")
    assert [message["params"]["message"] for message in project.client.received if message.get("method") == SHOW] == [
        shown
    ]


def test_a_truncated_text_gets_no_false_warnings(project):
    project.open(table("/oders", "items", "id"))
    project.published("UNKNOWN_PATH")
    right = table("/orders", "items", "id")
    project.client.change(project.uri(), 2, right[: right.index('"items"') + 3])
    codes = {diagnostic["code"] for diagnostic in project.client.diagnostics(project.uri(), 2)}
    assert not codes & {"NOT_LIST", "UNKNOWN_PATH", "UNKNOWN_FIELD"}
