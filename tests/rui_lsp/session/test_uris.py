"""Addresses that clients spell in several ways. Windows paths are tested as texts, on every system."""

import os
from pathlib import Path, PureWindowsPath

import pytest

from rui_common.document_files import find_documents, is_document_in
from rui_lsp.session.uris import UriDict, innermost_folder, name_of, path_from_uri, uri_in_folder, uri_key
from tests.inputs.sample import sample_text
from tests.rui_lsp.conversation import REFRESHES, Conversation, changed
from tests.rui_lsp.lsp_client import PUBLISH

VALID = sample_text(3000)

SAME = [
    ["file:///a/b%20%281%29.rui.json", "file:///a/b (1).rui.json", "file:///a/b%20(1).rui.json", "FILE:///a/b%20(1).rui.json",
     "file://localhost/a/b%20(1).rui.json", "file:/a/b%20(1).rui.json", "file:///a//b%20(1).rui.json"],
    ["file:///c%3A/Users/a", "file:///C%3a/Users/a", "file:///c:/Users/a", "file:///C:/Users/a", "file://C:/Users/a",
     "file:///c:%5CUsers%5Ca", "file:///c:\\Users\\a", "file:/c:/Users/a/"],
    ["file:///a/%C3%A9", "file:///a/é", "file:///a/%c3%a9"],
    ["file:///a/b", "file:///a/b/", "file:///a/b//"],
    ["file:///c%3A/", "file:///C:", "file:///c:/"],
    ["file:///", "file://", "file://localhost/"],
    ["file://host/share/a", "file://HOST/share/a", "file:////host/share/a", "file:///%5C%5Chost/share/a", "file://host//share/a/"],
    ["file://wsl%24/Ubuntu/a", "file://wsl$/Ubuntu/a"],
    ["file:///a%23b", "file:///a#b"],
]  # fmt: skip
"""Spellings of one address."""

OTHERS = [
    "untitled:Untitled-1", "untitled:Untitled%2D1", "untitled:untitled-1", "vscode-vfs://github/a%2Fb/c",
    "vscode-vfs://github/a/b/c", "git:/a/b?%7B%22ref%22%3A%22HEAD%22%7D", "git:/a/b?%7B%22ref%22%3A%22%22%7D", "",
    "a.rui.json", "/a/b", "file", "inmemory://model/1",
]  # fmt: skip
"""Addresses of no files: their escapes may have a meaning."""


@pytest.mark.parametrize("windows", [False, True])
def test_spellings_of_one_address_are_equal_and_no_others(windows: bool) -> None:
    keys = [{uri_key(uri, windows=windows) for uri in spellings} for spellings in SAME]
    assert [len(group) for group in keys] == [1] * len(SAME)
    assert len(set.union(*keys)) == len(SAME)
    assert [uri_key(uri, windows=windows) for uri in OTHERS] == OTHERS
    assert [path_from_uri(uri, windows=windows) for uri in OTHERS] == [None] * len(OTHERS)


def test_letters_of_paths_are_equal_in_both_cases_on_windows_alone() -> None:
    uris = ("file:///c:/Users/Ada/A.rui.json", "file:///C%3A/users/ada/a.RUI.json")
    assert len({uri_key(uri, windows=True) for uri in uris}) == 1
    assert len({uri_key(uri, windows=False) for uri in uris}) == 2


@pytest.mark.parametrize(("uri", "path"), [
    ("file:///c%3A/Users/a.rui.json", r"c:\Users\a.rui.json"),
    ("file:///C:/Users/a%20b/%28x%29.rui.json", r"C:\Users\a b\(x).rui.json"),
    ("file:///c:", "c:\\"),
    ("file:///c%3A/", "c:\\"),
    ("file://D:/a", r"d:\a"),
    ("file:///c:%5Ca%5Cb", r"c:\a\b"),
    ("file:///c:/a#b/c%25d", r"c:\a#b\c%d"),
    ("file:///c:/a/", r"c:\a"),
    ("file:///tmp/a", r"\tmp\a"),
    ("file:///a", r"\a"),
    ("file:///", "\\"),
    (r"file:///tmp\a", r"\tmp\a"),
    ("file://host/share/a", None),
    ("file:////host/share/a", None),
    ("file:///%5C%5Chost/share/a", None),
    (r"file:///\\?\C:\a", None),
    (r"file:\\host\share\a", None),
    ("file:///c:/a%00b", None),
])  # fmt: skip
def test_a_path_on_windows(uri: str, path: str | None) -> None:
    assert path_from_uri(uri, windows=True) == path


@pytest.mark.parametrize("path", [
    r"C:\Users\Ada\a.rui.json", r"d:\with space\(1) & ü #%.rui.json", "C:\\", r"c:\a;b\c=d\e@f",
])  # fmt: skip
def test_what_python_writes_for_a_path_on_windows_is_read(path: str) -> None:
    read = path_from_uri(PureWindowsPath(path).as_uri(), windows=True)
    assert read is not None
    assert PureWindowsPath(read) == PureWindowsPath(path)


@pytest.mark.skipif(os.name != "posix", reason="file names of bytes")
@pytest.mark.parametrize(
    "name", ["a b (1)", "100%", "a#b?c", "é", "a\\b", "a%20b", "%28", "a;b=c&d@e+f", os.fsdecode(b"\xff")]
)
def test_the_address_of_a_file_has_its_path(name: str) -> None:
    for folder in ("file:///w", "file:///w/", "file:///", "file:///w%20(1)"):
        uri = uri_in_folder(folder, f"sub/{name}.rui.json")
        assert uri.isascii()
        assert path_from_uri(uri) == f"{(path_from_uri(folder) or '').rstrip('/')}/sub/{name}.rui.json"
        assert innermost_folder(uri, [folder]) == folder
    assert path_from_uri("file:///") == "/"
    assert path_from_uri("file:///a\ud800b") is None, "half of a character is in no path"


def test_the_innermost_folder_contains_a_document_in_any_spelling(tmp_path: Path) -> None:
    folders = ["file:///c%3A/w", "file:///C:/w/sub%20(1)/", "file:///w", "vscode-vfs://github/a/b/"]
    for uri, folder in {
        "file:///c:/w/a": 0, "file:///C%3A/w/sub%20%281%29/a": 1, "file:///c:/w/sub/a": 0, "file:///c:/w2/a": None,
        "file:///w": None, "file:///w/a": 2, "file:///c:/w/sub%20(1)": 0, "vscode-vfs://github/a/b/c": 3,
        "vscode-vfs://github/a/c": None, "untitled:a": None,
    }.items():  # fmt: skip
        assert innermost_folder(uri, folders) == (None if folder is None else folders[folder]), uri
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    link = (tmp_path / "link").as_uri()
    assert innermost_folder((tmp_path / "real" / "a").as_uri(), [link]) == link
    assert innermost_folder((tmp_path / "other").as_uri(), [link]) is None


def test_a_dictionary_has_one_item_for_an_address() -> None:
    items: UriDict[int] = UriDict()
    items["file:///a%20b"] = 1
    items["file:///a b/"] = 2
    assert dict(items) == {"file:///a b/": 2}
    assert items.spelling("FILE:///a%20b") == "file:///a b/"
    assert items.spelling("untitled:a") == "untitled:a"
    assert "file:///A%20b" not in items
    assert items.pop("file:///a%20b") == 2
    assert not items


def test_the_name_of_an_address() -> None:
    assert [name_of(uri) for uri in ("file:///a/b%20c.rui.json", "file:///a/", "untitled:x", "")] == [
        "b c.rui.json", "a", "untitled:x", "",
    ]  # fmt: skip


def test_a_file_is_a_document_of_a_folder_if_the_search_finds_it(tmp_path: Path) -> None:
    root = tmp_path / "root"
    for name in (
        "a.rui.json", "sub/b.rui.json", "c.json", ".d.rui.json", ".git/e.rui.json", "node_modules/f.rui.json",
        "sub/node_modules/g/h.rui.json", "../out.rui.json", "folder.rui.json/i.rui.json", "sub/.j/k.rui.json",
    ):  # fmt: skip
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("{")
    (root / "link.rui.json").symlink_to("a.rui.json")
    (root / "away.rui.json").symlink_to(Path("..", "out.rui.json"))
    if hasattr(os, "mkfifo"):
        os.mkfifo(root / "pipe.rui.json")
    found = {*find_documents(str(root), lambda path, why: None)}
    assert len(found) == 4
    paths = {str(path) for path in root.rglob("*") if path.is_file() or path.is_fifo()} | {
        str(tmp_path / "out.rui.json")
    }
    assert {path for path in paths if is_document_in(str(root), path)} == found
    (tmp_path / "link").symlink_to("root")
    assert {path for path in paths if is_document_in(str(tmp_path / "link"), path)} == found
    (root / "a.rui.json").unlink()
    assert is_document_in(str(root), str(root / "a.rui.json")), "a deleted file was one"


# What a client sees

OPENED = "file:///w/a%20(1).rui.json"
OTHER = "file:///w/a%20%281%29.rui.json"


def test_a_document_is_one_in_all_spellings_and_keeps_the_first() -> None:
    client = Conversation()
    client.open("[]", uri=OPENED)
    client.say({"method": "textDocument/didChange", "params": changed("{", 2, OTHER)})
    client.say({"method": "textDocument/didSave", "params": {"textDocument": {"uri": OTHER}}})
    assert {(uri, version) for uri, version, _ in client.published()} == {(OPENED, 1), (OPENED, 2)}
    client.say({"method": "textDocument/didChange", "params": changed('{"pages": []}', 3, OTHER)})
    edits = client.request("textDocument/codeAction", {
        "textDocument": {"uri": OTHER}, "context": {"diagnostics": [], "only": ["source.fixAll"]},
        "range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 1}},
    })[0]["edit"]["changes"]  # fmt: skip
    assert edits.keys() == {OPENED}
    client.shut(OTHER)
    assert client.received(PUBLISH)[-1] == {"uri": OPENED, "diagnostics": []}
    assert (
        client.request("textDocument/hover", {"textDocument": {"uri": OPENED}, "position": {"line": 0, "character": 0}})
        == -32801
    )


def test_a_request_that_waits_for_the_pause_is_about_the_document_in_any_spelling() -> None:
    client = Conversation(REFRESHES, {"diagnostics": {"delay": 10_000}})
    client.open("[]", uri=OPENED)
    client.say({"method": "textDocument/didChange", "params": changed("{", 2, OTHER)})
    client.say({"id": "p", "method": "textDocument/diagnostic", "params": {"textDocument": {"uri": OPENED}}})
    assert not [message for message in client.sent if message.get("id") == "p"]
    client.say({"method": "textDocument/didSave", "params": {"textDocument": {"uri": OTHER}}})
    [response] = [message for message in client.sent if message.get("id") == "p"]
    assert response["result"]["items"]


def test_folders_and_documents_have_different_spellings(tmp_path: Path) -> None:
    folder = tmp_path / "w (1)"
    folder.mkdir()
    (folder / "a.rui.json").write_text("{")
    ours, theirs = f"{folder.as_uri()}/".replace("%20", " "), folder.as_uri().replace("%28", "(").replace("%29", ")")
    workspace = {**REFRESHES["workspace"], "configuration": True}
    client = Conversation({**REFRESHES, "workspace": workspace}, workspaceFolders=[{"uri": ours, "name": "w"}])
    client.results["workspace/configuration"] = [None, {"diagnostics": {"severity": {"INVALID_JSON": "hint"}}}]
    client.say({"method": "initialized", "params": {}})
    client.open("{", 1, f"{theirs}/a.rui.json")

    def reports(previous: tuple[dict, ...] = ()) -> list[dict]:
        ids = [{"uri": result["uri"], "value": result["resultId"]} for result in previous]
        return client.request("workspace/diagnostic", {"previousResultIds": ids})["items"]

    [report] = reports()
    assert report["uri"] == f"{theirs}/a.rui.json", "the open document, and not its file again"
    assert report["items"][0]["severity"] == 4, "the setting of the folder"
    client.shut(f"{ours}a.rui.json")
    [closed] = reports((report,))
    assert (closed["uri"], closed["version"]) == (report["uri"], None)
    removed = {"added": [], "removed": [{"uri": theirs, "name": "w"}]}
    client.say({"method": "workspace/didChangeWorkspaceFolders", "params": {"event": removed}})
    [cleared] = reports((closed,))
    assert cleared["items"] == []
