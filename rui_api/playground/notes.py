"""Answer the notes that a browser has on the old version of a comparison.

The browser sends the hash of their document, and path and name of each note, but not what the reviewer wrote.
"""

import json
from typing import NamedTuple

from rui_common.json_values import as_object
from rui_common.syntax.document import read
from rui_common.syntax.paths import Path, format_path, parse_path, text_at, value_at
from rui_common.versions.answers import Answer, answers_to
from rui_common.versions.compare import compare
from rui_common.versions.notes import MAX_NOTES, Note, NotesError
from rui_common.versions.sentences import plain

MAX_TEXT = 2_000  # maximum length of a path, a name and a hash, in characters


class NotesAnswer(NamedTuple):
    """The answer as JSON, or why there is none."""

    json: str
    problem: str = ""  # one sentence


def answer_notes(before: bytes, after: bytes, body: bytes) -> NotesAnswer:
    """Return what a new version did about the notes on an old one.

    Args:
        before: the JSON of the old version.
        after: that of the new version.
        body: ``{"hash": …, "notes": [{"path": …, "name": …}, …]}`` as JSON.

    Returns:
        An object with a list, ``notes``: ``outcome``, ``sentences`` and ``part`` for each note, in their order.
        ``part`` is the part in the new version as `part_key` returns it, or null.
    """
    new = json.loads(after)
    try:
        notes = _notes_in(body)
        answers = answers_to(notes, compare(json.loads(before), new)).answers
    except NotesError as error:
        text = str(error)
        return NotesAnswer("", f"{text[:1].upper()}{text[1:]}.")
    return NotesAnswer(json.dumps({"notes": [_as_json(answer, new) for answer in answers]}, ensure_ascii=False))


def _notes_in(body: bytes) -> list[Note]:
    document = read(body)
    items = as_object(document.value).get("notes")
    document_hash = text_at(document.value, "hash")
    if not document.valid or not isinstance(items, list) or not items or not document_hash:
        raise NotesError("the body is no JSON object with a hash and notes")
    if len(items) > MAX_NOTES:
        raise NotesError(f"there are {len(items):,} notes, at most {MAX_NOTES:,} are answered")
    notes = []
    for number, item in enumerate(items, 1):
        path, name = text_at(item, "path"), text_at(item, "name")
        if max(len(path), len(name), len(document_hash)) > MAX_TEXT:
            raise NotesError(f"note {number} has a path or a name of more than {MAX_TEXT:,} characters")
        try:
            steps = parse_path(path)
        except ValueError:
            raise NotesError(f"note {number} has a path that cannot be read") from None
        notes.append(Note(number, steps, name, document_hash=document_hash))
    return notes


def _as_json(answer: Answer, new: object) -> dict[str, object]:
    return {
        "outcome": answer.outcome.value,
        "sentences": [plain(line) for line in answer.lines],
        "part": None if answer.path is None else part_key(new, answer.path),
    }


def part_key(document: object, path: Path) -> str:
    """Return how the page names a part (rui_inspector/static/notes/document.js), such as ``open-orders/columns[2]``.

    It is the id of the innermost node around the part, and the path from there; without a node only the path.
    """
    for length in range(len(path), 0, -1):
        value = value_at(document, path[:length])
        if isinstance(value, dict) and isinstance(value.get("id"), str) and isinstance(value.get("type"), str):
            rest = format_path(path[length:])
            return f"{value['id']}/{rest}" if rest else value["id"]
    return f"/{format_path(path)}"
