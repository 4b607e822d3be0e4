"""Files that are not open: diagnostics for clients without pull support, and symbols for all clients."""

import pytest

from tests.inputs.sample import sample_text
from tests.rui_lsp.lsp_client import Client

VALID = sample_text(3000)
OPEN = "file:///elsewhere/open.rui.json"


@pytest.fixture
def folder(tmp_path):
    for name, text in {"good": VALID, "bad": "{", "sub/worse": "[]", "node_modules/other": "{"}.items():
        path = tmp_path / f"{name}.rui.json"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    return tmp_path


@pytest.fixture
def client(folder):
    """A client without pull diagnostics, with one open document."""
    with Client.start(initialize=False) as client:
        capabilities = {"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": True}, "workspaceFolders": True}}
        params = {"processId": None, "capabilities": capabilities, "rootUri": folder.as_uri()}
        client.request("initialize", params)
        client.notify("initialized", {})
        client.open(OPEN, "{")
        client.diagnostics(OPEN, 1)
        yield client


def told(client, path, wanted=None):
    """Wait for the next diagnostics of a file; return their number."""

    def is_it(message):
        params = message.get("params")
        return (
            message.get("method") == "textDocument/publishDiagnostics" and params["uri"] == path.as_uri()
            and "version" not in params and (wanted is None or len(params["diagnostics"]) == wanted)
        )  # fmt: skip

    message = client.wait_for(is_it)
    client.received.remove(message)
    return len(message["params"]["diagnostics"])


def published(client):
    names = [m["params"]["uri"] for m in client.received if m.get("method") == "textDocument/publishDiagnostics"]
    return {uri.rpartition("/")[2] for uri in names}


def test_faults_in_files_that_are_not_open_are_told(client, folder):
    assert told(client, folder / "bad.rui.json")
    assert told(client, folder / "sub" / "worse.rui.json")
    assert published(client) == {"open.rui.json"}


def test_what_changes_on_disk_is_told(client, folder):
    bad = folder / "bad.rui.json"
    told(client, bad)
    told(client, folder / "sub" / "worse.rui.json")
    watched = client.wait_for(lambda message: message.get("method") == "client/registerCapability")
    assert watched["params"]["registrations"][0]["method"] == "workspace/didChangeWatchedFiles"
    bad.write_text(VALID)
    new = folder / "new.rui.json"
    new.write_text("{")
    (folder / "sub" / "worse.rui.json").unlink()
    changes = [(bad, 2), (new, 1), (folder / "sub" / "worse.rui.json", 3)]
    client.notify(
        "workspace/didChangeWatchedFiles", {"changes": [{"uri": path.as_uri(), "type": sort} for path, sort in changes]}
    )
    assert (told(client, bad), told(client, folder / "sub" / "worse.rui.json")) == (0, 0)
    assert told(client, new) > 0


def test_what_is_open_counts_as_it_is_open_and_as_it_is_on_disk_when_closed(client, folder):
    bad = folder / "bad.rui.json"
    told(client, bad)
    client.open(bad.as_uri(), VALID)
    assert client.diagnostics(bad.as_uri(), 1) == []
    client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": bad.as_uri(), "type": 2}]})
    client.close(bad.as_uri())
    assert told(client, bad, wanted=0) == 0
    assert told(client, bad) > 0
    client.close(OPEN)
    client.diagnostics(OPEN, None)


def test_other_settings_and_other_folders_are_taken_note_of(client, folder):
    worse = folder / "sub" / "worse.rui.json"
    assert told(client, worse)
    off = {"rui": {"diagnostics": {"severity": {"INVALID_JSON": "off"}}}}
    client.notify("workspace/didChangeConfiguration", {"settings": off})
    assert told(client, worse) == 0
    client.notify("workspace/didChangeConfiguration", {"settings": {"rui": {}}})
    assert told(client, worse) > 0
    removed = [{"uri": folder.as_uri(), "name": "x"}]
    client.notify("workspace/didChangeWorkspaceFolders", {"event": {"added": [], "removed": removed}})
    assert told(client, worse) == 0
