"""Random edit sessions of a client: after each change, the server has the client's text and its diagnostics.

python -m tests.rui_lsp.sessions --states 5000
python -m tests.rui_lsp.sessions --odd-sessions 5000
"""

import argparse
import json
import random
import re

from pygls.protocol import default_converter

from rui_lsp.session.diagnostics import document_items
from rui_lsp.session.documents import OpenDocument
from rui_lsp.session.settings import ClientSettings
from tests.inputs.sample import sample_text
from tests.rui_lsp.conversation import REFRESHES, URI, Conversation, is_published

WIDTHS = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}

# Difficult texts: line ends, separators that only Python treats as line ends, wide characters.
SNIPPETS = [
    "", "a", "bc", '{"id": 1}', " " * 7, "\n", "\r", "\r\n", "\n\r", "\r\r\n", "é", "ß\n", "😀", "𝄞𝄞", "漢字", "\u2028",
    "\u2029", "\x85", "\f", "\v", "\x1c", "\ufeff",
]  # fmt: skip

# Typed characters and pasted text.
TYPED = [
    "", "", "", "x", "1", " ", "\n", "\r\n", "\t", '"', ",", ":", "{", "}", "[", "]", "{}", "[]", '""', "\\", "é", "😀",
    "-", ".", "/", "tru", "null", "// no", '"id": "a"', ', "title": 5', '{"id": "x", "type": "Text", "content": ""}',
    '}, {"id": "page-1", "type": "Page", "title": "T", "children": []', '"type": "Page", ', "NaN", "\\ud83d",
]  # fmt: skip

LARGEST = 6000
"""Characters after which a session goes back to where it began."""


def notified(chance: random.Random, encoding: str, first: str, count: int) -> int:
    """Send edits as a client, and return the number of compared states.

    After each notification, text and diagnostics are compared with a fresh reading.
    """
    conversation = Conversation({"general": {"positionEncodings": [encoding]}})
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
                change, text = random_edit(chance, text, encoding)
                changes.append(change)
        states += 1
        del conversation.sent[:]
        params = {"textDocument": {"uri": URI, "version": states + 1}, "contentChanges": changes}
        conversation.say({"method": "textDocument/didChange", "params": params})
        count -= len(changes)
        assert conversation.server.documents.find(URI).source == text, changes
        [published] = [message["params"] for message in conversation.sent if is_published(message)]
        assert published["diagnostics"] == _fresh_diagnostics(text, encoding), changes
    return states


def odd_sessions(chance: random.Random, count: int) -> None:
    """Run odd sessions in all encodings."""
    clients = {
        encoding: Conversation({**REFRESHES, "general": {"positionEncodings": [encoding]}}) for encoding in WIDTHS
    }
    for number in range(count):
        encoding = [*WIDTHS][number % len(WIDTHS)]
        odd_session(clients[encoding], chance, encoding)


def odd_session(conversation: Conversation, chance: random.Random, encoding: str) -> None:
    """Edit a short text as LSP allows it and most clients do not, and compare it with `edited` after each notification.

    Columns and lines are beyond the text or within a character, ranges are reversed or null, versions are null.
    """
    text = "".join(chance.choices(SNIPPETS, k=chance.randrange(12)))
    conversation.open(text)
    for version in range(2, 10):
        changes: list[dict] = []
        for _ in range(chance.choice([1, 1, 1, 2, 4])):
            new = "".join(chance.choices(SNIPPETS, k=chance.choice([0, 1, 3])))
            change: dict = {"text": new, "range": None}
            if chance.random() < 0.9:
                change["range"] = {"start": _odd_position(chance, text), "end": _odd_position(chance, text)}
            elif chance.random() < 0.5:
                del change["range"]
            if chance.random() < 0.1:
                change["rangeLength"] = chance.choice([None, 0, -1, 2**40])
            changes.append(json.loads(json.dumps(change)))
            text = edited(text, change, encoding)
        identifier = {"uri": URI, "version": chance.choice([version, None])}
        params = {"textDocument": identifier, "contentChanges": changes}
        conversation.say({"method": "textDocument/didChange", "params": params})
        assert conversation.server.documents.find(URI).source == text, (encoding, params)


def _odd_position(chance: random.Random, text: str) -> dict[str, int]:
    lines = len(re.findall("\r\n|\r|\n", text))
    return {
        "line": chance.choice([chance.randrange(lines + 1), chance.randrange(lines + 4), 2**31 - 1]),
        "character": chance.choice([*range(12), 100_000, 2**31 - 1]),
    }


def edited(text: str, change: dict, encoding: str) -> str:
    """Return the text after a change. This model counts the units of each character, unlike the server."""
    if change.get("range") is None:
        return change["text"]
    start, end = sorted(_offset(text, change["range"][name], encoding) for name in ("start", "end"))
    return text[:start] + change["text"] + text[end:]


def _offset(text: str, place: dict[str, int], encoding: str) -> int:
    *lines, last = re.split("(?<=\r\n)|(?<=\r)(?!\n)|(?<=\n)", text)
    lines.append(last)
    if place["line"] >= len(lines):
        return len(text)
    codec, width = WIDTHS[encoding]
    offset = sum(len(line) for line in lines[: place["line"]])
    units = 0
    for character in lines[place["line"]].rstrip("\r\n"):
        units += len(character.encode(codec)) // width
        if units > place["character"]:
            break
        offset += 1
    return offset


def position(text: str, offset: int, encoding: str) -> dict[str, int]:
    """Return the position of an offset that is not within a line end."""
    lines = re.split(r"\r\n|\r|\n", text[:offset])
    codec, width = WIDTHS[encoding]
    return {"line": len(lines) - 1, "character": len(lines[-1].encode(codec)) // width}


def random_edit(chance: random.Random, text: str, encoding: str) -> tuple[dict, str]:
    """Return a random change as a client sends it, and the text after it."""
    start = _before_line_end(text, chance.randrange(len(text) + 1))
    length = chance.choice([0, 0, 0, 1, 2, 8, chance.randrange(200)])
    end = max(start, _before_line_end(text, min(len(text), start + length)))
    snippets = SNIPPETS if chance.random() < 0.3 else TYPED
    new = "".join(chance.choices(snippets, k=chance.choice([0, 1, 1, 1, 4])))
    places = {"start": position(text, start, encoding), "end": position(text, end, encoding)}
    return {"range": places, "text": new}, text[:start] + new + text[end:]


def _before_line_end(text: str, offset: int) -> int:
    return offset - 1 if text[max(0, offset - 1) : offset + 1] == "\r\n" else offset


def _fresh_diagnostics(text: str, encoding: str) -> list[dict]:
    document = OpenDocument(URI, text, 1, encoding)
    items = document_items(document, ClientSettings.parse())
    return json.loads(json.dumps(default_converter().unstructure(items)))


def main() -> None:
    parser = argparse.ArgumentParser(description="Compare the states of random edit sessions with fresh readings.")
    parser.add_argument("--states", type=int, default=5000, help="number of states (default 5000)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the edits (default 1)")
    parser.add_argument("--odd-sessions", type=int, default=0, help="number of `odd_session`s instead")
    options = parser.parse_args()
    chance = random.Random(options.seed)
    if options.odd_sessions:
        odd_sessions(chance, options.odd_sessions)
        print(f"{options.odd_sessions:,} sessions, 0 differences")
        return
    states = 0
    while states < options.states:
        encoding, indent = chance.choice(["utf-8", "utf-16", "utf-32"]), chance.choice([2, None])
        states += notified(chance, encoding, sample_text(2000, indent=indent), 80)
    print(f"{states:,} states, 0 differences")


if __name__ == "__main__":
    main()
