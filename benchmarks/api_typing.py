"""The cost of an OpenAPI description of 1,000 operations for typing: edits with it, without it, and while it is read.

The document has 250 KB and bindings that the description has. No warning is expected.
"""

from __future__ import annotations

import json
import random
import statistics
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.answers import CLIENT, Place, params_of, position
from benchmarks.api_samples import document_of, samples
from benchmarks.editor import OURS, Editor
from benchmarks.real_apis import OPERATIONS, description
from rui_openapi.description.api import read_api

SIZE = 250_000
BLOCKS_A_PAGE = 20
ROUNDS = 60
PADDING = 10_000
"""Characters of the description of each operation, so that the file has 10 MB."""

MAX_RATIO = 2.0
"""Maximum time from an edit to the diagnostics, as a multiple of the time without a description."""

MAX_LOADING_RATIO = 3.0
"""Maximum of the median while the description is read, as a multiple of that without a description."""

MAX_ANSWER = 3.0
"""Maximum time of a request about a binding, as a multiple of the time without a description; completion lists more."""

ANSWERS = {
    "hover of a path": ("textDocument/hover", ('"path": "', 11), MAX_ANSWER),
    "completion of a value path": ("textDocument/completion", ('"valuePath": "', 14), MAX_ANSWER),
    "completion of 1,000 paths": ("textDocument/completion", ('"path": "', 11), 6.0),
}


def main() -> bool:
    """Print the ratios; return whether they keep their limits."""
    value = description(OPERATIONS)
    for path in value["paths"].values():  # type: ignore[attr-defined]
        path["get"]["description"] = "x" * PADDING
    kept = True
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "openapi.json"
        file.write_text(json.dumps(value), encoding="utf-8")
        text = document(str(file))
        with (
            Editor(OURS, pulls=False, capabilities=CLIENT) as without,
            Editor(OURS, pulls=False, capabilities=CLIENT, options={"rui": {"openapi": str(file)}}) as with_api,
        ):
            print(f"\nA document of {len(text):,} characters, a description of {file.stat().st_size:,} bytes")
            without.open(text)
            with_api.open(text)
            loading, taken = edits_while_loading(with_api, text)
            base = statistics.median(edits(without, text))
            ratio = statistics.median(loading) / base
            print(f"  the description is there after {taken:.2f} s")
            kept &= report("edit while it is read", statistics.median(loading), base, ratio, MAX_LOADING_RATIO)
            rounds = [(edits(without, text), edits(with_api, text)) for _ in range(3)]
            base = statistics.median([one for pair in rounds for one in pair[0]])
            seconds = statistics.median([one for pair in rounds for one in pair[1]])
            kept &= report("edit with it", seconds, base, seconds / base, MAX_RATIO)
            for name, (method, where, limit) in ANSWERS.items():
                base, seconds = (asked(editor, text, method, where) for editor in (without, with_api))
                kept &= report(name, seconds, base, seconds / base, limit)
    return kept


def report(name: str, seconds: float, base: float, ratio: float, limit: float) -> bool:
    """Print a line; return whether the limit is kept."""
    is_kept = ratio <= limit
    state = "ok" if is_kept else "MISSED"
    print(f"  {name:32}{seconds * 1e3:8.2f} ms {base * 1e3:8.2f} ms without {ratio:6.2f} (at most {limit})  {state}")
    return is_kept


def document(file: str) -> str:
    """Return a document of `SIZE` characters with bindings of the description."""
    api = read_api(file)
    chosen = [sample.block() for sample in samples(api, random.Random(1), 1500)]
    pages: list[object] = []
    text = ""
    while len(text) < SIZE and chosen:
        part, chosen = chosen[:BLOCKS_A_PAGE], chosen[BLOCKS_A_PAGE:]
        page = document_of(part)["pages"][0]  # type: ignore[index]
        number = len(pages)
        for index, block in enumerate(page["children"][0]["children"]):
            block["id"] = f"block-{number}-{index}"
        page["children"][0]["id"] = f"main-{number}"
        pages.append({**page, "id": f"page-{number}"})
        items = [{"pageId": f"page-{index}"} for index in range(len(pages))]
        text = json.dumps({"version": "0.1", "meta": {}, "navigation": {"items": items}, "pages": pages}, indent=2)
    return text


def edits(editor: Editor, text: str, rounds: int = ROUNDS) -> list[float]:
    """Return the seconds from an edit of a title to its diagnostics."""
    line, character = position(text, text.index('"', text.index('"title":', len(text) // 2) + 8) + 1)
    taken = []
    for number in range(rounds):
        found, seconds = editor.edit((line, character, character + 1, "xy"[number % 2]))
        assert not found, found[:2]
        taken.append(seconds)
    return taken


def edits_while_loading(editor: Editor, text: str) -> tuple[list[float], float]:
    """Return the seconds of the edits until the description is there, and how long that took."""
    start = time.perf_counter()
    taken: list[float] = []
    place = Place(text, ('"path": "', 11))
    while "List things" not in str(editor.request("textDocument/hover", params_of("textDocument/hover", text, place))):
        taken += edits(editor, text, 4)
        time.sleep(0.02)
        assert time.perf_counter() - start < 60
    return taken, time.perf_counter() - start


def asked(editor: Editor, text: str, method: str, where: tuple[str, int]) -> float:
    """Return the median seconds of a request directly after an edit."""
    place = Place(text, where)
    taken = []
    for _ in range(11):
        edits(editor, text, 1)
        start = time.perf_counter()
        editor.request(method, params_of(method, text, place))
        taken.append(time.perf_counter() - start)
    return statistics.median(taken)


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
