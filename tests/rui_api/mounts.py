"""A small disk of its own for a function of a test, which runs in another process and mount namespace."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from tests.rui_api.postgres import need
from tests.support.skipping import skip

ROOT = Path(__file__).parent.parent.parent
UNSHARE = ("unshare", "--mount", *(() if os.geteuid() == 0 else ("--map-root-user",)))


def on_small_disk(function: Callable[..., None], folder: Path, *arguments: str, megabytes: int = 60) -> None:
    """Call a function of a test module with the path of an empty disk, and with further arguments."""
    need("unshare", "mount")
    mount = 'mount -t tmpfs -o "size=$0m" none "$1" || exit 77; shift; exec "$@"'
    code = f"import sys; from {function.__module__} import {function.__name__} as run; run(*sys.argv[1:])"
    command = [*UNSHARE, "sh", "-c", mount, str(megabytes), str(folder), sys.executable, "-c", code, str(folder)]
    done = subprocess.run([*command, *arguments], cwd=ROOT, capture_output=True, text=True, timeout=300, check=False)
    if done.returncode in (1, 77) and ("unshare" in done.stderr or "mount" in done.stderr):
        skip(done.stderr.strip())
    assert done.returncode == 0, done.stdout + done.stderr


def make_read_only(folder: str) -> None:
    """Mount the disk of `on_small_disk` again, for reading only."""
    subprocess.run(["mount", "-o", "remount,ro", folder], check=True)


def make_writable(folder: str) -> None:
    """Undo `make_read_only`."""
    subprocess.run(["mount", "-o", "remount,rw", folder], check=True)
