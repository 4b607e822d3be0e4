"""Server time of the inspector for a document as large as the service takes, beside `json.dumps` of the same.

The garbage collector is set as the service sets it. No page is kept from one run to the next.
"""

from __future__ import annotations

import gc
import json
import statistics
import time
from collections.abc import Callable
from functools import partial

from benchmarks.sample import sample
from benchmarks.timing import print_ratios, side_by_side
from rui_api.process import settle
from rui_common.vocabulary.rules import MAX_BODY_BYTES
from rui_inspector.html.pages import Host, Query, Side, comparison_page, document_page, spec_page

ROUNDS = 30
LIMIT_MS = 30.0
"""Milliseconds of processor time that the page of a stored spec may take (the limit that this project set itself)."""

HOST = Host("/inspector.css", "/inspector.js", "/inspector.svg", "/", address="/specs/x", action="/")


def largest() -> bytes:
    """The largest sample that the service takes, as it stores it."""
    size = MAX_BODY_BYTES
    while True:
        text = json.dumps(sample(size, indent=None), ensure_ascii=False, separators=(",", ":")).encode()
        if len(text) <= MAX_BODY_BYTES:
            return text
        size -= 1_000


def inspect(stored: bytes, query: Query) -> bytes:
    """What the service does between the store's answer and its own."""
    return spec_page(json.loads(stored), HOST, json_url="/x", compare_url="/y", query=query).encode()


def processor_ms(function: Callable[[], object]) -> list[float]:
    """Milliseconds of processor time of every run but the first."""
    taken = []
    for _ in range(ROUNDS + 1):
        gc.collect()
        start = time.process_time()
        function()
        taken.append((time.process_time() - start) * 1e3)
    return taken[1:]


def main() -> bool:
    """Print the times; whether the limit is kept."""
    settle()
    stored = largest()
    value = json.loads(stored)
    blocks = sum(len(section["children"]) for page in value["pages"] for section in page["children"])
    text = json.dumps(value, ensure_ascii=False, indent=2)
    functions: dict[str, Callable[[], object]] = {
        "json.dumps, indented": partial(json.dumps, value, indent=2),
        "stored spec": partial(inspect, stored, Query()),
        "stored spec, searched": partial(inspect, stored, Query("orders")),
        "comparison with itself": partial(comparison_page, Side(value, "a", "/a"), Side(value, "b", "/b"), HOST),
        "text that is not stored": partial(document_page, text, HOST),
    }
    print_ratios(
        f"Pages of {len(stored):,} bytes, {blocks} blocks", side_by_side(functions, 10), "json.dumps, indented", {}
    )
    taken = processor_ms(functions["stored spec"])
    median, least = statistics.median(taken), min(taken)
    kept = median <= LIMIT_MS
    verdict = "pass" if kept else "miss"
    print("\nProcessor time of the page of a stored spec")
    print(f"  median {median:.1f} ms, least {least:.1f} ms; limit {LIMIT_MS:.0f} ms  {verdict}")
    return kept


if __name__ == "__main__":
    main()
