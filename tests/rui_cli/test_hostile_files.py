"""Hostile files and folders: no command waits for one, follows a link out of a folder, or writes there."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from rui_common.document_files import MAX_FILE_BYTES
from tests.hostile_files import SPECIAL, UNREADABLE
from tests.rui_cli.running import FAULTY, VALID, Ran, rui

IN_FOLDER = {
    "check": ["check"],
    "check --fix": ["check", "--fix"],
    "format": ["format"],
    "openapi": ["openapi"],
    "wireframe": ["wireframe", "-o", "drawn/"],
}
"""Commands that read a folder."""

OF_A_FILE = {
    **IN_FOLDER,
    "diff": ["diff", "/dev/null"],
    "publish": ["publish", "--server", "http://127.0.0.1:9"],
    "check --openapi": ["check", "repo/good.rui.json", "--openapi"],
}
"""Commands that read a file that is named."""


@pytest.fixture(autouse=True)
def alarm() -> Iterator[None]:
    """End a test that hangs."""

    def end(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, end)
    signal.alarm(60)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a valid document, in the current folder."""
    for name in ("repo", "elsewhere"):
        (tmp_path / name).mkdir()
    (tmp_path / "repo" / "good.rui.json").write_text(VALID)
    (tmp_path / "elsewhere" / "secret.json").write_text(FAULTY)
    monkeypatch.chdir(tmp_path)
    return tmp_path / "repo"


def check_skipped(arguments: list[str], hostile: str, why: str, before: Ran) -> None:
    """Assert that the result is as before, but for a note."""
    ran = rui(*arguments, "repo")
    note = f"rui {arguments[0]}: note: repo/{hostile} is skipped: {why}\n"
    assert (ran.code, ran.out, ran.err) == (before.code, before.out, note + before.err)


@pytest.mark.parametrize("arguments", IN_FOLDER.values(), ids=IN_FOLDER)
def test_links_out_of_a_folder_and_special_files_are_skipped(arguments: list[str], repo: Path) -> None:
    rui("format", "repo")
    before = rui(*arguments, "repo")
    secret = repo.parent / "elsewhere" / "secret.json"
    (repo / "inside.rui.json").symlink_to("good.rui.json")
    (repo / "bad.rui.json").symlink_to("../elsewhere/secret.json")
    check_skipped(arguments, "bad.rui.json", "it leads out of the folder", before)
    assert secret.read_text() == FAULTY
    for kind in ("pipe", "socket"):
        (repo / "bad.rui.json").unlink()
        SPECIAL[kind](repo / "bad.rui.json")
        check_skipped(arguments, "bad.rui.json", "it is no regular file", before)


@pytest.mark.parametrize("kind", UNREADABLE)
@pytest.mark.parametrize("arguments", OF_A_FILE.values(), ids=OF_A_FILE)
def test_a_named_file_that_cannot_be_read_is_one_line(arguments: list[str], kind: str, repo: Path) -> None:
    bad = repo.parent / "bad.rui.json"
    UNREADABLE[kind](bad)
    ran = rui(*arguments, bad)
    lines = [line for line in ran.err.splitlines() if "cannot read" in line]
    why = f"it has more than {MAX_FILE_BYTES:,} bytes" if kind == "huge" else "it is no regular file"
    assert (ran.code, lines) == (2, [f"rui {arguments[0]}: cannot read {bad}: {why}"])


def test_standard_input_has_a_limit() -> None:
    most = VALID.ljust(MAX_FILE_BYTES)
    assert rui("check", "-", stdin=most).code == 0
    error = f"rui check: cannot read <stdin>: it has more than {MAX_FILE_BYTES:,} bytes\n"
    assert rui("check", "-", stdin=most + " ").err == error


def test_drawings_are_not_written_through_links_out_of_the_folder(repo: Path) -> None:
    secret = repo.parent / "elsewhere" / "secret.json"
    (repo.parent / "drawn").mkdir()
    (repo.parent / "drawn" / "repo-good.html").symlink_to("../elsewhere/secret.json")
    error = "rui wireframe: cannot write drawn/repo-good.html: it leads out of the folder\n"
    assert rui("wireframe", "repo", "-o", "drawn/") == (2, "", error)
    assert secret.read_text() == FAULTY


@pytest.mark.parametrize("kind", UNREADABLE)
def test_a_configuration_that_cannot_be_read(kind: str, repo: Path) -> None:
    UNREADABLE[kind](repo / "api.json")
    (repo / "rui.toml").write_text('[api]\nopenapi = "api.json"\n')
    ran = rui("check", "repo")
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    (repo / "rui.toml").unlink()
    UNREADABLE[kind](repo / "rui.toml")
    assert rui("check", "repo").code == (2 if kind == "huge" else 0)
    (repo / "rui.toml").unlink()
    (repo / "rui.toml").write_text('[api]\nopenapi = "rui.toml"\n')
    assert rui("check", "repo").err.startswith("rui check: cannot read repo/rui.toml: line 1")
    (repo / "rui.toml").write_text("a = " + "[" * 10_000)
    assert rui("check", "repo").err.startswith("rui check: cannot read repo/rui.toml: it is not TOML")
