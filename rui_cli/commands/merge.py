"""`rui merge`: merge two versions of a document with their common base; as git's merge driver, or after a conflict."""

import os
from argparse import Namespace
from itertools import zip_longest

from rui_cli import files, output
from rui_cli.errors import DEBUG_VARIABLE, ExitCode, OperationalError, UsageError, internal_error
from rui_cli.git import Stages, attribute, conflict_style, favour, merge_lines, read_stages
from rui_cli.parser import Parser
from rui_cli.results import place_of
from rui_common.syntax.conflicts import MARKER_SIZE, Markers
from rui_common.syntax.document import Document, read
from rui_common.texts import count_of
from rui_common.validation.analysis import Analysis
from rui_common.validation.diagnostics import is_error
from rui_common.versions.merge import CannotMergeError, Merge, merge
from rui_common.versions.merge_inputs import SIDES, choose

NOTES = """
With three files, the merged document replaces OURS, whose layout it has. BASE is the common ancestor of OURS and
THEIRS; an empty file or /dev/null if there is none. With one file, git has left a conflict in it: the three versions
come from git's index, and what was resolved or changed in the file since stays. Then check the file, and `git add` it.

Nodes, columns, options and navigation items are matched by id, key, value and page; a renamed node by its content.
Changes of both sides are merged, also if one side moves a node and the other changes it. What both sides change in two
ways is a conflict: it is named, and written with git's markers around whole members. `rui check` and the editors show
each conflict as one error, and read ours.

`rui git install` makes it git's merge driver, with git's own merge where rui is not installed or fails.

Exit codes: 0 merged; 1 there are conflicts, or an error that neither side has, and the result is written; 2 nothing is
written, as a file could not be read or written. A side that is not JSON is merged by lines, as git does it; the exit
code is 1 then.
"""

MAX_MARKER_SIZE = 200
LABELS = {"%X": "ours", "%S": "base", "%Y": "theirs"}
"""What git replaces by the names of ours, base and theirs, from 2.45 on → the name without."""


def main(argv: list[str]) -> int:
    """Merge documents; return the exit code."""
    summary = "Merge two versions of a RUI document with their common base."
    parser = Parser("merge", summary, "BASE OURS THEIRS | FILE", max_arguments=3, notes=NOTES)
    parser.add_argument("-p", "--stdout", action="store_true", help="print the merged document; change no file")
    parser.add_argument("--path", metavar="NAME", default="", help="the name of the document for messages")
    parser.add_argument("--marker-size", metavar="N", type=int, default=0, help="the length of a conflict marker")
    parser.add_argument(
        "-L", "--label", metavar="NAME", action="append", default=[],
        help="the names of ours, base and theirs at conflicts, in this order",
    )  # fmt: skip
    parser.add_argument("--force", action="store_true", help="merge again, and replace what was changed in FILE since")
    args = parser.parse(argv)
    if files.STDIN in args.files:
        raise UsageError("name files: none of them can come from standard input")
    if args.marker_size and not MARKER_SIZE <= args.marker_size <= MAX_MARKER_SIZE:
        raise UsageError(f"--marker-size is a number from {MARKER_SIZE} to {MAX_MARKER_SIZE}")
    if len(args.label) > len(LABELS):
        raise UsageError("--label names ours, base, theirs: at most three")
    if len(args.files) == 3:
        base, ours, theirs = (files.read_bytes(name) for name in args.files)
        name = args.files[1]
        result, code = _merge(base, ours, theirs, name, args, _markers(args, name))
        return _write(name, ours, result, code, args)
    if len(args.files) != 1:
        raise UsageError("name three versions, or one file in conflict")
    return _merge_in_conflict(args.files[0], args)


def _merge_in_conflict(name: str, args: Namespace) -> int:
    """Merge the versions of a file in git's index, with what the user has changed in the file since."""
    stages = read_stages(name)
    base, ours, theirs = stages
    if ours is None or theirs is None:
        raise OperationalError(f"{name} {_one_version(stages)}")
    data = files.read_bytes(name)
    document = read(data)
    markers = _markers(args, name, document)
    if args.force:
        result, code = _merge(base or b"", ours, theirs, name, args, markers)
        return _write(name, data, result, code, args)
    if not document.conflicts:
        _check_resolved(name, document, stages, is_ours=data == ours)
        return _write(name, data, data, ExitCode.OK, args)
    if not _is_utf8(data):
        raise OperationalError(f"{name} is not UTF-8: resolve its conflicts by hand")
    merged = _merge_rest(name, document, stages, markers)
    result = files.encode(merged.text, bom=document.bom)
    return _write(name, data, result, _report(merged, args.path or name), args)


def _merge_rest(name: str, document: Document, stages: Stages, markers: Markers) -> Merge:
    """Merge what is still in conflict in a document.

    If the document is as git or `rui merge` has left it, the versions in git's index are merged. Otherwise the document
    with the choice of ours at each conflict, and the one with the choice of theirs: what both have was resolved or
    changed by the user, or merged by git, and stays.

    Raises:
        OperationalError: the document with one of the choices is not JSON.
    """
    base, ours, theirs = (stage or b"" for stage in stages)
    choices = _choices(document)
    try:
        merged = merge(read(base), read(ours), read(theirs), markers)
    except CannotMergeError:
        merged = None
    if merged is not None:
        by_lines = favour(base, ours, theirs) or ()
        texts = [choice.text for choice in choices]
        if texts in ([choice.text for choice in _choices(read(merged.text))], [read(side).text for side in by_lines]):
            return merged
    for choice, side in zip(choices, SIDES, strict=True):
        if not choice.valid:
            why = f"with {side.value} at each conflict, it is not JSON: {choice.syntax[0].message}"
            raise OperationalError(f"{name} is unchanged, as {why}; resolve it by hand, or --force replaces it")
    try:
        return merge(read(base), choices[0], choices[1], markers)
    except CannotMergeError as error:
        raise OperationalError(f"{name} is unchanged: {error}") from None


def _choices(document: Document) -> list[Document]:
    """Return a document with ours at each conflict, and with theirs."""
    return [choose(document, side) for side in SIDES]


def _check_resolved(name: str, document: Document, stages: Stages, *, is_ours: bool) -> None:
    """Raise OperationalError unless a file without conflicts is a document that may be added to git's index."""
    if is_ours and not _is_result(document, stages):
        # A merge driver that fails leaves ours in the file.
        raise OperationalError(f"{name} is ours, without theirs: git add keeps it, rui merge --force merges both")
    if not document.valid:
        fault = document.syntax[0]
        place = place_of(name, document.lines, fault.span.start)
        raise OperationalError(f"no conflict is left, but {place} is not JSON: {fault.message}")


def _is_result(document: Document, stages: Stages) -> bool:
    """Return whether a document is the merge of the versions in git's index."""
    base, ours, theirs = (read(stage or b"") for stage in stages)
    try:
        return merge(base, ours, theirs).text == document.text
    except CannotMergeError:
        return False


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _markers(args: Namespace, name: str, document: Document | None = None) -> Markers:
    """Return how conflicts are written: as the options say, else as in a document, else as git does it for the file."""
    labels = [LABELS.get(label, " ".join(label.split())) for label in args.label]
    size = args.marker_size
    if document is not None and document.conflicts:
        found = document.conflicts[0].markers(document.text)
        labels = labels or [found.ours, found.base, found.theirs]
        size = size or found.size
        with_base = found.with_base
    else:
        with_base = conflict_style(os.path.dirname(name) or os.curdir) in {"diff3", "zdiff3"}
        if document is not None and not size:
            number = attribute("conflict-marker-size", name)
            if number.isdecimal() and MARKER_SIZE <= int(number) <= MAX_MARKER_SIZE:
                size = int(number)
    ours, base, theirs = (label or default for label, default in zip_longest(labels, LABELS.values(), fillvalue=""))
    return Markers(size or MARKER_SIZE, ours, base, theirs, with_base)


def _one_version(stages: Stages) -> str:
    """Return what happened to a file that ours or theirs lacks, and what to do."""
    todo = "keep it with git add, or delete it with git rm"
    if stages.ours is None and stages.theirs is None:
        return "is deleted by both sides: delete it with git rm, or keep it with git add"
    there, gone = ("ours", "theirs") if stages.theirs is None else ("theirs", "ours")
    if stages.base is None:
        return f"is in {there} alone: {todo}"
    return f"is deleted in {gone} and changed in {there}: {todo}"


def _merge(base: bytes, ours: bytes, theirs: bytes, name: str, args: Namespace, markers: Markers) -> tuple[bytes, int]:
    """Merge three versions of a file, print the conflicts, and return the result and the exit code."""
    shown = args.path or name
    if theirs in (ours, base):
        return ours, ExitCode.OK
    if base == ours:
        return theirs, ExitCode.OK
    documents = [read(version) for version in (base, ours, theirs)]
    try:
        merged = merge(documents[0], documents[1], documents[2], markers)
    except CannotMergeError as error:
        return _merge_by_lines(base, ours, theirs, f"{shown}: {error}", markers)
    except Exception as error:  # git would leave ours in the file, and theirs would be lost.
        if os.environ.get(DEBUG_VARIABLE) == "1":
            raise
        why = f"{shown}: {internal_error(error)}"
        return _merge_by_lines(base, ours, theirs, why, markers)
    return files.encode(merged.text, bom=documents[1].bom), _report(merged, shown)


def _write(name: str, old: bytes, new: bytes, code: int, args: Namespace) -> int:
    """Replace a file or print the result; return the exit code.

    As git's merge driver, the command exits with 0 or 1 only if the result is in the file, and with another code only
    if the file is unchanged. So nothing that may fail follows here.
    """
    if args.stdout:
        output.write_bytes(new)
    elif new != old:
        if os.path.isfile(name) and files.read_bytes(name) != old:
            raise OperationalError(f"cannot write {name}: it has changed since it was read")
        files.write_bytes(name, new)
    if len(args.files) == 1 and code == ExitCode.OK and not args.stdout:
        done = "no conflict is left" if new == old else "merged without a conflict"
        output.print_message(f"{name}: {done}; {_next_step(new)}", "merge")
    return code


def _next_step(data: bytes) -> str:
    """Return what is left to do with a file in which no conflict is left."""
    errors = sum(is_error(diagnostic) for diagnostic in Analysis(read(data)).diagnostics)
    if errors:
        return f"it has {count_of(errors, 'errors')}, see rui check; then git add it"
    return "git add it"


def _merge_by_lines(base: bytes, ours: bytes, theirs: bytes, why: str, markers: Markers) -> tuple[bytes, int]:
    merged = merge_lines(base, ours, theirs, markers)
    if merged is None:
        raise OperationalError(f"{why}; not merged, as git regards it as a binary file")
    output.print_message(f"{why}; merged by lines", "merge")
    return merged, ExitCode.FINDINGS


def _report(merged: Merge, name: str) -> int:
    """Write the conflicts and new errors to standard error; return the exit code."""
    for conflict in merged.conflicts:
        output.print_message(f"{name}: conflict: {conflict}", "merge")
    if merged.errors:
        lines = read(merged.text).lines
        for error in merged.errors:
            place = place_of(name, lines, error.span.start)
            output.print_message(f"{place}: neither side has this error: {error.message}", "merge")
    found = [(len(merged.conflicts), "conflicts"), (len(merged.errors), "new errors")]
    texts = [count_of(number, what) for number, what in found if number]
    if not texts:
        return ExitCode.OK
    output.print_message(f"{name}: merged with {' and '.join(texts)}", "merge")
    return ExitCode.FINDINGS
