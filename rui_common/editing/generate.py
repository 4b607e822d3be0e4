"""New values that fit into a document: free ids, references to existing names, placeholders for the rest."""

from collections.abc import Iterator, Sequence

from rui_common.json_values import JsonObject, as_list, as_object
from rui_common.nodes.node import Node
from rui_common.suggest import numbered, stem_of
from rui_common.validation.analysis import Analysis
from rui_common.vocabulary.kinds import ListKind
from rui_common.vocabulary.schema import Kind, Prop, Shape, Symbol


class ValueGenerator:
    """Generates values for an object or array of a document. The names in them count as defined from then on."""

    def __init__(self, analysis: Analysis, node: Node) -> None:
        self._in_document = analysis.names
        self._node = node
        self._new_names: dict[Symbol, dict[str, None]] = {}
        self._candidates: dict[tuple[Symbol, str], Iterator[str]] = {}  # the numbers before are taken

    def free_name(self, symbol: Symbol, like: str, start: int = 2) -> str:
        """Return a name that is not defined, such as ``note-2`` if ``note`` is. It counts as defined from now on.

        `start` is the first number that is tried.
        """
        name = like
        candidates = self._candidates.setdefault((symbol, stem_of(like)), numbered(like, start))
        while not self.is_free(symbol, name):
            name = next(candidates)
        self._reserve(symbol, name)
        return name

    def is_free(self, symbol: Symbol, name: str) -> bool:
        """Return whether a name is not defined yet."""
        if name in self._new_names.get(symbol, ()):
            return False
        return name not in self._in_document.scope(symbol, self._node).defined

    def _names(self, symbol: Symbol) -> list[str]:
        defined = self._in_document.scope(symbol, self._node).defined
        return list(dict.fromkeys([*defined, *self._new_names.get(symbol, ())]))

    def _reserve(self, symbol: Symbol | None, name: str) -> None:
        if symbol is not None:
            self._new_names.setdefault(symbol, {})[name] = None

    def new_object(self, shape: Shape, example: object = None, fixed: JsonObject | None = None) -> JsonObject:
        """Return an object with the required properties of a shape and those of an example, which take precedence.

        The `fixed` properties are copied unchanged.
        """
        examples = as_object(example)
        fixed = fixed or {}
        value: JsonObject = {}
        for prop in shape.all_props:
            name = prop.name
            if name in fixed:
                value[name] = fixed[name]
                self._reserve(prop.defines, str(fixed[name]))
            elif prop.required or (name in examples and prop.placeholder):
                value[name] = self.new_value(prop, examples.get(name, prop.example))
        return value

    def suggested(self, shape: Shape) -> JsonObject:
        """Return an object with the suggested properties of a shape, for one that requires none."""
        return {prop.name: self.new_value(prop) for prop in shape.suggested.values()}

    def new_value(self, prop: Prop, example: object = None) -> object:
        """Return a value for a property: its placeholder if only the author knows it, else one like the example.

        Text without a placeholder is empty: no value is an invented word.
        """
        defined = [] if prop.uses is None else self._names(prop.uses)
        if prop.placeholder and not defined:
            example = prop.placeholder
        elif prop.is_free_text:
            return ""
        elif example is None:
            example = prop.example
        if prop.defines is not None and isinstance(example, str):
            return self.free_name(prop.defines, example)
        if defined and isinstance(example, str) and example not in defined:
            return defined[0]
        return self._value(prop.kind, example)

    def missing_value(self, prop: Prop, owner: Kind | None) -> object:
        """Return a value for a property that an object of the kind `owner` lacks, if possible a name in use."""
        return next(self.undefined_names(prop, owner), None) or self.new_value(prop)

    def _value(self, kind: Kind, example: object) -> object:
        if isinstance(kind, ListKind):
            return [self._element(kind, element) for element in elements_like(kind, as_list(example))]
        shapes = kind.inner_shapes
        if not shapes:
            return kind.default(example)
        node_type = as_object(example).get("type")
        shape = next((shape for shape in shapes if shape.name == node_type), shapes[0])
        return self.new_object(shape, example)

    def _element(self, kind: ListKind, example: object) -> object:
        element = self._value(kind.items, example)
        return self.suggested(kind.inner_shapes[0]) if element == {} else element

    def undefined_names(self, prop: Prop, owner: Kind | None) -> Iterator[str]:
        """Yield the names that a property of an object of the kind `owner` could define, and that are used already."""
        if prop.defines is None:
            return
        symbol = prop.defines if owner is None or owner.defines is None else owner.defines
        for use in self._in_document.scope(symbol, self._node).undefined_uses:
            if prop.kind.accepts(use.text) and self.is_free(prop.defines, use.text):
                yield use.text


def elements_like(kind: ListKind, examples: Sequence[object]) -> list[object]:
    """Return the first examples of elements of a list: as many as it needs, at least one; None where they end."""
    count = max(kind.at_least, 1)
    return [*examples[:count], *[None] * (count - len(examples))]
