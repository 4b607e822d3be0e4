"""JSON: lsprotocol's types from it and to it."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from enum import Enum
from functools import cache
from typing import Any, get_args, get_origin

from cattrs import Converter
from pygls.protocol import default_converter

_SURROGATE = re.compile("[\ud800-\udfff]")


class EncodedJson(bytes):
    """A JSON value in UTF-8, as `encode` writes it."""

    __slots__ = ()


def encode(value: object) -> EncodedJson:
    """A value of plain data or of lsprotocol's types as JSON.

    Lone surrogates, which a message may quote from a document, cannot be written in UTF-8: they become U+FFFD.
    """
    text = json.dumps(converter().unstructure(value), ensure_ascii=False, separators=(",", ":"))
    return _to_utf8(text)


def encode_data(value: object) -> EncodedJson:
    """`encode` for plain data; saves the conversion, which takes longer than the encoding."""
    return _to_utf8(json.dumps(value, ensure_ascii=False, separators=(",", ":")))


def _to_utf8(text: str) -> EncodedJson:
    try:
        return EncodedJson(text.encode("utf-8"))
    except UnicodeEncodeError:
        return EncodedJson(_SURROGATE.sub("\ufffd", text).encode("utf-8"))


@cache
def converter() -> Converter:
    """The converter of pygls, but strict: by default it takes ``5`` for a string and ``true`` for a number."""
    strict: Converter = default_converter()  # type: ignore[no-untyped-call]
    for primitive in (str, int):
        strict.register_structure_hook(primitive, _structure_primitive)
    strict.register_structure_hook_func(_is_sequence, lambda value, kind: _structure_sequence(value, kind, strict))
    return strict


def _is_sequence(kind: Any) -> bool:  # noqa: ANN401  a type
    return get_origin(kind) is Sequence


def _structure_primitive(value: Any, kind: type) -> Any:  # noqa: ANN401  a hook of cattrs
    if issubclass(kind, Enum):  # cattrs calls the hook for subclasses, too.
        return kind(value)
    if type(value) is kind:
        return value
    raise TypeError(f"{value!r:.80} is not of type {kind.__name__}")


def _structure_sequence(value: Any, kind: Any, strict: Converter) -> list[Any]:  # noqa: ANN401  a hook of cattrs
    if not isinstance(value, list):
        raise TypeError(f"{value!r:.80} is no array")
    [item_kind] = get_args(kind)
    return [strict.structure(item, item_kind) for item in value]
