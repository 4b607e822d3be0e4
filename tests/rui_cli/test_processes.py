"""`rui` as a real process: the console script, `python -m`, closed pipes, signals, unusual environments."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

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


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
def test_a_full_disk_is_one_line() -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run([*MODULE, "--version"], stdout=full, stderr=subprocess.PIPE, check=False, cwd=ROOT)
    assert (done.returncode, done.stderr) == (2, b"rui: cannot go on: no space left on device\n")


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
