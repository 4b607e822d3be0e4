"""Copies of the checkout, in which tests may change files."""

import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent


def copy_checkout(folder: Path) -> None:
    """Copy the files that git does not ignore."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
