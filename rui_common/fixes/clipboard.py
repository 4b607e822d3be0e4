"""Read the text of a clipboard: which elements of a document it contains, as JSON in the vocabulary's own words."""

from __future__ import annotations

import json
from collections import namedtuple
from functools import cache

from rui_common.editing.formatter import format_document
from rui_common.editing.generate import NamesInUse
from rui_common.fixes.fix_all import apply_safe_fixes
from rui_common.json_values import as_list
from rui_common.syntax.document import read
from rui_common.syntax.paths import value_at
from rui_common.vocabulary.aliases import known_props, read_as, shape_of_node, type_named, unwrap
from rui_common.vocabulary.kinds import ListKind, NodeKind
from rui_common.vocabulary.rules import MAX_BODY_BYTES, MESSAGES, PLANNED, RULES
from rui_common.vocabulary.structures import BARE_ELEMENT, parts_of, structure_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rui_common.syntax.document import Document
    from rui_common.syntax.paths import Path
    from rui_common.vocabulary.schema import Kind, Shape, Vocabulary

    Json = dict[str, object]

_CONTEXT_ID = "context-of-the-clipboard"
"""The id of nodes around the elements; unlikely in a clipboard."""

_BETWEEN = " \t\r\n,"


class PasteRefusedError(ValueError):
    """A text cannot be pasted as elements of a document. The message is a sentence for the author."""


class Step(namedtuple("Step", ("shape", "name", "kind"))):
    """A step on the way from the root to a list: a property of an object.

    Attributes:
        shape: the shape of the object.
        name: the name of the property.
        kind: the kind of its value.
    """

    __slots__ = ()
    shape: Shape
    name: str
    kind: Kind


class Rank(namedtuple("Rank", ("is_exact", "is_certain", "known"))):
    """How well elements fit into a list; a higher one is better.

    Attributes:
        is_exact: whether they are in the vocabulary's own words.
        is_certain: whether they fit without a list of that kind around them.
        known: the number of their known properties less the others.
    """

    __slots__ = ()
    is_exact: bool
    is_certain: bool
    known: int


class Candidate(namedtuple("Candidate", ("kind", "steps", "rank"))):
    """A list of a document that may contain the elements of a clipboard.

    Attributes:
        kind: the kind of the list.
        steps: the way to such a list.
        rank: how well the elements fit.
    """

    __slots__ = ()
    kind: ListKind
    steps: tuple[Step, ...]
    rank: Rank

    @property
    def path(self) -> Path:
        """The path of the first such list of a document."""
        path: list[str | int] = []
        for step in self.steps:
            path.append(step.name)
            if isinstance(step.kind, ListKind):
                path.append(0)
        return tuple(path[:-1])


class Clipboard:
    """The content of a clipboard.

    Attributes:
        candidates: the lists that may contain it.
        is_document: whether it is a whole document.
    """

    def __init__(self, text: str, vocabulary: Vocabulary) -> None:
        """Read a clipboard.

        Raises:
            PasteRefusedError: it contains no elements of a document.
        """
        self._vocabulary = vocabulary
        document = _read(text)
        value = document.value
        if isinstance(value, list) and len(value) == 1 and _is_document(value[0], vocabulary):
            value = value[0]
        self._json = document.text
        if not document.valid or value is not document.value:
            self._json = _to_json(value)
        self.is_document = _is_document(value, vocabulary)
        self.candidates: list[Candidate] = []
        self._is_element = False
        if self.is_document:
            self.candidates = [_list_of_pages(vocabulary)]
        else:
            self.candidates = list(_candidates(value, vocabulary))
        self._value = value
        if not self.candidates:
            raise self.refusal()

    def refusal(self) -> PasteRefusedError:
        """The error that the clipboard contains no elements of a document."""
        for element in self._value if isinstance(self._value, list) else [self._value]:
            node_type = element.get("type") if isinstance(element, dict) else None
            if node_type in [*self._vocabulary.planned]:
                return PasteRefusedError(MESSAGES[RULES[PLANNED].code][0].replace("{type}", str(node_type)))
        return PasteRefusedError(f"The clipboard contains no {_names(self._vocabulary)}.")

    def document_with(self, candidate: Candidate) -> Document:
        """A document in canonical layout that contains the elements in the list of a candidate.

        Names of properties, types and values that the vocabulary does not have are replaced as far as that is safe.
        """
        text = self._json
        if not self.is_document:
            text = _text_around(self._json_of_list(candidate.kind), candidate.steps, self._vocabulary)
        fixed = apply_safe_fixes(read(text), self._vocabulary)
        if not fixed.valid or fixed.duplicate_keys():
            fixed = read(_to_json(fixed.value))
        if self.is_document and isinstance(fixed.value, dict):
            inner, path = unwrap(fixed.value, self._vocabulary.root)
            if path:
                fixed = read(_to_json(inner))
        elements = value_at(fixed.value, candidate.path)
        if not isinstance(elements, list) or not elements or not all(isinstance(one, dict) for one in elements):
            raise PasteRefusedError("The clipboard contains no list that can be read.")
        return read(format_document(fixed, self._vocabulary))

    def _json_of_list(self, kind: ListKind) -> str:
        """The JSON text of a list; a safe fix converts objects that contain one."""
        if isinstance(self._value, dict):
            structure = structure_of(self._value, kind, self._vocabulary)
            if structure is None or structure.sort == BARE_ELEMENT:
                return f"[{self._json}]"
        return self._json


def _read(text: str) -> Document:
    """Read a text as JSON, with or without brackets around several elements.

    Raises:
        PasteRefusedError: it is too long, or contains no object or array.
    """
    if not text.strip():
        raise PasteRefusedError("The clipboard contains no text.")
    if len(text) > MAX_BODY_BYTES:
        raise PasteRefusedError(
            f"The clipboard has {len(text)} characters, more than a whole document may have ({MAX_BODY_BYTES} bytes)."
        )
    document = read(text)
    if document.valid and isinstance(document.value, str):
        document = read(document.value)
    root = document.find(())
    if not isinstance(document.value, dict | list) or root is None or root.span is None:
        raise PasteRefusedError("The clipboard contains no JSON object or array.")
    if document.valid:
        return document
    rest = document.text[root.end :].lstrip(_BETWEEN)
    if document.text[root.start] == "{" and rest.startswith("{"):
        elements = read(f"[{text.strip(_BETWEEN)}]")
        if len(elements.all_syntax) <= len(document.all_syntax) and len(as_list(elements.value)) > 1:
            return elements
    return document


def _to_json(value: object) -> str:
    """A value as JSON that can be encoded as UTF-8, even if a string contains half a surrogate pair."""
    text = json.dumps(value, ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.dumps(value)
    return text


def _is_document(value: object, vocabulary: Vocabulary) -> bool:
    """Whether a value is a whole document, in wrappers or not: it has pages and another required property."""
    if not isinstance(value, dict):
        return False
    root, _ = unwrap(value, vocabulary.root)
    keys = {**read_as(root, vocabulary.root), **{name: name for name in root if name in vocabulary.root.props}}
    pages = _list_of_pages(vocabulary).path[0]
    has_pages = pages in keys and isinstance(root[keys[str(pages)]], dict | list)
    return has_pages and len(keys.keys() & {*vocabulary.root.required}) > 1


def _list_of_pages(vocabulary: Vocabulary) -> Candidate:
    """The first list of nodes in a document."""
    lists = _lists(vocabulary)
    exact = Rank(True, True, 0)
    return next(Candidate(kind, steps, exact) for kind, steps in lists.items() if isinstance(kind.items, NodeKind))


@cache
def _lists(vocabulary: Vocabulary) -> dict[ListKind, tuple[Step, ...]]:
    """The lists of objects that documents contain, each with the shortest way to one."""
    lists: dict[ListKind, tuple[Step, ...]] = {}
    pending: list[tuple[Shape, tuple[Step, ...]]] = [(vocabulary.root, ())]
    while pending:
        shape, outer = pending.pop(0)
        for prop in (*shape.props.values(), *shape.suggested.values()):
            steps = (*outer, Step(shape, prop.name, prop.kind))
            if isinstance(prop.kind, ListKind) and prop.kind.inner_shapes:
                if prop.kind in lists:
                    continue
                lists[prop.kind] = steps
            pending += [(inner, steps) for inner in prop.kind.inner_shapes]
    return lists


def _candidates(value: object, vocabulary: Vocabulary) -> Iterator[Candidate]:
    """The lists whose elements a value can be."""
    for kind, steps in _lists(vocabulary).items():
        ranks = [_rank(element, kind, vocabulary) for element in _elements(value, kind, vocabulary)]
        present = [rank for rank in ranks if rank is not None]
        if present and len(present) == len(ranks):
            yield Candidate(kind, steps, min(present))


def _elements(value: object, kind: ListKind, vocabulary: Vocabulary) -> Sequence[object]:
    """The elements of a value that is read as a list of a kind."""
    if isinstance(value, list):
        return value
    structure = structure_of(value, kind, vocabulary)
    if structure is None or structure.sort == BARE_ELEMENT:
        return [value]
    parts = [part for _, part in parts_of(value, structure)]
    if len(parts) == 1 and isinstance(parts[0], list):
        return parts[0]
    return parts


def _rank(value: object, kind: ListKind, vocabulary: Vocabulary) -> Rank | None:
    """How well a value fits as an element of a list; None if it does not."""
    if not isinstance(value, dict):
        return None
    if isinstance(kind.items, NodeKind):
        return _rank_of_node(value, kind.items, vocabulary)
    if value.get("type") in [*vocabulary.nodes]:
        return None
    shape = kind.items.inner_shapes[0]
    known, unknown = _known(value, shape)
    own = _own_props(shape)
    if not own <= known or unknown > len(known):
        return None
    is_exact = own <= value.keys()
    return Rank(is_exact, is_exact, len(known) - unknown)


def _rank_of_node(value: Json, items: NodeKind, vocabulary: Vocabulary) -> Rank | None:
    shape = shape_of_node(value, items, vocabulary)
    if shape is None or shape.name not in items.types:
        return None
    known, unknown = _known(value, shape)
    is_exact = value.get("type") == shape.name
    is_named = is_exact or _names_type(value, items, shape, vocabulary)
    if not is_named and (not _own_props(shape) <= known or unknown > len(known)):
        return None
    return Rank(is_exact, True, len(known) - unknown)


def _known(value: Json, shape: Shape) -> tuple[set[str], int]:
    """The properties of a shape that an object has under any name, the suggested ones too, and the number of others."""
    known, unknown = known_props(value, shape)
    suggested = value.keys() & shape.suggested.keys()
    return known | suggested, unknown - len(suggested)


def _names_type(value: Json, items: NodeKind, shape: Shape, vocabulary: Vocabulary) -> bool:
    """Whether the type of a node means a shape."""
    node_type = value.get("type")
    return isinstance(node_type, str) and type_named(node_type, value, items, vocabulary) is shape


def _own_props(shape: Shape) -> set[str]:
    """The properties that make an object one of a shape: those that are required and cannot be generated."""
    own = {prop.name for prop in shape.props.values() if prop.required and not prop.kind.values and prop.name != "id"}
    return own or {*shape.suggested}


def _text_around(text: str, steps: tuple[Step, ...], vocabulary: Vocabulary) -> str:
    """The text of a document with the JSON of a list at the end of the steps."""
    generator = NamesInUse(read("{}"), vocabulary).generator_at(())
    inner = text
    for number, step in reversed(list(enumerate(steps))):
        if isinstance(step.kind, ListKind) and inner is not text:
            inner = f"[{inner}]"
        fixed: Json = {"id": f"{_CONTEXT_ID}-{number}"} if step.shape.is_node else {}
        value = generator.new_object(step.shape, None, {**fixed, step.name: None})
        pairs = {key: json.dumps(other) for key, other in value.items()} | {step.name: inner}
        inner = "{" + ", ".join(f"{json.dumps(key)}: {pair}" for key, pair in pairs.items()) + "}"
    return inner


def _names(vocabulary: Vocabulary) -> str:
    """The names of what can be pasted, for a message."""
    names = dict.fromkeys(shape.name for kind in _lists(vocabulary) for shape in kind.inner_shapes)
    *others, last = names
    return f"{', '.join(others)} or {last}"
