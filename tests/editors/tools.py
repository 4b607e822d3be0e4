"""Installs the editors for the tests from the registries into .venv/editors.

python -m tests.editors.tools    installs everything, as `make test-editors` does
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

from tests.support.skipping import skip

ROOT = Path(__file__).parents[2]
CACHE = ROOT / ".venv" / "editors"
WORKBENCH = Path(__file__).parent / "workbench"

NPM_FLAGS = ("--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error")
CHROMIUM_FLAGS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
)  # fmt: skip


class MissingToolError(Exception):
    """A tool is missing and cannot be installed. The message contains its name and the failed command."""


@contextmanager
def or_skip() -> Iterator[None]:
    """Skip the test if a tool is missing. In CI it fails."""
    try:
        yield
    except MissingToolError as missing:
        skip(str(missing))


def on_path(*names: str) -> str:
    """Return the path of the first program that is installed."""
    for name in names:
        path = shutil.which(name)
        if path is not None:
            return path
    raise MissingToolError(f"{' or '.join(names)} is not installed")


def chromium() -> str:
    """Return the path of the system's browser.

    The headless shell draws no window: a new page costs a fifth of what it costs in the whole browser.
    """
    return on_path("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")


def run(command: Sequence[str | Path], folder: Path, env: dict[str, str] | None = None) -> None:
    """Run a command. If it fails, the error contains its output."""
    result = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False)
    if result.returncode:
        output = (result.stderr or result.stdout)[-500:].strip()
        raise MissingToolError(f"{' '.join(map(str, command))} failed: {output}")


@contextmanager
def one_at_a_time(name: str) -> Iterator[None]:
    """Let one process at a time run the block; the tests run in several."""
    CACHE.mkdir(parents=True, exist_ok=True)
    with (CACHE / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def set_up(name: str, sources: Sequence[Path], install: Callable[[Path], None]) -> Path:
    """Return a folder of .venv/editors that `install` has filled.

    It is filled again when the sources change.
    """
    folder, stamp = CACHE / name, CACHE / f"{name}.stamp"
    key = hashlib.sha256(b"".join(source.read_bytes() for source in sources)).hexdigest()
    with one_at_a_time(name):
        if not stamp.exists() or stamp.read_text() != key:
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            install(folder)
            stamp.write_text(key)
    return folder


def workbench() -> Path:
    """Install the VS Code workbench from npm, and return the folder that contains `node_modules`."""
    return set_up("workbench", [WORKBENCH / "package.json", WORKBENCH / "package-lock.json"], _install_workbench)


def _install_workbench(folder: Path) -> None:
    npm = on_path("npm")
    for name in ("package.json", "package-lock.json"):
        shutil.copy(WORKBENCH / name, folder)
    run([npm, "ci", *NPM_FLAGS], folder)
    # `npm ci` rejects the lock file of its own packages. The optional packages watch files.
    inner = folder / "node_modules" / "code-server" / "lib" / "vscode"
    run([npm, "install", "--omit=dev", *NPM_FLAGS], inner, env={**os.environ, **node_first(folder)})


def node_first(folder: Path) -> dict[str, str]:
    """Return environment variables that put the Node.js of the workbench first on the PATH."""
    machine = {"x86_64": "x64", "amd64": "x64", "aarch64": "arm64"}.get(platform.machine().lower(), "")
    programs = folder / "node_modules" / f"node-linux-{machine}" / "bin"
    if not (programs / "node").exists():
        raise MissingToolError(f"no Node.js for {platform.system()} {platform.machine()} in {folder}")
    return {"PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"}


if __name__ == "__main__":
    try:
        print(workbench())
        print(chromium())
    except MissingToolError as missing:
        print(f"{missing}; tests that need it are skipped", file=sys.stderr)
