"""Calls of git: the three versions of a file in conflict, and merges by lines."""

import os
import subprocess
import tempfile
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from rui_cli.errors import OperationalError
from rui_common.syntax.conflicts import Markers

GIT_VARIABLES = {
    "GIT_DIR": ["--git-dir"],
    "GIT_WORK_TREE": ["--show-toplevel"],
    "GIT_INDEX_FILE": ["--git-path", "index"],
}
"""The variables that say where a repository is → the options of `git rev-parse` that print it."""
SHALLOW = "a shallow clone has few: git fetch --unshallow, or fetch-depth of actions/checkout"
FAILED_STATUS = 128  # from this exit code on, `git merge-file` has failed; lower ones are numbers of conflicts


class Stages(NamedTuple):
    """The versions of a file in git's index, as they would be in the folder: with its line ends and its encoding.

    None for one that is missing: added by both sides, or deleted by one.
    """

    base: bytes | None
    ours: bytes | None
    theirs: bytes | None


def read_stages(name: str) -> Stages:
    """Return the versions of a file that git could not merge.

    Raises:
        OperationalError: there are none, or git cannot be run.
    """
    folder = os.path.dirname(name) or os.curdir
    listed = run_git(
        "--literal-pathspecs",
        "ls-files",
        "--unmerged",
        "--full-name",
        "-z",
        "--",
        os.path.basename(name),
        folder=folder,
    )
    contents: dict[int, bytes] = {}
    for line in listed.split(b"\0"):
        described, _, path = line.partition(b"\t")
        fields = described.split()
        if len(fields) == 3:
            blob = fields[1].decode()
            contents[int(fields[2])] = run_git(
                "cat-file", "--filters", f"--path={os.fsdecode(path)}", blob, folder=folder
            )
    if not contents:
        raise OperationalError(f"{name} is not in conflict: git's index has one version of it, or none")
    return Stages(contents.get(1), contents.get(2), contents.get(3))


def run_git(
    *arguments: str, folder: str = os.curdir, allowed: tuple[int, ...] = (0,), at_top: bool = False, data: bytes = b""
) -> bytes:
    """Return the standard output of git.

    Args:
        folder: where it runs.
        allowed: the exit codes that are no failure; after another one than 0, nothing is returned.
        at_top: whether it runs at the top of the work tree, if there is one.
        data: its standard input.

    Raises:
        OperationalError: git cannot be run, or has failed; the message is its first line.
    """
    if at_top:
        top = run_git("rev-parse", "--show-toplevel", folder=folder, allowed=(0, 128)).removesuffix(b"\n")
        folder = os.fsdecode(top) or folder
    try:
        done = _run(*arguments, folder=folder, data=data, environment=_environment(folder))
    except OSError as error:
        raise OperationalError(f"cannot run git: {error.strerror}") from None
    if done.returncode == 0:
        return done.stdout
    if done.returncode in allowed:
        return b""
    lines = done.stderr.decode("utf-8", "replace").strip().splitlines()
    raise OperationalError(lines[0].removeprefix("fatal: ") if lines else f"git {arguments[0]} failed")


def read_blobs(hashes: Iterable[str], folder: str = os.curdir) -> dict[str, bytes]:
    """Return the contents of git's objects by their hashes, in one call of git. Raises `OperationalError`."""
    wanted = sorted(set(hashes))
    found = run_git("cat-file", "--batch", folder=folder, data="".join(f"{name}\n" for name in wanted).encode())
    contents: dict[str, bytes] = {}
    offset = 0
    for name in wanted:
        header, _, _ = found[offset:].partition(b"\n")
        fields = header.split()
        if len(fields) != 3:
            raise OperationalError(f"git has no object {name}: {header.decode('utf-8', 'replace')}")
        start = offset + len(header) + 1
        offset = start + int(fields[2]) + 1
        contents[name] = found[start : offset - 1]
    return contents


def _run(
    *arguments: str, folder: str = os.curdir, data: bytes = b"", environment: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[bytes]:
    command = ["git", *arguments]
    return subprocess.run(  # noqa: S603
        command, cwd=folder, input=data, capture_output=True, check=False, env=environment
    )


def _environment(folder: str) -> Mapping[str, str] | None:
    """Return the environment for git in another folder than the current one; None for that of this process.

    The paths in `GIT_VARIABLES` may be relative to the current folder, which is the work tree if only `GIT_DIR` is set.
    """
    if os.environ.keys().isdisjoint(GIT_VARIABLES) or os.path.samefile(folder, os.curdir):
        return None
    absolute = {}
    for name, option in GIT_VARIABLES.items():
        found = _run("rev-parse", "--path-format=absolute", *option)
        if found.returncode == 0:
            absolute[name] = os.fsdecode(found.stdout.removesuffix(b"\n"))
    return {**os.environ, **absolute}


def conflict_style(folder: str) -> str:
    """Return git's style of conflicts, such as ``merge`` or ``diff3``; ``""`` if none is configured."""
    try:
        found = run_git("config", "--get", "merge.conflictStyle", folder=folder, allowed=(0, 1))
    except OperationalError:
        return ""
    return found.decode("utf-8", "replace").strip()


def attribute(name: str, file: str, *, at_top: bool = False) -> str:
    """Return the value of an attribute of a file; ``"unspecified"`` without one, and without a repository.

    With `at_top`, it is that of a file of this name at the top of the work tree.
    """
    folder = os.path.dirname(file) or os.curdir
    try:
        answer = run_git("check-attr", name, "--", os.path.basename(file), folder=folder, at_top=at_top)
    except OperationalError:
        return "unspecified"
    return answer.decode("utf-8", "replace").rpartition(": ")[2].strip()


def merge_lines(base: bytes, ours: bytes, theirs: bytes, markers: Markers) -> bytes | None:
    """Return git's merge by lines, with its markers; without git, ours and theirs as a whole between markers.

    None if git regards a version as binary data, which has no lines.
    """
    if any(b"\0" in version[:8000] for version in (base, ours, theirs)):
        return None
    labels = [f"-L{name}" for name in (markers.ours, markers.base, markers.theirs)]
    merged = _merge_file(base, ours, theirs, f"--marker-size={markers.size}", *labels)
    if merged is not None:
        return merged
    begin, middle, end = (character * markers.size for character in "<=>")
    first, second = (side if not side or side.endswith(b"\n") else side + b"\n" for side in (ours, theirs))
    lines = os.fsencode(f"{begin} {markers.ours}\n"), os.fsencode(f"{end} {markers.theirs}\n")
    return b"%s%s%s\n%s%s" % (lines[0], first, middle.encode(), second, lines[1])


def favour(base: bytes, ours: bytes, theirs: bytes) -> tuple[bytes, bytes] | None:
    """Return git's merge by lines with ours, and with theirs, at each conflict; None if git cannot do it."""
    with_ours, with_theirs = (_merge_file(base, ours, theirs, option) for option in ("--ours", "--theirs"))
    if with_ours is None or with_theirs is None:
        return None
    return with_ours, with_theirs


def _merge_file(base: bytes, ours: bytes, theirs: bytes, *options: str) -> bytes | None:
    """Return a merge by lines, with its conflicts; None if git cannot be run, or fails."""
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for name, data in {"ours": ours, "base": base, "theirs": theirs}.items():
            paths.append(os.path.join(folder, name))
            with open(paths[-1], "wb") as file:
                file.write(data)
        try:
            done = _run("merge-file", "-p", "-q", *options, *paths)
        except OSError:
            return None
    if done.returncode >= FAILED_STATUS:
        return None
    return done.stdout


def is_shallow(folder: str = os.curdir) -> bool:
    """Return whether a repository has only a part of the history."""
    return run_git("rev-parse", "--is-shallow-repository", folder=folder).strip() == b"true"
