"""Request bodies for the comparison of two JSON readers: valid and invalid RUI documents in unusual notation.

They have duplicate keys, needless escapes, numbers in every form, `type` after the properties that depend on it, and
unusual whitespace. In others, bytes are changed, removed or doubled. Most of them remain valid JSON and
many remain valid RUI. Only these can show a difference: the typed decoder declines all others without a result.
"""

import json
import random
from collections.abc import Iterator
from typing import Any

from tests.support.strategies import ODD_VALUES, MeantGenerator, mutate, sound_document

Json = Any
Random = random.Random

NUMBERS = (
    "0", "-0", "1", "-1", "1.0", "-0.0", "1e5", "1E+2", "1e-7", "1e400", "-1e400", "1e-400", "0.1",
    "123456789012345678", "9007199254740992", "9007199254740993", "-9007199254740993", "18446744073709551616",
    "9" * 308, "9" * 309,
    "1" + "0" * 308, "9" * 400, "5e-324", "1.7976931348623157e308", "1.7976931348623159e308", "1e21", "1e22", "1e16",
    "123456789.123456789", "01", "1.", ".5", "+1", "NaN", "Infinity", "-", "0x1", "1e", "1_000",
)  # fmt: skip
VALUES = (
    *NUMBERS, '""', '"\\u0000"', '"\\ud800"', '"\\ud83d\\ude00"', '"\\udc00\\ud800"', '"\\/"', '"\\u2028"', '"a\nb"',
    '"\t"', '"\\x"', '"\\u12"', "null", "true", "false", "nul", "True", "{}", "[]", "[1,2,3]", "[0.5]", '{"b":1,"a":2}',
    '{"\ue000":1,"\U0001f600":2}', '{"é":1,"z":2,"a":{"c":1,"b":[{"z":1,"y":2}]}}',
    '{"type":"Text","id":"a","content":"x"}',
    '{"id":"a","type":"Page"}', "[[[[[[1]]]]]]", "[" * 120 + "]" * 120, "[" * 252 + "]" * 252, "[" * 260 + "]" * 260,
    '{"a":1,"a":2}', '"' + "x" * 65 + '"', '"Text"', '"Metric"', '"0.1"', '"page-1"', '"\ufeff"', '"\x7f"', '"<\\"{"',
)  # fmt: skip
SPACES = ("", "", "", "", " ", "\n", "\t", "\r\n", "  ", "\x0c", "\u00a0")
PIECES = (
    b"\xef\xbb\xbf", b"\x00", b"\xff", b"\xed\xa0\x80", b"\xc0\x80", b"\\ud800", b"\\u0061", b"\\", b'"', b",", b":",
    b"{", b"}", b"[", b"]", b" ", b"1", b"a", b"\n", b"//", b"\xe2\x80\xa8", b"e5", b".0", b"null", b"\x7f",
    b'"type":"Text",',
)  # fmt: skip
OPEN = ("meta", "items", "columns", "filter")


class DeclaredGenerator(MeantGenerator):
    """Generator of valid documents whose open objects have declared properties alone."""

    extensions = ()
    options = ({"value": "a", "label": "A"}, {"value": "b"})


def bodies(chance: Random, incomplete: int) -> Iterator[bytes]:
    """Yield bodies endlessly: one in unusual notation, then `incomplete` copies of it with damaged bytes, and so on."""
    while True:
        written = _written(chance)
        yield written
        for _ in range(incomplete):
            broken = written
            for _ in range(chance.choice((1, 1, 1, 2, 5))):
                broken = _incomplete(broken, chance)
            yield broken


def _written(chance: Random) -> bytes:
    document = sound_document(chance) if chance.random() < 0.2 else DeclaredGenerator(chance).document()
    if chance.random() < 0.3:
        document = mutate(document, chance, chance.choice((1, 1, 2, 4)))
    oddity = chance.choice((0.0, 0.0, 0.01, 0.03, 0.1))
    return _Writer(chance, oddity).write(document, open_=False).encode("utf-8", "surrogatepass")


class _Writer:
    def __init__(self, chance: Random, oddity: float) -> None:
        self._chance = chance
        self._oddity = oddity

    def _odd(self) -> bool:
        return self._chance.random() < self._oddity

    def _space(self) -> str:
        return self._chance.choice(SPACES) if self._odd() else ""

    def write(self, value: Json, *, open_: bool) -> str:
        """Return `value` as JSON, possibly broken. An object that is `open_` may get additional properties."""
        if isinstance(value, dict):
            return self._object(value, open_=open_)
        if isinstance(value, list):
            return f"[{self._space()}{f',{self._space()}'.join(self.write(part, open_=open_) for part in value)}]"
        if isinstance(value, str):
            return self._string(value)
        if self._chance.random() < 10 * self._oddity and isinstance(value, int | float) and not isinstance(value, bool):
            return self._chance.choice(NUMBERS)
        return json.dumps(value, ensure_ascii=self._odd())

    def _object(self, value: dict[str, Json], *, open_: bool) -> str:
        members = [
            f"{self._string(name)}{self._space()}:{self._space()}{self.write(inner, open_=open_ or name in OPEN)}"
            for name, inner in value.items()
        ]
        if value and self._odd():  # a duplicate key, before or after the other one
            name = self._chance.choice(list(value))
            other = value[name] if self._chance.random() < 0.5 else self._chance.choice(ODD_VALUES)
            again = f"{self._string(name)}:{json.dumps(other)}"
            members.insert(self._chance.randint(0, len(members)), again)
        if open_ and self._chance.random() < self._oddity:
            name = self._chance.choice(("x", "é", "type", "id", "a b", "\U0001f600", "\ue000", "label", "title", ""))
            members.insert(self._chance.randint(0, len(members)), f"{self._string(name)}:{self._chance.choice(VALUES)}")
        if self._odd():
            self._chance.shuffle(members)
        return f"{{{self._space()}{f'{self._space()},'.join(members)}}}{self._space()}"

    def _string(self, text: str) -> str:
        if not self._odd():
            return json.dumps(text, ensure_ascii=False)
        units = text.encode("utf-16-be", "surrogatepass")
        escaped = "".join(f"\\u{units[index]:02x}{units[index + 1]:02X}" for index in range(0, len(units), 2))
        return (
            f'"{escaped}"'
            if self._chance.random() < 0.7
            else json.dumps(text + self._chance.choice(("\n", "é", "/", " ")))
        )


def _incomplete(body: bytes, chance: Random) -> bytes:
    start, end = sorted((chance.randrange(len(body) + 1), chance.randrange(len(body) + 1)))
    end = min(end, start + chance.choice((1, 1, 2, 8, 40)))
    return chance.choice((
        body[:start] + body[end:],
        body[:start] + chance.choice(PIECES) + body[start:],
        body[:start] + chance.choice(PIECES) + body[end:],
        body[:end] + body[start:end] + body[end:],
        body[:start] + bytes([chance.randrange(256)]) + body[start + 1 :],
        body + chance.choice(PIECES),
        chance.choice(PIECES) + body,
    ))  # fmt: skip
