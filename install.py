r"""Install the toolkit and its dependencies in .venv. The targets of the Makefile begin with it.

    python3 install.py          the program rui: .venv/bin/rui, on Windows .venv\Scripts\rui
    python3 install.py --dev    also what tests and checks need

Nothing is done if everything is there. An environment that cannot be used is made again: one that was not finished,
whose Python was removed or replaced, or whose folder was moved.
"""

# Syntax and annotations are those of Python 3.6: an older Python also finds a newer one, or prints which is needed.
import argparse
import contextlib
import hashlib
import json
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Iterator, List, NamedTuple, Optional, Tuple

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None

ROOT: Path = Path(__file__).resolve().parent  # Python 2 shows this line: install Python 3.11 or newer
VENV = ROOT / ".venv"
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
PROGRAM = PYTHON.with_name(PYTHON.name.replace("python", "rui"))
STAMP = VENV / "installed.json"

NAMES = ("python3.14", "python3.13", "python3.12", "python3.11")
"""Programs that are searched if this Python is too old."""

PRINT_IDENTITY = """\
import sys
assert sys.version_info >= (3, 11)
print("%d.%d" % sys.version_info[:2], sys.base_prefix, sys.version)
"""
IMPORT_VENV = "import ensurepip, venv"

TOOLKIT = ("--editable", ".[lsp,api,openapi]")
TOOLKIT_FOR_TESTS = ("--editable", ".[lsp,api,openapi,postgres]", "--group", "dev")
PIP = ("pip>=25.1",)
"""The first pip that installs groups."""


class InstallError(Exception):
    """The message says in one line what is wrong and what to do."""


class Installed(NamedTuple):
    """What an environment contains."""

    folder: str
    """The checkout: scripts in the environment contain its absolute path."""
    python: str
    """The identity of its Python."""
    project: str
    """The hash of pyproject.toml; "" until all packages are installed."""
    dev: bool
    packages: List[str]
    """The metadata folders of the installed packages."""


def install(*, dev: bool, this_python: bool) -> None:
    """Install what is missing. With `this_python`, the environment gets the Python that runs this."""
    installed, python = read_stamp(), identity(str(PYTHON))
    project = hashlib.sha256((ROOT / "pyproject.toml").read_bytes()).hexdigest()
    problem = problem_of_environment(installed, python, this_python=this_python)
    if problem is None and installed and is_complete(installed, python, project, dev=dev):
        return
    if problem is None and not has_pip():
        problem = "it is not complete"
    if problem:
        create(this_python=this_python, problem=problem)
        python = identity(str(PYTHON))
    elif installed:
        dev = dev or installed.dev
    print("Installing dependencies in .venv. The first time takes half a minute.", flush=True)
    started = Installed(str(ROOT), python, project="", dev=dev, packages=[])
    write_stamp(started)
    if dev:
        pip_install(PIP)
    pip_install(TOOLKIT_FOR_TESTS if dev else TOOLKIT)
    write_stamp(started._replace(project=project, packages=installed_packages()))


def problem_of_environment(installed: Optional[Installed], python: str, *, this_python: bool) -> Optional[str]:
    """Return why the environment has to be made again, or None."""
    if not python:
        return "its Python does not run, or is too old"
    if installed and installed.folder != str(ROOT):
        return f"it was made in {installed.folder}"
    if this_python and python != identity(sys.executable):
        return "it has another Python"
    return None


def is_complete(installed: Installed, python: str, project: str, *, dev: bool) -> bool:
    """Return whether an environment contains what this checkout needs."""
    if (installed.python, installed.project) != (python, project) or (dev and not installed.dev):
        return False
    return set(installed.packages) <= set(installed_packages())


def has_pip() -> bool:
    """Return whether an environment is complete: pip and the scripts that activate it are written last."""
    return succeeds(str(PYTHON), "-m", "pip", "--version") and PYTHON.with_name("activate").exists()


def installed_packages() -> List[str]:
    """Return the metadata folders of the packages in the environment."""
    libraries = ("Lib/site-packages", "lib/*/site-packages")
    return sorted({path.name for folder in libraries for path in VENV.glob(f"{folder}/*.dist-info")})


def create(*, this_python: bool, problem: str) -> None:
    """Make the environment, again if there is one. If that fails, no part of it remains."""
    if VENV.exists() and not VENV.is_dir():
        raise InstallError(f"{VENV} is not a folder: remove it")
    python = new_python(this_python=this_python)
    if not succeeds(python, "-c", IMPORT_VENV):
        package = f"python{identity(python).split()[0]}-venv"
        raise InstallError(f"{python} cannot make .venv. On Debian and Ubuntu, apt install {package}, and try again")
    if VENV.is_dir():
        print(f".venv is made again: {problem}.", flush=True)
    is_made = False
    try:
        done = run([python, "-m", "venv", "--clear", str(VENV)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        is_made = done.returncode == 0
    finally:
        if not is_made:
            shutil.rmtree(VENV, ignore_errors=True)
    if not is_made:
        raise InstallError(f"{python} could not make .venv: {done.stdout.decode(errors='replace').strip()}")


def new_python(*, this_python: bool) -> str:
    """Return this Python. If it is too old, return another one on the PATH, unless it was asked for."""
    programs = () if this_python else filter(None, map(shutil.which, NAMES))
    for program in (sys.executable, *programs):
        if identity(program):
            return program
    version = "{}.{}".format(*sys.version_info)
    raise InstallError(
        f"Python 3.11 or newer is needed; this is {version}. Install one, or set PYTHON=/path/to/python3"
    )


def identity(python: str) -> str:
    """Return where a Python is, and its version; "" if it does not run or is too old."""
    try:
        done = run([python, "-I", "-S", "-c", PRINT_IDENTITY], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    except OSError:
        return ""
    return done.stdout.decode(errors="replace").strip() if done.returncode == 0 else ""


def succeeds(python: str, *arguments: str) -> bool:
    """Return whether a Python runs arguments without an error."""
    return run([python, "-I", *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0


def pip_install(arguments: Tuple[str, ...]) -> None:
    """Install packages in the environment."""
    pip = [str(PYTHON), "-I", "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    if run([*pip, *arguments], cwd=str(ROOT)).returncode != 0:
        raise InstallError(
            "pip could not install the dependencies; the reason is above. It needs PyPI, or a mirror in PIP_INDEX_URL. "
            "Try again to continue"
        )


def run(command: List[str], **options: object) -> "subprocess.CompletedProcess[bytes]":
    """Run a program and return its result."""
    return subprocess.run(command, check=False, **options)


def shown_program() -> str:
    """Return the path of the program for a shell in the current folder."""
    folder = Path.cwd()
    path = PROGRAM.relative_to(folder) if folder in PROGRAM.parents else PROGRAM
    return f'"{path}"' if os.name == "nt" else shlex.quote(str(path))


def read_stamp() -> Optional[Installed]:
    """Return what was installed in the environment, or None if this program did not make it."""
    try:
        return Installed(**json.loads(STAMP.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None


def write_stamp(installed: Installed) -> None:
    """Record what the environment contains."""
    STAMP.write_text(json.dumps(installed._asdict(), indent=1), encoding="utf-8")


@contextlib.contextmanager
def one_at_a_time() -> Iterator[None]:
    """Let one process at a time install, as `make serve` and `make test` in two terminals."""
    with Path(__file__).open("rb") as lock:
        if fcntl is not None:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                print("Waiting for another installation.", flush=True)
                fcntl.flock(lock, fcntl.LOCK_EX)
            except OSError:  # a file system without locks
                pass
        yield


def main() -> None:
    """Install, and report an error in one line."""
    parser = argparse.ArgumentParser(description="Install the toolkit and its dependencies in .venv.")
    parser.add_argument("--dev", action="store_true", help="also install what tests and checks need")
    parser.add_argument("--quiet", action="store_true", help="do not print how to go on")
    parser.add_argument("--this-python", action="store_true", help="make .venv again if it has another Python")
    arguments = parser.parse_args()
    try:
        with one_at_a_time():
            install(dev=arguments.dev, this_python=arguments.this_python)
        if not arguments.quiet:
            program = shown_program()
            print(f"rui is installed: {program}. Write a first document: {program} new app.rui.json")
    except (InstallError, OSError) as error:
        sys.exit(f"install.py: {error}.")
    except KeyboardInterrupt:
        sys.exit("install.py: interrupted. Try again to continue.")


if __name__ == "__main__":
    main()
