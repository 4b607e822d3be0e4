"""What can be wrong with a value or a name."""

from enum import Enum, auto


class Problem(Enum):
    """A kind of problem. The rule that it breaks depends on the place, and is part of the declarations."""

    ABSENT = auto()  # a required property is absent
    UNKNOWN = auto()  # a property is not registered
    WRONG_TYPE = auto()  # a value has another JSON type
    MALFORMED = auto()  # a string does not have the form of its kind
    NOT_ALLOWED = auto()  # a value is none of the few that are allowed
    EMPTY = auto()  # an array has no element
    UNTYPED = auto()  # a node has no ``type``
    UNKNOWN_TYPE = auto()  # the ``type`` of a node is not registered
    MISPLACED = auto()  # a node is not allowed in its list
    PLANNED = auto()  # a node or an object belongs to a later version
    DUPLICATE = auto()  # a name is defined a second time in its scope
    DANGLING = auto()  # a name is used and not defined
    UNUSED = auto()  # a name is defined and not used, and must be
