"""`rui diff`: compare two documents by meaning: data, screens, nodes. It serves git as difftool and as diff driver."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator

from rui_cli import files, output
from rui_cli.diff_formats import FORMATS
from rui_cli.diff_result import DiffResult, Version
from rui_cli.errors import ExitCode, OperationalError, UsageError
from rui_cli.parser import Parser
from rui_cli.unified_diff import unified_diff
from rui_common.document_files import SUFFIX, leads_out
from rui_common.syntax.document import read

NOTES = """
The documents are two files, or two folders, whose *.rui.json are compared by name; - for standard input, /dev/null for
no document.

Exit codes: 0 the content is the same, 1 it differs, 2 a file could not be read. The layout of the text and the order
of properties do not count. A document with invalid values is compared as far as it can be read; one with syntax errors
is not.

A version of git:      git show main:app.rui.json | rui diff - app.rui.json
As git's difftool:     git config difftool.rui.cmd 'rui diff -- "$LOCAL" "$REMOTE"'
                       git difftool --no-prompt --tool rui main -- '*.rui.json'
In git diff and log:   git config diff.rui.command 'rui diff --'
                       echo '*.rui.json diff=rui' >> .gitattributes
As a diff driver, rui diff gets seven or nine arguments from git, and exits with 0 also if documents differ.

Environment: NO_COLOR and FORCE_COLOR disable and enable colours.
"""

GIT_ARGUMENTS = (7, 9)
"""Numbers of arguments that git calls an external diff with: path, file, hash and mode of both versions; new path."""

UNMERGED_ARGUMENTS = 1
"""Number of arguments for a file with merge conflicts: its path."""

GIT_FOLDER = "git-blob-"
"""What the names of the temporary folders start with in which git's difftool writes versions."""

NO_FILE = {os.devnull, "/dev/null"}


def main(argv: list[str]) -> int:
    """Compare documents; return the exit code."""
    summary = "Compare two RUI documents: endpoints, screens, blocks and texts."
    parser = Parser("diff", summary, "OLD NEW", max_arguments=9, notes=NOTES)
    parser.add_argument("--format", choices=[*FORMATS], default="text", help="output format")
    parser.add_color()
    args = parser.parse(argv)
    arguments = args.files
    is_git = len(arguments) in GIT_ARGUMENTS
    color = "always" if is_git and args.color == "auto" and _has_git_pager() else args.color
    style = output.style_for(color, sys.stdout)
    format_ = FORMATS[args.format]
    if len(arguments) == UNMERGED_ARGUMENTS and "GIT_DIFF_PATH_COUNTER" in os.environ:
        output.write(f"{output.escape_control(arguments[0])} has merge conflicts\n")
        return ExitCode.OK
    if is_git and not (_is_document(arguments) and _are_readable(arguments)):
        if format_.is_text:
            output.write(_text_diff(arguments, style))
        return ExitCode.OK
    results = _Results(_pairs(arguments))
    write = output.write if format_.is_text else output.write_utf8
    for text in format_.render(results, style):
        write(text)
    if results.problems:
        return ExitCode.FAILED
    if results.differ and not is_git:
        return ExitCode.FINDINGS
    return ExitCode.OK


class _Results:
    """Compares pairs of files while it is iterated.

    Attributes:
        differ: whether documents that were compared differ.
        problems: the number of files that could not be read; they are reported.
    """

    def __init__(self, pairs: list[tuple[tuple[str, str], tuple[str, str]]]) -> None:
        self._pairs = pairs
        self.differ = False
        self.problems = 0

    def __iter__(self) -> Iterator[DiffResult]:
        for sides in self._pairs:
            try:
                before, after = [Version(name, _read(file)) for name, file in sides]
            except OperationalError as error:
                output.print_error(str(error), "diff")
                self.problems += 1
                continue
            broken = [version.syntax_error for version in (before, after) if version.syntax_error]
            if broken:
                for syntax_error in broken:
                    output.print_error(syntax_error, "diff")
                self.problems += 1
                continue
            result = DiffResult(before, after)
            self.differ = self.differ or not result.is_same
            yield result


def _pairs(arguments: list[str]) -> list[tuple[tuple[str, str], tuple[str, str]]]:
    """Return the files to compare: for each pair, the name to show and the file of both versions."""
    if len(arguments) in GIT_ARGUMENTS:
        path, old, _, _, new = arguments[:5]
        new_path = arguments[7] if len(arguments) > GIT_ARGUMENTS[0] else path
        return [((path, old), (new_path, new))]
    if len(arguments) != len(("OLD", "NEW")):
        raise UsageError("name two documents")
    old, new = arguments
    if old == new == files.STDIN:
        raise UsageError("only one of the documents can come from standard input")
    if not os.path.isdir(old) and not os.path.isdir(new):
        return [((_display_name(old), old), (_display_name(new), new))]
    if not os.path.isdir(old) or not os.path.isdir(new):
        raise UsageError("name two files or two folders")
    names = dict.fromkeys([*_documents(old), *_documents(new)])
    return [(_side(old, name), _side(new, name)) for name in sorted(names)]


def _side(folder: str, name: str) -> tuple[str, str]:
    """Return the name to show and the file of a document in a folder, which may lack it."""
    file = os.path.join(folder, name)
    if not os.path.exists(file) or (leads_out(file, folder) and not _is_git_folder()):
        return file, os.devnull
    return file, file


def _is_git_folder() -> bool:
    """Return whether git's difftool made the folders. Links in them lead to regular files of the working tree."""
    return "GIT_DIFFTOOL_DIRDIFF" in os.environ


def _display_name(file: str) -> str:
    """Return the name of a file; of the temporary files of git's difftool without their folder."""
    folder, base = os.path.split(file)
    if os.path.basename(folder).startswith(GIT_FOLDER):
        return base
    return files.display_name(file)


def _documents(folder: str) -> list[str]:
    """Return the documents in a folder, relative to it."""
    found = files.documents_in(folder, "diff", follow_links=_is_git_folder())
    return [os.path.relpath(name, folder) for name in found]


def _read(file: str) -> bytes | None:
    """Return the content of a file; None if there is no document on this side."""
    if file in NO_FILE:
        return None
    return files.read_bytes(file)


def _is_document(arguments: list[str]) -> bool:
    """Return whether git asks for the difference of a RUI, and not of another file."""
    return any(name.endswith(SUFFIX) for name in (arguments[0], *arguments[7:8]))


def _are_readable(arguments: list[str]) -> bool:
    """Return whether no version has syntax errors; git gets the unified diff of a text with some."""
    try:
        versions = [_read(arguments[index]) for index in (1, 4)]
    except OperationalError:  # it is reported with the comparison
        return True
    return all(data is None or read(data).valid for data in versions)


def _text_diff(arguments: list[str], style: output.Style) -> str:
    """Return the unified diff of files that are no documents: git calls GIT_EXTERNAL_DIFF for every file."""
    try:
        versions = [_read(arguments[index]) or b"" for index in (1, 4)]
    except OperationalError as error:  # git would stop at another exit code
        return f"{output.escape_control(str(error))}\n"
    name = arguments[0]
    if any(b"\0" in data for data in versions):
        return f"Binary files {output.escape_control(name)} differ\n"
    before, after = [data.decode("utf-8", "replace") for data in versions]
    return unified_diff(name, before, after, style, on_terminal=True)


def _has_git_pager() -> bool:
    """Return whether git shows the output in its pager, which understands colours."""
    return os.environ.get("GIT_PAGER_IN_USE") in {"1", "true"} and not os.environ.get("NO_COLOR")
