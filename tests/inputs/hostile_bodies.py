"""Bodies of up to 256 KB, each with the maximum work for one part of the service.

The benchmark compares the most expensive of them with `json.loads` of a valid body of that size.
"""

# ruff: noqa: E501  tables of odd texts

from __future__ import annotations

import json
from functools import cache
from typing import Any

from rui_common.describe import minimal_example
from rui_common.vocabulary.rules import MAX_BODY_BYTES
from tests.inputs.hostile_texts import Pattern
from tests.inputs.sample import sample_text

SIZE = MAX_BODY_BYTES
SHORT = 16_384


@cache
def hostile_bodies() -> dict[str, bytes]:
    """Return all bodies by name. None is longer than the limit of the service."""
    broken = {**_broken(), **_spoiled()}
    short = {f"{name}, short": _beginning(body) for name, body in broken.items() if len(body) > SHORT}
    return {name: body[:SIZE] for name, body in {**_json(), **_references(), **broken, **short}.items()}


def _beginning(body: bytes) -> bytes:
    """Return the first 16 KB of a text."""
    return body.decode(errors="ignore")[:SHORT].encode()


def _filled(start: str, unit: str, end: str) -> bytes:
    """Repeat `unit` between `start` and `end` up to the maximum size, with the number of the repetition for ``#``."""
    return Pattern(start, unit, suffix=end).text(SIZE).encode()


def _around(**props: object) -> tuple[str, str]:
    """Return the text of a minimal RUI before and after a place in its `meta`, or in other properties."""
    document: dict[str, Any] = minimal_example() | {"meta": {"@": 0}} | props
    before, _, after = json.dumps(document, separators=(",", ":")).partition('"@":0')
    return before, after


def _root(unit: str) -> bytes:
    before, behind = _around()
    return _filled(before[: before.index('"meta":')], unit, before[before.index('"meta":') :] + behind)


def _json() -> dict[str, bytes]:
    """Return JSON bodies, most of them not RUI."""
    before, behind = _around()
    return {
        "pages that are numbers": _filled('{"version":"0.1","meta":{},"navigation":{},"pages":[0', ",0", "]}"),
        "pages that are empty objects": _filled('{"pages":[{}', ",{}", "]}"),
        "unknown properties": _root('"p#":0,'),
        "unknown properties like known ones": _root('"page#":0,"versio#":1,"navigatio#":2,'),
        "one unknown property, very long": _root('"' + "x" * 200_000 + '":0,'),
        "one key again and again": _root('"meta":0,'),
        "open object, many properties": _filled(before, '"p#":0,', '"q":0' + behind),
        "open object, large integers": _filled(before + '"a":[', "9" * 300 + ",", "0]" + behind),
        "open object, arrays in arrays": _filled(before + '"a":[', "[" * 200 + "]" * 200 + ",", "0]" + behind),
        "open object, objects in objects": _filled(
            before + '"a":[', '{"":' * 200 + "0" + "}" * 200 + ",", "0]" + behind
        ),
        "one long text": _filled(before + '"a":"', "x", '"' + behind),
        "one long text of escapes": _filled(before + '"a":"', "\\u00e9", '"' + behind),
        "backslashes": _filled(before + '"a":"', "\\\\", '"' + behind),
        "spaces": _filled("{", " ", "}"),
        "255 levels": b"[" * 255 + b"]" * 255,
        "an array for the root": _filled("[0", ",0", "]"),
    }


def _page(children: str) -> str:
    return f'{{"id":"p","type":"Page","title":"","children":[{{"id":"s","type":"Section","direction":"row","children":[{children}]}}]}}'


def _in_section(unit: str) -> bytes:
    head = '{"version":"0.1","meta":{},"navigation":{"items":[{"pageId":"p"}]},"pages":['
    before, _, behind = _page("@").partition("@")
    return _filled(head + before, unit + ",", '{"id":"last","type":"Text","content":""}' + behind + "]}")


def _references() -> dict[str, bytes]:
    """Return many similar names with references, and nodes with many errors."""
    page = '{"id":"@#","type":"Page","title":"","children":[{"id":"s@#","type":"Section","direction":"row","children":[]}]}'
    item = '{"pageId":"$#"}'
    head = '{"version":"0.1","meta":{},"navigation":{"items":['
    pages = '],"pages":['

    def linked(stem: str, other: str, items: int) -> bytes:
        links = ",".join(item.replace("$", other).replace("#", str(number)) for number in range(items))
        return _filled(
            head + links + pages, page.replace("@", stem) + ",", page.replace("@", "z").replace("#", "0") + "]}"
        )

    metric = (
        '{"id":"#","type":"Metric","label":1,"binding":{"type":"read","method":"POST","path":"x","valuePath":"a["}}'
    )
    columns = '{"id":"t#","type":"Table","binding":{"type":"read","method":"GET","path":"/"},"columns":[%s],"filter":{"field":"kk"}}'
    return {
        "300 references, near names": linked("page-number-", "page-numbre-", 300),
        "references, letters in another order": linked("abcdefghijklmnop-", "ponmlkjihgfedcba-", 300),
        "one id": _in_section('{"id":"a","type":"Text","content":""}'),
        "ids of the wrong form": _in_section('{"id":"Not An Id #","type":"Text","content":""}'),
        "one id of 200,000 letters": _in_section('{"id":"' + "a" * 200_000 + '","type":"Text","content":""}'),
        "unknown types": _in_section('{"id":"a#","type":"Textt#"}'),
        "bindings that are wrong": _in_section(metric),
        "a table of many columns": _in_section(columns % ",".join(f'{{"key":"k{number}"}}' for number in range(15_000))),
        "tables whose filters lead nowhere": _in_section(columns % ",".join(f'{{"key":"k{number}"}}' for number in range(40))),
        "one fault at the end": _in_section('{"id":"a#","type":"Text","content":"x"}')[:-60] + b'{"id":"A","type":"Text","content":""}]}]}]}',
    }  # fmt: skip


def _broken() -> dict[str, bytes]:
    """Return texts that are not JSON."""
    units = {
        "opening brackets": "[", "opening braces": "{", "closing brackets": "]", "brackets of both sorts": "[{",
        "wrong pairs": "[}", "keys that open": '{"a":', "quotes": '"', "two quotes": '""', "odd quotes": '"a" "',
        "single quotes": "'a':'b',", "commas": ",", "colons": ":", "backslashes": "\\", "escaped quotes": '\\"',
        "zeros": "0", "minuses": "-", "words": "undefined ", "True": "True,", "nul": "nul,", "comments": "// a\n",
        "block comments": "/* a */", "open comments": "/*", "semicolons": ";", "NaN": "NaN,", "bytes": "\x00",
        "letters": "a", "strings without commas": '"a" ', "members without commas": '"a":1 ', "numbers without commas": "1 ",
        "objects without commas": "{}", "trailing commas": '[1,],', "keys without quotes": "a:1,", "keys alone": '"a",',
        "keys without values": '"a":,', "keys and keys": '"a":"b":', "line breaks in strings": '"a\n',
        "tabs in strings": '"a\tb",', "bad escapes": '"\\x",', "lone surrogates": '"\\ud800",', "large numbers": "1e999,",
        "leading zeros": "01,", "spaces of another sort": "\u00a0", "curly quotes": "“a”:“b”,", "XML": "<a>", "YAML": "- a: b\n",
        "JSON lines": "{}\n", "ends of objects": '}', "objects closed by brackets": '{"a":[1},', "opened in steps": '{"a":[\n  ',
        "Python": "{'a': None, 'b': (1, 2)}, ", "quotes in strings": '{"a":"b "c" d"},', "half a string": '{"a":"b},\n',
    }  # fmt: skip
    found = {}
    for name, unit in units.items():
        found[f"{name}"] = _filled("", unit, "")
        found[f"{name} in an array"] = _filled("[", unit, "]")
        found[f"{name} in an object"] = _filled('{"a":1,', unit, "}")
        found[f"{name} in a string"] = _filled('{"a":"', unit, '"}')
    found["no UTF-8"] = b'{"a":"' + b"\xff" * 200_000 + b'"}'
    found["UTF-16"] = ("[" * 100_000).encode("utf-16-le")
    return found


def _spoiled() -> dict[str, bytes]:
    """Return a valid document broken in many places, or in one."""
    text = sample_text(250_000)
    compact = sample_text(230_000, indent=None)
    found = {
        "no quotes at all": text.replace('"', ""), "no commas": text.replace(",\n", "\n"), "no colons": text.replace('": ', '" '),
        "single for double quotes": text.replace('"', "'"), "no closing braces": text.replace("}", ""),
        "no closing brackets": text.replace("]", ""), "brackets for braces": text.replace("{", "[").replace("}", "]"),
        "trailing commas everywhere": text.replace("\n ", ",\n "), "every tenth quote gone": _without(text, '"', 10),
        "every third brace gone": _without(text, "}", 3), "every second comma gone": _without(text, ",", 2),
        "cut in the middle": text[:125_000], "cut at the end": text[:-3], "first brace gone": text[1:],
        "a comma too many at the end": text[:-2] + ",\n}", "quote gone in the middle": _less(text, text.index('"', 125_000)),
        "brace gone in the middle": _less(text, text.index("}", 125_000)), "bracket too many": text[:125_000] + "]" + text[125_000:],
        "everything twice": text[:125_000] * 2, "half a surrogate at the end": text[:-2] + ',"a":"\\ud800"}',
        "number too large at the end": text.rstrip("}\n") + ',"a":1e999}', "escaped once more": json.dumps(compact)[1:-1],
    }  # fmt: skip
    on_one_line = {f"{name}, on one line": " ".join(text.split("\n")) for name, text in found.items()}
    return {name: text.encode()[:SIZE] for name, text in {**found, **on_one_line}.items()}


def _without(text: str, mark: str, each: int) -> str:
    parts = text.split(mark)
    return "".join(part + ("" if number % each == 0 else mark) for number, part in enumerate(parts))


def _less(text: str, at: int) -> str:
    return text[:at] + text[at + 1 :]
