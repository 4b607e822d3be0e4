"""Document → diagnostics: syntax errors, findings and warnings, each with a message, a hint and a range of the text.

Command line, editor and inspector show these diagnostics.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain, islice
from typing import NamedTuple

from rui_common.syntax.document import Document
from rui_common.syntax.errors import DuplicateKey, FaultKind, SyntaxFault
from rui_common.syntax.paths import Path, format_path, property_name
from rui_common.syntax.reader import BOM
from rui_common.syntax.spans import Span
from rui_common.texts import shorten
from rui_common.validation.findings import Finding
from rui_common.validation.lints import Lint
from rui_common.validation.wording import MAX_IN_MESSAGE, hint_of, message_of
from rui_common.vocabulary import rules
from rui_common.vocabulary.problems import Problem
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_common.vocabulary.signatures import legend, signatures

MAX_GROUPS = 20  # maximum number of groups of syntax errors in the hint of a response

JSON_RULES = (
    "JSON has double quotes around keys and texts, no comments, no comma before a closing bracket, and no other words "
    "than true, false and null."
)
"""The rules of JSON that texts with syntax errors usually break."""

NOTES = {
    Problem.DUPLICATE: "First used here.",
    Problem.DANGLING: "Did you mean this one?",
    Problem.UNUSED: "Nothing in here links to it.",
}
"""Notes of the places that explain a finding (docs/decisions.md, section 7)."""


class Severity(StrEnum):
    """The severity of a diagnostic. Reports contain the values."""

    ERROR = "error"
    WARNING = "warning"


class Proposal(NamedTuple):
    """A change that removes a diagnostic that has no finding."""

    path: Path  # the path of the text to replace, or of the property to add
    value: str | None  # the new text, or None to remove the property


@dataclass(eq=False)
class Diagnostic:
    """One error or warning."""

    severity: Severity  # an error makes the document invalid
    code: str  # the code of section 7.2 of the specification, or of a warning
    rule: str  # the number of the rule, such as ``R7b``, or ``""`` for a warning
    path: Path  # the path in the value; ``()`` for a syntax error
    message: str
    hint: str  # how to fix it
    span: Span  # the range in the text (docs/decisions.md, section 7)
    related: tuple[tuple[Span, str], ...] = ()  # other ranges, each with a note
    finding: Finding | None = None  # the finding, from which fixes are derived; None for syntax errors and warnings
    # the syntax error, which has its fix; None for others, and if only the root is wrong
    fault: SyntaxFault | None = None
    lint: Lint | None = None  # the doubtful value, from which fixes are derived; None for errors and other warnings
    proposals: tuple[Proposal, ...] = ()  # changes for a warning of which one is meant, the likeliest first


def is_error(diagnostic: Diagnostic) -> bool:
    return diagnostic.severity is Severity.ERROR


def is_syntax_error(diagnostic: Diagnostic) -> bool:
    """Return whether a diagnostic is about the text, not about the value in it."""
    return diagnostic.rule == "R0"


def without_placeholders(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return the diagnostics except placeholders, which a fix may leave in place of an error."""
    return [diagnostic for diagnostic in diagnostics if diagnostic.code != rules.PLACEHOLDER]


def root_fault(value: object) -> str:
    """Describe the error that the root is not an object (docs/decisions.md, end of section 2)."""
    names = {list: "an array", str: "a string", bool: "a boolean", type(None): "null"}
    fault = f"The root of a RUI is an object, not {names.get(type(value), 'a number')}."
    if isinstance(value, list) and len(value) == 1 and isinstance(value[0], dict):
        return f"{fault} Send the one object of the array, without [ and ] around it."
    if isinstance(value, str) and value.lstrip()[:1] == "{":
        return f"{fault} Send the text of the string itself, as an object without quotes around it."
    return fault


def where_broken(document: Document) -> str:
    """Return the positions, messages and hints of syntax errors as sentences for the hint of a response.

    All signatures follow, as no finding of this response can contain them.
    """
    shapes = [f"{one}." for one in signatures(VOCABULARY)]
    return " ".join([*broken_places(document), JSON_RULES, *shapes, legend(VOCABULARY)])


def broken_places(document: Document) -> list[str]:
    """Return the positions, messages and hints of syntax errors, each group with the same fix in one text.

    Of a text with very many errors, only the first part is read.
    """
    groups: dict[tuple[FaultKind, str], list[SyntaxFault]] = {}
    errors, is_complete = document.first_errors()
    for fault in errors:
        groups.setdefault((fault.kind, fault.group or fault.hint), []).append(fault)
    sentences = [_describe(document, *faults) for faults in list(groups.values())[:MAX_GROUPS]]
    if len(groups) > MAX_GROUPS:
        sentences.append("And there is more.")
    if not is_complete:
        sentences.append("The rest of the text was not read: it may have more of these.")
    return sentences


def _describe(document: Document, fault: SyntaxFault, *others: SyntaxFault) -> str:
    """Return the position, message and hint of a syntax error, and the positions of others like it."""
    line, column = document.lines.line_and_column(fault.span.start)
    text = f"Line {line}, column {column}: {_sentence(fault.message)} {_sentence(fault.hint)}"
    if not others:
        return text
    places = (document.lines.line_and_column(other.span.start) for other in others)
    listed = ", ".join(f"{line}:{column}" for line, column in places)
    return f"{text} The same at line:column {listed}."


def _sentence(text: str) -> str:
    """Return a text with a full stop, unless it ends a sentence."""
    if text[-1] in ".!?":
        return text
    return text + "."


def diagnose(document: Document, findings: Iterable[Finding], lints: Iterable[Lint]) -> list[Diagnostic]:
    """Return all errors and warnings of a document.

    Syntax errors come first, in text order; then findings in canonical order. Warnings about duplicate keys and about
    doubtful values follow, both in text order; the warning about the size is last.
    """
    return [
        *_syntax_errors(document),
        *(finding_error(document, finding) for finding in findings),
        *map(_duplicate_key_warning, document.duplicate_keys()),
        *sorted((_lint_warning(document, lint) for lint in lints), key=lambda warning: warning.span),
        *_size_warning(document),
    ]


def _syntax_errors(document: Document) -> Iterator[Diagnostic]:
    """Yield the syntax errors of a document; one if it is JSON whose root is not an object."""
    code = rules.RULES["R0"].code
    for fault in document.syntax:
        yield Diagnostic(Severity.ERROR, code, "R0", (), fault.message, fault.hint, fault.span, fault=fault)
    if document.valid and not isinstance(document.value, dict):
        hint = "Put the document into { and }."
        yield Diagnostic(Severity.ERROR, code, "R0", (), root_fault(document.value), hint, document.range_of(()))


def finding_error(document: Document, finding: Finding) -> Diagnostic:
    path = finding.path
    note = NOTES.get(finding.problem, "")
    related = tuple((document.range_of(place), note) for place in finding.related)
    span = document.range_of(path, key=finding.problem is Problem.UNKNOWN)
    return Diagnostic(
        Severity.ERROR, finding.code, finding.rule, path, message_of(finding), hint_of(finding), span, related, finding
    )


def _duplicate_key_warning(repeated: DuplicateKey) -> Diagnostic:
    related = ((repeated.last, "This one counts."),)
    return _warning(repeated.path, repeated.span, _about_duplicate(repeated), related=related)


def _lint_warning(document: Document, lint: Lint) -> Diagnostic:
    span = document.range_of(lint.path, key=lint.code in (rules.NOT_SHOWN, rules.PART_OF_TEXT))
    return _warning(lint.path, span, _about_lint(lint), lint=lint)


def warning_items(document: Document, lints: Iterable[Lint], limit: int) -> tuple[list[dict[str, str]], bool]:
    """Return the first `limit` items of ``warnings[]`` of an answer over HTTP, and whether there are more.

    They come in the order in which the validator finds them: it needs no positions, which would take longer.
    """
    repeated = ((one.path, _about_duplicate(one)) for one in document.duplicate_keys())
    doubtful = ((lint.path, _about_lint(lint)) for lint in lints)
    first = [*islice(chain(repeated, doubtful), limit + 1)]
    items = [
        {"path": format_path(path), "code": words.code, "message": words.message, "hint": words.hint}
        for path, words in first[:limit]
    ]
    return items, len(first) > limit


def _size_warning(document: Document) -> Iterator[Diagnostic]:
    """Yield the warning about a document that a service would refuse for its size."""
    text = document.text
    if len(text) <= rules.MAX_BODY_BYTES // 4:  # a character has four bytes at most
        return
    size = len(text.encode("utf-8", "surrogatepass"))
    if document.bom and text[0] != BOM:
        size += len(BOM.encode())
    if size > rules.MAX_BODY_BYTES:
        words = _worded(rules.TOO_LARGE, bytes=str(size), limit=str(rules.MAX_BODY_BYTES))
        yield _warning((), document.range_of(()), words)


class _Words(NamedTuple):
    code: str
    message: str
    hint: str


def _about_duplicate(repeated: DuplicateKey) -> _Words:
    return _worded(rules.DUPLICATE_KEY, prop=property_name(repeated.path))


def _about_lint(lint: Lint) -> _Words:
    return _worded(lint.code, lint.advice, prop=property_name(lint.path), value=lint.value, meant=lint.meant)


def _worded(code: str, advice: str = "", **values: str) -> _Words:
    """Return the words of a warning; `advice` follows its hint, and the `values` are inserted into its message."""
    warning = rules.WARNINGS[code]
    shown = {name: shorten(value, MAX_IN_MESSAGE) for name, value in values.items()}
    return _Words(code, warning.message.format(**shown), f"{warning.hint} {advice}".strip())


def _warning(
    path: Path, span: Span, words: _Words, *, related: tuple[tuple[Span, str], ...] = (), lint: Lint | None = None
) -> Diagnostic:
    return Diagnostic(Severity.WARNING, words.code, "", path, words.message, words.hint, span, related, lint=lint)
