"""Operations on a document, as data: what is to happen at which path.

`rui_common.fixes.apply` turns them into edits of a text. Hints need neither a text nor edits. An operation that is
impossible in a text has no fix there.
"""

from typing import NamedTuple

from rui_common.syntax.paths import Path
from rui_common.vocabulary.schema import Kind, Shape, Symbol

NEW = object()
"""A value that depends on the document: a name in use, else a placeholder."""


class SetValue(NamedTuple):
    """Replace a value."""

    path: Path
    value: object  # or `NEW`


class Convert(NamedTuple):
    """Keep the content of a value and change its type.

    An array around an object is only safe if that has all required properties of an element; a new value never is.
    """

    path: Path
    kind: Kind
    may_replace: bool  # whether a value that cannot be converted is replaced by a new one, as it has no content


class WriteInFull(NamedTuple):
    """Write a short form in full (`rui_common.problems.short_forms`). Impossible if it has a syntax error."""

    path: Path
    kind: Kind


class RenameKey(NamedTuple):
    """Rename a property. Impossible for a key that occurs twice."""

    path: Path
    name: str


class RenameName(NamedTuple):
    """Rename a definition and its uses. The uses of a duplicate stay with the first definition.

    Impossible if the new name is malformed or defined. Not safe if the old one is defined twice.
    """

    path: Path
    new: str


class RenameToFree(NamedTuple):
    """Rename a definition, as `RenameName` does, to a name that is not defined, such as ``note-2``."""

    path: Path
    symbol: Symbol
    like: str


class RenameCopy(NamedTuple):
    """Rename all repeated names in the copy that contains one of them: a node with at least two.

    Only safe if the node differs from its original, and no name or reference may be meant for another one.
    """

    path: Path  # the path of that name
    symbol: Symbol


class Remove(NamedTuple):
    """Remove a property. Impossible for a key that occurs twice."""

    path: Path


class RemoveElement(NamedTuple):
    """Remove an element. Impossible if the list needs it, or if a name becomes dangling or unused."""

    path: Path


class Insert(NamedTuple):
    """Add properties to an object: those for which there is a value. Impossible if there is none."""

    path: Path  # the path of the object
    values: dict[str, object]  # by name; a name in use, or a placeholder, in place of `NEW`
    shape: Shape | None = None  # the shape of the object: the properties have its order


class Append(NamedTuple):
    """Add elements to a list. Impossible if it has no room for them."""

    path: Path
    values: tuple[dict[str, object], ...]


class AppendNew(NamedTuple):
    """Add objects of a shape to a list: with given properties, and new values of the other required ones.

    Impossible if the list has no room for them, or if a given name is defined.
    """

    path: Path
    shape: Shape
    values: dict[str, object]
    number: int = 1  # the number of objects


class Move(NamedTuple):
    """Move a property into another object. An object in the root is made if it is absent.

    Impossible for a key that occurs twice.
    """

    path: Path
    to: Path
    name: str
    is_open: bool = False  # whether the object may contain anything, so that the name may get a number


class KeepOnly(NamedTuple):
    """Keep a document, and remove everything around it."""

    path: Path
    text: str | None = None  # its text if it is in a string; None if it is the value at the path
    place: str = ""  # what the place is called


class Unquote(NamedTuple):
    """Write the JSON in a string without its quotes and escapes. Impossible for a key that occurs twice."""

    path: Path
    is_element: bool = False  # whether it is the only element of the array that is expected


class Enclose(NamedTuple):
    """Make a new document around a node, or the nodes of an array, and remove what is around them.

    Impossible if the text has a syntax error.
    """

    containers: tuple[tuple[Shape, str], ...]  # the shapes around the nodes, the root first, each with its list
    path: Path = ()  # the path of the node or array


class Wrap(NamedTuple):
    """Put a node into a new one of a shape, if necessary with further nodes in between.

    Impossible if it has a syntax error, or if the shape cannot contain it.
    """

    path: Path
    kind: Kind
    shape: Shape
    as_type: str = ""  # the type that the node gets, if it has none of this version


class MoveOut(NamedTuple):
    """Move a node after the nearest enclosing one whose list allows it.

    Impossible if there is none, or if there is a syntax error in that one.
    """

    path: Path
    as_type: str = ""  # the type that the node gets, if it has none of this version


Operation = (
    SetValue | Convert | WriteInFull | RenameKey | RenameName | RenameToFree | RenameCopy | Remove | RemoveElement
    | Insert | Append | AppendNew | Move | Wrap | MoveOut | KeepOnly | Unquote | Enclose
)  # fmt: skip
