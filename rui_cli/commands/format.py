"""`rui format`: documents → the same documents in canonical order and layout."""

from __future__ import annotations

import sys

from rui_cli import files, output
from rui_cli.errors import ProblemError, UsageError
from rui_cli.formats import Style
from rui_cli.options import Command, Option
from rui_cli.results import count
from rui_common.editing.formatter import CannotFormatError, format_document
from rui_common.syntax.document import read

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

COMMAND = Command(
    "format",
    "Write RUI documents in canonical order and layout.",
    Option("--check", "change nothing; list the files that would change"),
    Option("--diff", "change nothing; show what would change"),
    output.COLOR,
    arguments=(
        "[FILE|DIR|-]...",
        "what to format: files, folders (every *.rui.json in them; hidden folders and node_modules are passed over), "
        "- for standard input, which then goes to standard output; the current folder if nothing is named",
    ),
    notes="""
The layout: properties in the order of the vocabulary, two spaces a level, one property a line. Lists of strings and
numbers, and the entries of lists that are no nodes (navigation items, columns), stand on one line each where they
fit in 100 columns. Strings and numbers stay as they are spelt, arrays keep their order, and no value changes.

A document with faults is formatted, too. One that is broken JSON, or has a key twice in one object, is left as it is.

Exit codes: 0 all is in canonical form now; 1 a file was left as it is, or with --check or --diff would change;
2 something could not be read or written.
""",
)


class _Outcome:
    """Counts: files that changed or would change, were left as they are, could not be read or written."""

    __slots__ = ("changed", "failed", "files", "refused")

    def __init__(self) -> None:
        self.changed = self.refused = self.failed = self.files = 0

    def fail(self, text: str) -> None:
        """Say what could not be read or written."""
        self.failed += 1
        output.print_error(text, COMMAND.name)

    def refuse(self, text: str) -> None:
        """Say what is left as it is."""
        self.refused += 1
        output.print_error(text, COMMAND.name)


def main(argv: list[str]) -> int:
    """Format documents; the exit code."""
    given = COMMAND.read(argv)
    mode = _mode(given.flags)
    style = Style(color=output.use_color(given.values["--color"], sys.stdout))
    outcome = _Outcome()
    for name, data, text, new in _formatted(given.arguments, outcome):
        is_changed = new.encode("utf-8", "surrogatepass") != data
        outcome.changed += is_changed
        if mode == "--diff":
            on_terminal = output.is_terminal(sys.stdout)
            shown = files.shown_name(name)
            output.write_utf8(_diff(shown, text, new, style, on_terminal=on_terminal))
        elif mode == "--check":
            if is_changed:
                output.write(f"{output.visible(files.shown_name(name))}\n")
        elif name == files.STDIN:
            output.write_bytes(new.encode("utf-8", "surrogatepass"))
        elif is_changed:
            _write(name, new, outcome)
    _summarize(mode, outcome, files.STDIN in given.arguments)
    return 2 if outcome.failed else 1 if outcome.refused or (mode and outcome.changed) else 0


def _mode(flags: set[str]) -> str:
    if len(flags) > 1:
        raise UsageError("--check and --diff do not go together")
    return next(iter(flags), "")


def _diff(name: str, before: str, after: str, style: Style, *, on_terminal: bool) -> str:
    """The diff of one file (`rui_cli.unified_diff.unified_diff`)."""
    from rui_cli.unified_diff import unified_diff  # noqa: PLC0415  only for --diff

    return unified_diff(name, before, after, style, on_terminal=on_terminal)


def _formatted(arguments: list[str], outcome: _Outcome) -> Iterator[tuple[str, bytes, str, str]]:
    """Every document that can be formatted: its name, its bytes, its text, and its canonical text."""
    for name in files.find(arguments, outcome.fail):
        try:
            data = files.read_bytes(name)
        except ProblemError as problem:
            outcome.fail(str(problem))
            continue
        outcome.files += 1
        document = read(data)
        try:
            yield name, data, document.text, format_document(document)
        except CannotFormatError as error:
            line, column = document.lines.position(error.offset, "utf-32")
            where = f"{files.shown_name(name)}:{line + 1}:{column + 1}"
            outcome.refuse(f"{where}: left as it is: {error}")


def _write(name: str, text: str, outcome: _Outcome) -> None:
    try:
        files.write_bytes(name, text.encode("utf-8", "surrogatepass"))
    except ProblemError as problem:
        outcome.changed -= 1
        outcome.files -= 1
        outcome.fail(str(problem))


def _summarize(mode: str, outcome: _Outcome, is_filter: bool) -> None:
    """A line on standard error: how many files changed; nothing for a filter."""
    if is_filter:
        return
    verb = "would change" if mode else "formatted"
    same = outcome.files - outcome.changed - outcome.refused
    parts = [f"{count(outcome.changed, 'file')} {verb}"] if outcome.changed or not same else []
    parts += [f"{count(same, 'file')} in canonical form already"] if same > 0 else []
    parts += [f"{count(outcome.refused, 'file')} left as they are"] if outcome.refused else []
    output.write("; ".join(parts) + "\n", to_stderr=True)
