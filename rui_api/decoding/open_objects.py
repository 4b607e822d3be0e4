"""Objects of open shapes with further properties: decoded as dictionaries, and brought into their normal form."""

from __future__ import annotations

from typing import Any

import msgspec

from rui_common.vocabulary.schema import Shape

SCALARS = frozenset({str, int, bool, type(None)})
"""Types that need no conversion for msgspec's encoder."""

Names = tuple[str, ...]

_MAX_ORDERS = 64
"""Number of cached orders. Columns of a document mostly have the same properties; the names may be long."""


class Orders(dict[Names, Names]):
    """The order of the normal form by the order in an object, or ``()`` if it stays as it is. It is a bounded cache.

    Args:
        shape: the shape, whose declared properties come first.
    """

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self._declared: Names = (*shape.props, *shape.suggested)

    def __missing__(self, names: Names) -> Names:
        """Compute the order of `names`."""
        first = [name for name in self._declared if name in names]
        order = (*first, *sorted({*names}.difference(first)))
        if len(self) >= _MAX_ORDERS:
            self.clear()
        self[names] = () if order == names else order
        return self[names]

    def normal_form(self, value: dict[str, object]) -> dict[str, object]:
        """Return a copy of an object that msgspec encodes as the normal form."""
        names = tuple(value)
        return {name: _sorted(value[name]) for name in self[names] or names}


def _sorted(value: object) -> Any:  # noqa: ANN401  a value for msgspec
    if isinstance(value, dict):
        return {name: _sorted(value[name]) for name in sorted(value)}
    if isinstance(value, list):
        return [_sorted(element) for element in value]
    if isinstance(value, float):
        return msgspec.Raw(repr(value).encode())  # msgspec writes exponents in another form
    return value
