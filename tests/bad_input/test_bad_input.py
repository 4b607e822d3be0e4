"""Malformed and hostile input: every surface gives the same verdict, and none crashes (docs/decisions.md, section 4).

This file contains bytes, sizes and depths. The corpus tests/cases contains readable texts.
"""

import json
import random
from itertools import islice
from typing import Any

import pytest

from rui_common.syntax.document import Document, read
from rui_common.validation.analysis import Analysis
from rui_common.validation.diagnostics import Diagnostic, is_error
from rui_common.vocabulary.rules import MAX_BODY_BYTES, MAX_DEPTH, MAX_ERRORS
from rui_lsp.session.diagnostics import MAX_DIAGNOSTICS
from tests.inputs.odd_bodies import bodies
from tests.rui_api.live import Service
from tests.rui_cli.running import rui
from tests.rui_lsp.lsp_client import Client
from tests.support.nightly import seeds
from tests.support.strategies import sound_document

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
    # 64 KB of brackets and of other marks that a reader counts, stores or searches the end of
    **{f"64 KB of {unit!r}": unit.encode() * (LIMIT // 4 // len(unit.encode())) for unit in (
        "[", '{"a":', '"', "\\u", "-", "a ", "/*", "\0", "“",
    )},
    "a string of backslashes": b'"' + b"\\" * (LIMIT - 1),
    "a string without an end": b'{"version": "' + b"x" * 200_000,
    # depth
    "257 levels of arrays": sound(meta=nested(256)),
    "257 levels in a column": sound(COLUMNS).replace(b'"C"', nested(251).encode()),
    "20,000 levels in a property that does not count": b'{"a": ' + nested(20_000).encode() + b', "a": 1}',
    # numbers
    "1e400": sound(meta='{"a": 1e400}'),
    "an integer of 400 digits": sound(meta='{"a": %s}' % ("9" * 400)),
    "an integer of 200,000 digits": sound(meta='{"a": %s}' % ("1" * 200_000)),
    "NaN": sound(meta='{"a": NaN}'),
    # characters
    "half of a pair": sound(meta='{"a": "\\ud800"}'),
    "half of a pair, encoded": sound(meta='{"a": "X"}').replace(b"X", b"\xed\xa0\x80"),
    "a pair, each half encoded": sound(meta='{"a": "X"}').replace(b"X", b"\xed\xa0\xbd\xed\xb8\x80"),
    "NUL in a string": sound(meta='{"a": "\0"}'),
    "NUL between tokens": sound().replace(b" ", b"\0", 1),
    "Latin-1": sound(meta='{"a": "X"}').replace(b"X", "größe".encode("latin-1")),
    "an overlong slash": sound(meta='{"a": "X"}').replace(b"X", b"\xc0\xaf"),
    "beyond Unicode": sound(meta='{"a": "X"}').replace(b"X", b"\xf4\x90\x80\x80"),
    "a character cut off": b'{"a": "\xf0\x9f\x98',
    "UTF-16 with a mark": SOUND.encode("utf-16"),
    "UTF-16 LE without a mark": SOUND.encode("utf-16-le"),
    "UTF-32 with a mark": SOUND.encode("utf-32"),
    "UTF-7": b'+AHsAfQ-',
    "two byte-order marks": b"\xef\xbb\xbf\xef\xbb\xbf" + SOUND.encode(),
    "a byte-order mark alone": b"\xef\xbb\xbf",
    "nothing": b"",
    "every byte": bytes(range(256)),
    "gzip": bytes.fromhex("1f8b0800000000000003abae050043bfa6a302000000"),
}  # fmt: skip

JSON_THAT_IS_ODD: dict[str, bytes] = {
    "256 levels of arrays": sound(meta='{"a": ' + nested(254) + "}"),
    "256 levels of objects": sound(meta=nested(254, '{"a":', "}", "{}")),
    "sections in sections in sections": sound(nested_sections(122)),
    "an integer of 308 digits": sound(meta='{"a": %s}' % ("9" * 308)),
    "1e308, 1e-400, -0": sound(meta='{"a": [1e308, 1e-400, -0, -0.0, 0e999]}'),
    "an escaped NUL": sound(meta='{"\\u0000": "\\u0000"}'),
    "a byte-order mark": b"\xef\xbb\xbf" + SOUND.encode(),
    "10,000 repeated keys": sound(meta="{" + '"a": 0, ' * 10_000 + '"a": 0}'),
    "a long name": sound(**{"k" * 200_000: 0}),
    "a long id and a long type": sound({"id": "A_" * 50_000, "type": "T" * 100_000, "content": ""}),
    "a long value where another belongs": sound({"id": "x", "type": "Text", "content": ["y" * 200_000]}),
    "4,000 unknown properties": sound(**{f"key-{number}": 0 for number in range(4_000)}),
    "4,000 pages that are none": sound(pages=[0] * 4_000),
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
    assert any(diagnostic.rule == "R0" for diagnostic in found) == (not is_rui)
    assert document.valid == (not document.syntax)
    for diagnostic in found:
        start, end = diagnostic.span
        assert 0 <= start <= end <= len(document.text)
        if not document.text.startswith("/*", start):  # the span of a comment covers all of its lines
            assert not set("\r\n") & set(document.text[start : max(start, end - 1)])
        assert diagnostic.message


def decoded(raw: bytes) -> str | None:
    """Return the text that an editor shows for a file, or None if it cannot decode the file."""
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        return None


@pytest.mark.parametrize("name", INPUTS)
def test_every_surface_has_the_same_answer(name: str, service: Service, editor: Client) -> None:
    raw = INPUTS[name]
    document = read(raw)
    assert document.valid == (name in JSON_THAT_IS_ODD)
    found = Analysis(document).diagnostics
    check_sound(document, found)
    codes = [diagnostic.code for diagnostic in found]
    errors = [diagnostic.code for diagnostic in found if is_error(diagnostic)]
    for options in (["--format", "json"], []) if len(found) <= MAX_SHOWN else (["--format", "json"],):
        ran = rui("check", *options, "-", stdin=raw)
        assert (ran.code, ran.err) == (int(bool(errors)), "")
        assert not options or [item["code"] for item in json.loads(ran.out)] == codes
    answer = service.post("/api/validate", raw)
    body = answer.json()
    if not document.valid or not isinstance(document.value, dict):
        assert answer.status_code == 400
        assert [(item["code"], item["path"]) for item in body["errors"]] == [("INVALID_JSON", "")]
    else:
        assert (answer.status_code, body["valid"]) == (200, not errors)
        assert [item["code"] for item in body.get("errors", [])] == errors[:MAX_ERRORS]
        assert body.get("truncated", False) == (len(errors) > MAX_ERRORS)
    text = decoded(raw)
    if text is not None:
        uri = f"file:///{list(INPUTS).index(name)}.rui.json"
        editor.open(uri, text)
        shown = [diagnostic.code for diagnostic in Analysis(read(text)).diagnostics]
        items = editor.diagnostics(uri, 1)[:MAX_DIAGNOSTICS]  # A further item counts those that are left out.
        assert [item["code"] for item in items] == shown[:MAX_DIAGNOSTICS]
        editor.close(uri)


def test_damaged_texts_have_sound_diagnostics() -> None:
    verdicts = set()
    for body in islice(bodies(random.Random(seeds(2)[-1]), 3), len(seeds(300))):
        document = read(body)
        verdicts.add(document.valid)
        check_sound(document, Analysis(document).diagnostics)
    assert verdicts == {True, False}
