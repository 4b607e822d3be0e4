"""Bindings and an OpenAPI description in the language server: diagnostics, fixes, completion, hover, definition."""

import json
import time

import pytest

from tests.rui_lsp.lsp_client import Client
from tests.rui_openapi.shop import SHOP, as_json, metric, table

CURSOR = "<|>"
TOML = '[api]\nopenapi = "openapi.yaml"\n'
CAPABILITIES = {
    "textDocument": {
        "completion": {"completionItem": {"snippetSupport": True}},
        "hover": {"contentFormat": ["markdown"]},
        "definition": {"linkSupport": True},
    },
    "workspace": {"didChangeWatchedFiles": {"dynamicRegistration": True}},
}


class Project:
    """A folder with a description and `rui.toml`, opened by a client that is pushed diagnostics."""

    def __init__(self, client, folder):
        self.client = client
        self.folder = folder

    def uri(self, name="a.rui.json"):
        return (self.folder / name).as_uri()

    def open(self, text, name="a.rui.json"):
        self.text = text.replace(CURSOR, "")
        self.cursor = text.find(CURSOR)
        self.client.open(self.uri(name), self.text)

    def params(self, **more):
        before = self.text[: self.cursor]
        line = before.count("\n")
        position = {"line": line, "character": len(before) - before.rfind("\n") - 1}
        return {"textDocument": {"uri": self.uri()}, "position": position, **more}

    def published(self, wanted, name="a.rui.json"):
        """Wait for diagnostics with exactly these codes; return them."""

        def fits(message):
            params = message.get("params") or {}
            if message.get("method") != "textDocument/publishDiagnostics" or params["uri"] != self.uri(name):
                return False
            return [one["code"] for one in params["diagnostics"]] == wanted

        found = self.client.wait_for(fits)
        self.client.received.clear()
        return found["params"]["diagnostics"]

    def shown(self, part):
        """Wait for a message to the author that contains a text; return it."""
        found = self.client.wait_for(
            lambda message: message.get("method") == "window/showMessage" and part in message["params"]["message"]
        )
        return found["params"]["message"]

    def fixes(self, diagnostics):
        context = {"diagnostics": diagnostics, "only": ["quickfix"]}
        found = self.client.request(
            "textDocument/codeAction",
            {"textDocument": {"uri": self.uri()}, "range": diagnostics[0]["range"], "context": context},
        )
        return {action["title"]: self.applied(action) for action in found if "edit" in action}

    def applied(self, action):
        """The text after an action."""
        text = self.text
        starts = [0, *[index + 1 for index, character in enumerate(text) if character == "\n"]]
        (edits,) = action["edit"]["changes"].values()
        for edit in sorted(
            edits, key=lambda edit: -starts[edit["range"]["start"]["line"]] - edit["range"]["start"]["character"]
        ):
            start, end = (starts[at["line"]] + at["character"] for at in (edit["range"]["start"], edit["range"]["end"]))
            text = text[:start] + edit["newText"] + text[end:]
        return text

    def changed(self, name):
        """Report a change of a file, as a client that watches it does."""
        changes = {"changes": [{"uri": self.uri(name), "type": 2}]}
        self.client.notify("workspace/didChangeWatchedFiles", changes)


@pytest.fixture
def project(tmp_path):
    (tmp_path / "openapi.yaml").write_text(SHOP)
    (tmp_path / "rui.toml").write_text(TOML)
    with started(tmp_path) as client:
        yield Project(client, tmp_path)


def started(folder, options=None):
    client = Client.start(initialize=False)
    params = {
        "processId": None, "rootUri": None, "capabilities": CAPABILITIES,
        "workspaceFolders": [{"uri": folder.as_uri(), "name": "folder"}],
        **({} if options is None else {"initializationOptions": options}),
    }  # fmt: skip
    client.server = client.request("initialize", params)
    client.notify("initialized", {})
    return client


def test_differences_are_warnings(project):
    project.open(table("/orders", "items", "stats"))
    (item,) = project.published(["UNKNOWN_FIELD"])
    assert (item["severity"], item["source"]) == (2, "rui")
    assert 'Did you mean "status"?' in item["message"]


def test_strict_ones_are_errors(project):
    (project.folder / "rui.toml").write_text(TOML + "strict = true\n")
    project.open(table("/orders", "items", "stats"))
    (item,) = project.published(["UNKNOWN_FIELD"])
    assert item["severity"] == 1


def test_files_that_are_not_open_are_compared(tmp_path):
    (tmp_path / "openapi.yaml").write_text(SHOP)
    (tmp_path / "rui.toml").write_text(TOML)
    (tmp_path / "closed.rui.json").write_text(metric("/summary", "data"))
    with started(tmp_path) as client:
        Project(client, tmp_path).published(["NOT_SCALAR"], "closed.rui.json")


# Document → the titles of fixes and what the text contains after each.
FIXES = {
    "a misspelt path": (table("/oders", "items"), {'Use "/orders"': '"path": "/orders"'}),
    "similar paths": (
        metric("/order-summary/all", "id"), {'Use "/summary"': '"/summary"', 'Use "/orders"': '"/orders"'},
    ),
    "a misspelt value path": (table("/orders", "itms"), {'Use "items"': '"valuePath": "items"'}),
    "a value path that is nowhere": (
        metric("/summary", "revenue"), {'Use "data.open"': '"data.open"', 'Use "data.label"': '"data.label"'},
    ),
    "an object": (metric("/summary", "data"), {'Use "data.open"': '"data.open"', 'Use "data.label"': '"data.label"'}),
    "no value path": (table("/orders", None), {'Add "valuePath": "items"': '"valuePath": "items"'}),
    "no list": (table("/orders", "total"), {'Use "items"': '"items"'}),
    "an option": (
        table("/orders", "items", "status", filter={"field": "status", "options": [{"value": "zzz"}]}),
        {'Use "open"': '"value": "open"', 'Use "shipped"': '"value": "shipped"'},
    ),
    "a type": (table("/orders", "items", {"key": "status", "type": "number"}), {'Use "string"': '"type": "string"'}),
    "a type that no type fits": (
        table("/orders", "items", {"key": "customer", "type": "badge"}),
        {'Rename to "customer.name"': '"customer.name"'},
    ),
}  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), FIXES.values(), ids=FIXES)
def test_every_warning_has_fixes(text, expected, project):
    project.open(text)
    items = project.client.wait_for(
        lambda message: message.get("method") == "textDocument/publishDiagnostics" and message["params"]["diagnostics"]
    )["params"]["diagnostics"]
    found = project.fixes(items)
    for title, part in expected.items():
        assert part in found[title]
        json.loads(found[title])


def test_a_column_is_renamed_with_its_filter(project):
    project.open(table("/orders", "items", "stats", filter={"field": "stats"}))
    after = project.fixes(project.published(["UNKNOWN_FIELD"]))['Rename to "status"']
    assert '"key": "status"' in after and '"field": "status"' in after


def test_all_columns_are_one_fix(project):
    project.open(table("/orders", "items", "id", "stats"))
    fixes = project.fixes(project.published(["UNKNOWN_FIELD"]))
    after = json.loads(fixes['Replace "stats" by all 6 other columns of the response'])
    columns = after["pages"][0]["children"][0]["children"][0]["columns"]
    assert [column["key"] for column in columns] == ["id", "status", "created", "email", "amount", "paid", "extra"]


@pytest.mark.parametrize("columns", ['"columns": []', '"x": 1'])
def test_all_columns_fix_a_table_without_columns(columns, project):
    project.open(table("/orders", "items").replace('"columns": [{"key": "id"}]', columns))
    message = project.client.wait_for(
        lambda message: message.get("method") == "textDocument/publishDiagnostics" and message["params"]["diagnostics"]
    )
    items = [
        one for one in message["params"]["diagnostics"] if one["code"] in {"INVALID_COLUMNS", "MISSING_REQUIRED_PROP"}
    ]
    wait_until_ready(project)
    after = json.loads(project.fixes(items)["Insert all 7 columns of the response"])
    assert len(after["pages"][0]["children"][0]["children"][0]["columns"]) == 7


def wait_until_ready(project):
    """Wait until the description of the open document has been read."""
    end = time.monotonic() + 20
    project.cursor = project.text.index("/orders") + 1
    while "List orders" not in str(project.client.request("textDocument/hover", project.params())):
        assert time.monotonic() < end
        time.sleep(0.02)


def completed(project):
    found = project.client.request("textDocument/completion", project.params())
    return found["items"] if isinstance(found, dict) else found


def test_completion_of_paths_value_paths_and_keys(project):
    project.open(table("/oders", "items"))
    project.published(["UNKNOWN_PATH"])
    version = 1
    for text, label, detail, new in (
        (table(CURSOR, "items"), "/orders", "List orders", '"/orders"'),
        (table(CURSOR, "items"), "/orders/{id}", "", '"/orders/${1:{id\\}}"'),
        (table("/orders", CURSOR), "items", "a list", '"items"'),
        (metric("/orders/7", CURSOR), "status", "open | shipped", '"status"'),
        (table("/orders", "items", CURSOR), "paid", "a boolean", '"paid"'),
    ):
        project.text = text.replace(CURSOR, "")
        project.cursor = text.index(CURSOR)
        version += 1
        project.client.change(project.uri(), version, [{"text": project.text}])
        item = next(item for item in completed(project) if item["label"] == label)
        assert (item["detail"], item["textEdit"]["newText"]) == (detail, new)


def test_completion_of_all_columns(project):
    project.open(table("/orders", "items").replace('[{"key": "id"}]', f"[{CURSOR}]"))
    wait_cursor = project.cursor
    wait_until_ready(project)
    project.cursor = wait_cursor
    items = completed(project)
    assert items[0]["label"] == "all 7 columns"
    assert items[0]["textEdit"]["newText"].count('"key"') == 7
    resolved = project.client.request("completionItem/resolve", items[0])
    assert "columns" in json.dumps(resolved["documentation"])


HOVERS = {
    "a path": (
        table(f"/or{CURSOR}ders", "items"),
        ["**GET /orders**: List orders", "Response: an object with `items`", "ReadBinding.path"],
    ),
    "a value path": (
        table("/orders", f"it{CURSOR}ems"), ["**items**: a list; each element is an object with `id`, `status`"],
    ),
    "a column": (table("/orders", "items", f"sta{CURSOR}tus"), ["**status**: a string: `open`, `shipped`"]),
}  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), HOVERS.values(), ids=HOVERS)
def test_hover_describes_the_api(text, expected, project):
    project.open(text)
    cursor = project.cursor
    wait_until_ready(project)
    project.cursor = cursor
    shown = project.client.request("textDocument/hover", project.params())["contents"]["value"]
    assert [part for part in expected if part not in shown] == []


DEFINITIONS = {
    "an operation": (table(f"/or{CURSOR}ders", "items"), "get"),
    "a value": (table("/orders", f"it{CURSOR}ems"), "items"),
    "a column": (table("/orders", "items", f"sta{CURSOR}tus"), "status"),
    "an inner value": (metric("/orders/7", f"customer.v{CURSOR}at"), "vat"),
}


@pytest.mark.parametrize(("text", "name"), DEFINITIONS.values(), ids=DEFINITIONS)
@pytest.mark.parametrize("file", ["openapi.yaml", "openapi.json"])
def test_definitions_are_in_the_description(text, name, file, project):
    content = SHOP if file.endswith("yaml") else json.dumps(json.loads(as_json(SHOP)), indent=2)
    (project.folder / file).write_text(content)
    (project.folder / "rui.toml").write_text(f'[api]\nopenapi = "{file}"\n')
    project.open(text)
    cursor = project.cursor
    if "/orders/7" in text:
        time.sleep(0.5)
    else:
        wait_until_ready(project)
    project.cursor = cursor
    end = time.monotonic() + 20
    while not (found := project.client.request("textDocument/definition", project.params())):
        assert time.monotonic() < end
        time.sleep(0.05)
    (link,) = found
    assert link["targetUri"] == project.uri(file)
    at = link["targetSelectionRange"]
    line = content.split("\n")[at["start"]["line"]]
    assert line[at["start"]["character"] : at["end"]["character"]].strip('"') == name


def test_a_changed_description_rechecks_documents(project):
    project.open(table("/orders", "items", "id"))
    project.open(table("/sales", "items", "id"), "b.rui.json")
    project.published(["UNKNOWN_PATH"], "b.rui.json")
    (project.folder / "openapi.yaml").write_text(SHOP.replace("/orders", "/sales"))
    project.changed("openapi.yaml")
    project.published(["UNKNOWN_PATH"])
    project.published([], "b.rui.json")


def test_a_changed_description_is_noticed_without_a_watcher(project):
    project.open(table("/orders", "items", "id"))
    wait_until_ready(project)
    (project.folder / "openapi.yaml").write_text(SHOP.replace("/orders", "/sales"))
    project.published(["UNKNOWN_PATH"])


def test_a_new_rui_toml_applies(tmp_path):
    (tmp_path / "openapi.yaml").write_text(SHOP)
    with started(tmp_path) as client:
        project = Project(client, tmp_path)
        project.open(table("/oders", "items", "id"))
        project.published([])
        (tmp_path / "rui.toml").write_text(TOML)
        project.changed("rui.toml")
        project.published(["UNKNOWN_PATH"])
        (tmp_path / "rui.toml").unlink()
        project.changed("rui.toml")
        project.published([])


def test_the_client_watches_rui_toml(project):
    found = project.client.wait_for(lambda message: message.get("method") == "client/registerCapability")
    globs = [one["globPattern"] for one in found["params"]["registrations"][0]["registerOptions"]["watchers"]]
    assert globs == ["**/*.rui.json", "**/rui.toml"]


def test_the_setting_names_a_description(tmp_path):
    (tmp_path / "other.yaml").write_text(SHOP)
    (tmp_path / "rui.toml").write_text('[api]\nopenapi = "missing.yaml"\n')
    with started(tmp_path, {"rui": {"openapi": "other.yaml"}}) as client:
        project = Project(client, tmp_path)
        project.open(table("/oders", "items", "id"))
        project.published(["UNKNOWN_PATH"])
        client.notify("workspace/didChangeConfiguration", {"settings": {"rui": {"openapi": ""}}})
        project.published([])
        assert "missing.yaml" in project.shown("no such file")


BAD = {
    "broken": ("openapi: [", "openapi.yaml: line 2, column 1"),
    "no description": ("a: 1", 'its root has no "openapi"'),
    "aliases that explode": (
        "a: &a [x]\n" + "".join(f"b{n}: &b{n} [{', '.join(['*a'] * 9)}]\n" for n in range(50)), "its root has no",
    ),
    "deep": ("a: " + "[" * 5000, "levels of nesting"),
}  # fmt: skip


@pytest.mark.parametrize(("text", "part"), BAD.values(), ids=BAD)
def test_a_bad_file_is_one_sentence_shown_once(text, part, project):
    (project.folder / "openapi.yaml").write_text(text)
    for name in ("a.rui.json", "b.rui.json"):
        project.open(table("/oders", "items", "id"), name)
    shown = project.shown(part)
    assert shown.startswith("Bindings are not compared with an API: cannot ") and "\n" not in shown
    project.changed("openapi.yaml")
    project.client.change(project.uri(), 2, [{"text": "{"}])
    project.published(["INVALID_JSON"])
    messages = [one for one in project.client.received if one.get("method") == "window/showMessage"]
    assert len([one for one in messages if one["params"]["message"] != shown]) == 0
    (project.folder / "openapi.yaml").write_text(SHOP)
    project.client.change(project.uri(), 3, [{"text": project.text}])
    project.published(["UNKNOWN_PATH"])


def test_a_bad_rui_toml_is_one_sentence(project):
    (project.folder / "rui.toml").write_text("[api]\nopenap = 1\n")
    project.open(table("/oders", "items", "id"))
    assert "did you mean openapi?" in project.shown("rui.toml: `api.openap` is unknown")
    (project.folder / "rui.toml").write_text(TOML)
    project.published(["UNKNOWN_PATH"])


def test_broken_texts_keep_their_warnings_and_get_no_false_ones(project):
    project.open(table("/oders", "items", "id"))
    project.published(["UNKNOWN_PATH"])
    right = table("/orders", "items", "id")
    at = right.index('"items"') + 3
    project.client.change(project.uri(), 2, [{"text": right[:at]}])
    codes = [one["code"] for one in project.client.diagnostics(project.uri(), 2)]
    assert set(codes) <= {"INVALID_JSON", "MISSING_REQUIRED_PROP", "INVALID_COLUMNS", "UNKNOWN_VALUE_PATH"}
    assert "NOT_LIST" not in codes and "UNKNOWN_PATH" not in codes


def test_the_preview_marks_differences(project):
    project.open(table("/orders", "items", "stats"))
    project.published(["UNKNOWN_FIELD"])
    arguments = [{"uri": project.uri(), "stylesheet": "a.css"}]
    params = {"command": "rui.preview", "arguments": arguments}
    page = project.client.request("workspace/executeCommand", params)["html"]
    assert "is-unmatched" in page
    assert "The rows of GET /orders have no" in page
