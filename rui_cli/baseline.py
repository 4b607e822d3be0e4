"""The findings that a revision of git has, so that `rui check --since` reports only others."""

import hashlib
import os
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from functools import cached_property, partial

from rui_cli.errors import OperationalError
from rui_cli.files import STDIN, Documents, File
from rui_cli.git import SHALLOW, is_shallow, read_blobs, run_git
from rui_cli.git_versions import FILE_MODE, differences
from rui_common.document_files import SUFFIX, find_documents, read_file
from rui_common.suggest import did_you_mean
from rui_common.syntax.document import read
from rui_common.syntax.paths import Path
from rui_common.validation.analysis import Analysis
from rui_common.validation.diagnostics import Diagnostic
from rui_common.versions.match import match

MIN_COMMON = 0.5  # the share of the fewer ids that a document has in common with one that has another name now

Compare = Callable[[Analysis], list[Diagnostic]]


class Baseline:
    """What a revision has of the documents of one run.

    Raises:
        OperationalError: an argument is in no repository, or its repository has no such revision.
    """

    def __init__(self, revision: str, documents: Documents, arguments: Sequence[str], stdin_filename: str) -> None:
        self._revision = revision
        self._documents = documents
        self._revisions: dict[str, _Revision | OperationalError] = {}  # by folder
        self._reported: set[str] = set()
        for argument in arguments or [os.curdir]:
            self._revision_of(stdin_filename if argument == STDIN else argument)

    def new(self, file: File, analysis: Analysis, diagnostics: list[Diagnostic], compare: Compare) -> list[Diagnostic]:
        """Return the diagnostics of a document that its version in the revision does not have.

        `compare` returns the differences of that version from the description of the API.
        """
        try:
            data = self._revision_of(file.location).content_of(file)
        except OperationalError as error:  # the repository is in a folder that is searched
            if str(error) not in self._reported:
                self._reported.add(str(error))
                self._documents.report(str(error), file.location)
            return diagnostics
        if data is None or not diagnostics:
            return diagnostics
        if data == file.data:
            return []
        old = Analysis(read(data))
        return new_diagnostics(old, [*old.diagnostics, *compare(old)], analysis, diagnostics)

    def _revision_of(self, name: str) -> "_Revision":
        """Return the revision in the repository of a file or folder.

        Raises:
            OperationalError: there is none.
        """
        folder = os.path.realpath(name or os.curdir)
        while not os.path.isdir(folder):
            folder = os.path.dirname(folder)
        if folder not in self._revisions:
            try:
                self._revisions[folder] = self._open(folder)
            except OperationalError as error:
                self._revisions[folder] = error
        revision = self._revisions[folder]
        if isinstance(revision, OperationalError):
            raise revision
        return revision

    def _open(self, folder: str) -> "_Revision":
        root = folder
        while not os.path.lexists(os.path.join(root, ".git")):
            root, inner = os.path.dirname(root), root
            if root == inner:
                raise OperationalError(f"--since needs a repository of git, and {folder} is in none")
        if root != folder:
            return self._revision_of(root)
        name = f"{self._revision}^{{commit}}"
        commit = run_git("rev-parse", "--verify", "--quiet", "--end-of-options", name, folder=root, allowed=(1,))
        if not commit or commit.startswith(b"^"):
            raise OperationalError(
                f"--since {self._revision}: {root} has no such revision{_advice(self._revision, root)}"
            )
        return _Revision(root, commit.decode().split()[-1], partial(self._documents.excludes, is_folder=True))


def _advice(revision: str, root: str) -> str:
    """Return why a repository may lack a revision, or the branch or tag that is meant; or ``""``."""
    if is_shallow(root):
        return f"; {SHALLOW}"
    names = run_git("for-each-ref", "--format=%(refname:short)", folder=root).decode("utf-8", "replace").split()
    return did_you_mean(revision, names)


class _Revision:
    """The documents in one revision of one repository."""

    def __init__(self, root: str, commit: str, is_left_out: Callable[[str], bool]) -> None:
        self._root = root
        self._is_left_out = is_left_out
        self._commit = commit

    def content_of(self, file: File) -> bytes | None:
        """Return the content of a document, also under another name; None if it is new."""
        if not file.location:
            return None
        name = self._name_of(file.location)
        old_name = name if name in self._blobs else self._old_names.get(name)
        if old_name is None:
            return None
        blob = self._blobs[old_name]
        if _blob_of(file.data, blob) == blob:
            return file.data
        return self._read(blob)

    def _name_of(self, path: str) -> str:
        return os.path.relpath(os.path.realpath(path), self._root).replace(os.sep, "/")

    def _read(self, blob: str) -> bytes:
        if blob not in self._contents:
            self._contents |= read_blobs([blob], self._root)
        return self._contents[blob]

    @cached_property
    def _blobs(self) -> dict[str, str]:
        """The hash of every file, by its name from the root."""
        listed = run_git("ls-tree", "-r", "-z", "--full-tree", self._commit, folder=self._root)
        blobs: dict[str, str] = {}
        for line in listed.split(b"\0"):
            described, _, name = line.partition(b"\t")
            fields = described.decode().split()
            if len(fields) == 3 and fields[0].startswith(FILE_MODE):  # neither a link nor a submodule
                blobs[os.fsdecode(name)] = fields[2]
        return blobs

    @cached_property
    def _contents(self) -> dict[str, bytes]:
        """The contents by hash, first those of the documents that have changed, in one call of git."""
        changed = {change.old_blob for change in differences(self._commit, folder=self._root)}
        return read_blobs(changed - {""}, self._root) if changed else {}

    @cached_property
    def _old_names(self) -> dict[str, str]:
        """The old name of each document that has another one now: the same bytes, else most ids in common, decide."""
        gone = [name for name in self._blobs if name.endswith(SUFFIX)]
        gone = [name for name in gone if not os.path.lexists(os.path.join(self._root, name))]
        folder = os.path.relpath(self._root)  # each `rui.toml` has one name in a run
        paths = find_documents(folder, _ignore_skipped, is_left_out=self._is_left_out) if gone else []
        added = [name for name in map(self._name_of, paths) if name not in self._blobs]
        by_content: dict[object, list[str]] = {}
        for name in gone:
            by_content.setdefault(self._blobs[name], []).append(name)
        found: dict[str, str] = {}
        ids: dict[str, frozenset[str]] = {}
        for name in added:
            try:
                data = read_file(os.path.join(self._root, name))
            except OSError:
                continue
            names = by_content.get(_blob_of(data, self._blobs[gone[0]]))
            if names:
                found[name] = names.pop(0)
            else:
                ids[name] = _ids_of(data)
        left = {name: _ids_of(self._read(self._blobs[name])) for name in gone if name not in set(found.values())}
        for old, new in _alike(left, ids):
            if new not in found and old not in found.values():
                found[new] = old
        return found


def _ignore_skipped(_path: str, _reason: str) -> None:
    """Do nothing: the search of the run has said it."""


def _alike(olds: dict[str, frozenset[str]], news: dict[str, frozenset[str]]) -> Iterator[tuple[str, str]]:
    """Yield pairs of documents that have half of the ids of one of them in common, those with most first."""
    scored: list[tuple[float, bool, str, str]] = []
    for new, new_ids in news.items():
        for old, old_ids in olds.items():
            common = len(new_ids & old_ids)
            if common and common / min(len(new_ids), len(old_ids)) >= MIN_COMMON:
                is_other_name = old.rpartition("/")[2] != new.rpartition("/")[2]
                scored.append((-common / len(new_ids | old_ids), is_other_name, old, new))
    return ((old, new) for _, _, old, new in sorted(scored))


def _ids_of(data: bytes) -> frozenset[str]:
    nodes = (
        node.members.get("id") for node in Analysis(read(data)).tree if node.shape is not None and node.shape.is_node
    )
    return frozenset(name for name in nodes if isinstance(name, str))


def _blob_of(data: bytes, like: str) -> str:
    """Return git's hash of a content, of the kind of another hash."""
    name = "sha1" if len(like) == 40 else "sha256"
    return hashlib.new(name, b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


def new_diagnostics(
    old: Analysis, old_diagnostics: Sequence[Diagnostic], new: Analysis, diagnostics: Sequence[Diagnostic]
) -> list[Diagnostic]:
    """Return the diagnostics of a version that an old one does not have at the same part, with the same values."""
    matching = match(old.document.value, new.document.value, new.vocabulary, by_index=True)
    olds = {element.path for element in matching.olds}
    news = {element.path for element in matching.news}
    known = Counter(_identity(old, diagnostic, olds, {path: path for path in olds}) for diagnostic in old_diagnostics)
    left: list[Diagnostic] = []
    for diagnostic in diagnostics:
        identity = _identity(new, diagnostic, news, matching.to_old)
        if known[identity] > 0:
            known[identity] -= 1
        else:
            left.append(diagnostic)
    return left


def _identity(analysis: Analysis, diagnostic: Diagnostic, elements: set[Path], old_paths: dict[Path, Path]) -> Hashable:
    """Return what is equal for the same finding in both versions: the part of the old one, the place in it, the values.

    A part that the old version does not have is None.
    """
    path = diagnostic.path
    length = next(length for length in range(len(path), -1, -1) if path[:length] in elements)
    values: tuple[str, ...] = ()
    if diagnostic.finding is not None:
        values = diagnostic.finding.message_values
    elif diagnostic.fault is not None:
        values = (diagnostic.fault.kind.name, analysis.document.text[slice(*diagnostic.span)])
    return diagnostic.code, diagnostic.rule, old_paths.get(path[:length]), path[length:], values
