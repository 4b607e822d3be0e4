"""Pull diagnostics: of one document, and of all documents in all folders."""

import json

import pytest

from tests.inputs.sample import sample_text
from tests.rui_lsp.lsp_client import PUBLISH, Client, ResponseError

PULLS = {
    "textDocument": {"diagnostic": {"dynamicRegistration": False}},
    "workspace": {
        "diagnostics": {"refreshSupport": True},
        "didChangeWatchedFiles": {"dynamicRegistration": True},
        "workspaceFolders": True,
    },
}
VALID = sample_text(3000)
URI = "file:///a.rui.json"


@pytest.fixture(scope="module")
def server():
    with Client(capabilities=PULLS) as client:
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


@pytest.fixture
def client(server, folders):
    """A client that has opened both folders."""
    both = [folders / "one", folders / "two"]
    server.change_folders(added=both)
    server.take("workspace/diagnostic/refresh")
    server.root = folders.as_uri()
    yield server
    server.close(URI)
    server.change_folders(removed=both)
    server.take("workspace/diagnostic/refresh")


def pull(client, uri, previous=None):
    ids = {"previousResultId": previous["resultId"]} if previous else {}
    return client.request("textDocument/diagnostic", {"textDocument": {"uri": uri}, **ids})


def pull_all(client, previous=None, **more):
    """Return the reports of files in the folders, by their names."""
    ids = [{"uri": report["uri"], "value": report["resultId"]} for report in (previous or {}).values()]
    reports = client.request("workspace/diagnostic", {"previousResultIds": ids, **more})["items"]
    return {
        one["uri"].rpartition("/")[2].partition(".")[0]: one for one in reports if one["uri"].startswith(client.root)
    }


def kinds(reports):
    """Return by name: "unchanged", "valid" or "faulty"."""
    return {
        name: "faulty" if report.get("items") else "valid" if report["kind"] == "full" else "unchanged"
        for name, report in reports.items()
    }


def test_an_unchanged_report_is_not_repeated(client):
    client.open(URI, "{")
    first = pull(client, URI)
    assert first["kind"] == "full"
    assert pull(client, URI, first) == {"kind": "unchanged", "resultId": first["resultId"]}
    client.change(URI, 2, "{ ")
    moved = pull(client, URI, first)
    assert moved["kind"] == "full"
    assert moved["items"] != first["items"]
    client.change(URI, 3, "{")
    assert pull(client, URI, moved) == first
    assert not [message for message in client.received if message.get("method") == PUBLISH]


def test_every_document_of_every_folder_is_checked(client, folders):
    found = pull_all(client)
    assert kinds(found) == {"valid": "valid", "empty": "faulty", "broken": "faulty", "latin": "faulty"}
    assert found["empty"]["uri"] == (folders / "one" / "deep er" / "empty.rui.json").as_uri()
    assert {report["version"] for report in found.values()} == {None}
    assert "not UTF-8" in json.dumps(found["latin"]["items"])
    assert kinds(pull_all(client, found)) == dict.fromkeys(found, "unchanged")
    # Of an open document, the text in the editor is checked.
    uri = (folders / "one" / "valid.rui.json").as_uri()
    client.open(uri, "{", 7)
    report = pull_all(client, found)["valid"]
    assert (report["version"], report["items"]) == (7, pull(client, uri)["items"])
    client.close(uri)


def test_a_closed_document_has_no_diagnostics_left(client, folders):
    """After the close, the server reports an empty list, also after a save or a workspace request."""
    paths = {name: folders / "one" / f"{name}.rui.json" for name in ("valid", "gone", "never")}
    before = pull_all(client)
    for name, path in paths.items():
        if name != "never":
            path.write_text(VALID)
        client.open(path.as_uri(), "{", 1)
        assert pull(client, path.as_uri())["items"]
        client.close(path.as_uri())
    paths["gone"].unlink()
    after = pull_all(client, before)
    assert {name: kinds(after)[name] for name in paths} == dict.fromkeys(paths, "valid")
    assert set(kinds(pull_all(client, after)).values()) == {"unchanged"}
    # Many clients pull once more while a document closes, and keep that report over the one of the workspace.
    assert pull(client, paths["valid"].as_uri())["items"] == []
    assert kinds(pull_all(client, after))["valid"] == "valid"


def test_a_file_that_is_not_open_is_checked_as_it_is_on_disk(client, folders):
    path = folders / "one" / "deep er" / "empty.rui.json"
    uri = path.as_uri()
    report = pull(client, uri)
    assert {**report, "uri": uri, "version": None} == pull_all(client)["empty"]
    path.write_text(VALID)
    assert pull(client, uri, report)["items"] == []
    client.open(uri, "[]")
    assert pull(client, uri)["items"]
    client.close(uri)
    assert pull(client, uri)["items"] == []
    path.unlink()
    for gone, code in ((path, -32801), (path.parent, -32602), (folders / "none.rui.json", -32602)):
        with pytest.raises(ResponseError) as refusal:
            pull(client, gone.as_uri())
        assert refusal.value.code == code


def test_changed_and_deleted_files_are_noticed(client, folders):
    found = pull_all(client)
    registration = client.wait_for(lambda message: message.get("method") == "client/registerCapability")
    assert registration["params"]["registrations"][0]["method"] == "workspace/didChangeWatchedFiles"
    (folders / "one" / "valid.rui.json").write_text("{")
    (folders / "two" / "broken.rui.json").unlink()
    (folders / "two" / "new.rui.json").write_text(VALID)
    client.notify("workspace/didChangeWatchedFiles", {"changes": []})
    client.take("workspace/diagnostic/refresh")
    again = pull_all(client, found)
    assert kinds(again) == {
        "valid": "faulty", "broken": "valid", "new": "valid", "empty": "unchanged", "latin": "unchanged"
    }  # fmt: skip
    # A folder that is removed has no files.
    client.change_folders(removed=[folders / "two"])
    client.take("workspace/diagnostic/refresh")
    assert kinds(pull_all(client, again))["latin"] == "valid"
    assert pull_all(client).keys() == {"valid", "empty"}


def test_partial_reports_leave_time_for_other_requests_and_can_be_cancelled(client, folders):
    assert pull_all(client, partialResultToken="part") == {}
    values = [message["params"] for message in client.received if message.get("method") == "$/progress"]
    parts = [value["value"]["items"] for value in values if value["token"] == "part"]
    assert len(parts) >= 4
    assert {len(items) for items in parts} == {1}
    for number in range(60):
        (folders / "one" / f"{number}.rui.json").write_text(sample_text(60_000))
    params = {"previousResultIds": [], "partialResultToken": "cancelled"}
    client.open(URI, "{")
    client.send({"id": "all", "method": "workspace/diagnostic", "params": params})
    client.wait_for(lambda message: message.get("method") == "$/progress" and "cancelled" in str(message["params"]))
    client.send(
        {"id": "one", "method": "textDocument/diagnostic", "params": {"textDocument": {"uri": URI}}},
        {"method": "$/cancelRequest", "params": {"id": "all"}},
    )
    answers = {name: client.wait_for(lambda message, name=name: message.get("id") == name) for name in ("one", "all")}
    assert answers["one"]["result"]["items"]
    assert answers["all"]["error"]["code"] == -32800
