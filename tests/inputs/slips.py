"""Small documents with the slips of a careless author, each next to the valid document of the same size."""

from __future__ import annotations

import random
from itertools import count, islice
from typing import Any

from tests.inputs.breaking import broken
from tests.inputs.sample import sample, to_text

Json = dict[str, Any]

DOCUMENTS = 12
"""Documents per row, so that neither one document nor one kind of slip decides."""
MIN_SIZE, MAX_SIZE = 2_300, 2_700


def valid_documents() -> list[Json]:
    """Return different valid documents of about 2.5 KB."""
    documents = (sample(1_000, indent=None, seed=seed) for seed in count(1))
    fitting = (document for document in documents if MIN_SIZE <= len(to_bytes(document)) <= MAX_SIZE)
    return list(islice(fitting, DOCUMENTS))


def to_bytes(document: Json) -> bytes:
    """Return a document as programs send it."""
    return to_text(document, None).encode()


def slipped_bodies(slips: int) -> list[bytes]:
    """Return the documents of `valid_documents` with this number of breaks each."""
    documents = enumerate(valid_documents())
    return [to_bytes(broken(document, random.Random(number), slips)[0]) for number, document in documents]


def bodies_without_comma() -> list[bytes]:
    """Return the documents of `valid_documents`, each without one of the commas between two properties."""
    bodies = []
    for number, document in enumerate(valid_documents()):
        parts = to_bytes(document).split(b',"')
        missing = random.Random(number).randrange(1, len(parts))
        bodies.append(b',"'.join(parts[:missing]) + b'"' + b',"'.join(parts[missing:]))
    return bodies
