"""Folding: every object and array of more than one line."""

import re
from typing import NamedTuple

from lsprotocol import types

from rui_lsp.server import RuiLanguageServer

# A string that is not closed ends with its line.
_STRING = re.compile(rb'"[^"\\\n]*(?:\\[^\n][^"\\\n]*)*"?')
_OTHER = bytes(set(range(256)) - set(b"[]{}\n"))
_PAIR = re.compile(rb"\{\}|\[\]")
_OPENED_BY = {ord("}"): ord("{"), ord("]"): ord("[")}


class Fold(NamedTuple):
    """Lines that can be folded, and how many brackets enclose them."""

    start_line: int
    end_line: int
    depth: int


def register(server: RuiLanguageServer) -> None:
    server.feature(types.TEXT_DOCUMENT_FOLDING_RANGE)(folding_range)


def folding_range(ls: RuiLanguageServer, params: types.FoldingRangeParams) -> list[types.FoldingRange]:
    """Return ranges of whole lines in text order; the outermost ones, if the client limits their number."""
    document_folds = sorted(folds(ls.documents.get(params.text_document).source))
    limit = ls.capability("text_document.folding_range.range_limit")
    if isinstance(limit, int) and 0 < limit < len(document_folds):
        document_folds = sorted(sorted(document_folds, key=lambda fold: fold.depth)[:limit])
    return [types.FoldingRange(fold.start_line, fold.end_line) for fold in document_folds]


def folds(text: str) -> list[Fold]:
    """Return everything that can be folded, in no particular order.

    The line of the closing bracket stays visible. Of several that begin in one line, the outermost is folded. Brackets
    without a counterpart are ignored.
    """
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    brackets = _STRING.sub(b"", text.encode("utf-8", "surrogatepass")).translate(None, _OTHER)
    open_brackets: list[tuple[int, int]] = []
    open_counts = dict.fromkeys(_OPENED_BY.values(), 0)
    folds_by_line: dict[int, Fold] = {}
    for line, in_line in enumerate(_PAIR.sub(b"", brackets).split(b"\n")):
        for bracket in in_line:
            if bracket not in _OPENED_BY:
                open_brackets.append((bracket, line))
                open_counts[bracket] += 1
                continue
            opener = _OPENED_BY[bracket]
            if not open_counts[opener]:
                continue
            opened = None
            while opened != opener:
                opened, start = open_brackets.pop()
                open_counts[opened] -= 1
            if line - 1 > start:
                folds_by_line[start] = Fold(start, line - 1, len(open_brackets))
    return list(folds_by_line.values())
