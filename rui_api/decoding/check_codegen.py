"""Generate the check of decoded values: names, patterns, and what the types of merged nodes cannot express.

The generated function walks the values, returns False at the first violation and gathers names in lists. Names are
checked when the object that is their scope is complete, and those of the whole document at the end: checking them
together is several times as fast as one by one. So is the normal form of objects of open shapes, which it makes last.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import msgspec
from msgspec import UNSET

from rui_api.decoding.codegen import CodeWriter, indent_block
from rui_api.decoding.open_objects import OpenObjects
from rui_api.decoding.struct_types import StructTypes, UnsupportedVocabularyError, field_name
from rui_common.hashing import format_number
from rui_common.vocabulary.kinds import ListKind, NodeKind, ObjectKind, TextKind
from rui_common.vocabulary.schema import Kind, Prop, Shape, Symbol, Vocabulary

Check = Callable[[Any], bool]


class KnownTexts(dict[str, bool]):
    """Whether short texts are well formed. Value paths repeat: without it, typed decoding takes 10 % longer.

    500 texts of 60 characters bound the memory.
    """

    def __init__(self, fits: Callable[[str], bool]) -> None:
        self._fits = fits

    def __missing__(self, text: str) -> bool:
        result = self._fits(text)
        if len(self) < 500 and len(text) <= 60:
            self[text] = result
        return result


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
        self.constants |= {"UNSET": UNSET, "has_one_form": has_one_form}
        self._untyped = types.untyped
        self._has_further = types.open_object is not None
        self._scopes: dict[Symbol, NameLists] = {}
        self._document: dict[Symbol, NameLists] = {}
        self._open_objects: dict[Shape, str] = {}

    def document(self, root: Shape) -> list[str]:
        """Return the body of the function."""
        body = self._props(root, "root")
        for shape, objects in self._open_objects.items():
            body.insert(0, f"{objects} = []")
            body.append(f"{self.constant('open', OpenObjects(shape))}.normalize({objects})")
        return [*_new_lists(self._document), *body, *_name_checks(self._document), "return True"]

    def _shape(self, shape: Shape, value: str) -> list[str]:
        """Return the check of an object that is a Struct."""
        outer = self._scopes
        own = {symbol: self._name_lists() for symbol in shape.scope}
        self._scopes = outer | own
        body = [*_new_lists(own), *self._props(shape, value), *_name_checks(own)]
        self._scopes = outer
        return body

    def _props(self, shape: Shape, value: str) -> list[str]:
        body = []
        for prop in shape.props.values():
            place = f"{value}.{field_name(prop)}"
            if shape.base is not None and prop.required and not shape.base.props[prop.name].required:
                body.append(f"if {place} is UNSET: return False")
            body += self._prop(prop, place, is_typed=prop not in self._untyped)
        return body

    def _prop(self, prop: Prop, place: str, *, is_typed: bool) -> list[str]:
        member = self.variable(field_name(prop))
        body = self._kind(prop.kind, member, is_typed=is_typed)
        for symbol, position in ((prop.defines, 0), (prop.uses, 1)):
            if symbol is not None:
                body.append(f"{self._names(symbol)[position]}.append({member})")
        if not prop.required:
            body = indent_block(f"if {member} is not UNSET:", body)
        if not body:
            return []
        return [f"{member} = {place}", *body]

    def _kind(self, kind: Kind, value: str, *, is_typed: bool = True) -> list[str]:
        conditions = self._refusals(kind, value, is_typed=is_typed)
        body = [f"if {' or '.join(conditions)}: return False"] if conditions else []
        if isinstance(kind, ObjectKind):
            body += self._object(kind.shape, value)
        elif isinstance(kind, NodeKind):
            body += self._node(kind, value)
        elif isinstance(kind, ListKind):
            body += self._list(kind.items, value)
        return body

    def _refusals(self, kind: Kind, value: str, *, is_typed: bool) -> list[str]:
        """Return the conditions under which a value is refused; `is_typed` if msgspec has tested type and length."""
        if is_typed and (kind.values or kind.scalar_type is None):
            return []
        if type(kind) is not TextKind:
            is_number = kind.scalar_type is not None and kind.scalar_type.python_type is float
            conditions = [f"not has_one_form({value})"] if is_number else []
            return [*conditions, f"not {self.constant('accepts', kind.accepts)}({value})"]
        conditions = [] if is_typed else [f"type({value}) is not str"]
        if kind.matches is not None and kind.max_length is None:
            conditions.append(f"not {self.constant('known', KnownTexts(kind.fits))}[{value}]")
        elif kind.matches is not None and is_typed:
            # Strings with a maximum length are names, which differ.
            conditions.append(f"{self.constant('matches', kind.matches)}({value}) is None")
        elif kind.max_length is not None and not is_typed:
            conditions.append(f"not {self.constant('fits', kind.fits)}({value})")
        return conditions

    def _object(self, shape: Shape, value: str) -> list[str]:
        if not shape.open or not self._has_further:
            return self._shape(shape, value)
        body = []
        for prop in shape.props.values():
            if prop.kind.scalar_type is None:
                raise UnsupportedVocabularyError(f'No type for "{prop.name}" of the open shape {shape.name}.')
            body += self._prop(prop, f"{value}.get({prop.name!r}, UNSET)", is_typed=False)
        if shape not in self._open_objects:
            self._open_objects[shape] = self.variable("objects")
        return [*body, f"{self._open_objects[shape]}.append({value})"]

    def _list(self, items: Kind, place: str) -> list[str]:
        element = self.variable("element")
        return indent_block(f"for {element} in {place}:", self._kind(items, element))

    def _node(self, kind: NodeKind, place: str) -> list[str]:
        body = []
        if kind.defines is not None:
            identity = field_name(kind.shapes[0].props["id"])
            body.append(f"{self._names(kind.defines).defined}.append({place}.{identity})")
        if len(kind.shapes) == 1:
            return [*body, *self._object(kind.shapes[0], place)]
        node_type = self.variable("type")
        body.append(f"{node_type} = {place}.type")
        for shape in kind.shapes:
            branch = [*_field_checks(kind, shape, place), *self._shape(shape, place)]
            body += indent_block(f"if {node_type} == {shape.name!r}:", branch)
        return body

    def _names(self, symbol: Symbol) -> NameLists:
        if symbol in self._scopes:
            return self._scopes[symbol]
        if symbol not in self._document:
            self._document[symbol] = self._name_lists()
        return self._document[symbol]

    def _name_lists(self) -> NameLists:
        return NameLists(self.variable("defined"), self.variable("used"))


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


def has_one_form(value: object) -> bool:
    """Return whether msgspec, the normal form and RFC 8785 write a number alike, such as 0.5, but not 1.0 or 1e-7.

    The validator reads the others. True for other values.
    """
    if not isinstance(value, float):
        return True
    return repr(value) == format_number(value) == msgspec.json.encode(value).decode()


def _new_lists(scopes: dict[Symbol, NameLists]) -> list[str]:
    return [f"{names} = []" for lists in scopes.values() for names in lists]


def _name_checks(scopes: dict[Symbol, NameLists]) -> list[str]:
    lines = []
    for symbol, (defined, used) in scopes.items():
        lines.append(f"{defined}_set = {{*{defined}}}")
        if symbol.duplicate is not None:
            lines.append(f"if len({defined}_set) != len({defined}): return False")
        if symbol.dangling is not None:
            lines.append(f"if {used} and not {defined}_set.issuperset({used}): return False")
        if symbol.unused is not None:
            lines.append(f"if not {defined}_set.issubset({used}): return False")
    return lines
