"""JUnit XML, which most build servers read: a suite for each document, a failed case for each error.

A warning is a passed case with the warning as its output; a valid document is one passed case. Files that cannot be
read are a case with an error, as a build may see the report alone.

The report fits the schema of Jenkins' xUnit plugin (junit-10.xsd), which allows a case neither ``file`` nor ``line``.
The name of a case begins with its file, as some readers show the name alone, and its text has the line. Readers such as
Codecov's need ``time``.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from rui_cli.output import Style
from rui_cli.results import CheckResult, Summary, rule_and_code
from rui_common.syntax.paths import format_path
from rui_common.validation.diagnostics import Diagnostic, is_error

# Characters that XML 1.0 cannot contain, even as references.
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_NO_TIME = {"time": "0"}  # A report of the same documents is always the same.


def render(results: Iterable[CheckResult], summary: Summary, _style: Style) -> Iterator[str]:
    """Yield the document after all are checked, as it starts with the total counts."""
    root = Element("testsuites", name="rui check")
    root.extend(map(_suite, results))
    errors = "0"
    if summary.problems:
        errors = "1"
        suite = SubElement(root, "testsuite", _counts(failures=0, errors=1), name="files", tests="1")
        case = SubElement(suite, "testcase", _NO_TIME, name="all files can be read", classname="files")
        named = "; ".join(problem.text for problem in summary.reported)
        message = f"{summary.text()}; {named or 'standard error names the problems'}"
        message = _escape(message)
        SubElement(case, "error", message=message).text = message  # Codecov reads no element without a text.
    root.attrib |= {"tests": str(sum(map(len, root))), "failures": str(summary.errors), "errors": errors, **_NO_TIME}
    indent(root)
    yield f'<?xml version="1.0" encoding="utf-8"?>\n{tostring(root, "unicode")}\n'


def _counts(*, failures: int, errors: int) -> dict[str, str]:
    return {"failures": str(failures), "errors": str(errors), "skipped": "0", **_NO_TIME}


def _suite(result: CheckResult) -> Element:
    file = _escape(result.name_in_repository)
    failures = sum(is_error(diagnostic) for diagnostic in result.diagnostics)
    suite = Element("testsuite", _counts(failures=failures, errors=0), name=file, file=file)
    names: Counter[str] = Counter()
    for diagnostic in result.diagnostics:
        name = f"{file}: {rule_and_code(diagnostic)}{_escape(_place(result, diagnostic))}"
        names[name] += 1
        if names[name] > 1:
            name = f"{name} ({names[name]})"
        suite.append(_case(result, diagnostic, Element("testcase", _NO_TIME, name=name, classname=file)))
    if not result.diagnostics:
        SubElement(suite, "testcase", _NO_TIME, name=f"{file}: valid", classname=file)
    suite.set("tests", str(len(suite)))
    return suite


def _place(result: CheckResult, diagnostic: Diagnostic) -> str:
    """Return where a diagnostic is, as part of a name: its path, which edits elsewhere in the document do not change.

    A syntax error may have no path.
    """
    if diagnostic.path:
        return f" at {format_path(diagnostic.path)}"
    if diagnostic.fault is None:
        return ""
    (line, column), _ = result.range(diagnostic.span)
    return f" at {line}:{column}"


def _case(result: CheckResult, diagnostic: Diagnostic, case: Element) -> Element:
    """Return `case` with what is reported."""
    (line, column), _ = result.range(diagnostic.span)
    message = _escape(diagnostic.message)
    parts = (f"{result.name_in_repository}:{line}:{column}", format_path(diagnostic.path), diagnostic.hint)
    text = _escape("\n".join([part for part in parts if part]))
    if is_error(diagnostic):
        SubElement(case, "failure", type=diagnostic.code, message=message).text = text
    else:
        SubElement(case, "system-out").text = f"{rule_and_code(diagnostic)}: {message}\n{text}"
    return case


def _escape(text: str) -> str:
    return _FORBIDDEN.sub(lambda match: f"\\u{ord(match[0]):04x}", text)
