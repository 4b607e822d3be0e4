"""Completions at a position: properties, values and nodes, from the vocabulary and the names of the document."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from rui_common.editing.completion_context import CompletionContext, Expects
from rui_common.editing.generate import ValueGenerator
from rui_common.editing.requests import KnownRequest, suggested_requests, text_of
from rui_common.editing.snippets import Snippet, TabStop, list_snippet, property_snippet, shape_snippet
from rui_common.json_values import JsonObject, as_json, as_list, as_object
from rui_common.suggest import nearest
from rui_common.syntax.paths import value_at
from rui_common.validation.analysis import Analysis
from rui_common.vocabulary.kinds import EnumKind, ListKind, NodeKind, ObjectKind, TextKind
from rui_common.vocabulary.schema import Kind, Prop, Role, Shape, Symbol

VALUES_IN_GROUP = 2  # Number of nodes with a single value in the completion of a group of them


class Completion(NamedTuple):
    """A completion proposal."""

    label: str  # its text in the list
    snippet: Snippet  # the text to insert, without commas
    detail: str  # its type in a short phrase
    shape: str  # the name of the shape that it belongs to, or `""`
    prop: str  # the name of the property of that shape, or `""`
    unused: tuple[Symbol, str] | None = None  # the symbol and name that it defines, if it must be used elsewhere
    note: str = ""  # its meaning, for the end of its line in the list; `""` for the name of the shape


def completions_at(
    analysis: Analysis, context: CompletionContext, requests: Iterable[KnownRequest] = ()
) -> list[Completion]:
    """Return the completions, the likeliest first. `requests` are those of other documents, the most recent first."""
    kind = analysis.kind(context.path)
    if kind is None:
        return []
    return list(dict.fromkeys(_Completer(analysis, context, kind, requests).completions()))


class _Completer:
    """Finds the completions in one context. `kind` is that of the object or array that contains the insertion."""

    def __init__(
        self, analysis: Analysis, context: CompletionContext, kind: Kind, requests: Iterable[KnownRequest]
    ) -> None:
        self._analysis = analysis
        self._context = context
        self._requests = requests
        self._kind = kind
        self._names = analysis.names
        self._owner = as_object(value_at(analysis.document.value, context.path))
        self._node = analysis.nearest(context.path)
        shape = self._node.shape if self._node.path == context.path else None
        self._is_known = shape is not None
        self._shapes: Sequence[Shape] = [shape] if shape else kind.inner_shapes

    def completions(self) -> Iterable[Completion]:
        """Return all completions, possibly with duplicates."""
        if self._context.expects is Expects.KEY:
            return self._properties()
        if self._context.expects is Expects.VALUE:
            if self._context.key is None:
                return self._objects(self._kind, is_element=False)
            return self._property_values(self._context.key)
        if isinstance(self._kind, ListKind):
            return self._values(self._kind.items)
        return []

    def _properties(self) -> Iterator[Completion]:
        props: dict[str, tuple[Shape, Prop]] = {}
        for shape in self._shapes:
            for prop in shape.all_props:
                props.setdefault(prop.name, (shape, prop))
        for name, (shape, prop) in sorted(props.items(), key=lambda item: not item[1][1].required):
            if name in self._owner and name != self._context.key:
                continue
            detail = prop.kind.notation()
            if prop.required:
                detail += " (required)"
            yield Completion(name, self._property_snippet(prop), detail, shape.name, name)

    def _property_snippet(self, prop: Prop) -> Snippet:
        if self._context.colon:
            return _json_snippet(prop.name)
        if not self._is_known and prop.kind.values:  # the type decides which of the shapes is meant
            values = tuple(value for shape in self._shapes for value in _fixed_values(shape, prop.name))
            prop = replace(prop, kind=EnumKind(tuple(dict.fromkeys(values)), "", {}))
        return property_snippet(prop, self._generator().missing_value(prop, self._kind))

    def _property_values(self, name: str) -> Iterator[Completion]:
        for shape in self._shapes:
            prop = shape.prop(name)
            if prop is None:
                continue
            yield from self._values(prop.kind, prop, shape.name)
            if prop.kind.values and (not self._is_known or len(prop.kind.values) == 1):
                for sibling in self._kind.inner_shapes:
                    if sibling is not shape:
                        for text in _fixed_values(sibling, name):
                            yield Completion(text, _json_snippet(text), sibling.doc, sibling.name, "")
            return

    def _values(self, kind: Kind, prop: Prop | None = None, shape_name: str = "") -> Iterable[Completion]:
        prop_name = "" if prop is None else prop.name
        detail = kind.notation()
        if isinstance(kind, TextKind) and prop is not None:
            texts = self._texts(prop)
            if not texts and not self._context.in_string:
                return [Completion('""', Snippet(('"', TabStop(), '"')), detail, shape_name, prop_name)]
            return [
                Completion(text, _json_snippet(text), detail, shape_name, prop_name, None, note)
                for text, note in texts.items()
            ]
        if isinstance(kind, NodeKind | ObjectKind):
            return self._objects(kind, is_element=prop is None)
        if isinstance(kind, ListKind):
            empty = Snippet(("[", TabStop(is_final=True), "]"))
            return [*self._lists(kind), Completion("[ ]", empty, detail, shape_name, prop_name)]
        return [
            Completion(_label(value), _json_snippet(value), f"{prop_name} of {shape_name}", shape_name, prop_name)
            for value in kind.completions(None if prop is None else prop.example)
        ]

    def _objects(self, kind: Kind, *, is_element: bool) -> Iterator[Completion]:
        for shape in kind.inner_shapes:
            value = self._generator().new_object(shape)
            if is_element and not value:
                value = self._generator().suggested(shape)
            unused: tuple[Symbol, str] | None = None
            if isinstance(kind, NodeKind) and kind.defines is not None and kind.defines.unused is not None:
                used = next(self._generator().undefined_names(shape.props["id"], kind), None)
                value["id"] = used or value["id"]
                if used is None:
                    unused = (kind.defines, str(value["id"]))
            snippet = shape_snippet(shape, value, is_element=is_element)
            yield Completion(shape.name, snippet, shape.doc, shape.name, "", unused)
        if is_element:
            for shape in kind.inner_shapes:
                yield from self._groups(shape)

    def _lists(self, kind: ListKind) -> Iterator[Completion]:
        """Yield a list of each element that is proposed; followed by further ones of its shape if it needs several."""
        for element in self._objects(kind.items, is_element=True):
            generator = self._generator()
            shape = next(shape for shape in kind.inner_shapes if shape.name == element.shape)
            values = [generator.new_object(shape) or generator.suggested(shape) for _ in range(kind.at_least)]
            further = [shape_snippet(shape, value, is_element=True) for value in values[1:]]
            yield element._replace(label=f"[{element.label}]", snippet=list_snippet(element.snippet, *further))

    def _groups(self, shape: Shape) -> Iterator[Completion]:
        """Yield a node with each type of child but the one that it has by itself.

        Those that show a single value are several, side by side.
        """
        usual = self._generator().new_object(shape)
        for prop in shape.props.values():
            if not isinstance(prop.kind, ListKind) or len(prop.kind.inner_shapes) < 2 or not shape.is_node:
                continue
            for inner in prop.kind.inner_shapes:
                generator = self._generator()
                count = VALUES_IN_GROUP
                if inner.wireframe is None:
                    count = 1
                fixed: JsonObject = {prop.name: [generator.new_object(inner) for _ in range(count)]}
                if count > 1:
                    fixed |= {layout.name: layout.row for layout in shape.props_with_role(Role.LAYOUT)}
                name = inner.name if count == 1 else f"{inner.name}s"
                if inner.name != as_object(next(iter(as_list(usual.get(prop.name))), None)).get("type"):
                    snippet = shape_snippet(shape, generator.new_object(shape, None, fixed), is_element=True)
                    yield Completion(f"{shape.name} with {name}", snippet, inner.doc, shape.name, "")

    def _texts(self, prop: Prop) -> dict[str, str]:
        """Return the texts that a property may have, the likeliest first, each with a note for the list.

        They are the names that a reference may have, a new name, or the paths and value paths of other requests.
        """
        if prop.uses is not None:
            names = self._names.scope(prop.uses, self._node).definitions
            meant = nearest(str(self._owner.get(prop.name, "")), names)
            return dict.fromkeys(sorted(names, key=lambda name: name != meant), "")
        if prop.defines is not None:
            return {str(self._generator().missing_value(prop, self._kind)): ""}
        if prop.role in (Role.ENDPOINT, Role.SELECT):
            found = suggested_requests(self._analysis, self._node, prop, self._requests)
            return {text_of(request, prop): request.source for request in found}
        return {}

    def _generator(self) -> ValueGenerator:
        return ValueGenerator(self._analysis, self._node)


def _fixed_values(shape: Shape, name: str) -> tuple[str, ...]:
    """Return the only values of a property of a shape; empty if there is no such property or any number of values."""
    prop = shape.prop(name)
    if prop is None:
        return ()
    return prop.kind.values


def _label(value: object) -> str:
    if isinstance(value, str):
        return value
    return as_json(value)


def _json_snippet(value: object) -> Snippet:
    return Snippet((as_json(value),))
