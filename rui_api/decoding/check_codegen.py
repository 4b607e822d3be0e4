"""Generate the check of decoded values: names, patterns, and what the types of merged nodes cannot express.

The generated function walks the values, returns False at the first violation and gathers names in lists. Names are
checked when the object that is their scope is complete, and those of the whole document at the end: checking them
together is several times as fast as one by one.
"""

from collections.abc import Callable, Sequence
from itertools import count
from typing import Any, NamedTuple

from msgspec import UNSET

from rui_api.decoding.struct_types import StructTypes
from rui_common.vocabulary.kinds import ListKind, NodeKind, ObjectKind
from rui_common.vocabulary.schema import Kind, Prop, Shape, Symbol, Vocabulary

Check = Callable[[Any], bool]


class _NameLists(NamedTuple):
    """The variables of one symbol in one scope: the lists of definitions and uses."""

    defined: str
    used: str


def compile_struct_check(vocabulary: Vocabulary, types: StructTypes) -> Check:
    """Return a function that tests whether a decoded root is valid."""
    writer = _CheckWriter(types)
    source = "\n".join(_block("def check(root, UNSET=UNSET):", writer.document(vocabulary.root)))
    namespace = writer.constants
    exec(compile(source, "<check of decoded bodies>", "exec"), namespace)  # noqa: S102  made from our declarations
    check: Check = namespace["check"]
    return check


class _CheckWriter:
    """Writes the statements of the check, whose globals are `constants`. Their names and those of variables differ."""

    def __init__(self, types: StructTypes) -> None:
        self.constants: dict[str, Any] = {"UNSET": UNSET}
        self._numbers = count(1)
        self._types = types
        self._scopes: dict[Symbol, _NameLists] = {}
        self._document: dict[Symbol, _NameLists] = {}

    def document(self, root: Shape) -> list[str]:
        """Return the body of the function."""
        body = self._shape(root, "root")
        return [*_new_lists(self._document), *body, *_name_checks(self._document), "return True"]

    def _variable(self, stem: str) -> str:
        return f"{stem}{next(self._numbers)}"

    def _constant(self, stem: str, value: object) -> str:
        name = self._variable(stem)
        self.constants[name] = value
        return name

    def _shape(self, shape: Shape, value: str) -> list[str]:
        """Return the check of an object that is a Struct."""
        outer = self._scopes
        scopes = {symbol: self._name_lists() for symbol in shape.scope}
        self._scopes = outer | scopes
        body = [*_new_lists(scopes), *self._props(shape, value), *_name_checks(scopes)]
        self._scopes = outer
        return body

    def _props(self, shape: Shape, value: str) -> list[str]:
        body = []
        for prop in shape.props.values():
            place = f"{value}.{prop.name}"
            if shape.base is not None and prop.required and not shape.base.props[prop.name].required:
                body.append(f"if {place} is UNSET: return False")
            body += self._prop(prop, place)
        return body

    def _prop(self, prop: Prop, place: str) -> list[str]:
        member = self._variable(prop.name)
        body = self._kind(prop.kind, member)
        for symbol, position in ((prop.defines, 0), (prop.uses, 1)):
            if symbol is not None:
                body.append(f"{self._names(symbol)[position]}.append({member})")
        if not prop.required:
            body = _block(f"if {member} is not UNSET:", body)
        if not body:
            return []
        return [f"{member} = {place}", *body]

    def _kind(self, kind: Kind, value: str) -> list[str]:
        if isinstance(kind, ObjectKind):
            return self._shape(kind.shape, value)
        if isinstance(kind, NodeKind):
            return self._node(kind, value)
        if isinstance(kind, ListKind):
            element = self._variable("element")
            return _block(f"for {element} in {value}:", self._kind(kind.items, element))
        test = kind.typed_test()
        if test is None:
            return []
        return [f"if not {self._constant('test', test)}({value}): return False"]

    def _node(self, kind: NodeKind, place: str) -> list[str]:
        body = []
        if kind.defines is not None:
            body.append(f"{self._names(kind.defines).defined}.append({place}.id)")
        shapes = self._types.merged[kind.shapes]
        node_type = self._variable("type")
        body.append(f"{node_type} = {place}.type")
        for shape in shapes:
            branch = [*_field_checks(shapes, shape, place), *self._shape(shape, place)]
            body += _block(f"if {node_type} == {shape.name!r}:", branch)
        return body

    def _names(self, symbol: Symbol) -> _NameLists:
        if symbol in self._scopes:
            return self._scopes[symbol]
        if symbol not in self._document:
            self._document[symbol] = self._name_lists()
        return self._document[symbol]

    def _name_lists(self) -> _NameLists:
        return _NameLists(self._variable("defined"), self._variable("used"))


def _block(head: str, body: Sequence[str]) -> list[str]:
    """Return `head` and the indented lines of `body`; no lines if `body` is empty."""
    if not body:
        return []
    return [head, *[f"    {line}" for line in body]]


def _field_checks(shapes: Sequence[Shape], shape: Shape, node: str) -> list[str]:
    """Return what a merged Struct does not check: required fields, and fields of other shapes."""
    missing = [name for name in shape.required if not all(name in sibling.required for sibling in shapes)]
    foreign = dict.fromkeys(name for sibling in shapes for name in sibling.props if name not in shape.props)
    conditions = [f"{node}.{name} is UNSET" for name in missing] + [f"{node}.{name} is not UNSET" for name in foreign]
    if not conditions:
        return []
    return [f"if {' or '.join(conditions)}: return False"]


def _new_lists(scopes: dict[Symbol, _NameLists]) -> list[str]:
    return [f"{names} = []" for lists in scopes.values() for names in lists]


def _name_checks(scopes: dict[Symbol, _NameLists]) -> list[str]:
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
