"""Completions at a position: properties, values and nodes, from the vocabulary and the names of the document."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from rui_common.editing.completion_context import CompletionContext, Expects
from rui_common.editing.generate import NamesInUse
from rui_common.editing.snippets import Snippet, TabStop, list_snippet, property_snippet, shape_snippet, without_stop
from rui_common.json_values import as_object
from rui_common.syntax.document import Document
from rui_common.syntax.paths import value_at
from rui_common.vocabulary.kinds import EnumKind, ListKind, NodeKind, ObjectKind, TextKind
from rui_common.vocabulary.lookup import SchemaLocation, schema_location, shape_of
from rui_common.vocabulary.schema import Kind, Prop, Shape, Symbol


class Completion(NamedTuple):
    """A completion proposal.

    Attributes:
        label: its text in the list.
        snippet: the text to insert, without commas.
        detail: its type in a short phrase.
        shape: the name of the shape that it belongs to, or ``""``.
        prop: the name of the property of that shape, or ``""``.
        unused: the symbol and name that the snippet defines, if a rule wants it to be used elsewhere; else None.
        note: what it means, in a phrase, to be shown beside the label; ``""`` for the name of the shape.
    """

    label: str
    snippet: Snippet
    detail: str
    shape: str
    prop: str
    unused: tuple[Symbol, str] | None = None
    note: str = ""


def completions_at(document: Document, context: CompletionContext) -> list[Completion]:
    """The completions in a context, the likeliest first.

    Args:
        context: the context, as from `rui_common.editing.completion_context.completion_context_at`.
    """
    location = schema_location(document.value, context.path)
    if location is None:
        return []
    return list(dict.fromkeys(_Completer(document, context, location).completions()))


def with_commas(snippet: Snippet, context: CompletionContext) -> Snippet:
    """A snippet with the commas that it needs next to it; one that is missing further in front is not included."""
    parts = snippet.parts
    if context.comma_at == context.span.start:
        parts = (", ", *parts)
    if context.comma_after:
        parts = (*parts, ",")
    return Snippet(parts)


class _Completer:
    """Finds the completions in one context.

    Args:
        location: the declaration of the object or array that contains the insertion.
    """

    def __init__(self, document: Document, context: CompletionContext, location: SchemaLocation) -> None:
        self._document = document
        self._context = context
        self._kind: Kind = location.kind
        self._names = NamesInUse(document)
        self._owner = value_at(document.value, context.path)
        self._shape = shape_of(self._owner, location.kind)
        self._shapes: Sequence[Shape] = [self._shape] if self._shape else location.kind.inner_shapes

    def completions(self) -> Iterable[Completion]:
        """All completions, possibly with duplicates."""
        if self._context.expects is Expects.KEY:
            return self._properties()
        if self._context.expects is Expects.VALUE and self._context.key is None:
            return self._objects(self._kind, is_element=False)
        if self._context.expects is Expects.VALUE:
            return self._property_values()
        if isinstance(self._kind, ListKind):
            return self._values(self._kind.items)
        return []

    def _properties(self) -> Iterator[Completion]:
        props: dict[str, tuple[Shape, Prop]] = {}
        for shape in self._shapes:
            for prop in (*shape.props.values(), *shape.suggested.values()):
                props.setdefault(prop.name, (shape, prop))
        for name, (shape, prop) in sorted(props.items(), key=lambda item: not item[1][1].required):
            if name in as_object(self._owner) and name != self._context.key:
                continue
            detail = prop.kind.notation()
            if prop.required:
                detail += " (required)"
            yield Completion(name, self._property_snippet(prop), detail, shape.name, name)

    def _property_snippet(self, prop: Prop) -> Snippet:
        if self._context.colon:
            return _json_snippet(prop.name)
        if prop.kind.values:
            return property_snippet(Prop(prop.name, EnumKind(self._enum_values(prop.name), "", {}), prop.doc), None)
        return property_snippet(prop, self._names.generator_at(self._context.path).missing_value(prop, self._kind))

    def _enum_values(self, name: str) -> tuple[str, ...]:
        """The allowed values of a property in all shapes that the object may have."""
        props = (shape.prop(name) for shape in self._shapes)
        return tuple(dict.fromkeys(value for prop in props if prop is not None for value in prop.kind.values))

    def _property_values(self) -> Iterator[Completion]:
        name = self._context.key or ""
        for shape in self._shapes:
            prop = shape.prop(name)
            if prop is None:
                continue
            yield from self._values(prop.kind, prop, shape.name)
            if prop.kind.values and (self._shape is None or len(prop.kind.values) == 1):
                yield from self._values_of_other_shapes(shape, name)
            return

    def _values_of_other_shapes(self, owner: Shape, name: str) -> Iterator[Completion]:
        for shape in self._kind.inner_shapes:
            prop = shape.prop(name)
            if shape is not owner and prop is not None:
                for text in prop.kind.values:
                    yield Completion(text, _json_snippet(text), shape.doc, shape.name, "")

    def _values(self, kind: Kind, prop: Prop | None = None, shape_name: str = "") -> Iterable[Completion]:
        prop_name = ""
        example: object = None
        if prop is not None:
            prop_name = prop.name
            example = prop.example
        detail = kind.notation()
        if isinstance(kind, TextKind) and prop is not None:
            texts = self._texts(prop)
            if not texts and not self._context.in_string:
                return [Completion('""', Snippet(('"', TabStop(), '"')), detail, shape_name, prop_name)]
            return [Completion(text, _json_snippet(text), detail, shape_name, prop_name) for text in texts]
        if isinstance(kind, NodeKind | ObjectKind):
            return self._objects(kind, is_element=prop is None)
        if isinstance(kind, ListKind):
            lists = [
                one._replace(label=f"[{one.label}]", snippet=list_snippet(one.snippet))
                for one in self._objects(kind.items, is_element=True)
            ]
            empty = Snippet(("[", TabStop(is_final=True), "]"))
            return [*lists, Completion("[ ]", empty, detail, shape_name, prop_name)]
        detail = f"{prop_name} of {shape_name}"
        return [
            Completion(_label(value), _json_snippet(value), detail, shape_name, prop_name)
            for value in kind.completions(example)
        ]

    def _objects(self, kind: Kind, *, is_element: bool) -> Iterator[Completion]:
        is_on_one_line = is_element and isinstance(kind, ObjectKind)
        for shape in kind.inner_shapes:
            value = self._names.generator_at(self._context.path).new_object(shape)
            if isinstance(kind, NodeKind) and kind.defines is not None and kind.defines.unused is not None:
                yield self._used_object(kind, kind.defines, shape, value)
            else:
                snippet = shape_snippet(shape, value, is_on_one_line=is_on_one_line)
                yield Completion(shape.name, snippet, shape.doc, shape.name, "")

    def _used_object(self, kind: NodeKind, symbol: Symbol, shape: Shape, value: dict[str, object]) -> Completion:
        """A node whose id must be used: with a name that is used already, else with one that is to be used, too.

        The id is no tab stop, as its use would not change with it.
        """
        used = self._names.generator_at(self._context.path).dangling_names(kind, shape.props["id"])
        unused = None
        if used:
            name = used[0]
        else:
            name = str(value["id"])
            unused = (symbol, name)
        snippet = without_stop(shape_snippet(shape, {**value, "id": name}), name)
        return Completion(shape.name, snippet, shape.doc, shape.name, "", unused)

    def _texts(self, prop: Prop) -> list[str]:
        """The names that a reference may have, a new name, or the values of other properties of this name."""
        path = self._context.path
        if prop.uses is not None:
            return self._names.names(prop.uses, self._names.scope_of(prop.uses, path))
        if prop.defines is not None:
            name = self._names.generator_at(path).missing_value(prop, self._kind)
            if not isinstance(name, str):
                return []
            return [name]
        if not isinstance(prop.kind, TextKind) or prop.kind.pattern is None:
            return []
        counts = Counter(_texts_in(self._document, prop.name))
        present = value_at(self._document.value, (*path, prop.name))
        if isinstance(present, str):
            counts[present] -= 1  # The text that is being typed is not a proposal, unless it occurs elsewhere.
        return sorted(text for text, count in counts.items() if count > 0 and prop.kind.fits(text))


def _texts_in(document: Document, name: str) -> Iterator[str]:
    """The texts of all properties of a name in a document."""
    pending = [document.value]
    while pending:
        here = pending.pop()
        if isinstance(here, dict):
            text = here.get(name)
            if isinstance(text, str):
                yield text
            pending += [inner for inner in here.values() if isinstance(inner, dict | list)]
        elif isinstance(here, list):
            pending += [inner for inner in here if isinstance(inner, dict | list)]


def _label(value: object) -> str:
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False)


def _json_snippet(value: object) -> Snippet:
    return Snippet((json.dumps(value, ensure_ascii=False),))
