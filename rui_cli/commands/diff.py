"""`rui diff`: compare two documents. It serves git as difftool and as diff driver."""

import difflib
import os
import sys
from argparse import Namespace
from io import StringIO
from pathlib import Path

from rui_cli import files, output
from rui_cli.diff_formats import FORMATS, broken_markdown, shared_lines
from rui_cli.diff_result import DiffResult, Version
from rui_cli.errors import ExitCode, OperationalError, UsageError, exit_code, reason
from rui_cli.parser import Parser
from rui_common.document_files import SUFFIX
from rui_common.project.discovery import CONFIGURATION_FILE
from rui_common.syntax.reader import Source
from rui_common.versions.answers import notes_on
from rui_common.versions.changes import shared_changes
from rui_common.versions.notes import NotesError, OtherDocumentError, read_notes

NOTES = """
The documents are two files; - for standard input, /dev/null for no document. Or revisions of git: one is compared with
the work tree, two with each other, as is a range such as main..topic or main...topic. Then files and folders limit the
documents; an argument that is a file is one, any other is a revision, and -- ends the revisions.

Exit codes: 0 the content is the same, 1 it differs, 2 a file could not be read; with --notes 0 if each note is
followed or its part gone, and 1 if one is untouched. The layout of the text and the order of properties do not count. A
document with invalid values is compared as far as it can be read; one with syntax errors is not.

What a branch changes: rui diff main...topic
As git's difftool:     git config difftool.rui.cmd 'rui diff -- "$LOCAL" "$REMOTE"' &&
                       git difftool --no-prompt --tool rui main -- '*.rui.json'
In git diff and log:   rui git install
As a diff driver, rui diff gets seven or nine arguments from git, and exits with 0 also if documents differ.

Environment: NO_COLOR and FORCE_COLOR disable and enable colours.
"""

NO_FILE = {os.devnull, "/dev/null"}


def main(argv: list[str]) -> int:
    """Compare documents; return the exit code."""
    summary = "Say what changes between two RUI documents for the users of the app."
    parser = Parser("diff", summary, "OLD NEW | REV [REV] [FILE|DIR]...", notes=NOTES)
    parser.add_argument("--format", choices=[*FORMATS], default="text", help="output format")
    parser.add_argument(
        "--openapi", metavar="FILE", default="", help="mark new endpoints that this OpenAPI description does not have"
    )
    parser.add_argument(
        "--notes", metavar="FILE", default="", help="say what NEW did about a reviewer's notes on the page of OLD"
    )
    parser.add_argument(
        "--answered", metavar="FILE", default="", help="as a diff driver, add the name of a document with notes to FILE"
    )
    parser.add_no_exclude()
    parser.add_stdin_filename()
    args = parser.parse(argv)
    arguments = args.files
    has_end = "--" in argv  # what is before it are revisions
    count = len(argv) - argv.index("--") - 1 if has_end else 0
    words, names = arguments[: len(arguments) - count], arguments[len(arguments) - count :]
    if len(arguments) in (7, 9) and not (words and names):
        try:
            _diff_for_git(arguments, args)
            sys.stdout.flush()
        except BrokenPipeError:  # git's pager was left: git ends by itself, and would name any other exit code
            output.discard()
        return ExitCode.OK
    if len(arguments) == 1 and "GIT_DIFF_PATH_COUNTER" in os.environ:
        output.write(f"{output.escape_line(arguments[0])} has merge conflicts\n")
        return ExitCode.OK
    revisions = words if has_end else [word for word in words if not _is_file(word)]
    if revisions and all(map(_is_revision, revisions)):
        limits = [*names, *(word for word in words if word not in revisions)]
        for word in () if has_end else limits:
            if _is_revision(word):
                raise UsageError(f"{word} is a file and a revision: write {word} -- or -- {word}")
        return _diff_revisions(revisions, limits, args)
    if names and words:
        raise UsageError(f"{next(word for word in words if not _is_revision(word))} is no revision of git")
    if len(arguments) == 1 and not _is_file(arguments[0]):
        raise OperationalError(f"{arguments[0]} is no file, and no revision of git")
    if len(arguments) != 2:
        raise UsageError("name two documents, or revisions of git")
    if arguments == [files.STDIN, files.STDIN]:
        raise UsageError("only one of the documents can come from standard input")
    return _diff(arguments, args)


def _is_file(word: str) -> bool:
    return word == files.STDIN or word in NO_FILE or os.path.lexists(word)


def _is_revision(word: str) -> bool:
    """Return whether a word names a revision; without git and outside of a repository, none does."""
    from rui_cli.git_versions import is_revision  # not needed for two files

    try:
        return is_revision(word)
    except OperationalError:
        return False


def _diff_revisions(revisions: list[str], names: list[str], args: Namespace) -> int:
    """Print the differences of all documents between two revisions; return the exit code."""
    from rui_cli.git_versions import changed_documents, ends_of  # not needed for two files

    problems = 0
    results: list[DiffResult] = []
    broken: list[tuple[Version, Version]] = []
    documents = files.Documents(names, "diff", excluding=files.Excluding.of(args, named=False))
    for pair in changed_documents(*ends_of(revisions), names, documents.leaves_out):
        before, after = Version(pair.old_name, pair.old), Version(pair.new_name, pair.new)
        if not (before.is_json and after.is_json):
            broken.append((before, after))
            continue
        result, failed = _compare(before, after, args.openapi)
        problems += failed
        if args.notes:
            _answer_notes_for_git(result, args)
        if result.is_same and pair.old_name != pair.new_name and pair.old == pair.new:
            result.remarks.append(f"{pair.new_name} has the content of {pair.old_name}.")
        results.append(result)
    if not results and not broken and documents.has_excluded:
        documents.note(f"every *{SUFFIX} that differs is excluded by {CONFIGURATION_FILE}; see --no-exclude")
    shared = shared_changes([() if result.answers else result.comparison.changes for result in results])
    for number, result in enumerate(results):
        result.shared = frozenset(change for shared_change in shared for change in shared_change.changes[number])
    output.write_lines(shared_lines(shared, args.format, output.style_for(sys.stdout)), args.format)
    for number, result in enumerate(results):
        if number and args.format != "json":
            output.write("\n")
        _print(result, args.format)
    for versions in broken:
        _print_broken(*versions, args)
    return exit_code(problems + documents.problems + len(broken), bool(results or broken))


def _diff(arguments: list[str], args: Namespace) -> int:
    """Print the difference of two documents; return the exit code."""
    before, after = [
        Version(files.display_name(name, args.stdin_filename), _read(name, args.stdin_filename)) for name in arguments
    ]
    broken = [version.first_error for version in (before, after) if not version.is_json]
    for error in broken:
        output.print_message(error, "diff")
    if broken:
        return ExitCode.FAILED
    result, problems = _compare(before, after, args.openapi)
    is_ok = result.is_same
    if args.notes:
        if files.STDIN in arguments and args.notes == files.STDIN:
            raise UsageError("only one of documents and notes can come from standard input")
        try:
            is_ok = result.answer_notes(_read_notes(args.notes))
        except NotesError as error:
            raise OperationalError(f"{files.display_name(args.notes)}: {error}") from None
    _print(result, args.format)
    return exit_code(problems, not is_ok)


def _read_notes(name: str) -> str:
    return Source(files.read_bytes(name)).text


def _compare(before: Version, after: Version, openapi: str) -> tuple[DiffResult, int]:
    """Return the differences, and the number of files that a description needs and that fail."""
    if not openapi or after.analysis is None or after.data is None:
        return DiffResult(before, after), 0
    from rui_cli.api_checks import Apis  # slow, and only with a description

    documents = files.Documents([], "diff")
    file = files.File(after.name, after.name, after.data)
    endpoints = Apis(documents, openapi).unknown_endpoints(file, before.analysis, after.analysis)
    return DiffResult(before, after, endpoints), documents.problems


def _print(result: DiffResult, format_name: str) -> None:
    output.write_lines(FORMATS[format_name](result, output.style_for(sys.stdout)), format_name)


def _read(name: str, stdin_filename: str = "") -> bytes | None:
    """Return the content of a file; None if there is no document on this side."""
    if name in NO_FILE:
        return None
    return files.read_bytes(name, stdin_filename)


def _diff_for_git(arguments: list[str], args: Namespace) -> None:
    """Print the difference of two versions of a file: a unified diff of one that is no readable document.

    git calls GIT_EXTERNAL_DIFF for every file, and stops if the exit code is not 0. The arguments are the path, and
    file, hash and mode of both versions. For a renamed file, the new path and a text about the similarity follow.
    """
    path, old, _, _, new = arguments[:5]
    new_path = path
    if len(arguments) == 9:
        new_path = arguments[7]
    try:
        before, after = [Version(name, _read(file)) for name, file in ((path, old), (new_path, new))]
    except OperationalError as error:
        output.write(f"{output.escape_line(str(error))}\n")
        return
    is_document = path.endswith(SUFFIX) or new_path.endswith(SUFFIX)
    if is_document and before.is_json and after.is_json:
        result, _ = _compare(before, after, args.openapi)
        if args.notes:
            _answer_notes_for_git(result, args)
        result.remarks += _remarks_on_file(arguments, is_same=result.is_same)
        _print(result, args.format)
    elif args.format == "text":
        for remark in _remarks_on_file(arguments, is_same=before.data == after.data):
            output.write(f"{output.escape_line(remark)}\n")
        output.write(_text_diff(path, before.data or b"", after.data or b""))
    elif is_document:
        _print_broken(before, after, args)


def _print_broken(before: Version, after: Version, args: Namespace) -> None:
    """Print that two versions are not compared, as one of them is not JSON."""
    remarks = [version.first_error for version in (before, after) if not version.is_json]
    if args.notes and before.is_json and before.data is not None:
        try:
            is_noted = bool(notes_on(read_notes(_read_notes(args.notes)), before.value))
        except NotesError as error:
            remarks.append(_unanswered(args.notes, error))
        else:
            if is_noted:
                remarks.append("The notes are about this document; none of them is answered.")
                _mark_answered(args.answered, after.name)
    if args.format == "markdown":
        output.write_utf8(
            "".join([f"{line}\n" for line in broken_markdown(before.title or after.name, after.name, remarks)])
        )
    else:
        for remark in remarks:
            output.print_message(remark, "diff")


def _answer_notes_for_git(result: DiffResult, args: Namespace) -> None:
    """Add the answers to the notes in a file, if they are about this one of the documents that git compares."""
    try:
        result.answer_notes(_read_notes(args.notes))
    except OtherDocumentError:
        return
    except NotesError as error:
        result.remarks.append(_unanswered(args.notes, error))
    _mark_answered(args.answered, result.after.name)


def _unanswered(name: str, error: NotesError) -> str:
    return f"The notes are not answered: {files.display_name(name)}: {error}."


def _mark_answered(file: str, name: str) -> None:
    """Add the name of a document that notes are about to a file; ``""`` is no file."""
    if file:
        try:
            with Path(file).open("a", encoding="utf-8") as marked:
                marked.write(f"{name}\n")
        except OSError as error:
            raise OperationalError(f"cannot write {file}: {reason(error)}") from None


def _remarks_on_file(arguments: list[str], *, is_same: bool) -> list[str]:
    """Return sentences on what git tells of a file besides its content: another name, another mode."""
    old_mode, new_mode = arguments[3], arguments[6]
    new_path = arguments[0]
    remarks = []
    if len(arguments) == 9:
        new_path = arguments[7]
        if is_same:
            remarks.append(f"{new_path} has the content of {arguments[0]}.")
    if old_mode != new_mode and "." not in (old_mode, new_mode):  # git writes a point for a file that is not there
        remarks.append(f"The mode of {new_path} is {new_mode} instead of {old_mode}.")
    return remarks


def _text_diff(name: str, before: bytes, after: bytes) -> str:
    if b"\0" in before + after:
        return f"Binary files {output.escape_line(name)} differ\n"
    old, new = [StringIO(data.decode("utf-8", "replace"), newline="\n").readlines() for data in (before, after)]
    lines = [line.removesuffix("\n") for line in difflib.unified_diff(old, new, name, name)]
    return "".join([f"{output.escape_line(line)}\n" for line in lines])
