"""Objects of open shapes with further properties, decoded as dictionaries: their normal and their canonical form."""

from __future__ import annotations

import json

import msgspec

from rui_common.hashing import canonical_json
from rui_common.vocabulary.schema import Shape

EXACT_TYPES = frozenset({str, int, bool, type(None)})
"""Types of scalars that msgspec encodes as RFC 8785 requires. The decoder refuses integers above 2^53."""

Names = tuple[str, ...]

_MAX_ORDERS = 64
"""Number of cached orders. Columns of a document mostly have the same properties; the names may be long."""
_FIXED_FROM = 1e-4
_FIXED_TO = 1e15
"""Between these sizes, all encoders write fractions without exponent."""

_to_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


class Canonical:
    """An object that msgspec does not encode as RFC 8785 requires, because of its numbers.

    Attributes:
        value: the object in normal form.
    """

    __slots__ = ("value",)

    def __init__(self, value: dict[str, object]) -> None:
        self.value = value


class UnusualNameError(ValueError):
    """A name has characters that UTF-16 units sort in another order than code points."""


class Orders(dict[Names, Names]):
    """The order of the normal form by the order in an object, or ``()`` if it stays as it is. It is a bounded cache.

    Args:
        shape: the shape, whose declared properties come first; None for objects without declaration.
    """

    def __init__(self, shape: Shape | None = None) -> None:
        super().__init__()
        self._declared: Names = (*shape.props, *shape.suggested) if shape is not None else ()

    def __missing__(self, names: Names) -> Names:
        """Compute the order of `names`.

        Raises:
            UnusualNameError: RFC 8785 may sort the names in another order than msgspec.
        """
        if max("".join(names), default="") > "\uffff":
            raise UnusualNameError
        first = tuple(name for name in self._declared if name in names)
        order = (*first, *sorted({*names}.difference(first)))
        if len(self) >= _MAX_ORDERS:
            self.clear()
        self[names] = () if order == names else order
        return self[names]


_SORTED = Orders()


class _Copy:
    """Copies values with the properties of all objects sorted by code point.

    Attributes:
        is_canonical: whether msgspec encodes the copies as RFC 8785 requires.
    """

    __slots__ = ("is_canonical",)

    def __init__(self) -> None:
        self.is_canonical = True

    def complete(self, value: dict[str, object], order: Names) -> dict[str, object]:
        """Return the copy of an object; `order` is the entry of its names in `Orders`."""
        copy = value
        if order:
            copy = {name: value[name] for name in order}
        if not EXACT_TYPES.issuperset(map(type, value.values())):
            for name, element in copy.items():
                if type(element) not in EXACT_TYPES:
                    copy[name] = self._value(element)
        return copy

    def _value(self, value: object) -> object:
        if isinstance(value, dict):
            return self.complete(value, _SORTED[tuple(value)])
        if isinstance(value, list):
            if EXACT_TYPES.issuperset(map(type, value)):
                return value
            return [self._value(element) for element in value]
        if isinstance(value, float) and (value.is_integer() or not _FIXED_FROM <= abs(value) < _FIXED_TO):
            self.is_canonical = False
        return value


def complete_object(orders: Orders, value: dict[str, object]) -> dict[str, object] | Canonical:
    """Return the normal form of an object. The values of its registered properties are scalars.

    Raises:
        UnusualNameError: see `Orders`.
    """
    order = orders[tuple(value)]
    if EXACT_TYPES.issuperset(map(type, value.values())):
        return {name: value[name] for name in order} if order else value
    copy = _Copy()
    ordered = copy.complete(value, order)
    return ordered if copy.is_canonical else Canonical(ordered)


def encode_normal(value: object) -> msgspec.Raw:
    """Return the JSON of a `Canonical`: a hook for msgspec's encoder of the normal form."""
    assert isinstance(value, Canonical)  # noqa: S101  there is no other value
    return msgspec.Raw(_to_json(value.value).encode())


def encode_canonical(value: object) -> msgspec.Raw:
    """Return the RFC 8785 form of a `Canonical`: a hook for msgspec's encoder of the canonical form."""
    assert isinstance(value, Canonical)  # noqa: S101  there is no other value
    return msgspec.Raw(canonical_json(value.value))
