"""A disk that tests can make slow, freeze, fill up or break: `disk.c`, compiled when it is first needed."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import pytest

FROZEN, FULL, READ_ONLY, BROKEN = "f", "n", "r", "e"


def missing() -> str:
    """What is not there, in words; nothing if all is."""
    return "" if shutil.which("cc") and Path("/proc/self/fd").exists() else "simulated disks need Linux and cc"


def require() -> None:
    """Skip, saying what is missing; in CI nothing may be missing."""
    if words := missing():
        assert os.environ.get("CI") != "true", words
        pytest.skip(words)


@cache
def library() -> str:
    """The path of the compiled library; it is where any user may read it."""
    folder = tempfile.TemporaryDirectory(prefix="rui-disk-")
    _KEPT.append(folder)
    Path(folder.name).chmod(0o755)
    built = Path(folder.name) / "disk.so"
    subprocess.run(["cc", "-O2", "-Wall", "-Werror", "-shared", "-fPIC", "-o", str(built),
                    str(Path(__file__).parent / "disk.c"), "-pthread"], check=True)  # fmt: skip
    return str(built)


_KEPT: list[tempfile.TemporaryDirectory[str]] = []


class Disk:
    """What happens to the files of a process that runs with `environment`.

    Args:
        folder: for the file that says so; any user may read it.
        files: only files whose path contains this are concerned.
        delay: seconds that every sync takes.
        log: the file for the log of all writes.
    """

    def __init__(self, folder: Path, files: str, *, delay: float = 0, log: Path | None = None) -> None:
        self._control = folder / "disk-control"
        self._control.write_text("")
        self.environment = {"LD_PRELOAD": library(), "DISK_FILES": files, "DISK_CONTROL": str(self._control)}
        if delay:
            self.environment["DISK_DELAY"] = str(int(delay * 1e6))
        if log:
            self.environment["DISK_LOG"] = str(log)

    @contextmanager
    def being(self, state: str) -> Iterator[None]:
        """FROZEN, FULL, READ_ONLY or BROKEN meanwhile."""
        self._control.write_text(state)
        try:
            yield
        finally:
            self._control.write_text("")
