"""Decode and validate a body in one pass: JSON → the Structs of the vocabulary → normal form.

msgspec decodes JSON directly into Structs created from the vocabulary, and a generated function checks what types
cannot express. The decoder only ever accepts valid documents. It refuses invalid ones, and valid ones that it cannot
decode, such as those with properties of the author in open objects; these go to the shared validator, which decides
and words the errors. A differential test compares the two.
"""

from __future__ import annotations

import msgspec

from rui_api.decoding.check_codegen import compile_struct_check
from rui_api.decoding.json_values import REFUSALS
from rui_api.decoding.struct_types import StructTypes
from rui_common.hashing import hash_of
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_common.vocabulary.schema import Vocabulary

_normal = msgspec.json.Encoder()
_sorted = msgspec.json.Encoder(order="sorted")


class Decoded:
    """A valid RUI.

    Attributes:
        root: msgspec encodes it as the normal form.
    """

    __slots__ = ("root",)

    def __init__(self, root: object) -> None:
        self.root = root

    @property
    def rui(self) -> bytes:
        """The normal form as JSON in UTF-8, byte for byte as `to_json(normalize(value))`; encoded on each access."""
        return _normal.encode(self.root)

    def content_hash(self) -> str:
        """Return the hash. The document has no numbers that RFC 8785 formats differently, and only ASCII names."""
        return hash_of(_sorted.encode(self.root))


class FastPath:
    """Decodes and validates bodies.

    Raises:
        UnsupportedVocabularyError: the vocabulary contains a declaration that no Struct can represent.
    """

    def __init__(self, vocabulary: Vocabulary = VOCABULARY) -> None:
        types = StructTypes()
        self._decode = msgspec.json.Decoder(types.struct(vocabulary.root)).decode
        self._check = compile_struct_check(vocabulary, types)

    def read(self, body: bytes | bytearray) -> Decoded | None:
        """Return the RUI in `body`, or None if the validator has to decide."""
        try:
            root = self._decode(body)
        except REFUSALS:
            return None
        return Decoded(root) if self._check(root) else None
