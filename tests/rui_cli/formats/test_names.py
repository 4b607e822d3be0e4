"""The names of files in the formats for services: relative to the repository, in normal form."""

import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from urllib.parse import unquote
from xml.etree import ElementTree

import pytest

from tests.rui_cli.formats.workflow_commands import commands
from tests.rui_cli.running import FAULTY, rui


def in_github(text: str) -> set[str]:
    return {properties["file"] for _, properties, _ in commands(text)}


def in_sarif(text: str) -> set[str]:
    return {unquote(uri) for uri in re.findall(r'"uri": "(.*)"', text)}


def in_junit(text: str) -> set[str]:
    root = ElementTree.fromstring(text.partition("\n")[2])
    cases = [case for suite in root for case in suite]
    lines = [(failure.text or "").partition(":")[0] for case in cases for failure in case]
    return {suite.get("name", "") for suite in root} | {case.get("classname", "") for case in cases} | {*lines}


def in_rdjson(text: str) -> set[str]:
    return {item["location"]["path"] for item in json.loads(text)["diagnostics"]}


OF_REPOSITORY = {"github": in_github, "sarif": in_sarif, "junit": in_junit}
READ = {**OF_REPOSITORY, "rdjson": in_rdjson}


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with documents and links."""
    root = tmp_path / "repository"
    (root / "apps" / "deep").mkdir(parents=True)
    for name in ("a.rui.json", "apps/b.rui.json", "apps/deep/ü c.rui.json"):
        (root / name).write_text(FAULTY)
    (root / ".git").mkdir()
    (root / "linked").symlink_to("apps")
    (root / "link.rui.json").symlink_to("apps/b.rui.json")
    (tmp_path / "alias").symlink_to("repository")
    (tmp_path / "outside.rui.json").write_text(FAULTY)
    return root


def names(format_: str, *arguments: str, workspace: str = "") -> set[str]:
    environment = {"GITHUB_WORKSPACE": workspace} if workspace else {}
    return READ[format_](rui("check", "--format", format_, *arguments, environment=environment).out)


# Folder in the repository, argument → name in the repository, name relative to the folder.
SPELLINGS = {
    "as it is": ("", "apps/b.rui.json", "apps/b.rui.json", "apps/b.rui.json"),
    "a dot": ("", "./apps/./b.rui.json", "apps/b.rui.json", "apps/b.rui.json"),
    "two slashes": ("", "apps//b.rui.json", "apps/b.rui.json", "apps/b.rui.json"),
    "up and down": ("", "apps/deep/../b.rui.json", "apps/b.rui.json", "apps/b.rui.json"),
    "absolute": ("", "{root}/apps/b.rui.json", "apps/b.rui.json", "apps/b.rui.json"),
    "absolute, with two slashes": ("", "{root}//apps/b.rui.json", "apps/b.rui.json", "apps/b.rui.json"),
    "through a link to the repository": ("", "{root}/../alias/apps/b.rui.json", "apps/b.rui.json", "apps/b.rui.json"),
    "in a folder": ("apps", "b.rui.json", "apps/b.rui.json", "b.rui.json"),
    "in a folder, absolute": ("apps", "{root}/apps/b.rui.json", "apps/b.rui.json", "b.rui.json"),
    "above the folder": ("apps", "../a.rui.json", "a.rui.json", "../a.rui.json"),
    "above the folder, absolute": ("apps/deep", "{root}/a.rui.json", "a.rui.json", "../../a.rui.json"),
    "other letters": ("apps", "deep", "apps/deep/ü c.rui.json", "deep/ü c.rui.json"),
    "a link to a folder": ("", "linked/b.rui.json", "apps/b.rui.json", "apps/b.rui.json"),
    "a link to a file": ("apps", "../link.rui.json", "apps/b.rui.json", "b.rui.json"),
    "a glob": ("", "*ps/*.rui.json", "apps/b.rui.json", "apps/b.rui.json"),
    "outside": ("", "../outside.rui.json", "{outside}", "{outside}"),
}


@pytest.mark.parametrize(("spelling", "workspace"), [
    *((spelling, "") for spelling in SPELLINGS),
    *((spelling, "{root}") for spelling in SPELLINGS),
    *(("in a folder", workspace) for workspace in ("{root}/../alias", "{root}/", "/elsewhere")),
    *(("through a link to the repository", workspace) for workspace in ("{root}/../alias", "/elsewhere")),
])  # fmt: skip
def test_every_spelling_has_the_same_name(
    spelling: str, workspace: str, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inner, argument, name, from_folder = SPELLINGS[spelling]
    monkeypatch.chdir(repository / inner)
    outside = str(repository.parent / "outside.rui.json")
    for format_ in READ:
        expected = (from_folder if format_ == "rdjson" else name).format(outside=outside)
        if format_ == "sarif" and expected == outside:
            expected = f"file://{outside}"
        found = names(format_, argument.format(root=repository), workspace=workspace.format(root=repository))
        found = {url for url in found if url != "https://json.schemastore.org/sarif-2.1.0.json"}
        assert found == {expected}, format_


@pytest.mark.parametrize("format_", OF_REPOSITORY)
def test_worktrees_submodules_and_checkouts(
    format_: str, tmp_path: Path, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    worktree = tmp_path / "worktree"
    for kind in ("main", "worktree"):
        (tmp_path / kind / "apps").mkdir(parents=True)
        (tmp_path / kind / "apps" / "b.rui.json").write_text(FAULTY)
    (worktree / ".git").write_text("gitdir: ../repository/.git/worktrees/worktree\n")
    monkeypatch.chdir(worktree / "apps")
    assert names(format_, "b.rui.json") == {"apps/b.rui.json"}
    assert names(format_, "b.rui.json", workspace=str(repository)) == {"apps/b.rui.json"}
    # A submodule belongs to the workspace of GitHub Actions, a checkout in a folder of it (`path:`) does not.
    (repository / "apps" / ".git").write_text("gitdir: ../.git/modules/apps\n")
    monkeypatch.chdir(repository)
    assert names(format_, "apps/b.rui.json") == {"b.rui.json"}
    assert names(format_, "apps/b.rui.json", workspace=str(repository)) == {"apps/b.rui.json"}
    assert names(format_, "a.rui.json", workspace=str(tmp_path)) == {"a.rui.json"}
    # Without git, actions/checkout downloads the files alone.
    (worktree / ".git").unlink()
    assert names(format_, f"{worktree}/apps/b.rui.json", workspace=str(worktree)) == {"apps/b.rui.json"}
    monkeypatch.chdir(worktree)
    assert names(format_, f"{worktree}/apps/b.rui.json") == {"apps/b.rui.json"}
    assert names(format_, "apps/b.rui.json") == {"apps/b.rui.json"}


def test_names_from_outside_of_the_repository(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (repository.parent / "other").mkdir()
    monkeypatch.chdir(repository.parent / "other")
    for format_ in OF_REPOSITORY:
        assert "a.rui.json" in names(format_, "../repository/a.rui.json")
    assert names("rdjson", "../repository/a.rui.json") == {str(repository / "a.rui.json")}
    monkeypatch.chdir(repository.parent)
    assert names("rdjson", "repository/a.rui.json") == {"repository/a.rui.json"}


def test_a_real_worktree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "one" / "apps").mkdir(parents=True)
    (tmp_path / "one" / "apps" / "a.rui.json").write_text(FAULTY)
    for command in ("init -q", "add .", "-c user.name=a -c user.email=a@b commit -qm x", "worktree add -q ../two"):
        subprocess.run(["git", *command.split()], cwd=tmp_path / "one", check=True, capture_output=True)
    monkeypatch.chdir(tmp_path / "two" / "apps")
    assert names("github", ".") == {"apps/a.rui.json"}


def test_formats_for_people_keep_the_name_as_it_was_given(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(repository / "apps")
    for format_ in ("concise", "full", "agent", "json"):
        read: Callable[[str], bool] = lambda text: "./b.rui.json" in text and "apps" not in text  # noqa: E731
        assert read(rui("check", "--format", format_, "./b.rui.json").out)


@pytest.mark.parametrize("format_", READ)
def test_standard_input_has_no_place(format_: str, repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(repository / "apps")
    out = rui("check", "--format", format_, "-", stdin=FAULTY).out
    assert "<stdin>" in {name.removeprefix("https") for name in READ[format_](out)}
    named = rui("check", "--format", format_, "-", "--stdin-filename", "./new.rui.json", stdin=FAULTY).out
    assert ("new.rui.json" if format_ == "rdjson" else "apps/new.rui.json") in READ[format_](named)
