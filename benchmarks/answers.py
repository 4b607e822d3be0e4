"""Response times of the language server directly after an edit. No response can come from a cache of the text.

Part of `make bench-lsp`; `python -m benchmarks answers` runs it alone.
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
"""The capabilities of current editors."""

# Name → maximum milliseconds, method, position: a text and an offset from its start.
ASKED: dict[str, tuple[float, str, tuple[str, int]]] = {
    "completion: properties": (30, "textDocument/completion", ('"label": ', -1)),
    "completion: a page id": (30, "textDocument/completion", ('"pageId": "', 11)),
    "completion: a path": (30, "textDocument/completion", ('"path": "', 11)),
    "completion: nodes": (30, "textDocument/completion", ('"children": [', 13)),
    "hover: a property": (30, "textDocument/hover", ('"label": ', 2)),
    "hover: a plain value": (30, "textDocument/hover", ('"title": "', 12)),
    "hover: a reference": (30, "textDocument/hover", ('"pageId": "', 12)),
    "definition": (30, "textDocument/definition", ('"pageId": "', 12)),
    "references": (30, "textDocument/references", ('"pageId": "', 12)),
    "highlight": (30, "textDocument/documentHighlight", ('"pageId": "', 12)),
    "rename: may I": (30, "textDocument/prepareRename", ('"pageId": "', 12)),
    "linked editing": (30, "textDocument/linkedEditingRange", ('"id": "page-', 9)),
    "code actions at a block": (30, "textDocument/codeAction", ('"type": "Table"', 10)),
    "code actions at a page": (30, "textDocument/codeAction", ('"type": "Page"', 10)),
    "semantic tokens in sight": (5, "textDocument/semanticTokens/range", ('"type": "Table"', 0)),
    "outline": (150, "textDocument/documentSymbol", ("", 0)),
}


UNTIMED = {
    "textDocument/formatting": "on a save",
    "textDocument/semanticTokens/full": "proportional to the text; editors request it after a pause",
    "textDocument/diagnostic": "the same work as the diagnostics after an edit",
    "textDocument/onTypeFormatting": "after a new line only",
    "textDocument/rename": "at most once a minute; `prepareRename` finds the same name",
    "textDocument/foldingRange": "proportional to the text; editors request it after a pause",
    "textDocument/selectionRange": "on a key stroke of its own",
}
"""Requests about a document that are not measured → the reason."""


def check_complete() -> None:
    """Fail for a request that is neither measured nor exempt."""
    timed = {method for _, method, _ in ASKED.values()}
    assert timed | UNTIMED.keys() == set(document_requests()), timed ^ UNTIMED.keys() ^ set(document_requests())


class Place:
    """The offset, line and character of a mark in the second half of a text."""

    def __init__(self, text: str, what: tuple[str, int]) -> None:
        mark, by = what
        half = len(text) // 2
        mark = mark if mark in text else mark.replace(": ", ":")
        after = text.find(mark, half)
        self.offset = (after if after >= 0 else text.index(mark)) + by
        self.line, self.character = position(text, self.offset)


def position(text: str, offset: int) -> tuple[int, int]:
    """Return line and character of an offset. The texts contain no surrogate pairs."""
    return text.count("\n", 0, offset), offset - text.rfind("\n", 0, offset) - 1


def params_of(method: str, text: str, place: Place) -> dict[str, object]:
    """Return the parameters of a request about a place."""
    here = {"line": place.line, "character": place.character}
    params: dict[str, object] = {"textDocument": {"uri": URI}, "position": here}
    if method == "textDocument/semanticTokens/range":
        last = text.count("\n")
        first = {"line": max(0, place.line - LINES_SEEN // 2), "character": 0}
        params["range"] = {"start": first, "end": {"line": min(last, place.line + LINES_SEEN // 2), "character": 0}}
        if not last:  # For a single line, an editor requests the visible columns or all of them.
            params["range"] = {"start": here, "end": {"line": 0, "character": place.character + 2000}}
    elif method == "textDocument/codeAction":
        params |= {"range": {"start": here, "end": here}, "context": {"diagnostics": []}}
    elif method == "textDocument/references":
        params["context"] = {"includeDeclaration": True}
    return params


def measured(editor: Editor, text: str) -> dict[str, list[float]]:
    """Return the seconds of every request. An edit precedes each."""
    at = position(text, text.index('"', text.index('"title":', len(text) // 2 - 2000) + 8) + 1)
    taken: dict[str, list[float]] = {name: [] for name in ASKED}
    for number in range(ROUNDS):
        for name, (_, method, where) in ASKED.items():
            # Replace one letter of a title, so that all offsets stay the same.
            editor.edit((at[0], at[1], at[1] + 1, "xy"[number % 2]))
            params = params_of(method, text, Place(text, where))
            start = time.perf_counter()
            result = editor.request(method, params)
            taken[name].append(time.perf_counter() - start)
            assert result is not None, name
    return taken


def main() -> bool:
    """Print the times; return whether all keep their limits."""
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
