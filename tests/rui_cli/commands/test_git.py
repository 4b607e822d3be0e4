"""`rui git`: install, status, uninstall and audit, with real git."""

import os
import shutil
import stat
from pathlib import Path

import pytest

from tests.rui_cli.repository import ADDED, BASE, BIN, LABEL, NAME, Repository


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    return Repository(tmp_path / "my %s $HOME repository", tmp_path / "home")


@pytest.mark.parametrize(("options", "where"), [
    ((), "in this repository."), (("--global",), "in all repositories of this user."),
])  # fmt: skip
def test_installed_drivers_merge_and_compare(repository: Repository, options: tuple[str, ...], where: str) -> None:
    assert "no  " in repository.rui("git", "status", code=1)
    assert where in repository.rui("git", "install", *options)
    assert "no  " not in repository.rui("git", "status")
    assert "Nothing to do" in repository.rui("git", "install", *options)
    repository.branches(LABEL, ADDED)
    repository.environment["PATH"] = os.environ["PATH"].replace(str(BIN), "")  # git finds it by its path
    assert "is gone" not in repository.git("diff", "main~1", "main", "--", "*.rui.json")
    assert "says" in repository.git("diff", "main~1", "main", "--", "*.rui.json")
    repository.git("merge", "--quiet", "--no-edit", "theirs")
    assert '"Two"' in repository.file.read_text() and '"y"' in repository.file.read_text()
    repository.rui("git", "uninstall", *options)
    assert repository.git("config", "--get-regexp", r"rui\.", code=1) == ""
    assert "no  " in repository.rui("git", "status", code=1)


def test_git_merges_by_itself_where_the_program_is_gone(repository: Repository, tmp_path: Path) -> None:
    moved = tmp_path / "programs"
    moved.mkdir()
    script = moved / "rui"
    script.write_text(f'#!/bin/sh\nexec "{BIN / "rui"}" "$@"\n')
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    repository.run(
        str(BIN / "python"),
        "-c",
        f"""if True:
        import sys
        sys.argv[0] = {str(script)!r}
        from rui_cli.main import main
        sys.exit(main(["git", "install"]))""",
    )
    assert str(script) in repository.git("config", "merge.rui.driver")
    repository.branches(LABEL, ADDED)
    shutil.rmtree(moved)
    assert "which does not run" in repository.rui("git", "status", code=1)
    assert "-  " in repository.git("diff", "main~1", "main") or "@@" in repository.git("diff", "main~1", "main")
    repository.git("merge", "theirs", code=1)
    assert "<<<<<<< ours" in repository.file.read_text()


def test_what_users_wrote_stays(repository: Repository) -> None:
    (repository.root / ".gitattributes").write_bytes(b"*.bin -text\n*.rui.json text eol=lf")
    repository.git("config", "diff.rui.command", "my-diff")
    repository.rui("git", "install")
    repository.git("config", "merge.rui.driver", "my-merge %O %A %B")
    assert "a command of your own" in repository.rui("git", "status")
    assert "left as it is" in repository.rui("git", "uninstall")
    assert repository.git("config", "merge.rui.driver") == "my-merge %O %A %B\n"
    assert (repository.root / ".gitattributes").read_text() == "*.bin -text\n*.rui.json text eol=lf\n"


def test_a_bare_repository(tmp_path: Path) -> None:
    bare = Repository(tmp_path / "bare.git", tmp_path / "home", "--bare")
    bare.rui("git", "install")
    assert (bare.root / "info" / "attributes").read_text() == "*.rui.json diff=rui merge=rui\n"
    bare.rui("git", "uninstall")
    assert not (bare.root / "info" / "attributes").exists()


@pytest.mark.parametrize(("arguments", "message"), [
    (["git"], "name a command: install, status, uninstall, audit"), (["git", "instal"], "did you mean install?"),
    (["git", "install", "x"], "unexpected argument x"), (["git", "status", "--global"], "status has no --global"),
    (["git", "audit", "nowhere..main"], "nowhere"), (["git", "audit", "--", "--output=x"], "--output=x"),
])  # fmt: skip
def test_wrong_command_lines(repository: Repository, arguments: list[str], message: str) -> None:
    repository.commit(BASE)
    output = repository.rui(*arguments, code=2)
    assert message in output and output.count("\n") == 1
    assert not (repository.root / "x").exists()


@pytest.mark.parametrize("command", ["install", "status", "uninstall", "audit"])
def test_without_a_repository(tmp_path: Path, command: str) -> None:
    outside = Repository(tmp_path / "r", tmp_path / "home")
    shutil.rmtree(outside.root / ".git")
    outside.environment["GIT_CEILING_DIRECTORIES"] = str(tmp_path)
    assert outside.rui("git", command, code=2).startswith("rui git: not a git repository")


def test_without_commits(repository: Repository) -> None:
    repository.rui("git", "install")
    assert repository.rui("git", "audit", code=2).count("\n") == 1


# Audit ----------------------------------------------------------------------------------------------------------------


def merge_with(repository: Repository, merged: str) -> None:
    """Merge two branches, with this document as the result."""
    repository.branches(LABEL, ADDED)
    repository.git("merge", "theirs", "--no-commit", code=1)
    repository.commit(merged, "Merge branch theirs")


def test_an_edit_that_a_merge_has_lost_is_named(repository: Repository) -> None:
    merge_with(repository, LABEL)
    output = repository.rui("git", "audit", code=1)
    theirs = repository.git("rev-parse", "--short=9", "theirs").strip()
    assert f"Merge branch theirs: {NAME}: lost from {theirs}:\n  “y” is new" in output
    repository.commit(LABEL.replace("x", "z"), "later")
    assert "lost from" in repository.rui("git", "audit", "main~2..main", code=1)
    assert "No edit is lost in 0 merge commits" in repository.rui("git", "audit", "main~1..main")


def test_an_excluded_document_is_not_audited(repository: Repository) -> None:
    merge_with(repository, LABEL)
    (repository.root / "rui.toml").write_text('exclude = ["my*"]\n')
    assert "No edit is lost" in repository.rui("git", "audit")
    assert "lost from" in repository.rui("git", "audit", "--no-exclude", code=1)
    (repository.root / "rui.toml").write_text('exclude = ["my*"]\nrule = 1\n')
    output = repository.rui("git", "audit", code=2)
    assert "lost from" in output and "cannot use rui.toml" in output


def test_a_right_merge_is_not_reported(repository: Repository) -> None:
    merge_with(repository, ADDED.replace("One", "Two"))
    assert repository.rui("git", "audit") == "No edit is lost in 1 merge commits.\n".replace(
        "1 merge commits", "1 merge commit"
    )
    assert "No edit" in repository.rui("git", "audit", "--strict", "HEAD")


def test_a_renamed_document_is_followed(repository: Repository) -> None:
    repository.commit(BASE, "base")
    repository.git("checkout", "--quiet", "-b", "theirs")
    repository.git("mv", NAME, "other.rui.json")
    repository.git("commit", "--quiet", "--message", "rename")
    repository.git("checkout", "--quiet", "main")
    repository.commit(LABEL, "ours")
    repository.git("merge", "--quiet", "--no-commit", "theirs")
    (repository.root / "other.rui.json").write_text(BASE)
    repository.git("commit", "--quiet", "--all", "--message", "Merge")
    output = repository.rui("git", "audit", code=1)
    assert "other.rui.json: lost from" in output


def test_a_document_that_is_not_json_is_named(repository: Repository) -> None:
    merge_with(repository, "{")
    assert f"{NAME}: not audited, as a version of it is not JSON" in repository.rui("git", "audit")


def test_a_shallow_clone_is_refused(repository: Repository, tmp_path: Path) -> None:
    merge_with(repository, LABEL)
    repository.git("clone", "--quiet", "--depth", "1", f"file://{repository.root}", str(tmp_path / "clone"))
    repository.root = tmp_path / "clone"
    assert "shallow" in repository.rui("git", "audit", code=2)
