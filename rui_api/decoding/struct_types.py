"""Makes a msgspec Struct of each shape.

A shape that tightens another one is read as that shape; `check_codegen` tests what it requires in addition. An open
shape is read as a Struct of its declared properties; objects with further ones are left to the validator.
"""

from collections.abc import Sequence
from contextlib import suppress
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from rui_common.vocabulary.kinds import ListKind, NodeKind, ObjectKind
from rui_common.vocabulary.schema import Kind, Prop, ScalarType, Shape

Annotation = Any  # what msgspec accepts as the type of a value
Field = tuple[Prop, Annotation, bool]  # A property, its type, and whether it is required

MAX_EXACT_INTEGER = 2**53
"""Up to here a double represents every integer, so that all readers and RFC 8785 agree on its digits."""

_EXACT_INTEGER: Annotation = Annotated[int, msgspec.Meta(ge=-MAX_EXACT_INTEGER, le=MAX_EXACT_INTEGER)]


class UnsupportedError(Exception):
    """No Struct can represent a declaration: the validator has to read it."""


class StructTypes:
    """Creates the Structs of one vocabulary."""

    def __init__(self) -> None:
        self._structs: dict[Shape, Annotation] = {}
        self._unfinished: set[tuple[Shape, ...]] = set()
        # by the shapes of the nodes at a place, those of them that their common Struct represents
        self.merged: dict[tuple[Shape, ...], tuple[Shape, ...]] = {}

    def struct(self, shape: Shape) -> Annotation:
        """Return the type of objects of a shape. Raises `UnsupportedError` if there is none."""
        shape = shape.base or shape
        if self._structs.get(shape, ...) is None:  # it contains itself
            raise UnsupportedError
        if shape not in self._structs:
            self._structs[shape] = None
            fields: list[Field] = [(prop, self._annotation(prop.kind), prop.required) for prop in shape.props.values()]
            fields += [(prop, _unchecked_annotation(prop.kind), False) for prop in shape.suggested.values()]
            self._structs[shape] = _define(shape.name, fields)
        return self._structs[shape]

    def _annotation(self, kind: Kind) -> Annotation:
        if kind.scalar_type is not None:
            return _scalar(kind.scalar_type)
        if isinstance(kind, ObjectKind):
            return self.struct(kind.shape)
        if isinstance(kind, ListKind):
            length = msgspec.Meta(min_length=kind.at_least, max_length=kind.at_most)
            return Annotated[list[self._annotation(kind.items)], length]  # type: ignore[misc]
        if isinstance(kind, NodeKind):
            return self._node(kind.shapes)
        raise UnsupportedError

    def _node(self, shapes: tuple[Shape, ...]) -> Annotation:
        """Return one Struct for nodes of all shapes that it can represent; the validator reads the others.

        msgspec's tagged unions write the tag first, but the normal form begins with the id.
        """
        if shapes in self._unfinished:
            raise UnsupportedError
        self._unfinished.add(shapes)
        merged: tuple[Shape, ...] = ()
        fields: list[Field] = []
        for shape in shapes:
            with suppress(UnsupportedError, CycleError):
                fields = self._common_fields((*merged, shape))
                merged = (*merged, shape)
        self._unfinished.remove(shapes)
        if not merged:
            raise UnsupportedError
        self.merged[shapes] = merged
        return _define("".join(shape.name for shape in merged), fields)

    def _common_fields(self, shapes: Sequence[Shape]) -> list[Field]:
        """Return the fields of nodes of several shapes, in an order that each of the shapes has.

        Raises:
            CycleError: there is no such order.
            UnsupportedError: a shape is no strict node, or the types of one property differ.
        """
        graph = TopologicalSorter[str]()
        for shape in shapes:
            if shape.open or not {"id", "type"} <= {*shape.required}:
                raise UnsupportedError
            for before, name in pairwise(shape.props):
                graph.add(name, before)
        fields = []
        for name in graph.static_order():
            props = [shape.props[name] for shape in shapes if name in shape.props]
            annotation, *annotations = [self._annotation(prop.kind) for prop in props]
            if name == "type":
                annotation = Literal[tuple(shape.name for shape in shapes)]
            elif any(other != annotation for other in annotations):
                raise UnsupportedError
            fields.append((props[0], annotation, all(name in shape.required for shape in shapes)))
        return fields


def _unchecked_annotation(kind: Kind) -> Annotation:
    """Return the usual type of a suggested property. Other values are valid too, but are not decoded here.

    The properties of unchecked objects are sorted, as in the normal form.
    """
    if kind.scalar_type is not None:
        return _scalar(ScalarType(kind.scalar_type.python_type))
    if isinstance(kind, ListKind):
        return list[_unchecked_annotation(kind.items)]  # type: ignore[misc]
    if not isinstance(kind, ObjectKind):
        raise UnsupportedError
    props = sorted(kind.shape.all_props, key=lambda prop: prop.name)
    return _define(kind.shape.name, [(prop, _unchecked_annotation(prop.kind), False) for prop in props])


def _scalar(scalar: ScalarType) -> Annotation:
    """Return the type of a scalar. The validator reads fractions: nothing checks here how they are written."""
    if scalar.values:
        return Literal[scalar.values]
    if scalar.python_type is float:
        return _EXACT_INTEGER
    constraints: dict[str, Any] = dict(scalar.constraints)
    if scalar.python_type is int:
        constraints.setdefault("ge", -MAX_EXACT_INTEGER)
        constraints.setdefault("le", MAX_EXACT_INTEGER)
    return Annotated[scalar.python_type, msgspec.Meta(**constraints)]


def _define(name: str, fields: Sequence[Field]) -> Annotation:
    if not all(prop.name.isidentifier() for prop, _, _ in fields):
        raise UnsupportedError
    definitions = [
        (prop.name, annotation) if is_required else (prop.name, annotation | UnsetType, UNSET)
        for prop, annotation, is_required in fields
    ]
    return msgspec.defstruct(name, definitions, gc=False, kw_only=True, forbid_unknown_fields=True)
