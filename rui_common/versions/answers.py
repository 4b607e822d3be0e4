"""What a new version did about the notes on the old one."""

from collections.abc import Container
from enum import Enum
from typing import NamedTuple

from rui_common.json_values import as_object
from rui_common.syntax.paths import Path, format_path, value_at
from rui_common.versions.changes import Change, ChangeKind, Comparison, summary_of
from rui_common.versions.noted_parts import NotedParts, Place
from rui_common.versions.notes import Note, NotesError, OtherDocumentError
from rui_common.versions.replaced import hash_if_any, version_hash
from rui_common.versions.sentences import capitalized, code, subject_of, top_of


class Outcome(Enum):
    """What the new version did with the part that a note is about, for its users."""

    FOLLOWED = "followed"
    UNTOUCHED = "untouched"
    GONE = "gone"


class Answer(NamedTuple):
    """What a new version did about a note."""

    note: Note
    outcome: Outcome
    path: Path | None  # the path of the part in the new version; None if the new version has nothing there
    changes: list[Change]  # the changes of the part and in it; of an untouched part, those that users do not see
    whereabouts: str = ""  # a sentence that says where the part is if its node has a new id, or ``""``

    @property
    def lines(self) -> list[str]:
        """Sentences about the part, with the marks of `sentences`."""
        summary = summary_of(self.changes)
        lines = [self.whereabouts, summary.hidden]
        if any(change.is_visible for change in self.changes):
            lines = summary.lines
        return [line for line in lines if line]


class Answers(NamedTuple):
    """What a new version did about all notes on a document."""

    answers: list[Answer]
    others: list[Change]  # the changes that no note is about
    foreign_count: int  # the number of notes in the same text that are about other documents

    @property
    def is_each_followed(self) -> bool:
        """Whether no noted part is untouched."""
        return all(answer.outcome is not Outcome.UNTOUCHED for answer in self.answers)


def answers_to(notes: list[Note], comparison: Comparison) -> Answers:
    """Return what the new version of a comparison did about each note on the old one.

    Raises:
        OtherDocumentError: all notes are about another document.
        NotesError: the old version has no part that a note is about.
    """
    old, new = [versions[0].value for versions in (comparison.matching.olds, comparison.matching.news)]
    own_notes = notes_on(notes, old)
    if not own_notes:
        raise OtherDocumentError(_other_document(notes[0].document_hash, old, new))
    for note in own_notes:
        _check(note, old)
    parts = NotedParts(comparison.matching)
    answers = [_answer(note, comparison, parts) for note in own_notes]
    # Several changes have one sentence, such as those of a page and of its navigation item.
    noted = {change.sentence for answer in answers for change in answer.changes}
    # What an answer finds in the new version is neither gone nor new.
    found = [answer for answer in answers if answer.path is not None]
    olds, news = {answer.note.path for answer in found}, {answer.path for answer in found}
    others = [
        change for change in comparison.changes if change.sentence not in noted and not _is_of_whole(change, olds, news)
    ]
    return Answers(answers, others, len(notes) - len(own_notes))


def _is_of_whole(change: Change, olds: Container[Path | None], news: Container[Path | None]) -> bool:
    """Return whether a change says that one of some parts is gone, is new, or is elsewhere."""
    if change.is_endpoint:
        return False
    if change.kind in (ChangeKind.REMOVED, ChangeKind.MOVED):
        return change.old in olds
    return change.kind is ChangeKind.ADDED and change.new in news


def notes_on(notes: list[Note], document: object) -> list[Note]:
    """Return those of some notes that are about a document, by its hash, and those without a hash."""
    hashes = _hashes(document)
    return [note for note in notes if not note.document_hash or note.document_hash in hashes]


def _hashes(value: object) -> set[str]:
    """Return the hashes by which notes may name a document: earlier notes counted the id of the replaced spec, too."""
    return {version_hash(value), hash_if_any(value)} - {""}


def _other_document(document_hash: str, old: object, new: object) -> str:
    if document_hash in _hashes(new):
        return "the notes are about the new version: compare that one with its successor"
    return (
        f"the notes are about another document: its content hash is {document_hash}, "
        f"that of the old version is {version_hash(old) or 'unknown'}"
    )


def _check(note: Note, old: object) -> None:
    """Raise an error if the old version does not have the part of a note.

    Some of the notes may be copied without the hash; then the id of the part tells whether it is the same document.
    """
    value = value_at(old, note.path)
    error = NotesError if note.document_hash else OtherDocumentError
    if value is None:
        raise error(f"note {note.number} is about {note.title}, and the old version has no {format_path(note.path)}")
    own_id = as_object(value).get("id", note.node_id)
    if error is OtherDocumentError and note.node_id and own_id != note.node_id:
        raise error(
            f"note {note.number} is about {note.title} with the id {note.node_id}, and the old version has {own_id} "
            f"at {format_path(note.path)}"
        )


def _answer(note: Note, comparison: Comparison, parts: NotedParts) -> Answer:
    path = note.path
    place = parts.place_of(path)
    if place is None:
        losses = []
        if parts.is_removed(path):
            losses = [change for change in comparison.changes if _is_loss(change, path)]
        return Answer(note, Outcome.GONE, None, losses)
    changes = []
    if place.is_matched:
        changes = [change for change in comparison.changes if _is_about(change, path, place, parts)]
    if parts.element_around(path).parent is None:  # users see only some of what is in the root
        is_answered = any(change.is_visible for change in changes)
    else:
        is_answered = parts.has_moved(path, place) or not parts.is_same(path, place.path)
    whereabouts = _whereabouts(path, place, parts)
    new_path: Path | None = place.path
    if value_at(comparison.matching.news[0].value, place.path) is None:
        new_path = None
    if is_answered:
        return Answer(note, Outcome.FOLLOWED, new_path, changes, whereabouts)
    hidden = [change for change in changes if not change.is_visible]
    return Answer(note, Outcome.UNTOUCHED, new_path, hidden, whereabouts)


def _is_loss(change: Change, path: Path) -> bool:
    """Return whether a change is one in a part that is gone, or of what contained it."""
    if change.old is None:
        return False
    if change.old[: len(path)] == path:
        return True
    return change.kind in (ChangeKind.REMOVED, ChangeKind.CHANGED) and path[: len(change.old)] == change.old


def _is_about(change: Change, path: Path, place: Place, parts: NotedParts) -> bool:
    """Return whether a change is one of a part, or in it."""
    if change.kind is ChangeKind.MOVED and _is_of_place(change, path, parts):
        return parts.has_moved(path, place)
    if change.old is not None and change.old[: len(path)] == path:
        return True
    if change.new is not None and change.new[: len(place.path)] == place.path:
        return True
    return _is_around(change, path, parts)


def _is_of_place(change: Change, path: Path, parts: NotedParts) -> bool:
    """Return whether a move is that of an element, or one in its list."""
    if change.old is None or change.new is None:
        return False
    return change.old == path or parts.is_of_list(path, change.old, change.new)


def _is_around(change: Change, path: Path, parts: NotedParts) -> bool:
    """Return whether a change is one of an object around a part, in the same element, such as its whole binding."""
    if change.kind is not ChangeKind.CHANGED or change.old is None or path[: len(change.old)] != change.old:
        return False
    return len(change.old) >= len(parts.element_around(path).path)


def _whereabouts(path: Path, place: Place, parts: NotedParts) -> str:
    """Return where an untouched part is, if the node that contains it has a new id; else ``""``."""
    node = parts.node_around(path)
    if node.name == place.node.name:
        return ""
    subject = "It" if node.path == path else capitalized(subject_of(place.node))
    new_id = f"the id {code(place.node.name or '')}"
    page = top_of(place.node)
    if page is place.node:
        return f"{subject} has {new_id} now."
    return f"{subject} is on {subject_of(page)} now, with {new_id}."
