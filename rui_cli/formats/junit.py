"""JUnit XML, which most build servers read: a suite for each document, a failed case for each error.

A warning is a passed case with the warning as its output; a valid document is one passed case. Files that cannot be
read are a case with an error, as a build may see the report alone.
"""

import re
from collections.abc import Iterable, Iterator
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from rui_cli.output import Style
from rui_cli.results import CheckResult, Summary, rule_and_code
from rui_common.syntax.paths import format_path
from rui_common.validation.diagnostics import Diagnostic, is_error

# Characters that XML 1.0 cannot contain, even as references.
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def render(results: Iterable[CheckResult], summary: Summary, _style: Style) -> Iterator[str]:
    """Yield the document after all are checked, as it starts with the total counts."""
    root = Element("testsuites", name="rui check")
    root.extend(map(_suite, results))
    errors = "0"
    if summary.problems:
        errors = "1"
        suite = SubElement(root, "testsuite", name="files", tests="1", failures="0", errors=errors, skipped="0")
        case = SubElement(suite, "testcase", name="all files can be read", classname="files")
        SubElement(case, "error", message=f"{summary.text()}; standard error names the problems")
    root.attrib |= {"tests": str(sum(map(len, root))), "failures": str(summary.errors), "errors": errors}
    indent(root)
    yield f'<?xml version="1.0" encoding="utf-8"?>\n{tostring(root, "unicode")}\n'


def _suite(result: CheckResult) -> Element:
    name = _escape(result.name_in_repository)
    failures = sum(is_error(diagnostic) for diagnostic in result.diagnostics)
    suite = Element("testsuite", name=name, tests="1", failures=str(failures), errors="0", skipped="0")
    suite.extend(_case(result, diagnostic) for diagnostic in result.diagnostics)
    if not result.diagnostics:
        SubElement(suite, "testcase", name="valid", classname=name, file=name)
    suite.set("tests", str(len(suite)))
    return suite


def _case(result: CheckResult, diagnostic: Diagnostic) -> Element:
    (line, column), _ = result.range(diagnostic.span)
    title = rule_and_code(diagnostic)
    message = _escape(diagnostic.message)
    parts = (f"{result.name_in_repository}:{line}:{column}", format_path(diagnostic.path), diagnostic.hint)
    text = _escape("\n".join([part for part in parts if part]))
    file = _escape(result.name_in_repository)
    case = Element("testcase", name=f"{title} at {line}:{column}", classname=file, file=file, line=str(line))
    if is_error(diagnostic):
        SubElement(case, "failure", type=diagnostic.code, message=message).text = text
    else:
        SubElement(case, "system-out").text = f"{title}: {message}\n{text}"
    return case


def _escape(text: str) -> str:
    return _FORBIDDEN.sub(lambda match: f"\\u{ord(match[0]):04x}", text)
