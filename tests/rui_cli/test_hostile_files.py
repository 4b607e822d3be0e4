"""Hostile files and folders: no command waits for one, follows a link out of a folder, or writes there."""

import os
import shlex
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from rui_common.document_files import MAX_FILE_BYTES
from tests.rui_cli.running import FAULTY, VALID, Ran, rui
from tests.support.hostile_files import SPECIAL, UNREADABLE
from tests.support.tables import without_cross

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows has no such files")

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
    signal.alarm(300)
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


TOO_LARGE = f"it has more than {MAX_FILE_BYTES:,} bytes"
REASONS = {"device": "it is a device", "socket": "it is a socket", "huge": TOO_LARGE}


@pytest.mark.parametrize(("kind", "arguments"), without_cross(REASONS, OF_A_FILE.values()))
def test_a_named_file_that_cannot_be_read_is_one_line(arguments: list[str], kind: str, repo: Path) -> None:
    why = REASONS[kind]
    bad = repo.parent / "bad.rui.json"
    UNREADABLE[kind](bad)
    ran = rui(*arguments, bad)
    lines = [line for line in ran.err.splitlines() if "cannot read" in line]
    assert (ran.code, lines) == (2, [f"rui {arguments[0]}: cannot read {bad}: {why}"])


@pytest.mark.parametrize(
    ("name", "advice"), [("diff", "; name one file"), ("publish", "; name one file"), ("check --openapi", "")]
)
def test_a_folder_in_place_of_a_file_is_one_line(name: str, advice: str, repo: Path) -> None:
    ran = rui(*OF_A_FILE[name], repo)
    lines = [line for line in ran.err.splitlines() if "cannot read" in line]
    command = name.split(maxsplit=1)[0]
    assert (ran.code, lines) == (2, [f"rui {command}: cannot read {repo}: it is a folder{advice}"])


# Pipes ----------------------------------------------------------------------------------------------------------------


@contextmanager
def pipe_with(data: bytes, path: Path) -> Iterator[Path]:
    """A named pipe, to which another thread writes until its reader closes it."""

    def write() -> None:
        with suppress(BrokenPipeError), path.open("wb", buffering=0) as pipe:
            pipe.write(data)

    os.mkfifo(path)
    thread = threading.Thread(target=write, daemon=True)
    thread.start()
    yield path
    thread.join()
    path.unlink()


@pytest.mark.parametrize("arguments", OF_A_FILE.values(), ids=OF_A_FILE)
def test_a_named_pipe_is_read_like_a_file(arguments: list[str], repo: Path) -> None:
    data = b'{"openapi": "3.1.0", "paths": {}}' if "--openapi" in arguments else VALID.encode()
    (repo / "file").write_bytes(data)
    if arguments == ["format"]:
        rui("format", repo / "file")
        data = (repo / "file").read_bytes()
    expected = rui(*arguments, repo / "file")
    with pipe_with(data, repo / "pipe") as pipe:
        ran = rui(*arguments, pipe)
    assert [line.replace("repo/pipe", "repo/file") for line in ran[1:]] == [*expected[1:]]
    assert ran.code == expected.code
    with pipe_with(data.ljust(MAX_FILE_BYTES + 1), repo / "pipe") as pipe:
        ran = rui(*arguments, pipe)
    assert f"rui {arguments[0]}: cannot read {pipe}: {TOO_LARGE}\n" in ran.err


@pytest.mark.parametrize("arguments", [["check", "--fix"], ["format"]], ids=" ".join)
def test_a_pipe_is_not_written(arguments: list[str], repo: Path) -> None:
    with pipe_with(FAULTY.encode(), repo / "pipe") as pipe:
        ran = rui(*arguments, pipe)
    assert (ran.code, ran.err.splitlines()[0]) == (2, f"rui {arguments[0]}: cannot write {pipe}: it is a pipe")


def test_a_pipe_has_the_configuration_of_the_current_folder(repo: Path) -> None:
    (repo.parent / "api.json").write_text('{"openapi": "3.1.0", "paths": {}}')
    (repo.parent / "rui.toml").write_text('[api]\nopenapi = "api.json"\n')
    binding = '{"type": "read", "method": "GET", "path": "/x", "valuePath": "n"}'
    metric = f'{{"id": "m", "type": "Metric", "label": "M", "binding": {binding}}}'
    text = VALID.replace('{"id": "note", "type": "Text", "content": "x"}', metric)
    with pipe_with(text.encode(), repo / "pipe") as pipe:
        ran = rui("check", "--format", "concise", pipe)
    assert "UNKNOWN_PATH" in ran.out
    assert "UNKNOWN_PATH" in rui("check", "--format", "concise", "-", stdin=text).out


@pytest.mark.parametrize("name", ["/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"])
def test_the_paths_of_standard_input(name: str) -> None:
    assert rui("check", "--fix", name, stdin=FAULTY).out == VALID
    assert rui("format", "--check", name, stdin=VALID) == (1, "<stdin>\n", "")
    assert rui("diff", name, "-").err.startswith("rui diff: only one of the documents can come from standard input")


def test_process_substitution(repo: Path) -> None:
    program = f"{shlex.quote(sys.executable)} -m rui_cli"
    source = "<(cat repo/good.rui.json)"
    script = (
        f"{program} diff {source} repo/good.rui.json && {program} check {source}"
        f" && printf '{{' | {program} check --format concise /dev/stdin"
    )
    done = subprocess.run(
        ["bash", "-c", script], cwd=repo.parent, env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    checked, broken = done.stdout.splitlines()
    assert (done.returncode, done.stderr, checked) == (1, "", "no errors; 1 file checked")
    assert broken.startswith("<stdin>:1:2: error")


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
    ran = rui("check", "repo")
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    (repo / "rui.toml").unlink()
    (repo / "rui.toml").write_text('[api]\nopenapi = "rui.toml"\n')
    assert rui("check", "repo").err.startswith("rui check: cannot read repo/rui.toml: line 1")
    (repo / "rui.toml").write_text("a = " + "[" * 10_000)
    assert rui("check", "repo").err.startswith("rui check: cannot read repo/rui.toml: it is not TOML")
