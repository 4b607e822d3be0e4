"""Generate the check of decoded Structs: names, patterns, and what the types of merged nodes cannot express.

The generated function walks the Structs, returns False at the first violation and gathers names in lists. Names are
checked when the object that is their scope is complete, and those of the whole document at the end: checking them
together is several times as fast as one by one. Objects of open shapes are replaced by their normal form.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

from msgspec import UNSET

from rui_api.decoding.codegen import CodeWriter, indent_block
from rui_api.decoding.open_objects import EXACT_TYPES, Orders, complete_object
from rui_api.decoding.struct_types import StructTypes, UnsupportedVocabularyError, field_name
from rui_common.vocabulary.kinds import ListKind, NodeKind, ObjectKind
from rui_common.vocabulary.schema import Kind, Prop, Shape, Symbol, Vocabulary

Check = Callable[[Any], bool]


class Gather(NamedTuple):
    """A statement that appends a name to a list."""

    names: str
    value: str


class NameLists(NamedTuple):
    """The variables of one symbol in one scope: the lists of definitions and uses."""

    defined: str
    used: str


def compile_struct_check(vocabulary: Vocabulary, types: StructTypes) -> Check:
    """Return a function that tests whether a decoded root is valid."""
    writer = CheckWriter(types)
    body = writer.document(vocabulary.root)
    check: Check = writer.compile_function("check(root, UNSET=UNSET)", body, "check of decoded bodies")  # type: ignore[assignment]
    return check


class CheckWriter(CodeWriter):
    """Writes the statements of the check."""

    def __init__(self, types: StructTypes) -> None:
        super().__init__()
        self.constants |= {"UNSET": UNSET, "EXACT_TYPES": EXACT_TYPES}
        self._untyped = types.untyped
        self._has_further = types.open_object is not None
        self._scopes: dict[Symbol, NameLists] = {}
        self._document: dict[tuple[Symbol, bool], str] = {}

    def document(self, root: Shape) -> list[str]:
        """Return the body of the function."""
        body = _render(self._shape(root, "root", is_root=True))
        lists = [f"{names} = []" for names in self._document.values()]
        return [*lists, *body, *self._document_names(), "return True"]

    def _shape(self, shape: Shape, value: str, *, is_root: bool = False) -> list[str | Gather]:
        outer = dict(self._scopes)
        scopes = {}
        if not is_root:
            scopes = {symbol: self._name_lists() for symbol in shape.scope}
        self._scopes |= scopes
        body: list[str | Gather] = []
        for lists in scopes.values():
            body += [f"{lists.defined} = []", f"{lists.used} = []"]
        for prop in shape.props.values():
            body += self._prop(shape, prop, f"{value}.{field_name(prop)}")
        for symbol, lists in scopes.items():
            body += _name_checks(symbol, lists)
        self._scopes = outer
        return body

    def _name_lists(self) -> NameLists:
        return NameLists(self.variable("defined"), self.variable("used"))

    def _prop(self, shape: Shape, prop: Prop, place: str) -> list[str | Gather]:
        if shape.base is not None and prop.required and not shape.base.props[prop.name].required:
            return [f"if {place} is UNSET: return False", *self._value(prop, place, place)]
        if prop.required:
            return self._value(prop, place, place)
        value = self.variable(field_name(prop))
        body = self._value(prop, value, place)
        if not body:
            return []
        return [f"{value} = {place}", *indent_block(f"if {value} is not UNSET:", _render(body))]

    def _value(self, prop: Prop, value: str, target: str) -> list[str | Gather]:
        body = self._kind(prop.kind, value, target, is_typed=prop not in self._untyped)
        return [*body, *self._gathers(prop, value)]

    def _gathers(self, prop: Prop, value: str) -> list[str | Gather]:
        gathered: list[str | Gather] = []
        for symbol, is_use in ((prop.defines, False), (prop.uses, True)):
            if symbol is not None:
                gathered.append(Gather(self._names(symbol, is_use=is_use), value))
        return gathered

    def _kind(self, kind: Kind, value: str, target: str, *, is_typed: bool = True) -> list[str | Gather]:
        """Return the check of a value; `target` is the expression to which its replacement is assigned."""
        conditions = kind.refusals(value, self.constant, is_typed=is_typed)
        body: list[str | Gather] = []
        if conditions:
            body.append(f"if {' or '.join(conditions)}: return False")
        if isinstance(kind, ObjectKind):
            body += self._object(kind.shape, value, target)
        elif isinstance(kind, NodeKind):
            body += self._node(kind, value)
        elif isinstance(kind, ListKind):
            body += self._list(kind.items, value)
        return body

    def _object(self, shape: Shape, place: str, target: str) -> list[str | Gather]:
        if shape.open and self._has_further:
            return self._open_object(shape, place, target)
        if place.isidentifier():
            return self._shape(shape, place)
        value = self.variable("object")
        body = self._shape(shape, value)
        if not body:
            return []
        return [f"{value} = {place}", *body]

    def _open_object(self, shape: Shape, place: str, target: str) -> list[str | Gather]:
        """Return the check of a dictionary, and its replacement by its normal form."""
        value = self.variable("object")
        orders = Orders(shape)
        complete = self.constant("complete", partial(complete_object, orders))
        has_other_order = f"{self.constant('orders', orders)}[tuple({value})]"
        has_other_types = f"not EXACT_TYPES.issuperset(map(type, {value}.values()))"
        return [
            f"{value} = {place}",
            *self._registered(shape, value),
            *indent_block(f"if {has_other_order} or {has_other_types}:", [f"{target} = {complete}({value})"]),
        ]

    def _registered(self, shape: Shape, value: str) -> list[str | Gather]:
        """Return the check of the registered properties of a dictionary."""
        body: list[str | Gather] = []
        for prop in shape.props.values():
            if prop.kind.scalar_type is None:
                raise UnsupportedVocabularyError(f'No type for "{prop.name}" of the open shape {shape.name}.')
            member = self.variable(field_name(prop))
            body.append(f"{member} = {value}.get({prop.name!r}, UNSET)")
            refusals = prop.kind.refusals(member, self.constant, is_typed=False)
            checks = _render([f"if {' or '.join(refusals)}: return False", *self._gathers(prop, member)])
            body += checks if prop.required else indent_block(f"if {member} is not UNSET:", checks)
        return body

    def _list(self, items: Kind, place: str) -> list[str | Gather]:
        element = self.variable("element")
        if self._has_further and isinstance(items, ObjectKind) and items.shape.open:
            index = self.variable("index")
            body = self._open_object(items.shape, element, f"{place}[{index}]")
            return [*indent_block(f"for {index}, {element} in enumerate({place}):", _render(body))]
        body = self._kind(items, element, element)
        if len(body) == 1 and isinstance(body[0], Gather):
            names, value = body[0]
            return [f"{names} += [{value} for {element} in {place}]"]
        return [*indent_block(f"for {element} in {place}:", _render(body))]

    def _node(self, kind: NodeKind, place: str) -> list[str | Gather]:
        body: list[str | Gather] = []
        if kind.defines is not None:
            identity = field_name(kind.shapes[0].props["id"])
            body.append(Gather(self._names(kind.defines, is_use=False), f"{place}.{identity}"))
        if len(kind.shapes) == 1:
            return [*body, *self._object(kind.shapes[0], place, place)]
        node_type = self.variable("type")
        body.append(f"{node_type} = {place}.type")
        word = "if"
        for shape in kind.shapes:
            branch = [*_field_checks(kind, shape, place), *_render(self._shape(shape, place))]
            body += indent_block(f"{word} {node_type} == {shape.name!r}:", branch or ["pass"])
            word = "elif"
        return body

    def _names(self, symbol: Symbol, *, is_use: bool) -> str:
        if symbol in self._scopes:
            return self._scopes[symbol].used if is_use else self._scopes[symbol].defined
        key = (symbol, is_use)
        if key not in self._document:
            self._document[key] = self.variable("names")
        return self._document[key]

    def _document_names(self) -> list[str]:
        lines = []
        for symbol in dict.fromkeys(symbol for symbol, _ in self._document):
            lists = self._name_lists()
            lines += [f"{lists.defined} = {self._document.get((symbol, False), '()')}"]
            lines += [f"{lists.used} = {self._document.get((symbol, True), '()')}"]
            lines += _name_checks(symbol, lists)
        return lines


def _field_checks(kind: NodeKind, shape: Shape, node: str) -> list[str]:
    """Return what a merged Struct does not check: required fields, and fields of other shapes."""
    props = {name: prop for other in kind.shapes for name, prop in other.props.items()}
    always = {name for name in props if all(name in other.required for other in kind.shapes)}
    missing = [f"{node}.{field_name(props[name])} is UNSET" for name in shape.required if name not in always]
    foreign = [f"{node}.{field_name(prop)} is not UNSET" for name, prop in props.items() if name not in shape.props]
    conditions = [*missing, *foreign]
    if not conditions:
        return []
    return [f"if {' or '.join(conditions)}: return False"]


def _name_checks(symbol: Symbol, lists: NameLists) -> list[str]:
    defined, used = lists
    lines = [f"{defined}_set = {{*{defined}}}"]
    if symbol.duplicate is not None:
        lines.append(f"if len({defined}_set) != len({defined}): return False")
    if symbol.dangling is not None:
        lines.append(f"if {used} and not {defined}_set.issuperset({used}): return False")
    if symbol.unused is not None:
        lines.append(f"if not {defined}_set.issubset({used}): return False")
    return lines


def _render(body: Sequence[str | Gather]) -> list[str]:
    return [line if isinstance(line, str) else f"{line.names}.append({line.value})" for line in body]
