"""Folding: every object and array that is more than one line long, and nothing else. Brackets are enough for that."""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rui_lsp.client.convert import Json
    from rui_lsp.documents.workspace import Workspace

METHOD = "textDocument/foldingRange"

# A string that is not closed ends with its line.
_STRING = re.compile(rb'"[^"\\\n]*(?:\\[^\n][^"\\\n]*)*"?')
_OTHER = bytes(set(range(256)) - set(b"[]{}\n"))
_PAIR = re.compile(rb"\{\}|\[\]")
_OPENED_BY = {ord("}"): ord("{"), ord("]"): ord("[")}


def answer(workspace: Workspace, params: Json) -> list[Json] | None:
    """``textDocument/foldingRange``: whole lines, outer ones first; as many as the client wants at most."""
    opened = workspace.document_of(params)
    found = sorted(folds(str(opened.text)))
    client = workspace.client.capabilities
    for name in ("textDocument", "foldingRange", "rangeLimit"):
        client = client.get(name) if isinstance(client, dict) else None
    if isinstance(client, int) and 0 < client < len(found):
        found = sorted(sorted(found, key=lambda fold: fold[2])[:client])
    return [{"startLine": start, "endLine": end} for start, end, _ in found]


def folds(text: str) -> list[tuple[int, int, int]]:
    """(first line, last line, depth) of everything that can be folded.

    The line of the closing bracket stays to be seen. Of several that begin in one line the outermost counts. A
    closing bracket that closes nothing is passed over; what is never closed is not folded.
    """
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    brackets = _STRING.sub(b"", text.encode("utf-8", "surrogatepass")).translate(None, _OTHER)
    open_brackets: list[tuple[int, int]] = []
    found: dict[int, tuple[int, int, int]] = {}
    for line, in_line in enumerate(_PAIR.sub(b"", brackets).split(b"\n")):
        for bracket in in_line:
            if bracket not in _OPENED_BY:
                open_brackets.append((bracket, line))
                continue
            depth = len(open_brackets) - 1
            while depth >= 0 and open_brackets[depth][0] != _OPENED_BY[bracket]:
                depth -= 1
            if depth < 0:
                continue
            start = open_brackets[depth][1]
            del open_brackets[depth:]
            if line - 1 > start:
                found[start] = (start, line - 1, depth)
    return list(found.values())
