"""Random edit sessions of a client: after each change, the server has the client's text and its diagnostics.

python -m tests.rui_lsp.sessions --states 5000
"""

from __future__ import annotations

import argparse
import json
import random

from pygls.protocol import default_converter

from rui_lsp.client.settings import Settings
from rui_lsp.diagnostics.items import document_items
from rui_lsp.documents.document import OpenDocument
from tests.inputs.sample import sample_text
from tests.rui_lsp.conversation import NO_PAUSE, URI, Conversation, is_published
from tests.rui_lsp.model import SNIPPETS, random_edit

# Typed characters, pasted snippets, and text that editors insert.
TYPED = [
    "", "", "", "x", "1", " ", "\n", "\r\n", "\t", '"', ",", ":", "{", "}", "[", "]", "{}", "[]", '""', "\\", "é", "😀",
    "\u2028", "-", ".", "/", "tru", "null", "// no", '"id": "a"', ', "title": 5',
    '{"id": "x", "type": "Text", "content": ""}',
    "}, {", '}, {"id": "page-1", "type": "Page", "title": "T", "children": []', '"type": "Page", ',
    "NaN", "\\ud83d",
]  # fmt: skip


LARGEST = 6000
"""Characters after which a session goes back to where it began."""


def notified(chance: random.Random, encoding: str, first: str, count: int) -> int:
    """Send edits as a client. After each notification, compare text and diagnostics with a fresh reading.

    Args:
        chance: source of the edits, with difficult line ends and characters.
        encoding: unit of characters that both sides use.
        first: initial text.
        count: number of edits.

    Returns:
        The number of compared states.
    """
    conversation = Conversation(initialized=False)
    capabilities = {"general": {"positionEncodings": [encoding]}}
    conversation.request("initialize", {"capabilities": capabilities, "initializationOptions": NO_PAUSE})
    conversation.open(first)
    text = first
    states = 0
    while count > 0:
        changes: list[dict] = []
        for _ in range(min(count, chance.choice([1, 1, 1, 2, 3, 5]))):
            if len(text) > LARGEST or chance.random() < 0.05:
                text = first
                changes.append({"text": first})
            else:
                change, text = random_edit(chance, text, encoding, SNIPPETS if chance.random() < 0.3 else TYPED)
                changes.append(change)
        states += 1
        identifier = {"uri": URI, "version": states + 1}
        del conversation.sent[:]
        conversation.say(
            {"method": "textDocument/didChange", "params": {"textDocument": identifier, "contentChanges": changes}}
        )
        count -= len(changes)
        opened = conversation.server.documents.find(URI)
        assert opened.source == text, changes
        [published] = [message["params"] for message in conversation.sent if is_published(message)]
        assert published["diagnostics"] == _fresh_diagnostics(text, encoding), changes
    return states


def _fresh_diagnostics(text: str, encoding: str) -> list[dict]:
    document = OpenDocument(URI, text, 1, encoding)
    items = document_items(document, Settings.parse())
    return json.loads(json.dumps(default_converter().unstructure(items)))


def main() -> None:
    """Compare states in sessions with different encodings and documents."""
    parser = argparse.ArgumentParser(description="Compare the states of random edit sessions with fresh readings.")
    parser.add_argument("--states", type=int, default=5000, help="number of states (default 5000)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the edits (default 1)")
    options = parser.parse_args()
    chance = random.Random(options.seed)
    states = 0
    while states < options.states:
        encoding, indent = chance.choice(["utf-8", "utf-16", "utf-32"]), chance.choice([2, None])
        states += notified(chance, encoding, sample_text(2000, indent=indent), 80)
    print(f"{states:,} states, 0 differences")


if __name__ == "__main__":
    main()
