"""A root that is no RUI: a document is in it, it is a part of one, or a change of one."""

import re
from collections.abc import Iterable, Iterator

from rui_common.json_values import JsonObject, as_object
from rui_common.nodes.node import Root
from rui_common.problems.finding import Finding
from rui_common.problems.operations import Enclose, KeepOnly
from rui_common.problems.suggestion import Sentence, Suggestion, fact
from rui_common.problems.words import listed, path_text, quoted
from rui_common.syntax.document import Document
from rui_common.syntax.embedded import Embedded, EmbeddedDocument, find_embedded, find_in_text
from rui_common.syntax.errors import FaultKind, SyntaxFault
from rui_common.syntax.line_index import LineIndex
from rui_common.syntax.paths import Path
from rui_common.vocabulary.kinds import ObjectKind
from rui_common.vocabulary.queries import containers
from rui_common.vocabulary.schema import Shape, Vocabulary

_NO_VALUE = frozenset({FaultKind.NOT_JSON, FaultKind.NO_DOCUMENT})
_ESCAPED_COLON = re.compile(r"\\\"\s*:")  # after a name in a string with JSON

SEE_FIRST = "See the first hint."

_JSON_TYPES = {list: "an array", str: "a string", bool: "a boolean", type(None): "null"}
_PATCH_OPERATIONS = {"add", "remove", "replace", "move", "copy", "test"}
_PATCH = "This is a JSON Patch: apply it to the document, and send the whole document."
MAX_ELEMENTS = 1_000  # elements of an array whose types are compared. Bounds the time.


class WrongRoot(Finding):
    """A root that is JSON, but no object (docs/decisions.md, end of section 2)."""

    needs_owner = True

    def __init__(self, value: object, vocabulary: Vocabulary) -> None:
        kind = ObjectKind(vocabulary.root)
        super().__init__(Root({}, kind, vocabulary.root, vocabulary=vocabulary), "", "R0", value, kind)
        self.about_root = about_root(value, vocabulary)

    @property
    def path(self) -> Path:
        return ()

    @property
    def message(self) -> str:
        return f"The root of a RUI is an object, not {_JSON_TYPES.get(type(self.got), 'a number')}."

    def sentences(self) -> list[Sentence]:
        """Return the hint. What it has to be is in the message."""
        return [suggestion.sentence for suggestion in self.about_root or self.suggestions() if suggestion.sentence]

    def suggestions(self) -> Iterator[Suggestion]:
        got = self.got
        if isinstance(got, list) and len(got) == 1 and isinstance(got[0], dict):
            yield fact("Send the one object of the array, without [ and ] around it.")
        elif isinstance(got, str) and got.lstrip()[:1] == "{":
            yield fact("Send the text of the string itself, as an object without quotes around it.")
        else:
            yield fact("Put the document into { and }.")


class WrongText(Finding):
    """A text that is no JSON, with JSON in it that contains a document, such as the events of a stream."""

    def __init__(self, vocabulary: Vocabulary, suggestion: Suggestion) -> None:
        kind = ObjectKind(vocabulary.root)
        super().__init__(Root({}, kind, vocabulary.root, vocabulary=vocabulary), "", "R0", None, kind)
        self.about_root = (suggestion,)

    @property
    def path(self) -> Path:
        return ()

    @property
    def message(self) -> str:
        return "This text is not JSON."

    def sentences(self) -> list[Sentence]:
        """Return where the document is."""
        return [suggestion.sentence for suggestion in self.about_root if suggestion.sentence]

    def suggestions(self) -> Iterator[Suggestion]:
        return iter(self.about_root)


def wrong_text(document: Document, errors: Iterable[SyntaxFault], vocabulary: Vocabulary) -> WrongText | None:
    """Return the finding about a text that is no JSON, and no RUI, if JSON in it contains a document.

    `errors` are the first ones of the document. To read its value takes long, and most texts need none of this.
    """
    if document.valid or document.conflicts or document.is_lossy:
        return None
    if not any(fault.kind in _NO_VALUE for fault in errors) and _ESCAPED_COLON.search(document.text) is None:
        return None
    embedded = find_in_text(document.text)
    if embedded is None or vocabulary.is_rui(document.value):
        return None
    return WrongText(vocabulary, _embedded(embedded, vocabulary, document.lines))


def about_root(value: object, vocabulary: Vocabulary) -> tuple[Suggestion, ...]:
    """Return what can be done with a root that is no RUI; empty for a RUI, and if nothing is known about it."""
    if _is_registered(value, vocabulary):
        return ()
    embedded = find_embedded(value)
    if embedded is not None:
        return (_embedded(embedded, vocabulary),)
    if _is_patch(value):
        return (fact(_PATCH, once=True),)
    part = _part(value, (), vocabulary) or _part_in_wrapper(value, vocabulary)
    if part is not None:
        return (part,)
    return ()


def _is_registered(value: object, vocabulary: Vocabulary) -> bool:
    """Return whether a value is an object that has what a RUI consists of, or nothing else than its properties."""
    if not isinstance(value, dict):
        return False
    is_identified = any(isinstance(value.get(name), dict | list) for name in vocabulary.identifying)
    return is_identified or value.keys() <= vocabulary.root.props.keys()


# A document in it -----------------------------------------------------------------------------------------------------


def _embedded(embedded: Embedded, vocabulary: Vocabulary, lines: LineIndex | None = None) -> Suggestion:
    places = [place_of(document, lines) for document in embedded.documents]
    required = {*vocabulary.root.required}
    is_enough = all(as_object(document.value).keys() >= required for document in embedded.documents)
    if len(places) > 1:
        last = places.pop()
        return fact(
            f"There are several documents, in {', '.join(places)} and {last}: send each by itself.", once=True
        )._replace(is_enough=is_enough)
    document = embedded.documents[0]
    text = f"The document is in {places[0]}: send that."
    if not document.is_whole:
        text += " The text around it says that something is left out: write that out."
    sentence = Sentence(text, once=True, again=SEE_FIRST)
    operation = KeepOnly(document.path, document.text, places[0])
    return Suggestion(sentence, (operation,), is_safe=embedded.is_certain, is_enough=is_enough)


def place_of(document: EmbeddedDocument, lines: LineIndex | None = None) -> str:
    """Return where a document is, such as ``rui of the JSON in choices[0].message.content``: the innermost path first.

    `lines` are those of a text that is no JSON.
    """
    names = [f"`{path_text(path)}`" for path in reversed(document.inner) if path]
    if document.pieces > 1:
        names.append(f"the {document.pieces} texts of `{path_text(document.path)}`, joined")
        return " of the JSON in ".join(names)
    if lines is not None and document.start is not None:
        names.append(f"line {lines.line_of(document.start) + 1}")
    else:
        names.append(f"`{path_text(document.path)}`" if document.path else "the string")
    return " of the JSON in ".join(names)


# A part, or a change --------------------------------------------------------------------------------------------------


def _is_patch(value: object) -> bool:
    """Return whether a value is a JSON Patch (RFC 6902), or one of its operations."""
    elements = value[:MAX_ELEMENTS] if isinstance(value, list) else [value]
    return bool(elements) and all(
        isinstance(element, dict) and element.get("op") in _PATCH_OPERATIONS and isinstance(element.get("path"), str)
        for element in elements
    )


def _part_in_wrapper(value: object, vocabulary: Vocabulary) -> Suggestion | None:
    """Return where a node, or the nodes of an array, belong that are all the content of an object; None without one."""
    parts = [(key, part) for key, part in as_object(value).items() if isinstance(part, dict | list)]
    if len(parts) != 1:
        return None
    key, part = parts[0]
    if not all(isinstance(element, dict) and "type" in element for element in _elements(part)):
        return None
    return _part(part, (key,), vocabulary)


def _elements(value: object) -> list[object]:
    return value[:MAX_ELEMENTS] if isinstance(value, list) else [value]


def _part(value: object, path: Path, vocabulary: Vocabulary) -> Suggestion | None:
    """Return where a node at a path belongs, or the nodes of an array; None for other values."""
    shapes = [_shape_of(as_object(element), vocabulary) for element in _elements(value)]
    types = list(dict.fromkeys(shape.name for shape in shapes if shape is not None))
    if not types or None in shapes or (isinstance(value, list) and len(value) > MAX_ELEMENTS):
        return None
    enclosing = containers(vocabulary.root, types)
    if not enclosing:
        return None
    what = f"{'In ' + quoted(str(path[0])) if path else 'This'} is a {types[0]}: put it"
    title = f"Put this {types[0]} into a new document"
    if isinstance(value, list):
        what = f"{'In ' + quoted(str(path[0])) if path else 'These'} are nodes of type {listed(types)}: put them"
        title = "Put these nodes into a new document"
    names = [f"`{name}`" if shape is vocabulary.root else f"`{name}` of a {shape.name}" for shape, name in enclosing]
    sentence = Sentence(f"{what} into {', in '.join(reversed(names))}.", once=True, again=SEE_FIRST)
    return Suggestion(sentence, (Enclose(enclosing, path),), title)


def _shape_of(members: JsonObject, vocabulary: Vocabulary) -> Shape | None:
    """Return the shape of a node: that of its type; without a type, the only one whose properties it has."""
    node_type = members.get("type")
    if isinstance(node_type, str):
        return vocabulary.nodes.get(node_type)
    if "type" in members:
        return None
    fitting = [
        shape
        for shape in vocabulary.nodes.values()
        if members.keys() <= shape.props.keys() and members.keys() >= {*shape.required} - {"type"}
    ]
    return fitting[0] if len(fitting) == 1 else None
