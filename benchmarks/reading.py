"""Reading 250 KB, valid and broken, and finding ranges in it, compared with `json.loads` of the same text."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from functools import partial

from benchmarks.sample import sample_text
from benchmarks.timing import print_ratios, side_by_side
from rui_common.syntax.document import Document, read
from rui_common.syntax.paths import Path

SIZE = 250_000
PATHS = 50
BREAKS = {"a missing comma": ",", "a missing quote": '"', "a missing }": "}", "a missing ]": "]"}
LIMITS = {"read": 4.0, f"read, {PATHS} ranges": 6.0} | {f"read with {name}": 12.0 for name in BREAKS}


def paths_of(value: object, path: Path = ()) -> Iterator[Path]:
    """Yield the paths of all values."""
    yield path
    if isinstance(value, dict | list):
        for step, below in value.items() if isinstance(value, dict) else enumerate(value):
            yield from paths_of(below, (*path, step))


def without(text: str, mark: str) -> str:
    """Return the text without the first `mark` in its second half."""
    at = text.index(mark, len(text) // 2)
    return text[:at] + text[at + 1 :]


def read_valid(text: str) -> object:
    document = read(text)
    assert document.valid
    return document.value


def read_and_find(text: str, paths: list[Path]) -> None:
    document = read(text)
    for path in paths:
        document.range_of(path)


def read_broken(text: str) -> Document:
    document = read(text)
    assert document.syntax
    assert document.value is not document.incomplete
    return document


def main() -> bool:
    """Print the ratios; return whether all keep their limits."""
    kept = True
    for layout, indent in (("indented", 2), ("on one line", None)):
        text = sample_text(SIZE, indent=indent)
        paths = random.Random(1).sample(list(paths_of(json.loads(text))), PATHS)
        functions: dict[str, Callable[[], object]] = {
            "json.loads": partial(json.loads, text),
            "read": partial(read_valid, text),
            f"read, {PATHS} ranges": partial(read_and_find, text, paths),
        }
        for name, mark in BREAKS.items():
            broken = without(text, mark)
            functions[f"read with {name}"] = partial(read_broken, broken)
        title = f"Reading {len(text.encode()):,} bytes, {layout}"
        kept &= print_ratios(title, side_by_side(functions), "json.loads", LIMITS)
    return kept


if __name__ == "__main__":
    main()
