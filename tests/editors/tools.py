"""What the tests of editors need and the project does not bring: set up once from the registries, in .venv/editors.

python -m tests.editors.tools    sets everything up beforehand, as `make test-editors` does
"""

import fcntl
import hashlib
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CACHE = ROOT / ".venv" / "editors"
WORKBENCH = Path(__file__).parent / "workbench"

NPM_FLAGS = ("--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error")
CHROMIUM_FLAGS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
)  # fmt: skip


class MissingToolError(Exception):
    """A tool is not there and cannot be installed; the message says which, and what was tried."""


@contextmanager
def or_skip() -> Iterator[None]:
    """What needs a tool skips without it, saying what is missing. In CI nothing may be missing."""
    try:
        yield
    except MissingToolError as missing:
        if os.environ.get("CI") == "true":
            raise
        pytest.skip(str(missing))


def on_path(*names: str) -> str:
    """The first of some programs that is on the PATH."""
    for name in names:
        if found := shutil.which(name):
            return found
    raise MissingToolError(f"{' or '.join(names)} is not installed")


def chromium() -> str:
    """The system's browser; nothing is downloaded."""
    return on_path("chromium", "chromium-browser", "google-chrome")


def run(command: Sequence[str | Path], folder: Path, env: dict[str, str] | None = None) -> None:
    """Run a step of a set-up; what it said is told if it fails."""
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False)
    if done.returncode:
        raise MissingToolError(f"{' '.join(map(str, command))} failed: {(done.stderr or done.stdout)[-500:].strip()}")


def set_up(name: str, sources: Sequence[Path], install: Callable[[Path], None]) -> Path:
    """A folder of .venv/editors that `install` has filled; once for the same `sources`, by one process at a time."""
    folder, stamp = CACHE / name, CACHE / f"{name}.stamp"
    CACHE.mkdir(parents=True, exist_ok=True)
    key = hashlib.sha256(b"".join(source.read_bytes() for source in sources)).hexdigest()
    with (CACHE / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not stamp.exists() or stamp.read_text() != key:
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            install(folder)
            stamp.write_text(key)
    return folder


def workbench() -> Path:
    """The real workbench of VS Code, installed from npm: the folder with `node_modules`."""
    return set_up("workbench", [WORKBENCH / "package.json", WORKBENCH / "package-lock.json"], _install_workbench)


def _install_workbench(folder: Path) -> None:
    npm = on_path("npm")
    for name in ("package.json", "package-lock.json"):
        shutil.copy(WORKBENCH / name, folder)
    run([npm, "ci", *NPM_FLAGS], folder)
    # Its own packages come with a lock file of their own, which `ci` finds fault with. Optional ones watch files.
    inner = folder / "node_modules" / "code-server" / "lib" / "vscode"
    run([npm, "install", "--omit=dev", *NPM_FLAGS], inner, env={**os.environ, **node_first(folder)})


def node_first(folder: Path) -> dict[str, str]:
    """The part of an environment that puts the workbench's own Node.js before the system's."""
    machine = {"x86_64": "x64", "amd64": "x64", "aarch64": "arm64"}.get(platform.machine().lower(), "")
    programs = folder / "node_modules" / f"node-linux-{machine}" / "bin"
    if not (programs / "node").exists():
        raise MissingToolError(f"there is no Node.js for {platform.system()} {platform.machine()} in {folder}")
    return {"PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"}


if __name__ == "__main__":
    try:
        print(workbench())
        print(chromium())
    except MissingToolError as missing:
        print(f"{missing}; the tests that need it will skip", file=sys.stderr)
