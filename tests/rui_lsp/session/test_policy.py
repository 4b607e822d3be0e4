"""`rui.toml` in the language server: what is excluded, what warnings count as, what is ignored, and *Ignore here*."""

import random
import tomllib
from pathlib import Path

import pytest

from rui_lsp.session.ignoring import MAX_TEXT
from tests.inputs.policies import by_command_line, by_language_server, random_policy, write_corpus
from tests.rui_cli.commands.test_policy import BAD
from tests.rui_cli.running import FAULTY
from tests.rui_lsp.conversation import NO_PAUSE, REFRESHES, Conversation
from tests.rui_lsp.lsp_client import PUBLISH
from tests.rui_lsp.marked import opened
from tests.support.small import DOCUMENT

DOUBTFUL = DOCUMENT.replace("BLOCK", '{"id": "note", "type": "Text", "content": "<b>x</b>"}').replace(
    '"meta": {}', '"meta": {"title": "TODO"}'
)
CREATES = {"workspaceEdit": {"documentChanges": True, "resourceOperations": ["create"]}}
MARKUP_OFF = '[rules]\nMARKUP = "off"\n'


class Project:
    """A workspace with a document, and a client that requests diagnostics."""

    def __init__(
        self,
        folder: Path,
        toml: str | None = None,
        *,
        workspace: object = None,
        text_document: object = None,
        **options: object,
    ) -> None:
        self.folder = folder
        (folder / "apps").mkdir(exist_ok=True)
        self.path = folder / "apps" / "a.rui.json"
        self.path.write_text(DOUBTFUL)
        if toml is not None:
            (folder / "rui.toml").write_text(toml)
        capabilities = {
            "textDocument": {**REFRESHES["textDocument"], **(text_document or {})},
            "workspace": {**REFRESHES["workspace"], **(workspace or {})},
        }
        self.client = Conversation(capabilities, {**NO_PAUSE, **options}, rootUri=folder.as_uri())

    def open(self, text: str = DOUBTFUL) -> None:
        self.client.open(text, uri=self.path.as_uri())

    def write(self, toml: str) -> None:
        """Write the file, and report it as a client that watches it does."""
        (self.folder / "rui.toml").write_text(toml)
        changes = [{"uri": (self.folder / "rui.toml").as_uri(), "type": 2}]
        self.client.say({"method": "workspace/didChangeWatchedFiles", "params": {"changes": changes}})

    def tell(self, method: str, params: object) -> None:
        """Send a notification, and wait until the server has the diagnostics requested again."""
        self.client.sent.clear()
        self.client.say({"method": method, "params": params})
        self.client.until(lambda: self.client.received("workspace/diagnostic/refresh"), "refresh")

    def items(self) -> list[dict]:
        params = {"textDocument": {"uri": self.path.as_uri()}}
        return self.client.request("textDocument/diagnostic", params)["items"]

    def found(self) -> list[tuple[str, int]]:
        return [(item["code"], item["severity"]) for item in self.items()]

    def actions(self, *codes: str) -> list[dict]:
        """The quick fixes for all diagnostics with some codes, or for all."""
        items = [item for item in self.items() if not codes or item["code"] in codes]
        params = {
            "textDocument": {"uri": self.path.as_uri()},
            "range": {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}},
            "context": {"diagnostics": items, "only": ["quickfix"]},
        }
        return self.client.request("textDocument/codeAction", params)

    def ignores(self, *codes: str) -> list[dict]:
        return [action for action in self.actions(*codes) if action["title"].startswith("Ignore here")]


BOTH = [("PLACEHOLDER", 2), ("MARKUP", 2)]
POLICIES = {
    "": BOTH,
    MARKUP_OFF: BOTH[:1],
    '[rules]\nMARKUP = "error"\n': [BOTH[0], ("MARKUP", 1)],
    '[per-file-ignores]\n"apps/*" = ["MARKUP at note", "PLACEHOLDER at meta"]\n': [],
    'exclude = ["apps"]\n': [],
    'exclude = ["a.rui.json"]\n': [],
    '[rules]\nORPHAN_PAGE = "off"\nMARKUP = "off"\n': BOTH,
}


@pytest.mark.parametrize("toml", POLICIES)
@pytest.mark.parametrize("is_open", [True, False])
def test_open_and_closed_documents_follow_the_policy(toml: str, is_open: bool, tmp_path: Path) -> None:
    project = Project(tmp_path, toml)
    if is_open:
        project.open()
    assert project.found() == POLICIES[toml]


def test_a_change_is_seen(tmp_path: Path) -> None:
    project = Project(tmp_path)
    project.open()
    for toml in ("", MARKUP_OFF, 'exclude = ["apps"]\n', ""):
        project.client.sent.clear()
        project.write(toml)
        assert project.found() == POLICIES[toml]
        assert project.client.received("workspace/diagnostic/refresh")
    (tmp_path / "apps" / "rui.toml").write_text(MARKUP_OFF)
    project.client.say({"method": "textDocument/didSave", "params": {"textDocument": {"uri": project.path.as_uri()}}})
    assert project.found() == BOTH[:1]


def test_a_change_is_seen_without_watching(tmp_path: Path) -> None:
    project = Project(tmp_path, MARKUP_OFF)
    project.open()
    assert project.found() == BOTH[:1]
    (tmp_path / "rui.toml").write_text("")
    project.client.until(lambda: project.client.received("workspace/diagnostic/refresh"), "refresh")
    assert project.found() == BOTH


def test_closed_files_are_published_again(tmp_path: Path) -> None:
    (tmp_path / "apps").mkdir()
    (tmp_path / "apps" / "a.rui.json").write_text(DOUBTFUL)
    client = Conversation({}, rootUri=tmp_path.as_uri())
    client.say({"method": "initialized", "params": {}})
    client.until(lambda: client.received(PUBLISH), "diagnostics")
    (tmp_path / "rui.toml").write_text('exclude = ["apps"]\n')
    changes = [{"uri": (tmp_path / "rui.toml").as_uri(), "type": 1}]
    client.say({"method": "workspace/didChangeWatchedFiles", "params": {"changes": changes}})
    client.until(lambda: not client.received(PUBLISH)[-1]["diagnostics"], "end of the diagnostics")


def test_an_excluded_document_has_all_else(tmp_path: Path) -> None:
    project = Project(tmp_path, 'exclude = ["apps"]\n')
    project.open(FAULTY)
    assert project.found() == []
    params = {"textDocument": {"uri": project.path.as_uri()}}
    assert project.client.request("textDocument/documentSymbol", params)
    assert project.client.request(
        "textDocument/formatting", {**params, "options": {"tabSize": 2, "insertSpaces": True}}
    )


def test_an_excluded_folder_is_not_searched(tmp_path: Path) -> None:
    """Not even a `rui.toml` in it includes it. One above that cannot be used excludes nothing."""
    project = Project(tmp_path, 'exclude = ["apps"]\n')
    (tmp_path / "apps" / "rui.toml").write_text(MARKUP_OFF)
    (tmp_path / "kept.rui.json").write_text(DOUBTFUL)

    def listed() -> set[str]:
        reports = project.client.request("workspace/diagnostic", {"previousResultIds": []})["items"]
        symbols = project.client.request("workspace/symbol", {"query": "note"})
        uris = {report["uri"] for report in reports}
        assert uris == {symbol["location"]["uri"] for symbol in symbols}
        return {uri.rpartition("/")[2] for uri in uris}

    assert listed() == {"kept.rui.json"}
    assert project.found() == []
    project.write('exclude = ["apps"]\nrule = 1')
    assert project.found() == BOTH[:1]
    assert listed() == {"kept.rui.json", "a.rui.json"}
    [message] = project.client.shown()
    assert message.startswith(f"rui.toml has no effect: cannot use {tmp_path / 'rui.toml'}: `rule` is unknown")
    project.open()
    assert project.found() == BOTH[:1]


def test_rui_toml_comes_before_the_setting(tmp_path: Path) -> None:
    severities = {"MARKUP": "hint", "PLACEHOLDER": "information"}
    project = Project(tmp_path, '[rules]\nMARKUP = "error"\n', diagnostics={"severity": severities, "delay": 0})
    for is_open in (False, True):
        if is_open:
            project.open()
        assert project.found() == [("PLACEHOLDER", 3), ("MARKUP", 1)]
    project.write("")
    assert project.found() == [("PLACEHOLDER", 3), ("MARKUP", 4)]


def test_an_untrusted_workspace_has_no_policy(tmp_path: Path) -> None:
    project = Project(tmp_path, 'exclude = ["apps"]\n[rules]\nMARKUP = "x"\n', isWorkspaceTrusted=False)
    project.open()
    assert (project.found(), project.client.shown(), project.ignores()) == (BOTH, [], [])


def test_a_bad_policy_is_shown_once_and_silences_nothing(tmp_path: Path) -> None:
    project = Project(tmp_path, '[rules]\nMARKUP = "off"\nORPHAN_PAGE = "off"\n')
    project.open()
    for _ in range(3):
        assert project.found() == BOTH
        project.client.request("workspace/diagnostic", {"previousResultIds": []})
    [message] = project.client.shown()
    assert message.startswith(f"rui.toml has no effect: cannot use {tmp_path / 'rui.toml'}: [rules] ORPHAN_PAGE is an")
    assert project.ignores() == []
    project.write(MARKUP_OFF)
    assert project.found() == BOTH[:1]
    (tmp_path / "rui.toml").unlink()
    (tmp_path / "rui.toml").mkdir()
    project.client.say({"method": "textDocument/didSave", "params": {"textDocument": {"uri": project.path.as_uri()}}})
    assert project.found() == BOTH
    assert project.client.shown()[1:] == [
        f"rui.toml has no effect: cannot read {tmp_path / 'rui.toml'}: it is a folder."
    ]


@pytest.mark.parametrize("kind", BAD)
def test_what_is_no_policy_is_one_message_and_silences_nothing(kind: str, tmp_path: Path) -> None:
    content, message = BAD[kind]
    if callable(content):
        content(tmp_path / "rui.toml")
    else:
        (tmp_path / "rui.toml").write_bytes(content if isinstance(content, bytes) else content.encode())
    project = Project(tmp_path)
    project.open()
    assert (project.found(), project.ignores()) == (BOTH, [])
    [shown] = project.client.shown()
    assert "\n" not in shown
    assert message.partition(" rui.toml:")[2] in shown


MARKUP_ERROR = '[rules]\nMARKUP = "error"\n'
CHANGES = {  # what happens to files while the editor runs, one after the other, and what is found then
    "created": (lambda folder: (folder / "rui.toml").write_text(MARKUP_OFF), BOTH[:1]),
    "nearer": (lambda folder: (folder / "apps" / "rui.toml").write_text(""), BOTH),
    "renamed": (lambda folder: (folder / "apps" / "rui.toml").rename(folder / "apps" / "old.toml"), BOTH[:1]),
    "renamed back": (lambda folder: (folder / "apps" / "old.toml").rename(folder / "apps" / "rui.toml"), BOTH),
    "replaced by a link": (
        lambda folder: (
            (folder / "apps" / "rui.toml").unlink(),
            (folder / "apps" / "rui.toml").symlink_to("../b.toml"),
        ),
        BOTH,  # it leads nowhere
    ),
    "its target": (lambda folder: (folder / "b.toml").write_text(MARKUP_ERROR), [BOTH[0], ("MARKUP", 1)]),
    "deleted": (lambda folder: (folder / "apps" / "rui.toml").unlink(), BOTH[:1]),
    "all deleted": (lambda folder: (folder / "rui.toml").unlink(), BOTH),
}


@pytest.mark.parametrize("is_open", [True, False])
def test_each_change_of_files_is_seen(is_open: bool, tmp_path: Path) -> None:
    project = Project(tmp_path)
    if is_open:
        project.open()
    assert project.found() == BOTH
    for kind, (change, left) in CHANGES.items():
        change(tmp_path)
        events = [{"uri": (tmp_path / "apps" / "rui.toml").as_uri(), "type": 2}]
        project.client.say({"method": "workspace/didChangeWatchedFiles", "params": {"changes": events}})
        assert project.found() == left, kind


def test_a_moved_folder_has_the_policy_of_its_new_place(tmp_path: Path) -> None:
    for name, toml in {"a": MARKUP_OFF, "b": 'exclude = ["inner"]\n'}.items():
        (tmp_path / name / "inner").mkdir(parents=True)
        (tmp_path / name / "rui.toml").write_text(toml)
    (tmp_path / "a" / "inner" / "moved").mkdir()
    (tmp_path / "a" / "inner" / "moved" / "x.rui.json").write_text(DOUBTFUL)
    project = Project(tmp_path)
    for place, left in {"a/inner/moved": BOTH[:1], "b/moved": BOTH, "b/inner/moved": [], "moved": BOTH}.items():
        [file] = tmp_path.glob("**/x.rui.json")
        if file.parent != tmp_path / place:
            file.parent.rename(tmp_path / place)
            event = {"files": [{"oldUri": file.parent.as_uri(), "newUri": (tmp_path / place).as_uri()}]}
            project.client.say({"method": "workspace/didRenameFiles", "params": event})
        project.path = tmp_path / place / "x.rui.json"
        assert project.found() == left, place


TEXT = '# ours\n[per-file-ignores]\n"b" = ["MARKUP"]  # b\n\n[api]  # none\n'


@pytest.mark.parametrize("has_changes", [True, False])
def test_ignore_here(has_changes: bool, tmp_path: Path) -> None:
    project = Project(tmp_path, TEXT, workspace=CREATES if has_changes else None)
    project.open()
    actions = project.actions()
    assert [action["title"] for action in actions[-2:]] == [
        "Ignore here, in rui.toml: PLACEHOLDER at meta.title",
        "Ignore here, in rui.toml: MARKUP at note",
    ]
    assert not any(action.get("isPreferred") for action in actions[-2:])
    for number in range(2):
        action = project.ignores()[0]
        assert [item["code"] for item in action["diagnostics"]] == [BOTH[number][0]]
        uri, edits = _edits_of(action["edit"])
        assert uri == (tmp_path / "rui.toml").as_uri()
        project.write(opened((tmp_path / "rui.toml").read_text()).with_edits(edits))
        assert project.found() == BOTH[number + 1 :]
    entry = '"apps/a.rui.json" = ["PLACEHOLDER at meta.title", "MARKUP at note"]\n'
    assert (tmp_path / "rui.toml").read_text() == TEXT.replace("# b\n", f"# b\n{entry}")
    assert project.client.shown() == []


SYNCHRONIZES = {"synchronization": {"dynamicRegistration": True}}


def test_the_text_of_an_open_rui_toml_counts(tmp_path: Path) -> None:
    """It need not be saved, and does not silence anything while it is no TOML."""
    project = Project(tmp_path, "", workspace=CREATES, text_document=SYNCHRONIZES)
    client = project.client
    client.say({"method": "initialized", "params": {}})
    registered = [
        registration for sent in client.received("client/registerCapability") for registration in sent["registrations"]
    ]
    selectors = [
        registration["registerOptions"]["documentSelector"]
        for registration in registered
        if "toml" in registration["id"]
    ]
    assert selectors == 3 * [[{"scheme": "file", "pattern": "**/rui.toml"}]]
    uri = (tmp_path / "rui.toml").as_uri()

    def change(text: str, version: int) -> None:
        params = {"textDocument": {"uri": uri, "version": version}, "contentChanges": [{"text": text}]}
        project.tell("textDocument/didChange", params)

    project.open()
    assert project.found() == BOTH
    item = {"uri": uri, "languageId": "toml", "version": 1, "text": ""}
    client.say({"method": "textDocument/didOpen", "params": {"textDocument": item}})
    for version, (toml, left) in enumerate({MARKUP_OFF: BOTH[:1], "[rules": BOTH, "#\n" + TEXT: BOTH}.items(), 2):
        change(toml, version)
        assert project.found() == left
    text = "#\n" + TEXT
    for version in (4, 5):
        action = project.ignores()[0]
        [edit] = action["edit"]["documentChanges"]
        assert edit["textDocument"] == {"uri": uri, "version": version}
        text = opened(text).with_edits(edit["edits"])
        change(text, version + 1)
        assert project.found() == BOTH[version - 3 :]
    entry = '"apps/a.rui.json" = ["PLACEHOLDER at meta.title", "MARKUP at note"]\n'
    assert text == "#\n" + TEXT.replace("# b\n", f"# b\n{entry}")
    project.tell("textDocument/didClose", {"textDocument": {"uri": uri}})
    assert (project.found(), client.shown()) == (BOTH, [])


def test_a_rui_toml_counts_before_its_file_exists(tmp_path: Path) -> None:
    """Neovim creates none before it is saved. One that is reported as deleted counts no more."""
    project = Project(tmp_path, workspace=CREATES)
    project.open()
    [created, edit] = project.ignores("MARKUP")[0]["edit"]["documentChanges"]
    uri = created["uri"]
    text = opened("").with_edits(edit["edits"])
    item = {"uri": uri, "languageId": "toml", "version": 1, "text": text}
    project.tell("textDocument/didOpen", {"textDocument": item})
    assert project.found() == BOTH[:1]
    [edit] = project.ignores()[0]["edit"]["documentChanges"]
    text = opened(text).with_edits(edit["edits"])
    assert tomllib.loads(text) == {
        "per-file-ignores": {"apps/a.rui.json": ["MARKUP at note", "PLACEHOLDER at meta.title"]}
    }
    for number, (typed, left) in enumerate({text: [], "[rules": BOTH, MARKUP_OFF: BOTH[:1]}.items(), 2):
        params = {"textDocument": {"uri": uri, "version": number}, "contentChanges": [{"text": typed}]}
        project.tell("textDocument/didChange", params)
        assert project.found() == left
        assert bool(project.ignores()) == (typed == MARKUP_OFF)
    event = {"changes": [{"uri": uri, "type": 3}]}
    project.tell("workspace/didChangeWatchedFiles", event)
    assert (project.found(), project.client.shown()) == (BOTH, [])


@pytest.mark.parametrize("has_changes", [True, False])
def test_ignore_here_creates_the_file(has_changes: bool, tmp_path: Path) -> None:
    edits = {**CREATES["workspaceEdit"], "documentChanges": has_changes}
    project = Project(tmp_path, workspace={"workspaceEdit": edits})
    project.path = tmp_path / "größe [1].rui.json"
    project.open()
    [action] = project.ignores("MARKUP")
    created, change = action["edit"]["documentChanges"]
    assert (created["kind"], created["uri"]) == ("create", (tmp_path / "rui.toml").as_uri())
    project.write(opened("").with_edits(change["edits"]))
    content = tomllib.loads((tmp_path / "rui.toml").read_text())
    assert content == {"per-file-ignores": {"./größe [[]1].rui.json": ["MARKUP at note"]}}
    assert project.found() == BOTH[:1]


def _edits_of(edit: dict) -> tuple[str, list[dict]]:
    if "changes" in edit:
        [(uri, edits)] = edit["changes"].items()
        return uri, edits
    [change] = edit["documentChanges"]
    return change["textDocument"]["uri"], change["edits"]


def test_where_ignore_here_is_not_offered(tmp_path: Path) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()
    project = Project(inner)
    project.open()
    assert project.ignores() == []  # The client cannot create files.
    (tmp_path / "rui.toml").write_text("")
    project.write("#" * (MAX_TEXT + 1))
    assert project.ignores() == []
    (inner / "rui.toml").unlink()
    project = Project(inner, workspace=CREATES)
    project.open()
    assert project.ignores() == []  # The file is outside of the workspace.
    (inner / "rui.toml").symlink_to("../rui.toml")
    assert project.ignores() == []
    project.path.write_text(FAULTY)
    (inner / "rui.toml").unlink()
    project.write("per-file-ignores = {}")
    assert project.ignores() == []
    project.write("")
    assert len(project.ignores()) == 2
    project.open(FAULTY)
    assert project.ignores() == []  # Errors of the contract stay errors.


def test_editor_and_command_line_agree(tmp_path: Path) -> None:
    write_corpus(tmp_path, every=5)
    total = 0
    for seed in range(5):
        (tmp_path / "rui.toml").write_text(random_policy(tmp_path, random.Random(seed)))
        found = by_command_line(tmp_path)
        assert by_language_server(tmp_path, are_open=seed % 2 == 0) == found
        total += found.total()
    assert total > 100
