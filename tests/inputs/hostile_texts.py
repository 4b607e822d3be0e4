"""Random texts that repeat a short fragment: prefix + fragment * n + suffix, up to the maximum size of a document."""

# ruff: noqa: E501  tables of odd texts

import json
import random
from collections.abc import Iterable
from typing import NamedTuple

from rui_common.describe import full_example, minimal_example
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from tests.inputs.sample import sample

MARKS = ["{", "}", "[", "]", ",", ":", '"', '""', "{}", "[]", "[[", "}}", "],", "},", '":', '",', ", ", ": ", "=", ";", "=>"]  # fmt: skip
SPACE = [" ", "\n", "\r\n", "\r", "\t", "  ", "\n  ", "\n\n", "\n    ", "\u00a0", "\u2028", "\x0c", "\ufeff", "\u200b", "    "]  # fmt: skip
QUOTES = ["'", "`", "``", "```", "~~~", "\u201c", "\u201d", "\u201e", "\u2018", "\u2019", "\u00ab", "'a'", "\u201ca\u201d", "`a`"]  # fmt: skip
ESCAPES = ["\\", "\\\\", '\\"', "\\n", "\\u", "\\u00e9", "\\ud800", "\\ud83d\\ude00", "\\x", "\\'", "\\/", "\ud800"]
WORDS = ["a", "Z", "\u00e9", "\u6f22", "\U0001f600", "a b ", "true", "tru", "True", "null", "None", "undefined", "NaN", "- ", "lorem ipsum ",
         "The value is. ", "<a>", "</b>", "a=", "$x", "key", "...", "\u2026", "a.b", "\u0301", "_", "data[0].x", "/api/a/", "{id}", "*", "**a**"]  # fmt: skip
NUMBERS = ["0", "1", "-", "+1", "01", "1.", ".5", "1e", "1e999", "0x1", "1_000", "12", "9" * 40, "-0", "1-"]
COMMENTS = ["//", "// a\n", "/*", "*/", "/* a */", "#", "# a\n", "<!--", "-->", "/", "/**/", "--"]
FENCES = ["```json\n", "```\n", "\n```\n", "~~~\n", "Here it is:\n", "```json\n{}\n```\n", "json\n"]
BROKEN = ['"a":', '"a":1,', '"a" ', '"a"1', '"a', "a:", "a:1,", "'a':'b',", '{"a":', '["a",', '[{"a":[', '{"a":1},', '"a\n', "{a:1}", '[1,2,],', '"a":,', '"a":"b"c",', '"id":"a"', '"a\tb"', "\x00", "(", ")", "[1}", "{]"]  # fmt: skip


def _vocabulary_pieces() -> list[str]:
    """Return keys, properties, nodes and pages of RUI, whole and cut."""
    names = sorted({name for shape in VOCABULARY.shapes.values() for name in shape.props})
    found = [f'"{name}":' for name in names]
    pieces = [piece for value in (full_example(), sample(1_500, indent=None, seed=1)) for piece in _objects(value)]
    found += [f"{json.dumps(piece, ensure_ascii=False)}," for piece in pieces if len(json.dumps(piece)) < 400]
    found += ['"id":"a#",', '"type":"Text",', '"type":"Section","children":[', '"children":[{', '"children":[', '"pages":[',
              '{"id":"a#","type":"Text","content":"x"},', '{"id":"a","type":"Text","content":"x"},', '{"pageId":"p#"},',
              '{"key":"k#"},', '{"id":"p#","type":"Page","title":"a","children":[]},', '{"type":"Metric"},', '{"id":"A #"},',
              '{"id":"t#","type":"Table","columns":[{"key":"a"}],"filter":{"field":"b"}},', "null,", '"a#",', "1,", "{},", "[],",
              '"a#":1,', '"a#":{"a":[]},', '{"a#":', '{"type":"Section","id":"s#","children":[', '"binding":{', '"\u00e9#":"\\u00e9",']  # fmt: skip
    return found


def _objects(value: object) -> Iterable[object]:
    if isinstance(value, dict):
        yield value
    if isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _objects(inner)


def _places() -> list[tuple[str, str]]:
    """Return the text before and after places in a valid document: lists of every sort, properties, texts."""
    text = json.dumps(full_example(), ensure_ascii=False)
    pretty = json.dumps(minimal_example(), ensure_ascii=False, indent=2)
    contexts = [("", ""), ("[", "]"), ("{", "}"), ('{"a":"', '"}'), ('{"a":[', "]}"), ("{", ""), ("[", ""), ('"', ""), ("\ufeff", "")]  # fmt: skip
    for whole in (text, pretty):
        for mark in ('"pages": [', '"items": [', '"children": [', '"columns": [', '"options": [', '"meta": {', '"binding": {',
                     '"title": "', '"id": "', '"path": "', '"label": "', '{"id":', '"type": '):  # fmt: skip
            start = whole.find(mark)
            if start >= 0:
                contexts.append((whole[: start + len(mark)], whole[start + len(mark) :]))
        contexts += [(whole, ""), ("", whole), (whole[:-1], "}")]
    return contexts


GROUPS = [MARKS, MARKS, SPACE, QUOTES, ESCAPES, WORDS, NUMBERS, COMMENTS, FENCES, BROKEN, BROKEN]
VOCABULARY_PIECES = _vocabulary_pieces()
PLACES = _places()
CLOSERS = {"{": "}", "[": "]"}


class Pattern(NamedTuple):
    """A text of any size.

    Attributes:
        prefix: its beginning.
        fragment: what is repeated; the number of the repetition replaces ``#``.
        mirrored: what is repeated as often after that.
        suffix: its end.
    """

    prefix: str
    fragment: str
    mirrored: str = ""
    suffix: str = ""

    def text(self, size: int) -> str:
        """Return the text with as many repetitions as `size` bytes allow, at least one."""
        unit = _size(self.fragment) + _size(self.mirrored) + 4 * self.fragment.count("#")
        count = max(1, (size - _size(self.prefix) - _size(self.suffix)) // unit)
        body = self.fragment * count
        if "#" in self.fragment:
            body = "".join(self.fragment.replace("#", str(number)) for number in range(count))
        return f"{self.prefix}{body}{self.mirrored * count}{self.suffix}"


def _size(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


def patterns(count: int, seed: int) -> Iterable[Pattern]:
    """Yield random patterns; the same number of the same seed is the same pattern."""
    for number in range(count):
        yield pattern(random.Random(f"{seed} {number}"))


def pattern(chance: random.Random) -> Pattern:
    """Return a random pattern."""
    fragment = _fragment(chance)
    prefix, suffix = chance.choice(PLACES) if chance.random() < 0.6 else ("", "")
    if chance.random() < 0.25:
        prefix += _piece(chance)
    if chance.random() < 0.25:
        suffix = _piece(chance) + suffix
    if chance.random() < 0.2:
        suffix = chance.choice(["", suffix[: chance.randrange(len(suffix) + 1)]])
    mirrored = ""
    if chance.random() < 0.2:
        mirrored = "".join(CLOSERS[mark] for mark in reversed(fragment) if mark in CLOSERS)
    elif chance.random() < 0.1:
        mirrored = _piece(chance)
    return Pattern(prefix, fragment, mirrored, suffix)


def _fragment(chance: random.Random) -> str:
    fragment = "".join(_piece(chance) for _ in range(chance.choice([1, 1, 2, 2, 3, 4, 6])))
    for _ in range(chance.choice([0, 0, 1, 2])):
        offset = chance.randrange(len(fragment) + 1)
        fragment = fragment[:offset] + chance.choice(["", _piece(chance)]) + fragment[offset + chance.choice([0, 1]) :]
    return fragment or "a"


def _piece(chance: random.Random) -> str:
    if chance.random() < 0.3:
        return chance.choice(VOCABULARY_PIECES)
    return chance.choice(chance.choice(GROUPS))
