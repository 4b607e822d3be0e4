"""SARIF 2.1.0, which code scanning services read: one run, with every rule described."""

from __future__ import annotations

import json
import os
from urllib.parse import quote

from rui_cli.version import tool_version
from rui_common.syntax.paths import format_path
from rui_common.vocabulary.rules import MESSAGES, RULES, WARNINGS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rui_cli.formats import Style
    from rui_cli.results import Checked, Tally
    from rui_common.syntax.spans import Span
    from rui_common.validation.diagnostics import Diagnostic
    from rui_common.vocabulary.rules import OwnWarning, Rule

    Json = dict[str, object]

IS_TEXT = False

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_IDS = [*RULES, *WARNINGS]


def render(results: Iterable[Checked], tally: Tally, style: Style) -> Iterator[str]:
    """The log, given when all is checked."""
    del style
    found = [_result(checked, diagnostic) for checked in results for diagnostic in checked.diagnostics]
    driver = {
        "name": "rui",
        "fullName": "RUI toolkit",
        "version": tool_version(),
        "rules": [*map(_rule, RULES.values()), *map(_warning, WARNINGS.values())],
    }
    run = {
        "tool": {"driver": driver},
        "invocations": [{"executionSuccessful": not tally.problems}],
        "columnKind": "unicodeCodePoints",
        "results": found,
    }
    yield json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2, ensure_ascii=False) + "\n"


def _rule(rule: Rule) -> Json:
    _, gist = MESSAGES[rule.code]
    return _descriptor(rule.number, rule.code, rule.condition, rule.why, gist, "error")


def _warning(warning: OwnWarning) -> Json:
    return _descriptor(warning.code, warning.code, warning.condition, warning.why, warning.hint, "warning")


def _descriptor(number: str, code: str, condition: str, why: str, gist: str, level: str) -> Json:
    return {
        "id": number,
        "name": code.title().replace("_", ""),
        "shortDescription": {"text": condition},
        "fullDescription": {"text": why},
        "help": {"text": f"{gist} `rui explain {number}` shows an example." if number in RULES else gist},
        "defaultConfiguration": {"level": level},
        "properties": {"code": code},
    }


def _result(checked: Checked, diagnostic: Diagnostic) -> Json:
    number = diagnostic.rule or diagnostic.code
    path = format_path(diagnostic.path)
    location = _location(checked, diagnostic.span)
    if path:
        location["logicalLocations"] = [{"fullyQualifiedName": path, "kind": "property"}]
    result: Json = {
        "ruleId": number,
        "ruleIndex": _IDS.index(number),
        "level": diagnostic.severity,
        "message": {"text": f"{diagnostic.message} {diagnostic.hint}"},
        "locations": [location],
        # The same fault keeps its identity while lines move.
        "partialFingerprints": {"ruiPath/v1": f"{diagnostic.code}@{path}"},
        "properties": {"code": diagnostic.code, "path": path},
    }
    if diagnostic.related:
        result["relatedLocations"] = [
            {"id": number, **_location(checked, span), "message": {"text": note}}
            for number, (span, note) in enumerate(diagnostic.related)
        ]
    return result


def _location(checked: Checked, span: Span) -> Json:
    (line, column), (end_line, end_column) = checked.place(span)
    region = {
        "startLine": line,
        "startColumn": column,
        "endLine": end_line,
        "endColumn": end_column,
        "charOffset": span.start,
        "charLength": span.end - span.start,
    }
    return {"physicalLocation": {"artifactLocation": {"uri": _uri(checked.name)}, "region": region}}


def _uri(name: str) -> str:
    """A name as a URI reference; relative ones stay relative, to the root of the repository as services see it."""
    slashes = name.replace(os.sep, "/")
    written = quote(os.fsencode(slashes))
    return f"file://{written}" if slashes.startswith("/") else written
