"""`rui check`: report the errors in documents, in one of several formats, and fix them."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING

from rui_cli import files, output
from rui_cli.errors import UsageError, exit_code
from rui_cli.formats import DEFAULT_FORMAT, FOR_PEOPLE, FORMATS, LINES, WITH_SUMMARY
from rui_cli.parser import Parser
from rui_cli.results import CheckResult, FileProblem, Summary
from rui_common.syntax.document import read
from rui_common.validation.analysis import Analysis
from rui_common.validation.diagnostics import Diagnostic, is_syntax_error, without_placeholders
from rui_common.vocabulary.rules import RULES

if TYPE_CHECKING:
    from rui_cli.api_checks import Apis
    from rui_cli.baseline import Baseline
    from rui_cli.unused_entries import UnusedEntries
    from rui_common.fixes.fix_all import AppliedFix

NOTES = """
The arguments are files to check; folders, for every *.rui.json in them; and - for standard input. Without one, the
current folder is checked. In folders, node_modules, pipes and what is hidden are skipped. A file that is named may be
hidden, and may be a pipe: rui check <(git show main:app.rui.json)
A glob in quotes is expanded: '**/admin/*.rui.json'. --stdin-filename is the name of -, also to find its rui.toml.

Exit codes: 0 no errors, 1 errors, 2 a file could not be read or written; all other files are checked nevertheless.
Warnings do not count, unless --error-on-warnings is given: then they lead to 1, too.

--since REV reports only errors and warnings that this revision of git does not have: what is as old is found by ids and
names, also if parts or files were moved or renamed. With --fix, old errors are fixed, too. Of a branch:
rui check --since $(git merge-base origin/main HEAD)

With --fix, a document from standard input goes to standard output, and the report to standard error; json, sarif, junit
and rdjson contain then what is wrong with files, in json with the code FILE. The name of each file that is written goes
to standard error, too. Fixes keep the layout of the file. Errors without a safe fix remain. A
pipe, and a file that is not UTF-8, is not written.

--format agent prints one line an error or warning with its hint, for the context of a language model.

--format json prints an array with one object a diagnostic: file, severity, rule, code, path, message, hint,
range {start, end: {line, column, offset}}, related [{message, range}] and fixes [{title, applicability, edits [{range,
text}]}]. Lines and columns start at 1, offsets at 0; columns and offsets count characters (code points).

The nearest rui.toml, in the folder of a document or above it, says what is checked and what counts, also in editors:

    exclude = ["fixtures", "dist/**"]  # relative to rui.toml; a name without a slash in any folder; [[] is a bracket

    [rules]                    # of warnings: "error", "warning" or "off"
    MARKUP = "error"

    [per-file-ignores]         # warnings of some documents: all, those at the node with an id, or those at a path
    "apps/*.rui.json" = ["PLACEHOLDER", "MARKUP at open-bills", "REPEATED_LINK at navigation.items[1]"]

    [api]
    openapi = "openapi.yaml"   # relative to rui.toml; false for none
    strict = false             # true: as with --strict-api

    [[api.overrides]]          # the last one that fits wins
    files = ["admin/*.rui.json"]
    openapi = "admin.yaml"

The errors of the contract stay errors. A path counts for what is in no node. Every command leaves out what is excluded
where it searches; check and format also what is named. --no-exclude includes it. A rui.toml that cannot be used is one
line and exit code 2; the documents are checked without it.

Requests, value paths, columns and options that the description does not have are warnings. No request is sent.

Paths in the formats github, sarif and junit are relative to the repository, those in rdjson to the current folder.

Environment: NO_COLOR and FORCE_COLOR (or CLICOLOR=0, CLICOLOR_FORCE) disable and enable colours.
"""


def main(argv: list[str]) -> int:
    """Check documents; return the exit code."""
    parser = Parser("check", "Report errors in RUI documents, and fix them.", "[FILE|DIR|-]...", notes=NOTES)
    parser.add_argument("--format", choices=[*FORMATS], default=DEFAULT_FORMAT, help="output format")
    parser.add_argument(
        "-q", "--quiet", action="store_true", help="print errors and warnings alone, without the counts"
    )
    parser.add_argument("--fix", action="store_true", help="apply all safe fixes, then report the remaining errors")
    parser.add_argument(
        "--openapi", metavar="FILE", default="",
        help="compare bindings with this OpenAPI description, JSON or YAML, instead of that in rui.toml",
    )  # fmt: skip
    parser.add_argument(
        "--strict-api", action="store_true", help="report differences from the OpenAPI description as errors"
    )
    parser.add_argument("--error-on-warnings", action="store_true", help="exit with 1 if there is a warning, too")
    parser.add_argument("--since", metavar="REV", help="report only what this revision of git does not have")
    parser.add_no_exclude()
    parser.add_stdin_filename()
    args = parser.parse(argv)
    if args.since == "":
        raise UsageError("--since needs a revision, such as main or HEAD~1")
    summary = Summary(mentions_fix=not (args.fix or args.quiet), is_quiet=args.quiet, is_since=args.since is not None)
    _report(_results(args, summary), summary, args)
    findings = summary.errors
    if args.error_on_warnings:
        findings += summary.warnings
    return exit_code(summary.problems, findings)


def _report(results: Iterable[CheckResult], summary: Summary, args: Namespace) -> None:
    # `--fix -` writes the fixed document to standard output.
    to_stderr = _is_on_stderr(args)
    style = output.style_for(sys.stderr if to_stderr else sys.stdout)
    for text in import_module(f"rui_cli.formats.{args.format}").render(results, summary, style):
        if args.format in FOR_PEOPLE or to_stderr:
            output.write(text, to_stderr=to_stderr)
        else:
            output.write_utf8(text)
    if summary.fixed and args.format not in WITH_SUMMARY and not (args.quiet or _is_stderr_one_value(args)):
        output.print_message(summary.fixed_text(), "check")


def _is_on_stderr(args: Namespace) -> bool:
    """Return whether the report goes to standard error, as the fixed document goes to standard output."""
    return args.fix and files.STDIN in args.files


def _is_stderr_one_value(args: Namespace) -> bool:
    """Return whether standard error is a report that is one value, such as JSON: no line may be added to it."""
    return _is_on_stderr(args) and args.format not in LINES


def _results(args: Namespace, summary: Summary) -> Iterator[CheckResult]:
    """Yield the result of each document, after fixing it if that is requested, and count it."""
    excluding = files.Excluding.of(args, named=True)
    report_to: Callable[[str, str], None] | None = None
    if _is_stderr_one_value(args):

        def report_to(name: str, problem: str) -> None:
            summary.reported.append(FileProblem(name, problem))

    documents = files.Documents(args.files, "check", args.stdin_filename, excluding=excluding, report_to=report_to)
    apis: Apis | None = None
    unused: UnusedEntries | None = None
    baseline: Baseline | None = None
    if args.since is not None:
        from rui_cli.baseline import Baseline  # slow, and only with a revision

        baseline = Baseline(args.since, documents, args.files, args.stdin_filename)
    for file in documents:
        analysis = Analysis(read(file.data))
        document = analysis.document
        # Bytes that are not UTF-8 were replaced while reading; writing the text would lose them.
        is_utf8 = not analysis.diagnostics or files.encode(document.text, bom=document.bom) == file.data
        result = CheckResult(file.shown_name, analysis, analysis.diagnostics, is_utf8=is_utf8)
        if args.fix:
            result = _fixed(result, file, documents)
        configuration = documents.configuration_of(file)
        if args.openapi or (configuration is not None and configuration.names_api):
            from rui_cli.api_checks import Apis  # slow, and only with a description

            apis = apis or Apis(documents, args.openapi, is_strict=args.strict_api)
            result.diagnostics = [*result.diagnostics, *apis.differences(file, result.analysis)]
        if configuration is not None:
            from rui_cli.unused_entries import UnusedEntries  # only with a rui.toml
            from rui_common.project.policy import apply_policy

            unused = unused or UnusedEntries(documents)
            name = file.location or file.name
            applied = apply_policy(configuration, name, result.analysis, result.diagnostics)
            unused.add(configuration, name, result.analysis, applied)
            result.diagnostics = applied.diagnostics
        if baseline is not None:
            compare = partial(apis.differences, file) if apis is not None else _no_differences
            result.diagnostics = baseline.new(file, result.analysis, result.diagnostics, compare)
        summary.add(result)
        yield result
    summary.problems += documents.problems
    if apis is not None:
        apis.report_notes()
    if unused is not None:
        unused.report(is_compared=apis is not None)


def _no_differences(_: Analysis) -> list[Diagnostic]:
    return []


def _fixed(result: CheckResult, file: files.File, documents: files.Documents) -> CheckResult:
    """Write a document after all safe fixes; return its result, or that of before if it is not written.

    A document from standard input is always written.
    """
    from rui_common.fixes.fix_all import fix_all_safe  # slow, and only for --fix

    document = result.document
    fixed = result.analysis
    applied: tuple[AppliedFix, ...] = ()
    note = ""
    if result.diagnostics and result.is_utf8:
        fixed, applied, note = fix_all_safe(fixed)
    data = file.data
    if fixed is not result.analysis:
        data = files.encode(fixed.document.text, bom=document.bom)
    if file.name == files.STDIN:
        output.write_bytes(data)
    elif data != file.data and not documents.replace(file, data, "fixed"):
        return result
    if note:
        documents.print(f"{result.name}: {note}")
    if data == file.data:
        return result
    # Fixing a syntax error may reveal errors, which do not count. A placeholder does not count, either: its path
    # changes if the property gets its registered name.
    left = {(diagnostic.rule, diagnostic.path) for diagnostic in fixed.diagnostics}
    findings = [found for found in without_placeholders(result.diagnostics) if not is_syntax_error(found)]
    number = sum((finding.rule, finding.path) not in left for finding in findings)
    number += sum(applied_fix.code == RULES["R0"].code for applied_fix in applied)
    return CheckResult(result.name, fixed, fixed.diagnostics, fixed=number)
