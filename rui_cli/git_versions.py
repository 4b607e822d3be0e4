"""The documents that differ between two revisions of git, or between one and the work tree."""

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from rui_cli.errors import OperationalError, reason
from rui_cli.git import read_blobs, run_git
from rui_common.document_files import SUFFIX

FILE_MODE = "100"  # what the mode of a file begins with


class DocumentPair(NamedTuple):
    """Two versions of a document; None for one that is not there. Names are those of git, from the top folder."""

    old_name: str
    new_name: str
    old: bytes | None
    new: bytes | None


def is_revision(word: str) -> bool:
    """Return whether a word names a revision, or a range of them, in the repository of the current folder.

    Raises:
        OperationalError: git cannot be run, or there is no repository.
    """
    return bool(_resolve(word))


def _resolve(word: str) -> list[str]:
    """Return the hashes of a revision, or of both ends of a range, the old one first; none if it is no revision."""
    found = run_git("rev-parse", "--quiet", "--revs-only", "--end-of-options", word, allowed=(0, 1, 128))
    lines = found.decode().split()
    excluded = [line.removeprefix("^") for line in lines if line.startswith("^")]
    return [*excluded, *(line for line in lines if not line.startswith("^"))]


def ends_of(revisions: Sequence[str]) -> tuple[str, str]:
    """Return the hashes of the old and the new end; ``""`` for the work tree.

    ``A..B`` is A and B; ``A...B`` is their merge base and B, as for `git diff`.

    Raises:
        OperationalError: a word is no revision, or there are too many.
    """
    if len(revisions) == 1 and "..." in revisions[0]:
        left, _, right = revisions[0].partition("...")
        sides = (left or "HEAD", right or "HEAD")
        base = run_git("merge-base", *sides, allowed=(0, 1)).decode().strip()
        if not base:
            raise OperationalError(f"{revisions[0]}: these two have no common ancestor")
        return base, _resolve(sides[1])[0]
    hashes = [hash_ for word in revisions for hash_ in _resolve(word)]
    if not 1 <= len(hashes) <= 2:
        raise OperationalError(f"{' '.join(revisions)}: name one revision, two, or a range such as main..topic")
    return hashes[0], hashes[1] if len(hashes) == 2 else ""


class Difference(NamedTuple):
    """A document that differs: git's hashes of its contents, ``""`` where it is not there, and its names."""

    old_blob: str
    new_blob: str  # zeros if it is in the work tree alone
    old_name: str
    new_name: str
    is_deleted: bool


_EVERY = (f":(top,glob)**/*{SUFFIX}",)


def differences(*commits: str, paths: Sequence[str] = _EVERY, folder: str = os.curdir) -> Iterator[Difference]:
    """Yield the documents that differ between two commits, or between one and the work tree."""
    command = ("diff", "--raw", "-z", "--no-abbrev", "-M", "--no-ext-diff", *commits, "--", *paths)
    fields = iter(os.fsdecode(field) for field in run_git(*command, folder=folder).split(b"\0"))
    for described in fields:
        if not described:
            return
        old_mode, new_mode, old_blob, new_blob, status = described.removeprefix(":").split(" ")
        old_name = next(fields)
        new_name = next(fields) if status[0] in "RC" else old_name
        is_old, is_new = (mode.startswith(FILE_MODE) for mode in (old_mode, new_mode))
        if is_old or is_new:  # neither a link nor a submodule
            yield Difference(
                old_blob if is_old else "", new_blob if is_new else "", old_name, new_name, is_deleted=not is_new
            )


def work_tree() -> str:
    """Return the top folder of the work tree, from the current folder; ``""`` in a repository without one."""
    top = os.fsdecode(run_git("rev-parse", "--show-toplevel", allowed=(0, 128)).removesuffix(b"\n"))
    return top and os.path.relpath(top)


def changed_documents(
    old: str, new: str, names: Sequence[str], is_excluded: Callable[[str], bool]
) -> Iterator[DocumentPair]:
    """Yield the documents that differ, renamed ones with both names, in the order of git.

    Args:
        old, new: hashes of commits; ``""`` for the work tree.
        names: files and folders, from the current folder; none for all documents.
        is_excluded: whether a path from the current folder, which is none of `names`, is left out.
    """
    paths = [
        f":(glob){name.rstrip('/')}/**/*{SUFFIX}" if Path(name).is_dir() else f":(literal){name}" for name in names
    ]
    top = work_tree()
    named = {os.path.normpath(name) for name in names}

    def is_left_out(name: str) -> bool:
        path = os.path.normpath(os.path.join(top, name))
        return bool(top) and path not in named and is_excluded(path)

    found = [
        change
        for change in differences(*filter(None, (old, new)), paths=paths or _EVERY)
        if not (is_left_out(change.old_name) and is_left_out(change.new_name))
    ]
    hashes = {blob for change in found for blob in (change.old_blob, change.new_blob) if blob.strip("0")}
    blobs = read_blobs(hashes) if hashes else {}
    for change in found:
        after = blobs.get(change.new_blob)
        if not change.is_deleted and not change.new_blob.strip("0"):
            after = _read(Path(top, change.new_name))
        yield DocumentPair(change.old_name, change.new_name, blobs.get(change.old_blob), after)


def _read(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise OperationalError(f"cannot read {file.name}: {reason(error)}") from None
