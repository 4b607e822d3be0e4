"""Files that are not open: diagnostics for clients without pull support."""

from pathlib import Path

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


def shown(client, count):
    """Wait for the last of `count` publications; return the files that have diagnostics."""
    client.wait_for(lambda _: len([one for one in client.received if one.get("method") == PUBLISH]) >= count)
    published = [one["params"] for one in client.received if one.get("method") == PUBLISH]
    assert len(published) == count
    return {uri for uri, items in {one["uri"]: one["diagnostics"] for one in published}.items() if items}


def test_a_client_that_watches_no_files_sees_changes_when_a_document_is_opened_or_saved(tmp_path):
    bad, new, other = (tmp_path / f"{name}.rui.json" for name in ("bad", "new", "other"))
    bad.write_text("{")
    with Client(root=tmp_path) as client:
        assert shown(client, 1) == {bad.as_uri()}
        bad.write_text(VALID)
        new.write_text("{")
        client.open(other.as_uri(), VALID)
        assert shown(client, 4) == {new.as_uri()}
        new.unlink()
        client.notify("textDocument/didSave", {"textDocument": {"uri": other.as_uri()}})
        assert shown(client, 6) == set()  # The open document and the file that is gone.


EXCLUDED = ["node_modules/a", ".git/b", "sub/node_modules/c/d", ".e", "away/f", "g.json", "../out"]


def test_a_change_of_a_file_that_is_no_document_of_the_folder_is_ignored(tmp_path):
    folder = tmp_path / "folder"
    (tmp_path / "elsewhere").mkdir()
    folder.mkdir()
    (folder / "away").symlink_to(Path("..", "elsewhere"))
    paths = [folder / (name if name.endswith(".json") else f"{name}.rui.json") for name in EXCLUDED]
    for path in paths:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("{")
    bad = folder / "sub" / "bad.rui.json"
    with Client(capabilities=CAPABILITIES, root=folder) as client:
        bad.write_text("{")
        changes = [{"uri": path.as_uri(), "type": kind} for path in (*paths, bad) for kind in (1, 2)]
        client.notify("workspace/didChangeWatchedFiles", {"changes": changes})
        client.open(paths[0].as_uri(), "{")
        client.close(paths[0].as_uri())
        client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": bad.as_uri(), "type": 2}]})
        # The last ones of the file are those of the last notification.
        client.wait_for(lambda _: sum(one.get("params", {}).get("uri") == bad.as_uri() for one in client.received) >= 3)
        published = [one["params"] for one in client.received if one.get("method") == PUBLISH]
        assert {one["uri"] for one in published if one["diagnostics"] and "version" not in one} == {bad.as_uri()}


def test_a_file_in_a_folder_that_is_a_link_is_shown_once(tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    (tmp_path / "real" / "a.rui.json").write_text("{")
    linked, real = ((tmp_path / name / "a.rui.json").as_uri() for name in ("link", "real"))
    with Client(capabilities=CAPABILITIES, root=tmp_path / "link") as client:
        assert shown(client, 1) == {linked}
        client.open(real, "{")
        assert shown(client, 3) == {real}
        client.close(real)
        assert shown(client, 5) == {real}
        client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": linked, "type": 2}]})
        assert shown(client, 6) == {real}
        client.configure(diagnostics={"severity": {"INVALID_JSON": "off"}})
        assert shown(client, 7) == set()


def is_closed(message):
    return message.get("method") == PUBLISH and "version" not in message["params"]
