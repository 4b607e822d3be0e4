"""A cache of results per object, for as long as the object exists."""

from __future__ import annotations

from functools import wraps
from weakref import WeakKeyDictionary

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    Key = TypeVar("Key")
    Result = TypeVar("Result")


def weak_cache(function: Callable[[Key], Result]) -> Callable[[Key], Result]:
    """Decorator: call `function` once per argument. A result is dropped together with its argument."""
    results: WeakKeyDictionary[Key, Result] = WeakKeyDictionary()

    @wraps(function)
    def cached(key: Key) -> Result:
        if key not in results:
            results[key] = function(key)
        return results[key]

    return cached
