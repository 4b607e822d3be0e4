"""Find the edits that merge commits have lost: drivers do not run on servers, and people resolve conflicts by hand."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from rui_cli.errors import OperationalError
from rui_cli.git import is_shallow, read_blobs, run_git
from rui_cli.git_versions import differences
from rui_common.syntax.document import read
from rui_common.versions.lost_edits import lost_edits
from rui_common.versions.merge import CannotMergeError

_FIELDS = "%H%x00%P%x00%h%x00%s"


class MergeCommit(NamedTuple):
    """A commit with two parents."""

    hash: str
    parents: tuple[str, ...]
    title: str  # its short hash and its subject


class Lost(NamedTuple):
    """The edits of one parent that a merge commit does not have."""

    commit: MergeCommit
    parent: str  # the hash of the parent
    file: str  # the name of the document in the merge commit, or in the parent if it is not there
    sentences: tuple[str, ...]  # what is lost, with the marks of `sentences`; what restoring it would change


class Skipped(NamedTuple):
    """A document, or a merge commit, that cannot be audited."""

    commit: MergeCommit
    file: str  # ``""`` for the whole commit
    reason: str


class Versions(NamedTuple):
    """A document in the merge base, both parents and the merge commit: its names and hashes there, ``""`` without."""

    name: str
    base: str
    parents: tuple[str, str]
    result: str


def merge_commits(range_: str) -> list[MergeCommit]:
    """Return the merge commits of a range, the oldest first.

    Without a range: HEAD if it is one, else those since the upstream branch.

    Raises:
        OperationalError: the range does not exist, or there is no upstream branch.
    """
    if not range_:
        [head] = _commits("-1", "HEAD")
        if len(head.parents) > 1:
            return [head]
        range_ = "@{upstream}..HEAD"
    if ".." not in range_ and not range_.startswith("^"):
        range_ = f"{range_}^!"  # one commit, as it would be all of its history else
    return [commit for commit in _commits("--reverse", range_) if len(commit.parents) > 1]


def _commits(*arguments: str) -> list[MergeCommit]:
    *options, range_ = arguments
    log = ("log", "-z", f"--format={_FIELDS}", *options, "--end-of-options", range_, "--")
    listed = run_git(*log).decode("utf-8", "replace")
    fields = listed.split("\0")
    rows = [fields[start : start + 4] for start in range(0, len(fields) - 3, 4)]
    return [MergeCommit(hash_, tuple(parents.split()), f"{short} {subject}") for hash_, parents, short, subject in rows]


def audit(commit: MergeCommit, is_excluded: Callable[[str], bool], *, is_strict: bool) -> Iterator[Lost | Skipped]:
    """Yield the edits that a merge commit has lost, and what of it cannot be audited.

    With `is_strict`, also those of places that both parents changed, where the result has what the base had. A document
    is left out if `is_excluded` returns true for its name from the top folder.
    """
    if len(commit.parents) > 2:
        yield Skipped(commit, "", "it has more than two parents")
        return
    bases = run_git("merge-base", "--all", *commit.parents, allowed=(0, 1)).decode().split()
    if len(bases) != 1:
        reason = "its parents have no common ancestor" if not bases else "its parents have several merge bases"
        yield Skipped(commit, "", reason)
        return
    versions = [row for row in _changed_documents(bases[0], commit) if not is_excluded(row.name)]
    blobs = read_blobs({blob for row in versions for blob in (row.base, *row.parents, row.result) if blob})
    for document in versions:
        yield from _audit_document(commit, document, blobs, is_strict=is_strict)


def _audit_document(
    commit: MergeCommit, versions: Versions, blobs: dict[str, bytes], *, is_strict: bool
) -> Iterator[Lost | Skipped]:
    name = versions.name
    lost_file = _lost_file(versions)
    for parent, sentence in zip(commit.parents, lost_file, strict=True):
        if sentence:
            yield Lost(commit, parent, name, (sentence,))
    if not (versions.base and all(versions.parents) and versions.result):
        return  # A document that one side added or deleted has no edits of both.
    base, ours, theirs, result = (read(blobs[blob]) for blob in (versions.base, *versions.parents, versions.result))
    for document in (base, ours, theirs, result):
        if not document.valid:
            yield Skipped(commit, name, f"a version of it is not JSON: {document.syntax[0].message}")
            return
    try:
        lost = lost_edits(base, ours, theirs, result, is_strict=is_strict)
    except CannotMergeError as error:
        yield Skipped(commit, name, str(error))
        return
    for parent, changes in zip(commit.parents, lost, strict=True):
        if changes:
            yield Lost(commit, parent, name, tuple(dict.fromkeys(change.sentence for change in changes)))


def _lost_file(versions: Versions) -> tuple[str, str]:
    """Return what each parent did with a whole document and the merge commit does not have, or ``""``."""
    base, result = versions.base, versions.result
    ours, theirs = versions.parents

    def lost(side: str, other: str) -> str:
        if side == base or other not in (base, side):
            return ""
        if not side and result == base:
            return "This parent deleted the document, and it is there."
        if not result and other == base:
            return f"The document is not there, and this parent {'changed' if base else 'added'} it."
        return ""

    return lost(ours, theirs), lost(theirs, ours)


def _changed_documents(base: str, commit: MergeCommit) -> Iterator[Versions]:
    """Yield the documents that a parent changed, with their names where a side or the merge renamed them."""
    sides = [{change.old_name: change for change in differences(base, parent)} for parent in commit.parents]
    result = {change.old_name: change for change in differences(base, commit.hash)}
    for name in dict.fromkeys([*sides[0], *sides[1]]):
        changes = [side.get(name) for side in sides]
        before = next((change.old_blob for change in changes if change is not None), "")
        parents = [before if change is None else change.new_blob for change in changes]
        merged = result.get(name)
        blob, new_name = (before, name) if merged is None else (merged.new_blob, merged.new_name)
        yield Versions(new_name, before, (parents[0], parents[1]), blob)


def require_history() -> None:
    """Raise an `OperationalError` in a shallow clone, whose merge commits and merge bases may be cut off."""
    if is_shallow():
        raise OperationalError("this clone is shallow: git fetch --unshallow, or fetch-depth: 0 of actions/checkout")
