"""Build the examples of hints from the declarations of the vocabulary and the words of a document."""

from __future__ import annotations

import json
import re
from itertools import chain, islice

from rui_common.suggest import kebab_case
from rui_common.validation.author_words import Name
from rui_common.validation.free_names import FreshIdPlaceholder, KeepIdPlaceholder, free_name, placeholder_name
from rui_common.validation.links import links_of
from rui_common.validation.model import ABSENT
from rui_common.vocabulary.aliases import prop_table
from rui_common.vocabulary.kinds import ListKind, NodeKind, ObjectKind
from rui_common.vocabulary.schema import ENDPOINT, SELECT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from rui_common.syntax.paths import Path
    from rui_common.validation.model import SuggestedNames, UsedNames
    from rui_common.validation.scopes import Scope
    from rui_common.vocabulary.schema import Kind, Prop, Shape, Symbol

    Scopes = Mapping[Symbol, tuple[Scope, Path]]
    Json = dict[str, object]
    Names = Iterable[Name]

MAX_CORRECTED = 200
"""Longer strings are not corrected."""

MAX_ELEMENTS = 50
"""Elements of a list in an example, and properties of an object that are searched for words."""

PLACEHOLDERS = {ENDPOINT: "/path/to/data", SELECT: "path.to.value"}
"""Values by role for a document without usable words. Other texts have the name of their property."""

_ENDS_WITH_NUMBER = r".*-[0-9]+"


class ExampleBuilder:
    """Builds values for one place of a document.

    Args:
        scopes: the names of the document and of the objects around the place.
        used_names: the names in use.
        suggested_names: the words of the document, and the names in other hints.
    """

    def __init__(self, scopes: Scopes, used_names: UsedNames, suggested_names: SuggestedNames) -> None:
        self._words = suggested_names.words
        self._used_names = used_names
        self._suggested_names = suggested_names
        self._scopes = {symbol: scope for symbol, (scope, _) in scopes.items()}

    def value_at(self, path: Path, prop: Prop, kind: Kind, declared: object, got: object) -> object:
        """Return a value of a kind: a correction of what was sent, or a new value."""
        corrected = self._corrected(got, prop, kind, declared)
        if corrected is not None:
            return corrected
        around = self._words.names_around(path)
        if prop.defines is not None and not kind.inner_shapes:
            return self._definition(prop, prop.defines, declared, around[:1])
        if isinstance(kind, ObjectKind):
            sent = self._request_beside(path, kind.shape, got)
            return self._object(kind.shape, declared, _InnerFirst(around), sent) | self._texts_beside(path, kind.shape)
        return self._value(prop, kind, declared, _InnerFirst(around))

    def object_at(self, path: Path, shape: Shape, declared: object) -> object:
        """Return an object of a shape that keeps the valid properties of the one at `path`."""
        value = self._words.value_at(path)
        valid: Json = {}
        if isinstance(value, dict):
            valid = {name: value[name] for name, prop in shape.props.items() if _is_kept(value.get(name), prop.kind)}
        return self._object(shape, declared, self._words.names_around(path), valid)

    def node_at(self, path: Path, kind: NodeKind, got: object, node_id: str) -> object:
        """Return a node that may be in place of another value, with the id and the words of that value.

        Args:
            path: the place.
            kind: the kind of the node.
            got: the other value.
            node_id: the id of the node, or ``""``.
        """
        value = self._words.value_at(path)
        around = self._words.names_around(path)
        declared = kind.example
        shape = _shape_of_example(kind, declared)
        kept: Json = {}
        if isinstance(value, dict):
            text = self._words.texts_in(value)
            name = value.get("id")
            if isinstance(name, str) and shape.props["id"].kind.accepts(name):
                kept["id"] = KeepIdPlaceholder(self._name_after_hints((*path, "id"), name))
        elif isinstance(got, str) and got in kind.types:
            text = ""
            shape = kind.types[got]
            declared = None
        else:
            text = ""
            if isinstance(got, str) and any(letter.isalnum() for letter in got[:MAX_CORRECTED]):
                text = got
        around = _labels_first(around)
        if node_id:
            kept["id"] = KeepIdPlaceholder(node_id)
            around = (self._words.name_from(node_id), *around)
        if text:
            around = (Name(text[:MAX_CORRECTED].strip()), *around)
        return self._object(shape, declared, around, kept)

    def _request_beside(self, path: Path, shape: Shape, got: object) -> Json:
        """Return the endpoint and the selected value of a request that the object around the place has itself.

        Args:
            path: the place of an object of the shape.
            shape: the shape of a request; objects of other shapes have no such properties.
            got: the value that is there. A text may be the endpoint.
        """
        props = [prop for prop in shape.props.values() if prop.role in PLACEHOLDERS]
        around = self._words.value_at(path[:-1])
        if not props or not isinstance(around, dict):
            return {}
        names = {prop.name for prop in props}
        table = prop_table(shape)
        values = islice(around.items(), MAX_ELEMENTS)
        texts = [got, *(value for key, value in values if table[key][0] in names)]
        unused = list(dict.fromkeys(text for text in texts if isinstance(text, str) and len(text) <= MAX_CORRECTED))
        sent: Json = {}
        for prop in props:
            for text in unused:
                value = _as_accepted(text, prop)
                if value is not None:
                    sent[prop.name] = value
                    unused.remove(text)
                    break
        return sent

    def _texts_beside(self, path: Path, shape: Shape) -> Json:
        """Return the suggested properties of a shape that requires none, as far as the object around it has them.

        So the title of a document without an object for its title is kept.
        """
        around = self._words.value_at(path[:-1])
        if shape.required or not shape.suggested or not isinstance(around, dict):
            return {}
        table = prop_table(shape)
        registered = self._words.vocabulary.root.props
        sent: Json = {}
        for key, value in islice(around.items(), MAX_ELEMENTS):
            prop = shape.suggested.get(table[key][0])
            is_text = isinstance(value, str) and len(value) <= MAX_CORRECTED
            if prop is not None and key not in registered and is_text and prop.kind.accepts(value):
                sent.setdefault(prop.name, value)
        return sent

    def _name_after_hints(self, path: Path, name: str) -> str:
        """Return the well-formed name at a path, or the new name that the hint for a duplicate suggests."""
        if path not in self._suggested_names.changing:
            return name
        new_names = self._suggested_names.new_names
        if path not in new_names:
            new_names[path] = free_name(name, self._used_names, self._suggested_names)
        return new_names[path]

    def _corrected(self, got: object, prop: Prop, kind: Kind, declared: object) -> object:
        """Return the most likely correction of a malformed value, or None."""
        if got is ABSENT:
            return None
        if kind.json_type == "string" and isinstance(got, int | float) and not isinstance(got, bool):
            return self._number_as_text(got, prop, kind)
        if isinstance(got, str):
            if len(got) > MAX_CORRECTED:
                return None
            kebab = kebab_case(got)
            if prop.defines is not None and kebab and kind.accepts(kebab):
                return FreshIdPlaceholder(kebab)
        example = declared
        if kind is prop.kind:
            example = prop.example
        return next((correction for correction, _ in kind.corrections(got, example)), None)

    def _number_as_text(self, got: float, prop: Prop, kind: Kind) -> object:
        """Return the number as text, or None if that is no value: it must name a definition, or be a free name."""
        text = kind.coerce(got, json.dumps(got))
        if prop.uses is not None and prop.uses in self._scopes and text not in self._defined_names(prop.uses):
            return None
        if prop.defines is not None and isinstance(text, str):
            return FreshIdPlaceholder(text)
        return text

    def _value(self, prop: Prop, kind: Kind, declared: object, names: Names) -> object:
        if kind.scalar_type is not None:
            return self._scalar(prop, kind, declared, names)
        if isinstance(kind, ListKind):
            return self._elements(prop, kind.items, declared, names)
        if isinstance(kind, ObjectKind):
            return self._object(kind.shape, declared, names)
        if isinstance(kind, NodeKind):
            return self._object(_shape_of_example(kind, declared), declared, _labels_first(names))
        return self._scalar(prop, kind, declared, names)

    def _scalar(self, prop: Prop, kind: Kind, declared: object, names: Names) -> object:
        if prop.defines is not None:
            return self._definition(prop, prop.defines, declared, ())
        if prop.uses is not None:
            return self._use(prop.uses, declared)
        if kind.values or not isinstance(declared, str):
            return declared
        return self._text(prop, kind, declared, names)

    def _object(self, shape: Shape, declared: object, names: Names, fixed: Json | None = None) -> Json:
        """Return an object with the required properties, and the optional ones that select its data.

        Args:
            shape: its shape.
            declared: a declared example of the shape.
            names: the names of the objects around it.
            fixed: properties with given values.
        """
        examples = declared if isinstance(declared, dict) else {}
        fixed = fixed or {}
        built: Json = {}
        for name, prop in shape.props.items():
            if name in fixed:
                built[name] = fixed[name]
            elif prop.required or (name in examples and prop.role in PLACEHOLDERS):
                built[name] = self._value(prop, prop.kind, examples.get(name, prop.example), names)
        return built

    def _elements(self, prop: Prop, items: Kind, declared: object, names: Names) -> list[object]:
        """Return an element per dangling name if elements define names, per defined name if they use names; or one."""
        first = None
        if isinstance(declared, list) and declared:
            first = declared[0]
        if isinstance(items, NodeKind):
            shape = _shape_of_example(items, first)
            dangling = self._dangling_names(items.defines, shape.props["id"].kind)
            if dangling:
                named = [(name, (self._words.name_from(name), *names)) for name in dangling]
                return [self._object(shape, first, inner_names, {"id": name}) for name, inner_names in named]
        if isinstance(items, ObjectKind):
            fixed = next(self._fixed_names(items.shape), None)
            if fixed is not None:
                name, values = fixed
                return [self._object(items.shape, first, names, {name: value}) for value in values]
        return [self._value(prop, items, first, names)]

    def _fixed_names(self, shape: Shape) -> Iterator[tuple[str, list[str]]]:
        """Yield the properties that must have certain names in the elements of a list, and those names."""
        for prop in shape.props.values():
            dangling = self._dangling_names(prop.defines, prop.kind)
            if dangling:
                yield prop.name, dangling
            if prop.required and prop.uses is not None and prop.uses in self._scopes:
                defined = self._defined_names(prop.uses)[:MAX_ELEMENTS]
                if defined:
                    yield prop.name, [*defined]

    def _defined_names(self, symbol: Symbol) -> tuple[str, ...]:
        """Return the names that are defined after all hints were followed."""
        scope = self._scopes[symbol]
        if symbol.unused is None:
            return scope.defined[symbol].names()
        return links_of(scope, symbol, self._suggested_names).final_names(self._used_names, self._suggested_names)

    def _dangling_names(self, symbol: Symbol | None, kind: Kind) -> list[str]:
        if symbol is None or symbol not in self._scopes:
            return []
        return [name for name in self._scopes[symbol].dangling_names(symbol) if kind.accepts(name)][:MAX_ELEMENTS]

    def _definition(self, prop: Prop, symbol: Symbol, declared: object, names: Names) -> str:
        """Return a dangling name, or one made of the name of the object; a free one replaces it."""
        dangling = self._dangling_names(symbol, prop.kind)
        if dangling:
            return FreshIdPlaceholder(dangling[0])
        slug = next((name.slug for name in names), ())
        for name in ("-".join(slug), declared if isinstance(declared, str) else ""):
            if name and prop.kind.accepts(name) and (slug or re.fullmatch(_ENDS_WITH_NUMBER, name)):
                return FreshIdPlaceholder(name)
        return FreshIdPlaceholder(placeholder_name(symbol))

    def _use(self, symbol: Symbol, declared: object) -> object:
        """Return a defined name, an unused one if possible, else a dangling one, which other hints define."""
        if symbol in self._scopes:
            scope = self._scopes[symbol]
            defined = self._defined_names(symbol)
            used = scope.used[symbol].first
            unused = (name for name in defined if name not in used)
            dangling = filter(scope.defined[symbol].is_well_formed, scope.dangling_names(symbol))
            found = next(chain(unused, defined, dangling), None)
            if found is not None:
                return found
        if isinstance(declared, str) and re.fullmatch(_ENDS_WITH_NUMBER, declared):
            return declared
        return placeholder_name(symbol)

    def _text(self, prop: Prop, kind: Kind, declared: str, names: Names) -> str:
        """Return a text made of the words around it, or a placeholder."""
        if prop.role in PLACEHOLDERS:
            slug = _first_slug(names)
            text = ""
            if slug:
                text = _text_from_slug(prop.role, declared, slug)
            if text and kind.accepts(text):
                return text
        elif prop.is_free_text:
            for name in names:
                text = name.text
                if text and kind.accepts(text):
                    return text
        placeholder = PLACEHOLDERS.get(prop.role, prop.name.capitalize())
        if kind.accepts(placeholder):
            return placeholder
        return declared


def _as_accepted(text: str, prop: Prop) -> object:
    """Return a text if it is a value of a property, else its only correction, or None."""
    if prop.kind.accepts(text):
        return text
    corrections = prop.kind.corrections(text, prop.example)
    return next((value for value, is_certain in corrections if is_certain), None)


def _first_slug(names: Names) -> tuple[str, ...]:
    """Return the words of the first name that has some, or ``()``."""
    for name in names:
        slug = name.slug
        if slug:
            return slug
    return ()


def _text_from_slug(role: str, declared: str, slug: tuple[str, ...]) -> str:
    """Return an endpoint or the path of a value that ends with the words of a name."""
    if role == ENDPOINT:
        return declared[: declared.find("/", 1) + 1] + "-".join(slug)
    head, *rest = slug
    return declared.partition(".")[0] + "." + head + "".join(word.capitalize() for word in rest)


def _shape_of_example(kind: NodeKind, example: object) -> Shape:
    node_type = None
    if isinstance(example, dict):
        node_type = example.get("type")
    return kind.types.get(str(node_type), kind.shapes[0])


class _InnerFirst:
    """The names around a new value: that of its object, then those around it. The first is usually enough."""

    __slots__ = ("_names",)

    def __init__(self, names: tuple[Name, ...]) -> None:
        self._names = names

    def __iter__(self) -> Iterator[Name]:
        yield from self._names[:1]
        yield from _labels_first(self._names[1:])


def _labels_first(names: Names) -> tuple[Name, ...]:
    """Return the names around a new node: the title of a page fits its content better than the id of a section."""
    return tuple(sorted(names, key=lambda name: not name.label))


def _is_kept(value: object, kind: Kind) -> bool:
    return kind.json_type == "string" and kind.accepts(value)
