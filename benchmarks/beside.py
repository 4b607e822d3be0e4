"""What a slow request costs others: edits and hovers while one runs, beside the same ones while nothing does.

Part of `make bench-lsp`; `python -m benchmarks beside` shows it alone.
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
"""Milliseconds that a slow request may add to any other."""

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
    "workspace symbols": ("workspace/symbol", {"query": "table"}),
    "all semantic tokens": ("textDocument/semanticTokens/full", DOCUMENT),
    "outline": ("textDocument/documentSymbol", DOCUMENT),
}


class Typist:
    """An editor that asks for something slow, and goes on typing and pointing."""

    def __init__(self, editor: Editor, text: str) -> None:
        self._editor = editor
        self._at = position(text, text.index('"', text.index('"title":', len(text) // 2 - 2000) + 8) + 1)
        self._hover = params_of("textDocument/hover", text, Place(text, ('"label": ', 2)))
        self._letters = itertools.cycle("xy")

    def slow(self, method: str, params: dict[str, object]) -> list[float]:
        """Seconds of the hovers that are asked for while a request is served."""
        number = self._editor.post(method, params)
        taken: list[float] = []
        while not self._editor.is_answered(number):
            taken.append(self._pointed())
        return taken

    def edit(self) -> None:
        """Make what is known of the text out of date."""
        self._editor.edit((*self._at, self._at[1] + 1, next(self._letters)))

    def alone(self, count: int) -> list[float]:
        """Seconds of so many hovers while nothing else is served."""
        return [self._pointed() for _ in range(count)]

    def _pointed(self) -> float:
        """Seconds of a hover, less what the editor itself takes to decode what comes in, as long answers do."""
        start, decoding = time.perf_counter(), self._editor.decoding
        self._editor.request("textDocument/hover", self._hover)
        return time.perf_counter() - start - (self._editor.decoding - decoding)


def main() -> bool:
    """Print the delays; whether all keep the limit."""
    text = sample_text(SIZE)
    broken = text.replace('"format": "number"', '"format": "numbre"')
    kept = True
    print(
        f"\nHovers while something slow is served, {SIZE // 1000} KB: ms that the slowest one takes longer than the"
        " slowest of as many alone"
    )
    with tempfile.TemporaryDirectory() as folder:
        for number in range(FILES):
            (Path(folder) / f"{number}.rui.json").write_text(sample_text(SIZE // 10, seed=number), encoding="utf-8")
        for name, (method, params) in SLOW.items():
            with Editor(OURS, pulls=False, capabilities=CLIENT, folder=folder) as editor:
                editor.open(broken if name == "fixAll" else text)
                editor.warm()
                typist = Typist(editor, text)
                slowest, alone, count = [], [], 0
                for _ in range(ROUNDS):
                    typist.edit()
                    taken = typist.slow(method, params)
                    count += len(taken)
                    slowest.append(max(taken) * 1e3)
                    typist.edit()
                    alone.append(max(typist.alone(len(taken))) * 1e3)
                delay = statistics.median(slowest) - statistics.median(alone)
                kept = kept and delay <= MAX_DELAY
                verdict = "ok    " if delay <= MAX_DELAY else "MISSED"
                about = f"{statistics.median(slowest):.1f} of {count // ROUNDS}, alone {statistics.median(alone):.1f}"
                print(f"  {name:28}{delay:8.2f}  limit {MAX_DELAY:.0f}  {verdict}  the slowest: {about}")
    return kept


if __name__ == "__main__":
    main()
