"""What a run of `rui check` found: one `Checked` a document, one `Tally` for all."""

from __future__ import annotations

from rui_common.validation.diagnostics import is_error

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rui_common.syntax.document import Document
    from rui_common.syntax.spans import Span
    from rui_common.validation.diagnostics import Diagnostic


class Checked:
    """One document that was checked.

    Attributes:
        name: its file as it is shown.
        document: the document.
        diagnostics: what is wrong with it.
        mended: so many faults were mended before.
    """

    __slots__ = ("diagnostics", "document", "fixed", "name")

    def __init__(self, name: str, document: Document, diagnostics: list[Diagnostic], fixed: int = 0) -> None:
        self.name = name
        self.document = document
        self.diagnostics = diagnostics
        self.fixed = fixed

    def position(self, offset: int) -> tuple[int, int]:
        """The line and column of an offset, both from 1, columns in characters (code points)."""
        line, character = self.document.lines.position(offset, "utf-32")
        return line + 1, character + 1

    def place(self, span: Span) -> tuple[tuple[int, int], tuple[int, int]]:
        """The positions of a range's start and end."""
        return self.position(span.start), self.position(span.end)


class Tally:
    """Counts over all documents.

    Attributes:
        files: documents that were checked.
        faulty: those with an error or a warning.
        errors, warnings: diagnostics.
        mended: faults that were mended.
        mendable: whether a fault was seen that `--fix` may mend.
        mended_files: documents in which faults were mended.
        problems: files and folders that could not be read or written.
    """

    __slots__ = ("errors", "faulty", "files", "fixable", "fixed", "fixed_files", "problems", "warnings")

    def __init__(self) -> None:
        self.files = self.faulty = self.errors = self.warnings = self.fixed = self.fixed_files = self.problems = 0
        self.fixable = False

    def add(self, checked: Checked) -> None:
        """Count one document."""
        errors = sum(is_error(diagnostic) for diagnostic in checked.diagnostics)
        self.files += 1
        self.faulty += bool(checked.diagnostics)
        self.errors += errors
        self.warnings += len(checked.diagnostics) - errors
        self.fixed += checked.fixed
        self.fixed_files += bool(checked.fixed)

    def summary(self) -> str:
        """All of it in a line: ``3 errors in 2 files; 10 files checked``."""
        parts = []
        if self.errors or self.warnings:
            found = [count(self.errors, "error")] if self.errors else []
            found += [count(self.warnings, "warning")] if self.warnings else []
            parts.append(f"{' and '.join(found)} in {count(self.faulty, 'file')}")
        elif self.files:
            parts.append("no faults")
        if self.fixed:
            parts.append(f"{count(self.fixed, 'fault')} mended in {count(self.fixed_files, 'file')}")
        parts.append(f"{count(self.files, 'file')} checked")
        if self.problems:
            parts.append(f"{count(self.problems, 'problem')} with files or folders")
        return "; ".join(parts)


def count(number: int, noun: str) -> str:
    """``1 file``, ``2 files``."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
