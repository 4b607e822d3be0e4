"""Pull diagnostics: of one document, and of all documents in all folders."""

import json

import pytest

from tests.inputs.sample import sample_text
from tests.rui_lsp.lsp_client import Client, ResponseError

PULLS = {
    "textDocument": {"diagnostic": {"dynamicRegistration": False}},
    "workspace": {
        "diagnostics": {"refreshSupport": True},
        "didChangeWatchedFiles": {"dynamicRegistration": True},
        "workspaceFolders": True,
    },
}
VALID = sample_text(3000)


@pytest.fixture(scope="module")
def server():
    with Client.start(capabilities=PULLS) as client:
        yield client


@pytest.fixture
def folders(tmp_path):
    """Two folders with documents, and with files that are no documents."""
    files = {
        "one/valid.rui.json": VALID.encode(),
        "one/deep er/empty.rui.json": b"{}",
        "one/.git/hidden.rui.json": b"{",
        "one/node_modules/foreign.rui.json": b"{",
        "one/other.json": b"{",
        "two/broken.rui.json": b"{",
        "two/latin.rui.json": VALID.encode().replace(b"page-1", b"page-\xe9"),
    }
    for name, content in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return tmp_path


def uri_of(path):
    return path.as_uri()


@pytest.fixture
def client(server, folders):
    """A client that has opened both folders."""
    both = [{"uri": uri_of(folders / name), "name": name} for name in ("one", "two")]
    server.notify("workspace/didChangeWorkspaceFolders", {"event": {"added": both, "removed": []}})
    asked(server, "workspace/diagnostic/refresh")
    server.root = folders.as_uri()
    yield server
    server.close("file:///a.rui.json")
    server.notify("workspace/didChangeWorkspaceFolders", {"event": {"added": [], "removed": both}})
    asked(server, "workspace/diagnostic/refresh")


def pull(client, uri, previous=None):
    params = {"textDocument": {"uri": uri}}
    if previous is not None:
        params["previousResultId"] = previous
    return client.request("textDocument/diagnostic", params)


def pull_all(client, previous=(), **more):
    """Return the reports of files in the folders, by their names."""
    ids = [{"uri": report["uri"], "value": report["resultId"]} for report in previous]
    reports = client.request("workspace/diagnostic", {"previousResultIds": ids, **more})["items"]
    return {one["uri"].rpartition("/")[2]: one for one in reports if one["uri"].startswith(client.root)}


def kinds(reports):
    return {name: (report["kind"], len(report.get("items", ()))) for name, report in reports.items()}


def asked(client, method):
    """Wait for a request of the server; answer it; return its parameters."""
    message = client.wait_for(lambda message: message.get("method") == method)
    client.received.remove(message)
    client.send({"jsonrpc": "2.0", "id": message["id"], "result": None})
    return message.get("params")


def test_what_has_not_changed_is_not_repeated(client):
    uri = "file:///a.rui.json"
    client.open(uri, "{")
    first = pull(client, uri)
    assert first["kind"] == "full"
    assert pull(client, uri, first["resultId"]) == {"kind": "unchanged", "resultId": first["resultId"]}
    client.change(uri, 2, [{"text": "{ "}])
    moved = pull(client, uri, first["resultId"])
    assert moved["kind"] == "full"
    assert moved["items"] != first["items"]
    client.change(uri, 3, [{"text": "{"}])
    assert pull(client, uri, moved["resultId"]) == first
    assert not [message for message in client.received if message.get("method") == "textDocument/publishDiagnostics"]


def test_every_document_of_every_folder_is_checked(client, folders):
    found = pull_all(client)
    assert kinds(found) == {
        "valid.rui.json": ("full", 0),
        "empty.rui.json": ("full", len(found["empty.rui.json"]["items"])),
        "broken.rui.json": ("full", len(found["broken.rui.json"]["items"])),
        "latin.rui.json": ("full", len(found["latin.rui.json"]["items"])),
    }
    assert found["empty.rui.json"]["uri"] == uri_of(folders / "one" / "deep er" / "empty.rui.json")
    assert {report["version"] for report in found.values()} == {None}
    assert "not UTF-8" in json.dumps(found["latin.rui.json"]["items"])
    again = pull_all(client, found.values())
    assert {report["kind"] for report in again.values()} == {"unchanged"}
    # An open document counts as it is open.
    uri = uri_of(folders / "one" / "valid.rui.json")
    client.open(uri, "{", 7)
    [opened] = [report for report in pull_all(client, found.values()).values() if report["kind"] == "full"]
    assert (opened["uri"], opened["version"], len(opened["items"])) == (uri, 7, len(pull(client, uri)["items"]))
    client.close(uri)


def test_nothing_stays_of_a_document_that_is_closed(client, folders):
    """After the close, the server reports an empty list, also after a save or a workspace request."""
    at = {name: uri_of(folders / "one" / name) for name in ("valid.rui.json", "gone.rui.json", "never.rui.json")}
    before = pull_all(client)
    for name, uri in at.items():
        if name != "never.rui.json":
            (folders / "one" / name).write_text(VALID)
        client.open(uri, "{", 1)
        assert pull(client, uri)["items"]
        client.close(uri)
    (folders / "one" / "gone.rui.json").unlink()
    after = pull_all(client, before.values())
    assert {name: kinds(after)[name] for name in at} == dict.fromkeys(at, ("full", 0))
    assert {report["kind"] for report in pull_all(client, after.values()).values()} == {"unchanged"}
    # Many clients pull once more while a document closes, and keep that report over the one of the workspace.
    assert pull(client, at["valid.rui.json"])["items"] == []
    assert kinds(pull_all(client, after.values()))["valid.rui.json"] == ("full", 0)


def test_a_file_that_is_not_open_is_judged_as_it_is_on_disk(client, folders):
    path = folders / "one" / "deep er" / "empty.rui.json"
    report = pull(client, uri_of(path))
    assert report["items"]
    assert {**report, "uri": uri_of(path), "version": None} == pull_all(client)["empty.rui.json"]
    assert pull(client, uri_of(path), report["resultId"])["kind"] == "unchanged"
    path.write_text(VALID)
    assert pull(client, uri_of(path), report["resultId"])["items"] == []
    client.open(uri_of(path), "[]")
    assert pull(client, uri_of(path))["items"]
    client.close(uri_of(path))
    assert pull(client, uri_of(path))["items"] == []
    path.unlink()
    for gone, code in ((path, -32801), (path.parent, -32602), (folders / "none.rui.json", -32602)):
        with pytest.raises(ResponseError) as refusal:
            pull(client, uri_of(gone))
        assert refusal.value.code == code


def test_files_that_change_or_go_are_noticed(client, folders):
    found = pull_all(client)
    registration = client.wait_for(lambda message: message.get("method") == "client/registerCapability")
    assert registration["params"]["registrations"][0]["method"] == "workspace/didChangeWatchedFiles"
    (folders / "one" / "valid.rui.json").write_text("{")
    (folders / "two" / "broken.rui.json").unlink()
    (folders / "two" / "new.rui.json").write_text(VALID)
    client.notify("workspace/didChangeWatchedFiles", {"changes": []})
    asked(client, "workspace/diagnostic/refresh")
    again = pull_all(client, found.values())
    assert kinds(again) == {
        "valid.rui.json": ("full", len(again["valid.rui.json"]["items"])),
        "broken.rui.json": ("full", 0),
        "new.rui.json": ("full", 0),
        "empty.rui.json": ("unchanged", 0),
        "latin.rui.json": ("unchanged", 0),
    }
    assert again["valid.rui.json"]["items"]
    # A folder that is removed has no files.
    removed = [{"uri": uri_of(folders / "two"), "name": "two"}]
    client.notify("workspace/didChangeWorkspaceFolders", {"event": {"added": [], "removed": removed}})
    asked(client, "workspace/diagnostic/refresh")
    assert kinds(pull_all(client, again.values()))["latin.rui.json"] == ("full", 0)
    assert pull_all(client).keys() == {"valid.rui.json", "empty.rui.json"}


def test_reports_come_one_by_one_hold_up_nothing_and_can_be_cancelled(client, folders):
    assert pull_all(client, partialResultToken="part") == {}
    values = [message["params"] for message in client.received if message.get("method") == "$/progress"]
    parts = [value["value"]["items"] for value in values if value["token"] == "part"]
    assert len(parts) >= 4
    assert {len(items) for items in parts} == {1}
    for number in range(60):
        (folders / "one" / f"{number}.rui.json").write_text(sample_text(60_000))
    params = {"previousResultIds": [], "partialResultToken": "cancelled"}
    client.open("file:///a.rui.json", "{")
    client.send({"jsonrpc": "2.0", "id": "all", "method": "workspace/diagnostic", "params": params})
    client.wait_for(lambda message: message.get("method") == "$/progress" and "cancelled" in str(message["params"]))
    one = {"textDocument": {"uri": "file:///a.rui.json"}}
    client.send(
        {"jsonrpc": "2.0", "id": "one", "method": "textDocument/diagnostic", "params": one},
        {"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": "all"}},
    )
    answers = {name: client.wait_for(lambda message, name=name: message.get("id") == name) for name in ("one", "all")}
    assert answers["one"]["result"]["items"]
    assert answers["all"]["error"]["code"] == -32800
    assert len(pull_all(client)) == 64
