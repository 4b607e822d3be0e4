"""The stored spec that a document replaces (``meta.replaces``), and the document without it.

The property says where a version belongs, and nothing about the app: two versions that differ in it alone are the same.
"""

from rui_common.hashing import content_hash
from rui_common.json_values import JsonObject, as_object
from rui_common.syntax.paths import text_at
from rui_common.vocabulary.queries import path_with_role
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_common.vocabulary.schema import Role

REPLACES_PATH = path_with_role(VOCABULARY, Role.REPLACES)  # ``meta.replaces``
_OUTER, _NAME = REPLACES_PATH


def replaced_id_of(value: object) -> str:
    """Return the id of the spec that a document replaces; ``""`` if it has none."""
    return text_at(value, _OUTER, _NAME)


def without_replaced_id(value: object) -> object:
    """Return a document without the property, whatever its value is."""
    outer = as_object(as_object(value).get(_OUTER))
    if _NAME not in outer:
        return value
    return {**as_object(value), _OUTER: {name: inner for name, inner in outer.items() if name != _NAME}}


def with_replaced_id(value: JsonObject, replaced_id: str) -> JsonObject:
    return {**value, _OUTER: {**as_object(value.get(_OUTER)), _NAME: replaced_id}}


def version_hash(value: object) -> str:
    """Return the `contentHash` of a document without the property, valid or not; ``""`` if it has no hash.

    A document that lacks `meta` has the hash of one with an empty `meta`: to store it, its author adds that.
    """
    if isinstance(value, dict):
        value = {_OUTER: {}, **value}
    return hash_if_any(without_replaced_id(value))


def hash_if_any(value: object) -> str:
    """Return the `contentHash` of a value; ``""`` for one with half a surrogate pair, or a number that is too large."""
    try:
        return content_hash(value)
    except (UnicodeEncodeError, OverflowError):
        return ""
