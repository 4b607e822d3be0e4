"""Files that are not open: diagnostics for clients without pull support."""

from tests.inputs.sample import sample_text
from tests.rui_lsp.lsp_client import PUBLISH, Client

VALID = sample_text(3000)
CAPABILITIES = {"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": True}, "workspaceFolders": True}}


def test_files_are_checked_when_they_or_settings_change(tmp_path):
    for name, text in {"good": VALID, "bad": "{", "worse": "[]", "node_modules/other": "{"}.items():
        path = tmp_path / f"{name}.rui.json"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)

    def uri(name):
        return (tmp_path / f"{name}.rui.json").as_uri()

    def notify(*names):
        changes = [{"uri": uri(name), "type": 2} for name in names]
        client.notify("workspace/didChangeWatchedFiles", {"changes": changes})

    def check(**expected):
        """The next diagnostics of each closed file are errors (True) or cleared (False)."""
        for name, has_errors in expected.items():
            assert bool(client.diagnostics(uri(name), None)) == has_errors
            first = next(one for one in client.received if is_closed(one) and one["params"]["uri"] == uri(name))
            client.received.remove(first)

    with Client(capabilities=CAPABILITIES, root=tmp_path) as client:
        check(bad=True, worse=True)
        assert not [one for one in client.received if one.get("method") == PUBLISH]  # of valid and foreign files
        (tmp_path / "new.rui.json").write_text("{")
        (tmp_path / "worse.rui.json").unlink()
        notify("new", "worse")
        check(worse=False, new=True)
        # Of an open document, the text in the editor is checked, and the file when it is closed.
        client.open(uri("bad"), VALID)
        assert client.diagnostics(uri("bad"), 1) == []
        notify("bad")
        client.close(uri("bad"))
        check(bad=False)
        check(bad=True)
        client.configure(diagnostics={"severity": {"INVALID_JSON": "off"}})
        check(new=False)
        client.configure()
        check(new=True)
        event = {"added": [], "removed": [{"uri": tmp_path.as_uri(), "name": ""}]}
        client.notify("workspace/didChangeWorkspaceFolders", {"event": event})
        check(new=False)


def is_closed(message):
    return message.get("method") == PUBLISH and "version" not in message["params"]
