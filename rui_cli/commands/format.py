"""`rui format`: write documents in canonical order and layout."""

from __future__ import annotations

import sys
from argparse import Namespace

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


class _Counts:
    """Counts of files: changed, in canonical form, and not formatted because of errors in them."""

    def __init__(self) -> None:
        self.changed = 0
        self.unchanged = 0
        self.skipped = 0


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
    counts = _Counts()
    documents = files.Documents(args.files, "format")
    for name, data in documents:
        document = read(data)
        try:
            text = format_document(document)
        except CannotFormatError as error:
            counts.skipped += 1
            line, column = document.lines.position(error.offset, "utf-32")
            position = f"{files.display_name(name)}:{line + 1}:{column + 1}"
            output.print_error(f"{position}: not formatted: {error}", "format")
            continue
        formatted = text.encode("utf-8", "surrogatepass")
        if name == files.STDIN and not is_dry_run:
            output.write_bytes(formatted)
        if formatted == data:
            counts.unchanged += 1
        elif is_dry_run:
            counts.changed += 1
            _show(args, name, document.text, text)
        elif name != files.STDIN:
            _write(name, formatted, counts, documents)
    if files.STDIN not in args.files:
        _report_counts(counts, is_dry_run=is_dry_run)
    if documents.problems:
        return ExitCode.FAILED
    if counts.skipped or (is_dry_run and counts.changed):
        return ExitCode.FINDINGS
    return ExitCode.OK


def _show(args: Namespace, name: str, before: str, after: str) -> None:
    """Write the name of a document that would change, or its diff."""
    shown = files.display_name(name)
    if not args.diff:
        output.write(f"{output.escape_control(shown)}\n")
        return
    style = Style(color=output.use_color(args.color, sys.stdout))
    output.write_utf8(unified_diff(shown, before, after, style, on_terminal=output.is_terminal(sys.stdout)))


def _write(name: str, data: bytes, counts: _Counts, documents: files.Documents) -> None:
    try:
        files.write_bytes(name, data)
    except OperationalError as error:
        documents.report(str(error))
    else:
        counts.changed += 1


def _report_counts(counts: _Counts, *, is_dry_run: bool) -> None:
    """Write a line with the counts to standard error."""
    parts = []
    if counts.changed or not counts.unchanged:
        verb = "would change" if is_dry_run else "formatted"
        parts.append(f"{count(counts.changed, 'file')} {verb}")
    if counts.unchanged:
        parts.append(f"{count(counts.unchanged, 'file')} in canonical form already")
    if counts.skipped:
        parts.append(f"{count(counts.skipped, 'file')} not formatted")
    output.write("; ".join(parts) + "\n", to_stderr=True)
