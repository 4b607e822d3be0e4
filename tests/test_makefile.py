"""The environment of `make`: it is made once, and made again when it cannot be used. No test needs a network."""

import ast
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.support.skipping import need_program

ROOT = Path(__file__).parent.parent

FAKE_PYTHON = f"""\
#!{sys.executable} -IS
import os, runpy, sys
from pathlib import Path

VERSION = "VERSION"
HOME = Path(__file__).resolve().parent
ENVIRONMENT = Path(__file__).absolute().parents[1]
LIBRARY = ENVIRONMENT / "lib" / f"python{{VERSION}}" / "site-packages"

match [word for word in sys.argv[1:] if word not in ("-I", "-S")]:
    case ["install.py", *arguments]:
        sys.executable, sys.argv = __file__, ["install.py", *arguments]
        sys.version_info = (*map(int, VERSION.split(".")), 0)
        runpy.run_path("install.py", run_name="__main__")
    case ["-c", code] if "ensurepip" in code:
        sys.exit((HOME / "incomplete").exists())
    case ["-c", code] if "(3, 6)" in code:
        sys.exit(tuple(map(int, VERSION.split("."))) < (3, 6))
    case ["-c", _]:
        if tuple(map(int, VERSION.split("."))) < (3, 11):
            sys.exit(1)
        print(VERSION, HOME)
    case ["-m", "venv", "--clear", folder]:
        import shutil
        shutil.rmtree(folder, ignore_errors=True)
        programs = Path(folder) / "bin"
        programs.mkdir(parents=True)
        (programs / "python").symlink_to(Path(__file__).resolve())
        (programs / "activate").touch()
        (Path(folder) / "lib" / f"python{{VERSION}}" / "site-packages" / "pip.dist-info").mkdir(parents=True)
        print(f"made with {{VERSION}}", file=open(os.environ["LOG"], "a"))
    case ["-m", "pip", "--version"]:
        sys.exit(not (LIBRARY / "pip.dist-info").exists())
    case ["-m", "pip", "install", *arguments]:
        print("installed", arguments[-1], file=open(os.environ["LOG"], "a"))
        if (HOME / "offline").exists():
            sys.exit("no network")
        (LIBRARY / "litestar.dist-info").mkdir(exist_ok=True)
"""
"""A Python of any version, whose environments take no time to make and whose pip installs nothing."""

TOOLKIT = "installed .[lsp,api,openapi]"


class Outcome(NamedTuple):
    code: int
    message: str
    log: list[str]
    """What was made and installed."""


class Checkout:
    """A checkout in a folder with a space in its name, and Pythons."""

    def __init__(self, folder: Path) -> None:
        need_program("make")
        self.folder, self.pythons, self.log = folder / "the checkout", folder / "pythons", folder / "log"
        self.folder.mkdir()
        for name in ("Makefile", "install.py", "pyproject.toml"):
            shutil.copy(ROOT / name, self.folder)

    @property
    def venv(self) -> Path:
        return self.folder / ".venv"

    def add_python(self, version: str, name: str = "python3") -> Path:
        """Add a Python, and return its path."""
        path = self.pythons / version / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(FAKE_PYTHON.replace('"VERSION"', f'"{version}"'))
        path.chmod(0o755)
        return path

    def make(self, target: str, *on_path: Path, **variables: str | Path) -> Outcome:
        """Run a target, with some Pythons on the PATH."""
        self.log.write_text("")
        folders = [*(str(python.parent) for python in on_path), *self.system_folders()]
        environment = {"PATH": os.pathsep.join(folders), "LOG": str(self.log), "HOME": str(self.folder)}
        command = ["make", "--no-print-directory", target, *(f"{name}={value}" for name, value in variables.items())]
        done = subprocess.run(
            command, cwd=self.folder, env=environment, text=True, check=False,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        return Outcome(done.returncode, done.stdout, self.log.read_text().splitlines())

    def system_folders(self) -> list[str]:
        """Return folders with the programs that the Makefile uses, and without Python."""
        programs = self.folder.parent / "programs"
        programs.mkdir(exist_ok=True)
        for name in ("make", "sh", "rm"):
            program = shutil.which(name)
            if program and not (programs / name).exists():
                (programs / name).symlink_to(program)
        return [str(programs)]


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    return Checkout(tmp_path)


def test_the_environment_is_made_once(checkout: Checkout) -> None:
    python = checkout.add_python("3.12")
    first = checkout.make("toolkit", python)
    assert (first.code, first.log) == (0, ["made with 3.12", TOOLKIT])
    assert (checkout.make("toolkit", python).message, checkout.make("toolkit", python).log) == ("", [])
    assert checkout.make("install", python).log == ["installed pip>=25.1", "installed dev"]
    for target in ("install", "toolkit"):
        assert checkout.make(target, python).log == []


def test_a_python_without_ensurepip_leaves_nothing_and_later_works(checkout: Checkout) -> None:
    """Debian has it in a package of its own, which is installed after the first message."""
    python = checkout.add_python("3.12")
    (python.parent / "incomplete").touch()
    for _ in range(2):
        refused = checkout.make("toolkit", python)
        assert (refused.code, refused.log) == (2, [])
        assert "apt install python3.12-venv" in refused.message
        assert not checkout.venv.exists()
    (python.parent / "incomplete").unlink()
    assert checkout.make("toolkit", python).log == ["made with 3.12", TOOLKIT]


def break_python(checkout: Checkout) -> None:
    """Remove the Python of the environment, as Homebrew and pyenv do."""
    (checkout.venv / "bin" / "python").unlink()
    (checkout.venv / "bin" / "python").symlink_to("/nowhere/python3")


def break_version(checkout: Checkout) -> None:
    """Replace the Python by a newer version at the same place."""
    (checkout.venv / "bin" / "python").unlink()
    (checkout.venv / "bin" / "python").symlink_to(checkout.add_python("3.14"))


def break_pip(checkout: Checkout) -> None:
    """Stop the creation, or an upgrade of pip."""
    shutil.rmtree(checkout.venv / "lib")


def break_scripts(checkout: Checkout) -> None:
    """Stop the creation at its end."""
    (checkout.venv / "installed.json").unlink()
    (checkout.venv / "bin" / "activate").unlink()


def break_folder(checkout: Checkout) -> None:
    """Move the checkout."""
    checkout.folder = checkout.folder.rename(checkout.folder.with_name("moved checkout"))


@pytest.mark.parametrize("broken", [break_python, break_version, break_pip, break_scripts, break_folder])
def test_an_environment_that_cannot_be_used_is_made_again(checkout: Checkout, broken) -> None:
    python = checkout.add_python("3.12")
    checkout.make("toolkit", python)
    (checkout.venv / "left").touch()
    broken(checkout)
    again = checkout.make("toolkit", python)
    assert (again.code, again.log) == (0, ["made with 3.12", TOOLKIT]), again.message
    assert ".venv is made again" in again.message
    assert not (checkout.venv / "left").exists()
    assert checkout.make("toolkit", python).log == []


def test_a_failed_installation_is_continued(checkout: Checkout) -> None:
    python = checkout.add_python("3.12")
    (python.parent / "offline").touch()
    failed = checkout.make("toolkit", python)
    assert (failed.code, failed.log) == (2, ["made with 3.12", TOOLKIT])
    assert "PIP_INDEX_URL" in failed.message
    (python.parent / "offline").unlink()
    assert checkout.make("toolkit", python).log == [TOOLKIT]


def remove_package(checkout: Checkout) -> None:
    next(checkout.venv.glob("lib/*/site-packages/litestar.dist-info")).rmdir()


def change_project(checkout: Checkout) -> None:
    """Change dependencies, with a file that is older than the environment."""
    project = checkout.folder / "pyproject.toml"
    project.write_text(project.read_text() + "# another dependency\n")
    os.utime(project, (0, 0))


@pytest.mark.parametrize("changed", [remove_package, change_project])
def test_what_is_missing_is_installed(checkout: Checkout, changed) -> None:
    python = checkout.add_python("3.12")
    checkout.make("toolkit", python)
    changed(checkout)
    assert checkout.make("toolkit", python).log == [TOOLKIT]
    assert checkout.make("toolkit", python).log == []


def test_another_python_is_used_when_it_is_asked_for(checkout: Checkout) -> None:
    first, second = checkout.add_python("3.12"), checkout.add_python("3.13")
    checkout.make("toolkit", first, PYTHON=first)
    assert checkout.make("toolkit", second).log == []
    assert checkout.make("toolkit", second, PYTHON=second).log == ["made with 3.13", TOOLKIT]
    assert checkout.make("toolkit", first).log == []
    assert checkout.make("toolkit").log == []  # without any Python on the PATH


def test_a_python_that_is_too_old(checkout: Checkout) -> None:
    old, new = checkout.add_python("3.10"), checkout.add_python("3.12", "python3.12")
    refused = [checkout.make("toolkit", old), checkout.make("toolkit", new, PYTHON=old), checkout.make("toolkit")]
    refused.append(checkout.make("toolkit", checkout.add_python("2.7", "python2"), PYTHON="python2"))
    refused.append(checkout.make("toolkit", new, PYTHON=checkout.folder))
    for refusal in refused:
        assert (refusal.code, refusal.log) == (2, [])
        assert "Python 3.11 or newer is needed" in refusal.message
    assert str(checkout.folder) in refused[-1].message
    assert checkout.make("toolkit", old, new).log == ["made with 3.12", TOOLKIT]
    assert checkout.make("toolkit", old).log == []


def test_a_file_is_not_removed(checkout: Checkout) -> None:
    checkout.venv.write_text("a name for another tool")
    refused = checkout.make("toolkit", checkout.add_python("3.12"))
    assert (refused.code, refused.log) == (2, [])
    assert "remove it" in refused.message
    assert checkout.venv.read_text()


def test_an_environment_of_another_tool_is_used_if_it_works(checkout: Checkout) -> None:
    python = checkout.add_python("3.12")
    environment = {**os.environ, "LOG": os.devnull}
    subprocess.run([python, "-m", "venv", "--clear", checkout.venv], env=environment, check=True)
    assert checkout.make("toolkit", python).log == [TOOLKIT]


def test_an_older_python_can_read_the_program() -> None:
    """Python 3.6 has no future import of annotations. Python 2 shows the first line that it cannot read."""
    source = (ROOT / "install.py").read_text(encoding="utf-8")
    program = ast.parse(source, feature_version=(3, 6))
    assert not [node for node in program.body if isinstance(node, ast.ImportFrom) and node.module == "__future__"]
    first = next(node for node in ast.walk(program) if isinstance(node, ast.AnnAssign))
    assert "Python 3.11 or newer" in source.splitlines()[first.lineno - 1]
    assert source.isascii()


def test_the_program_says_what_it_has_installed(checkout: Checkout) -> None:
    checkout.make("toolkit", checkout.add_python("3.12"))
    program = str(checkout.venv / "bin" / "rui")
    for folder, shown in ((checkout.folder, ".venv/bin/rui"), (checkout.pythons, shlex.quote(program))):
        done = subprocess.run(
            [sys.executable, checkout.folder / "install.py"], cwd=folder, env=os.environ, text=True, check=True,
            stdout=subprocess.PIPE,
        )  # fmt: skip
        assert done.stdout.count("\n") == 1
        assert f" {shown} new app.rui.json" in done.stdout


@pytest.mark.parametrize(("given", "environment", "settings"), [
    (
        ["PORT=8440", "HOST=::1", "ARGS=--log-level info"], {},
        'RUI_HOST="::1" RUI_PORT="8440" .venv/bin/rui serve --log-level info',
    ),
    ([], {"PORT": "3000", "HOST": "desk"}, ".venv/bin/rui serve"),
])  # fmt: skip
def test_settings_of_make_are_those_of_the_service(
    given: list[str], environment: dict[str, str], settings: str
) -> None:
    need_program("make")
    # Without what `make test` passes on, which may run this test.
    outside = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "ARGS"))}
    done = subprocess.run(
        ["make", "--dry-run", "serve", *given], cwd=ROOT, env={**outside, **environment}, text=True, check=True,
        stdout=subprocess.PIPE,
    )  # fmt: skip
    assert done.stdout.splitlines()[-1].split() == settings.split()


def test_an_extension_without_npm_is_refused_before_anything_is_installed(checkout: Checkout) -> None:
    refused = checkout.make("vsix", checkout.add_python("3.12"))
    assert (refused.code, refused.log) == (2, [])
    assert refused.message.startswith("npm is needed")
