"""The delay that a slow request adds to hovers, compared with the same hovers without it.

Part of `make bench-lsp`; `python -m benchmarks interference` runs it alone.
"""

from __future__ import annotations

import itertools
import statistics
import tempfile
import time
from pathlib import Path

from benchmarks.answers import CLIENT, SIZE, Place, params_of, position
from benchmarks.editor import OURS, URI, Editor
from benchmarks.sample import sample_text

MAX_DELAY = 5.0
"""Maximum milliseconds that a slow request may add to another."""

ROUNDS = 4
FILES = 40

SPAN = {"start": {"line": 0, "character": 0}, "end": {"line": 100_000, "character": 0}}
DOCUMENT = {"textDocument": {"uri": URI}}

SLOW: dict[str, tuple[str, dict[str, object]]] = {
    "formatting": ("textDocument/formatting", {**DOCUMENT, "options": {"tabSize": 2, "insertSpaces": True}}),
    "fixAll": (
        "textDocument/codeAction",
        {**DOCUMENT, "range": SPAN, "context": {"diagnostics": [], "only": ["source.fixAll.rui"]}},
    ),
    "workspace diagnostics": ("workspace/diagnostic", {"previousResultIds": []}),
    "all semantic tokens": ("textDocument/semanticTokens/full", DOCUMENT),
    "outline": ("textDocument/documentSymbol", DOCUMENT),
}


class Typist:
    """An editor that sends a slow request, and continues to edit and hover."""

    def __init__(self, editor: Editor, text: str) -> None:
        self._editor = editor
        self._at = position(text, text.index('"', text.index('"title":', len(text) // 2 - 2000) + 8) + 1)
        self._hover = params_of("textDocument/hover", text, Place(text, ('"label": ', 2)))
        self._letters = itertools.cycle("xy")

    def slow(self, method: str, params: dict[str, object]) -> list[float]:
        """Seconds of each hover while a request is served."""
        number = self._editor.post(method, params)
        seconds: list[float] = []
        while not self._editor.is_answered(number):
            seconds.append(self._hover_seconds())
        return seconds

    def edit(self) -> None:
        """Invalidate the caches of the text."""
        self._editor.edit((*self._at, self._at[1] + 1, next(self._letters)))

    def alone(self, count: int) -> list[float]:
        """Seconds of `count` hovers without another request."""
        return [self._hover_seconds() for _ in range(count)]

    def _hover_seconds(self) -> float:
        """Seconds of a hover, without the time in which this client decodes messages."""
        start, decoding = time.perf_counter(), self._editor.decoding
        self._editor.request("textDocument/hover", self._hover)
        return time.perf_counter() - start - (self._editor.decoding - decoding)


def main() -> bool:
    """Print the delays; return whether all are within the limit."""
    text = sample_text(SIZE)
    broken = text.replace('"format": "number"', '"format": "numbre"')
    kept = True
    print(
        f"\nHovers during a slow request, {SIZE // 1000} KB: ms between the slowest one and the slowest of as many"
        " without the request"
    )
    with tempfile.TemporaryDirectory() as folder:
        for number in range(FILES):
            (Path(folder) / f"{number}.rui.json").write_text(sample_text(SIZE // 10, seed=number), encoding="utf-8")
        for name, (method, params) in SLOW.items():
            with Editor(OURS, pulls=False, capabilities=CLIENT, folder=folder) as editor:
                editor.open(broken if name == "fixAll" else text)
                typist = Typist(editor, text)
                slowest: list[float] = []
                alone: list[float] = []
                count = 0
                for _ in range(ROUNDS):
                    typist.edit()
                    seconds = typist.slow(method, params)
                    count += len(seconds)
                    slowest.append(max(seconds) * 1e3)
                    typist.edit()
                    alone.append(max(typist.alone(len(seconds))) * 1e3)
                delay = statistics.median(slowest) - statistics.median(alone)
                kept = kept and delay <= MAX_DELAY
                verdict = "ok    " if delay <= MAX_DELAY else "MISSED"
                about = f"{statistics.median(slowest):.1f} of {count // ROUNDS}, alone {statistics.median(alone):.1f}"
                print(f"  {name:28}{delay:8.2f}  limit {MAX_DELAY:.0f}  {verdict}  the slowest: {about}")
    return kept


if __name__ == "__main__":
    main()
