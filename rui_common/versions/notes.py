"""Notes of a reviewer: the Markdown that the inspector copies, and what a new version did about each note.

The form of the Markdown (docs/comparing.md):

    Change the RUI document of this spec as these notes say, and only what they need.

    - Spec: https://rui.example.com/specs/…
    - Content hash: `…`

    1. Metric **Open bills** `pages[0].children[0].children[1]`
       - Id: `open-bills`
       - Now: `{"label":"Open bills"}`
       - Note: Show the amount without tax.
         All lines of a note are indented.
"""

import re
from enum import Enum
from typing import NamedTuple

from rui_common.syntax.paths import Path, format_path, parse_path, value_at
from rui_common.versions.changes import Change, Comparison

MAX_NOTES = 1_000

_HASH = re.compile(r"-[ ]Content[ ]hash:[ ]`([^`]*)`[ \t]*")
_START = re.compile(r"(\d{1,9})\.[ ]+(?:[^`*]*\*\*(.*)\*\*[ ]+)?(?<!`)(`+)(.*?)\3[ \t]*")
"""The first line of a note: its number, the type, the name, and the path as code."""
_TEXT = re.compile(r"[ ]+-[ ]Note:[ ]?(.*)")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")


class NotesError(ValueError):
    """The text contains no notes, or notes about another document; the message is one line."""


class OtherDocumentError(NotesError):
    """The notes are about another document."""


class Note(NamedTuple):
    """A note about a part of a document."""

    number: int
    path: Path
    name: str  # that of the part, or ``""``
    text: str  # what the reviewer wrote

    @property
    def title(self) -> str:
        """The name of the part, else its path."""
        return self.name or format_path(self.path) or "the document"


class Notes(NamedTuple):
    """The notes about one document, in the order of the text, with its `contentHash`, or ``""`` without one."""

    content_hash: str
    notes: list[Note]


class Outcome(Enum):
    """What the new version did with the part that a note is about."""

    CHANGED = "changed"
    UNTOUCHED = "untouched"
    GONE = "gone"


class Answer(NamedTuple):
    """What a new version did about a note, and the changes of its part and in it."""

    note: Note
    outcome: Outcome
    changes: list[Change]


class Answers(NamedTuple):
    """What a new version did about all notes, and the changes that no note is about."""

    answers: list[Answer]
    others: list[Change]

    @property
    def is_each_followed(self) -> bool:
        """Whether no noted part is untouched."""
        return all(answer.outcome is not Outcome.UNTOUCHED for answer in self.answers)


def read_notes(text: str) -> Notes:
    """Return the notes in a text of the form above.

    Raises:
        NotesError: it contains no note, or one whose path cannot be read.
    """
    notes: list[Note] = []
    content_hash = ""
    is_text = False
    for line in text.removeprefix("\ufeff").splitlines():
        start = _START.fullmatch(line)
        found = _HASH.fullmatch(line)
        words = _TEXT.fullmatch(line)
        if start is not None:
            notes.append(_started(start))
            is_text = False
        elif found is not None and not notes:
            content_hash = found[1]
        elif words is not None and notes and not is_text:
            notes[-1] = notes[-1]._replace(text=words[1])
            is_text = True
        elif is_text and (line.startswith(" ") or not line.strip()):
            notes[-1] = notes[-1]._replace(text=f"{notes[-1].text}\n{line.strip()}")
        else:
            is_text = False
    if not notes:
        raise NotesError("it contains no notes: copy them from the page of a spec")
    if len(notes) > MAX_NOTES:
        raise NotesError(f"it contains {len(notes):,} notes, at most {MAX_NOTES:,} are read")
    return Notes(content_hash, [note._replace(text=note.text.strip()) for note in notes])


def _started(start: re.Match[str]) -> Note:
    number, name, _, written = start.groups()
    if written[:1] == written[-1:] == " " and written.strip():
        written = written[1:-1]
    try:
        path = parse_path(written)
    except ValueError:
        raise NotesError(f"note {number} has a path that cannot be read: {written}") from None
    return Note(int(number), path, _ESCAPED.sub(r"\1", name or ""), "")


def answers_to(notes: Notes, old: object, content_hash: str, comparison: Comparison) -> Answers:
    """Return what the new version of a comparison did about each note about the old one.

    The `content_hash` is that of the old version, or ``""`` if it is not valid.

    Raises:
        OtherDocumentError: the notes are about another document.
        NotesError: the old version has no part that a note is about.
    """
    if notes.content_hash and content_hash and notes.content_hash != content_hash:
        raise OtherDocumentError(
            f"the notes are about another document: its content hash is {notes.content_hash}, "
            f"that of the old version is {content_hash}"
        )
    answers = []
    for note in notes.notes:
        if value_at(old, note.path) is None:
            raise NotesError(
                f"note {note.number} is about {note.title}, and the old version has no {format_path(note.path)}"
            )
        new = _new_path(note.path, comparison)
        changes = [change for change in comparison.changes if _is_about(change, note.path, new)]
        outcome = Outcome.CHANGED
        if new is None:
            outcome = Outcome.GONE
        elif not changes:
            outcome = Outcome.UNTOUCHED
        answers.append(Answer(note, outcome, changes))
    # Several changes have one sentence, such as those of a page and of its navigation item.
    noted = {change.sentence for answer in answers for change in answer.changes}
    return Answers(answers, [change for change in comparison.changes if change.sentence not in noted])


def _new_path(path: Path, comparison: Comparison) -> Path | None:
    """Return the path of a part in the new version; None if the element that contains it is gone."""
    for length in range(len(path), 0, -1):
        if path[:length] in comparison.matching.removed:
            return None
        if path[:length] in comparison.matching.to_new:
            return (*comparison.matching.to_new[path[:length]], *path[length:])
    return path


def _is_about(change: Change, old: Path, new: Path | None) -> bool:
    """Return whether a change is one of a part, in it, or of an element that contains it and is gone."""
    if change.old is not None and change.old[: len(old)] == old:
        return True
    if new is not None:
        return change.new is not None and change.new[: len(new)] == new
    return change.new is None and change.old is not None and old[: len(change.old)] == change.old
