"""Merge two versions of a document with their common base: by identity, not by lines.

Elements are matched by their names, and renamed ones by their content. So a node may move on one side and change on the
other. A conflict is what both sides have changed in two ways: a person must decide.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from rui_common.problems.finding import Finding
from rui_common.syntax.conflicts import PLAIN_MARKERS, Markers
from rui_common.syntax.document import Document, read
from rui_common.syntax.paths import Path, format_path
from rui_common.validation.analysis import Analysis
from rui_common.validation.diagnostics import Diagnostic, finding_diagnostic
from rui_common.versions.elements import Element
from rui_common.versions.merge_inputs import CONTESTED, SIDES, Entry, Inputs, Side
from rui_common.versions.merge_text import Difference, MergeWriter
from rui_common.versions.merge_tree import Piece, merge_tree
from rui_common.versions.sentences import capitalized, noun_and_name_of, plain


class CannotMergeError(Exception):
    """A side cannot be merged by identity; the message is the reason."""


class Merge(NamedTuple):
    """The result of a merge."""

    text: str  # the merged text, with conflict markers if there are conflicts
    conflicts: tuple[str, ...] = ()  # the conflicts in words, in text order
    errors: tuple[Diagnostic, ...] = ()  # if there is no conflict, the errors that neither side has


def merge(base: Document | None, ours: Document, theirs: Document, markers: Markers = PLAIN_MARKERS) -> Merge:
    """Merge `ours` and `theirs`. The result has the layout of ours.

    The `base` is their common ancestor, valid or not; None if both sides have added the document.

    Raises:
        CannotMergeError: a side is no JSON object, or has a property twice.
    """
    if ours.text == theirs.text or (base is not None and base.text == theirs.text):
        return Merge(ours.text)
    if base is not None and base.text == ours.text:
        return Merge(theirs.text)
    for side, document in ((Side.OURS, ours), (Side.THEIRS, theirs)):
        _check(side, document)
    inputs = Inputs(base, ours, theirs)
    names = {Side.OURS: markers.ours, Side.THEIRS: markers.theirs}
    trees = [merge_tree(inputs, side, names) for side in SIDES]
    versions = [tree.root for tree in trees]
    writer = MergeWriter(base, ours, theirs, markers)
    text = writer.write(*versions)
    if writer.differences:
        words = _Words(
            versions[0],
            _keys(versions[0]) & _keys(versions[1]),
            trees[0].reasons | trees[1].reasons,
            _phrases(versions),
            names,
        )
        sentences = (_sentence(difference, words) for difference in writer.differences)
        return Merge(text, tuple(dict.fromkeys(sentences)))
    return Merge(text, (), tuple(_new_errors(text, versions[0], ours, theirs)))


def _check(side: Side, document: Document) -> None:
    if document.conflicts:
        raise CannotMergeError(f"{side.value} has conflict markers")
    if not document.valid:
        fault = document.syntax[0]
        line, column = document.lines.line_and_column(fault.span.start)
        raise CannotMergeError(f"{side.value} is not JSON, line {line}, column {column}: {fault.message}")
    if not isinstance(document.value, dict):
        raise CannotMergeError(f"{side.value} is no JSON object")
    for repeated in document.duplicate_keys():
        line, _ = document.lines.line_and_column(repeated.span.start)
        raise CannotMergeError(f"{side.value} has the property {repeated.path[-1]} twice, line {line}")


# Conflicts in words ---------------------------------------------------------------------------------------------------


class _Words(NamedTuple):
    """What the sentence about a conflict needs."""

    root: Piece
    in_both: set[object]  # the keys of the elements that both choices have
    reasons: Mapping[object, str]  # key of an element that only one choice has → why
    phrases: Mapping[object, str]  # key of an element → what people call it
    names: Mapping[Side, str]  # the names of the sides


def _sentence(difference: Difference, words: _Words) -> str:
    """Return a conflict in words."""
    owner, path, ours, theirs, is_order = difference
    piece = ours or theirs
    entry = None if piece is None else piece.entry
    if entry is not None:
        what = words.phrases[entry.key]
    elif owner.entry is not None and owner is not words.root:
        what = f"{words.phrases[owner.entry.key]}: {format_path(path)}"
    else:
        what = format_path(path)
    if is_order:
        return f"{what}: sorted in two ways"
    if ours is not None and theirs is not None:
        if entry is not None and entry.is_added_twice:
            return f"{what}: both sides add it, with different content"
        if entry is None and owner.entry is not None and owner.entry.is_added_twice:
            return f"{what}: added in two ways"
        return f"{what}: changed in two ways"
    if entry is not None and entry.key in words.in_both:
        happened = "moved to" if Side.BASE in entry.elements else "both sides add it, at"
        return f"{what}: {happened} two places; choose the same side at each"
    reason = None if entry is None else words.reasons.get(entry.key)
    if reason is None:
        changes = ("deleted", "changed") if ours is None else ("changed", "deleted")
        reason = ", ".join(f"{change} in {words.names[side]}" for change, side in zip(changes, SIDES, strict=True))
    return f"{what}: {reason}"


def _keys(root: Piece) -> set[object]:
    return {piece.entry.key for _, piece in _elements(root, ()) if piece.entry is not None}


def _phrases(versions: Iterable[Piece]) -> dict[object, str]:
    """Return what people call each element, by key, such as ``Page Today``.

    Elements with the same phrase have their ids or keys in it, too, or else their paths.
    """
    groups: dict[str, dict[object, Element]] = defaultdict(dict)
    for root in versions:
        for _, piece in _elements(root, ()):
            entry = piece.entry
            if entry is not None:
                phrase, element = _phrase_of(entry)
                groups[phrase][entry.key] = element
    phrases: dict[object, str] = {}
    for phrase, elements in groups.items():
        names = Counter(element.name for element in elements.values())
        for key, element in elements.items():
            phrases[key] = phrase
            if len(elements) > 1:
                name = element.name if element.name and names[element.name] == 1 else format_path(element.path)
                phrases[key] = f"{phrase} ({name})"
    return phrases


def _phrase_of(entry: Entry) -> tuple[str, Element]:
    """Return the phrase of an element, and the version of it that has this name.

    It is that of the base, which both sides know, unless the name is in conflict there.
    """
    found: list[tuple[str, Element]] = []
    for side in Side:
        if side in entry.elements:
            element = entry.elements[side]
            found.append((capitalized(plain(noun_and_name_of(element))), element))
    return next((pair for pair in found if CONTESTED not in pair[0]), found[0])


# Errors that neither side has -----------------------------------------------------------------------------------------


def _new_errors(text: str, root: Piece, ours: Document, theirs: Document) -> Iterator[Diagnostic]:
    """Yield the errors of the merged document that neither side has, at the same element."""
    merged = Analysis(read(text))
    if not merged.findings:
        return
    pieces = dict(_elements(root, ()))
    known: set[object] = set()
    for side, document in ((Side.OURS, ours), (Side.THEIRS, theirs)):
        entries = {piece.paths[side]: piece.entry for piece in pieces.values() if side in piece.paths}
        known.update(_identity(finding, entries) for finding in Analysis(document).findings)
    entries = {path: piece.entry for path, piece in pieces.items()}
    for finding in merged.findings:
        if _identity(finding, entries) not in known:
            yield finding_diagnostic(merged.document, finding)


def _elements(piece: Piece, path: Path) -> Iterator[tuple[Path, Piece]]:
    """Yield the elements of a document with their paths in it."""
    if piece.entry is not None:
        yield path, piece
    for step, member in piece.children:
        yield from _elements(member, (*path, step))


def _identity(finding: Finding, entries: Mapping[Path, Entry | None]) -> object:
    """Return the rule that is broken, the element, and the path in it."""
    path = finding.path
    length = next(length for length in reversed(range(len(path) + 1)) if path[:length] in entries)
    entry = entries[path[:length]]
    return finding.rule, entry and entry.key, path[length:]
