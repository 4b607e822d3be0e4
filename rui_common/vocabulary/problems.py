"""What can be wrong with a value or a name."""

from __future__ import annotations

from enum import Enum, auto


class Problem(Enum):
    """A kind of problem. The rule that it breaks depends on the place, and is part of the declarations."""

    ABSENT = auto()
    """A required property is absent."""
    UNKNOWN = auto()
    """A property is not registered."""
    WRONG_TYPE = auto()
    """A value has another JSON type."""
    MALFORMED = auto()
    """A string does not have the form of its kind."""
    NOT_ALLOWED = auto()
    """A value is none of the few that are allowed."""
    EMPTY = auto()
    """An array has no element."""
    UNTYPED = auto()
    """A node has no ``type``."""
    UNKNOWN_TYPE = auto()
    """The ``type`` of a node is not registered."""
    MISPLACED = auto()
    """A node is not allowed in its list."""
    PLANNED = auto()
    """A node or an object belongs to a later version."""
    DUPLICATE = auto()
    """A name is defined a second time in its scope."""
    DANGLING = auto()
    """A name is used and not defined."""
    UNUSED = auto()
    """A name is defined and not used, and must be."""
