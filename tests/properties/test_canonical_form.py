"""The normal form, canonical JSON and hash of generated documents and values."""

import json
import math
import random
import struct
from typing import Any

import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from rui_common.editing.normal_form import normalize
from rui_common.hashing import canonical_json, content_hash
from rui_common.validation.analysis import validate
from tests.support.strategies import json_values, mutants, randoms, shuffle_keys

Json = Any
EXACT = 2**53 - 1
"""The largest integer that the peer accepts."""


def written(value: Json) -> str:
    """Return a value as JSON text, which shows the order of its keys."""
    return json.dumps(value)


def without_order(value: Json) -> str:
    """Return a comparable value that ignores the order of keys and distinguishes 1, 1.0 and true."""
    return json.dumps(value, sort_keys=True)


@given(mutants, randoms)
def test_normalizing_orders_keys_and_changes_nothing_else(document: Json, chance: random.Random) -> None:
    before = written(document)
    normal = normalize(validate(document).tree)
    shuffled = shuffle_keys(document, chance)
    assert without_order(normal) == without_order(document)
    assert written(normalize(validate(normal).tree)) == written(normalize(validate(shuffled).tree)) == written(normal)
    assert content_hash(document) == content_hash(normal) == content_hash(shuffled)
    assert written(document) == before


def test_the_examples_of_rfc_8785() -> None:
    """Keys in the order of UTF-16 code units, and numbers next to the limits of fixed notation."""
    keys = ["\r", "1", "\u0080", "\u00f6", "\u20ac", "\U0001f600", "\ufb33"]
    numbers = [1e20, 1e21, 123456789012345680000, 1e-6, 1e-7, 0.0000015, 1.5e-7, -0.0, 100.0]
    value = {"keys": dict.fromkeys(reversed(keys), 0), "numbers": numbers}
    ordered = ",".join(json.dumps(key, ensure_ascii=False) + ":0" for key in keys)
    written = "100000000000000000000,1e+21,123456789012345680000,0.000001,1e-7,0.0000015,1.5e-7,0,100"
    assert canonical_json(value).decode() == f'{{"keys":{{{ordered}}},"numbers":[{written}]}}'


def representable(value: Json) -> Json:
    """Return the value with doubles instead of the integers that the peer does not accept."""
    if isinstance(value, dict):
        return {name: representable(below) for name, below in value.items()}
    if isinstance(value, list):
        return [representable(below) for below in value]
    return float(value) if isinstance(value, int) and abs(value) > EXACT else value


@given(json_values)
def test_canonical_json_is_that_of_the_rfc(value: Json) -> None:
    assert canonical_json(value) == rfc8785.dumps(representable(value))


@given(st.integers(-(10**308), 10**308))
def test_large_integers_are_written_as_their_double(number: int) -> None:
    assert canonical_json(number) == rfc8785.dumps(float(number))


@given(st.integers(0, 2**64 - 1))
def test_every_double_is_written_as_the_rfc_says(bits: int) -> None:
    (number,) = struct.unpack("<d", bits.to_bytes(8, "little"))
    if math.isfinite(number):
        assert canonical_json(number) == rfc8785.dumps(number)
        assert float(canonical_json(number)) == number
