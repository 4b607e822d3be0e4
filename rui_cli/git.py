"""Calls of git for `rui merge`: the three versions of a file in conflict, and a merge by lines."""

import os
import subprocess
import tempfile
from contextlib import suppress
from typing import NamedTuple

from rui_cli.errors import OperationalError

FAILED_STATUS = 128  # from this exit code on, `git merge-file` has failed; lower ones are numbers of conflicts


class Stages(NamedTuple):
    """The versions of a file in git's index; None for one that is missing: added by both sides, or deleted by one."""

    base: bytes | None
    ours: bytes | None
    theirs: bytes | None


def read_stages(name: str) -> Stages:
    """Return the versions of a file that git could not merge.

    Raises:
        OperationalError: there are none, or git cannot be run.
    """
    folder = os.path.dirname(name) or os.curdir
    listed = _git(folder, "ls-files", "--unmerged", "-z", "--", os.path.basename(name))
    blobs: dict[int, str] = {}
    for line in listed.split(b"\0"):
        fields = line.partition(b"\t")[0].split()
        if len(fields) == 3:
            blobs[int(fields[2])] = fields[1].decode()
    if not blobs:
        raise OperationalError(f"{name} is not in conflict: git's index has one version of it, or none")
    contents = {stage: _git(folder, "cat-file", "blob", blob) for stage, blob in blobs.items()}
    return Stages(contents.get(1), contents.get(2), contents.get(3))


def _git(folder: str, *arguments: str) -> bytes:
    try:
        done = _run("--literal-pathspecs", *arguments, folder=folder)
    except OSError as error:
        raise OperationalError(f"cannot run git: {error.strerror}") from None
    if done.returncode:
        lines = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise OperationalError(lines[0].removeprefix("fatal: ") if lines else f"git {arguments[0]} failed")
    return done.stdout


def _run(*arguments: str, folder: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(["git", *arguments], cwd=folder, capture_output=True, check=False)  # noqa: S603, S607


def merge_lines(base: bytes, ours: bytes, theirs: bytes, marker_size: int) -> bytes | None:
    """Return git's merge by lines, with its markers; without git, ours and theirs as a whole between markers.

    None if git regards a version as binary data, which has no lines.
    """
    if any(b"\0" in version[:8000] for version in (base, ours, theirs)):
        return None
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for name, data in {"ours": ours, "base": base, "theirs": theirs}.items():
            paths.append(os.path.join(folder, name))
            with open(paths[-1], "wb") as file:
                file.write(data)
        labels = ["-L", "ours", "-L", "base", "-L", "theirs"]
        with suppress(OSError):
            done = _run("merge-file", "-p", "-q", f"--marker-size={marker_size}", *labels, *paths, folder=folder)
            if done.returncode < FAILED_STATUS:
                return done.stdout
    begin, middle, end = (character * marker_size for character in (b"<", b"=", b">"))
    first, second = (side if not side or side.endswith(b"\n") else side + b"\n" for side in (ours, theirs))
    return b"%s ours\n%s%s\n%s%s theirs\n" % (begin, first, middle, second, end)
