"""`rui format`: write documents in canonical order and layout."""

from rui_cli import files, output
from rui_cli.errors import exit_code
from rui_cli.parser import Parser
from rui_cli.results import place_of
from rui_common.editing.formatter import CannotFormatError, format_document
from rui_common.syntax.document import read
from rui_common.texts import count_of
from rui_common.validation.analysis import Analysis

NOTES = """
The arguments are files to format; folders, for every *.rui.json in them; and - for standard input, which goes to
standard output. Without one, the current folder is formatted. In folders, node_modules, pipes and what is hidden are
skipped; a glob in quotes is expanded. The name of each file that is written goes to standard error. A pipe that is
named is not written.

The layout: properties in the order of the vocabulary, two spaces a level, one property a line. Lists of strings and
numbers, and elements of lists that are no nodes (navigation items, columns), are on one line each if they fit in 100
columns. Strings and numbers keep their source text, arrays keep their order, and no value changes.

A document with errors is formatted, too, except if it has syntax errors or duplicate keys, or contains the document.

Exit codes: 0 all files are in canonical form; 1 a file was not formatted, or would change with --check;
2 a file could not be read or written.
"""


def main(argv: list[str]) -> int:
    """Format documents; return the exit code."""
    parser = Parser("format", "Write RUI documents in canonical order and layout.", "[FILE|DIR|-]...", notes=NOTES)
    parser.add_argument("--check", action="store_true", help="change no file; list the files that would change")
    parser.add_no_exclude()
    parser.add_stdin_filename()
    args = parser.parse(argv)
    changed = 0
    unchanged = 0
    skipped = 0
    excluding = files.Excluding.of(args, named=True)
    documents = files.Documents(args.files, "format", args.stdin_filename, excluding=excluding)
    for file in documents:
        document = read(file.data)
        try:
            text = format_document(Analysis(document))
        except CannotFormatError as error:
            skipped += 1
            place = place_of(file.shown_name, document.lines, error.offset)
            output.print_message(f"{place}: not formatted: {error}", "format")
            continue
        formatted = files.encode(text, bom=document.bom)
        if file.name == files.STDIN and not args.check:
            output.write_bytes(formatted)
        elif formatted == file.data:
            unchanged += 1
        elif args.check:
            changed += 1
            output.write(f"{output.escape_line(file.shown_name)}\n")
        elif documents.replace(file, formatted, "formatted"):
            changed += 1
    if files.STDIN not in args.files:
        verb = "formatted"
        if args.check:
            verb = "would change"
        counts = [(changed, verb), (unchanged, "in canonical form already"), (skipped, "not formatted")]
        parts = [f"{count_of(number, 'files')} {what}" for number, what in counts if number]
        output.write("; ".join(parts or [f"0 files {verb}"]) + "\n", to_stderr=True)
    return exit_code(documents.problems, skipped + (changed if args.check else 0))
