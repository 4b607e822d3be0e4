"""Document → diagnostics: syntax errors, findings and warnings, each with a message, a hint and a range of the text.

Command line, editor and inspector show these diagnostics.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain, islice

from rui_common.problems.document import DUPLICATE_KEY, TOO_LARGE
from rui_common.problems.finding import Finding, Lint, LintRule
from rui_common.problems.root import WrongText
from rui_common.problems.texts import Placeholder
from rui_common.syntax.document import Document
from rui_common.syntax.errors import DuplicateKey, FaultKind, SyntaxFault
from rui_common.syntax.paths import Path, format_path, property_name
from rui_common.syntax.reader import BOM
from rui_common.syntax.spans import Span
from rui_common.vocabulary.rules import MAX_BODY_BYTES, RULES

MAX_GROUPS = 12  # maximum number of groups of syntax errors in the hint of a response
MAX_PLACES = 190  # maximum number of places in these groups, beside the first one of each

JSON_RULES = (
    "JSON has double quotes around keys and texts, no comments, no comma before a closing bracket, and no other words "
    "than true, false and null."
)
"""The rules of JSON that texts with syntax errors usually break."""


class Severity(StrEnum):
    """The severity of a diagnostic. Reports contain the values."""

    ERROR = "error"
    WARNING = "warning"


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
    finding: Finding | None = None  # the finding, which suggests fixes; None if it is about the text
    # the syntax error, which has its fix; None for others
    fault: SyntaxFault | None = None


def is_error(diagnostic: Diagnostic) -> bool:
    return diagnostic.severity is Severity.ERROR


def is_syntax_error(diagnostic: Diagnostic) -> bool:
    """Return whether a diagnostic is about the text, not about the value in it."""
    return diagnostic.rule == "R0"


def without_placeholders(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return the diagnostics except placeholders, which a fix may leave in place of an error."""
    return [diagnostic for diagnostic in diagnostics if not isinstance(diagnostic.finding, Placeholder)]


def broken_places(document: Document, errors: Iterable[SyntaxFault], *, is_complete: bool) -> list[str]:
    """Return the positions, messages and hints of syntax errors, each group with the same fix in one text.

    `errors` are the first ones of the document; `is_complete` says whether these are all (`Document.first_errors`).
    """
    groups: dict[tuple[FaultKind, str], list[SyntaxFault]] = {}
    for fault in errors:
        groups.setdefault((fault.kind, fault.group or fault.hint), []).append(fault)
    sentences: list[str] = []
    places_left = MAX_PLACES
    for fault, *others in list(groups.values())[:MAX_GROUPS]:
        sentences.append(_describe(document, fault, others, places_left))
        places_left = max(0, places_left - len(others))
    if len(groups) > MAX_GROUPS:
        sentences.append(f"And {sum(map(len, list(groups.values())[MAX_GROUPS:]))} more.")
    if not is_complete:
        sentences.append("The rest of the text was not read: it may have more of these.")
    return sentences


def _describe(document: Document, fault: SyntaxFault, others: Sequence[SyntaxFault], max_places: int) -> str:
    """Return the position, message and hint of a syntax error, and at most `max_places` positions of others like it."""
    line, column = document.lines.line_and_column(fault.span.start)
    text = f"Line {line}, column {column}: {_sentence(fault.message)} {_sentence(fault.hint)}"
    if not others:
        return text
    positions = (document.lines.line_and_column(other.span.start) for other in others[:max_places])
    listed = ", ".join(f"{line}:{column}" for line, column in positions)
    if not listed:
        return f"{text} The same at {len(others)} more places."
    more = f" and {len(others) - max_places} more" if len(others) > max_places else ""
    return f"{text} The same at line:column {listed}{more}."


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
    findings = [*findings]
    is_explained = any(isinstance(finding, WrongText) for finding in findings)  # by an error that comes in their place
    return [
        *([] if is_explained else _syntax_errors(document)),
        *(finding_diagnostic(document, finding) for finding in findings),
        *map(_duplicate_key_warning, document.duplicate_keys()),
        *sorted((finding_diagnostic(document, lint) for lint in lints), key=lambda warning: warning.span),
        *_size_warning(document),
    ]


def _syntax_errors(document: Document) -> Iterator[Diagnostic]:
    """Yield the syntax errors of a document."""
    code = RULES["R0"].code
    for fault in document.syntax:
        yield Diagnostic(Severity.ERROR, code, "R0", (), fault.message, fault.hint, fault.span, fault=fault)


def finding_diagnostic(document: Document, finding: Finding, severity: Severity | None = None) -> Diagnostic:
    """Return the diagnostic of a finding: a warning if it is a lint and no other severity is given."""
    if severity is None:
        severity = Severity.WARNING if isinstance(finding, Lint) else Severity.ERROR
    path = finding.path
    related = tuple((document.range_of(place), finding.note) for place in finding.related)
    span = document.range_of(path, key=finding.marks_key)
    return Diagnostic(severity, finding.code, finding.rule, path, finding.message, finding.hint, span, related, finding)


def warning_items(document: Document, lints: Iterable[Lint], limit: int) -> tuple[list[dict[str, str]], bool]:
    """Return the first `limit` items of ``warnings[]`` of an answer over HTTP, and whether there are more.

    They come in the order in which the validator finds them: it needs no positions, which would take longer.
    """
    repeated = (
        _item(key.path, DUPLICATE_KEY.code, _duplicate_message(key), DUPLICATE_KEY.hint)
        for key in document.duplicate_keys()
    )
    doubtful = (_item(lint.path, lint.code, lint.message, lint.hint) for lint in lints)
    items = [*islice(chain(repeated, doubtful), limit + 1)]
    return items[:limit], len(items) > limit


def _item(path: Path, code: str, message: str, hint: str) -> dict[str, str]:
    return {"path": format_path(path), "code": code, "message": message, "hint": hint}


def _duplicate_key_warning(repeated: DuplicateKey) -> Diagnostic:
    related = ((repeated.last, "This one counts."),)
    return _warning(DUPLICATE_KEY, repeated.path, _duplicate_message(repeated), repeated.span, related)


def _duplicate_message(repeated: DuplicateKey) -> str:
    return DUPLICATE_KEY.message_with(prop=property_name(repeated.path))


def _size_warning(document: Document) -> Iterator[Diagnostic]:
    """Yield the warning about a document that a service would refuse for its size."""
    text = document.text
    if len(text) <= MAX_BODY_BYTES // 4:  # a character has four bytes at most
        return
    size = len(text.encode("utf-8", "surrogatepass"))
    if document.bom and text[0] != BOM:
        size += len(BOM.encode())
    if size > MAX_BODY_BYTES:
        message = TOO_LARGE.message_with(bytes=str(size), limit=str(MAX_BODY_BYTES))
        yield _warning(TOO_LARGE, (), message, document.range_of(()))


def _warning(
    about: LintRule, path: Path, message: str, span: Span, related: tuple[tuple[Span, str], ...] = ()
) -> Diagnostic:
    return Diagnostic(Severity.WARNING, about.code, "", path, message, about.hint, span, related)
