"""A finding: which rule is violated where. It is immutable; its message and hint are worded on demand."""

from __future__ import annotations

from rui_common.syntax.paths import format_path
from rui_common.validation import wording
from rui_common.validation.model import FindingData
from rui_common.vocabulary.rules import RULES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rui_common.syntax.paths import Path
    from rui_common.validation.model import SuggestedNames, UsedNames


class Finding(FindingData):
    """One violation of a rule at one path."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"Finding({format_path(self.path)!r}, {self.rule!r})"

    @property
    def code(self) -> str:
        """The error code of section 7.2."""
        return RULES[self.rule].code

    def in_document(self, prefix: Path, used_names: UsedNames, suggested_names: SuggestedNames) -> Finding:
        """Return the finding of a page as one of the document.

        Args:
            prefix: the path of the page.
            used_names: names of the document, in addition to those of the page.
            suggested_names: the new names in all hints of the document.
        """
        related = self.related
        suggestion = self.suggestion
        if prefix:
            related = tuple((prefix + path, note) for path, note in related)
        if prefix and suggestion is not None:
            suggestion = suggestion.with_prefix(prefix)
        # Twice as fast as `_replace`; there may be thousands of findings.
        return Finding(
            prefix + self.path, self.rule, self.got, self.names, self.expected, self.example, self.owner, related,
            suggestion, self.match, (*self.used_names, *used_names), suggested_names,
        )  # fmt: skip

    def closest_match(self) -> str | None:
        """Return the one of the allowed names that the value is a misspelling of, or None."""
        return wording.closest_match(self)

    def message(self) -> str:
        """Return the message of section 7.3."""
        return wording.message(self)

    def hint(self) -> str:
        """Return the hint: the text of section 7.3, followed by details of this finding."""
        return wording.hint(self)

    def to_item(self) -> dict[str, str]:
        """Return the item of ``errors[]`` (section 2.5 of the specification)."""
        return {
            "path": format_path(self.path),
            "code": self.code,
            "message": wording.message(self),
            "hint": wording.hint(self),
        }
