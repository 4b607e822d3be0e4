"""Accessors for JSON values of unknown type, and their equality."""

import json

JsonObject = dict[str, object]

as_json = json.JSONEncoder(ensure_ascii=False).encode


def as_object(value: object) -> JsonObject:
    """Return `value` if it is an object, else an empty object."""
    return value if isinstance(value, dict) else {}


def as_list(value: object) -> list[object]:
    """Return `value` if it is an array, else an empty array."""
    return value if isinstance(value, list) else []


def is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


_encode = json.JSONEncoder(sort_keys=True).encode


def is_same_json(left: object, right: object) -> bool:
    """Return whether two values are equal JSON: 1, 1.0 and true differ, and properties have no order."""
    if left is right:
        return True
    if type(left) is not type(right):
        return False
    if not isinstance(left, dict | list):
        return left == right
    return _encode(left) == _encode(right)
