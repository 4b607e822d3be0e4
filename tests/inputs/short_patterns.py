"""Texts that repeat a few marks: `python -m tests.inputs.short_patterns --length 3` prints those that take longest.

The CPU time is that of an answer of the API, beside `json.loads` of a valid document of 256 KB.
"""

import argparse
import json
import time
from collections.abc import Iterator
from contextlib import suppress
from itertools import product

from rui_api.http.errors import InvalidBody
from rui_api.routes.specs import check_refused
from rui_common.vocabulary.rules import MAX_BODY_BYTES
from tests.inputs.hostile_texts import Pattern
from tests.inputs.sample import sample_text

MARKS = [*"{}[]\",:'\\/*#<>&-=.`", *"at1", "\n", " "]
PREFIXES = {"": "", '{"a":"': '"}'}
"""The beginning of a text, and its end."""
SHOWN = 20
SMALL = 8_192


def short_patterns(length: int) -> Iterator[Pattern]:
    """Yield a pattern for each sequence of marks with at most this length."""
    for count in range(1, length + 1):
        for marks in product(MARKS, repeat=count):
            for prefix, suffix in PREFIXES.items():
                yield Pattern(prefix, "".join(marks), suffix=suffix)


def seconds(pattern: Pattern, size: int, rounds: int = 1) -> float:
    """Return the seconds of CPU that an answer about a text takes."""
    body = pattern.text(size).encode()
    return min(_seconds(body) for _ in range(rounds))


def _seconds(body: bytes) -> float:
    start = time.process_time()
    with suppress(InvalidBody):
        check_refused(body)
    return time.process_time() - start


def main() -> None:
    """Print the slowest patterns of a small size, at the maximum size."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--length", type=int, default=2)
    length = parser.parse_args().length
    text = sample_text(MAX_BODY_BYTES - 10_000, indent=None)
    start = time.process_time()
    for _ in range(10):
        json.loads(text)
    unit = (time.process_time() - start) / 10
    slowest = sorted(short_patterns(length), key=lambda pattern: -seconds(pattern, SMALL))[: 5 * SHOWN]
    times = sorted(((seconds(pattern, MAX_BODY_BYTES, 3), pattern) for pattern in slowest), reverse=True)
    for taken, pattern in times[:SHOWN]:
        print(f"{taken * 1e3:.0f} ms, {taken / unit:.0f} × json.loads: {pattern.prefix!r} {pattern.fragment!r}")


if __name__ == "__main__":
    main()
