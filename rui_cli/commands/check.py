"""`rui check`: documents → what is wrong with them, in one of several formats."""

from __future__ import annotations

import sys

from rui_cli import files, output
from rui_cli.errors import ProblemError, UsageError
from rui_cli.formats import FORMATS, Style
from rui_cli.loading import load
from rui_cli.options import Command, Option
from rui_cli.results import Checked, Tally, count
from rui_common.syntax.document import read
from rui_common.validation.diagnostics import diagnose

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from rui_cli.options import Given
    from rui_common.syntax.document import Document
    from rui_common.validation.diagnostics import Diagnostic

COMMAND = Command(
    "check",
    "Say what is wrong with RUI documents, and where.",
    Option("--format", "how to report", metavar="FORMAT", choices=FORMATS, default=next(iter(FORMATS))),
    Option("--fix", "make every mend that is the only safe one of its fault, then report what remains"),
    Option("--diff", "show what --fix would change, and change nothing"),
    output.COLOR,
    arguments=(
        "[FILE|DIR|-]...",
        "what to check: files, folders (every *.rui.json in them; hidden folders and node_modules are passed over), "
        "- for standard input; the current folder if nothing is named",
    ),
    notes="""
Exit codes: 0 no errors (there may be warnings), 1 errors, 2 something could not be read or written; everything
else is checked all the same. With --diff 1 also means that there is something to mend.

With --fix, what is read from standard input goes to standard output, and the report to standard error. Mends keep
the layout of the file. A file with broken JSON is mended only if all that is broken in it can be.

--format json prints an array with one object a diagnostic: file, severity, rule, code, path, message, hint,
range {start, end: {line, column, offset}} and related [{message, range}]. Lines and columns begin at 1, offsets at 0;
columns and offsets count characters (code points).

Environment: NO_COLOR and FORCE_COLOR switch colours off and on.
""",
)


def main(argv: list[str]) -> int:
    """Check documents; the exit code."""
    given = COMMAND.read(argv)
    tally = Tally()
    if "--diff" in given.flags:
        return _diff(given, tally)
    to_stderr = "--fix" in given.flags and files.STDIN in given.arguments
    stream = sys.stderr if to_stderr else sys.stdout
    style = Style(color=output.use_color(given.values["--color"], stream), width=output.width_of(stream))
    module = load(FORMATS[given.values["--format"]])
    for text in module.render(_checked(given, tally), tally, style):
        if module.IS_TEXT or to_stderr:
            output.write(text, to_stderr=to_stderr)
        else:
            output.write_utf8(text)
    if tally.fixed and given.values["--format"] != next(iter(FORMATS)):
        output.print_error(f"{count(tally.fixed, 'fault')} mended in {count(tally.fixed_files, 'file')}", COMMAND.name)
    return 2 if tally.problems else 1 if tally.errors else 0


def _checked(given: Given, tally: Tally) -> Iterator[Checked]:
    """The documents one by one, mended if that is wished, and counted."""
    for name, data in _each(given, tally):
        document = read(data)
        found = diagnose(document)
        checked = Checked(files.shown_name(name), document, found)
        if "--fix" in given.flags:
            checked = _fixed(name, data, checked, tally)
        elif found and not tally.fixable and given.values["--format"] == next(iter(FORMATS)):
            tally.fixable = _is_fixable(checked)
        tally.add(checked)
        yield checked


def _each(given: Given, tally: Tally) -> Iterator[tuple[str, bytes]]:
    """Every document with its bytes. What cannot be read is said and counted."""

    def on_problem(text: str) -> None:
        tally.problems += 1
        output.print_error(text, COMMAND.name)

    for name in files.find(given.arguments, on_problem):
        try:
            data = files.read_bytes(name)
        except ProblemError as problem:
            on_problem(str(problem))
        else:
            yield name, data


def _fixed(name: str, data: bytes, checked: Checked, tally: Tally) -> Checked:
    """Mend a document and write it; what remains to be said of it."""
    fixed, remaining = _fix(data, checked)
    new = data if fixed is checked.document else _bytes(fixed.text, bom=checked.document.bom)
    if name == files.STDIN:
        output.write_bytes(new)
    elif new != data:
        try:
            files.write_bytes(name, new)
        except ProblemError as problem:
            tally.problems += 1
            output.print_error(str(problem), COMMAND.name)
            return checked
    return Checked(checked.name, fixed, remaining, _number(checked, remaining))


def _is_fixable(checked: Checked) -> bool:
    """Whether `--fix` may have something to do; a few faults tell, and broken text would take long to try."""
    from rui_common.fixes.quick_fixes import FixFinder  # noqa: PLC0415  only where something is wrong

    fix_finder = FixFinder(checked.document)
    return any(
        fix.is_safe
        for diagnostic in checked.diagnostics[:20]
        if diagnostic.finding is not None and checked.document.valid
        for fix in fix_finder.find(diagnostic)
    )


def _fix(data: bytes, checked: Checked) -> tuple[Document, list[Diagnostic]]:
    """The mended document, or the document itself if nothing can be mended, and what is wrong with it."""
    document = checked.document
    # Bytes that are no UTF-8 were replaced as they were read: written again, they would be lost.
    if not checked.diagnostics or _bytes(document.text, bom=document.bom) != data:
        return document, checked.diagnostics
    from rui_common.fixes.fix_all import apply_safe_fixes  # noqa: PLC0415  only for --fix

    fixed = apply_safe_fixes(document)
    return fixed, checked.diagnostics if fixed is document else diagnose(fixed)


def _number(checked: Checked, remaining: list[Diagnostic]) -> int:
    """How many faults were mended. Sound text may show faults that broken text hid; these are no new ones."""
    kept = {(diagnostic.rule, diagnostic.path) for diagnostic in remaining}
    return sum((diagnostic.rule, diagnostic.path) not in kept for diagnostic in checked.diagnostics)


def _bytes(text: str, *, bom: bool) -> bytes:
    return (b"\xef\xbb\xbf" if bom else b"") + text.encode("utf-8", "surrogatepass")


def _diff(given: Given, tally: Tally) -> int:
    """Show what `--fix` would do."""
    if given.values["--format"] != next(iter(FORMATS)):
        raise UsageError("--diff has a format of its own; leave --format away")
    from rui_cli.unified_diff import unified_diff  # noqa: PLC0415  only for --diff

    color = output.use_color(given.values["--color"], sys.stdout)
    for name, data in _each(given, tally):
        document = read(data)
        checked = Checked(files.shown_name(name), document, diagnose(document))
        fixed, remaining = _fix(data, checked)
        if fixed is not document:
            on_terminal = output.is_terminal(sys.stdout)
            diff = unified_diff(checked.name, document.text, fixed.text, Style(color=color), on_terminal=on_terminal)
            output.write_utf8(diff)
        tally.add(Checked(checked.name, fixed, remaining, _number(checked, remaining)))
    would = f"{count(tally.fixed, 'fault')} would be mended in {count(tally.fixed_files, 'file')}"
    output.write(f"{would}; {count(tally.errors, 'error')} would remain\n", to_stderr=True)
    return 2 if tally.problems else 1 if tally.errors or tally.fixed else 0
