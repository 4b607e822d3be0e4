"""The author's own words for a place in a document: titles, labels and ids of the objects around it."""

from __future__ import annotations

import re
from collections import Counter, namedtuple
from functools import cache

from rui_common.validation.scopes import ANY_ELEMENT, sites
from rui_common.vocabulary.kinds import ObjectKind
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_common.vocabulary.schema import CONTENT, DESCRIPTION, ENDPOINT, LABEL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from rui_common.syntax.paths import Path
    from rui_common.vocabulary.schema import Vocabulary

MAX_TEXT = 100
"""Characters of a text that an example repeats."""

MAX_ELEMENTS = 500
"""Elements of a list, or properties, that are searched for words."""

MAX_TEXTS = 8
"""Texts of one object that an example repeats."""

_find_words = re.compile(r"[^\W\d_]+|\d+").findall
_split_camel_case = re.compile(r"(?<=[a-z0-9])(?=[A-Z])").sub
_MIN_LETTERS = 2
_MAX_SLUG_WORDS = 5


class Name:
    """How the author calls an object.

    Attributes:
        label: its title, or ``""``.
        identifier: its id if that contains a word, or ``""``.
    """

    def __init__(self, label: str = "", identifier: str = "") -> None:
        self._label = label
        self._identifier = identifier

    @property
    def label(self) -> str:
        return self._label

    @property
    def identifier(self) -> str:
        return self._identifier

    @property
    def text(self) -> str:
        """The name for a reader, or ``""``."""
        return self.label or " ".join(split_words(self.identifier)).lower().capitalize()

    @property
    def slug(self) -> tuple[str, ...]:
        """The words of the name in lower case for ids and paths; ``()`` if some have letters beyond ASCII."""
        text = self.identifier or self.label
        words = tuple(word.lower() for word in split_words(text)[:_MAX_SLUG_WORDS])
        if not text.isascii():
            return ()
        return words


class _NameOfObject(Name):
    """The name of an object of a document, read when an example needs it."""

    def __init__(self, value: dict[str, object], words: Words) -> None:
        super().__init__()
        self._value = value
        self._words = words
        self._has_label = False
        self._text: str | None = None
        self._slug: tuple[str, ...] | None = None
        self._own_identifier: str | None = None

    @property
    def label(self) -> str:
        if not self._has_label:
            self._label = self._words.label_of(self._value)
            self._has_label = True
        return self._label

    @property
    def identifier(self) -> str:
        if self._own_identifier is None:
            self._own_identifier = self._words.identifier_of(self._value)
        return self._own_identifier

    @property
    def text(self) -> str:
        if self._text is None:
            self._text = super().text
        return self._text

    @property
    def slug(self) -> tuple[str, ...]:
        if self._slug is None:
            self._slug = super().slug
        return self._slug


class Words:
    """The words of one document.

    Args:
        root: the document.
        vocabulary: its vocabulary.
    """

    __slots__ = ("_keys", "_labels_of_uses", "_names", "_root", "vocabulary")

    def __init__(self, root: object, vocabulary: Vocabulary = VOCABULARY) -> None:
        self._root = root
        self.vocabulary = vocabulary
        self._keys = _keys(vocabulary)
        self._labels_of_uses: dict[str, str] | None = None
        # id(object) → its name: the examples of one answer share the objects around them.
        self._names: dict[int, Name] = {}

    def names_around(self, path: Path) -> tuple[Name, ...]:
        """Return the names of the objects that contain `path`, the inner ones first."""
        objects: list[dict[str, object]] = []
        value: object = self._root
        for step in path:
            if isinstance(value, dict):
                objects.append(value)
            value = _item(value, step)
        return tuple([self.name_of(value) for value in reversed(objects)])

    def value_at(self, path: Path) -> object:
        """Return the value at a path, or None."""
        value: object = self._root
        for step in path:
            value = _item(value, step)
        return value

    def name_of(self, value: dict[str, object]) -> Name:
        """Return how the author calls an object: its label, that of a reference to it, or its id."""
        name = self._names.get(id(value))
        if name is None:
            name = _NameOfObject(value, self)
            self._names[id(value)] = name
        return name

    def name_from(self, identifier: str) -> Name:
        """Return the name of an object with an id."""
        label = self._label_of_use(identifier)
        if not self._has_words(identifier):
            return Name(label, "")
        return Name(label, identifier)

    def label_of(self, value: dict[str, object]) -> str:
        """Return the title of an object, or ``""``. The root has it in one of its open objects."""
        label = _first_text(value, self._keys.labels)
        if not label:
            label = self._label_of_use(_first_text(value, self._keys.identifiers))
        if not label and value is self._root:
            inner = (value.get(name) for name in self._keys.open_props)
            label = next((_first_text(one, self._keys.labels) for one in inner if isinstance(one, dict)), "")
        return label

    def identifier_of(self, value: dict[str, object]) -> str:
        """Return the id of an object if it contains a word, or ``""``."""
        identifier = _first_text(value, self._keys.identifiers)
        if not self._has_words(identifier):
            return ""
        return identifier

    def endpoint_name(self, value: dict[str, object]) -> Name:
        """Return the last segment of the endpoint that an object refers to, as a name."""
        for inner in (value, *value.values()):
            if not isinstance(inner, dict):
                continue
            path = _first_text(inner, self._keys.endpoints)
            segments = [part for part in path.partition("?")[0].split("/") if self._has_words(part)]
            if segments:
                return Name("", segments[-1])
        return Name()

    def texts_in(self, value: dict[str, object]) -> str:
        """Return the texts of an object and of the objects in it as one text, or ``""``."""
        keys = self._keys
        own = self.name_of(value).text
        texts = [text for text in (own, _first_text(value, keys.descriptions)) if text]
        inner = dict.fromkeys(_texts_below(value, keys))
        listed = ", ".join([text for text in inner if text not in texts][:MAX_TEXTS])
        return ": ".join(text for text in (". ".join(texts), listed) if text)[: 2 * MAX_TEXT]

    def _has_words(self, identifier: str) -> bool:
        """Return whether an id contains a word of the author: ``open-tickets``, but not ``page-1`` or ``t2``."""
        for word in split_words(identifier):
            if len(word) >= _MIN_LETTERS and word.isalpha() and word.lower() not in self._keys.shape_words:
                return True
        return False

    def _label_of_use(self, identifier: str) -> str:
        """Return the label of the first element that refers to an id, such as the entry that opens a page."""
        if self._labels_of_uses is None:
            self._labels_of_uses = {}
            for site in self._keys.use_sites:
                self._collect_labels(site)
        return self._labels_of_uses.get(identifier, "")

    def _collect_labels(self, site: Path) -> None:
        *container, star, name = site
        elements = self.value_at(tuple(container))
        if star != ANY_ELEMENT or not isinstance(elements, list) or self._labels_of_uses is None:
            return
        for element in elements[:MAX_ELEMENTS]:
            if not isinstance(element, dict):
                continue
            use = element.get(name)
            label = _first_text(element, self._keys.labels)
            if isinstance(use, str) and label:
                self._labels_of_uses.setdefault(use, label)


def split_words(text: str) -> list[str]:
    """Return the words and numbers of a text or an identifier.

    >>> split_words("openTickets-2 today")
    ['open', 'Tickets', '2', 'today']
    """
    text = text[:MAX_TEXT]
    if not text.islower():
        text = _split_camel_case(" ", text)
    return _find_words(text)


class _Keys(
    namedtuple(
        "_Keys", ("labels", "descriptions", "identifiers", "endpoints", "shape_words", "use_sites", "open_props")
    )
):
    """Names of properties by what they contain, the words in the names of shapes, and facts about the root.

    Attributes:
        use_sites: where the root uses names.
        open_props: its properties that are open objects.
    """

    __slots__ = ()
    labels: tuple[str, ...]
    descriptions: tuple[str, ...]
    identifiers: tuple[str, ...]
    endpoints: tuple[str, ...]
    shape_words: frozenset[str]
    use_sites: tuple[Path, ...]
    open_props: tuple[str, ...]


@cache
def _keys(vocabulary: Vocabulary) -> _Keys:
    props = [
        prop for shape in vocabulary.shapes.values() for prop in (*shape.props.values(), *shape.suggested.values())
    ]

    def with_role(*roles: str) -> tuple[str, ...]:
        """Return the names of the properties with a role, then the words that several of them have as aliases."""
        chosen = [prop for prop in props if prop.role in roles]
        counts = Counter(word for prop in chosen for word in set(prop.aliases.split()))
        common = [word for prop in chosen for word in prop.aliases.split() if counts[word] > 1]
        return tuple(dict.fromkeys([*(prop.name for prop in chosen), *common]))

    identifiers = dict.fromkeys(prop.name for prop in props if prop.defines is not None)
    shape_words = {word.lower() for name in (*vocabulary.shapes, *vocabulary.planned) for word in split_words(name)}
    descriptions = with_role(DESCRIPTION, CONTENT)
    root = vocabulary.root
    return _Keys(
        tuple(word for word in with_role(LABEL) if word not in descriptions),
        descriptions,
        (*identifiers,),
        with_role(ENDPOINT),
        frozenset(shape_words),
        tuple(site for symbol in root.scope for site in sites(root, symbol, defining=False)),
        tuple(prop.name for prop in root.props.values() if isinstance(prop.kind, ObjectKind) and prop.kind.shape.open),
    )


def _item(value: object, step: str | int) -> object:
    if isinstance(value, dict):
        return value.get(step)
    if isinstance(value, list) and isinstance(step, int) and step < len(value):
        return value[step]
    return None


def _first_text(value: dict[str, object], keys: tuple[str, ...]) -> str:
    """Return the first text with a letter or digit among the properties, cut, or ``""``."""
    for key in keys:
        text = value.get(key)
        if isinstance(text, str):
            text = text[:MAX_TEXT].strip()
            if text[:1].isalnum() or any(letter.isalnum() for letter in text):
                return text
    return ""


def _texts_below(value: dict[str, object], keys: _Keys) -> Iterator[str]:
    """Yield the labels and descriptions in the objects of an object."""
    pending: list[object] = [*value.values()][:MAX_ELEMENTS]
    for inner in pending:
        room = max(0, MAX_ELEMENTS - len(pending))
        if isinstance(inner, dict):
            text = _first_text(inner, (*keys.labels, *keys.descriptions))
            if text:
                yield text
            pending += [*inner.values()][:room]
        elif isinstance(inner, list):
            pending += inner[:room]
