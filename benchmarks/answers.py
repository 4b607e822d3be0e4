"""What an author asks for right after an edit: every answer is about a text that was never asked about before.

Part of `make bench-lsp`; `python -m benchmarks answers` shows it alone.
"""

from __future__ import annotations

import statistics
import time

from benchmarks.editor import OURS, URI, Editor
from benchmarks.sample import sample_text
from tests.rui_lsp.marked import document_requests

ROUNDS = 11
LINES_SEEN = 60
SIZE = 250_000

CLIENT = {
    "textDocument": {
        "documentSymbol": {"hierarchicalDocumentSymbolSupport": True},
        "completion": {"completionItem": {"snippetSupport": True}},
        "codeAction": {"resolveSupport": {"properties": ["edit"]}},
    }
}
"""What today's editors say that they can do."""

# What is asked → milliseconds that it may take at most, and where: after which text, so many characters on.
ASKED: dict[str, tuple[float, str, tuple[str, int]]] = {
    "completion: properties": (5, "textDocument/completion", ('"label": ', -1)),
    "completion: a page id": (5, "textDocument/completion", ('"pageId": "', 11)),
    "completion: a path": (5, "textDocument/completion", ('"path": "', 11)),
    "completion: nodes": (5, "textDocument/completion", ('"children": [', 13)),
    "hover: a property": (5, "textDocument/hover", ('"label": ', 2)),
    "hover: a plain value": (5, "textDocument/hover", ('"title": "', 12)),
    "hover: a reference": (5, "textDocument/hover", ('"pageId": "', 12)),
    "definition": (5, "textDocument/definition", ('"pageId": "', 12)),
    "references": (5, "textDocument/references", ('"pageId": "', 12)),
    "highlight": (5, "textDocument/documentHighlight", ('"pageId": "', 12)),
    "rename: may I": (5, "textDocument/prepareRename", ('"pageId": "', 12)),
    "code actions at a block": (5, "textDocument/codeAction", ('"type": "Table"', 10)),
    "code actions at a page": (5, "textDocument/codeAction", ('"type": "Page"', 10)),
    "code lens": (5, "textDocument/codeLens", ("", 0)),
    "inlay hints in sight": (5, "textDocument/inlayHint", ('"type": "Table"', 0)),
    "semantic tokens in sight": (2, "textDocument/semanticTokens/range", ('"type": "Table"', 0)),
    "outline": (30, "textDocument/documentSymbol", ("", 0)),
}


UNTIMED = {
    "textDocument/formatting": "in the worker process; `interference` measures the delay of others",
    "textDocument/rangeFormatting": "in the worker process",
    "textDocument/semanticTokens/full": "in slices of time; `interference` measures the delay of others",
    "textDocument/semanticTokens/full/delta": "in slices of time",
    "textDocument/diagnostic": "the same work as the diagnostics after an edit",
    "textDocument/onTypeFormatting": "after a new line only",
    "textDocument/rename": "at most once a minute; `prepareRename` finds the same name",
    "textDocument/documentLink": "proportional to the text; editors request it after a pause",
    "textDocument/foldingRange": "proportional to the text; editors request it after a pause",
    "textDocument/selectionRange": "on a key stroke of its own",
}
"""The requests about a document that are not timed, and why."""


def check_complete() -> None:
    """Fail for a request that is neither timed nor exempt."""
    timed = {method for _, method, _ in ASKED.values()}
    assert timed | UNTIMED.keys() == set(document_requests()), timed ^ UNTIMED.keys() ^ set(document_requests())


class Place:
    """A place of a text, with a line of its own to type in: one where the kind of edit keeps the document valid."""

    def __init__(self, text: str, what: tuple[str, int]) -> None:
        mark, by = what
        half = len(text) // 2
        mark = mark if mark in text else mark.replace(": ", ":")
        after = text.find(mark, half)
        self.offset = (after if after >= 0 else text.index(mark)) + by
        self.line, self.character = position(text, self.offset)


def position(text: str, offset: int) -> tuple[int, int]:
    """Line and character of an offset; the texts here have no character that takes two units."""
    return text.count("\n", 0, offset), offset - text.rfind("\n", 0, offset) - 1


def params_of(method: str, text: str, place: Place) -> dict[str, object]:
    """The parameters of a request about a place."""
    here = {"line": place.line, "character": place.character}
    params: dict[str, object] = {"textDocument": {"uri": URI}, "position": here}
    if method in {"textDocument/inlayHint", "textDocument/semanticTokens/range"}:
        last = text.count("\n")
        first = {"line": max(0, place.line - LINES_SEEN // 2), "character": 0}
        params["range"] = {"start": first, "end": {"line": min(last, place.line + LINES_SEEN // 2), "character": 0}}
        if not last:  # On one line an editor asks for the columns in sight, or for all.
            params["range"] = {"start": here, "end": {"line": 0, "character": place.character + 2000}}
    elif method == "textDocument/codeAction":
        params |= {"range": {"start": here, "end": here}, "context": {"diagnostics": []}}
    elif method == "textDocument/references":
        params["context"] = {"includeDeclaration": True}
    return params


def measured(editor: Editor, text: str) -> dict[str, list[float]]:
    """Seconds of every request, each right after an edit."""
    at = position(text, text.index('"', text.index('"title":', len(text) // 2 - 2000) + 8) + 1)
    taken: dict[str, list[float]] = {name: [] for name in ASKED}
    for number in range(ROUNDS):
        for name, (_, method, where) in ASKED.items():
            # An edit that leaves everything in its place: a letter of a title for another.
            editor.edit((at[0], at[1], at[1] + 1, "xy"[number % 2]))
            params = params_of(method, text, Place(text, where))
            start = time.perf_counter()
            result = editor.request(method, params)
            taken[name].append(time.perf_counter() - start)
            assert result is not None, name
    return taken


def main() -> bool:
    """Print the times; whether all keep their limits."""
    check_complete()
    kept = True
    print("\nFrom a request to its answer, the first one after an edit: median and worst ms")
    print(f"  {'':28}{'250 KB':>10}{'worst':>8}{'on one line':>14}{'worst':>8}{'limit':>8}")
    columns = []
    for indent in (2, None):
        text = sample_text(SIZE, indent=indent)
        with Editor(OURS, pulls=False, capabilities=CLIENT) as editor:
            editor.open(text)
            columns.append(measured(editor, text))
    for name, (limit, _, _) in ASKED.items():
        medians = [statistics.median(column[name]) * 1e3 for column in columns]
        worst = [max(column[name]) * 1e3 for column in columns]
        is_kept = max(medians) <= limit
        kept = kept and is_kept
        print(
            f"  {name:28}{medians[0]:10.2f}{worst[0]:8.2f}{medians[1]:14.2f}{worst[1]:8.2f}{limit:8.0f}"
            f"  {'ok' if is_kept else 'MISSED'}"
        )
    return kept


if __name__ == "__main__":
    main()
