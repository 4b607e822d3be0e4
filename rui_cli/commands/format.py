"""`rui format`: write documents in canonical order and layout."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Iterator
from typing import NamedTuple

from rui_cli import files, output
from rui_cli.errors import ExitCode, OperationalError, UsageError
from rui_cli.output import Style
from rui_cli.parser import Parser
from rui_cli.results import count
from rui_cli.unified_diff import unified_diff
from rui_common.editing.formatter import CannotFormatError, format_document
from rui_common.syntax.document import read

NOTES = """
The arguments are files to format; folders, for every *.rui.json in them except in hidden folders and node_modules; and
- for standard input, which goes to standard output. Without one, the current folder is formatted.

The layout: properties in the order of the vocabulary, two spaces a level, one property a line. Lists of strings and
numbers, and elements of lists that are no nodes (navigation items, columns), are on one line each if they fit in 100
columns. Strings and numbers keep their source text, arrays keep their order, and no value changes.

A document with errors is formatted, too, except if it has syntax errors or duplicate keys.

Exit codes: 0 all files are in canonical form; 1 a file was not formatted, or would change with --check or --diff;
2 a file could not be read or written.
"""


class FormattedDocument(NamedTuple):
    """A document: its name, its bytes, their text, and the canonical text."""

    name: str
    data: bytes
    text: str
    formatted: str

    @property
    def formatted_data(self) -> bytes:
        """The canonical text as bytes."""
        return self.formatted.encode("utf-8", "surrogatepass")

    @property
    def is_changed(self) -> bool:
        """Whether formatting changes it."""
        return self.formatted_data != self.data


class _FormatCounts:
    """Counts of files: read, changed, not formatted because of errors in them, failed to be read or written."""

    __slots__ = ("changed", "failed", "files", "skipped")

    def __init__(self) -> None:
        self.files = 0
        self.changed = 0
        self.skipped = 0
        self.failed = 0

    def report_failure(self, text: str) -> None:
        self.failed += 1
        output.print_error(text, "format")

    def report_skipped(self, text: str) -> None:
        self.skipped += 1
        output.print_error(text, "format")


def main(argv: list[str]) -> int:
    """Format documents; return the exit code."""
    parser = Parser("format", "Write RUI documents in canonical order and layout.", "[FILE|DIR|-]...", notes=NOTES)
    parser.add_argument("--check", action="store_true", help="change no file; list the files that would change")
    parser.add_argument("--diff", action="store_true", help="change no file; show the changes")
    parser.add_color()
    args = parser.parse(argv)
    if args.check and args.diff:
        raise UsageError("--check and --diff cannot be combined")
    return _format(args)


def _format(args: Namespace) -> int:
    is_dry_run = args.check or args.diff
    style = Style(color=output.use_color(args.color, sys.stdout))
    counts = _FormatCounts()
    for document in _formatted(args.files, counts):
        if document.name == files.STDIN and not is_dry_run:
            output.write_bytes(document.formatted_data)
        if not document.is_changed:
            continue
        counts.changed += 1
        if args.diff:
            _show_diff(document, style)
        elif args.check:
            output.write(f"{output.escape_control(files.display_name(document.name))}\n")
        elif document.name != files.STDIN:
            _write(document, counts)
    if files.STDIN not in args.files:
        _report_counts(counts, is_dry_run=is_dry_run)
    if counts.failed:
        return ExitCode.FAILED
    if counts.skipped or (is_dry_run and counts.changed):
        return ExitCode.FINDINGS
    return ExitCode.OK


def _show_diff(document: FormattedDocument, style: Style) -> None:
    name = files.display_name(document.name)
    on_terminal = output.is_terminal(sys.stdout)
    output.write_utf8(unified_diff(name, document.text, document.formatted, style, on_terminal=on_terminal))


def _formatted(arguments: list[str], counts: _FormatCounts) -> Iterator[FormattedDocument]:
    """Yield every document that can be formatted; report all others."""
    for name in files.find(arguments, "format", counts.report_failure):
        try:
            data = files.read_bytes(name)
        except OperationalError as error:
            counts.report_failure(str(error))
            continue
        counts.files += 1
        document = read(data)
        try:
            yield FormattedDocument(name, data, document.text, format_document(document))
        except CannotFormatError as error:
            line, column = document.lines.position(error.offset, "utf-32")
            position = f"{files.display_name(name)}:{line + 1}:{column + 1}"
            counts.report_skipped(f"{position}: not formatted: {error}")


def _write(document: FormattedDocument, counts: _FormatCounts) -> None:
    try:
        files.write_bytes(document.name, document.formatted_data)
    except OperationalError as error:
        counts.changed -= 1
        counts.files -= 1
        counts.report_failure(str(error))


def _report_counts(counts: _FormatCounts, *, is_dry_run: bool) -> None:
    """Write a line with the counts to standard error."""
    unchanged = counts.files - counts.changed - counts.skipped
    parts = []
    if counts.changed or not unchanged:
        verb = "would change" if is_dry_run else "formatted"
        parts.append(f"{count(counts.changed, 'file')} {verb}")
    if unchanged > 0:
        parts.append(f"{count(unchanged, 'file')} in canonical form already")
    if counts.skipped:
        parts.append(f"{count(counts.skipped, 'file')} not formatted")
    output.write("; ".join(parts) + "\n", to_stderr=True)
