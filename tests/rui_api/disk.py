"""A disk that tests can make slow, freeze, fill up or break, using `disk.c`, which is compiled at first use."""

import atexit
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from tests.support.skipping import skip

FROZEN, FULL, READ_ONLY, BROKEN = "f", "n", "r", "e"


def missing() -> str:
    """Return the name of a missing requirement, or an empty string."""
    return "" if shutil.which("cc") and Path("/proc/self/fd").exists() else "simulated disks need Linux and cc"


def require() -> None:
    """Skip with the name of the missing requirement; in CI, fail."""
    if words := missing():
        skip(words)


@cache
def library() -> str:
    """Return the path of the compiled library."""
    folder = Path(tempfile.mkdtemp(prefix="rui-disk-"))
    atexit.register(shutil.rmtree, folder)
    built = folder / "disk.so"
    subprocess.run(["cc", "-O2", "-Wall", "-Werror", "-shared", "-fPIC", "-o", str(built),
                    str(Path(__file__).parent / "disk.c")], check=True)  # fmt: skip
    return str(built)


class Disk:
    """Faults for the files of a process that runs with `environment`.

    Args:
        folder: for the control file.
        files: only paths that contain this text have faults.
        delay: seconds that every sync takes.
    """

    def __init__(self, folder: Path, files: str, *, delay: float = 0) -> None:
        self._control = folder / "disk-control"
        self._control.write_text("")
        self.environment = {"LD_PRELOAD": library(), "DISK_FILES": files, "DISK_CONTROL": str(self._control)}
        if delay:
            self.environment["DISK_DELAY"] = str(int(delay * 1e6))

    @contextmanager
    def being(self, state: str) -> Iterator[None]:
        """Set the state FROZEN, FULL, READ_ONLY or BROKEN in a `with` block."""
        self._control.write_text(state)
        try:
            yield
        finally:
            self._control.write_text("")
