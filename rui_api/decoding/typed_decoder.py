"""Decode and validate a body in one pass: JSON → the Structs of the vocabulary → normal form.

msgspec decodes JSON directly into Structs created from the vocabulary, and a generated function checks what types
cannot express. Most documents have only declared properties. Those with further ones in open objects are decoded
again, with dictionaries in place of the Structs of open shapes, which takes longer.

The decoder accepts valid documents only. All others go to the shared validator, which decides and words the errors; so
do valid ones that have, in open objects, integers near 2^53 and above, or more than `MAX_LEVELS` levels of nesting.
A differential test compares the two.
"""

from contextlib import suppress
from typing import NamedTuple

import msgspec

from rui_api.decoding.check_codegen import compile_struct_check
from rui_api.decoding.open_objects import nested_float
from rui_api.decoding.struct_types import StructTypes, UnsupportedError
from rui_common.hashing import content_hash, hash_of
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_common.vocabulary.schema import Vocabulary

_encode = msgspec.json.Encoder().encode
_encode_sorted = msgspec.json.Encoder(order="sorted").encode


class Decoded(NamedTuple):
    """A valid RUI."""

    root: object  # a value that msgspec encodes as the normal form
    has_further: bool  # whether its open objects may have further properties

    @property
    def rui(self) -> bytes:
        """The normal form as JSON in UTF-8, byte for byte as `to_json(normalize(value))`; encoded on each access."""
        return _encode(self.root)

    def content_hash(self) -> str:
        """Return the hash of the RFC 8785 form (docs/decisions.md, section 5)."""
        if self.has_further:  # its names and numbers may need the exact rules of RFC 8785
            return content_hash(msgspec.json.decode(self.rui))
        return hash_of(_encode_sorted(self.root))


class FastPath:
    """Decodes and validates bodies. What no Struct can represent, it leaves to the validator."""

    def __init__(self, vocabulary: Vocabulary = VOCABULARY) -> None:
        self._stages = []
        for has_further in (False, True):
            types = StructTypes(has_further=has_further)
            with suppress(UnsupportedError):
                decode = msgspec.json.Decoder(types.struct(vocabulary.root), float_hook=nested_float).decode
                self._stages.append((has_further, decode, compile_struct_check(vocabulary, types)))

    def read(self, body: bytes | bytearray) -> Decoded | None:
        """Return the RUI in `body`, or None if the validator has to decide."""
        for has_further, decode, check in self._stages:
            try:
                root = decode(body)
                is_valid = check(root)
            except msgspec.ValidationError:
                continue
            except (msgspec.MsgspecError, ValueError, RecursionError):  # bytes that are not UTF-8 raise ValueError
                return None
            if is_valid:
                return Decoded(root, has_further)
            return None
        return None
