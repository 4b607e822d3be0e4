"""Random edit sessions, for the tests and the soak benchmark."""

from __future__ import annotations

import random
from collections.abc import Iterator

from tests.rui_lsp.conversation import URI, Conversation
from tests.rui_lsp.model import Model, random_range, random_text

# Typed characters, pasted snippets, and text that editors insert.
TYPED = [
    "", "", "", "x", "1", " ", "\n", "\r\n", "\t", '"', ",", ":", "{", "}", "[", "]", "{}", "[]", '""', "\\", "é", "😀",
    "\u2028", "-", ".", "/", "tru", "null", "// no", '"id": "a"', ', "title": 5',
    '{"id": "x", "type": "Text", "content": ""}',
    "}, {", '}, {"id": "page-1", "type": "Page", "title": "T", "children": []', '"type": "Page", ',
    "NaN", "\ud83d", "\\ud83d",
]  # fmt: skip


def wild_edits(chance: random.Random, first: str) -> Iterator[str]:
    """Yield the texts of an endless session: characters are deleted and inserted without regard to JSON.

    A session returns to its first text from time to time, because wild edits destroy it.
    """
    text = first
    while True:
        if chance.random() < 0.06:
            text = first
        else:
            start = chance.randrange(len(text) + 1)
            end = min(len(text), start + chance.choice([0, 0, 0, 1, 1, 1, 2, 8, chance.randrange(300)]))
            text = text[:start] + _wild_text(chance, first) + text[end:]
        yield text


def _wild_text(chance: random.Random, first: str) -> str:
    """Return nothing, JSON's marks, typed characters, or a piece of the first text, as if it were pasted."""
    sort = chance.randrange(8)
    if sort < 3:
        return ""
    if sort < 6:
        return "".join(chance.choices('{}[]",:', k=chance.choice([1, 1, 1, 2, 4])))
    if sort == 6:
        return chance.choice(TYPED)
    start = chance.randrange(len(first))
    return first[start : start + chance.choice([5, 20, 100, 300])]


LARGEST = 6000
"""Characters after which a session goes back to where it began."""


def notified(chance: random.Random, encoding: str, first: str, count: int) -> None:
    """Send edits as a client, in notifications of one or several changes, and apply them to a model.

    Args:
        chance: source of the edits, with difficult line ends and characters.
        encoding: unit of characters that both sides use.
        first: initial text.
        count: number of edits.
    """
    said = Conversation(initialized=False)
    said.request("initialize", {"capabilities": {"general": {"positionEncodings": [encoding]}}})
    said.open(first)
    opened, model = said.workspace.find(URI), Model(first, encoding)
    while count > 0:
        changes: list[dict] = []
        for _ in range(min(count, chance.choice([1, 1, 1, 2, 3, 5]))):
            if len(model.text) > LARGEST or chance.random() < 0.002:
                changes.append({"text": first})
                model = Model(first, encoding)
            else:
                start, end = random_range(chance, model.text)
                new = random_text(chance, chance.choice([2, 2, 2, 8]))
                places = ({"line": max(0, at[0]), "character": at[1]} for at in (start, end))
                changes.append({"range": dict(zip(("start", "end"), places, strict=True)), "text": new})
                model.replace((max(0, start[0]), start[1]), (max(0, end[0]), end[1]), new)
        said.say(
            {
                "method": "textDocument/didChange",
                "params": {"textDocument": {"uri": URI, "version": opened.version + 1}, "contentChanges": changes},
            }
        )
        count -= len(changes)
        assert str(opened.text) == str(model), changes
        assert opened.document.text == str(model)
