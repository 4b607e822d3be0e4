"""A finding: a problem at a path. `rui_common.validation.wording` words its message and hint."""

from __future__ import annotations

from enum import Enum, auto
from typing import NamedTuple

from rui_common.syntax.paths import Path, format_path
from rui_common.validation.names import Scope
from rui_common.validation.node import Node
from rui_common.vocabulary.problems import Problem
from rui_common.vocabulary.rules import RULES
from rui_common.vocabulary.schema import Kind, Prop, Shape

ABSENT = object()
"""The value of a property that is absent."""


class Place(Enum):
    """The destination of the content of an unknown property."""

    NOTHING = auto()
    """It has no content."""
    UNPLACED = auto()
    """RUI has no place for it."""
    DOCUMENT = auto()
    """It is the document."""
    TOP_LEVEL = auto()
    """It belongs in the property of the root with the same name."""
    PROPERTY = auto()
    """It belongs in a certain property of the object."""
    PART_OF_TEXT = auto()
    """It is part of a text of the object, as a unit is part of a label."""
    ABSENT_PROPERTIES = auto()
    """It may belong in one of the absent properties."""
    ELSEWHERE = auto()
    """No property of the object may have it."""


class Placement(NamedTuple):
    """A place, and the names of the properties there.

    `PROPERTY` has the name of the property, and that of the part of it that is meant, if it is an object.
    `UNPLACED` and `ELSEWHERE` have the name of the object in the root that may contain anything, if the content may be
    moved there. Of `ELSEWHERE`, that is a single word: no page shows it there.
    """

    place: Place
    names: tuple[str, ...] = ()


class Finding(NamedTuple):
    """One violation of a rule at one path.

    Attributes:
        node: the object or array around the fault.
        step: the key or index of the fault in `node`.
        problem: the kind of problem.
        rule: the number of the rule, such as ``R7b``.
        got: the value there, or `ABSENT`; for a node of a wrong type that type.
        kind: the kind of value that is expected; None for unknown properties.
        expected: a description of valid values, such as ``a string``, or ``""``.
        allowed: the values, names or types that are allowed; for an unknown property, the absent ones of its object.
        scope: the names that a name at this place is one of, or None.
        meant: what the author probably meant, or ``""``. For an unknown property, an absent one; for an absent
            property, an unknown one; for a dangling name, a defined one.
        placement: the destination of the content of an unknown property; None for other problems.
        advice: the sentence of the vocabulary about this value of other systems, or ``""``.
        related: the paths of the places that explain it. For a duplicate, the first definition; for an unused name,
            the list of uses; for a dangling name, the definition of `meant`.
    """

    node: Node
    step: str | int
    problem: Problem
    rule: str
    got: object = ABSENT
    kind: Kind | None = None
    expected: str = ""
    allowed: tuple[str, ...] = ()
    scope: Scope | None = None
    meant: str = ""
    placement: Placement | None = None
    advice: str = ""
    related: tuple[Path, ...] = ()

    def __repr__(self) -> str:
        return f"Finding({format_path(self.path)!r}, {self.rule!r})"

    @property
    def path(self) -> Path:
        """The path (docs/decisions.md, section 2)."""
        return (*self.node.path, self.step)

    @property
    def code(self) -> str:
        """The error code of section 7.2."""
        return RULES[self.rule].code

    @property
    def shape(self) -> Shape | None:
        """The shape of the object that has, or lacks, the property; None for elements of lists."""
        return self.node.shape

    @property
    def prop(self) -> Prop | None:
        """The declaration of the property; None for elements of lists and unknown properties."""
        if self.node.shape is None or not isinstance(self.step, str):
            return None
        return self.node.shape.props.get(self.step)
