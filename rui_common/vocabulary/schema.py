"""The classes that a vocabulary is declared with: shapes, props, kinds of value, symbols.

They hold data and answer questions about it; they check nothing and render nothing. What reads
them: validator, normalizer, descriptions, editor. See ARCHITECTURE.md, "The smallest set of concepts".
"""

from __future__ import annotations

from abc import abstractmethod
from collections import namedtuple
from types import MappingProxyType

from rui_common.vocabulary.roles import LABEL
from rui_common.vocabulary.rules import WRONG_TYPE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

    Correction = tuple[object, bool]
    """A value, and whether no other value can be meant."""


class Symbol:
    """A sort of name that some props define and others use, within a scope.

    Attributes:
        name: what a person calls it, such as ``page id``.
        duplicate: number of the rule that a second definition of one name breaks, or None where that is allowed.
        dangling: number of the rule that a use without a definition breaks, or None.
        unused: number of the rule that a definition without a use breaks, or None.
        doc: one sentence for hover texts and the reference.
    """

    __slots__ = ("dangling", "doc", "duplicate", "name", "unused")

    def __init__(
        self,
        name: str,
        doc: str,
        *,
        duplicate: str | None = None,
        dangling: str | None = None,
        unused: str | None = None,
    ) -> None:
        self.name = name
        self.doc = doc
        self.duplicate = duplicate
        self.dangling = dangling
        self.unused = unused


class Violation(namedtuple("Violation", ("rule", "expected", "values", "is_wrong_type"))):
    """Why a value is not one of a kind.

    Attributes:
        rule: number of the rule that the value breaks.
        expected: what the hint expects instead, such as ``a string``, or ``""``.
        values: the only values that are allowed, or ``()``.
        is_wrong_type: whether the value has another JSON type.
    """

    __slots__ = ()
    rule: str
    expected: str
    values: tuple[str, ...]
    is_wrong_type: bool


class ScalarType(namedtuple("ScalarType", ("python_type", "constraints", "values"))):
    """How a typed decoder reads a scalar, in terms that every decoder knows.

    Attributes:
        python_type: `str`, `int` or `bool`.
        constraints: named as in annotated-types: ``max_length``, ``ge``, ``le``, ``multiple_of``.
        values: the only values, or ``()``.
    """

    __slots__ = ()
    python_type: type
    constraints: Mapping[str, object]
    values: tuple[str, ...]


class Kind:
    """The set of values that a property may have. The kinds are in `rui_common.vocabulary.kinds`.

    A subclass implements every abstract method; otherwise its definition raises TypeError. The defaults of the other
    methods and attributes are right for scalars without a fixed set of values.

    Attributes:
        json_type: the JSON type of a value, or ``any``.
        word: how a hint names a value of this kind, such as ``a string``.
        values: the only values, in the order of completion; empty if there is no fixed set.
        form: description of well-formed values for hints, hover and the reference, or ``""``.
        planned: values of a later version, each with its description.
        defines: a symbol that a value, or each element of it, defines by itself; or None.
        inner_shapes: the shapes of the objects directly in a value, or in the elements of a list.
        is_free_text: whether every string is a value.
        scalar_type: how a typed decoder reads a value; None for objects, arrays and kinds that it cannot read.
        fits_all: tests many decoded values at once, if that is faster than `refusals`; else None.
    """

    __slots__ = ()
    json_type: str
    word: str
    values: tuple[str, ...] = ()
    form: str = ""
    planned: Mapping[str, str] = MappingProxyType({})
    defines: Symbol | None = None
    inner_shapes: tuple[Shape, ...] = ()
    is_free_text: bool = False
    scalar_type: ScalarType | None = None
    fits_all: Callable[[Collection[str]], bool] | None = None

    def __init_subclass__(cls) -> None:
        missing = [name for name in _ABSTRACT if getattr(cls, name) is getattr(Kind, name)]
        missing += [name for name in ("json_type", "word") if not hasattr(cls, name)]
        if missing:
            raise TypeError(f"The kind {cls.__name__} lacks {', '.join(missing)}.")

    @abstractmethod
    def notation(self) -> str:
        """Return the kind in one short phrase: ``"stack" | "row"``, ``(Metric | Table | Text)[]``, ``ReadBinding``."""

    @abstractmethod
    def json_schema(self, reference: Callable[[Shape], str]) -> dict[str, object]:
        """Return the JSON Schema of a value.

        Args:
            reference: returns the ``$ref`` of a shape.
        """

    @abstractmethod
    def limits(self) -> dict[str, object]:
        """Return what ``GET /api/schema`` states about a value beside its type."""

    @abstractmethod
    def violation(self, value: object) -> Violation | None:
        """Return why `value` itself is not allowed; the values in it are not examined."""

    @abstractmethod
    def refusals(self, value: str, constant: Callable[[str, object], str], *, is_typed: bool = False) -> list[str]:
        """Return the same as Python source: the value is refused if one of the conditions is true.

        Args:
            value: the variable that has the value.
            constant: registers a constant under a stem and returns its name in the source.
            is_typed: whether a decoder read the value as `scalar_type`, so that its type and constraints are certain.
        """

    def accepts(self, value: object) -> bool:
        """Return whether `value` itself is allowed."""
        return self.violation(value) is None

    def violated_rules(self) -> Iterator[tuple[str, str]]:
        """Yield what can be wrong with a value, each with the number of the rule (see `queries.broken_rules`)."""
        yield "type", WRONG_TYPE

    def corrections(self, value: object, example: object) -> Iterator[Correction]:  # noqa: ARG002
        """Yield well-formed values that a malformed `value` of the right type may be meant as.

        Args:
            value: the malformed value.
            example: the example of the property.
        """
        return iter(())

    def coerce(self, value: object, source_text: str) -> object:  # noqa: ARG002
        """Return a value of another JSON type as one of this kind, or None.

        Args:
            value: the value.
            source_text: how the document spells it.
        """
        return None

    def default(self, example: object) -> object:
        """Return a value for a new document; `example` if it is a value of this kind."""
        return example

    def completions(self, example: object) -> tuple[object, ...]:
        """Return the values that completion proposes; `example` is that of the property."""
        return () if example is None else (example,)

    def set_example(self, example: object) -> None:
        """Receive the example of the property that has this kind."""


_ABSTRACT = tuple(name for name, member in vars(Kind).items() if getattr(member, "__isabstractmethod__", False))


class Prop:
    """A property of a shape.

    Attributes:
        name: its key.
        kind: what its value may be.
        doc: one or two sentences for a person who writes it for the first time.
        required: whether it must be there.
        example: a valid value, for generated examples, snippets and hints.
        variations: further ones, for documents in which the property stands more than once.
        missing: number of the rule that its absence breaks (when required).
        defines: the symbol that its value defines a name of, or None.
        uses: the symbol that its value is a use of, or None.
        role: what it is to a reader, one of `rui_common.vocabulary.roles.ROLES`; ``""`` if it is nothing special.
        row: of a layout, the value that puts what is inside side by side.
    """

    __slots__ = (
        "defines", "doc", "example", "kind", "missing", "name", "required", "role", "row", "uses", "variations",
    )  # fmt: skip

    def __init__(  # noqa: PLR0913  a declaration has many facets, each with a name
        self,
        name: str,
        kind: Kind,
        doc: str,
        *,
        required: bool = False,
        example: object = None,
        missing: str = "R6",
        defines: Symbol | None = None,
        uses: Symbol | None = None,
        variations: tuple[object, ...] = (),
        role: str = "",
        row: str = "",
    ) -> None:
        self.name = name
        self.kind = kind
        self.role = role
        self.row = row
        self.doc = doc
        self.variations = variations
        self.required = required
        self.example = example
        kind.set_example(example)
        self.missing = missing
        self.defines = defines
        self.uses = uses

    def required_else(self, missing: str) -> Prop:
        """The same property, required, its absence breaking the rule `missing`."""
        return Prop(
            self.name, self.kind, self.doc,
            required=True, example=self.example, missing=missing, defines=self.defines, uses=self.uses,
            variations=self.variations, role=self.role, row=self.row,
        )  # fmt: skip

    @property
    def is_free_text(self) -> bool:
        """Whether its value is words for people. Ids, keys and what has a form of its own are for programs."""
        return self.kind.is_free_text and self.defines is None and self.uses is None


class Shape:
    """A named object with props.

    Attributes:
        name: as in section 2 of the specification; of a node, its ``type``.
        doc: one or two sentences.
        props: the registered properties by name, in canonical order.
        suggested: properties that an open object may have by convention: offered and documented, never checked.
        open: whether other properties are allowed.
        role: ``layout`` or ``block`` for nodes, else ``""``.
        scope: symbols whose names are told apart within one object of this shape.
        words: its properties of free text, suggested ones too: those that are labels first.
        labels: what its objects are called by: properties that say so, else free text that says nothing of itself.
        base: the shape that this one tightens (see `requiring`), or None.
    """

    __slots__ = ("base", "doc", "labels", "name", "open", "props", "role", "scope", "suggested", "words")

    def __init__(
        self,
        name: str,
        doc: str,
        props: Iterable[Prop],
        *,
        suggested: Iterable[Prop] = (),
        is_open: bool = False,
        role: str = "",
        scope: tuple[Symbol, ...] = (),
        base: Shape | None = None,
    ) -> None:
        self.name = name
        self.doc = doc
        self.base = base
        self.props = {prop.name: prop for prop in props}
        self.suggested = {prop.name: prop for prop in suggested}
        self.open = is_open
        self.role = role
        self.scope = scope
        words = [prop for prop in (*self.props.values(), *self.suggested.values()) if prop.is_free_text]
        self.words = tuple(sorted(words, key=lambda prop: prop.role != LABEL))
        self.labels = self.having(LABEL) or tuple(prop for prop in words if not prop.role)

    @property
    def is_node(self) -> bool:
        """Whether objects of this shape have an ``id`` and a ``type``."""
        return self.role != ""

    @property
    def required(self) -> tuple[str, ...]:
        """The names of the required properties, in canonical order."""
        return tuple(prop.name for prop in self.props.values() if prop.required)

    @property
    def tightened(self) -> list[str]:
        """The properties that this variant of a shape requires and the shape itself does not, sorted."""
        return [] if self.base is None else sorted({*self.required} - {*self.base.required})

    @property
    def contains_itself(self) -> bool:
        """Whether an object of this shape may contain another one of it."""
        inner = [shape for prop in self.props.values() for shape in prop.kind.inner_shapes]
        return any(below is self for shape in inner for below in reachable(shape))

    def prop(self, name: str) -> Prop | None:
        """The registered or suggested property `name`, or None."""
        return self.props.get(name) or self.suggested.get(name)

    def having(self, role: str) -> tuple[Prop, ...]:
        """The registered and suggested properties that have this role, in canonical order."""
        return tuple(prop for prop in (*self.props.values(), *self.suggested.values()) if prop.role == role)

    def planned_type(self, value: dict[str, object]) -> str | None:
        """The value's ``type`` if that belongs to a later version, else None."""
        prop = self.props.get("type")
        if prop is None:
            return None
        given = value.get("type")
        return given if isinstance(given, str) and given in prop.kind.planned else None

    def requiring(self, name: str, *, else_: str) -> Shape:
        """The same shape with `name` required, its absence breaking the rule `else_`."""
        props = [prop.required_else(else_) if prop.name == name else prop for prop in self.props.values()]
        return Shape(
            self.name, self.doc, props,
            suggested=self.suggested.values(), is_open=self.open, role=self.role, scope=self.scope,
            base=self.base or self,
        )  # fmt: skip


class Vocabulary:
    """All shapes of one version, reached from the root shape.

    Attributes:
        version: the registry version, such as ``0.1``.
        root: the shape of the document.
        planned: node types of a later version, by name, each with what it will be.
        shapes: every shape by name, in the order in which the root reaches them.
        nodes: the shapes among them that are nodes, by ``type``.
        symbols: every symbol, in order of first appearance.
    """

    __slots__ = ("nodes", "planned", "root", "shapes", "symbols", "version")

    def __init__(self, version: str, root: Shape, planned: Mapping[str, str]) -> None:
        self.version = version
        self.root = root
        self.planned = planned
        self.shapes: dict[str, Shape] = {}
        for shape in reachable(root):
            self.shapes.setdefault(shape.name, shape.base or shape)
        self.nodes = {name: shape for name, shape in self.shapes.items() if shape.is_node}
        self.symbols = tuple(dict.fromkeys(_symbols(self.shapes.values())))


def reachable(root: Shape) -> Iterator[Shape]:
    """`root` and every shape below it, each object once, a shape before what it holds."""
    seen: set[int] = set()
    waiting = [root]
    while waiting:
        shape = waiting.pop(0)
        if id(shape) in seen:
            continue
        seen.add(id(shape))
        yield shape
        for prop in (*shape.props.values(), *shape.suggested.values()):
            waiting.extend(prop.kind.inner_shapes)


def _symbols(shapes: Iterable[Shape]) -> Iterator[Symbol]:
    for shape in shapes:
        for prop in shape.props.values():
            symbols = (prop.defines, prop.uses, prop.kind.defines)
            yield from (symbol for symbol in symbols if symbol is not None)
