"""A suggestion: what can be done about a problem, in words for its hint, as operations for a fix, or both."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from rui_common.nodes.node import Node
from rui_common.problems.operations import Operation, RemoveElement, SetValue
from rui_common.problems.words import listed, quoted, shown, titled
from rui_common.syntax.paths import Path
from rui_common.vocabulary.schema import Shape

MAX_CHOICES = 5  # maximum number of fixes of one kind, such as one for each allowed value


class Sentence(NamedTuple):
    """A part of a hint."""

    text: str
    once: bool = False  # whether an answer contains it in one hint only
    in_signature: bool = False  # whether the signature of the object around the problem contains the same
    again: str = ""  # what later hints of an answer have in its place, if it is in one hint only


GIST = Sentence("")
"""The sentence of a suggestion that the opening of the hint has made already: its fix is one that the hint mentions."""


class Suggestion(NamedTuple):
    """What can be done about a problem, or a fact that helps to decide it."""

    sentence: Sentence | None = None  # None if the hint does not mention it
    operations: tuple[Operation, ...] = ()  # the fix; empty if only the author can do it
    title: str = ""  # the title of the fix; ``""`` for that of its only operation
    # whether it may be applied without review. Its fix is not safe all the same if the text is no RUI
    # (`rui_common.fixes.quick_fixes.may_be_edited`), or if the docstring of an operation says so.
    is_safe: bool = False
    discards: bool = False  # whether text or objects of the author are lost: a fix that is only offered after others
    is_enough: bool = False  # whether the hint needs no signatures, as a whole document is elsewhere


def fact(text: str, *, once: bool = False, in_signature: bool = False) -> Suggestion:
    """Return a sentence of the hint that has no fix."""
    return Suggestion(Sentence(text, once, in_signature))


def fix(*operations: Operation, title: str = "", is_safe: bool = False, discards: bool = False) -> Suggestion:
    """Return a fix that the hint does not mention."""
    return Suggestion(None, operations, title, is_safe, discards)


def did_you_mean(got: object, meant: str | int, *operations: Operation, is_safe: bool = False) -> Suggestion:
    """Return the suggestion to use a name or value in place of another one."""
    sentence = Sentence(f"Got {shown(got)}; did you mean {quoted(str(meant))}?")
    return Suggestion(sentence, operations, is_safe=is_safe)


def other_values(path: Path, got: object, values: Iterable[str]) -> Iterator[Suggestion]:
    """Yield the fixes that set each of the allowed values."""
    for value in values:
        yield fix(SetValue(path, value), title=f"Use {titled(value)} instead of {titled(got)}")


def remove_element(path: Path, value: object, node: Node | None = None) -> Suggestion:
    """Return the fix that removes an element; `node` is that of a declared object or array."""
    name = titled(value)
    if node is not None:
        name = node.description
    elif isinstance(value, dict | list):
        name = f"element {int(path[-1]) + 1}"
    discards = isinstance(value, dict | list | str) and bool(value)
    return fix(RemoveElement(path), title=f"Remove {name}", is_safe=value is None, discards=discards)


def keys_of(shape: Shape) -> Sentence:
    """Return the properties that an object may have."""
    keys = listed([prop.name for prop in shape.all_props])
    if shape.open:
        keys += ", …"
    return Sentence(f"Keys of {shape.name}: {keys}.", once=True, in_signature=True)
