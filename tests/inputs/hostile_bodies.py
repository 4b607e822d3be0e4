"""Bodies of up to 256 KB, each with the maximum work for one part of the service.

The benchmark compares the most expensive of them with `json.loads` of a valid body of that size.
"""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from rui_common.describe import minimal_example
from rui_common.vocabulary.rules import MAX_BODY_BYTES
from tests.inputs.hostile_texts import BROKEN, COMMENTS, ESCAPES, MARKS, NUMBERS, QUOTES, WORDS, Pattern
from tests.inputs.sample import sample_text

PLACES = {"alone": ("", ""), "in a list": ("[", "]"), "in an object": ('{"a":1,', "}"), "in a string": ('{"a":"', '"}')}


@cache
def hostile_bodies() -> dict[str, bytes]:
    """Return all bodies by name. None is longer than the limit of the service."""
    units = [*MARKS, *QUOTES, *ESCAPES, *NUMBERS, *COMMENTS, *BROKEN, *WORDS[::3], "True,", "{}\n", "- a: b\n"]
    found = {
        f"{unit!r} {name}": Pattern(start, unit, suffix=end) for unit in units for name, (start, end) in PLACES.items()
    }
    texts = {name: pattern.text(MAX_BODY_BYTES) for name, pattern in {**found, **_values(), **_nodes()}.items()}
    bodies = {name: text.encode("utf-8", "surrogatepass") for name, text in {**texts, **_spoiled()}.items()}
    return {name: body[:MAX_BODY_BYTES] for name, body in bodies.items()}


def _values() -> dict[str, Pattern]:
    """Return JSON of many properties, many numbers, or long texts, in the root and in an open object."""
    document: dict[str, Any] = minimal_example() | {"meta": {"@": 0}}
    before, _, after = json.dumps(document, separators=(",", ":")).partition('"@":0')
    root = before[: before.index('"meta":')]
    return {
        "unknown properties": Pattern(root, '"page#":0,"versio#":1,"navigatio#":2,', suffix='"meta":{' + after),
        "one unknown property, very long": Pattern(root + '"', "x", suffix='":0,"meta":{' + after),
        "one key again and again": Pattern(root, '"meta":0,', suffix='"meta":{' + after),
        "pages that are numbers": Pattern('{"version":"0.1","meta":{},"navigation":{},"pages":[0', ",0", suffix="]}"),
        "open object, many properties": Pattern(before, '"p#":0,', suffix='"q":0' + after),
        "open object, large integers": Pattern(before + '"a":[', "9" * 300 + ",", suffix="0]" + after),
        "open object, arrays in arrays": Pattern(before + '"a":[', "[" * 200 + "]" * 200 + ",", suffix="0]" + after),
        "one long text": Pattern(before + '"a":"', "x", suffix='"' + after),
        "one long text of escapes": Pattern(before + '"a":"', "\\u00e9", suffix='"' + after),
        "255 levels": Pattern("[" * 254, " ", suffix="]" * 254),
    }


def _nodes() -> dict[str, Pattern]:
    """Return many similar names with references, and nodes with many errors."""
    section = '{"id":"s#","type":"Section","direction":"row","children":['
    page = f'{{"id":"@#","type":"Page","title":"","children":[{section}]}}]}},'
    in_section = '{"version":"0.1","meta":{},"navigation":{"items":[]},"pages":[' + page.partition("]}")[0]
    columns = ",".join(f'{{"key":"k{number}"}}' for number in range(40))
    table = f'{{"id":"t#","type":"Table","binding":{{}},"columns":[{columns}],"filter":{{"field":"kk"}}}},'
    found = {}
    for name, other in (("page-number-", "page-numbre-"), ("abcdefghijklmnop-", "ponmlkjihgfedcba-")):
        items = ",".join(f'{{"pageId":"{other}{number}"}}' for number in range(300))
        head = f'{{"version":"0.1","meta":{{}},"navigation":{{"items":[{items}]}},"pages":['
        found[f"references to {other}"] = Pattern(head, page.replace("@", name), suffix="null]}")
    for name, unit in {
        "one id": '{"id":"a","type":"Text","content":""},',
        "ids of the wrong form": '{"id":"Not An Id #","type":"Text","content":""},',
        "unknown types": '{"id":"a#","type":"Textt#"},',
        "wrong bindings": '{"id":"#","type":"Metric","label":1,"binding":{"method":1,"path":"x","valuePath":"a["}},',
        "tables whose filters lead nowhere": table,
    }.items():  # fmt: skip
        found[name] = Pattern(in_section, unit, suffix="null]}]}]}")
    found["a table of many columns"] = Pattern(
        in_section + table.partition('{"key"')[0], '{"key":"k#"},', suffix='null],"filter":{"field":"kk"}}]}]}]}'
    )
    return found


def _spoiled() -> dict[str, str]:
    """Return a valid document broken in many places, or in one."""
    text = sample_text(250_000)
    half = len(text) // 2
    found = {f"no {mark}": text.replace(mark, "") for mark in ('"', ",", ":", "}", "]")}
    found |= {
        "single for double quotes": text.replace('"', "'"), "trailing commas": text.replace("\n ", ",\n "),
        "brackets for braces": text.replace("{", "[").replace("}", "]"), "cut in the middle": text[:half],
        "cut at the end": text[:-3], "first brace gone": text[1:], "a comma too many at the end": text[:-2] + ",\n}",
        "bracket too many": text[:half] + "]" + text[half:], "half twice": text[:half] * 2,
        "half a surrogate at the end": text[:-2] + ',"a":"\\ud800"}', "escaped once more": json.dumps(text)[1:-1],
        "number too large at the end": text.rstrip("}\n") + ',"a":1e999}',
    }  # fmt: skip
    on_one_line = {f"{name}, on one line": broken.replace("\n", " ") for name, broken in found.items()}
    return found | on_one_line
