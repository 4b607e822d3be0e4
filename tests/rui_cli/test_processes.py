"""`rui` as a real process: the console script, `python -m`, closed pipes, signals, unusual environments."""

import asyncio
import os
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from rui_api.routes.specs import new_spec
from rui_api.store.availability import StoreOptions
from rui_api.store.factory import opened_store
from tests.rui_cli.running import FAULTY, VALID

SCRIPT = Path(sys.executable).with_name("rui")
MODULE = (sys.executable, "-m", "rui_cli")
UNNEEDED = {
    "asyncio", "http", "pathlib", "shutil", "subprocess",
    "rui_common.client", "rui_common.describe", "rui_common.editing.formatter", "rui_common.fixes.quick_fixes",
    "rui_common.syntax.recovery", "rui_inspector", "rui_openapi.description", "yaml",
}  # fmt: skip
"""Slow modules that `rui check` does not need."""
ROOT = Path(__file__).parent.parent.parent


def run(*arguments: str | Path, stdin: bytes = b"", **options: object) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([*MODULE, *arguments], input=stdin, capture_output=True, check=False, cwd=ROOT, **options)  # type: ignore[call-overload,no-any-return]


def started(*arguments: str) -> subprocess.Popen[bytes]:
    pipe = subprocess.PIPE
    return subprocess.Popen([*MODULE, *arguments], stdin=pipe, stdout=pipe, stderr=pipe, cwd=ROOT)


def test_output_and_errors_keep_their_order_in_one_pipe(tmp_path: Path) -> None:
    """As in the log of a CI; Python buffers output to a pipe by default."""
    file = tmp_path / "a.rui.json"
    file.write_text(FAULTY.replace('"stack"', '"aside"'))
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    done = subprocess.run(
        [SCRIPT, "check", "--fix", "--format", "concise", file], cwd=ROOT, env=environment, check=False, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    written, finding, output_line = done.stdout.splitlines()
    assert "error[R7b INVALID_PROP_TYPE]" in finding
    assert written == f"rui check: fixed {file}"
    assert output_line == "rui check: 2 errors fixed in 1 file"


def test_a_reader_that_goes_away_is_no_error() -> None:
    many = '{"version": "0.1", ' + ", ".join(f'"x{number}": 1' for number in range(3000)) + "}"
    with started("check", "-") as process:
        assert process.stdin and process.stdout and process.stderr
        process.stdin.write(many.encode())
        process.stdin.close()
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() == 141


@pytest.mark.skipif(os.name == "nt", reason="there is no SIGINT to send")
def test_ctrl_c_is_one_line() -> None:
    with started("check", "none", "-") as process:
        assert process.stderr
        assert process.stderr.readline().startswith(b"rui check: cannot read none")  # Then it reads standard input.
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (130, b"", b"rui check: interrupted\n")


COMMANDS = (
    "--version", "--help", "check --format json FILE", "format -", "explain R18", "schema", "skill", "new -",
    "openapi FILE", "wireframe FILE", "diff FILE examples/order-desk.rui.json", "lsp --help", "store list --store sqlite:///STORE",
)  # fmt: skip


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
@pytest.mark.parametrize("words", COMMANDS)
def test_an_output_that_is_full_or_has_no_reader(words: str, tmp_path: Path) -> None:
    file, store = tmp_path / "a.rui.json", tmp_path / "rui.db"
    file.write_text(FAULTY)
    if "STORE" in words:
        asyncio.run(store_one(f"sqlite:///{store}"))
    command = words.replace("FILE", str(file)).replace("STORE", str(store)).split()
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [*MODULE, *command], input=VALID.encode(), stdout=full, stderr=subprocess.PIPE, check=False, cwd=ROOT
        )
    name = "" if words[:1] == "-" else f" {command[0]}"
    assert (done.returncode, done.stderr.decode()) == (2, f"rui{name}: cannot go on: no space left on device\n")
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [*MODULE, *command], input=VALID.encode(), stdout=writer, stderr=subprocess.PIPE, check=False, cwd=ROOT
    )
    os.close(writer)
    assert (done.returncode, done.stderr) == (141, b"")


MANY = [f"{number}-{'x' * 50}.rui.json" for number in range(300)]


@pytest.mark.skipif(sys.platform != "linux", reason="the size of a pipe is a setting of Linux")
@pytest.mark.parametrize(("stream", "arguments"), [
    ("stdout", ["schema"]), ("stdout", ["schema", "--json-schema"]),
    ("stdout", ["wireframe", "examples/order-desk.rui.json"]), ("stderr", ["check", *MANY]),
], ids=["text", "bytes", "a page", "errors"])  # fmt: skip
def test_a_reader_that_pauses_where_writing_does_not_block(stream: str, arguments: list[str]) -> None:
    """A program that shares the stream may have set it so. Nothing is lost."""
    import fcntl  # not on Windows

    expected = subprocess.run([*MODULE, *arguments], capture_output=True, check=False, cwd=ROOT)
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    fcntl.fcntl(writer, fcntl.F_SETPIPE_SZ, 4096)
    streams = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, stream: writer}
    with subprocess.Popen([*MODULE, *arguments], cwd=ROOT, **streams) as process, os.fdopen(reader, "rb") as output:
        while process.poll() is None and select.select([], [writer], [], 0.01)[1]:
            time.sleep(0.01)
        os.close(writer)
        assert output.read() == getattr(expected, stream)
    assert process.returncode == expected.returncode


async def store_one(url: str) -> None:
    async with opened_store(url, StoreOptions()) as store:
        await store.store(new_spec(VALID.encode(), "sha256:0"))


@pytest.mark.parametrize(("closed", "code"), [(0, 2), (1, 0), (2, 0)])
def test_streams_that_are_closed(closed: int, code: int, tmp_path: Path) -> None:
    file = tmp_path / "a.rui.json"
    file.write_text(VALID)
    start = "os.execv(sys.executable, [sys.executable, '-m', 'rui_cli', *sys.argv[1:]])"
    script = f"import os, sys; os.close({closed}); {start}"
    arguments = ["check", "-" if closed == 0 else str(file)]
    done = subprocess.run([sys.executable, "-c", script, *arguments], capture_output=True, check=False, cwd=ROOT)
    assert b"Traceback" not in done.stderr
    assert done.returncode == code


def test_any_locale_will_do() -> None:
    locale = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii", "PYTHONCOERCECLOCALE": "0"}
    text = VALID.replace('"x"', '"é", "日本": "🎉"').encode()
    done = run("check", "-", stdin=text, env=os.environ | locale)
    assert (done.returncode, done.stderr) == (1, b"")
    assert b'"\\u65e5\\u672c": "\\U0001f389"' in done.stdout
    assert b"\xc3\xa9" in run("format", "-", stdin=b'{"meta": {"a": "\xc3\xa9"}}', env=os.environ | locale).stdout


def test_a_file_name_of_any_bytes(tmp_path: Path) -> None:
    file = tmp_path / os.fsdecode(b"\xff\xe9.rui.json")
    try:
        file.write_text(FAULTY)
    except OSError:
        pytest.skip("file names are text here")
    done = run("check", tmp_path)
    assert (done.returncode, done.stderr) == (1, b"")
    assert done.stdout.decode()
    assert run("check", "--fix", tmp_path).returncode == 0
    assert file.read_text() == VALID


def test_checking_a_valid_document_imports_only_needed_modules() -> None:
    script = "import sys\nfrom rui_cli.main import main\nmain(['check', '-'])\nprint(*sorted(sys.modules))"
    command = [sys.executable, "-S", "-c", script]
    done = subprocess.run(command, input=VALID.encode(), capture_output=True, check=True, cwd=ROOT)
    output_line, loaded = done.stdout.decode().splitlines()
    assert output_line == "no errors; 1 file checked"
    assert not {*loaded.split()} & UNNEEDED
