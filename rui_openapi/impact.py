"""What breaks in documents when the description of their API changes: what only the new description does not have."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from rui_common.problems.api import (
    NOT_LIST,
    NOT_SCALAR,
    UNKNOWN_FIELD,
    UNKNOWN_OPTION,
    UNKNOWN_PATH,
    UNKNOWN_VALUE_PATH,
)
from rui_common.syntax.paths import Path
from rui_common.texts import count_of
from rui_common.validation.analysis import Analysis
from rui_common.validation.diagnostics import Diagnostic
from rui_common.versions.elements import Element, elements_of
from rui_common.versions.sentences import MAX_SUBJECTS, capitalized, code, escape, subject_of, top_of
from rui_openapi.bindings import bindings_of
from rui_openapi.comparison.api_lint import ApiLint
from rui_openapi.comparison.check import api_diagnostics
from rui_openapi.description.api import Api
from rui_openapi.description.moved_paths import Moved, moved_paths, shape_of


class Place(NamedTuple):
    """A text of a document that the new description does not have, and the old one has."""

    document: str  # the name of the document
    diagnostic: Diagnostic
    what: str  # the start of a sentence: what the API no longer has
    verbs: tuple[str, str]  # what one block does with it, and several
    subject: str  # a phrase that names the block, such as ``**Open bills**``
    screen: str  # a phrase that names what contains the block, such as ``page **Bills**``
    is_moved: bool  # whether the sentence says where the path of the block is now


class Break(NamedTuple):
    """A change of the API, and all places that it breaks."""

    places: Sequence[Place]

    @property
    def sentence(self) -> str:
        """The sentence, with the marks of `sentences`; of many blocks, the first ones are named."""
        first = self.places[0]
        blocks = [*dict.fromkeys((place.subject, place.screen, place.document) for place in self.places)]
        shown = blocks if len(blocks) <= MAX_SUBJECTS + 1 else blocks[:MAX_SUBJECTS]
        phrases = [*_phrases(shown)]
        if len(shown) < len(blocks):
            phrases.append(f"{len(blocks) - len(shown)} more")
        return f"{first.what}: {_listed(phrases)} {first.verbs[len(blocks) > 1]}."


def _phrases(blocks: Iterable[tuple[str, str, str]]) -> Iterator[str]:
    """Yield the phrases that name blocks, those of one screen together."""
    for (screen, document), same in groupby(blocks, key=lambda block: block[1:]):
        subjects = _listed([subject for subject, _, _ in same])
        yield f"{subjects} on {screen} of {document}" if screen else f"{subjects} of {document}"


def _listed(phrases: list[str]) -> str:
    """Return phrases as a list in words: ``A``, ``A and B``, ``A, B, and C``."""
    if len(phrases) < 3:
        return " and ".join(phrases)
    return f"{', '.join(phrases[:-1])}, and {phrases[-1]}"


class Impact:
    """What a new description of an API breaks; `add` each document."""

    def __init__(self, old: Api, new: Api) -> None:
        self._old = old
        self._new = new
        self._moved = moved_paths(old, new)
        self._places: dict[str, list[Place]] = {}
        self._read: set[str] = set()  # the path templates of the old description that a document reads
        self.documents = 0
        self.broken = 0  # the number of documents that break

    def add(self, name: str, analysis: Analysis) -> None:
        """Compare the bindings of a document with both descriptions."""
        self.documents += 1
        operations = (self._old.operation(block.endpoint.value) for block in bindings_of(analysis.tree))
        self._read.update(operation.path for operation in operations if operation is not None)
        before = {(found.path, found.code) for found in api_diagnostics(analysis, self._old)}
        new = [found for found in api_diagnostics(analysis, self._new) if (found.path, found.code) not in before]
        if not new:
            return
        self.broken += 1
        elements = {element.path: element for element in elements_of(analysis.document.value, analysis.vocabulary)}
        for found in new:
            place = self._place(name, found, elements)
            self._places.setdefault(place.what, []).append(place)

    @property
    def breaks(self) -> list[Break]:
        """What breaks: first operations that are gone, in the order of the documents."""
        found = [Break(places) for places in self._places.values()]
        return sorted(found, key=lambda broken: broken.places[0].diagnostic.code != UNKNOWN_PATH.code)

    @property
    def removed(self) -> list[str]:
        """The path templates of the operations that only the old description has, in its order.

        Another name of a parameter is the same operation.
        """
        kept = {shape_of(path) for path in self._new.operations}
        return [path for path in self._old.operations if shape_of(path) not in kept]

    @property
    def unread(self) -> list[str]:
        """Those that no document reads."""
        return [path for path in self.removed if path not in self._read]

    @property
    def verdict(self) -> str:
        """A sentence on how many documents break."""
        documents = count_of(self.documents, "documents")
        if self.broken:
            return f"{self.broken} of {documents} {'break' if self.broken > 1 else 'breaks'}."
        verb = "reads" if self.documents == 1 else "read"
        return f"Nothing breaks: {documents} {verb} {count_of(len(self._read), 'operations')}."

    @property
    def about_unread(self) -> str:
        """A sentence on removed operations that no document reads; ``""`` without any."""
        if not self.unread:
            return ""
        verb = "are" if len(self.unread) > 1 else "is"
        return f"{count_of(len(self.unread), 'removed operations')} {verb} read by no document."

    def _place(self, name: str, found: Diagnostic, elements: dict[Path, Element]) -> Place:
        lint = found.finding
        assert isinstance(lint, ApiLint)  # noqa: S101  `api_diagnostics` makes no others
        path = found.path
        while path not in elements or not elements[path].is_node:
            path = path[:-1]
        block = elements[path]
        screen = top_of(block)
        words = lint.values()
        moved = self._moved_from(words["path"]) if lint.about is UNKNOWN_PATH else None
        if moved is not None:
            what, verbs = _what_moved(moved)
        else:
            operation = self._old.operation(words["path"])
            what, verbs = _what(lint, words["path"] if operation is None else operation.path)
        return Place(
            name,
            found,
            what,
            verbs,
            subject_of(block),
            "" if screen is block else subject_of(screen),
            moved is not None,
        )

    def _moved_from(self, path: str) -> Moved | None:
        """Return the group with which a path has moved, or None."""
        for moved in self._moved:
            is_inside = path.startswith(f"{moved.before}/")
            if is_inside and self._new.operation(moved.after + path.removeprefix(moved.before)) is not None:
                return moved
        return None


def _what_moved(moved: Moved) -> tuple[str, tuple[str, str]]:
    """Return the start of the sentence about a group of paths, and what one block does with it, and several."""
    before, after = code(moved.before), code(moved.after)
    verbs = ("reads one", "read some")
    if not moved.after:
        return f"{moved.number} paths no longer begin with {before}", verbs
    if not moved.before:
        return f"{moved.number} paths begin with {after} now", verbs
    return f"{moved.number} paths that began with {before} begin with {after} now", verbs


def _what(lint: ApiLint, template: str) -> tuple[str, tuple[str, str]]:
    """Return the start of the sentence about a difference, and what one block does with it, and several.

    The template names all paths of an operation, so that its blocks are in one sentence.
    """
    words = lint.values()
    path, value = code(template), code(words["value"])
    response = f"the response of {path}"
    marked = response if words["value"] == words["path"] else f"{value} in {response}"
    if lint.about is UNKNOWN_PATH:
        return f"{path} is gone", ("reads it", "read it")
    if lint.about is UNKNOWN_VALUE_PATH:
        return f"The response of {path} has no {value}", ("selects it", "select it")
    if lint.about is NOT_LIST:
        return f"{capitalized(marked)} is {escape(words['types'])}, not a list", ("shows its rows", "show its rows")
    if lint.about is NOT_SCALAR:
        return f"{capitalized(marked)} is {escape(words['types'])}", ("shows it as one value", "show it as one value")
    if lint.about is UNKNOWN_FIELD:
        return f"The rows of {path} have no {value}", ("shows it", "show it")
    field = code(words["field"])
    if lint.about is UNKNOWN_OPTION:
        return f"{field} in {response} is never {value}", ("offers it", "offer it")
    return f"{field} in {response} is {escape(words['types'])}", (f"shows it as {value}", f"show it as {value}")
