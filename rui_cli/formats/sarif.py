"""SARIF 2.1.0, which code scanning services read: one run with the descriptions of all rules."""

import os
from collections.abc import Iterable, Iterator
from urllib.parse import quote

from rui_cli.output import Style, to_json
from rui_cli.results import CheckResult, Summary
from rui_common.fixes.apply import Fix
from rui_common.json_values import JsonObject
from rui_common.problems.lints import WARNINGS
from rui_common.syntax.paths import format_path
from rui_common.syntax.spans import Span
from rui_common.validation.diagnostics import Diagnostic
from rui_common.version import TOOL_VERSION
from rui_common.vocabulary.rules import MESSAGES, RULES

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_IDS = [*RULES, *WARNINGS]


def render(results: Iterable[CheckResult], summary: Summary, _style: Style) -> Iterator[str]:
    """Yield the log after all documents are checked."""
    items = [_result(result, diagnostic) for result in results for diagnostic in result.diagnostics]
    driver = {
        "name": "rui",
        "fullName": "RUI toolkit",
        "version": TOOL_VERSION,
        "rules": [*_rules()],
    }
    invocation: JsonObject = {"executionSuccessful": not summary.problems}
    if summary.reported:
        invocation["toolExecutionNotifications"] = [
            {"level": "error", "message": {"text": problem.text}} for problem in summary.reported
        ]
    run = {
        "tool": {"driver": driver},
        "invocations": [invocation],
        "columnKind": "unicodeCodePoints",
        "results": items,
    }
    yield to_json({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def _rules() -> Iterator[JsonObject]:
    for rule in RULES.values():
        _, hint = MESSAGES[rule.code]
        help_text = f"{hint} `rui explain {rule.number}` shows an example."
        yield _descriptor(rule.number, rule.code, rule.condition, rule.why, help_text, "error")
    for code, warning in WARNINGS.items():
        yield _descriptor(code, code, warning.condition, warning.why, warning.hint, "warning")


def _descriptor(identifier: str, code: str, condition: str, why: str, help_text: str, level: str) -> JsonObject:
    return {
        "id": identifier,
        "name": code.title().replace("_", ""),
        "shortDescription": {"text": condition},
        "fullDescription": {"text": why},
        "help": {"text": help_text},
        "defaultConfiguration": {"level": level},
        "properties": {"code": code},
    }


def _result(result: CheckResult, diagnostic: Diagnostic) -> JsonObject:
    identifier = diagnostic.rule or diagnostic.code
    path = format_path(diagnostic.path)
    location = _location(result, diagnostic.span)
    if path:
        location["logicalLocations"] = [{"fullyQualifiedName": path, "kind": "property"}]
    item: JsonObject = {
        "ruleId": identifier,
        "ruleIndex": _IDS.index(identifier),
        "level": diagnostic.severity,
        "message": {"text": f"{diagnostic.message} {diagnostic.hint}"},
        "locations": [location],
        # Identifies an error while its line moves.
        "partialFingerprints": {"ruiPath/v1": f"{diagnostic.code}@{path}"},
        "properties": {"code": diagnostic.code, "path": path},
    }
    if diagnostic.related:
        item["relatedLocations"] = [
            {"id": number, **_location(result, span), "message": {"text": note}}
            for number, (span, note) in enumerate(diagnostic.related)
        ]
    fixes = [_fix(result, fix) for fix in result.fixes(diagnostic)]
    if fixes:
        item["fixes"] = fixes
    return item


def _fix(result: CheckResult, fix: Fix) -> JsonObject:
    replacements = [
        {"deletedRegion": _region(result, edit.span), "insertedContent": {"text": edit.text}} for edit in fix.edits
    ]
    change = {"artifactLocation": {"uri": _uri(result.name_in_repository)}, "replacements": replacements}
    return {
        "description": {"text": fix.title},
        "artifactChanges": [change],
        "properties": {"applicability": "safe" if fix.is_safe else "unsafe"},
    }


def _location(result: CheckResult, span: Span) -> JsonObject:
    return {
        "physicalLocation": {
            "artifactLocation": {"uri": _uri(result.name_in_repository)},
            "region": _region(result, span),
        }
    }


def _region(result: CheckResult, span: Span) -> JsonObject:
    (line, column), (end_line, end_column) = result.range(span)
    return {
        "startLine": line,
        "startColumn": column,
        "endLine": end_line,
        "endColumn": end_column,
        "charOffset": span.start,
        "charLength": span.end - span.start,
    }


def _uri(name: str) -> str:
    """Return a file name as a URI reference; a relative name stays relative to the root of the repository."""
    quoted = quote(os.fsencode(name))
    if os.path.isabs(name):
        return f"file:///{quoted.removeprefix('/')}"
    return quoted
