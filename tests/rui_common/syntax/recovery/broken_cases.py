"""The corpus of broken documents in the folder `broken`, and documents with one wrong character."""

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

FOLDER = Path(__file__).parent / "broken"
CUT = "... "
MARKS = '{}[],:"'


class Case(NamedTuple):
    """One broken document, and the valid document that its author intended."""

    file: Path
    title: str
    original: str
    broken: str
    cut: int
    faults: tuple[str, ...]

    @property
    def name(self) -> str:
        return f"{self.file.stem}/{self.title}"


def cases() -> list[Case]:
    return [case for file in sorted(FOLDER.glob("*.cases")) for case in _cases_of(file)]


def _cases_of(file: Path) -> Iterator[Case]:
    for block in file.read_text(encoding="utf-8").split("### ")[1:]:
        title, *lines = block.strip("\n").split("\n")
        base = title.partition(":")[0]
        original = (FOLDER / base).read_text(encoding="utf-8")
        old = "\n".join(line[2:] for line in lines if line.startswith("- "))
        new = "\n".join(line[2:] for line in lines if line.startswith("+ "))
        assert original.count(old) == 1, f"{title}: {old!r} occurs {original.count(old)} times"
        start = original.index(old)
        is_cut = new.startswith(CUT)
        rest = "" if is_cut else original[start + len(old) :]
        broken = original[:start] + new.removeprefix(CUT) + rest
        faults = tuple(line[2:] for line in lines if line.startswith("> "))
        yield Case(file, title, original, broken, start if is_cut else len(original), faults)


def leaves(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Yield the path and JSON text of every scalar and of every empty object or array."""
    if isinstance(value, dict | list) and value:
        for step, below in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(below, (*path, step))
    else:
        yield path, json.dumps(value)


def single_breaks(text: str, chance: random.Random, inserted: int) -> Iterator[tuple[str, str]]:
    """Yield (change, text) for every mark deleted or replaced, and for `inserted` random marks."""
    for offset, mark in enumerate(text):
        if mark in MARKS:
            yield f"delete {mark} at {offset}", text[:offset] + text[offset + 1 :]
            for other in MARKS.replace(mark, ""):
                yield f"replace {mark} at {offset} by {other}", text[:offset] + other + text[offset + 1 :]
    for _ in range(inserted):
        offset, mark = chance.randrange(len(text)), chance.choice(MARKS)
        yield f"insert {mark} at {offset}", text[:offset] + mark + text[offset:]
