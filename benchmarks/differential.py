"""The fast path of the service against the shared validator, on bodies of every kind: do they ever disagree?

`python -m benchmarks differential` runs a million cases; with `--cases 10000000 --seed 7` as many as are wanted. Its
limit is 0: bodies that the fast path takes and the validator does not, and normal forms or hashes that are not the
same byte for byte.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Sequence
from itertools import islice
from typing import TYPE_CHECKING

from msgspec import UNSET

from benchmarks.odd_bodies import bodies
from rui_api.decoding.typed_decoder import FastPath, value_of
from rui_api.http.responses import to_json
from rui_common.editing.normal_form import normalize
from rui_common.hashing import content_hash
from rui_common.syntax.document import read
from rui_common.validation.run import validate
from rui_common.vocabulary.rui_0_1 import VOCABULARY

if TYPE_CHECKING:
    from rui_common.vocabulary.schema import Vocabulary

CASES = 1_000_000
DAMAGED = 15
"""So many bodies with damaged bytes come behind each that was written: they cost little, and find what is rare."""


def disagreement(given: bytes, fast_path: FastPath, vocabulary: Vocabulary = VOCABULARY) -> tuple[str, int]:
    """Ask every reader of the fast path about a body, and the validator about what they take.

    Returns:
        What they disagree about, or ``""``; and how many of the readers took it.
    """
    value = value_of(given)
    if value is not UNSET:
        document = read(given)
        if not document.valid or repr(value) != repr(document.value):
            return "the reader reads another value, or none", 0
    taken = [plain for reader in fast_path.readers if (plain := reader.read(given)) is not None]
    if not taken:
        return "", 0
    document = read(given)
    if not document.valid or not isinstance(document.value, dict):
        return "the reader refuses it", len(taken)
    if list(validate(document.value, vocabulary=vocabulary)):
        return "the validator refuses it", len(taken)
    normal, hash_ = to_json(normalize(document.value, vocabulary)), content_hash(document.value)
    for plain in taken:
        if plain.rui != normal:
            return f"another normal form: {plain.rui!r}", len(taken)
        if plain.content_hash() != hash_:
            return "another hash", len(taken)
    return "", len(taken)


def main(options: Sequence[str] = ()) -> bool:
    """Print how many agree; whether all do."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks differential")
    parser.add_argument("--cases", type=int, default=CASES)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args(options)
    cases, seed = arguments.cases, arguments.seed
    fast_path = FastPath()
    taken = [0, 0, 0]
    wrong = 0
    begin = time.monotonic()
    for given in islice(bodies(random.Random(seed), DAMAGED), cases):
        what, readers = disagreement(given, fast_path)
        taken[readers] += 1
        if what:
            wrong += 1
            print(f"  {what}: {given!r}")
    print(f"\nThe fast path against the validator: {cases:,} bodies in {time.monotonic() - begin:.0f} s, seed {seed}")
    print(f"  taken by both readers {taken[2]:,}, by one {taken[1]:,}, by none {taken[0]:,}")
    print(f"  disagreements {wrong}, limit 0  {'MISSED' if wrong else 'ok'}")
    return wrong == 0
