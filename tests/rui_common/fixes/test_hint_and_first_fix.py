"""Hint and first fix say the same: `rui_common.validation.meant` answers both (docs/decisions.md, section 3).

`python -m tests.rui_common.fixes.test_hint_and_first_fix 5000` tries another number of documents.
"""

import json
import random
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from rui_common.editing.edits import apply
from rui_common.fixes.quick_fixes import find_fixes
from rui_common.syntax.document import read
from rui_common.validation.analysis import Analysis
from rui_common.validation.diagnostics import Diagnostic
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from tests.inputs.sample import sample
from tests.support.strategies import Path, at, mutate, places, put

Json = Any
Random = random.Random

SOME = 700
SIZE = 1_500

SYNONYMS = sorted({word for _, prop in VOCABULARY.props for word in prop.synonyms.split()})
VALUES = sorted({value for _, prop in VOCABULARY.props for value in prop.kind.values})


# Single faults --------------------------------------------------------------------------------------------------------


def misspell(word: str, chance: Random) -> str:
    """Return a word with one letter added, removed, replaced or moved, or in capitals; or with another digit."""
    if not word:
        return "x"
    index = chance.randrange(len(word))
    rest = word[index + 1 :]
    return chance.choice((
        word[:index] + rest, word[:index] + chance.choice("aeiou-_ 7") + word[index:], word.upper(),
        word[:index] + chance.choice("xyz019") + rest, word[:index] + rest[:1] + word[index] + rest[1:], f" {word} ",
    ))  # fmt: skip


def _misspell_key(document: Json, chance: Random) -> None:
    path = chance.choice([path for path in places(document) if path and isinstance(path[-1], str)])
    owner = at(document, path[:-1])
    owner[misspell(str(path[-1]), chance)] = owner.pop(path[-1])


def _rename_key(document: Json, chance: Random) -> None:
    path = chance.choice([path for path in places(document) if path and isinstance(path[-1], str)])
    owner = at(document, path[:-1])
    owner[chance.choice(SYNONYMS)] = owner.pop(path[-1])


def _add_key(document: Json, chance: Random) -> None:
    path = chance.choice([path for path in places(document) if isinstance(at(document, path), dict)])
    value = chance.choice(("grid", 12, "Some words.", {"a": "b"}, {"columns": 2}, ["x"], None, True, "/orders", "GET"))
    at(document, path)[chance.choice((*SYNONYMS, "layout", "icon", "settings", "pages", "meta"))] = value


def _misspell_value(document: Json, chance: Random) -> None:
    path = chance.choice([path for path in places(document) if isinstance(at(document, path), str)])
    put(document, path, misspell(at(document, path), chance))


def _other_value(document: Json, chance: Random) -> None:
    path = chance.choice([path for path in places(document) if isinstance(at(document, path), str)])
    put(document, path, chance.choice((*VALUES, "page-9", "grid", "https://a.example/b", "$.a.b", "Über uns", "7f", 5)))


def _delete_key(document: Json, chance: Random) -> None:
    path = chance.choice([path for path in places(document) if path and isinstance(path[-1], str)])
    del at(document, path[:-1])[path[-1]]


def _mutate(document: Json, chance: Random) -> None:
    changed = mutate(document, chance, 1)
    document.clear()
    document.update(changed)


FAULTS: tuple[Callable[[Json, Random], None], ...] = (
    _misspell_key, _rename_key, _add_key, _misspell_value, _other_value, _delete_key, _mutate,
)  # fmt: skip


def faulty_text(seed: int) -> str:
    """Return the text of a document with one fault."""
    chance = Random(seed)
    document = sample(SIZE, seed=seed % 50)
    FAULTS[seed % len(FAULTS)](document, chance)
    return json.dumps(document, indent=2, ensure_ascii=False)


# The rules ------------------------------------------------------------------------------------------------------------

_MEANT = re.compile(r'Got ("(?:[^"\\]|\\.)*"); did you mean ("(?:[^"\\]|\\.)*")\?')
_STRING = r'("(?:[^"\\]|\\.)*")'
_USES = (
    re.compile(rf"Use {_STRING}(?: instead of .*)?"), re.compile(rf'Rename {_STRING} to "(?:[^"\\]|\\.)*"'),
    re.compile(rf'Add "(?:[^"\\]|\\.)*": {_STRING}'), re.compile(rf'Move "(?:[^"\\]|\\.)*" to {_STRING}'),
)  # fmt: skip
"""Titles of fixes that use a name or value."""


def contradictions(text: str) -> Iterator[str]:
    """Yield where the hint and the first fix of a diagnostic do not say the same."""
    analysis = Analysis(read(text))
    known = {name.text for scope in analysis.names.scopes for name in scope} | {*VALUES, *VOCABULARY.nodes}
    known |= {prop.name for shape in VOCABULARY.shapes.values() for prop in shape.all_props}
    for diagnostic in analysis.diagnostics:
        if diagnostic.finding is None:
            continue
        fixes = find_fixes(analysis, diagnostic)
        title = fixes[0].title if fixes else ""
        meant = _MEANT.search(diagnostic.hint)
        if meant is not None:
            got, name = map(json.loads, meant.groups())
            if digits(got) != digits(name):
                yield f"digits are misspelt: {diagnostic.hint}"
            if diagnostic.path[-1] in (got, name) or diagnostic.finding.meant in ("", name):
                after = text if not fixes else apply(text, fixes[0].edits)
                if not is_made(json.loads(after), diagnostic, name):
                    yield f"{diagnostic.path}: {diagnostic.hint} | {title or 'no fix'}"
        for pattern in _USES:
            used = pattern.fullmatch(title)
            if used is not None and json.loads(used[1]) in known:
                shown = f"{diagnostic.message} {diagnostic.hint}"
                if used[1] not in shown and f"`{json.loads(used[1])}`" not in shown:
                    yield f"{diagnostic.path}: {diagnostic.hint} | {title}"


def digits(text: str) -> list[str]:
    return [letter for letter in text if letter.isdigit()]


def is_made(after: Json, diagnostic: Diagnostic, name: str) -> bool:
    """Return whether a fix has made what the hint says is meant: a value at the path, or a property beside it."""
    path: Path = diagnostic.path
    owner = at(after, path[:-1])
    return owner.get(path[-1]) == name or name in owner


def measure(count: int) -> Counter[str]:
    """Count the contradictions in documents with one fault."""
    return Counter(found for seed in range(count) for found in contradictions(faulty_text(seed)))


def test_the_first_fix_does_what_the_hint_says() -> None:
    assert measure(SOME) == {}


if __name__ == "__main__":
    found = measure(int(sys.argv[1]))
    for line, times in found.most_common(60):
        print(times, line)
    print(f"{found.total()} contradictions in {sys.argv[1]} documents")
