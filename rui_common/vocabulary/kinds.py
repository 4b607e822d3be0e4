"""The kinds of value: one class each, with everything that depends on the kind."""

from __future__ import annotations

import re

from rui_common.cache import BoundedCache
from rui_common.vocabulary.schema import Kind

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from rui_common.vocabulary.schema import Shape, Symbol

_PREFIX_PATTERN = re.compile(r"\^([\w/ -]+)\[\\s\\S\]\*\$")
"""Patterns that only require a prefix."""


class AnyKind(Kind):
    """Any JSON value."""

    __slots__ = ()
    word = "any value"


class TextKind(Kind):
    """A string, optionally with a pattern and a maximum length.

    Attributes:
        pattern: regular expression for the whole string, in the syntax that Python and ECMA-262 share, or None.
        max_length: maximum number of characters, or None.
        rule: number of the rule that a malformed string breaks.
        form: description of the pattern, for the hint.
        matches: `re.fullmatch` of `pattern`, or None without a pattern.
        known: cached results of `fits`.
        start: the required prefix if `pattern` requires only that; a comparison is faster than the expression.
        portable: the pattern for JSON Schema, in which letters are ASCII only. It may accept more than `pattern`.
    """

    __slots__ = ("form", "is_free_text", "known", "matches", "max_length", "pattern", "portable", "rule", "start")
    word = "a string"

    def __init__(
        self,
        pattern: str | None = None,
        *,
        rule: str = "",
        form: str = "",
        max_length: int | None = None,
        portable: str | None = None,
    ) -> None:
        self.pattern = pattern
        self.portable = portable or pattern
        self.max_length = max_length
        self.rule = rule
        self.form = form
        self.is_free_text = pattern is None
        self.matches = re.compile(pattern).fullmatch if pattern else None
        self.known = BoundedCache(self.fits)
        prefix = _PREFIX_PATTERN.fullmatch(pattern) if pattern else None
        self.start = prefix[1] if prefix else ""

    def fits(self, text: str) -> bool:
        """Return whether the whole of `text` is well formed."""
        if self.max_length is not None and len(text) > self.max_length:
            return False
        return self.matches is None or self.matches(text) is not None


class EnumKind(Kind):
    """One of a few strings.

    Attributes:
        values: the strings, in the order of completion.
        rule: number of the rule that any other value breaks, regardless of its type.
        planned: strings of a later version, each with its description.
    """

    __slots__ = ("planned", "rule", "values")
    word = "a string"

    def __init__(self, values: tuple[str, ...], rule: str, planned: Mapping[str, str]) -> None:
        self.values = values
        self.rule = rule
        self.planned = planned


class ObjectKind(Kind):
    """An object of one shape."""

    __slots__ = ("inner_shapes", "shape")
    word = "an object"

    def __init__(self, shape: Shape) -> None:
        self.shape = shape
        self.inner_shapes = (shape,)


class NodeKind(Kind):
    """A node of one of several shapes, which its ``type`` selects.

    Attributes:
        shapes: the allowed shapes.
        types: the allowed shapes by ``type``.
        child: number of the rule that a node of another type, or a value that is no object, breaks.
        nested: rules for particular types, by type; they take precedence over `child`.
        at_type: whether a node of another type is reported at its ``type`` rather than at the node.
        defines: a symbol that the ``id`` of every node defines here, regardless of its type.
        example: a node from the example of the property, or None.
    """

    __slots__ = ("at_type", "child", "defines", "example", "inner_shapes", "nested", "shapes", "types")
    word = "an object"

    def __init__(
        self,
        *shapes: Shape,
        child: str,
        nested: Mapping[str, str] | None = None,
        at_type: bool = False,
        defines: Symbol | None = None,
    ) -> None:
        self.shapes = shapes
        self.inner_shapes = shapes
        self.types = {shape.name: shape for shape in shapes}
        self.child = child
        self.nested = nested or {}
        self.at_type = at_type
        self.defines = defines
        self.example: object = None


class ListKind(Kind):
    """An array of at least one element.

    Attributes:
        items: the kind of the elements.
        empty: number of the rule that an empty array breaks.
    """

    __slots__ = ("defines", "empty", "inner_shapes", "items")
    word = "an array"

    def __init__(self, items: Kind, *, empty: str) -> None:
        self.items = items
        self.inner_shapes = items.inner_shapes
        self.defines = items.defines
        self.empty = empty

    def set_example(self, example: object) -> None:
        """Pass the first element on."""
        if isinstance(self.items, NodeKind) and isinstance(example, list):
            self.items.example = next(iter(example), None)
