"""Files that are not open: diagnostics for clients without pull support."""

from tests.inputs.sample import sample_text
from tests.rui_lsp.lsp_client import PUBLISH, Client

VALID = sample_text(3000)
CAPABILITIES = {"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": True}, "workspaceFolders": True}}


class Files:
    """The files of a folder, with a client that is pushed their diagnostics."""

    def __init__(self, client, folder):
        self.client, self.folder = client, folder

    def uri(self, name):
        return (self.folder / f"{name}.rui.json").as_uri()

    def changed(self, *names):
        changes = [{"uri": self.uri(name), "type": 2} for name in names]
        self.client.notify("workspace/didChangeWatchedFiles", {"changes": changes})

    def check(self, **expected):
        """The next diagnostics of each closed file are errors (True) or cleared (False)."""
        for name, has_errors in expected.items():
            assert bool(self.client.diagnostics(self.uri(name), None)) == has_errors
            first = next(one for one in self.client.received if is_about(one, self.uri(name)))
            self.client.received.remove(first)


def is_about(message, uri):
    params = message.get("params")
    return message.get("method") == PUBLISH and params["uri"] == uri and "version" not in params


def test_files_are_checked_when_they_or_settings_change(tmp_path):
    for name, text in {"good": VALID, "bad": "{", "worse": "[]", "node_modules/other": "{"}.items():
        path = tmp_path / f"{name}.rui.json"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    with Client(capabilities=CAPABILITIES, root=tmp_path) as client:
        files = Files(client, tmp_path)
        files.check(bad=True, worse=True)
        assert not [one for one in client.received if one.get("method") == PUBLISH]  # of valid and foreign files
        watched = client.wait_for(lambda message: message.get("method") == "client/registerCapability")
        assert watched["params"]["registrations"][0]["method"] == "workspace/didChangeWatchedFiles"
        (tmp_path / "new.rui.json").write_text("{")
        (tmp_path / "worse.rui.json").unlink()
        files.changed("new", "worse")
        files.check(worse=False, new=True)
        # Of an open document, the text in the editor is checked, and the file when it is closed.
        client.open(files.uri("bad"), VALID)
        assert client.diagnostics(files.uri("bad"), 1) == []
        files.changed("bad")
        client.close(files.uri("bad"))
        files.check(bad=False)
        files.check(bad=True)
        client.configure(diagnostics={"severity": {"INVALID_JSON": "off"}})
        files.check(new=False)
        client.configure()
        files.check(new=True)
        event = {"added": [], "removed": [{"uri": tmp_path.as_uri(), "name": ""}]}
        client.notify("workspace/didChangeWorkspaceFolders", {"event": event})
        files.check(new=False)
