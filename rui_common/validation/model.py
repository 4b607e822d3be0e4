"""The data of a finding, and the types shared by findings, hints and names."""

from __future__ import annotations

from collections import namedtuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Protocol

    from rui_common.syntax.paths import Path
    from rui_common.validation.author_words import Words
    from rui_common.vocabulary.schema import Symbol, Vocabulary

    UsedNames = Iterable[Mapping[str, object]]
    """Collections of names that a new name must not be in."""

    class Suggestion(Protocol):
        """A change other than writing a value at the path of the finding."""

        def with_prefix(self, prefix: Path) -> Suggestion:
            """Return the suggestion with its paths below `prefix`."""

        def to_text(self, used_names: UsedNames, suggested_names: SuggestedNames) -> str:
            """Return the suggestion as a sentence, with the exact text to write."""


ABSENT = object()
"""The value of a property that is absent."""

NOT_COMPUTED = object()

FIRST_USED = "First used here."
NEAREST_NAME = "Did you mean this one?"
LINK_HERE = "Nothing in here links to it."
"""Notes of related places (docs/decisions.md, section 7)."""


class SuggestedNames:
    """The new names in the hints of one answer, which must differ.

    Args:
        root: the document, or None.
        vocabulary: its vocabulary, or None for the only one.

    Attributes:
        names: the names.
        new_names: the new name for the definition at a path, which several hints contain.
        changing: paths of definitions with a finding that their name has to change.
        explained: paths of definitions with a hint about the uses of their new name.
        shared: what the hints of one answer have in common, by symbol.
        numbers: the last number that was appended to each stem.
        hints: the hints by path and rule, so that a hint is worded once and keeps its names.
    """

    __slots__ = (
        "_root", "_vocabulary", "_words", "changing", "explained", "hints", "names", "new_names", "numbers", "shared",
    )  # fmt: skip

    def __init__(self, root: object = None, vocabulary: Vocabulary | None = None) -> None:
        self.names: set[str] = set()
        self.numbers: dict[str, int] = {}
        self.hints: dict[tuple[Path, str], str] = {}
        self.new_names: dict[Path, str] = {}
        self.changing: set[Path] = set()
        self.explained: set[Path] = set()
        self.shared: dict[Symbol, object] = {}
        self._root = root
        self._vocabulary = vocabulary
        self._words: Words | None = None

    @property
    def words(self) -> Words:
        """The author's own words in the document."""
        if self._words is None:
            # Not at start-up: valid documents have no hints.
            from rui_common.validation.author_words import Words  # noqa: PLC0415

            self._words = Words(self._root) if self._vocabulary is None else Words(self._root, self._vocabulary)
        return self._words


class FindingData(
    namedtuple(
        "FindingData",
        (
            "path", "rule", "got", "names", "expected", "example", "owner", "related", "suggestion", "match",
            "used_names", "suggested_names",
        ),
        defaults=(ABSENT, (), "", ABSENT, "", (), None, NOT_COMPUTED, (), None),
    )
):  # fmt: skip
    """One violation of a rule at one path.

    Attributes:
        path: the path (docs/decisions.md, section 2).
        rule: the number of the rule, such as ``R7b``.
        got: the value at the path, or `ABSENT`.
        names: the values that are allowed; the closest match is searched among them.
        expected: a description of valid values, such as ``a string``, or ``""``.
        example: a value that would be valid, or `ABSENT`.
        owner: the name of the shape that contains the path, such as ``Metric``.
        related: other paths, each with a note for the reader.
        suggestion: a change that fixes the violation where no value at the path would, or None.
        match: the one of `names` that `got` is a misspelling of; None if there is none, or if it would be misleading;
            `NOT_COMPUTED` until the hint is worded.
        used_names: the names that a new name must not be one of.
        suggested_names: the new names in the hints of other findings; None if there are no others.
    """

    __slots__ = ()
    path: Path
    rule: str
    got: object
    names: Sequence[str]
    expected: str
    example: object
    owner: str
    related: tuple[tuple[Path, str], ...]
    suggestion: Suggestion | None
    match: object
    used_names: UsedNames
    suggested_names: SuggestedNames | None
