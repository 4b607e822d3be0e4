"""`rui check`: report the errors in documents, in one of several formats, and fix them."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Iterator
from importlib import import_module

from rui_cli import files, output
from rui_cli.api_checks import ApiChecks
from rui_cli.errors import ExitCode, OperationalError, UsageError
from rui_cli.formats import DEFAULT_FORMAT, FORMATS
from rui_cli.parser import Parser
from rui_cli.results import CheckResult, Summary, count
from rui_cli.unified_diff import unified_diff
from rui_common.syntax.document import Document, read
from rui_common.validation.diagnostics import Diagnostic, diagnose, without_placeholders

NOTES = """
The arguments are files to check; folders, for every *.rui.json in them except in hidden folders and node_modules; and -
for standard input. Without one, the current folder is checked.

Exit codes: 0 no errors (warnings are allowed), 1 errors, 2 a file could not be read or written; all other files are
checked nevertheless. With --diff, 1 also means that --fix would change something.

With --fix, a document from standard input goes to standard output, and the report to standard error. Fixes keep the
layout of the file. Errors without a safe fix remain.

--format json prints an array with one object a diagnostic: file, severity, rule, code, path, message, hint,
range {start, end: {line, column, offset}}, related [{message, range}] and fixes [{title, applicability, edits [{range,
text}]}]. Lines and columns start at 1, offsets at 0; columns and offsets count characters (code points).

A rui.toml in the folder of a document, or above it, names the OpenAPI description of its API:

    [api]
    openapi = "openapi.yaml"   # relative to rui.toml; false for none
    strict = false             # true: as with --strict-api

    [[api.overrides]]          # the last one that fits wins
    files = ["admin/*.rui.json"]
    openapi = "admin.yaml"

Requests, value paths, columns and options that the description does not have are warnings. No request is sent.

Environment: NO_COLOR and FORCE_COLOR disable and enable colours.
"""

MAX_TRIED = 20
"""Diagnostics of a document that are searched for a fix, to mention --fix in the summary."""


def main(argv: list[str]) -> int:
    """Check documents; return the exit code."""
    parser = Parser("check", "Report errors in RUI documents, and fix them.", "[FILE|DIR|-]...", notes=NOTES)
    parser.add_argument("--format", choices=[*FORMATS], default=DEFAULT_FORMAT, help="output format")
    parser.add_argument("--fix", action="store_true", help="apply all safe fixes, then report the remaining errors")
    parser.add_argument("--diff", action="store_true", help="show the changes of --fix without applying them")
    parser.add_argument(
        "--openapi", metavar="FILE", default="",
        help="compare bindings with this OpenAPI description, JSON or YAML, instead of that in rui.toml",
    )  # fmt: skip
    parser.add_argument(
        "--strict-api", action="store_true", help="report differences from the OpenAPI description as errors"
    )
    parser.add_color()
    return _check(parser.parse(argv))


def _check(args: Namespace) -> int:
    summary = Summary()
    api_checks = ApiChecks(args.openapi, summary, is_strict=args.strict_api)
    if args.diff:
        _show_diffs(args, summary)
        return _exit_code(summary, has_findings=bool(summary.errors or summary.fixed))
    # `--fix -` writes the fixed document to standard output.
    to_stderr = args.fix and files.STDIN in args.files
    stream = sys.stderr if to_stderr else sys.stdout
    style = output.Style(color=output.use_color(args.color, stream), width=output.width_of(stream))
    chosen = FORMATS[args.format]
    for text in import_module(chosen.module).render(_results(args, summary, api_checks), summary, style):
        if chosen.is_text or to_stderr:
            output.write(text, to_stderr=to_stderr)
        else:
            output.write_utf8(text)
    if summary.fixed and args.format != DEFAULT_FORMAT:
        output.print_error(summary.fixed_text(), "check")
    return _exit_code(summary, has_findings=bool(summary.errors))


def _exit_code(summary: Summary, *, has_findings: bool) -> int:
    if summary.problems:
        return ExitCode.FAILED
    if has_findings:
        return ExitCode.FINDINGS
    return ExitCode.OK


def _results(args: Namespace, summary: Summary, api_checks: ApiChecks) -> Iterator[CheckResult]:
    """Yield the result of each document, after fixing it if that is requested, and count it."""
    documents = files.Documents(args.files, "check")
    for name, data in documents:
        document = read(data)
        result = CheckResult(files.display_name(name), document, diagnose(document))
        if args.fix:
            result = _fix_file(name, data, result, documents)
        elif result.diagnostics and not summary.fixable and args.format == DEFAULT_FORMAT:
            summary.fixable = _is_fixable(result)
        result.diagnostics += api_checks.diagnostics(name, result.document)
        summary.add(result)
        yield result
    summary.problems += documents.problems
    api_checks.report_problems()


def _fix_file(name: str, data: bytes, result: CheckResult, documents: files.Documents) -> CheckResult:
    """Fix a document and write it; return the remaining diagnostics."""
    fixed, remaining = _fix(data, result)
    fixed_data = data
    if fixed is not result.document:
        fixed_data = _encode(fixed.text, bom=result.document.bom)
    if name == files.STDIN:
        output.write_bytes(fixed_data)
    elif fixed_data != data:
        try:
            files.write_bytes(name, fixed_data)
        except OperationalError as error:
            documents.report(str(error))
            return result
    return CheckResult(result.name, fixed, remaining, _fixed_count(result, remaining))


def _is_fixable(result: CheckResult) -> bool:
    """Return whether `--fix` has a fix for one of the first diagnostics. Syntax errors are not tried: that is slow."""
    if not result.document.valid:
        return False
    from rui_common.fixes.quick_fixes import FixFinder  # noqa: PLC0415  only for documents with errors

    fix_finder = FixFinder(result.document)
    for diagnostic in result.diagnostics[:MAX_TRIED]:
        if diagnostic.finding is not None and any(fix.is_safe for fix in fix_finder.find(diagnostic)):
            return True
    return False


def _fix(data: bytes, result: CheckResult) -> tuple[Document, list[Diagnostic]]:
    """Return the fixed document, or the document itself without a fix, and its remaining diagnostics."""
    document = result.document
    # Bytes that are not UTF-8 were replaced while reading; writing the text would lose them.
    is_lossless = _encode(document.text, bom=document.bom) == data
    if not result.diagnostics or not is_lossless:
        return document, result.diagnostics
    from rui_common.fixes.fix_all import apply_safe_fixes  # noqa: PLC0415  only for --fix

    fixed = apply_safe_fixes(document)
    if fixed is document:
        return document, result.diagnostics
    return fixed, diagnose(fixed)


def _fixed_count(result: CheckResult, remaining: list[Diagnostic]) -> int:
    """Return how many of the diagnostics are gone. Fixing a syntax error may reveal others, which do not count.

    A placeholder does not count, either: its path changes if the property gets its registered name.
    """
    keys = {(diagnostic.rule, diagnostic.path) for diagnostic in remaining}
    counted = without_placeholders(result.diagnostics)
    return sum((diagnostic.rule, diagnostic.path) not in keys for diagnostic in counted)


def _encode(text: str, *, bom: bool) -> bytes:
    data = text.encode("utf-8", "surrogatepass")
    if bom:
        return b"\xef\xbb\xbf" + data
    return data


def _show_diffs(args: Namespace, summary: Summary) -> None:
    """Show the changes of `--fix`."""
    if args.format != DEFAULT_FORMAT:
        raise UsageError("--diff has its own format and cannot be combined with --format")
    style = output.Style(color=output.use_color(args.color, sys.stdout))
    on_terminal = output.is_terminal(sys.stdout)
    documents = files.Documents(args.files, "check")
    for name, data in documents:
        document = read(data)
        result = CheckResult(files.display_name(name), document, diagnose(document))
        fixed, remaining = _fix(data, result)
        if fixed is not document:
            output.write_utf8(unified_diff(result.name, document.text, fixed.text, style, on_terminal=on_terminal))
        summary.add(CheckResult(result.name, fixed, remaining, _fixed_count(result, remaining)))
    summary.problems = documents.problems
    fixed_text = f"{count(summary.fixed, 'error')} would be fixed in {count(summary.fixed_files, 'file')}"
    output.write(f"{fixed_text}; {count(summary.errors, 'error')} would remain\n", to_stderr=True)
