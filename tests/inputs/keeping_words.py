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
from collections import Counter
from collections.abc import Callable, Iterator
from typing import NamedTuple

from rui_common.fixes.fix_all import apply_safe_fixes
from rui_common.syntax.document import read
from rui_common.validation.analysis import Analysis
from rui_common.validation.diagnostics import root_fault, where_broken
from rui_common.validation.wording import error_items
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
    at = _inner(string, chance)
    return f'{string[:at]}"{string[at:]}', ""


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
        at = chance.choice(blanks)
        before = string[:at]
        if "+" not in between and chance.random() < 0.5:
            before = before.rstrip()
        return f'{before}"{between}"{string[at:]}', ""

    return do


def _close_early(string: str, chance: Random) -> tuple[str, str]:
    blanks = [match.start() for match in re.finditer(" ", string)]
    if not blanks:
        return string, ""
    at = chance.choice(blanks)
    return f'{string[:at]}"{string[at:-1]}', ""


def _open_late(string: str, chance: Random) -> tuple[str, str]:
    blanks = [match.end() for match in re.finditer(" ", string)]
    if not blanks:
        return string, ""
    at = chance.choice(blanks)
    return f'{string[1:at]}"{string[at:]}', ""


def _break_line(string: str, chance: Random) -> tuple[str, str]:
    return string.replace(" ", "\n", 1) if chance.random() < 0.5 else string.replace(" ", "\n    "), ""


def _in(before: str, behind: str, noise: str = "") -> Slip:
    return lambda string, _: (before + string[1:-1].replace('\\"', '"') + behind, noise)


def _as(new: Callable[[str], str]) -> Slip:
    return lambda string, _: (new(string), "")


STRING_SLIPS: dict[str, Slip] = {
    "first quote missing": _as(lambda string: string[1:]),
    "last quote missing": _as(lambda string: string[:-1]),
    "no quotes": _as(lambda string: string[1:-1].replace('\\"', '"')),
    "quotes in it not escaped": _as(lambda string: f'"{string[1:-1].replace(chr(92) + chr(34), chr(34))}"'),
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
}
COMMA_SLIPS: dict[str, Slip] = {
    f"{name} for a comma": _as(lambda _, new=new: new)  # type: ignore[misc]
    for name, new in {
        "nothing": "", "two": ",,", ";": ";", ".": ".", "a blank": " ", "a line break": "\n", "،": "،", "、": "、",
        "a quote": '"', "a comma and a quote": ',"', "a quote and a comma": '",', ":": ":", "a word": ", x,",
    }.items()
}  # fmt: skip


class Text(NamedTuple):
    """A text with slips."""

    text: str
    original: Counter[str]  # the words of the document
    expected: Counter[str]  # the words of the text, without those that the slips have added
    slips: tuple[str, ...]  # the names of the slips, in text order


def words_of(text: str) -> Counter[str]:
    return Counter(_WORD.findall(text))


def words_in(value: object) -> Counter[str]:
    """Return the words of the names and values of JSON."""
    return words_of(re.sub(r'\\[nrtbf"\\/]', " ", json.dumps(value, ensure_ascii=False)))


def slipped(seed: int) -> Text:
    """Return a valid document with one or two slips in strings, quotes and commas."""
    chance = random.Random(seed)
    value = sample(chance.choice((1_000, 2_000)), seed=seed % 50)
    _enrich(value, chance)
    text = to_text(value, chance.choice((2, 2, 4, None)))
    places: dict[tuple[int, int], tuple[str, str, str]] = {}
    while len(places) < chance.choice((1, 1, 2)):
        start, end, name, slip = _choose(text, chance)
        new, noise = slip(text[start:end], chance)
        if new != text[start:end] and (start, end) not in places:
            places[start, end] = (name, new, noise)
    broken = text
    for (start, end), (_, new, _) in sorted(places.items(), reverse=True):
        broken = broken[:start] + new + broken[end:]
    noise = Counter(word for _, new, words in places.values() for word in [*words.split(), *(["x"] if new == ", x," else [])])
    return Text(broken, words_in(value), words_of(_unescaped(broken)) - noise, tuple(name for _, (name, *_) in sorted(places.items())))


def _unescaped(text: str) -> str:
    return re.sub(r'\\[nrtbf]', " ", text)


def _choose(text: str, chance: Random) -> tuple[int, int, str, Slip]:
    if chance.random() < 0.25:
        match = chance.choice([match for match in _COMMA.finditer(text) if match[1]])
        name = chance.choice(sorted(COMMA_SLIPS))
        return match.start(), match.end(), name, COMMA_SLIPS[name]
    strings = [match for match in _STRING.finditer(text) if len(match[0]) > 2]
    sentences = [match for match in strings if " " in match[0]]
    match = chance.choice(sentences if chance.random() < 0.7 else strings)
    name = chance.choice(sorted(STRING_SLIPS))
    if "\\\"" in match[0] and chance.random() < 0.3:
        name = "quotes in it not escaped"
    return match.start(), match.end(), name, STRING_SLIPS[name]


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
    """Return the words of a text that are not in a result. The parts of a word that a slip has split may be one again."""
    whole = (after & text.original) - text.expected
    lost = text.expected - after
    return sorted(word for word in lost.elements() if not any(word in one for one in whole))


def answer(body: bytes) -> list[dict[str, str]]:
    """Return the errors of a response of the service; `[]` for a valid document."""
    document = read(body)
    if document.valid and isinstance(document.value, dict):
        return error_items(Analysis(document).findings)
    hint = root_fault(document.value) if document.valid else where_broken(document)
    return [{"path": "", "code": "INVALID_JSON", "message": "", "hint": hint}]


def follow(text: Text) -> tuple[int | None, list[str]]:
    """Follow the hints; return the number of requests until the document is valid, or None, and the words lost."""
    reader = Reader(text.text.encode())
    requests = reader.follow(answer)
    if requests is None:
        return None, []
    return requests, lost_words(text, words_in(json.loads(reader.body)))


def fix(text: Text) -> list[str]:
    """Apply all safe fixes; return the words lost."""
    fixed = apply_safe_fixes(Analysis(read(text.text))).document
    after = words_in(fixed.value) if fixed.valid else words_of(_unescaped(fixed.text))
    return lost_words(text, after)


def measure(seeds: range) -> Iterator[tuple[int, Text, int | None, list[str], list[str]]]:
    """Yield for each broken text: seed, text, requests, words lost by the hints, and by the safe fixes."""
    for seed in seeds:
        text = slipped(seed)
        if not read(text.text).valid:
            yield seed, text, *follow(text), fix(text)


def _difference(text: str, other: str) -> str:
    start = next((i for i, (one, two) in enumerate(zip(text, other, strict=False)) if one != two), len(other))
    return text[max(0, start - 40) : start + 80]


def main() -> None:
    """Print counts, and each text that lost a word; the exit code is 1 if there are too many."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--texts", type=int, default=2_000)
    parser.add_argument("--first", type=int, default=0, help="first seed")
    parser.add_argument("--stuck", action="store_true", help="name the texts for which the hints do not suffice, too")
    arguments = parser.parse_args()
    counts: Counter[str] = Counter()
    by_slip: dict[str, Counter[str]] = {}
    for seed, text, requests, by_hints, by_fixes in measure(range(arguments.first, arguments.first + arguments.texts)):
        outcome = "stuck" if requests is None else "valid" if not by_hints else "valid, words lost"
        counts[outcome] += 1
        counts["safe fixes: words lost"] += bool(by_fixes)
        for name in text.slips:
            by_slip.setdefault(name, Counter())[outcome] += 1
        if arguments.stuck and outcome == "stuck":
            print(f"seed {seed}: {', '.join(text.slips)}: stuck")
        if outcome == "valid, words lost":
            print(f"seed {seed}: {', '.join(text.slips)}: lost {by_hints} in {requests} requests")
        if by_fixes:
            print(f"seed {seed}: {', '.join(text.slips)}: safe fixes lost {by_fixes}")
    total = sum(counts[name] for name in ("stuck", "valid", "valid, words lost"))
    for name, count in sorted(counts.items()):
        print(f"{count:6,} {100 * count / total:6.2f} %  {name}")
    for name, found in sorted(by_slip.items(), key=lambda item: item[1]["valid"] / item[1].total()):
        print(f"{name:45} {dict(found)}")
    if counts["valid, words lost"] > MAX_LOST * total or counts["safe fixes: words lost"]:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
