"""`rui merge`: merge two versions of a document with their common base; as git's merge driver, or after a conflict."""

import os
from argparse import Namespace

from rui_cli import files, output
from rui_cli.errors import DEBUG_VARIABLE, ExitCode, OperationalError, UsageError, internal_error
from rui_cli.git import Stages, merge_lines, read_stages
from rui_cli.parser import Parser
from rui_cli.results import place_of
from rui_common.syntax.conflicts import MARKER_SIZE, has_marker
from rui_common.syntax.document import read
from rui_common.texts import count_of
from rui_common.versions.merge import CannotMergeError, Merge, merge

NOTES = """
With three files, the merged document replaces OURS, whose layout it has. BASE is the common ancestor of OURS and
THEIRS; an empty file or /dev/null if there is none. With one file, git has left a conflict in it: the three versions
come from git's index. Then check the file, and `git add` it.

Nodes, columns, options and navigation items are matched by id, key, value and page; a renamed node by its content.
Changes of both sides are merged, also if one side moves a node and the other changes it. What both sides change in two
ways is a conflict: it is named, and written with git's markers around whole members. `rui check` and the editors show
each conflict as one error, and read ours.

As git's merge driver:
    git config merge.rui.driver 'rui merge %O %A %B --path %P --marker-size %L'
    echo '*.rui.json merge=rui' >> .gitattributes

Exit codes: 0 merged; 1 there are conflicts, or an error that neither side has; 2 a file could not be read or written.
A side that is not JSON is merged by lines, as git does it; the exit code is 1 then.
"""

MAX_MARKER_SIZE = 200


def main(argv: list[str]) -> int:
    """Merge documents; return the exit code."""
    summary = "Merge two versions of a RUI document with their common base."
    parser = Parser("merge", summary, "BASE OURS THEIRS | FILE", max_arguments=3, notes=NOTES)
    parser.add_argument("-p", "--stdout", action="store_true", help="print the merged document; change no file")
    parser.add_argument("--path", metavar="NAME", default="", help="the name of the document for messages")
    parser.add_argument(
        "--marker-size", metavar="N", type=int, default=MARKER_SIZE, help="the length of a conflict marker"
    )
    parser.add_argument("--force", action="store_true", help="replace FILE although it was changed after the conflict")
    args = parser.parse(argv)
    if files.STDIN in args.files or not all(args.files):
        raise UsageError("name files")
    if not MARKER_SIZE <= args.marker_size <= MAX_MARKER_SIZE:
        raise UsageError(f"--marker-size is a number from {MARKER_SIZE} to {MAX_MARKER_SIZE}")
    if len(args.files) == 3:
        base, ours, theirs = (files.read_bytes(name) for name in args.files)
        return _merge(base, ours, theirs, args.files[1], args)
    if len(args.files) != 1:
        raise UsageError("name three versions, or one file in conflict")
    return _merge_in_conflict(args.files[0], args)


def _merge_in_conflict(name: str, args: Namespace) -> int:
    """Merge the versions of a file in git's index."""
    stages = read_stages(name)
    if stages.ours is None or stages.theirs is None:
        output.print_error(f"{name} {_one_version(stages)}", "merge")
        return ExitCode.FINDINGS
    if not args.force and not args.stdout and _is_edited(files.read_bytes(name), stages):
        raise OperationalError(f"{name} was changed after the conflict; --force replaces it")
    return _merge(stages.base or b"", stages.ours, stages.theirs, name, args)


def _one_version(stages: Stages) -> str:
    """Return what happened to a file that ours or theirs lacks, and what to do."""
    todo = "keep it with git add, or delete it with git rm"
    if stages.ours is None and stages.theirs is None:
        return "is deleted by both sides: delete it with git rm, or keep it with git add"
    there, gone = ("ours", "theirs") if stages.theirs is None else ("theirs", "ours")
    if stages.base is None:
        return f"is in {there} alone: {todo}"
    return f"is deleted in {gone} and changed in {there}: {todo}"


def _is_edited(data: bytes, stages: Stages) -> bool:
    """Return whether a file in conflict has no markers any more, or a line that is in no version."""
    known = {line.rstrip(b"\r") for stage in stages if stage is not None for line in stage.split(b"\n")}
    lines = {line.rstrip(b"\r") for line in data.split(b"\n")}
    markers = {line for line in lines if has_marker(line.decode("utf-8", "replace"))}
    return not markers or not lines - markers <= known


def _merge(base: bytes, ours: bytes, theirs: bytes, name: str, args: Namespace) -> int:
    """Merge three versions, write the result in place of the file `name`, and print the conflicts."""
    shown = args.path or name
    if theirs in (ours, base):
        data, code = ours, ExitCode.OK
    elif base == ours:
        data, code = theirs, ExitCode.OK
    else:
        documents = [read(version) for version in (base, ours, theirs)]
        try:
            merged = merge(documents[0], documents[1], documents[2], marker_size=args.marker_size)
        except CannotMergeError as error:
            data, code = _merge_by_lines(base, ours, theirs, f"{shown}: {error}", args.marker_size)
        except Exception as error:  # git would leave ours in the file, and theirs would be lost.
            if os.environ.get(DEBUG_VARIABLE) == "1":
                raise
            why = f"{shown}: {internal_error(error)}"
            data, code = _merge_by_lines(base, ours, theirs, why, args.marker_size)
        else:
            data, code = files.encode(merged.text, bom=documents[1].bom), _report(merged, shown)
    if args.stdout:
        output.write_bytes(data)
    elif data != ours or args.files == [name]:  # a file in conflict has markers, also if ours is the result
        files.write_bytes(name, data)
    if code == ExitCode.OK and not args.stdout and args.files == [name]:
        output.print_error(f"{shown}: merged without a conflict; git add it", "merge")
    return code


def _merge_by_lines(base: bytes, ours: bytes, theirs: bytes, why: str, marker_size: int) -> tuple[bytes, int]:
    merged = merge_lines(base, ours, theirs, marker_size)
    if merged is None:
        output.print_error(f"{why}; not merged: the file is ours, git checkout --theirs has the other one", "merge")
        return ours, ExitCode.FINDINGS
    output.print_error(f"{why}; merged by lines", "merge")
    return merged, ExitCode.FINDINGS


def _report(merged: Merge, name: str) -> int:
    """Write the conflicts and new errors to standard error; return the exit code."""
    for conflict in merged.conflicts:
        output.print_error(f"{name}: conflict: {conflict}", "merge")
    if merged.errors:
        lines = read(merged.text).lines
        for error in merged.errors:
            place = place_of(name, lines, error.span.start)
            output.print_error(f"{place}: neither side has this error: {error.message}", "merge")
    found = [(len(merged.conflicts), "conflicts"), (len(merged.errors), "new errors")]
    texts = [count_of(number, what) for number, what in found if number]
    if not texts:
        return ExitCode.OK
    output.print_error(f"{name}: merged with {' and '.join(texts)}", "merge")
    return ExitCode.FINDINGS
