"""Find the document in a JSON value that is none: in the objects and arrays around it, and in strings.

Services, protocols and models put a document into answers of their own, often as JSON in a string.
"""

import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from rui_common.json_values import as_json, is_same_json
from rui_common.syntax.document import Document, read
from rui_common.syntax.paths import Path
from rui_common.syntax.reader import Scanner
from rui_common.syntax.root_keys import ROOT_KEYS, is_rui
from rui_common.syntax.spans import blank, without

MAX_DOCUMENTS = 5  # documents after which the search ends
MAX_FOUND = 20  # documents, equal ones included, after which the search ends
MAX_LEVELS = 8  # strings in strings that are read. Each level doubles the escapes of the text.
MAX_TEXTS = 200  # strings that are read. Each takes about 0.1 ms.
MAX_DEPTH = 20  # objects and arrays around a text of an event
MAX_FAILURES = 20  # brackets in the text of a string that begin no JSON. Bounds the time.

# The start of an object, an array, or a string with one.
_VALUE = re.compile(r"[{\[]|\"(?=(?:\\[nrt]|\s)*[{\[])")


# A line with an object, as those of a stream.
_EVENT = re.compile(r"^(?:data:[ \t]*)?\{[^\n]*\}[ \t\r]*$", re.MULTILINE)

_PROPERTY = re.compile(rf"\b(?:{ROOT_KEYS})\b[^\w\s]*\s*[:=]")


class EmbeddedDocument(NamedTuple):
    """A RUI in a JSON value."""

    path: Path  # the path of the RUI, or of the string that it is in
    inner: tuple[Path, ...] = ()  # in a string: its path in the JSON of that string, and so on for strings in strings
    text: str | None = None  # its text, decoded and without the text around it; None if it is in no string
    value: object = None  # its value; None if its text is no JSON
    is_whole: bool = True  # whether no text around it says that something is left out
    start: int | None = None  # in a text that is no JSON: the offset of the JSON in it that `inner` begins in
    pieces: int = 1  # the number of texts that it is divided into, as in a stream. Then its path is that of each.


class Embedded(NamedTuple):
    """The RUIs in a JSON value."""

    documents: tuple[EmbeddedDocument, ...]  # the different RUIs, in the order of the value; at least one
    is_certain: bool  # whether there is just one whole one, and the value around it is no RUI by its own keys


def find_embedded(value: object) -> Embedded | None:
    """Return the RUIs in a value, which is not one of them itself; None without one.

    A RUI within another one does not count. One that occurs twice, such as in the `content` and `structuredContent` of
    a tool's answer, counts once.
    """
    search = _Search()
    found = [*islice(search.documents([_Place(value)]), MAX_FOUND)]
    if isinstance(value, list):
        found = _with_joined(search, found, value)
    embedded = _distinct(search, found)
    if embedded is not None and is_rui(value):
        return embedded._replace(is_certain=False)
    return embedded


def find_in_text(text: str) -> Embedded | None:
    """Return the RUIs in the JSON values of a text that is none, such as the events of a stream; None without one."""
    search = _Search()
    is_stream = len([*islice(_EVENT.finditer(text), 2)]) > 1
    if not is_stream and not search.may_contain_document(text):
        return None
    values = [*json_values(text)]

    def documents() -> Iterator[EmbeddedDocument]:
        for start, end, value in values:
            place = _Place(text).decoded(value, read(text[start:end]))
            yield from (document._replace(start=start) for document in search.documents([place]))

    found = [*islice(documents(), MAX_FOUND)] if search.may_contain_document(text) else []
    found = _with_joined(search, found, [value for _, _, value in values])
    if len(values) > 1 and any(document.value is None for document in found):
        search.is_complete = False  # the rest of it may be in another value
    return _distinct(search, found)


def _with_joined(search: "_Search", found: list[EmbeddedDocument], events: list[object]) -> list[EmbeddedDocument]:
    """Return the RUIs that were found; if none of them is complete, those in the joined texts of events, if any."""
    if any(document.value is not None for document in found):
        return found
    return [*_joined(search, events)] or found


def _joined(search: "_Search", events: list[object]) -> Iterator[EmbeddedDocument]:
    """Yield the RUIs in texts that are divided, such as the answer of a model in the events of a stream.

    A text is what the events have at the same path. Where several texts are streamed at once, an ``index`` tells them.
    """
    pieces: dict[tuple[Path, tuple[object, ...]], list[str]] = {}
    for event in events:
        pending: list[tuple[object, Path, tuple[object, ...]]] = [(event, (), ())]
        while pending:
            value, path, indices = pending.pop()
            if isinstance(value, str):
                pieces.setdefault((path, indices), []).append(value)
            elif isinstance(value, dict | list) and len(path) < MAX_DEPTH:
                members = value.items() if isinstance(value, dict) else enumerate(value)
                index = value.get("index") if isinstance(value, dict) else None
                inner_indices = (*indices, index) if isinstance(index, int | str) else indices
                pending += [(member, (*path, step), inner_indices) for step, member in members]
    for (path, _), texts in pieces.items():
        text = "".join(texts)
        if len(texts) > 1 and search.may_contain_document(text):
            for document in search.documents([_Place(text)]):
                yield document._replace(path=path, pieces=len(texts))


def _distinct(search: "_Search", found: list[EmbeddedDocument]) -> Embedded | None:
    documents: list[EmbeddedDocument] = []
    count = 0
    for document in found:
        count += 1
        if not any(_is_same(document, other) for other in documents):
            documents.append(document)
        if len(documents) == MAX_DOCUMENTS:
            break
    if not documents:
        return None
    is_whole = documents[0].is_whole and not (documents[0].value is None and documents[0].pieces > 1)
    is_certain = len(documents) == 1 and is_whole and search.is_complete and count < MAX_FOUND
    return Embedded(tuple(documents), is_certain)


def json_values(text: str) -> Iterator[tuple[int, int, object]]:
    """Yield the objects and arrays in a text that are valid JSON, in text order: start, end and value."""
    scanner = Scanner()
    failures = 0
    start = _VALUE.search(text)
    while start is not None and failures < MAX_FAILURES:
        try:
            value, end = scanner.scan(text, start.start())
        except (ValueError, StopIteration, RecursionError):
            failures += 1
            end = start.end()
        else:
            yield start.start(), end, value
        start = _VALUE.search(text, end)


def decoded(text: str) -> Document | None:
    """Return the JSON in the text of a string, decoded again if that is a string, too; None if it is no JSON."""
    for _ in range(MAX_LEVELS):
        document = read(text)
        if not document.valid:
            return None
        if not isinstance(document.value, str):
            return document
        text = document.value
    return None


class _Place(NamedTuple):
    """A value that is searched. The path is made only if a document is found."""

    value: object
    parent: "_Place | None" = None
    step: str | int | None = None  # its key or index in `parent`; None for the JSON in a string, and for the root
    json: Document | None = None  # the JSON of the string that it is in; None for the outer text
    level: int = 0  # the number of strings around it

    def inner(self, step: str | int, value: object) -> "_Place":
        return _Place(value, self, step, self.json, self.level)

    def decoded(self, value: object, json: Document | None) -> "_Place":
        """Return a value in the text of this string."""
        return _Place(value, self, None, json, self.level + 1)


class _Search:
    """A search for RUIs in a value."""

    def __init__(self) -> None:
        self._texts = MAX_TEXTS
        self.is_complete = True  # whether no limit has ended it, so that there are no more RUIs

    def documents(self, places: list[_Place]) -> Iterator[EmbeddedDocument]:
        """Yield the RUIs in some values, in their order."""
        pending = [place for place in reversed(places) if self._is_searched(place.value)]
        while pending:
            place = pending.pop()
            value = place.value
            if isinstance(value, str):
                found, inner = self._read(place, value)
                yield from found
                pending += reversed(inner)
            elif isinstance(value, list):
                elements = reversed([*enumerate(value)])
                pending += [place.inner(index, element) for index, element in elements if self._is_searched(element)]
            elif isinstance(value, dict) and place.parent is not None and is_rui(value):
                yield _found(place)
            elif isinstance(value, dict):
                members = reversed([*value.items()])
                pending += [place.inner(name, member) for name, member in members if self._is_searched(member)]

    def may_contain_document(self, text: str) -> bool:
        return _PROPERTY.search(text) is not None

    def _is_searched(self, value: object) -> bool:
        return isinstance(value, dict | list) or (isinstance(value, str) and self.may_contain_document(value))

    def _read(self, place: _Place, string: str) -> tuple[list[EmbeddedDocument], list[_Place]]:
        """Return the RUIs in the text of a string, and the values that are to be searched in place of them."""
        if self._texts == 0 or place.level == MAX_LEVELS:
            self.is_complete = False
            return [], []
        self._texts -= 1
        json = read(string)
        if json.valid:
            return [], [place.decoded(json.value, json)]
        found = [*_in_text(place, json)]
        if found:
            return found, []
        return [], [place.decoded(value, read(string[start:end])) for start, end, value in json_values(string)]


def _found(place: _Place) -> EmbeddedDocument:
    path, *inner = _paths(place)
    if not place.level:
        return EmbeddedDocument(path, value=place.value)
    span = None if place.json is None else place.json.span_of((path, *inner)[-1])
    text = as_json(place.value) if place.json is None or span is None else place.json.text[slice(*span)]
    return EmbeddedDocument(path, tuple(inner), text, place.value)


def _in_text(place: _Place, string: Document) -> Iterator[EmbeddedDocument]:
    """Yield the RUIs in a string that is no JSON, such as those in a Markdown fence."""
    from rui_common.syntax.recovery.envelope import find_envelope  # only for such strings
    from rui_common.syntax.recovery.find_document import find_documents, find_marks
    from rui_common.syntax.recovery.omissions import is_omission_in_prose

    path, *inner = _paths(place)
    if not find_documents(string.text, 0):
        return
    envelope = find_envelope(string.text, string.lines)
    if envelope is not None and envelope.fault.edits:
        spans = [edit.span for edit in envelope.fault.edits]
        text = without(string.text, spans)
        json = read(text)
        is_whole = not any(is_omission_in_prose(string.text[slice(*span)]) for span in spans)
        yield EmbeddedDocument(path, tuple(inner), text, json.value if json.valid else None, is_whole)
        return
    marks = find_marks(string.text, 0)
    text = string.text if marks is None else blank(string.text, marks.spans)
    for found in find_documents(text, 0):
        json = read(text[found.start : found.end])
        is_whole = not (json.valid and is_omission_in_prose(text[found.end :]))
        inner_text = json.text if json.valid else text[found.start :]
        yield EmbeddedDocument(path, tuple(inner), inner_text, json.value if json.valid else None, is_whole)


def _paths(place: _Place) -> list[Path]:
    """Return the path in the outer value, and one in each string."""
    paths: list[Path] = []
    steps: list[str | int] = []
    current: _Place | None = place
    while current is not None:
        if current.step is None:
            paths.append(tuple(reversed(steps)))
            steps = []
        else:
            steps.append(current.step)
        current = current.parent
    paths.reverse()
    return paths


def _is_same(first: EmbeddedDocument, second: EmbeddedDocument) -> bool:
    if first.value is None or second.value is None:
        return first.text is not None and first.text == second.text
    return is_same_json(first.value, second.value)
