"""Malformed and hostile input: every surface gives the same verdict, and none crashes (docs/decisions.md, section 4).

This file contains bytes, sizes and depths. The corpus tests/cases contains readable texts.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

import pytest

from rui_common.syntax.document import Document, read
from rui_common.validation.diagnostics import Diagnostic, diagnose, is_error
from rui_common.vocabulary.rules import MAX_BODY_BYTES, MAX_DEPTH, MAX_ERRORS
from rui_lsp.client.convert import MAX_DIAGNOSTICS
from tests.rui_api.live import Service
from tests.rui_cli.running import rui
from tests.rui_lsp.lsp_client import Client
from tests.strategies import sound_document

Json = Any

LIMIT = MAX_BODY_BYTES
SOUND = json.dumps(sound_document(random.Random(1)))


def sound(*blocks: Json, meta: str = "{}", **more: Json) -> bytes:
    """Return a document with these blocks and properties. It is valid if they are. `meta` is JSON text."""
    children = [*blocks, {"id": "t", "type": "Text", "content": ""}]
    section = {"id": "s", "type": "Section", "direction": "row", "children": children}
    page = {"id": "p", "type": "Page", "title": "", "children": [section]}
    document = {"version": "0.1", "meta": "META", "navigation": {"items": [{"pageId": "p"}]}, "pages": [page], **more}
    return json.dumps(document).replace('"META"', meta).encode()


def nested(levels: int, opening: str = "[", closing: str = "]", core: str = "") -> str:
    """Return `core` inside `levels` pairs of brackets."""
    return opening * levels + core + closing * levels


def nested_sections(count: int) -> Json:
    """Return `count` nested sections. Each adds two levels."""
    node: Json = {"id": "inner", "type": "Text", "content": ""}
    for number in range(count):
        node = {"id": f"section-{number}", "type": "Section", "direction": "row", "children": [node]}
    return node


COLUMNS = {"id": "x", "type": "Table", "columns": ["C"]}

NO_JSON: dict[str, bytes] = {
    # 256 KB of brackets and of other marks that a reader counts, stores or searches the end of
    **{f"256 KB of {unit!r}": unit.encode() * (LIMIT // len(unit.encode())) for unit in (
        "[", "]", "{", "}", "[]", "{}", "}{", "][", '{"a":', '[{"a":', "[[],", '{"a"}', '{"a":}', "[1 ", "{a ", "[,",
        '"', '"\n', "'", "\\", "\\u", ",", ":", "-", "1", "1.", "e", "a ", "tru", "/", "//\n", "/*", "*/", "#", "<!--",
        "\n", "\r", " ", "\t", "\0", "\x7f", "“", "😀", "\u2028", "\ufeff",
    )},
    "brackets that close": nested(LIMIT // 2).encode(),
    "objects that close": nested(40_000, '{"a":', "}", "1").encode(),
    "a string of backslashes": b'"' + b"\\" * (LIMIT - 1),
    "a string of halves of pairs": b'["' + b"\\ud800" * 40_000 + b'"]',
    "a string without an end": b'{"version": "' + b"x" * 200_000,
    # depth
    "257 levels of arrays": sound(meta=nested(256)),
    "257 levels of objects in meta": sound(meta=nested(256, '{"a":', "}", "1")),
    "257 levels in a column": sound(COLUMNS).replace(b'"C"', nested(251).encode()),
    "257 levels of arrays alone": nested(257).encode(),
    "100,000 levels in a property that does not count": b'{"a": ' + nested(100_000).encode() + b', "a": 1}',
    # numbers
    "1e400": sound(meta='{"a": 1e400}'),
    "-1e400": sound(meta='{"a": [-1e400]}'),
    "1e999999999": sound(meta='{"a": 1e999999999}'),
    "an integer of 400 digits": sound(meta='{"a": %s}' % ("9" * 400)),
    "an integer of 5,000 digits": sound(meta='{"a": %s}' % ("1" * 5_000)),
    "an integer of 200,000 digits": sound(meta='{"a": %s}' % ("1" * 200_000)),
    "NaN": sound(meta='{"a": NaN}'),
    "-Infinity": sound(meta='{"a": -Infinity}'),
    # characters
    "half of a pair": sound(meta='{"a": "\\ud800"}'),
    "half of a pair in a name": sound(meta='{"\\uDFFF": 1}'),
    "half of a pair, encoded": sound(meta='{"a": "X"}').replace(b"X", b"\xed\xa0\x80"),
    "a pair, each half encoded": sound(meta='{"a": "X"}').replace(b"X", b"\xed\xa0\xbd\xed\xb8\x80"),
    "NUL in a string": sound(meta='{"a": "\0"}'),
    "NUL between tokens": sound().replace(b" ", b"\0", 1),
    "NUL behind the document": sound() + b"\0",
    "Latin-1": sound(meta='{"a": "X"}').replace(b"X", "größe".encode("latin-1")),
    "an overlong slash": sound(meta='{"a": "X"}').replace(b"X", b"\xc0\xaf"),
    "beyond Unicode": sound(meta='{"a": "X"}').replace(b"X", b"\xf4\x90\x80\x80"),
    "a character cut off": b'{"a": "\xf0\x9f\x98',
    "UTF-16 with a mark": SOUND.encode("utf-16"),
    "UTF-16 LE without a mark": SOUND.encode("utf-16-le"),
    "UTF-16 BE without a mark": SOUND.encode("utf-16-be"),
    "UTF-32 with a mark": SOUND.encode("utf-32"),
    "UTF-32 BE without a mark": SOUND.encode("utf-32-be"),
    "UTF-7": b'+AHsAfQ-',
    "two byte-order marks": b"\xef\xbb\xbf\xef\xbb\xbf" + SOUND.encode(),
    "a byte-order mark alone": b"\xef\xbb\xbf",
    "half a byte-order mark": b"\xef\xbb",
    "nothing": b"",
    "every byte": bytes(range(256)),
    "gzip": bytes.fromhex("1f8b0800000000000003abae050043bfa6a302000000"),
}  # fmt: skip

JSON_THAT_IS_ODD: dict[str, bytes] = {
    "256 levels of arrays": sound(meta='{"a": ' + nested(254) + "}"),
    "256 levels of objects": sound(meta=nested(254, '{"a":', "}", "{}")),
    "255 levels": sound(meta='{"a": ' + nested(253) + "}"),
    "sections in sections in sections": sound(nested_sections(122)),
    "an integer of 308 digits": sound(meta='{"a": %s}' % ("9" * 308)),
    "1e308, 1e-400, -0": sound(meta='{"a": [1e308, 1e-400, -0, -0.0, 0e999]}'),
    "an escaped NUL": sound(meta='{"\\u0000": "\\u0000"}'),
    "noncharacters": sound(meta='{"a": "\uffff\U0010ffff\ufdd0"}'),
    "a byte-order mark": b"\xef\xbb\xbf" + SOUND.encode(),
    "a byte-order mark in a string": sound(meta='{"a": "\ufeff"}'),
    "10,000 repeated keys": sound(meta="{" + '"a": 0, ' * 10_000 + '"a": 0}'),
    "10,000 keys, each twice": sound(meta="{" + ", ".join(f'"{n}": 0, "{n}": 1' for n in range(7_000)) + "}"),
    "a long name": sound(**{"k" * 200_000: 0}),
    "a long id and a long type": sound({"id": "A_" * 50_000, "type": "T" * 100_000, "content": ""}),
    "a long value where another belongs": sound({"id": "x", "type": "Text", "content": ["y" * 200_000]}),
    "15,000 unknown properties": sound(**{f"key-{number}": 0 for number in range(15_000)}),
    "20,000 pages that are none": sound(pages=[0] * 20_000),
    "2,000 columns of one key": sound({"id": "x", "type": "Table", "columns": [{"key": "k"}] * 2_000}),
    "2,000 blocks of one id": sound(*[{"id": "t", "type": "Text", "content": ""}] * 2_000),
    "an empty object": b"{}",
    "space around": b" \n\r\t" * 1_000 + SOUND.encode() + b" \n\r\t" * 1_000,
    "exactly 256 KB": SOUND.encode().ljust(LIMIT),
    "an array": b"[]", "a string": b'"x"', "a number": b"-0", "null": b"null", "false": b" false ",
    "256 levels alone": nested(MAX_DEPTH).encode(),
}  # fmt: skip

INPUTS = NO_JSON | JSON_THAT_IS_ODD
MAX_SHOWN = 1_000
"""Diagnostics of a text that is shown with code frames; tests/test_linear_time.py shows larger ones."""


def check_sound(document: Document, found: list[Diagnostic]) -> None:
    """Check the properties that the diagnostics of every text have."""
    is_rui = document.valid and isinstance(document.value, dict)
    assert any(one.rule == "R0" for one in found) == (not is_rui)
    assert document.valid == (not document.syntax)
    for one in found:
        start, end = one.span
        assert 0 <= start <= end <= len(document.text)
        if not document.text.startswith("/*", start):  # the span of a comment covers all of its lines
            assert not set("\r\n") & set(document.text[start : max(start, end - 1)])
        assert one.message


@pytest.mark.parametrize("name", INPUTS)
def test_core_and_command_line_have_an_answer(name: str) -> None:
    document = read(INPUTS[name])
    assert document.valid == (name in JSON_THAT_IS_ODD)
    found = diagnose(document)
    check_sound(document, found)
    code = int(any(is_error(one) for one in found))
    ran = rui("check", "--format", "json", "-", stdin=INPUTS[name])
    assert (ran.code, ran.err) == (code, "")
    assert [item["code"] for item in json.loads(ran.out)] == [one.code for one in found]
    if len(found) <= MAX_SHOWN:
        ran = rui("check", "-", stdin=INPUTS[name])
        assert (ran.code, ran.err) == (code, "")


@pytest.mark.parametrize("name", INPUTS)
def test_the_service_has_an_answer(name: str, service: Service) -> None:
    document = read(INPUTS[name])
    answer = service.post("/api/validate", INPUTS[name])
    body = answer.json()
    if name in NO_JSON or not isinstance(document.value, dict):
        assert answer.status_code == 400
        assert [(item["code"], item["path"]) for item in body["errors"]] == [("INVALID_JSON", "")]
    else:
        errors = [one for one in diagnose(document) if is_error(one)]
        assert answer.status_code == 200
        assert body["valid"] == (not errors)
        assert [item["code"] for item in body.get("errors", [])] == [one.code for one in errors[:MAX_ERRORS]]
        assert body.get("truncated", False) == (len(errors) > MAX_ERRORS)


def decoded(raw: bytes) -> str | None:
    """Return the text that an editor shows for a file, or None if it cannot decode the file."""
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        return None


@pytest.mark.parametrize("name", [name for name, raw in INPUTS.items() if decoded(raw) is not None])
def test_the_editor_has_an_answer(name: str, editor: Client) -> None:
    text = decoded(INPUTS[name])
    assert text is not None
    uri = f"file:///{list(INPUTS).index(name)}.rui.json"
    editor.open(uri, text)
    expected = [one.code for one in diagnose(read(text))]
    assert [item["code"] for item in editor.diagnostics(uri, 1)] == expected[:MAX_DIAGNOSTICS]
    editor.close(uri)


# Valid texts with random damage ---------------------------------------------------------------------------------------

PIECES = (
    "{", "}", "[", "]", ",", ":", '"', "'", "\\", "/*", "//", "\n", "\r\n", "\t", "\0", "é", "😀", "\ud83d", "\ufeff",
    "null", "tru", "-", "1e999", "0x", "\\u12", "\\ud800", '"id"', '"type": ', "  ", "[[[[", "}}}",
)  # fmt: skip


def damaged(text: str, chance: random.Random) -> str:
    """Remove, insert or repeat something, or end the text early."""
    at = chance.randrange(len(text) + 1)
    part = text[at : at + chance.choice((1, 2, 20))]
    return chance.choice((
        text[:at] + text[at + len(part) :], text[:at] + chance.choice(PIECES) + text[at:], text[:at] + part + text[at:],
        text[:at],
    ))  # fmt: skip


def damaged_texts(count: int) -> Iterator[str]:
    for seed in range(count):
        chance = random.Random(seed)
        text = json.dumps(sound_document(chance), ensure_ascii=False, indent=chance.choice((None, 2)))
        for _ in range(chance.randint(1, 4)):
            text = damaged(text, chance)
        yield text


def is_json(text: str) -> bool:
    """Return whether Python's reader accepts the text, without the values that section 4 excludes."""

    def refuse(_: str) -> None:
        raise ValueError

    def number(digits: str) -> float:
        value = float(digits)
        if value in (float("inf"), float("-inf")):
            raise ValueError
        return value

    try:
        value = json.loads(text.removeprefix("\ufeff"), parse_constant=refuse, parse_float=number)
        json.dumps(value, ensure_ascii=False).encode()  # no half of a surrogate pair
    except (ValueError, RecursionError):
        return False
    return True


def test_damaged_texts_have_the_right_verdict_and_sound_diagnostics() -> None:
    verdicts = set()
    for text in damaged_texts(1_500):
        document = read(text)
        assert document.valid == is_json(text), text
        verdicts.add(document.valid)
        check_sound(document, diagnose(document))
    assert verdicts == {True, False}


def test_bytes_that_are_changed_at_random_have_an_answer() -> None:
    for seed in range(500):
        chance = random.Random(seed)
        raw = bytearray(SOUND.encode())
        for _ in range(chance.randint(1, 5)):
            raw[chance.randrange(len(raw))] = chance.randrange(256)
        document = read(bytes(raw))
        check_sound(document, diagnose(document))
