"""Measure whether words are lost on the way from a text with slips to a valid document.

Each text is a valid document with one or two slips in its strings, quotes and commas. A reader without judgement
follows the sentences of the hints (`tests/inputs/following_hints.py`), and the safe fixes are applied. The words of the
results are compared with those of the text.

python -m tests.inputs.keeping_words --texts 2000
"""

import argparse
import json
import random
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from typing import NamedTuple

from rui_common.describe.unreadable import root_hint, where_broken
from rui_common.fixes.fix_all import apply_safe_fixes
from rui_common.syntax.document import read
from rui_common.validation.analysis import Analysis
from rui_common.validation.answers import error_items
from tests.inputs.following_hints import Reader
from tests.inputs.sample import sample, to_text

Random = random.Random

MAX_LOST = 0.01
"""Maximum share of the texts that may end as a valid document without one of their words."""

SENTENCES = (
    "Orders are refreshed every five minutes, and the count isn't final.",
    "12 beds are free: ask Anna (ext. 12) or the night shift.",
    "It's the patients' list; see room 7/8, not 9.",
    "He said \"yes\", \"no\" and \"maybe\", then left.",
    "Go to the \"Rides\" page, and wait for it to load.",
    "Status: open, late, closed",
    "Prices are net, in € (incl. 7 % fees)",
    "5\" screens & cables <small>",
    "24 hours",
    "No. 1, 2 and 3",
    "true or false, please",
    "Total",
    "See https://a.example/x#top, or call 555-0100",
    "Größe, café and naïve “quotes”",
    "a.b/c_d-e [draft] {1}",
)  # fmt: skip

_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
_COMMA = re.compile(r'"(?:[^"\\]|\\.)*"|(,)')
_WORD = re.compile(r"[^\W_]+")

Slip = Callable[[str, Random], tuple[str, str]]
"""(string or comma of JSON, chance) → (what is written instead, the words in it that are no part of the text)."""


def _inner(string: str, chance: Random) -> int:
    """Return the offset of a place within a string."""
    return chance.randrange(1, len(string))


def _word(string: str, chance: Random) -> tuple[int, int]:
    """Return the range of a word of a string."""
    words = [match.span() for match in _WORD.finditer(string)]
    return chance.choice(words)


def _insert_quote(string: str, chance: Random) -> tuple[str, str]:
    offset = _inner(string, chance)
    return f'{string[:offset]}"{string[offset:]}', ""


def _quote_word(string: str, chance: Random) -> tuple[str, str]:
    start, end = _word(string, chance)
    return f'{string[:start]}"{string[start:end]}"{string[end:]}', ""


def _quote_words(string: str, chance: Random) -> tuple[str, str]:
    (start, _), (_, end) = sorted((_word(string, chance), _word(string, chance)))
    return f'{string[:start]}"{string[start:end]}"{string[end:]}' if end > start else string, ""


def _displace_quote(string: str, chance: Random) -> tuple[str, str]:
    if len(string) < 3:
        return string, ""
    return (f'{string[1]}"{string[2:]}', "") if chance.random() < 0.5 else (f'{string[:-2]}"{string[-2]}', "")


def _split(between: str) -> Slip:
    """Return the slip that writes two strings. Half of them lose the blank between them."""

    def do(string: str, chance: Random) -> tuple[str, str]:
        blanks = [match.end() for match in re.finditer(" ", string)]
        if not blanks:
            return string, ""
        offset = chance.choice(blanks)
        before = string[:offset]
        if "+" not in between and chance.random() < 0.5:
            before = before.rstrip()
        return f'{before}"{between}"{string[offset:]}', ""

    return do


def _close_early(string: str, chance: Random) -> tuple[str, str]:
    blanks = [match.start() for match in re.finditer(" ", string)]
    if not blanks:
        return string, ""
    offset = chance.choice(blanks)
    return f'{string[:offset]}"{string[offset:-1]}', ""


def _open_late(string: str, chance: Random) -> tuple[str, str]:
    blanks = [match.end() for match in re.finditer(" ", string)]
    if not blanks:
        return string, ""
    offset = chance.choice(blanks)
    return f'{string[1:offset]}"{string[offset:]}', ""


def _break_line(string: str, chance: Random) -> tuple[str, str]:
    return string.replace(" ", "\n", 1) if chance.random() < 0.5 else string.replace(" ", "\n    "), ""


def _in(before: str, behind: str, noise: str = "") -> Slip:
    return lambda string, _: (before + string[1:-1].replace('\\"', '"') + behind, noise)


def _as(new: Callable[[str], str]) -> Slip:
    return lambda string, _: (new(string), "")


UNESCAPED = "quotes in it not escaped"
STRING_SLIPS: dict[str, Slip] = {
    "first quote missing": _as(lambda string: string[1:]),
    "last quote missing": _as(lambda string: string[:-1]),
    "no quotes": _as(lambda string: string[1:-1].replace('\\"', '"')),
    UNESCAPED: _as(lambda string: string.replace('\\"', '"')),
    "a quote in it": _insert_quote,
    "a word in quotes": _quote_word,
    "words in quotes": _quote_words,
    "first quote twice": _as(lambda string: f'"{string}'),
    "last quote twice": _as(lambda string: f'{string}"'),
    "a quote beside its place": _displace_quote,
    "two strings": _split(" "),
    "two strings on two lines": _split("\n    "),
    "two strings with a comma": _split(", "),
    "concatenated": _split(" + "),
    "closed too early": _close_early,
    "opened too late": _open_late,
    "over several lines": _break_line,
    "single quotes": _in("'", "'"),
    "curly quotes": _in("“", "”"),
    "curly quotes the other way": _in("”", "“"),
    "low and high quotes": _in("„", "“"),
    "backticks": _in("`", "`"),
    "guillemets": _in("«", "»"),
    "a straight and a curly quote": _in('"', "”"),
    "a curly and a straight quote": _in("“", '"'),
    "a single and a double quote": _in("'", '"'),
    "three quotes": _in('"""', '"""'),
    "three single quotes": _in("'''", "'''"),
    "escaped as in HTML": _in("&quot;", "&quot;", "quot quot"),
    "escaped as in HTML, by number": _in("&#34;", "&#34;", "34 34"),
    "backslashes before its quotes": _as(lambda string: f'\\"{string[1:-1]}\\"'),
    "a backslash before the last quote": _as(lambda string: f'{string[:-1]}\\"'),
}  # fmt: skip
COMMA_SLIPS: dict[str, Slip] = {
    "no comma": _as(lambda _: ""),
    "two commas": _as(lambda _: ",,"),
    "a semicolon for a comma": _as(lambda _: ";"),
    "a dot for a comma": _as(lambda _: "."),
    "a colon for a comma": _as(lambda _: ":"),
    "a line break for a comma": _as(lambda _: "\n"),
    "an Arabic comma": _as(lambda _: "،"),
    "an ideographic comma": _as(lambda _: "、"),
    "a quote for a comma": _as(lambda _: '"'),
    "a comma and a quote": _as(lambda _: ',"'),
    "a quote and a comma": _as(lambda _: '",'),
    "a word between commas": lambda _, __: (", x,", "x"),
}


class Text(NamedTuple):
    """A text with slips."""

    text: str
    value: object  # the document without slips
    expected: Counter[str]  # the words of the text, without those that the slips have added
    slips: tuple[str, ...]  # the names of the slips, in text order


class Place(NamedTuple):
    """One slip: the range that is replaced, and by what."""

    start: int
    end: int
    slip: str
    new: str
    noise: str  # the words in it that are no part of the text


def words_of(text: str) -> Counter[str]:
    return Counter(_WORD.findall(text))


def words_in(value: object) -> Counter[str]:
    """Return the words of the names and values of JSON."""
    return words_of(_unescaped(json.dumps(value, ensure_ascii=False)))


def slipped(seed: int) -> Text:
    """Return a valid document with one or two slips in strings, quotes and commas."""
    chance = random.Random(seed)
    value = sample(chance.choice((1_000, 2_000)), seed=seed % 50)
    _enrich(value, chance)
    text = to_text(value, chance.choice((2, 2, 4, None)))
    places: list[Place] = []
    while len(places) < chance.choice((1, 1, 2)):
        place = _slip(text, chance)
        is_free = all(place.end <= other.start or other.end <= place.start for other in places)
        if is_free and place.new != text[place.start : place.end]:
            places.append(place)
    places.sort()
    broken = text
    for place in reversed(places):
        broken = broken[: place.start] + place.new + broken[place.end :]
    noise = Counter(word for place in places for word in place.noise.split())
    return Text(broken, value, words_of(_unescaped(broken)) - noise, tuple(place.slip for place in places))


def _unescaped(text: str) -> str:
    """Return a text without the letters of escapes."""
    return re.sub(r"\\[nrtbf]", " ", text)


def _slip(text: str, chance: Random) -> Place:
    """Return a slip in a comma, or in a string, of which most are sentences."""
    if chance.random() < 0.25:
        match = chance.choice([match for match in _COMMA.finditer(text) if match[1]])
        slips = COMMA_SLIPS
    else:
        strings = [match for match in _STRING.finditer(text) if len(match[0]) > 2]
        sentences = [match for match in strings if " " in match[0]]
        match = chance.choice(sentences if chance.random() < 0.7 else strings)
        slips = STRING_SLIPS
    name = chance.choice(sorted(slips))
    if '\\"' in match[0] and chance.random() < 0.3:
        name = UNESCAPED
    return Place(*match.span(), name, *(slips | STRING_SLIPS)[name](match[0], chance))


def _enrich(value: object, chance: Random) -> None:
    """Replace some texts for people by sentences with marks, quotes and numbers."""
    if isinstance(value, dict):
        for name, inner in value.items():
            if name in {"title", "label", "content", "description"} and chance.random() < 0.4:
                value[name] = chance.choice(SENTENCES)
            else:
                _enrich(inner, chance)
    elif isinstance(value, list):
        for inner in value:
            _enrich(inner, chance)


def lost_words(text: Text, after: Counter[str]) -> list[str]:
    """Return the words of a text that are not in a result. The parts of a word that a slip has split may be one."""
    whole = (after & words_in(text.value)) - text.expected
    lost = text.expected - after
    return sorted(word for word in lost.elements() if not any(word in other_word for other_word in whole))


def answer(body: bytes) -> list[dict[str, str]]:
    """Return the errors of a response of the service; `[]` for a valid document."""
    document = read(body)
    if document.valid and isinstance(document.value, dict):
        return error_items(Analysis(document).findings)
    hint = root_hint(document.value) if document.valid else where_broken(document)
    return [{"path": "", "code": "INVALID_JSON", "message": "", "hint": hint}]


class Outcome(NamedTuple):
    """What becomes of a text with slips."""

    seed: int
    text: Text
    requests: int | None  # the number of requests until the document is valid by the hints; None if they do not suffice
    lost: list[str]  # the words lost on this way
    is_restored: bool  # whether it is the document without slips
    lost_by_fixes: list[str]  # the words lost by the safe fixes


def measure(seeds: range) -> Iterator[Outcome]:
    """Follow the hints about each broken text, and apply its safe fixes."""
    for seed in seeds:
        text = slipped(seed)
        if read(text.text).valid:
            continue
        reader = Reader(text.text.encode())
        requests = reader.follow(answer)
        after = None if requests is None else json.loads(reader.body)
        lost = [] if requests is None else lost_words(text, words_in(after))
        yield Outcome(seed, text, requests, lost, after == text.value, _lost_by_fixes(text))


def _lost_by_fixes(text: Text) -> list[str]:
    fixed = apply_safe_fixes(Analysis(read(text.text))).document
    after = words_in(fixed.value) if fixed.valid else words_of(_unescaped(fixed.text))
    return lost_words(text, after)


VALID, LOST, STUCK = "valid", "valid, words lost", "the hints do not suffice"


def main() -> None:
    """Print counts, and each text that lost a word; the exit code is 1 if there are too many."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--texts", type=int, default=2_000)
    parser.add_argument("--first", type=int, default=0, help="first seed")
    parser.add_argument("--slips", action="store_true", help="print the counts of each slip, too")
    arguments = parser.parse_args()
    counts: Counter[str] = Counter()
    by_slip: dict[str, Counter[str]] = defaultdict(Counter)
    for seed, text, requests, lost, is_restored, lost_by_fixes in measure(
        range(arguments.first, arguments.first + arguments.texts)
    ):
        outcome = STUCK if requests is None else LOST if lost else VALID
        counts[outcome] += 1
        counts["of these, the document without slips"] += is_restored
        counts["words lost by safe fixes"] += bool(lost_by_fixes)
        for name in text.slips:
            by_slip[name][outcome] += 1
        if lost or lost_by_fixes:
            print(
                f"seed {seed}: {', '.join(text.slips)}: {lost or lost_by_fixes} lost by {'hints' if lost else 'fixes'}"
            )
    total = counts[VALID] + counts[LOST] + counts[STUCK]
    for name in (VALID, "of these, the document without slips", LOST, STUCK, "words lost by safe fixes"):
        print(f"{counts[name]:8,} {100 * counts[name] / total:6.2f} % {name}")
    if arguments.slips:
        for name, found in sorted(by_slip.items(), key=lambda item: item[1][VALID] / item[1].total()):
            print(f"{name:40} {dict(found)}")
    if counts[LOST] > MAX_LOST * total or counts["words lost by safe fixes"]:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
