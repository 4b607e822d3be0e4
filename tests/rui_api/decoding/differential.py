"""Compare the typed decoder with the shared validator on bodies of every kind.

`python -m tests.rui_api.decoding.differential` runs a million cases, with `--cases 10000000 --seed 7` more.
The limit is 0: bodies that the decoder accepts and the validator does not, and normal forms or hashes that differ.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Sequence
from itertools import islice

from rui_api.decoding.typed_decoder import FastPath
from rui_api.http.responses import to_json
from rui_common.editing.normal_form import normalize
from rui_common.hashing import content_hash
from rui_common.syntax.document import read
from rui_common.validation.validator import validate
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_common.vocabulary.schema import Vocabulary
from tests.inputs.odd_bodies import bodies

CASES = 1_000_000
DAMAGED = 15
"""Bodies with damaged bytes after each body that was generated: they are cheap and find rare errors."""


def disagreement(body: bytes, fast_path: FastPath, vocabulary: Vocabulary = VOCABULARY) -> tuple[str, bool]:
    """Return what differs, or ``""``; and whether the typed decoder accepted the body."""
    decoded = fast_path.read(body)
    if decoded is None:
        return "", False
    document = read(body)
    if not document.valid or not isinstance(document.value, dict):
        return "the reader refuses it", True
    if validate(document.value, vocabulary=vocabulary, limit=1):
        return "the validator refuses it", True
    if decoded.rui != to_json(normalize(document.value, vocabulary)):
        return f"another normal form: {decoded.rui!r}", True
    if decoded.content_hash() != content_hash(document.value):
        return "another hash", True
    return "", True


def main(options: Sequence[str] = ()) -> bool:
    """Print the number of disagreements; return whether there are none."""
    parser = argparse.ArgumentParser(prog="python -m tests.rui_api.decoding.differential")
    parser.add_argument("--cases", type=int, default=CASES)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args(options)
    fast_path = FastPath()
    accepted = disagreements = 0
    for body in islice(bodies(random.Random(arguments.seed), DAMAGED), arguments.cases):
        difference, is_accepted = disagreement(body, fast_path)
        accepted += is_accepted
        if difference:
            disagreements += 1
            print(f"  {difference}: {body!r}")
    print(f"{arguments.cases:,} bodies, of which the typed decoder accepted {accepted:,}")
    print(f"disagreements {disagreements}, limit 0  {'MISSED' if disagreements else 'ok'}")
    return disagreements == 0


if __name__ == "__main__":
    sys.exit(0 if main(sys.argv[1:]) else 1)
