"""Files that are not open: diagnostics for clients without pull support."""

import asyncio
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from rui_lsp.session import closed_files
from rui_lsp.session.files import is_listed
from tests.inputs.sample import sample_text
from tests.rui_lsp.conversation import LOOP, Conversation
from tests.rui_lsp.lsp_client import PUBLISH
from tests.support.tables import without_cross

VALID = sample_text(3000)
WATCHES = {"didChangeWatchedFiles": {"dynamicRegistration": True}, "workspaceFolders": True}
OPERATIONS = {f"did{verb}": True for verb in ("Create", "Rename", "Delete")}
CAPABILITIES = {"workspace": {**WATCHES, "fileOperations": OPERATIONS}}
CHANGED, DELETED = 2, 3


class Project:
    """A folder, and a client to which diagnostics are pushed. Names are paths of files without the suffix."""

    def __init__(self, folder: Path, capabilities: object = CAPABILITIES) -> None:
        self.folder = folder
        self._earlier_tasks = asyncio.all_tasks(LOOP)  # of other tests
        self.client = Conversation(capabilities, rootUri=folder.as_uri())
        self.client.say({"method": "initialized", "params": {}})

    def uri(self, name: str) -> str:
        return path_of(self.folder, name).as_uri()

    def open(self, name: str, text: str) -> None:
        self.client.open(text, uri=self.uri(name))

    def save(self, name: str) -> None:
        self.client.say({"method": "textDocument/didSave", "params": {"textDocument": {"uri": self.uri(name)}}})

    def report(self, **types: int) -> None:
        """Report changes of files, by their names."""
        changes = [{"uri": self.uri(name), "type": kind} for name, kind in types.items()]
        self.client.say({"method": "workspace/didChangeWatchedFiles", "params": {"changes": changes}})

    def published(self) -> int:
        return len(self.client.received(PUBLISH))

    def shown(self) -> set[str]:
        """Return the files of which the client shows diagnostics."""
        items = {params["uri"]: params["diagnostics"] for params in self.client.received(PUBLISH)}
        start = f"{self.folder.as_uri()}/"
        return {uri.removeprefix(start).removesuffix(".rui.json") for uri in items if items[uri]}

    def check(self, *expected: str) -> None:
        """Wait until all files are checked: the client shows diagnostics of these alone."""
        self.client.until(lambda: not asyncio.all_tasks(LOOP) - self._earlier_tasks, "end of the checks")
        assert self.shown() == set(expected)


def path_of(folder: Path, name: str) -> Path:
    return folder / f"{name}.rui.json"


def write(folder: Path, **texts: str) -> None:
    for name, text in texts.items():
        path = path_of(folder, name.replace("__", "/"))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def test_files_are_checked_when_they_or_settings_change(tmp_path: Path) -> None:
    write(tmp_path, good=VALID, bad="{", worse="[]", node_modules__other="{")
    project = Project(tmp_path)
    project.check("bad", "worse")
    assert project.published() == 2  # of valid and foreign files, none
    write(tmp_path, new="{")
    path_of(tmp_path, "worse").unlink()
    project.report(new=CHANGED, worse=CHANGED)
    project.check("bad", "new")
    # Of an open document, the text in the editor is checked, and the file when it is closed.
    project.open("bad", VALID)
    project.check("new")
    project.report(bad=CHANGED)
    project.client.shut(project.uri("bad"))
    project.check("bad", "new")
    project.open("bad", VALID)
    project.client.shut(project.uri("bad"))  # before the files have been checked
    project.check("bad", "new")
    for severities, expected in (({"INVALID_JSON": "off"}, ()), ({}, ("bad", "new"))):
        settings = {"rui": {"diagnostics": {"severity": severities}}}
        project.client.say({"method": "workspace/didChangeConfiguration", "params": {"settings": settings}})
        project.check(*expected)
    event = {"added": [], "removed": [{"uri": tmp_path.as_uri(), "name": ""}]}
    project.client.say({"method": "workspace/didChangeWorkspaceFolders", "params": {"event": event}})
    project.check()


@pytest.mark.parametrize("capabilities", [CAPABILITIES, {}], ids=["watching", "not watching"])
def test_changes_are_seen_when_a_document_is_opened_or_saved(capabilities: object, tmp_path: Path) -> None:
    write(tmp_path, bad="{", same="{")
    project = Project(tmp_path, capabilities)
    project.check("bad", "same")
    write(tmp_path, bad=VALID, new="{")
    project.open("other", VALID)
    project.check("new", "same")
    before = project.published()
    path_of(tmp_path, "new").unlink()
    project.save("other")
    project.check("same")
    assert project.published() == before + 2  # the open document and the file that is gone, but no other one


# Folders

MOVES: dict[str, tuple[Callable[[Path], object], set[str]]] = {
    "renamed": (lambda root: (root / "inner").rename(root / "moved"), {"moved/a", "moved/b/c"}),
    "renamed in case": (lambda root: (root / "inner").rename(root / "Inner"), {"Inner/a", "Inner/b/c"}),
    "moved into another": (lambda root: (root / "inner").rename(root / "other" / "x"), {"other/x/a", "other/x/b/c"}),
    "moved out": (lambda root: (root / "inner").rename(root.parent / "out"), set()),
    "moved to where nothing is checked": (lambda root: (root / "inner").rename(root / "node_modules"), set()),
    "hidden": (lambda root: (root / "inner").rename(root / ".inner"), set()),
    "deleted": (lambda root: shutil.rmtree(root / "inner"), set()),
    "replaced by a file": (lambda root: (shutil.rmtree(root / "inner"), (root / "inner").touch()), set()),
    "replaced by a link to itself": (
        lambda root: ((root / "inner").rename(root / "real"), (root / "inner").symlink_to("real")),
        {"real/a", "real/b/c"},
    ),
    "of which a file becomes a folder": (
        lambda root: (path_of(root, "inner/a").unlink(), write(root, **{"inner/a.rui.json/d": "{"})),
        {"inner/a.rui.json/d", "inner/b/c"},
    ),
}
"""By name: what happens to the folder `inner`, and the files that have problems then."""

TRIGGERS: dict[str, Callable[[Project], None]] = {
    "save": lambda project: project.save("open"),
    "open": lambda project: project.open("second", VALID),
    "event of another file": lambda project: project.report(elsewhere=CHANGED),
}
"""What the client sends then. None of it names the folder."""


@pytest.mark.parametrize(("trigger", "move"), without_cross(TRIGGERS, MOVES))
def test_a_folder_that_is_moved_or_deleted(move: str, trigger: str, tmp_path: Path) -> None:
    root = tmp_path / "root"
    write(root, inner__a="{", inner__b__c="[]", inner__valid=VALID, other__valid=VALID)
    project = Project(root)
    project.open("open", VALID)
    project.check("inner/a", "inner/b/c")
    change, expected = MOVES[move]
    change(root)
    TRIGGERS[trigger](project)
    project.check(*expected)


def test_the_event_of_a_folder_is_one_of_all_files_in_it(tmp_path: Path) -> None:
    project = Project(tmp_path)
    write(tmp_path, new__a="{", new__b__c="{")
    new = {"uri": (tmp_path / "new").as_uri(), "type": CHANGED}
    project.client.say({"method": "workspace/didChangeWatchedFiles", "params": {"changes": [new]}})
    project.check("new/a", "new/b/c")


def test_what_the_author_does_in_the_editor(tmp_path: Path) -> None:
    write(tmp_path, inner__a="{")
    project = Project(tmp_path)
    announced = project.client.capabilities["workspace"]["fileOperations"]
    assert {operation.lower() for operation in announced} == {operation.lower() for operation in OPERATIONS}
    project.check("inner/a")
    write(tmp_path, new__b="{")
    new, inner, moved = ((tmp_path / name).as_uri() for name in ("new", "inner", "moved"))
    project.client.say({"method": "workspace/didCreateFiles", "params": {"files": [{"uri": new}]}})
    project.check("inner/a", "new/b")
    (tmp_path / "inner").rename(tmp_path / "moved")
    renamed = {"files": [{"oldUri": inner, "newUri": moved}]}
    project.client.say({"method": "workspace/didRenameFiles", "params": renamed})
    project.check("moved/a", "new/b")
    shutil.rmtree(tmp_path / "new")
    project.client.say({"method": "workspace/didDeleteFiles", "params": {"files": [{"uri": new}]}})
    project.check("moved/a")


def test_a_file_that_is_renamed_in_case(tmp_path: Path) -> None:
    write(tmp_path, draft="{")
    project = Project(tmp_path)
    project.check("draft")
    path_of(tmp_path, "draft").rename(path_of(tmp_path, "Draft"))
    assert [is_listed(str(path_of(tmp_path, name))) for name in ("draft", "Draft")] == [False, True]
    project.report(draft=DELETED, Draft=CHANGED)
    project.check("Draft")


# Files that are not checked

EXCLUDED = ["node_modules/a", ".git/b", "sub/node_modules/c/d", ".e", "away/f", "../out"]


def test_a_change_of_a_file_that_is_no_document_of_the_folder_is_ignored(tmp_path: Path) -> None:
    root = tmp_path / "folder"
    (tmp_path / "elsewhere").mkdir()
    root.mkdir()
    (root / "away").symlink_to(Path("..", "elsewhere"))
    write(root, **dict.fromkeys(EXCLUDED, "{"), bad="{")
    (root / "g.json").write_text("{")
    project = Project(root)
    project.report(**dict.fromkeys((*EXCLUDED, "bad"), CHANGED))
    changes = [{"uri": (root / "g.json").as_uri(), "type": CHANGED}]
    project.client.say({"method": "workspace/didChangeWatchedFiles", "params": {"changes": changes}})
    project.check("bad")
    project.open(EXCLUDED[0], "{")
    project.check("bad", EXCLUDED[0])
    project.client.shut(project.uri(EXCLUDED[0]))
    project.check("bad")


def test_files_above_the_limit_are_reported_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(closed_files, "MAX_FILES", 2)
    write(tmp_path, a="{", b=VALID, c="{", d="{")
    project = Project(tmp_path)
    project.check("a")
    write(tmp_path, d="[]", b="[]")
    project.report(d=CHANGED, b=CHANGED)  # the author works on it
    project.check("a", "b", "d")
    write(tmp_path, d=VALID)
    project.open("e", VALID)
    project.check("a", "b")
    [shown] = project.client.shown()
    assert "4 documents" in shown and "first 2 " in shown
    assert caplog.messages == [shown]


# Links


def test_a_file_in_a_folder_that_is_a_link_is_shown_once(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("real")
    write(tmp_path / "real", a="{")
    linked, real = ("link/a", "real/a")
    project = Project(tmp_path)
    project.client = Conversation(CAPABILITIES, rootUri=(tmp_path / "link").as_uri())
    project.client.say({"method": "initialized", "params": {}})
    project.check(linked)
    project.open(real, "{")
    project.check(real)
    project.client.shut(project.uri(real))
    project.check(real)
    project.report(**{linked: CHANGED})
    project.check(real)
    path_of(tmp_path, real).unlink()
    project.report(**{linked: DELETED})
    project.check()


def test_a_link_that_leads_to_another_file_has_its_diagnostics(tmp_path: Path) -> None:
    for name, text in {"first.json": "{", "second.json": "{ ", "valid.json": VALID}.items():
        (tmp_path / name).write_text(text)
    link = path_of(tmp_path, "link")
    link.symlink_to("first.json")
    project = Project(tmp_path)
    project.check("link")
    for target, expected in (("second.json", {"link"}), ("valid.json", set()), ("first.json", {"link"})):
        link.unlink()
        link.symlink_to(target)
        project.report(link=CHANGED)
        project.check(*expected)
    link.unlink()
    project.save("other")
    project.check()
