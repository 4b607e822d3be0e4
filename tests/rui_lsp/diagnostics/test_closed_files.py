"""Files that are not open: diagnostics for clients without pull support."""

import pytest

from tests.inputs.sample import sample_text
from tests.rui_lsp.lsp_client import Client

VALID = sample_text(3000)


@pytest.fixture
def folder(tmp_path):
    for name, text in {"good": VALID, "bad": "{", "sub/worse": "[]", "node_modules/other": "{"}.items():
        path = tmp_path / f"{name}.rui.json"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    return tmp_path


@pytest.fixture
def client(folder):
    capabilities = {"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": True}, "workspaceFolders": True}}
    with Client.start(capabilities=capabilities, root=folder) as client:
        yield client


def told(client, path, wanted=None):
    """Wait for the next diagnostics of a closed file; return their number."""

    def is_it(message):
        params = message.get("params")
        return (
            message.get("method") == "textDocument/publishDiagnostics" and params["uri"] == path.as_uri()
            and "version" not in params and (wanted is None or len(params["diagnostics"]) == wanted)
        )  # fmt: skip

    message = client.wait_for(is_it)
    client.received.remove(message)
    return len(message["params"]["diagnostics"])


def test_faults_and_changes_on_disk_are_told(client, folder):
    bad, worse, new = folder / "bad.rui.json", folder / "sub" / "worse.rui.json", folder / "new.rui.json"
    assert told(client, bad) and told(client, worse)
    published = [one for one in client.received if one.get("method") == "textDocument/publishDiagnostics"]
    assert published == []  # none of valid files, and of files of other programs
    watched = client.wait_for(lambda message: message.get("method") == "client/registerCapability")
    assert watched["params"]["registrations"][0]["method"] == "workspace/didChangeWatchedFiles"
    bad.write_text(VALID)
    new.write_text("{")
    worse.unlink()
    changes = [{"uri": path.as_uri(), "type": sort} for path, sort in ((bad, 2), (new, 1), (worse, 3))]
    client.notify("workspace/didChangeWatchedFiles", {"changes": changes})
    assert (told(client, bad), told(client, worse)) == (0, 0)
    assert told(client, new) > 0


def test_documents_that_close_and_settings_that_change_are_checked_again(client, folder):
    # An open document counts as it is open, and as on disk when it is closed.
    bad = folder / "bad.rui.json"
    told(client, bad)
    client.open(bad.as_uri(), VALID)
    assert client.diagnostics(bad.as_uri(), 1) == []
    client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": bad.as_uri(), "type": 2}]})
    client.close(bad.as_uri())
    assert told(client, bad, wanted=0) == 0
    assert told(client, bad) > 0
    # So are other settings and folders.
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
