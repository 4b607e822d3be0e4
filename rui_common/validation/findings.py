"""A finding: which rule is broken where. `rui_common.validation.wording` words its message and hint."""

from __future__ import annotations

from typing import NamedTuple

from rui_common.syntax.paths import Path, format_path
from rui_common.vocabulary.rules import RULES
from rui_common.vocabulary.schema import Kind, Prop, Shape

ABSENT = object()
"""The value of a property that is absent."""

FIRST_USED = "First used here."
NEAREST_NAME = "Did you mean this one?"
LINK_HERE = "Nothing in here links to it."
"""Notes of related places (docs/decisions.md, section 7)."""


class Finding(NamedTuple):
    """One violation of a rule at one path.

    Attributes:
        path: the path (docs/decisions.md, section 2).
        rule: the number of the rule, such as ``R7b``.
        got: the value at the path, or `ABSENT`.
        allowed: the values, names or types that are allowed; for an unknown property, the absent ones of its object.
        expected: a description of valid values, such as ``a string``, or ``""``.
        shape: the shape of the object that has, or lacks, the property; None for elements of lists.
        prop: the declaration of the property; None for elements of lists and unknown properties.
        kind: the kind of value that is expected; None for unknown properties.
        match: the one of `allowed` that a reference is a misspelling of, or ``""``.
        related: other paths, each with a note for the reader.
        around: the object that lacks the property; None for other findings.
    """

    path: Path
    rule: str
    got: object = ABSENT
    allowed: tuple[str, ...] = ()
    expected: str = ""
    shape: Shape | None = None
    prop: Prop | None = None
    kind: Kind | None = None
    match: str = ""
    related: tuple[tuple[Path, str], ...] = ()
    around: dict[str, object] | None = None

    def __repr__(self) -> str:
        return f"Finding({format_path(self.path)!r}, {self.rule!r})"

    @property
    def code(self) -> str:
        """The error code of section 7.2."""
        return RULES[self.rule].code
