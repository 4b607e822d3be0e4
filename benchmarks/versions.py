"""How long comparing two documents of 256 KB takes, beside `json.loads` of one of them.

The pairs are those that a matching by similarity is slow for: nothing in common, every list reversed, every id renamed.
"""

from __future__ import annotations

import json
import statistics
from collections.abc import Callable, Iterator
from functools import partial

from benchmarks import Row, in_turns, median_ratio, timed
from rui_common.versions.compare import compare
from rui_common.versions.match import match
from tests.inputs.sample import largest_text, sample

ROUNDS = 10
MAX_RATIO = 150.0
"""`json.loads` takes 3 to 6 ms: half a second at most."""

SIZE = 250_000


def rows(options: list[str]) -> Iterator[Row]:
    """Yield the ratios of comparisons."""
    assert not options
    text = largest_text()
    value = json.loads(text)
    pairs: dict[str, object] = {
        "the same": json.loads(text),
        "each label changed": json.loads(text.replace('"label":"', '"label":"New ')),
        "each id renamed": json.loads(text.replace('"id":"', '"id":"new-').replace('"pageId":"', '"pageId":"new-')),
        "each list reversed": _reversed(value),
        "nothing in common": json.loads(_other_text()),
    }
    functions: dict[str, Callable[[], object]] = {"json.loads": partial(json.loads, text)}
    for name, other in pairs.items():
        functions[f"comparison, {name}"] = partial(compare, value, other)
    functions["matching for a merge, each id renamed"] = partial(match, value, pairs["each id renamed"], strict=True)
    found = in_turns({name: timed(function) for name, function in functions.items()}, ROUNDS)
    base = found.pop("json.loads")
    for name, seconds in found.items():
        detail = f"{statistics.median(seconds) * 1e3:.0f} ms, {statistics.median(base) * 1e3:.1f} ms"
        yield Row(f"{name}, beside json.loads", median_ratio(seconds, base), MAX_RATIO, detail=detail)


def _other_text() -> str:
    """Return a document of other ids, endpoints, fields and words: each of its strings has one more character."""

    def changed(value: object, name: str = "") -> object:
        if isinstance(value, dict):
            return {key: changed(inner, key) for key, inner in value.items()}
        if isinstance(value, list):
            return [changed(inner) for inner in value]
        if isinstance(value, str) and name not in ("type", "method", "version", "direction", "format"):
            return f"{value}z"
        return value

    return json.dumps(changed(sample(SIZE, indent=None, seed=2)))


def _reversed(value: object) -> object:
    """Return a copy in which every list is reversed."""
    if isinstance(value, dict):
        return {name: _reversed(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [_reversed(inner) for inner in reversed(value)]
    return value
