"""Objects of open shapes with further properties: decoded as dictionaries, and brought into their normal form."""

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from math import isinf

import msgspec

from rui_common.syntax.reader import is_too_deep
from rui_common.vocabulary.schema import Shape

MAX_EXACT_INTEGER = 2**53
"""Up to here a double represents every integer, so that all readers and RFC 8785 agree on its digits."""

MAX_LEVELS = 240
"""Levels of nesting in an open object. It is less than what the validator accepts at any place of a document."""

_UNCHANGED = frozenset({str, int, bool, type(None)})  # types of values that msgspec writes as the normal form does

_LARGE_INTEGER = re.compile(rb"(?<![.0-9])(9[0-9]{15}|[0-9]{17})")
"""Integers that may be larger than `MAX_EXACT_INTEGER`. It also finds texts with such digits."""

_encode_sorted = msgspec.json.Encoder(order="sorted").encode

Names = tuple[str, ...]


def normalizer_of(shape: Shape) -> Callable[[Sequence[dict[str, object]]], None]:
    """Return a function that changes objects of an open shape so that msgspec encodes them as the normal form.

    It raises ValueError if the validator has to decide: integers may be too large, or values are nested too deeply.
    """
    declared = (*shape.props, *shape.suggested)

    @lru_cache(64)  # columns of a document mostly have the same properties
    def order_of(names: Names) -> Names:
        """Return the order of the normal form, or ``()`` if it is that of the object."""
        first = [name for name in declared if name in names]
        order = (*first, *sorted({*names}.difference(first)))
        return () if order == names else order

    def normalize(objects: Sequence[dict[str, object]]) -> None:
        for value in objects:
            order = order_of(tuple(value))
            if not order and _UNCHANGED.issuperset(map(type, value.values())):
                continue
            items = [(name, value[name]) for name in order or tuple(value)]
            value.clear()
            for name, member in items:
                value[name] = member if type(member) in _UNCHANGED else _encoded(member)

    return normalize


def _encoded(value: object) -> msgspec.Raw:
    """Return the JSON of a value: names sorted at every depth, and numbers as Python writes them."""
    if isinstance(value, float):
        return msgspec.Raw(repr(value).encode())  # msgspec writes exponents in another form
    text = _encode_sorted(value)
    if _LARGE_INTEGER.search(text) or (len(text) > 2 * MAX_LEVELS and is_too_deep(value, MAX_LEVELS)):
        raise ValueError("a large integer, or too many levels of nesting")
    return msgspec.Raw(text)


def nested_float(literal: str) -> msgspec.Raw:
    """Return a number that is nested in an open object as Python writes it. Raises ValueError if it is too large."""
    value = float(literal)
    if isinf(value):
        raise ValueError("a number that no double represents")
    return msgspec.Raw(repr(value).encode())
