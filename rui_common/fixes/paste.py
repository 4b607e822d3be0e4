"""Paste JSON as elements of a document: nodes, columns, entries or a whole document, with free names.

The elements go into the nearest list that may contain them: the one around the caret, else the next one after it.
"""

from __future__ import annotations

import json
from collections import namedtuple

from rui_common.editing.edits import Edit, apply, indent_at, insert_properties, reindent, set_value
from rui_common.editing.generate import NamesInUse
from rui_common.editing.traversal import label_of
from rui_common.fixes.clipboard import Clipboard, PasteRefusedError
from rui_common.fixes.insertion import insert_elements
from rui_common.json_values import as_list, as_object
from rui_common.suggest import kebab_case
from rui_common.syntax.document import read
from rui_common.syntax.paths import value_at
from rui_common.syntax.spans import Span
from rui_common.syntax.tree import UNKNOWN
from rui_common.validation.scopes import sites
from rui_common.vocabulary.kinds import ListKind, NodeKind
from rui_common.vocabulary.lookup import occurrences, schema_location, shape_of
from rui_common.vocabulary.queries import parents
from rui_common.vocabulary.rui_0_1 import VOCABULARY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rui_common.editing.generate import ValueGenerator
    from rui_common.fixes.clipboard import Candidate
    from rui_common.syntax.document import Document
    from rui_common.syntax.paths import Path
    from rui_common.vocabulary.lookup import Occurrence
    from rui_common.vocabulary.schema import Kind, Shape, Symbol, Vocabulary

__all__ = ["Paste", "PasteRefusedError", "paste"]


class Paste(namedtuple("Paste", ("title", "edits", "is_at_caret"))):
    """A change of the text that inserts the content of a clipboard.

    Attributes:
        title: text for a menu, such as ``Paste as Metric``.
        edits: the changes of the document's text; never empty.
        is_at_caret: whether the elements are inserted where the caret is, between other elements.
    """

    __slots__ = ()
    title: str
    edits: tuple[Edit, ...]
    is_at_caret: bool


class _Place(namedtuple("_Place", ("path", "index", "is_around", "is_at_caret"))):
    """A place for elements in a list.

    Attributes:
        path: the path of the list, which may be absent.
        index: the number of elements before it.
        is_around: whether the caret is in the list, or in the object that lacks it.
        is_at_caret: whether the caret is at the place.
    """

    __slots__ = ()
    path: Path
    index: int
    is_around: bool
    is_at_caret: bool


def paste(document: Document, caret: int, text: str, vocabulary: Vocabulary = VOCABULARY) -> Paste:
    """The change that inserts the content of a clipboard into a document, valid or not.

    Args:
        document: the document.
        caret: the offset of the caret (code points, clamped).
        text: the content of the clipboard: JSON, possibly broken, in the words of the vocabulary or in others.
        vocabulary: the vocabulary.

    Raises:
        PasteRefusedError: the text contains no elements of a document, or the document has no place for them.
    """
    caret = max(0, min(caret, len(document.text)))
    clipboard = Clipboard(text, vocabulary)
    if clipboard.is_document and not document.text.strip("\ufeff \t\r\n"):
        new_text = clipboard.document_with(clipboard.candidates[0]).text
        return Paste("Paste the document", (Edit(Span(0, len(document.text)), new_text),), True)
    candidate, place = _choose(document, caret, clipboard, vocabulary)
    return _Pasting(document, clipboard.document_with(candidate), candidate, place, vocabulary).paste(caret)


# Where ----------------------------------------------------------------------------------------------------------------


def _choose(document: Document, caret: int, clipboard: Clipboard, vocabulary: Vocabulary) -> tuple[Candidate, _Place]:
    """The list that fits best, and the place in it. One around the caret is preferred."""
    found = []
    for candidate in clipboard.candidates:
        place = _place(document, caret, candidate.kind, vocabulary)
        rank = candidate.rank
        if place is not None and (rank.is_certain or place.is_around):
            found.append(((rank.is_exact, place.is_around, rank.known, len(place.path)), candidate, place))
    if found:
        _, candidate, place = max(found, key=lambda one: one[0])
        return candidate, place
    certain = next((candidate for candidate in clipboard.candidates if candidate.rank.is_certain), None)
    if certain is None:
        raise clipboard.refusal()
    shapes = certain.kind.inner_shapes
    names = " or ".join(shape.name for shape in shapes)
    owner, _, prop = parents(vocabulary, shapes[0])[0].partition(".")
    raise PasteRefusedError(f"A {names} belongs into the {prop} of a {owner}, and this document has none.")


def _place(document: Document, caret: int, kind: ListKind, vocabulary: Vocabulary) -> _Place | None:
    """The place for elements of a list of a kind: in the innermost object or array around the caret that has one."""
    path = document.path_at(caret)
    for size in range(len(path), -1, -1):
        outer = path[:size]
        location = schema_location(document.value, outer, vocabulary)
        if location is None:
            continue
        value = value_at(document.value, outer)
        if location.kind is kind and isinstance(value, list):
            return _place_in_list(document, outer, caret)
        absent = _absent_list(value, location.kind, kind, vocabulary)
        if absent is not None:
            return _Place((*outer, absent), 0, True, size == len(path))
        lists = _lists_below(value, location.kind, outer, kind, vocabulary)
        place = _nearest(document, sorted(lists, key=document.range_of), caret)
        if place is not None:
            return place
    return None


def _place_in_list(document: Document, path: Path, caret: int) -> _Place:
    members = [member for member in document.members(path) if member.start != UNKNOWN]
    index = sum(member.start < caret for member in members)
    is_inside = any(member.start < caret < member.end for member in members)
    return _Place(path, index, True, not is_inside)


def _absent_list(value: object, owner: Kind, kind: ListKind, vocabulary: Vocabulary) -> str | None:
    """The name of a property with a list of a kind that an object may have and lacks."""
    shape = shape_of(value, owner, vocabulary)
    if shape is None or not isinstance(value, dict):
        return None
    props = (*shape.props.values(), *shape.suggested.values())
    return next((prop.name for prop in props if prop.kind is kind and prop.name not in value), None)


def _lists_below(value: object, kind: Kind, path: Path, wanted: ListKind, vocabulary: Vocabulary) -> Iterator[Path]:
    """The paths of the lists of a kind in a value."""
    if isinstance(value, list) and isinstance(kind, ListKind):
        if kind is wanted:
            yield path
        for index, element in enumerate(value):
            yield from _lists_below(element, kind.items, (*path, index), wanted, vocabulary)
        return
    shape = shape_of(value, kind, vocabulary)
    if shape is None or not isinstance(value, dict):
        return
    for prop in (*shape.props.values(), *shape.suggested.values()):
        if prop.kind.inner_shapes and prop.name in value:
            yield from _lists_below(value[prop.name], prop.kind, (*path, prop.name), wanted, vocabulary)


def _nearest(document: Document, lists: Sequence[Path], caret: int) -> _Place | None:
    """The start of the first list after the caret, else the end of the last one before it."""
    for path in lists:
        span = document.span_of(path)
        if span is not None and span.start >= caret:
            return _Place(path, 0, False, False)
    if not lists:
        return None
    return _Place(lists[-1], len(document.members(lists[-1])), False, False)


# What -----------------------------------------------------------------------------------------------------------------


class _Pasting:
    """Inserts elements into a list of a document.

    Args:
        document: the document.
        source: a document that contains the elements.
        candidate: the list that contains them there.
        place: where to insert them.
    """

    def __init__(
        self, document: Document, source: Document, candidate: Candidate, place: _Place, vocabulary: Vocabulary
    ) -> None:
        self._document = document
        self._source = source
        self._path = candidate.path
        self._kind = candidate.kind
        self._place = place
        self._vocabulary = vocabulary
        self._names = NamesInUse(document, vocabulary)

    def paste(self, caret: int) -> Paste:
        """The change that inserts them with free names."""
        generator = self._names.generator_at(self._place.path)
        renamed = read(apply(self._source.text, self._renames(generator)))
        source = read(apply(renamed.text, self._new_ids(renamed, generator)))
        insertion = self._insertion(source, caret)
        if not insertion:
            raise PasteRefusedError("The list for the clipboard is broken in this document: correct it first.")
        target, references = self._references(source)
        elements = as_list(value_at(source.value, self._path))
        title = self._title(elements)
        if references:
            title += f" and add {'it' if len(elements) == 1 else 'them'} to {target}"
        return Paste(title, (*insertion, *references), self._place.is_at_caret)

    def _title(self, elements: Sequence[object]) -> str:
        shapes = [shape_of(element, self._kind.items, self._vocabulary) for element in elements]
        names = {shape.name for shape in shapes if shape is not None}
        name = names.pop() if len(names) == 1 else "element"
        if len(elements) == 1:
            return f"Paste as {name}"
        return f"Paste as {len(elements)} {name}s"

    def _renames(self, generator: ValueGenerator) -> list[Edit]:
        """The edits that rename the definitions whose names are malformed or in use, with their uses."""
        value = self._source.value
        names = [one for one in occurrences(value, self._vocabulary) if len(one.scope) <= len(self._path)]
        definitions: dict[Path, list[Occurrence]] = {}
        for one in names:
            if not one.is_use and one.path[: len(self._path)] == self._path:
                definitions.setdefault(one.path, []).append(one)
        new_names: dict[tuple[Symbol, str], str] = {}
        edits: list[Edit | None] = []
        for path in sorted(definitions, key=self._source.range_of):
            name = definitions[path][0].name
            new_name = self._free_name(path, name, generator)
            for one in definitions[path]:
                new_names.setdefault((one.symbol, name), new_name)
            if new_name != name:
                edits.append(set_value(self._source, path, new_name))
        for one in names:
            new_name = new_names.get((one.symbol, one.name), one.name)
            if one.is_use and new_name != one.name:
                edits.append(set_value(self._source, one.path, new_name))
        return [edit for edit in edits if edit is not None]

    def _free_name(self, path: Path, name: str, generator: ValueGenerator) -> str:
        """A free and well-formed name for the definition at a path of the source."""
        location = schema_location(self._source.value, path, self._vocabulary)
        if location is None or location.prop is None:
            return name
        for stem in (name, kebab_case(name), str(location.prop.example)):
            if location.kind.accepts(stem):
                new_name = generator.free_name(location.prop.defines, stem)
                if location.kind.accepts(new_name):
                    return new_name
        return name

    def _new_ids(self, source: Document, generator: ValueGenerator) -> list[Edit]:
        """The edits that give an id to every node that has none, or one that is no string."""
        edits: list[Edit] = []
        for path, node, shape in self._nodes(source):
            prop = shape.props["id"]
            if isinstance(node.get("id"), str):
                continue
            label = label_of(node, shape)
            stem = kebab_case(label)
            if not label.isascii() or not prop.kind.accepts(stem):
                stem = str(prop.example)
            name = generator.free_name(prop.defines, stem)
            replacement = set_value(source, (*path, "id"), name)
            if replacement is not None:
                edits.append(replacement)
            else:
                edits += insert_properties(source, path, {"id": name}, [*shape.props])
        return edits

    def _nodes(self, source: Document) -> Iterator[tuple[Path, dict[str, object], Shape]]:
        """The nodes of the elements, with their paths and shapes."""
        pending: list[tuple[object, Kind, Path]] = [(value_at(source.value, self._path), self._kind, self._path)]
        while pending:
            value, kind, path = pending.pop()
            if isinstance(value, list) and isinstance(kind, ListKind):
                pending += [(element, kind.items, (*path, index)) for index, element in enumerate(value)]
                continue
            shape = shape_of(value, kind, self._vocabulary)
            if shape is None or not isinstance(value, dict):
                continue
            if isinstance(kind, NodeKind):
                yield path, value, shape
            inner = (prop for prop in shape.props.values() if prop.kind.inner_shapes and prop.name in value)
            pending += [(value[prop.name], prop.kind, (*path, prop.name)) for prop in inner]

    def _insertion(self, source: Document, caret: int) -> list[Edit]:
        path = self._place.path
        location = schema_location(self._document.value, path[:-1], self._vocabulary)
        if self._document.find(path) is None and location is not None:
            shape = shape_of(value_at(self._document.value, path[:-1]), location.kind, self._vocabulary)
            order = [] if shape is None else [*shape.props]
            values = {str(path[-1]): value_at(source.value, self._path)}
            return insert_properties(self._document, path[:-1], values, order)
        texts = [_text_of(source, (*self._path, index)) for index in range(len(source.members(self._path)))]
        edit = insert_elements(self._document, path, self._place.index, texts, caret)
        return [] if edit is None else [edit]

    def _references(self, source: Document) -> tuple[str, list[Edit]]:
        """The property of the root with references to the elements, and the edits that add those a rule requires."""
        symbol = self._kind.items.defines
        if symbol is None or symbol.unused is None:
            return "", []
        used = self._names.names(symbol, (), used=True)
        ids = [str(as_object(one).get("id")) for one in as_list(value_at(source.value, self._path))]
        names = [name for name in ids if name not in used]
        for site in sites(self._vocabulary.root, symbol, defining=False):
            path: Path = site[:-2]
            texts = [text for name in names for text in _references_to(source, path, str(site[-1]), name)]
            edit = insert_elements(self._document, path, len(self._document.members(path)), texts)
            if texts and edit is not None:
                return str(site[0]), [edit]
        return "", []


def _references_to(source: Document, path: Path, prop: str, name: str) -> list[str]:
    """The elements of a list of the source that use a name, or a new one."""
    elements = as_list(value_at(source.value, path))
    indexes = [index for index, element in enumerate(elements) if as_object(element).get(prop) == name]
    if not indexes:
        return [f"{{{json.dumps(prop)}: {json.dumps(name)}}}"]
    return [_text_of(source, (*path, index)) for index in indexes]


def _text_of(source: Document, path: Path) -> str:
    """The text of a value, without the indentation of the line on which it begins."""
    span = source.span_of(path)
    if span is None:
        return ""
    return reindent(source.text[span.start : span.end], indent_at(source.text, span.start), "")
