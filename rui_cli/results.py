"""The results of `rui check`: a `CheckResult` a document, and a `Summary` of all."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from rui_cli.output import escape_line
from rui_cli.repository import name_in_repository
from rui_common.syntax.document import Document
from rui_common.syntax.line_index import LineIndex
from rui_common.syntax.spans import Span
from rui_common.texts import count_of
from rui_common.validation.analysis import Analysis
from rui_common.validation.diagnostics import Diagnostic, is_error

if TYPE_CHECKING:  # slow, and not needed for valid documents
    from rui_common.fixes.apply import Fix

Position = tuple[int, int]  # line and column, both from 1, columns in code points
MAX_WITH_FIXES = 200  # Diagnostics of a document that have fixes in the formats for machines. Bounds time and output.


class CheckResult:
    """The result for one document.

    Args:
        name: the name of its file in messages.
        fixed: the number of errors that were fixed before.
        is_utf8: whether the file contains the text of the analysis in UTF-8, so that a fixed text can be written.
    """

    def __init__(
        self, name: str, analysis: Analysis, diagnostics: list[Diagnostic], *, fixed: int = 0, is_utf8: bool = True
    ) -> None:
        self.name = name
        self.analysis = analysis
        self.diagnostics = diagnostics
        self.fixed = fixed
        self.is_utf8 = is_utf8
        self._searches = 0

    @property
    def document(self) -> Document:
        return self.analysis.document

    @cached_property
    def name_in_repository(self) -> str:
        return name_in_repository(self.name)

    def fixes(self, diagnostic: Diagnostic) -> list[Fix]:
        """Return the fixes of a diagnostic, the safe ones first; none after `MAX_WITH_FIXES` diagnostics."""
        if self._searches == MAX_WITH_FIXES:
            return []
        from rui_common.fixes.quick_fixes import find_fixes  # see above

        self._searches += 1
        return find_fixes(self.analysis, diagnostic)

    def place(self, diagnostic: Diagnostic) -> str:
        """Return the place of a diagnostic, on one line."""
        return place_of(escape_line(self.name), self.document.lines, diagnostic.span.start)

    def range(self, span: Span) -> tuple[Position, Position]:
        lines = self.document.lines
        return lines.line_and_column(span.start), lines.line_and_column(span.end)


class FileProblem(NamedTuple):
    """Why a file or folder could not be read, written or used."""

    file: str
    text: str


@dataclass
class Summary:
    """Counts of all documents."""

    mentions_fix: bool = False  # whether to mention `--fix` if it can fix one of the errors
    is_quiet: bool = False  # whether to print diagnostics alone, without the counts
    is_since: bool = False  # whether only what a revision does not have is counted
    files: int = 0  # documents that were checked
    failed_files: int = 0  # documents with an error or a warning
    errors: int = 0  # diagnostics that are errors
    warnings: int = 0
    fixed: int = 0  # errors that were fixed
    fixed_files: int = 0  # documents with errors that were fixed
    problems: int = 0  # files and folders that could not be read or written
    # those of them that the report contains, as it is one value on standard error, where lines would be no part of it
    reported: list[FileProblem] = field(default_factory=list)

    def add(self, result: CheckResult) -> None:
        errors = sum(is_error(diagnostic) for diagnostic in result.diagnostics)
        self.files += 1
        self.errors += errors
        self.warnings += len(result.diagnostics) - errors
        self.fixed += result.fixed
        self.failed_files += bool(result.diagnostics)
        self.fixed_files += bool(result.fixed)

    def text(self) -> str:
        """Return the counts in a line, such as ``3 errors in 2 files; 10 files checked``."""
        parts = []
        new = "new " if self.is_since else ""
        counts = ((self.errors, f"{new}errors"), (self.warnings, f"{new}warnings"))
        diagnostics = [count_of(number, noun) for number, noun in counts if number]
        if diagnostics:
            parts.append(f"{' and '.join(diagnostics)} in {count_of(self.failed_files, 'files')}")
        elif self.files:
            parts.append(f"no {new}errors")
        if self.fixed:
            parts.append(self.fixed_text())
        parts.append(f"{count_of(self.files, 'files')} checked")
        if self.problems:
            parts.append(f"{count_of(self.problems, 'problems')} with files or folders")
        return "; ".join(parts)

    def fixed_text(self) -> str:
        """Return ``3 errors fixed in 1 file``."""
        return f"{count_of(self.fixed, 'errors')} fixed in {count_of(self.fixed_files, 'files')}"


def place_of(name: str, lines: LineIndex, offset: int) -> str:
    """Return the place of an offset in a file: ``FILE:LINE:COLUMN``, both from 1, columns in code points."""
    line, column = lines.line_and_column(offset)
    return f"{name}:{line}:{column}"


def first_error(name: str, analysis: Analysis) -> str:
    """Return place and message of the first error of a document that has one."""
    first = next(diagnostic for diagnostic in analysis.diagnostics if is_error(diagnostic))
    return f"{place_of(name, analysis.document.lines, first.span.start)}: {first.message}"


def rule_and_code(diagnostic: Diagnostic) -> str:
    """Return ``R7b INVALID_PROP_TYPE``, or the code alone for a warning of the toolkit."""
    return f"{diagnostic.rule} {diagnostic.code}".strip()
