"""`rui merge`: three files, files in conflict, git's merge driver, and bad input."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from rui_cli.commands import merge as merge_command
from rui_cli.main import run
from rui_common.syntax.document import read
from rui_common.versions.merge import merge
from tests.inputs import resolving
from tests.inputs.merging import choose
from tests.rui_cli.running import rui
from tests.rui_common.versions.merge_cases import BASE, CONFLICTS, MERGED, OWNER, Edits, added, edited

ROOT = Path(__file__).parents[3]
NAME = "app.rui.json"

TITLE = ('"title": "Ward"', '"title": "Night"')
OTHER_TITLE = ('"title": "Ward"', '"title": "Day"')
PATH = ('"/api/patients"', '"/api/v2/patients"')


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(folder: Path, ours: str | bytes, theirs: str | bytes, base: str | bytes = BASE) -> list[str]:
    """Write three versions; return the names of their files."""
    for name, content in (("base", base), ("ours", ours), ("theirs", theirs)):
        (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    return ["base", "ours", "theirs"]


def test_three_files(folder: Path) -> None:
    names = write(folder, edited([TITLE]), edited([PATH]))
    assert rui("merge", "--stdout", *names) == (0, edited([TITLE, PATH]), "")
    assert (folder / "ours").read_text() == edited([TITLE])
    assert rui("merge", *names) == (0, "", "")
    assert (folder / "ours").read_text() == edited([TITLE, PATH])


def test_conflicts_are_named_and_written(folder: Path) -> None:
    ours, theirs, result, words = CONFLICTS["one property"]
    ran = rui("merge", *write(folder, edited(ours), edited(theirs)), "--path", NAME)
    assert ran == (1, "", f"rui merge: {NAME}: conflict: {words[0]}\nrui merge: {NAME}: merged with 1 conflict\n")
    assert (folder / "ours").read_text() == edited(result)
    ran = rui("merge", "-p", *write(folder, edited(ours), edited(theirs)), "--marker-size", "12")
    assert "\n<<<<<<<<<<<< ours\n" in ran.out
    assert len(read(ran.out).conflicts) == 1


def test_a_new_error_is_named_with_its_place(folder: Path) -> None:
    theirs = json.loads(BASE)
    theirs["pages"].pop()
    theirs["navigation"]["items"].pop()
    ours = BASE.replace('"label": "Staff" }', '"label": "Staff" },\n      { "pageId": "staff", "label": "Rota" }')
    ran = rui("merge", *write(folder, ours, json.dumps(theirs)))
    assert ran.code == 1
    message = 'neither side has this error: Navigation pageId "staff" does not match any page.'
    line, column = read((folder / "ours").read_text()).lines.position((folder / "ours").read_text().index('"staff"'))
    assert f"rui merge: ours:{line + 1}:{column + 1}: {message}\n" in ran.err
    assert read((folder / "ours").read_bytes()).valid


@pytest.mark.parametrize(("ours", "theirs", "why"), [
    (edited([TITLE]), BASE.replace('"0.1",', '"0.1"'), "theirs is not JSON, line 3, column 3: Expected comma"),
    (BASE.replace("}", "", 1), edited([TITLE]), "ours is not JSON, line "),
    (edited([TITLE]), "[]", "theirs is no JSON object"),
    (edited([TITLE]), "", "theirs is not JSON, line 1, column 1: Expected a JSON value, the text is empty"),
    (edited([TITLE]), BASE.replace('"version"', '"meta": {}, "version"'), "theirs has the property meta twice, line 2"),
    (edited(CONFLICTS["one property"][2]), edited([PATH]), "ours has conflict markers"),
    (edited([TITLE]), edited([OTHER_TITLE]).replace("Ada", "Adä").encode("latin-1"), "The byte 0xE4 is not UTF-8 here"),
])  # fmt: skip
def test_what_is_no_json_is_merged_by_lines(folder: Path, ours: str, theirs: str | bytes, why: str) -> None:
    ran = rui("merge", *write(folder, ours, theirs), "--path", NAME)
    assert ran.code == 1
    assert ran.err.startswith(f"rui merge: {NAME}: ")
    assert ran.err.count("\n") == 1
    assert why in ran.err
    written = (folder / "ours").read_bytes()
    lines = theirs if isinstance(theirs, bytes) else theirs.encode()
    assert {*lines.splitlines()} - {*BASE.encode().splitlines()} <= {*written.splitlines()}


def test_what_has_no_lines_is_not_merged(folder: Path) -> None:
    ran = rui("merge", *write(folder, edited([TITLE]), edited([OTHER_TITLE]).encode("utf-16")), "--path", NAME)
    assert ran.code == 2
    assert ran.err.endswith("not merged, as git regards it as a binary file\n")
    assert (folder / "ours").read_text() == edited([TITLE])


def test_without_git_both_sides_are_written(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = write(folder, edited([TITLE]), "{" + edited([PATH]))
    monkeypatch.setenv("PATH", "")
    assert rui("merge", *names, environment={"PATH": ""}).code == 1
    text = (folder / "ours").read_text()
    assert text == f"<<<<<<< ours\n{edited([TITLE])}=======\n{{{edited([PATH])}>>>>>>> theirs\n"
    assert choose(text, 0).text == edited([TITLE])


def test_an_internal_error_does_not_lose_theirs(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(merge_command, "merge", lambda *_, **__: 1 / 0)
    names = write(folder, edited([TITLE]), edited([OTHER_TITLE]))
    with pytest.raises(ZeroDivisionError):
        rui("merge", *names, environment={"RUI_DEBUG": "1"})
    monkeypatch.setenv("RUI_DEBUG", "1")
    monkeypatch.setattr(sys, "argv", ["rui", "merge", *names])
    with pytest.raises(SystemExit) as stopped:
        run()
    assert stopped.value.code == 2
    assert (folder / "ours").read_text() == edited([TITLE])
    ran = rui("merge", *names)
    assert ran.code == 1
    assert "internal error: ZeroDivisionError" in ran.err
    assert choose((folder / "ours").read_text(), 1).text == edited([OTHER_TITLE])


@pytest.mark.parametrize("change", [
    lambda text: text.encode().replace(b"\n", b"\r\n"), lambda text: b"\xef\xbb\xbf" + text.encode(),
])  # fmt: skip
def test_line_ends_and_byte_order_marks_stay(folder: Path, change) -> None:
    ours, theirs, result = MERGED["both add at one place"]
    assert rui("merge", *write(folder, change(edited(ours)), edited(theirs))).code == 0
    assert (folder / "ours").read_bytes() == change(edited(result))


def test_documents_with_nothing_in_common(folder: Path) -> None:
    other = {"version": "0.1", "meta": {}, "navigation": {"items": [{"pageId": "x"}]}, "pages": []}
    names = write(folder, BASE, json.dumps(other), base=b"")
    ran = rui("merge", *names)
    assert ran.code in {0, 1}
    assert choose((folder / "ours").read_text(), 0).valid


@pytest.mark.parametrize(("arguments", "message"), [
    ([], "name three versions, or one file in conflict; see rui merge --help"),
    (["a", "b"], "name three versions, or one file in conflict; see rui merge --help"),
    (["a", "b", "c", "d"], "unexpected argument d; see rui merge --help"),
    (["-", "b", "c"], "name files: none of them can come from standard input; see rui merge --help"),
    (["base", "ours", "gone"], "cannot read gone: no such file or directory"),
    (["base", "ours", "."], "cannot read .: it is a folder; name one file"),
    (["base", "ours", "theirs", *4 * ["--label=x"]],
     "--label names ours, base, theirs: at most three; see rui merge --help"),
    (["base", "ours", "theirs", "--marker-size", "3"], "--marker-size is a number from 7 to 200; see rui merge --help"),
    (["ours"], "not a git repository (or any of the parent directories): .git"),
])  # fmt: skip
def test_a_wrong_command_line(folder: Path, arguments: list[str], message: str) -> None:
    write(folder, edited([TITLE]), edited([PATH]))
    environment = {"GIT_CEILING_DIRECTORIES": str(folder.parent)}
    assert rui("merge", *arguments, environment=environment) == (2, "", f"rui merge: {message}\n")


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may write every file")
def test_a_file_that_cannot_be_written(folder: Path) -> None:
    names = write(folder, edited([TITLE]), edited([PATH]))
    (folder / "ours").chmod(0o400)
    assert rui("merge", *names) == (2, "", "rui merge: cannot write ours: permission denied\n")
    assert (folder / "ours").read_text() == edited([TITLE])


# git ------------------------------------------------------------------------------------------------------------------


REAL = Path(sys.executable).parent

# What is wrong with `rui` → a script in its place, which git's shell finds first on the `PATH`.
BROKEN = {
    "absent": "",
    "broken": "echo 'ImportError: no such module' >&2; exit 1",
    "older": "case $1 in --version) exit 0;; esac; echo 'unknown option --marker-size' >&2; exit 2",
    "killed": "case $1 in --version) exit 0;; esac; kill -KILL $$",
    "broken while it merges": f'case $1 in --version) exit 0;; esac; ulimit -f 0; exec "{REAL / "rui"}" "$@"',
}


class Repository:
    """A repository with the document `NAME` in it, in a sub-folder."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.file = root / "docs" / NAME
        self.programs = REAL  # the folder in which `rui` is
        self.file.parent.mkdir()
        self.git("init", "--quiet", "--initial-branch", "main")
        for name, value in (("user.name", "A"), ("user.email", "a@example.org"), ("core.autocrlf", "false")):
            self.git("config", name, value)
        self.commit("base", BASE)

    def git(self, *arguments: str, code: int = 0) -> str:
        environment = {
            **os.environ, "PATH": f"{self.programs}{os.pathsep}{os.environ['PATH']}",
            "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull, "GIT_EDITOR": "true",
        }  # fmt: skip
        done = subprocess.run(
            ["git", *arguments], cwd=self.root, capture_output=True, text=True, check=False, env=environment
        )
        assert done.returncode == code, done
        return done.stdout + done.stderr

    def use_drivers(self) -> None:
        """Set the drivers up as docs/comparing.md describes it."""
        page = (ROOT / "docs" / "comparing.md").read_text(encoding="utf-8")
        attributes = ""
        for name in ("merge", "diff"):
            recipe = re.search(rf"git config ({name}\.rui\.\w+) '([^']+)' &&\necho '(.+)' >> \.gitattributes\n", page)
            assert recipe is not None
            self.git("config", recipe[1], recipe[2])
            attributes += f"{recipe[3]}\n"
        (self.root / ".git" / "info" / "attributes").write_text(attributes)

    def break_program(self, how: str) -> None:
        """Put something else in the place of `rui`."""
        self.programs = self.root / ".git" / "programs"
        self.programs.mkdir()
        script = self.programs / "rui"
        if BROKEN[how]:
            script.write_text(f"#!/bin/sh\n{BROKEN[how]}\n")
            script.chmod(0o755)

    def commit(self, name: str, text: str) -> None:
        self.file.write_text(text)
        self.git("add", ".")
        self.git("commit", "--quiet", "--message", name)

    def branch(self, name: str, text: str, start: str = "main") -> None:
        self.git("checkout", "--quiet", "-b", name, start)
        self.commit(name, text)

    def branches(self, ours: Edits, theirs: Edits) -> None:
        """Make two branches; the first one is checked out."""
        self.branch("theirs", edited(theirs))
        self.branch("ours", edited(ours))

    def leave_in_conflict(self, ours: Edits, theirs: Edits) -> str:
        """Merge two branches by lines, which is a conflict; return the text of the file."""
        self.branches(ours, theirs)
        self.git("merge", "theirs", code=1)
        return self.file.read_text()


@pytest.fixture
def repository(folder: Path) -> Repository:
    return Repository(folder)


BOTH = MERGED["both add at one place"]
CONFLICT = CONFLICTS["one property"]


@pytest.mark.parametrize("command", [["merge", "theirs"], ["rebase", "theirs"], ["cherry-pick", "theirs"]])
def test_git_calls_the_driver(repository: Repository, command: list[str]) -> None:
    repository.branches(BOTH[0], BOTH[1])
    repository.git(*command, code=1)  # by lines, this is a conflict
    repository.git(command[0], "--abort")
    repository.use_drivers()
    repository.git(*command)
    result = edited(BOTH[2])
    if command[0] == "rebase":  # ours is the branch that the commits are put on
        result = merge(read(BASE), read(edited(BOTH[1])), read(edited(BOTH[0]))).text
    assert repository.file.read_text() == result


def test_git_calls_the_driver_for_what_was_stashed(repository: Repository) -> None:
    repository.use_drivers()
    repository.file.write_text(edited(BOTH[1]))
    repository.git("stash")
    repository.commit("ours", edited(BOTH[0]))
    repository.git("stash", "pop")
    assert repository.file.read_text() == edited(BOTH[2])


@pytest.mark.parametrize("name", ["-a.rui.json", "--force.rui.json", "a b.rui.json", "it's $HOME.rui.json"])
def test_git_calls_the_driver_for_any_name(repository: Repository, name: str) -> None:
    repository.use_drivers()
    repository.git("mv", f"docs/{NAME}", "--", f"./{name}")
    repository.git("commit", "--quiet", "--message", "move")
    repository.file = repository.root / name
    repository.branch("theirs", edited([OTHER_TITLE]))
    repository.git("checkout", "--quiet", "-b", "ours", "main")
    repository.commit("ours", edited([TITLE]))
    assert f"rui merge: {name}: conflict: {CONFLICT[3][0]}" in repository.git("merge", "theirs", code=1)
    assert repository.file.read_text() == edited(CONFLICT[2])


@pytest.mark.parametrize(("command", "how"), [
    *(("merge", how) for how in BROKEN), ("rebase", "absent"), ("cherry-pick", "killed"), ("stash", "older"),
])  # fmt: skip
def test_without_the_program_git_merges_by_lines(repository: Repository, how: str, command: str) -> None:
    """Ours without a marker would be added by `git commit -a`, and theirs would be lost."""
    repository.use_drivers()
    repository.break_program(how)
    if command == "stash":
        repository.file.write_text(edited([OTHER_TITLE]))
        repository.git("stash")
        repository.commit("ours", edited([TITLE]))
        repository.git("stash", "pop", code=1)
    else:
        repository.branches([TITLE], [OTHER_TITLE])
        repository.git(command, "theirs", code=1)
    text = repository.file.read_text()
    sides = [edited([TITLE]), edited([OTHER_TITLE])]
    assert [choose(text, side).text for side in (0, 1)] == (sides[::-1] if command == "rebase" else sides)
    assert {"<<<<<<< ours", ">>>>>>> theirs"} <= {*text.splitlines()}
    assert repository.git("status", "--porcelain").startswith("UU ")


@pytest.mark.parametrize("how", ["absent", "broken while it merges"])
def test_without_the_program_git_merges_other_lines(repository: Repository, how: str) -> None:
    repository.use_drivers()
    repository.break_program(how)
    repository.branches([TITLE], [PATH])
    repository.git("merge", "theirs")
    assert repository.file.read_text() == edited([TITLE, PATH])


@pytest.mark.parametrize("how", ["absent", "broken", "older"])
def test_without_the_program_git_shows_its_own_diff(repository: Repository, how: str) -> None:
    repository.use_drivers()
    repository.file.write_text(edited([TITLE]))
    assert "is now called" in repository.git("diff")
    repository.break_program(how)
    shown = repository.git("diff")
    assert '-      "title": "Ward",\n+      "title": "Night",\n' in shown
    repository.commit("ours", edited([TITLE]))
    assert '+      "title": "Night",\n' in repository.git("log", "-p", "--ext-diff")
    repository.branch("theirs", edited([OTHER_TITLE]), "HEAD~")
    repository.git("merge", "main", code=1)
    repository.git("diff")


@pytest.mark.parametrize("command", ["merge", "rebase", "cherry-pick"])
def test_git_stops_at_a_conflict_and_goes_on_after_it(repository: Repository, command: str) -> None:
    repository.use_drivers()
    repository.branches(CONFLICT[0], CONFLICT[1])
    out = repository.git(command, "theirs", code=1)
    assert CONFLICT[3][0] in out
    assert "CONFLICT" in out
    text = repository.file.read_text()
    chosen = choose(text, 1).text
    # In a rebase, ours is the branch that the commits are put on.
    assert chosen == edited(CONFLICT[0] if command == "rebase" else CONFLICT[1])
    repository.file.write_text(chosen)
    repository.git("add", ".")
    repository.git(command, "--continue") if command != "merge" else repository.git("commit", "--no-edit")
    assert repository.git("status", "--porcelain") == ""


def test_a_criss_cross_merge(repository: Repository) -> None:
    """The merge bases are in conflict, so that git passes a base with markers."""
    repository.use_drivers()
    repository.branches([TITLE], [OTHER_TITLE])
    for branch, other, title in (("left", "theirs", TITLE), ("right", "ours", OTHER_TITLE)):
        start = "ours" if branch == "left" else "theirs"
        repository.git("checkout", "--quiet", "-b", branch, start)
        repository.git("merge", other, code=1)
        repository.commit(branch, edited([title]))
    repository.git("checkout", "--quiet", "left")
    repository.commit("more", edited([TITLE, PATH]))
    repository.git("merge", "right", code=1)
    assert choose(repository.file.read_text(), 0).value == read(edited([TITLE, PATH])).value


def test_a_renamed_file(repository: Repository) -> None:
    repository.use_drivers()
    repository.branches(BOTH[0], BOTH[1])
    repository.git("mv", f"docs/{NAME}", "docs/new.rui.json")
    repository.git("commit", "--quiet", "--message", "rename")
    repository.git("merge", "theirs")
    assert (repository.root / "docs" / "new.rui.json").read_text() == edited(BOTH[2])


@pytest.mark.parametrize("inside", [False, True])
def test_a_file_that_git_has_left_in_conflict(
    repository: Repository, monkeypatch: pytest.MonkeyPatch, inside: bool
) -> None:
    repository.branches(BOTH[0], BOTH[1])
    repository.git("merge", "theirs", code=1)
    assert len(read(repository.file.read_text()).conflicts) == 1
    if inside:
        monkeypatch.chdir(repository.file.parent)
    name = NAME if inside else f"docs/{NAME}"
    assert rui("merge", name) == (0, "", f"rui merge: {name}: merged without a conflict; git add it\n")
    assert repository.file.read_text() == edited(BOTH[2])
    repository.git("add", ".")
    repository.git("commit", "--no-edit")


def test_a_file_in_conflict_of_which_ours_is_the_result(repository: Repository) -> None:
    repository.git("config", "merge.conflictStyle", "diff3")  # all lines of all versions are in the file
    repository.branch("theirs", json.dumps(json.loads(edited([TITLE])), indent=7))
    repository.branch("ours", edited([TITLE]))
    repository.git("merge", "theirs", code=1)
    assert rui("merge", f"docs/{NAME}").code == 0
    assert repository.file.read_text() == edited([TITLE])


def test_a_file_that_both_sides_have_added(repository: Repository) -> None:
    for name, edit in (("theirs", PATH), ("ours", TITLE)):
        repository.git("checkout", "--quiet", "--orphan", name)
        repository.commit(name, edited([edit]))
    repository.git("merge", "--allow-unrelated-histories", "theirs", code=1)
    ran = rui("merge", f"docs/{NAME}")
    assert ran.code == 1
    assert "Page Night: title: added in two ways" in ran.err
    assert choose(repository.file.read_text(), 1).value == read(edited([PATH])).value


def test_a_file_that_one_side_has_deleted(repository: Repository) -> None:
    repository.branches([TITLE], [PATH])
    repository.git("rm", "--quiet", f"docs/{NAME}")
    repository.git("commit", "--quiet", "--message", "delete")
    repository.git("merge", "theirs", code=1)
    ran = rui("merge", f"docs/{NAME}")
    what = f"docs/{NAME} is deleted in ours and changed in theirs: keep it with git add, or delete it with git rm"
    assert ran == (2, "", f"rui merge: {what}\n")
    assert repository.file.read_text() == edited([PATH])


def test_a_file_that_both_sides_have_renamed(repository: Repository) -> None:
    for name, start in (("theirs", "main"), ("ours", "main")):
        repository.git("checkout", "--quiet", "-b", name, start)
        repository.git("mv", f"docs/{NAME}", f"docs/{name}.rui.json")
        repository.git("commit", "--quiet", "--message", name)
    repository.git("merge", "theirs", code=1)
    for name, what in (
        (NAME, "is deleted by both sides: delete it with git rm, or keep it with git add"),
        ("ours.rui.json", "is in ours alone: keep it with git add, or delete it with git rm"),
        ("theirs.rui.json", "is in theirs alone: keep it with git add, or delete it with git rm"),
    ):
        assert rui("merge", f"docs/{name}") == (2, "", f"rui merge: docs/{name} {what}\n")


# A file in conflict that was changed since ----------------------------------------------------------------------------

# Both sides change the title and the note; the last column can be merged by identity.
TWO = (
    [TITLE, ("eight", "nine"), added(OWNER, '{"key": "age"}')],
    [OTHER_TITLE, ("eight", "ten"), added(OWNER, '{"key": "size"}')],
)
MINE = '"title": "My own"'


def resolved(text: str, first: str) -> str:
    """Return a text in which the lines of the first conflict are replaced."""
    return re.sub(r"<<<<<<<.*?>>>>>>>[^\n]*\n", lambda _: first, text, count=1, flags=re.DOTALL)


RESOLUTIONS = {
    "ours": f"      {TITLE[1]},\n",
    "theirs": f"      {OTHER_TITLE[1]},\n",
    "the base": f"      {TITLE[0]},\n",
    "another text": f"      {MINE},\n",
    "another text on two lines": f'      {MINE},\n      "description": "As it was",\n',
    "deleted": "",
}


@pytest.mark.parametrize(("name", "style"), [
    *((name, "merge") for name in RESOLUTIONS), ("another text", "diff3"), ("deleted", "diff3"), ("the base", "zdiff3"),
])  # fmt: skip
def test_what_is_resolved_stays_so(repository: Repository, name: str, style: str) -> None:
    repository.git("config", "merge.conflictStyle", style)
    text = repository.leave_in_conflict(*TWO)
    lines = RESOLUTIONS[name]
    repository.file.write_text(resolved(text, lines))
    ran = rui("merge", f"docs/{NAME}")
    conflict = "Text “Rounds at eight.”: changed in two ways"
    messages = [f"conflict: {conflict}", "merged with 1 conflict"]
    assert ran == (1, "", "".join(f"rui merge: docs/{NAME}: {message}\n" for message in messages))
    written = repository.file.read_text()
    both = added(OWNER, '{"key": "age"}', '{"key": "size"}')
    for side, note in enumerate(("nine", "ten")):
        assert choose(written, side).text == edited([("eight", note), both, (f"      {TITLE[0]},\n", lines)])
    assert rui("merge", f"docs/{NAME}") == ran
    assert repository.file.read_text() == written


def test_what_is_changed_elsewhere_stays(repository: Repository) -> None:
    text = repository.leave_in_conflict(*TWO)
    repository.file.write_text(text.replace("/api/patients", "/api/v2/patients").replace("Ada.", "Ann."))
    assert rui("merge", f"docs/{NAME}").code == 1
    written = repository.file.read_text()
    both = [PATH, ("Ada.", "Ann."), added(OWNER, '{"key": "age"}', '{"key": "size"}')]
    assert choose(written, 0).text == edited([TITLE, ("eight", "nine"), *both])
    assert choose(written, 1).value == read(edited([OTHER_TITLE, ("eight", "ten"), *both])).value


def test_what_is_changed_in_a_conflict_stays(repository: Repository) -> None:
    text = repository.leave_in_conflict(*CONFLICT[:2])
    repository.file.write_text(text.replace(OTHER_TITLE[1], MINE))
    assert rui("merge", f"docs/{NAME}").code == 1
    written = repository.file.read_text()
    assert [choose(written, side).text for side in (0, 1)] == [edited([TITLE]), edited([(TITLE[0], MINE)])]


def test_a_file_is_formatted_with_a_conflict_in_it(repository: Repository) -> None:
    """All lines are changed. What is the same for both choices stays."""
    text = resolved(repository.leave_in_conflict(*TWO), f"      {MINE},\n")
    repository.file.write_text(re.sub("^ +", lambda found: 2 * found[0], text, flags=re.MULTILINE))
    assert rui("merge", f"docs/{NAME}").code == 1
    written = repository.file.read_text()
    both = [(TITLE[0], MINE), added(OWNER, '{"key": "age"}', '{"key": "size"}')]
    for side, note in enumerate(("nine", "ten")):
        assert choose(written, side).value == read(edited([("eight", note), *both])).value
    assert "\n            " + MINE in written


def test_no_conflict_is_left(repository: Repository) -> None:
    repository.leave_in_conflict(*TWO)
    for text in (edited([(TITLE[0], MINE)]), json.dumps(json.loads(edited(TWO[0])), indent=7), edited(TWO[1])):
        repository.file.write_text(text)
        message = f"rui merge: docs/{NAME}: no conflict is left; git add it\n"
        assert rui("merge", f"docs/{NAME}") == (0, "", message)
        assert repository.file.read_text() == text
        assert rui("merge", "-p", f"docs/{NAME}") == (0, text, "")
    repository.file.write_text(edited([("eight", "ten")]).replace('"direction": "row"', '"direction": "up"'))
    message = f"rui merge: docs/{NAME}: no conflict is left; it has 1 error, see rui check; then git add it\n"
    assert rui("merge", f"docs/{NAME}") == (0, "", message)


@pytest.mark.parametrize(("change", "why"), [
    (lambda text: edited(TWO[0]),
     "docs/app.rui.json is ours, without theirs: git add keeps it, rui merge --force merges both"),
    (lambda text: resolved(resolved(resolved(text, "      "), "      "), "      "),
     "no conflict is left, but docs/app.rui.json:28:51 is not JSON: "),
    (lambda text: text.replace("=======\n", "", 1), "docs/app.rui.json is unchanged, as with ours at each conflict"),
    (lambda text: resolved(text, "}"), "docs/app.rui.json is unchanged, as with ours at each conflict"),
    (lambda text: text.replace("Ada.", "Ad\udce4."), "docs/app.rui.json is not UTF-8: resolve its conflicts by hand"),
    (lambda text: resolved(text, f"{TITLE[0]}, {TITLE[0]},"), "docs/app.rui.json is unchanged: ours has the property"),
], ids=["ours", "deleted", "a marker", "a bracket", "not UTF-8", "a property twice"])  # fmt: skip
def test_a_file_in_conflict_that_cannot_be_merged_is_unchanged(repository: Repository, change, why: str) -> None:
    text = repository.leave_in_conflict(*TWO)
    changed = change(text).encode("utf-8", "surrogateescape")
    repository.file.write_bytes(changed)
    ran = rui("merge", f"docs/{NAME}")
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert why in ran.err
    assert repository.file.read_bytes() == changed
    assert rui("merge", "--force", f"docs/{NAME}").code == 1
    assert choose(repository.file.read_text(), 0).value["pages"][0]["title"] == "Night"


def test_a_file_is_changed_while_it_is_merged(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    repository.leave_in_conflict(*TWO)
    merge_versions = merge_command.merge

    def change(*versions, **options):
        repository.file.write_text("new")
        return merge_versions(*versions, **options)

    monkeypatch.setattr(merge_command, "merge", change)
    ran = rui("merge", f"docs/{NAME}")
    assert ran.code == 2
    assert ran.err.endswith(f"rui merge: cannot write docs/{NAME}: it has changed since it was read\n")
    assert repository.file.read_text() == "new"


def test_random_resolutions(tmp_path: Path) -> None:
    """tests/inputs/resolving.py checks hundreds of histories; these have conflicts by lines."""
    repository = resolving.Repository(tmp_path)
    outcomes = {resolving.check(repository, seed) for seed in (6, 11, 13, 16, 20, 38, 39, 45, 58)}
    assert {"merged", "merged with conflicts", "unchanged"} <= outcomes


def test_a_conflict_of_the_driver_is_resolved(repository: Repository) -> None:
    repository.use_drivers()
    text = repository.leave_in_conflict(*TWO)
    repository.file.write_text(resolved(text, f"      {MINE},\n"))
    assert rui("merge", f"docs/{NAME}").code == 1
    assert repository.file.read_text() == resolved(text, f"      {MINE},\n")


def test_line_ends_and_marker_size_of_the_folder_stay(repository: Repository) -> None:
    (repository.root / ".git" / "info" / "attributes").write_text("*.rui.json conflict-marker-size=9 eol=crlf\n")
    repository.leave_in_conflict(*TWO)
    assert rui("merge", f"docs/{NAME}").code == 1
    lines = repository.file.read_bytes().split(b"\n")
    assert lines.count(b"<<<<<<<<< HEAD\r") == lines.count(b">>>>>>>>> theirs\r") == 2
    assert all(line.endswith(b"\r") for line in lines[:-1])
    assert rui("merge", "--force", f"docs/{NAME}").code == 1
    assert repository.file.read_bytes().split(b"\n") == lines
    repository.file.write_bytes(edited([TITLE]).encode())  # without markers, the size is that of the attribute
    assert rui("merge", "--force", f"docs/{NAME}").code == 1
    assert b"\n<<<<<<<<< ours\r" in repository.file.read_bytes()


STYLE_BASE = f"||||||| base\n      {TITLE[0]},\n=======\n"


@pytest.mark.parametrize("style", ["diff3", "zdiff3"])
def test_the_base_is_shown_as_git_is_configured(repository: Repository, style: str) -> None:
    repository.use_drivers()
    repository.git("config", "merge.conflictStyle", style)
    repository.branches(CONFLICT[0], CONFLICT[1])
    repository.git("merge", "theirs", code=1)
    text = repository.file.read_text()
    assert STYLE_BASE in text
    assert choose(text, 0).text == edited(CONFLICT[0]) and choose(text, 1).text == edited(CONFLICT[1])
    assert rui("merge", f"docs/{NAME}").code == 1
    assert repository.file.read_text() == text


@pytest.mark.parametrize(("labels", "names"), [
    (["HEAD", "1a2b3c4", "topic"], ("HEAD", "topic")), (["%X", "%S", "%Y"], ("ours", "theirs")),
    (["Updated upstream"], ("Updated upstream", "theirs")), (["", "", "3c4 (a  b)"], ("ours", "3c4 (a b)")),
])  # fmt: skip
def test_conflicts_name_the_branches(folder: Path, labels: list[str], names: tuple[str, str]) -> None:
    """git replaces %X, %S and %Y from 2.45 on."""
    ours, theirs, _, _ = CONFLICTS["changed and deleted"]
    ran = rui("merge", "-p", *write(folder, edited(ours), edited(theirs)), *(f"--label={label}" for label in labels))
    assert f"\n<<<<<<< {names[0]}\n" in ran.out and f"\n>>>>>>> {names[1]}\n" in ran.out
    assert f"changed in {names[0]}, deleted in {names[1]}\n" in ran.err
    ran = rui("merge", "-p", *write(folder, edited([TITLE]), "{"), *(f"--label={label}" for label in labels))
    assert f"<<<<<<< {names[0]}\n" in ran.out and f">>>>>>> {names[1]}\n" in ran.out


def test_mergetool(repository: Repository) -> None:
    """The recipe of docs/comparing.md."""
    page = (ROOT / "docs" / "comparing.md").read_text(encoding="utf-8")
    recipe = re.search(
        r"git config mergetool\.rui\.cmd '(.+)' &&\ngit config (\S+) true &&\ngit (mergetool .+)\n", page
    )
    assert recipe is not None
    repository.git("config", "mergetool.rui.cmd", recipe[1])
    repository.git("config", recipe[2], "true")
    repository.leave_in_conflict(BOTH[0], BOTH[1])
    repository.git(*recipe[3].split())
    assert repository.file.read_text() == edited(BOTH[2])
    assert repository.git("status", "--porcelain", "--untracked-files=no") == f"M  docs/{NAME}\n"


def test_mergetool_leaves_what_is_in_conflict(repository: Repository) -> None:
    repository.git("config", "mergetool.rui.cmd", 'rui merge -- "$MERGED"')
    repository.git("config", "mergetool.rui.trustExitCode", "true")
    repository.leave_in_conflict(CONFLICT[0], CONFLICT[1])
    assert CONFLICT[3][0] in repository.git("mergetool", "--no-prompt", "--tool", "rui", code=1)
    assert repository.git("status", "--porcelain", "--untracked-files=no") == f"UU docs/{NAME}\n"
