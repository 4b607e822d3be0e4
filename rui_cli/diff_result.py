"""Two versions of a document that `rui diff` compares."""

from __future__ import annotations

from rui_common.syntax.document import read
from rui_common.validation.diagnostics import diagnose, is_error
from rui_inspector.compare.comparison import Comparison, compare
from rui_inspector.model.view import View, view_of


class Version:
    """One version of a document.

    Attributes:
        name: the name of the file.
        data: its content; None if there is no such file.
        error_count: the number of its errors.
        syntax_error: place and message of the first syntax error, or ``""``.
        view: the document; an empty one if there is no such file.
    """

    __slots__ = ("data", "error_count", "name", "syntax_error", "view")

    def __init__(self, name: str, data: bytes | None) -> None:
        self.name = name
        self.data = data
        self.error_count = 0
        self.syntax_error = ""
        self.view: View = view_of({})
        if data is not None:
            document = read(data)
            diagnostics = diagnose(document)
            self.error_count = sum(is_error(diagnostic) for diagnostic in diagnostics)
            self.view = view_of(document.value)
            if not document.valid:
                line, column = document.lines.position(diagnostics[0].span.start, "utf-32")
                self.syntax_error = f"{name}:{line + 1}:{column + 1}: {diagnostics[0].message}"


class DiffResult:
    """Two versions of a document with their differences.

    Attributes:
        before: the first version.
        after: the second version.
        comparison: the differences.
    """

    __slots__ = ("after", "before", "comparison")

    def __init__(self, before: Version, after: Version) -> None:
        self.before = before
        self.after = after
        self.comparison: Comparison = compare(before.view, after.view)

    @property
    def versions(self) -> tuple[Version, Version]:
        """The first version and the second one."""
        return self.before, self.after

    @property
    def title(self) -> str:
        """The title of the app, or ``""``."""
        return self.after.view.title or self.before.view.title

    @property
    def is_same(self) -> bool:
        """Whether both have the same content and the same number of errors: broken text may have lost content."""
        if (self.before.data is None) != (self.after.data is None):
            return False
        return self.comparison.is_same and self.before.error_count == self.after.error_count

    @property
    def note(self) -> str:
        """A sentence on versions without a difference in content; ``""`` for others."""
        if self.before.data == self.after.data or not self.comparison.is_same:
            return ""
        if not self.is_same:
            return "The content that can be read is the same; the number of errors differs."
        return "The content is the same; only the layout of the text differs."

    def notes(self) -> list[str]:
        """Return a sentence for each version that has errors or is absent."""
        notes = []
        for version in self.versions:
            if version.data is None:
                state = "removed" if version is self.after else "new"
                notes.append(f"The document is {state}.")
            elif version.error_count:
                errors = "1 error"
                if version.error_count > 1:
                    errors = f"{version.error_count:,} errors"
                notes.append(f"{version.name} has {errors}; it is compared as far as it can be read.")
        return notes

    @property
    def names(self) -> str:
        """The names of the files: one if both have the same."""
        names = [version.name for version in self.versions if version.data is not None]
        return " → ".join(dict.fromkeys(names))
