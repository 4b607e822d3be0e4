"""Every kind of value in the typed decoder."""

import json

from rui_api.decoding.typed_decoder import FastPath
from rui_common.vocabulary.schema import Kind
from tests.rui_common.vocabulary.kind_examples import (
    EVERY_KIND,
    vocabulary_of,
    wrong_types,
)


@EVERY_KIND
def test_decoder(kind: Kind, valid: list[object], invalid: list[object]) -> None:
    decoder = FastPath(vocabulary_of(kind))
    for value in valid:
        assert decoder.read(json.dumps({"value": value}).encode()) is not None, value
    for value in (*invalid, *wrong_types(kind)):
        assert decoder.read(json.dumps({"value": value}).encode()) is None, value
