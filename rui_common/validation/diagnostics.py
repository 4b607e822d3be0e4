"""Document → diagnostics: every fault of a text, worded and with its place in the text.

Command line and editor show these and nothing else; what they add is presentation.
"""

from __future__ import annotations

import re

from rui_common.syntax.paths import format_path, property_name
from rui_common.syntax.reader import BOM
from rui_common.validation.run import validate
from rui_common.vocabulary.rules import DUPLICATE_KEY, MAX_BODY_BYTES, RULES, TOO_LARGE, WARNINGS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rui_common.syntax.document import Document
    from rui_common.syntax.errors import SyntaxFault
    from rui_common.syntax.paths import Path
    from rui_common.syntax.spans import Span
    from rui_common.validation.findings import Finding

MAX_TOLD = 20
MAX_PLACES = 500
"""Faults of different sorts that a hint tells of at most, and places of one sort."""

# What to write has the same words in it as what is there: only what stands around them is another.
_SAME_IN_BOTH = re.compile(r"(Write \W?)(.+?)(\W?) instead of (\W?)\2(\W?)(?=\.\Z|, )", re.DOTALL)

_BOM_BYTES = 3
_ASCII = bytes(range(128))

ERROR = "error"
WARNING = "warning"


class Diagnostic:
    """One fault, ready to be shown.

    Attributes:
        severity: `ERROR` or `WARNING`.
        code: the code of section 7.2 of the specification, or of a warning of our own.
        rule: the number of the rule, such as ``R7b``, or ``""`` for a warning of our own.
        path: where in the value; ``()`` for a fault of the text.
        message: what is wrong.
        hint: how to mend it.
        span: where in the text (docs/decisions.md, section 7).
        related: other places in the text, each with a note.
        finding: what the validator said, for whoever looks for a mend; None for a fault of the text.
    """

    __slots__ = ("code", "finding", "hint", "message", "path", "related", "rule", "severity", "span")

    def __init__(
        self,
        severity: str,
        code: str,
        rule: str,
        path: Path,
        message: str,
        hint: str,
        span: Span,
        *,
        related: tuple[tuple[Span, str], ...] = (),
        finding: Finding | None = None,
    ) -> None:
        self.severity = severity
        self.code = code
        self.rule = rule
        self.path = path
        self.message = message
        self.hint = hint
        self.span = span
        self.related = related
        self.finding = finding

    def __repr__(self) -> str:
        return f"Diagnostic({self.code} at {format_path(self.path)!r}, {self.span!r})"


def diagnose(
    document: Document, findings: Iterable[Finding] | None = None, size: int | None = None
) -> list[Diagnostic]:
    """All that is wrong with a text, without any cap.

    Args:
        document: any document, broken or not.
        findings: what `validate` says about its value, for a caller who knows it already.
        size: the bytes of its text in UTF-8, for a caller who knows them already.

    Returns:
        Faults of the text in text order, then findings in canonical order, then warnings: of keys in text order, of
        its length. Empty when the text is a valid RUI without repeated keys that a service would take.
    """
    if findings is None:
        value = document.value
        findings = validate(value, incomplete=document.incomplete) if isinstance(value, dict) else ()
    return [*_of_text(document), *_of_findings(document, findings), *_of_keys(document), *_of_size(document, size)]


def is_error(diagnostic: Diagnostic) -> bool:
    """Whether it makes the document invalid."""
    return diagnostic.severity == ERROR


def root_fault(value: object) -> str:
    """What is wrong with a root that is no object, in words (docs/decisions.md, end of section 2)."""
    names = {list: "an array", str: "a string", bool: "a boolean", type(None): "null"}
    fault = f"The root of a RUI is an object, not {names.get(type(value), 'a number')}."
    if isinstance(value, list) and len(value) == 1 and isinstance(value[0], dict):
        return f"{fault} Send the one object of the array, without [ and ] around it."
    if isinstance(value, str) and value.lstrip()[:1] == "{":
        return f"{fault} Send the text of the string itself, as an object without quotes around it."
    return fault


def where_broken(document: Document) -> str:
    """Where a text that is no JSON breaks, what is wrong there and what to do, as sentences for a hint.

    What is to be done at several places is said once. Of a long text only the first fault is told.
    """
    alike: dict[str, list[SyntaxFault]] = {}
    for fault in document.first_errors():
        alike.setdefault(_SAME_IN_BOTH.sub(r"\1…\3 instead of \4…\5", fault.hint), []).append(fault)
    groups = list(alike.values())
    told = [_told(document, *faults) for faults in groups[:MAX_TOLD]]
    if len(groups) > MAX_TOLD:
        told.append("And there is more.")
    return " ".join(told)


def _told(document: Document, fault: SyntaxFault, *others: SyntaxFault) -> str:
    line, column = document.lines.position(fault.span.start, "utf-32")
    told = f"Line {line + 1}, column {column + 1}: {_sentence(fault.message)} {_sentence(fault.hint)}".rstrip()
    if not others:
        return told
    places = (document.lines.position(other.span.start, "utf-32") for other in others[:MAX_PLACES])
    listed = ", ".join(f"{line + 1}:{column + 1}" for line, column in places)
    more = f" and {len(others) - MAX_PLACES} more" if len(others) > MAX_PLACES else ""
    return f"{told} The same at line:column {listed}{more}."


def _sentence(text: str) -> str:
    return text if not text or text[-1] in ".!?" else text + "."


def _of_text(document: Document) -> Iterator[Diagnostic]:
    code = RULES["R0"].code
    for fault in document.syntax:
        yield Diagnostic(ERROR, code, "R0", (), fault.message, fault.hint, fault.span)
    if document.valid and not isinstance(document.value, dict):
        hint = "Put the document into { and }."
        yield Diagnostic(ERROR, code, "R0", (), root_fault(document.value), hint, document.range_of(()))


def _of_findings(document: Document, findings: Iterable[Finding]) -> Iterator[Diagnostic]:
    # Hints offer names that nobody has: they are worded when all names have been seen.
    for finding in list(findings):
        related = tuple((document.range_of(path), note) for path, note in finding.related)
        yield Diagnostic(
            ERROR, finding.code, finding.rule, finding.path, finding.message(), finding.hint(),
            document.range_of(finding.path, key=finding.rule == "R7"), related=related, finding=finding,
        )  # fmt: skip


def _of_keys(document: Document) -> Iterator[Diagnostic]:
    warning = WARNINGS[DUPLICATE_KEY]
    for repeated in document.duplicate_keys():
        message = warning.message.replace("{prop}", property_name(repeated.path))
        yield Diagnostic(
            WARNING, warning.code, "", repeated.path, message, warning.hint, repeated.span,
            related=((repeated.last, "This one counts."),),
        )  # fmt: skip


def _of_size(document: Document, size: int | None) -> Iterator[Diagnostic]:
    """That no service takes so many bytes (section 8 of the specification)."""
    text = document.text
    if len(text) <= MAX_BODY_BYTES // 4:  # a character has four bytes at most
        return
    size = utf8_size(text) if size is None else size
    size += _BOM_BYTES if document.bom and text[0] != BOM else 0
    if size > MAX_BODY_BYTES:
        warning = WARNINGS[TOO_LARGE]
        message = warning.message.replace("{bytes}", str(size)).replace("{limit}", str(MAX_BODY_BYTES))
        yield Diagnostic(WARNING, warning.code, "", (), message, warning.hint, document.range_of(()))


def utf8_size(text: str) -> int:
    """The bytes of a text in UTF-8; texts of Latin letters are not encoded, which takes more than twice as long."""
    if text.isascii():
        return len(text)
    try:
        return len(text) + len(text.encode("latin-1").translate(None, _ASCII))
    except UnicodeEncodeError:
        return len(text.encode("utf-8", "surrogatepass"))
