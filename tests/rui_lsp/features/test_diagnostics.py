"""Pull diagnostics: of one document, and of all documents in all folders."""

import json

import pytest

from rui_common.document_files import MAX_FILE_BYTES
from rui_lsp.session import closed_files, threads
from tests.inputs.sample import sample_text
from tests.rui_lsp.conversation import REFRESHES, URI, Conversation

WATCHES = {"didChangeWatchedFiles": {"dynamicRegistration": True}, "workspaceFolders": True}
CAPABILITIES = {**REFRESHES, "workspace": REFRESHES["workspace"] | WATCHES}
VALID = sample_text(3000)
REFRESH = "workspace/diagnostic/refresh"


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
def client(folders):
    """A client that has opened both folders."""
    both = [{"uri": (folders / name).as_uri(), "name": name} for name in ("one", "two")]
    conversation = Conversation(CAPABILITIES, workspaceFolders=both)
    conversation.say({"method": "initialized", "params": {}})
    return conversation


def pull(client, uri, previous=None):
    ids = {"previousResultId": previous["resultId"]} if previous else {}
    return client.request("textDocument/diagnostic", {"textDocument": {"uri": uri}, **ids})


def pull_all(client, previous=None, **more):
    """Return the reports by the names of their files."""
    ids = [{"uri": report["uri"], "value": report["resultId"]} for report in (previous or {}).values()]
    reports = client.request("workspace/diagnostic", {"previousResultIds": ids, **more})["items"]
    return {report["uri"].rpartition("/")[2].partition(".")[0]: report for report in reports}


def kinds(reports):
    """Return by name: "unchanged", "valid" or "faulty"."""
    return {
        name: "faulty" if report.get("items") else "valid" if report["kind"] == "full" else "unchanged"
        for name, report in reports.items()
    }


def test_an_unchanged_report_is_not_repeated(client):
    client.open("{")
    first = pull(client, URI)
    assert first["kind"] == "full"
    assert pull(client, URI, first) == {"kind": "unchanged", "resultId": first["resultId"]}
    client.change("{ ", 2)
    moved = pull(client, URI, first)
    assert moved["kind"] == "full"
    assert moved["items"] != first["items"]
    client.change("{", 3)
    assert pull(client, URI, moved) == first
    assert client.published() == []


def test_every_document_of_every_folder_is_checked(client, folders):
    found = pull_all(client)
    assert kinds(found) == {"valid": "valid", "empty": "faulty", "broken": "faulty", "latin": "faulty"}
    assert found["empty"]["uri"] == (folders / "one" / "deep er" / "empty.rui.json").as_uri()
    assert {report["version"] for report in found.values()} == {None}
    assert "not UTF-8" in json.dumps(found["latin"]["items"])
    assert kinds(pull_all(client, found)) == dict.fromkeys(found, "unchanged")
    # Of an open document, the text in the editor is checked. When it is closed, it has no diagnostics left: many
    # clients pull once more while a document closes, and keep that report over the one of the workspace.
    uri = (folders / "one" / "valid.rui.json").as_uri()
    client.open("{", 7, uri)
    report = pull_all(client, found)["valid"]
    assert (report["version"], report["items"]) == (7, pull(client, uri)["items"])
    client.shut(uri)
    assert kinds(pull_all(client, found))["valid"] == "valid"
    assert pull(client, uri)["items"] == []
    assert kinds(pull_all(client, found))["valid"] == "valid"


def test_a_file_that_is_not_open_is_checked_as_it_is_on_disk(client, folders):
    path = folders / "one" / "deep er" / "empty.rui.json"
    uri = path.as_uri()
    report = pull(client, uri)
    assert {**report, "uri": uri, "version": None} == pull_all(client)["empty"]
    path.write_text(VALID)
    assert pull(client, uri, report)["items"] == []
    client.open("[]", uri=uri)
    client.shut(uri)
    path.unlink()
    assert pull(client, uri)["items"] == []
    for missing in (path.parent, folders / "none.rui.json"):
        assert pull(client, missing.as_uri())["items"] == []


def test_changed_and_deleted_files_are_noticed(client, folders):
    found = pull_all(client)
    [registration] = client.received("client/registerCapability")
    assert registration["registrations"][0]["method"] == "workspace/didChangeWatchedFiles"
    (folders / "one" / "valid.rui.json").write_text("{")
    (folders / "two" / "broken.rui.json").unlink()
    (folders / "two" / "new.rui.json").write_text(VALID)
    before = len(client.received(REFRESH))
    client.say({"method": "workspace/didChangeWatchedFiles", "params": {"changes": []}})
    assert len(client.received(REFRESH)) == before + 1
    again = pull_all(client, found)
    assert kinds(again) == {
        "valid": "faulty", "broken": "valid", "new": "valid", "empty": "unchanged", "latin": "unchanged"
    }  # fmt: skip
    # A folder that is removed has no files.
    removed = [{"uri": (folders / "two").as_uri(), "name": "two"}]
    event = {"added": [], "removed": removed}
    client.say({"method": "workspace/didChangeWorkspaceFolders", "params": {"event": event}})
    assert len(client.received(REFRESH)) == before + 2
    assert kinds(pull_all(client, again))["latin"] == "valid"
    assert pull_all(client).keys() == {"valid", "empty"}


def test_without_a_change_nothing_is_computed_again(client, folders, monkeypatch, caplog):
    """Clients ask every two seconds."""
    (folders / "two" / "large.rui.json").write_bytes(b" " * (MAX_FILE_BYTES + 1))
    previous = pull_all(client)
    logged = len(caplog.records)
    computed = []
    for name in ("Analysis", "to_items"):
        monkeypatch.setattr(closed_files, name, computed.append)
    for _ in range(3):
        again = pull_all(client, previous)
        assert {*kinds(again).values()} == {"unchanged"}
        assert again.keys() == previous.keys()
    assert (computed, len(caplog.records)) == ([], logged)


def test_a_hidden_document_of_a_deleted_folder_has_no_diagnostics(client, folders):
    uri = (folders / "one" / "deep er" / "empty.rui.json").as_uri()
    client.open("{", 1, uri)
    for kind, expected in ((3, "valid"), (1, "faulty")):
        change = {"uri": (folders / "one" / "deep er").as_uri(), "type": kind}
        client.say({"method": "workspace/didChangeWatchedFiles", "params": {"changes": [change]}})
        assert kinds(pull_all(client))["empty"] == expected


def test_partial_reports_leave_time_for_other_requests_and_can_be_cancelled(client, folders, monkeypatch):
    monkeypatch.setattr(threads, "MAX_TURN", 0.0)
    assert pull_all(client, partialResultToken="part") == {}
    assert [len(message["value"]["items"]) for message in client.received("$/progress")] == [1] * 4
    for number in range(400):
        (folders / "one" / f"{number}.rui.json").write_text("{")
    params = {"previousResultIds": [], "partialResultToken": "cancelled"}
    client.open("{")
    client.say({"id": "all", "method": "workspace/diagnostic", "params": params})
    assert pull(client, URI)["items"]
    client.say({"method": "$/cancelRequest", "params": {"id": "all"}})
    [response] = [message for message in client.sent if message.get("id") == "all"]
    assert response["error"]["code"] == -32800
