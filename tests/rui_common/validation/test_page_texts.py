"""Scanning a part of a text gives the results of scanning the whole."""

import random

import pytest

from rui_common.syntax.reader import Scanner, skip_space
from rui_common.syntax.spans import Span
from rui_common.validation.page_texts import scan_within

PART = '{"a": [1, -2.5e3, "x\\u00e9\\n", {"b": true, "c": null}], "d": "e", "f": 1e400, "g": NaN}'
MARKS = ["", "", '"', "{", "}", "[", "]", ",", ":", "\\", "\\u12", "1", "-", "tru", "Infinity", "\n"]


def result(scan, *arguments):
    try:
        return scan(*arguments)
    except (ValueError, StopIteration) as error:
        return type(error), getattr(error, "pos", None) or str(error)


@pytest.mark.parametrize("seed", range(300))
def test_a_part_is_scanned_as_in_the_whole(seed):
    chance = random.Random(seed)
    part = PART
    for _ in range(chance.randrange(3)):
        start = chance.randrange(len(part))
        part = part[:start] + chance.choice(MARKS) + part[start + chance.choice([0, 1, 5]) :]
    before = chance.choice(["", '{"pages": [\n', "\n" * 20])
    text = before + part + chance.choice(["", "]}", '}, {"id": "x"}', '"', "23", "e", "finity"])
    span = Span(len(before), len(before) + len(part))
    for offset in range(span.start, span.end):
        start = skip_space(text, offset).end()
        if start < span.end:
            assert result(scan_within, Scanner().scan, text, span, start) == result(Scanner().scan, text, start)
