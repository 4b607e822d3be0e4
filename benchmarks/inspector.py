"""Time of the inspector's pages for the largest document that the service accepts, compared with `json.dumps`.

The garbage collector is configured as in the service. No page is cached between runs.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial

from benchmarks.sample import sample
from benchmarks.timing import print_ratios, side_by_side
from rui_api.commands.serve import freeze_gc
from rui_common.vocabulary.rules import MAX_BODY_BYTES
from rui_inspector.html.comparison.page import ComparedDocument, comparison_page
from rui_inspector.html.pages import Host, Query, document_page, spec_page

ROUNDS = 20
LIMIT = 2.5
"""Maximum time of the page of a stored document, as a multiple of `json.dumps(indent=2)` of the same document."""

HOST = Host("/inspector.css", "/inspector.js", "/inspector.svg", "/", address="/specs/x", action="/")


def largest() -> bytes:
    """Return the largest sample that the service accepts, as it is stored."""
    size = MAX_BODY_BYTES
    while True:
        text = json.dumps(sample(size, indent=None), ensure_ascii=False, separators=(",", ":")).encode()
        if len(text) <= MAX_BODY_BYTES:
            return text
        size -= 1_000


def inspect(stored: bytes, query: Query) -> bytes:
    """Return the page of a stored document, as the service sends it."""
    return spec_page(json.loads(stored), HOST, json_url="/x", compare_url="/y", query=query).encode()


def main() -> bool:
    """Print the times; return whether the limit is met."""
    freeze_gc()
    stored = largest()
    value = json.loads(stored)
    blocks = sum(len(section["children"]) for page in value["pages"] for section in page["children"])
    text = json.dumps(value, ensure_ascii=False, indent=2)
    other = json.loads(text.replace('"label": "', '"label": "New '))  # every label differs
    one, same, changed = (ComparedDocument(document, "x", "/x") for document in (value, value, other))
    functions: dict[str, Callable[[], object]] = {
        "json.dumps, indented": partial(json.dumps, value, indent=2),
        "stored document": partial(inspect, stored, Query()),
        "stored document, searched": partial(inspect, stored, Query("orders")),
        "comparison with itself": partial(comparison_page, one, same, HOST),
        "comparison, each label changed": partial(comparison_page, one, changed, HOST),
        "text that is not stored": partial(document_page, text, HOST),
    }
    title = f"Pages of {len(stored):,} bytes, {blocks} blocks"
    seconds = side_by_side(functions, ROUNDS)
    return print_ratios(title, seconds, "json.dumps, indented", {"stored document": LIMIT})


if __name__ == "__main__":
    main()
