"""Decode and validate a body in one pass: JSON → the Structs of the vocabulary → normal form.

msgspec decodes JSON directly into Structs created from the vocabulary, and a generated function checks what types
cannot express. Most documents have only declared properties. Those with further ones in open objects are decoded
again, with dictionaries in place of the Structs of open shapes, which takes longer.

The decoder accepts valid documents only. All others go to the shared validator, which decides and words the errors; so
do valid ones that have, in open objects, integers above 2^53, names with characters above U+FFFF, or more than
`MAX_LEVELS` levels of nesting. A differential test compares the two.
"""

from __future__ import annotations

import msgspec

from rui_api.decoding.check_codegen import compile_struct_check
from rui_api.decoding.json_values import REFUSALS
from rui_api.decoding.open_objects import encode_canonical, encode_normal
from rui_api.decoding.struct_types import StructTypes
from rui_common.hashing import hash_of
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_common.vocabulary.schema import Vocabulary

_normal = msgspec.json.Encoder(enc_hook=encode_normal)
_sorted = msgspec.json.Encoder(order="sorted", enc_hook=encode_canonical)


class Decoded:
    """A valid RUI.

    Attributes:
        root: `encode_normal` is the hook to encode it as the normal form.
    """

    __slots__ = ("root",)

    def __init__(self, root: object) -> None:
        self.root = root

    @property
    def rui(self) -> bytes:
        """The normal form as JSON in UTF-8, byte for byte as `to_json(normalize(value))`; encoded on each access."""
        return _normal.encode(self.root)

    def content_hash(self) -> str:
        """Return the hash of the RFC 8785 form (docs/decisions.md, section 5)."""
        return hash_of(_sorted.encode(self.root))


class FastPath:
    """Decodes and validates bodies.

    Raises:
        UnsupportedVocabularyError: the vocabulary contains a declaration that no Struct can represent.
    """

    def __init__(self, vocabulary: Vocabulary = VOCABULARY) -> None:
        self._stages = [_Stage(vocabulary, has_further=has_further) for has_further in (False, True)]

    def read(self, body: bytes | bytearray) -> Decoded | None:
        """Return the RUI in `body`, or None if the validator has to decide."""
        for stage in self._stages:
            try:
                root = stage.decode(body)
                return Decoded(root) if stage.check(root) else None
            except msgspec.ValidationError:
                continue
            except REFUSALS:
                return None
        return None


class _Stage:
    """A decoder and its check.

    Args:
        vocabulary: the vocabulary.
        has_further: whether objects of open shapes may have further properties.
    """

    def __init__(self, vocabulary: Vocabulary, *, has_further: bool) -> None:
        types = StructTypes(has_further=has_further)
        self.decode = msgspec.json.Decoder(types.struct(vocabulary.root)).decode
        self.check = compile_struct_check(vocabulary, types)
