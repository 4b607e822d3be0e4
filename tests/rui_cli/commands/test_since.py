"""`rui check --since REV`: only what a revision of git does not have."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from rui_cli.formats import FORMATS
from rui_cli.git import SHALLOW
from tests.inputs import since
from tests.rui_cli.running import FAULTY, VALID, rui
from tests.rui_openapi.shop import SHOP, table
from tests.support.small import DOCUMENT

TWO = DOCUMENT.replace(
    "BLOCK",
    '{"id": "a", "type": "Text", "content": "<b>x</b>"}, '
    '{"id": "b", "type": "Text", "content": "<i>y</i>", "colour": 1}',
)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, a repository with a document that has old findings."""
    (tmp_path / "apps").mkdir()
    (tmp_path / "apps" / "a.rui.json").write_text(TWO)
    monkeypatch.chdir(tmp_path)
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    git("init", "--quiet")
    commit()
    return tmp_path


def git(*arguments: str) -> str:
    return subprocess.run([*since.GIT, *arguments], check=True, capture_output=True, text=True).stdout


def commit() -> None:
    git("add", "--all")
    git("commit", "--quiet", "--message", "one")


def found(*arguments: str, stdin: str = "") -> list[str]:
    """The codes and paths of what is new."""
    ran = rui("check", "--since", "HEAD", "--format", "json", *arguments, stdin=stdin)
    assert ran.err == ""
    return [f"{item['code']} {item['path']}" for item in json.loads(ran.out)]


SECTION = "pages[0].children[0]"
EDITED = {
    "nothing": (TWO, []),
    "another layout": (TWO.replace("\n", ""), []),
    "a new order": (TWO.replace('{"id": "a", "type": "Text", "content": "<b>x</b>"}, ', "").replace(
        '"colour": 1}', '"colour": 1}, {"id": "a", "type": "Text", "content": "<b>x</b>"}'), []),
    "one is repaired": (TWO.replace("<b>x</b>", "x"), []),
    "another value": (TWO.replace("<b>", "<em>"), [f"MARKUP {SECTION}.children[0].content"]),
    "another id": (TWO.replace('"id": "a"', '"id": "c"'), []),
    "an old fault at a second node": (
        TWO.replace('"id": "a"', '"id": "a", "colour": 1'), [f"UNKNOWN_PROP {SECTION}.children[0].colour"]),
    "the removed node's place": (
        TWO.replace('{"id": "a", "type": "Text", "content": "<b>x</b>"}', '{"id": "n", "type": "Table", "colour": 1}'),
        None),
    "broken": (TWO.removesuffix("}\n").rstrip().removesuffix("}"), ["INVALID_JSON "]),
}  # fmt: skip


@pytest.mark.parametrize("what", EDITED)
def test_what_is_new(what: str, folder: Path) -> None:
    text, new = EDITED[what]
    (folder / "apps" / "a.rui.json").write_text(text)
    if new is None:
        assert f"UNKNOWN_PROP {SECTION}.children[0].colour" in found()
    else:
        assert found() == new
        assert found("apps") == found("apps/a.rui.json") == found("apps/*.json") == new
        assert found("-", "--stdin-filename", "apps/a.rui.json", stdin=text) == new


@pytest.mark.parametrize("seed", range(20))
def test_random_histories(seed: int, tmp_path: Path) -> None:
    folder = tmp_path / "history"
    folder.mkdir()
    since.check(seed, folder)


@pytest.mark.parametrize("is_staged", [True, False])
def test_files_that_move(is_staged: bool, folder: Path) -> None:
    (folder / "apps" / "a.rui.json").rename(folder / "b.rui.json")
    (folder / "c.rui.json").write_text(TWO.replace('"a"', '"c"').replace('"b"', '"d"').replace("home", "start"))
    if is_staged:
        git("add", "--all")
    assert found("b.rui.json") == []
    assert len(found()) == 3
    (folder / "b.rui.json").write_text(TWO.replace("\n", "").replace("<b>", "<em>"))
    assert found("b.rui.json") == [f"MARKUP {SECTION}.children[0].content"]


def test_a_file_of_any_name(folder: Path) -> None:
    (folder / "b.json").write_text(TWO)
    commit()
    (folder / "b.json").write_text(TWO.replace("\n", "").replace('"colour"', '"color"'))
    assert found("b.json") == [f"UNKNOWN_PROP {SECTION}.children[1].color"]
    assert len(found("-", stdin=TWO)) == 3


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_has_only_what_is_new(name: str, folder: Path) -> None:
    arguments = ("check", "--since", "HEAD", "--format", name)
    assert rui(*arguments).code == 0
    assert "colour" not in rui(*arguments).out
    (folder / "apps" / "a.rui.json").write_text(TWO.replace('"id": "a"', '"id": "a", "shade": 1'))
    ran = rui(*arguments)
    assert (ran.code, "shade" in ran.out, "colour" in ran.out) == (1, True, False)


def test_the_counts_and_the_exit_code(folder: Path) -> None:
    assert rui("check", "--since", "HEAD") == (0, "no new errors; 1 file checked\n", "")
    (folder / "apps" / "a.rui.json").write_text(TWO.replace("<b>", "<em>"))
    ran = rui("check", "--since", "HEAD")
    assert (ran.code, ran.out.splitlines()[-1]) == (0, "1 new warning in 1 file; 1 file checked")
    assert rui("check", "--since", "HEAD", "--error-on-warnings").code == 1
    (folder / "rui.toml").write_text('[rules]\nMARKUP = "off"\n')
    assert rui("check", "--since", "HEAD", "--error-on-warnings").code == 0


def test_the_same_description_for_both(folder: Path) -> None:
    (folder / "openapi.yaml").write_text(SHOP)
    (folder / "apps" / "a.rui.json").write_text(table("/orders", "itms", "id"))
    commit()
    (folder / "apps" / "a.rui.json").write_text(table("/orders", "itms", "id").replace('"title": "', '"title": "Our '))
    assert found("--openapi", "openapi.yaml") == []
    (folder / "rui.toml").write_text('[api]\nopenapi = "openapi.yaml"\n')
    assert found() == []
    (folder / "apps" / "a.rui.json").write_text(table("/ordrs", "itms", "id"))
    assert [line.split()[0] for line in found("--strict-api")] == ["UNKNOWN_PATH"]


def test_fixing_old_and_new(folder: Path) -> None:
    (folder / "apps" / "a.rui.json").write_text(FAULTY)
    commit()
    (folder / "apps" / "a.rui.json").write_text(FAULTY.replace('"id": "note"', '"id": "note", "colour": 1'))
    ran = rui("check", "--since", "HEAD", "--fix", "--format", "concise")
    assert (ran.code, ran.out.count("UNKNOWN_PROP")) == (1, 1)
    assert '"title": "Home"' in (folder / "apps" / "a.rui.json").read_text()


def test_a_shallow_clone_lacks_revisions(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    commit_again = ["commit", "--quiet", "--allow-empty", "--message", "two"]
    git(*commit_again)
    git("clone", "--quiet", "--depth", "1", f"file://{folder}", str(folder / "clone"))
    monkeypatch.chdir(folder / "clone")
    message = f"--since HEAD~1: {folder / 'clone'} has no such revision; {SHALLOW}"
    assert rui("check", "--since", "HEAD~1") == (2, "", f"rui check: {message}\n")


def test_what_is_no_revision_or_no_repository(folder: Path) -> None:
    git("branch", "topic")
    outside = folder.parent / f"{folder.name}-outside"
    outside.mkdir()
    (outside / "a.rui.json").write_text(VALID)
    for arguments, message in {
        ("nope",): f"--since nope: {folder} has no such revision",
        ("HEAD", outside): f"--since needs a repository of git, and {outside} is in none",
        ("topci",): f"--since topci: {folder} has no such revision (did you mean topic?)",
        ("HEAD:apps",): f"--since HEAD:apps: {folder} has no such revision",
        ("^HEAD",): f"--since ^HEAD: {folder} has no such revision",
        ("HEAD..HEAD",): f"--since HEAD..HEAD: {folder} has no such revision",
        ("",): "--since needs a revision, such as main or HEAD~1; see rui check --help",
        ("a\nb",): f"--since a\\u000ab: {folder} has no such revision",
    }.items():
        assert rui("check", "--since", *arguments) == (2, "", f"rui check: {message}\n")
    assert rui("check", "--since").code == 2


def test_a_repository_inside_of_another(folder: Path) -> None:
    inner = folder / "inner"
    inner.mkdir()
    (inner / "b.rui.json").write_text(TWO)
    git("init", "--quiet", "inner")
    ran = rui("check", "--since", "HEAD", "--format", "concise")
    assert (ran.code, ran.out.count("inner/b.rui.json"), ran.err.count("\n")) == (2, 3, 1)
    assert "inner has no such revision" in ran.err
