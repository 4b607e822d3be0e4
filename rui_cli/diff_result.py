"""Two versions of a document that `rui diff` compares."""

from collections import Counter
from collections.abc import Iterator, Sequence

from rui_cli.results import first_error, place_of
from rui_common.json_values import as_json, as_object
from rui_common.syntax.document import Document, read
from rui_common.texts import count_of
from rui_common.validation.analysis import Analysis
from rui_common.validation.diagnostics import Diagnostic, is_error
from rui_common.versions.answers import Answers, answers_to
from rui_common.versions.changes import Change
from rui_common.versions.compare import compare
from rui_common.versions.notes import OtherDocumentError, read_notes
from rui_inspector.model.view import View

MAX_NAMED_ERRORS = 3  # maximum number of errors that are named


class Version:
    """One version of a document."""

    def __init__(self, name: str, data: bytes | None) -> None:
        self.name = name
        self.data = data  # the content of the file; None if there is no such file
        self.analysis: Analysis | None = None  # the analysis of the document
        self.value: object = {}  # the document; an empty object if there is no such file
        self.errors: list[Diagnostic] = []
        self.first_error = ""  # place and message of the first of them, or ``""``
        self.is_json = True
        if data is not None:
            document = _read(data)
            self.analysis = Analysis(document)
            self.errors = [diagnostic for diagnostic in self.analysis.diagnostics if is_error(diagnostic)]
            if self.errors:
                self.first_error = first_error(name, self.analysis)
            self.value = document.value
            self.is_json = document.valid
        self.title = View(self.value).title  # the title of the app, or ``""``

    @property
    def error_count(self) -> int:
        return len(self.errors)

    def errors_without(self, other: "Version") -> list[str]:
        """Return place and message of each of its errors that another version does not have."""
        known = Counter(error.message for error in other.errors)
        lines: list[str] = []
        for error in self.errors:
            known[error.message] -= 1
            if known[error.message] < 0 and self.analysis is not None:
                place = place_of(self.name, self.analysis.document.lines, error.span.start)
                lines.append(f"{place}: {error.message}")
        return lines


def _read(data: bytes) -> Document:
    """Read a document, which may be in the response of a service to a request for a stored spec."""
    document = read(data)
    stored = as_object(document.value).get("normalizedRui")
    if document.valid and isinstance(stored, dict):
        return read(as_json(stored))
    return document


class DiffResult:
    """Two versions of a document with their differences."""

    def __init__(self, before: Version, after: Version, unknown_endpoints: Sequence[str] = ()) -> None:
        self.before = before
        self.after = after
        self.comparison = compare(before.value, after.value)
        # what the second version did about the notes of a reviewer; None without notes
        self.answers: Answers | None = None
        self.shared: frozenset[Change] = frozenset()  # changes that are told for several documents together
        self.title = after.title or before.title  # the title of the app, or ``""``
        # the names of the files: one if both have the same
        self.names = " → ".join(dict.fromkeys(version.name for version in (before, after) if version.data is not None))
        has_same_content = not self.comparison.changes and (before.data is None) == (after.data is None)
        # whether both have the same content and the same number of errors
        self.is_same = has_same_content and before.error_count == after.error_count
        # the paths that only the second version requests and the API description lacks
        self.unknown_endpoints = unknown_endpoints
        # sentences on these, and on versions that are absent, have errors, or differ only in layout or errors
        self.remarks = [f"The new endpoint {path} is not in the API description." for path in unknown_endpoints]
        if before.data != after.data and self.is_same:
            self.remarks.append("The content is the same; only the layout of the text differs.")
        elif before.data != after.data and has_same_content:
            self.remarks.append("The content that can be read is the same; the number of errors differs.")
        for version, age, state in ((before, "old", "new"), (after, "new", "removed")):
            if version.data is None:
                self.remarks.append(f"The document is {state}.")
            elif version.errors:
                errors = count_of(version.error_count, "errors")
                self.remarks.append(
                    f"{version.name}, the {age} version, has {errors}; it is compared as far as it can be read."
                )
        # place and message of each error of one version that the other one does not have
        self.added_errors = after.errors_without(before)
        self.repaired_errors = before.errors_without(after)
        self.remarks += self._changes_of_errors()

    def _changes_of_errors(self) -> Iterator[str]:
        """Yield which errors the change adds or repairs, if both versions are there."""
        for verb, errors in (("adds", self.added_errors), ("repairs", self.repaired_errors)):
            if errors and self.before.data is not None and self.after.data is not None:
                further = f" And {len(errors) - MAX_NAMED_ERRORS} more." if len(errors) > MAX_NAMED_ERRORS else ""
                listed = " ".join(errors[:MAX_NAMED_ERRORS])
                yield f"The change {verb} {count_of(len(errors), 'errors')}: {listed}{further}"

    def answer_notes(self, text: str) -> bool:
        """Find out what the second version did about the notes in a text; return whether it changed each noted part.

        Raises:
            OtherDocumentError: the notes are about another document.
            NotesError: the text contains no notes, or one about a part that the first version does not have.
        """
        if self.before.data is None:
            raise OtherDocumentError("the notes are about another document: there is no old version")
        try:
            self.answers = answers_to(read_notes(text), self.comparison)
        except OtherDocumentError as error:
            if not self.before.first_error:
                raise
            raise OtherDocumentError(f"{error}; that is not valid: {self.before.first_error}") from None
        if self.answers.foreign_count == 1:
            self.remarks.append("1 note of the text is about another document.")
        elif self.answers.foreign_count:
            self.remarks.append(f"{self.answers.foreign_count} notes of the text are about other documents.")
        return self.answers.is_each_followed
