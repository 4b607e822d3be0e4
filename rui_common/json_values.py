"""Accessors for JSON values of unknown type."""

from __future__ import annotations

JsonObject = dict[str, object]


def as_object(value: object) -> JsonObject:
    """Return `value` if it is an object, else an empty object."""
    if isinstance(value, dict):
        return value
    return {}


def as_list(value: object) -> list[object]:
    """Return `value` if it is an array, else an empty array."""
    if isinstance(value, list):
        return value
    return []
