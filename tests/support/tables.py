"""Rows of tests with several parameters that do not depend on each other."""

from collections.abc import Iterable
from typing import Any


def without_cross(*parameters: Iterable[Any]) -> list[tuple[Any, ...]]:
    """Return rows in which each value of each parameter occurs, as many as the longest parameter has values."""
    columns = [list(values) for values in parameters]
    return [tuple(column[row % len(column)] for column in columns) for row in range(max(map(len, columns)))]
