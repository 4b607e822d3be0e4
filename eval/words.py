"""How often the drafts have the words that the vocabulary knows of other systems."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from rui_common.suggest import squash
from rui_common.syntax.document import read
from rui_common.vocabulary.rui_0_1 import VOCABULARY

FOLDER = Path(__file__).parent
MAX_WORD = 40  # characters of a text that may be the word of a type or value


class Word(NamedTuple):
    """A word of other systems, in lower case without separators, and what it means.

    Attributes:
        sort: ``property``, ``part`` of a text, ``value``, ``type``, ``advice``, or ``no place``.
        meaning: the property, such as ``Page.title``, or the type; ``""`` without one.
    """

    sort: str
    meaning: str
    text: str


def words() -> list[Word]:
    """Return all words that the vocabulary declares."""
    found: list[Word] = []
    for shape in VOCABULARY.shapes.values():
        for prop in shape.all_props:
            name = f"{shape.name}.{prop.name}"
            found += [Word("property", name, word) for word in prop.synonyms.split()]
            found += [Word("part", name, word) for word in prop.includes.split()]
            found += [Word("value", name, word) for word in prop.kind.other_values if not prop.kind.inner_shapes]
        found += [Word("type", shape.name, word) for word in shape.others.types]
    found += [Word("advice", "", word) for word in VOCABULARY.type_advice]
    found += [Word("no place", "", word) for word in sorted(VOCABULARY.root.others.unplaced)]
    return list(dict.fromkeys(found))


def counts() -> dict[Word, int]:
    """Return each word, and how often the drafts have it: as a key, or as the text of a type or value."""
    keys = Counter[str]()
    texts = Counter[str]()
    for source in _drafts():
        for key, text in _words_of(read(source).value):
            keys[squash(key)] += 1
            texts[squash(text)] += 1
    return {
        word: keys[word.text] * (word.sort != "value") + texts[word.text] * (word.sort in ("type", "value", "advice"))
        for word in words()
    }


def report() -> str:
    """Return the words of each meaning with their counts, the frequent ones first."""
    rows: dict[tuple[str, str], list[tuple[int, str]]] = {}
    for word, count in counts().items():
        rows.setdefault((word.sort, word.meaning), []).append((count, word.text))
    lines = []
    for (sort, meaning), found in rows.items():
        listed = ", ".join(f"{text} {count}" for count, text in sorted(found, key=lambda row: (-row[0], row[1])))
        lines.append(f"{f'{sort} {meaning}'.strip()}: {listed}")
    return "\n".join(lines)


def _drafts() -> Iterator[bytes]:
    for path in sorted(FOLDER.glob("drafts/*/draft.*")):
        yield path.read_bytes()
    yield from (FOLDER / "words.jsonl").read_bytes().splitlines()


def _words_of(value: object) -> Iterator[tuple[str, str]]:
    """Yield each key of a value, and the short text that it has; ``""`` for what is none."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield key, inner if isinstance(inner, str) and len(inner) <= MAX_WORD else ""
            yield from _words_of(inner)
    elif isinstance(value, list):
        for inner in value:
            if isinstance(inner, str) and len(inner) <= MAX_WORD:
                yield "", inner
            yield from _words_of(inner)
