"""`python -m eval.transcripts [DRAFT …]`: what a client makes of drafts in the style of other systems, by hints alone.

`drafts/NAME/draft.json` is what an agent without documentation sends. Two clients correct it by the responses:

- the client of `benchmarks/hint_client.py`, which follows hints literally; the command writes `mechanical.md`;
- a reader who knows only the responses; `reader-1.json`, `reader-2.json` … are the documents that it sent after the
  draft, and the command writes `reader.md` with the errors and changes of each round.

The exit code is 1 if a draft needs more than `MAX_ROUNDS` rounds.
"""

from __future__ import annotations

import difflib
import json
import sys
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.hint_client import Item, Post, rounds, service

DRAFTS = Path(__file__).parent / "drafts"
MAX_ROUNDS = 3
"""Maximum number of rounds of a draft (a round: validate, then correct)."""

Json = Any


class Transcript(NamedTuple):
    """The rounds of one client.

    Attributes:
        client: ``mechanical`` or ``reader``.
        answers: the errors of each response with errors.
        documents: the documents that were sent, from the draft to the last.
        is_valid: whether the last one is valid.
    """

    client: str
    answers: list[list[Item]]
    documents: list[Json]
    is_valid: bool

    @property
    def rounds(self) -> int:
        """The number of corrections."""
        return len(self.documents) - 1

    @property
    def is_within_limit(self) -> bool:
        """Whether the last document is valid, and `MAX_ROUNDS` rounds sufficed."""
        return self.is_valid and self.rounds <= MAX_ROUNDS

    @property
    def lost(self) -> list[str]:
        """The texts of the draft that the last document does not contain, each once."""
        kept = set(texts(self.documents[-1]))
        return [text for text in dict.fromkeys(texts(self.documents[0])) if text not in kept]

    def summary(self) -> str:
        """Return the figures in one line."""
        errors = sum(len(items) for items in self.answers)
        ending = "valid" if self.is_valid else "not valid"
        return f"{self.rounds} rounds, {errors} errors, {ending}; {len(self.lost)} texts of the draft are not kept"


def names() -> list[str]:
    """Return the names of all drafts."""
    return sorted(path.parent.name for path in DRAFTS.glob("*/draft.json"))


def texts(value: Json) -> list[str]:
    """Return the strings with a space, a slash or a dot in a value: labels, sentences and paths."""
    if isinstance(value, dict):
        return [text for inner in value.values() for text in texts(inner)]
    if isinstance(value, list):
        return [text for inner in value for text in texts(inner)]
    if isinstance(value, str) and any(mark in value for mark in " /."):
        return [value]
    return []


def mechanical(name: str, post: Post) -> Transcript:
    """Let the client follow the hints for a draft."""
    session = rounds(post, (DRAFTS / name / "draft.json").read_text(encoding="utf-8"))
    documents = [json.loads(text) for text in session.texts]
    return Transcript("mechanical", session.answers, documents, is_valid=len(session.answers) < len(documents))


def reader(name: str, post: Post) -> Transcript | None:
    """Send the documents of the reader again; return None if there are none."""
    paths = sorted((DRAFTS / name).glob("reader-*.json"))
    if not paths:
        return None
    answers = []
    documents = []
    response: Json = {}
    for path in (DRAFTS / name / "draft.json", *paths):
        text = path.read_text(encoding="utf-8")
        documents.append(json.loads(text))
        response = post(text)
        if not response["valid"]:
            answers.append(response["errors"])
    return Transcript("reader", answers, documents, is_valid=response["valid"])


def markdown(name: str, transcript: Transcript) -> str:
    """Return a transcript as a page."""
    lines = [f"# {name}: {transcript.client}", "", f"{transcript.summary()}.", ""]
    for number, items in enumerate(transcript.answers, 1):
        lines += [f"## Round {number}: {len(items)} errors", ""]
        lines += [f"- `{item['path']}` {item['code']}: {item['hint']}" for item in items]
        lines += [""]
        if transcript.client == "reader" and number < len(transcript.documents):
            before, after = transcript.documents[number - 1 : number + 1]
            lines += ["```diff", *changes(before, after), "```", ""]
    lines += ["## The last document", "", "```json", *_lines(transcript.documents[-1]), "```", ""]
    if transcript.lost:
        lines += ["Texts of the draft that it does not contain:", "", *[f"- {text}" for text in transcript.lost], ""]
    return "\n".join(lines).removesuffix("\n")


def changes(before: Json, after: Json) -> list[str]:
    """Return the lines that differ, without their surroundings."""
    return [*difflib.unified_diff(_lines(before), _lines(after), lineterm="", n=0)][2:]


def _lines(value: Json) -> list[str]:
    return json.dumps(value, indent=1, ensure_ascii=False).split("\n")


def main(arguments: list[str]) -> int:
    """Write the transcripts and print their figures; return the exit code."""
    unknown = set(arguments) - set(names())
    if unknown:
        print(f"unknown draft: {', '.join(sorted(unknown))}; known: {', '.join(names())}", file=sys.stderr)
        return 2
    is_within_limit = True
    with service() as post:
        for name in arguments or names():
            for transcript in (mechanical(name, post), reader(name, post)):
                if transcript is None:
                    continue
                page = DRAFTS / name / f"{transcript.client}.md"
                page.write_text(markdown(name, transcript) + "\n", encoding="utf-8")
                print(f"{name:<16}{transcript.client:<12}{transcript.summary()}")
                is_within_limit &= transcript.is_within_limit
    return 0 if is_within_limit else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
