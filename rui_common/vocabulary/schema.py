"""The classes that a vocabulary is declared with: symbols, kinds of value, properties and shapes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from copy import copy
from dataclasses import dataclass, field, replace
from enum import Enum, StrEnum, auto
from types import MappingProxyType
from typing import Any, NamedTuple

from rui_common.suggest import kebab_case, squash
from rui_common.vocabulary.rules import WRONG_TYPE

Correction = tuple[object, bool]  # a value, and whether no other value can be meant


class Role(Enum):
    """What a property is for a reader."""

    LABEL = auto()  # the title of the object on the screen
    DESCRIPTION = auto()  # its purpose, in a sentence
    REPLACES = auto()  # the id of the stored spec that the document replaces
    CONTENT = auto()  # the main text of the object
    METHOD = auto()  # the HTTP method of a request; with an endpoint it forms one, such as ``GET /api/orders``
    ENDPOINT = auto()  # the path of a request
    SELECT = auto()  # the part of the response that is used
    LAYOUT = auto()  # the arrangement of the nodes in the object
    FIELD = auto()  # the name of a property of each element of the list in the response
    OPTION = auto()  # one of the values that a property in the response may have


class NodeRole(StrEnum):
    """What a node is for. The reference contains the values."""

    LAYOUT = "layout"
    BLOCK = "block"


WORDS_TO_WRITE = "TODO"  # the placeholder of required text
MORE = "…"  # in signatures, further properties or the rest of a text


class JsonForm(NamedTuple):
    """What a value in a response may be, so that it can be shown in one way."""

    types: tuple[str, ...]  # the JSON types, the preferred one first; ``number`` includes integers
    formats: tuple[str, ...] = ()  # the formats of strings (JSON Schema), the preferred one first; empty allows any


class ValueDisplay(NamedTuple):
    """How the one value that objects of a shape show is drawn in a wireframe, and what it may be in a response."""

    prop: str  # the property with the type of the value, such as ``format``
    # value of that property → a text of the size and form of the value; without an entry the type is drawn
    texts: Mapping[str, str] = MappingProxyType({})
    default: str = "value"  # the text if the object does not have the property
    # value of that property → what the value in the response may be; without an entry anything
    forms: Mapping[str, JsonForm] = MappingProxyType({})


@dataclass(eq=False)
class Symbol:
    """A category of names that some properties define and others use, within a scope."""

    name: str  # its name in texts, such as ``page id``
    doc: str  # one sentence for hover and the reference
    # how a signature writes the value of a property that uses a name, such as ``ID OF A PAGE``; or ``""``
    notation: str = ""
    requirement: str = ""  # what its rules require, in a sentence for the legend of the signatures; or ``""``
    # number of the rule that a second definition of a name breaks, or None if that is allowed
    duplicate: str | None = None
    dangling: str | None = None  # number of the rule that a use without a definition breaks, or None
    unused: str | None = None  # number of the rule that a definition without a use breaks, or None

    @property
    def rules(self) -> dict[str, str]:
        """The numbers of its rules by what breaks them: duplicate, dangling, unused."""
        rules = {"duplicate": self.duplicate, "dangling": self.dangling, "unused": self.unused}
        return {problem: number for problem, number in rules.items() if number}


class Mismatch(Enum):
    """How a value differs from those of a kind."""

    WRONG_TYPE = auto()  # it has another JSON type
    MALFORMED = auto()  # it has the right type and not the right form
    NOT_ALLOWED = auto()  # it is none of the few values that are allowed


class Violation(NamedTuple):
    """Why a value is not one of a kind."""

    mismatch: Mismatch
    rule: str  # number of the rule that the value breaks
    expected: str  # what the hint expects instead, such as ``a string``, or ``""``
    values: tuple[str, ...] = ()  # the only values that are allowed, or ``()``


class OtherValue(NamedTuple):
    """What a value of other systems is in RUI."""

    value: str
    advice: str = ""  # what else is to be done, in a sentence; or ``""``


class ScalarType(NamedTuple):
    """How a typed decoder reads a scalar, in terms that every decoder knows."""

    python_type: type  # `str`, `bool`, `int`, or `float` for every JSON number
    # Named as in annotated-types: ``max_length``, ``ge``, ``le``, ``multiple_of``. Further conditions are tested by
    # `Kind.typed_test`.
    constraints: Mapping[str, object] = MappingProxyType({})
    values: tuple[str, ...] = ()  # the only values, or ``()``


class Kind(ABC):
    """The set of values that a property may have. The kinds are in `rui_common.vocabulary.kinds`.

    The defaults of attributes and methods are right for scalars without a fixed set of values.
    """

    json_type: str  # the JSON type of a value
    word: str  # how a hint names a value of this kind, such as ``a string``
    values: tuple[str, ...] = ()  # the only values, in the order of completion; empty if there is no fixed set
    form: str = ""  # description of well-formed values for hints, hover and the reference, or ``""``
    planned: Mapping[str, str] = MappingProxyType({})  # values of a later version, each with its description
    # values, or types of nodes, of other systems, in lower case without separators, each with what it is in RUI
    other_values: Mapping[str, OtherValue] = MappingProxyType({})
    sample: str = ""  # how a signature writes a value, such as ``"/…"``; ``""`` for `notation`
    defines: Symbol | None = None  # a symbol that a value, or each element of it, defines by itself; or None
    inner_shapes: tuple[Shape, ...] = ()  # the shapes of the objects directly in a value, or in the elements of a list
    is_free_text: bool = False  # whether every string is a value
    # what can be wrong with a value → the number of the rule (see `queries.broken_rules`)
    breaks: dict[str, str] = {"type": WRONG_TYPE}  # noqa: RUF012  never modified
    # how a typed decoder reads a value; None for objects, arrays and kinds that it cannot read
    scalar_type: ScalarType | None = None

    @abstractmethod
    def notation(self) -> str:
        """Return the kind in one short phrase: ``"stack" | "row"``, ``(Metric | Table | Text)[]``, ``ReadBinding``."""

    @abstractmethod
    def json_schema(self, reference: Callable[[Shape], str]) -> dict[str, object]:
        """Return the JSON Schema of a value; `reference` returns the ``$ref`` of a shape."""

    @abstractmethod
    def violation(self, value: object) -> Violation | None:
        """Return why `value` itself is not allowed; the values in it are not examined."""

    def accepts(self, value: object) -> bool:
        """Return whether `value` itself is allowed."""
        return self.violation(value) is None

    def typed_test(self) -> Callable[[Any], object] | None:
        """Return what tests values of the `scalar_type`: true for those of this kind. None if all of them are."""
        return self.accepts

    def shape_of(self, value: dict[str, object], vocabulary: Vocabulary) -> Shape | None:  # noqa: ARG002
        """Return the shape by which an object is read (docs/decisions.md, section 2); None if it is not read."""
        return None

    def corrections(self, value: object, example: object) -> Iterator[Correction]:  # noqa: ARG002
        """Yield well-formed values that a malformed one may be meant as; `example` is that of the property."""
        return iter(())

    def coerce(self, value: object, source_text: str) -> object:  # noqa: ARG002
        """Return a value of another JSON type as one of this kind, or None; `source_text` is how it is spelt."""
        return None

    def default(self, example: object) -> object:
        """Return a value for a new document; `example` if it is a value of this kind."""
        return example

    def completions(self, example: object) -> tuple[object, ...]:
        """Return the values that completion proposes; `example` is that of the property."""
        if example is None:
            return ()
        return (example,)


@dataclass(eq=False)
class Prop:
    """A property of a shape."""

    name: str
    kind: Kind
    doc: str  # one or two sentences for a new author
    required: bool = False
    # a valid value, for generated examples, snippets and hints; None if there is none without a service
    example: object = None
    missing: str = "R6"  # number of the rule that its absence breaks (if required)
    defines: Symbol | None = None  # the symbol that its value defines a name of, or None
    uses: Symbol | None = None  # the symbol that its value is a use of, or None
    role: Role | None = None  # what it is for a reader, or None
    row: str = ""  # for a layout property, the value that arranges nodes in a row
    synonyms: str = ""  # what other systems call it: lower-case words for *did you mean* and the fix *Rename*
    # what other systems have in properties of their own, and what is part of this text here: lower-case words, such as
    # ``unit``
    includes: str = ""
    note: str = ""  # what the signature adds about the value, or ``""``
    # a valid value that fixes insert because only the author knows the right one, or ``""``. Required text has
    # `WORDS_TO_WRITE`.
    placeholder: str = ""
    is_scalar: bool = field(init=False)  # whether its value is no array and no object
    is_unnamed_scalar: bool = field(init=False)  # whether its value is a scalar, and not a name
    _placeholders: frozenset[str] = field(init=False, repr=False)  # placeholders, which the author has not replaced yet

    def __post_init__(self) -> None:
        if self.required and not self.placeholder and self.kind.is_free_text and self.uses is None:
            self.placeholder = WORDS_TO_WRITE
        self.is_scalar = self.kind.json_type not in ("array", "object")
        self.is_unnamed_scalar = self.is_scalar and self.defines is None and self.uses is None
        self._placeholders = frozenset()
        if self.kind.json_type == "string" and not self.kind.values:
            self._placeholders = frozenset({self.placeholder, self.notation.strip('"')} - {""})

    @property
    def notation(self) -> str:
        """How a signature writes a scalar, such as ``string``, ``ID OF A PAGE`` or ``"/…"``."""
        if self.uses is not None and self.uses.notation:
            return self.uses.notation
        return self.kind.sample or self.kind.notation()

    def is_placeholder(self, text: str) -> bool:
        """Return whether a text stands for one that the author has not set yet.

        It is the placeholder that fixes insert, perhaps with a number; what signatures show; or only an ellipsis.
        """
        if text in self._placeholders:
            return True
        if self.placeholder and text.startswith(self.placeholder):
            _, dash, number = text[len(self.placeholder) :].partition("-")
            return bool(dash) and number.isdecimal() and text == f"{self.placeholder}-{number}"
        if not self._placeholders or not (MORE in text or "..." in text):
            return False
        shortened = text.replace("...", MORE)
        ends = (known for known in self._placeholders if MORE in known)
        return not shortened.strip(f"{MORE}. ") or shortened.endswith(tuple(ends))

    @property
    def is_free_text(self) -> bool:
        """Whether its value is text for people: unrestricted, and not a name."""
        return self.kind.is_free_text and self.defines is None and self.uses is None

    def is_called(self, word: str) -> bool:
        """Return whether a word, in lower case without separators, is its name or that in other systems."""
        return word == self.name.lower() or word in self.synonyms.split()


class OtherSystems(NamedTuple):
    """What other systems have instead of a shape, in lower-case words, for hints and fixes."""

    types: tuple[str, ...] = ()  # what they call its type
    limit: str = ""  # what its objects cannot do, and what can: a sentence about properties that only other shapes have
    unplaced: frozenset[str] = frozenset()  # what has no place in it; of the root, in any shape


NO_OTHERS = OtherSystems()


class Shape:
    """A named object type."""

    def __init__(
        self,
        name: str,
        doc: str,
        props: Iterable[Prop],
        *,
        suggested: Iterable[Prop] = (),
        is_open: bool = False,
        role: NodeRole | None = None,
        scope: tuple[Symbol, ...] = (),
        wireframe: ValueDisplay | None = None,
        others: OtherSystems = NO_OTHERS,
    ) -> None:
        self.name = name  # its name in section 2 of the specification; for a node, its ``type``
        self.doc = doc
        self.base: Shape | None = None  # the shape of which this is a tightened variant (see `with_required`), or None
        self.wireframe = wireframe  # how a wireframe draws the value that its objects show; None if they show none
        self.others = others  # what other systems have instead
        self.props = {prop.name: prop for prop in props}  # the registered properties by name, in canonical order
        # the names of the required properties, in canonical order
        self.required = tuple(prop.name for prop in self.props.values() if prop.required)
        # conventional properties of an open object by name. They are documented and proposed, not validated.
        self.suggested = {prop.name: prop for prop in suggested}
        self.open = is_open
        self.role = role  # what a node is for; None for other objects
        self.scope = scope  # symbols whose names are unique within one object of this shape
        # the values of its ``type`` in a later version, each with its description
        self.planned_types = self.props["type"].kind.planned if "type" in self.props else {}
        words = [prop for prop in self.all_props if prop.is_free_text]
        # the registered and suggested properties with free text, labels first
        self.words = tuple(sorted(words, key=lambda prop: prop.role is not Role.LABEL))
        self.labels = self.props_with_role(Role.LABEL)  # the properties with a title

    @property
    def is_node(self) -> bool:
        return self.role is not None

    @property
    def all_props(self) -> tuple[Prop, ...]:
        """The registered and the suggested properties, in canonical order."""
        return (*self.props.values(), *self.suggested.values())

    @property
    def tightened(self) -> list[str]:
        """The names of the properties that this variant requires in addition to its base, sorted."""
        if self.base is None:
            return []
        return sorted({*self.required} - {*self.base.required})

    def prop(self, name: str) -> Prop | None:
        return self.props.get(name) or self.suggested.get(name)

    def props_with_role(self, role: Role) -> tuple[Prop, ...]:
        """Return the registered and suggested properties with a role, in canonical order."""
        return tuple(prop for prop in self.all_props if prop.role is role)

    def with_required(self, name: str, *, missing: str) -> Shape:
        """Return a variant of the shape that requires the property `name`; its absence breaks the rule `missing`."""
        variant = copy(self)
        variant.props = self.props | {name: replace(self.props[name], required=True, missing=missing)}
        variant.required = tuple(prop.name for prop in variant.props.values() if prop.required)
        variant.base = self.base or self
        return variant


@dataclass(eq=False)
class Vocabulary:
    """All shapes of one version."""

    version: str  # the registry version, such as ``0.1``
    root: Shape
    planned: Mapping[str, str]  # node types of a later version by name, each with its description
    advice: str = ""  # what to do with what it cannot express, in a sentence or two; or ``""``
    # types of other systems that are no type here, in lower case, each with what to do instead
    type_advice: Mapping[str, str] = field(default_factory=dict)
    # later versions, each with the properties of the root that only it has
    later: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    shapes: dict[str, Shape] = field(init=False)  # every shape by name, in the order in which the root refers to them
    nodes: dict[str, Shape] = field(init=False)  # the shapes of nodes, by ``type``
    node_symbol: Symbol | None = field(init=False)  # the symbol that the ids of nodes define, or None
    symbols: tuple[Symbol, ...] = field(init=False)  # every symbol, in order of first appearance
    # the properties of the root that tell a RUI from other objects: what they contain has required properties
    identifying: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        self.shapes = {}
        for shape in reachable(self.root):
            self.shapes.setdefault(shape.name, shape.base or shape)
        self.nodes = {name: shape for name, shape in self.shapes.items() if shape.is_node}
        self.node_symbol = next((shape.props["id"].defines for shape in self.nodes.values()), None)
        symbols = [symbol for _, prop in self.props for symbol in (prop.defines, prop.uses, prop.kind.defines)]
        self.symbols = tuple(dict.fromkeys(symbol for symbol in symbols if symbol is not None))
        self.identifying = tuple(
            name for name, prop in self.root.props.items() if any(inner.required for inner in prop.kind.inner_shapes)
        )

    def types_called(self, word: str) -> list[Shape]:
        """Return the shapes whose type other systems call `word`, in lower case without separators, or write so."""
        names = {shape.name.lower(): shape for shape in self.nodes.values()}
        named = [shape for name, shape in names.items() if word in (name, f"{name}s")]
        return named or [shape for shape in self.nodes.values() if word in shape.others.types]

    def advice_about(self, name: str) -> str:
        """Return what to do in place of a type of other systems, by its name, or by a word of it; or ``""``.

        Of the words that mean something here, the last one counts: a `TextInputWidget` is an input, and no Text.
        """
        words = {**{shape.lower(): "" for shape in self.nodes}, **self.type_advice}
        known = [word for word in kebab_case(name).split("-") if word in words]
        return self.type_advice.get(squash(name), "") or (words[known[-1]] if known else "")

    def is_rui(self, value: object) -> bool:
        """Return whether a value is an object that its own keys tell from the objects of other formats.

        It has an identifying property with an object or array, or two others of the root. One of these is anybody's:
        every package has a `version`.
        """
        if not isinstance(value, dict):
            return False
        if any(isinstance(value.get(name), dict | list) for name in self.identifying):
            return True
        return len(value.keys() & (self.root.props.keys() - {*self.identifying})) > 1

    @property
    def props(self) -> list[tuple[Shape, Prop]]:
        return [(shape, prop) for shape in self.shapes.values() for prop in shape.props.values()]


def reachable(root: Shape) -> Iterator[Shape]:
    """Yield `root` and every shape below it once, a shape before those that it contains."""
    visited: set[Shape] = set()
    pending = [root]
    while pending:
        shape = pending.pop(0)
        if shape not in visited:
            visited.add(shape)
            yield shape
            pending += [inner for prop in shape.all_props for inner in prop.kind.inner_shapes]
