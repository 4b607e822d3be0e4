"""A finding: a problem at a path. `rui_common.validation.wording` words its message and hint."""

from enum import Enum, auto
from typing import NamedTuple

from rui_common.nodes.names import Scope
from rui_common.nodes.node import Node
from rui_common.syntax.paths import Path, format_path
from rui_common.vocabulary.problems import Problem
from rui_common.vocabulary.rules import RULES
from rui_common.vocabulary.schema import Kind, Prop, Shape

ABSENT = object()  # the value of a property that is absent


class Place(Enum):
    """The destination of the content of an unknown property."""

    NOTHING = auto()  # it has no content
    UNPLACED = auto()  # RUI has no place for it
    DOCUMENT = auto()  # it is the document
    TOP_LEVEL = auto()  # it belongs in the property of the root with the same name
    PROPERTY = auto()  # it belongs in a certain property of the object
    PART_OF_TEXT = auto()  # it is part of a text of the object, as a unit is part of a label
    ABSENT_PROPERTIES = auto()  # it may belong in one of the absent properties
    ELSEWHERE = auto()  # no property of the object may have it


class Placement(NamedTuple):
    """A place, and the names of the properties there.

    `PROPERTY` has the name of the property, and that of the part of it that is meant, if it is an object.
    `UNPLACED` and `ELSEWHERE` have the name of the object in the root that may contain anything, if the content may be
    moved there. Of `ELSEWHERE`, that is a single word: no page shows it there.
    """

    place: Place
    names: tuple[str, ...] = ()


class Finding(NamedTuple):
    """One violation of a rule at one path."""

    node: Node  # the object or array around the fault
    step: str | int  # the key or index of the fault in `node`
    problem: Problem
    rule: str  # the number of the rule, such as ``R7b``
    got: object = ABSENT  # the value there, or `ABSENT`; for a node of a wrong type that type
    kind: Kind | None = None  # the kind of value that is expected; None for unknown properties
    expected: str = ""  # a description of valid values, such as ``a string``, or ``""``
    # the values, names or types that are allowed; for an unknown property, the absent ones of its object
    allowed: tuple[str, ...] = ()
    scope: Scope | None = None  # the names that a name at this place is one of, or None
    # what the author probably meant, or ``""``. For an unknown property, an absent one; for an absent property, an
    # unknown one; for a dangling name, a defined one.
    meant: str = ""
    placement: Placement | None = None  # the destination of the content of an unknown property; None for other problems
    advice: str = ""  # the sentence of the vocabulary about this value of other systems, or ``""``
    # the paths of the places that explain it. For a duplicate, the first definition; for an unused name, the list of
    # uses; for a dangling name, the definition of `meant`.
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
        return self.node.prop_of(self.step)
