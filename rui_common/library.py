"""Check and fix a document in a program, as `rui check` does it: `from rui_common import check, fix`.

Both functions take any str or bytes. A bad document is a result, and raises no exception; another type is a TypeError.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

from rui_common.editing.normal_form import normalize
from rui_common.fixes.fix_all import fix_all_safe
from rui_common.hashing import content_hash
from rui_common.syntax import document
from rui_common.syntax.line_index import LineIndex
from rui_common.syntax.paths import format_path
from rui_common.syntax.reader import BOM
from rui_common.texts import no_document
from rui_common.validation.analysis import Analysis
from rui_common.validation.answers import AnswerHints
from rui_common.validation.diagnostics import Diagnostic, is_error


class Problem(NamedTuple):
    """An error or a warning: the fields of an item of ``errors[]`` (section 2.5), and its place in the text.

    Attributes:
        path: the path in the document, such as ``pages[0].title``; ``""`` for a syntax error.
        code: a code of section 7.2, or that of a warning.
        message: what is wrong.
        hint: how to fix it. As in an answer of the service, the first hint about a shape contains its signature.
        line: the first line of the range, from 1.
        column: the first column, from 1, in characters (code points).
        end_line: the line of the end of the range.
        end_column: the column after the last character.
    """

    path: str
    code: str
    message: str
    hint: str
    line: int
    column: int
    end_line: int
    end_column: int


class Check(NamedTuple):
    """The result of checking a document.

    Attributes:
        valid: whether the document is a valid RUI 0.1. The service stores exactly these, if they are small enough.
        errors: all errors, in the order of the service (docs/decisions.md, section 3); empty if it is valid.
        warnings: all warnings: what is valid, and probably not meant or not shown.
        normalized: the normal form (docs/decisions.md, section 5); None if the document is not valid.
        content_hash: ``sha256:`` and a digest, as in a stored spec (section 2.4); None if the document is not valid.
    """

    valid: bool
    errors: tuple[Problem, ...]
    warnings: tuple[Problem, ...]
    normalized: dict[str, Any] | None
    content_hash: str | None


class AppliedFix(NamedTuple):
    """A fix that was applied: the path and code of the error that it has removed, and what it did.

    The path of an error is that before the fix. An example of a title is ``Rename "titel" to "title"``.
    """

    path: str
    code: str
    title: str


class Fixed(NamedTuple):
    """The result of fixing a document.

    Attributes:
        text: the text after all safe fixes, in the layout of its author; unchanged if no fix is safe. If bytes that are
            not UTF-8 were given, it is their text with the error handler ``surrogateescape``, unchanged.
        applied: the fixes, in the order in which they were applied.
        remaining: the errors and warnings of `text`, errors first. It is a valid RUI if none of them is an error.
    """

    text: str
    applied: tuple[AppliedFix, ...]
    remaining: tuple[Problem, ...]


def check(text: str | bytes) -> Check:
    """Check a document, as `rui check` and ``POST /api/validate`` do. No text raises an exception.

    Args:
        text: the text of the document, or its bytes in UTF-8. It may be any text; of broken JSON, the syntax errors and
            the findings about what could be read are returned. There is no limit of size; a document that a service
            would refuse has the warning ``TOO_LARGE``.

    Raises:
        TypeError: `text` is neither.
    """
    return _check(Analysis(document.read(_text(text))))


def fix(text: str | bytes) -> Fixed:
    """Apply all safe fixes to a document, as `rui check --fix` does.

    A safe fix neither loses nor invents content. What only the author can decide remains.

    Args:
        text: the text of the document, or its bytes in UTF-8.

    Raises:
        TypeError: `text` is neither.
    """
    before = Analysis(document.read(_text(text)))
    given = text if isinstance(text, str) else text.decode(errors="surrogateescape")
    mark = given.removesuffix(before.document.text)
    if mark not in ("", BOM):  # Some bytes are not UTF-8, and the document has replacement characters for them.
        return Fixed(given, (), _problems(before, before.diagnostics))
    after, applied, _ = fix_all_safe(before)
    if after is before:
        return Fixed(given, (), _problems(before, before.diagnostics))
    done = tuple(AppliedFix(format_path(path), code, title) for path, code, title in applied)
    return Fixed(mark + after.document.text, done, _problems(after, after.diagnostics))


def _text(value: object) -> str | bytes:
    """Return a text.

    Raises:
        TypeError: it is none. A path, a document as a dictionary and others would be read as another document.
    """
    if isinstance(value, str | bytes):
        return value
    if isinstance(value, bytearray | memoryview):
        return bytes(value)
    raise no_document(value, "a str or bytes")


def _check(analysis: Analysis) -> Check:
    problems = analysis.diagnostics
    errors = [diagnostic for diagnostic in problems if is_error(diagnostic)]
    warnings = [diagnostic for diagnostic in problems if not is_error(diagnostic)]
    normalized = None
    hash_ = None
    if not errors:
        normalized = normalize(analysis.tree)
        hash_ = content_hash(normalized)
    return Check(not errors, _problems(analysis, errors), _problems(analysis, warnings), normalized, hash_)


def _problems(analysis: Analysis, diagnostics: Iterable[Diagnostic]) -> tuple[Problem, ...]:
    lines = analysis.document.lines
    hints = AnswerHints()
    return tuple(_problem(diagnostic, lines, hints) for diagnostic in diagnostics)


def _problem(diagnostic: Diagnostic, lines: LineIndex, hints: AnswerHints) -> Problem:
    hint = diagnostic.hint
    if diagnostic.finding is not None:
        hint = hints.hint(diagnostic.finding)
    path = format_path(diagnostic.path)
    start = lines.line_and_column(diagnostic.span.start)
    end = lines.line_and_column(diagnostic.span.end)
    return Problem(path, diagnostic.code, diagnostic.message, hint, *start, *end)
