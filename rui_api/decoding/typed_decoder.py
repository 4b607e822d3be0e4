"""Decode and validate a body in one pass: JSON → the Structs of the vocabulary → normal form.

msgspec decodes JSON directly into Structs created from the vocabulary, and a generated function checks what types
cannot express.

The decoder accepts valid documents with declared properties alone, as most are. All others go to the shared validator,
which decides and words the errors; so do valid ones whose open objects have further properties. A differential test
compares the two.
"""

from collections.abc import Callable
from contextlib import suppress
from typing import NamedTuple

import msgspec

from rui_api.decoding.check_codegen import compile_struct_check
from rui_api.decoding.struct_types import StructTypes, UnsupportedError
from rui_common.hashing import hash_of
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_common.vocabulary.schema import Vocabulary

_encode = msgspec.json.Encoder().encode
_encode_sorted = msgspec.json.Encoder(order="sorted").encode


class Decoded(NamedTuple):
    """A valid RUI."""

    root: object  # a value that msgspec encodes as the normal form

    @property
    def rui(self) -> bytes:
        """The normal form as JSON in UTF-8, byte for byte as `to_json(normalize(value))`; encoded on each access."""
        return _encode(self.root)

    def content_hash(self) -> str:
        """Return the hash of the RFC 8785 form (docs/decisions.md, section 5)."""
        return hash_of(_encode_sorted(self.root))


class FastPath:
    """Decodes and validates bodies. What no Struct can represent, it leaves to the validator."""

    def __init__(self, vocabulary: Vocabulary = VOCABULARY) -> None:
        types = StructTypes()
        self._decode: Callable[[bytes | bytearray], object] | None = None
        with suppress(UnsupportedError):
            self._decode = msgspec.json.Decoder(types.struct(vocabulary.root)).decode
            self._check = compile_struct_check(vocabulary, types)

    def read(self, body: bytes | bytearray) -> Decoded | None:
        """Return the RUI in `body`, or None if the validator has to decide."""
        if self._decode is None:
            return None
        try:
            root = self._decode(body)
        except (msgspec.MsgspecError, ValueError, RecursionError):  # bytes that are not UTF-8 raise ValueError
            return None
        return Decoded(root) if self._check(root) else None
