"""The places of values in YAML: block and flow collections, aliases, hostile texts."""

from __future__ import annotations

import pytest

from rui_openapi.reading.yaml_places import find_place

TEXT = """a:
  b: [1, {c: 2}]
  d:
    - x
    - e: |
        hi
  f: 3

g: &q {h: 1}
200: *q
"""
PLACES = {
    ("a", "b"): ("b: [1, {c: 2}]", "b"),
    ("a", "b", 1): ("{c: 2}", "{"),
    ("a", "b", 1, "c"): ("c: 2", "c"),
    ("a", "d"): ("d:\n    - x\n    - e: |\n        hi\n", "d"),
    ("g",): ("g: &q {h: 1}", "g"),
    ("200",): ("200", "200"),
    ("200", "h"): ("h: 1", "h"),
}


@pytest.mark.parametrize("pointer", PLACES)
def test_places(pointer: tuple[str | int, ...]) -> None:
    found = find_place(TEXT, pointer)
    assert found is not None
    assert tuple(TEXT[span.start : span.end] for span in found) == PLACES[pointer]


def test_what_is_not_there_has_no_place() -> None:
    for text, pointer in ((TEXT, ("z",)), (TEXT, ("a", "d", 7)), ("a: [", ("a",)), ("[" * 200_000, ("a",)), ("", ())):
        assert find_place(text, pointer) is None
