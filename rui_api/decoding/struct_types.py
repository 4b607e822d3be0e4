"""Shape → msgspec Struct.

A field has the name of its property where that is an identifier. A shape that tightens another one is read as that
shape; the generated check (`check_codegen`) tests what the tightened shape requires in addition. An open shape is read
as a Struct of its declared properties, or as a dictionary, which may have further ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise
from keyword import iskeyword
from operator import or_
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from rui_api.decoding.open_objects import MAX_EXACT_INTEGER
from rui_common.vocabulary.kinds import ListKind, NodeKind, ObjectKind
from rui_common.vocabulary.schema import Kind, Prop, ScalarType, Shape

Annotation = Any
"""What msgspec accepts as the type of a value."""
Field = tuple[Prop, Annotation, bool]
"""A property, its type, and whether it is required."""

_EXACT_INTEGER: Annotation = Annotated[int, msgspec.Meta(ge=-MAX_EXACT_INTEGER, le=MAX_EXACT_INTEGER)]

_OPEN_OBJECT: Annotation = dict[str, str | _EXACT_INTEGER | float | bool | list[Any] | dict[str, Any] | None]
"""The type of objects of open shapes. `open_objects` checks what arrays and objects in them contain."""


class UnsupportedVocabularyError(Exception):
    """The vocabulary contains a declaration that no Struct can represent."""


def field_name(prop: Prop) -> str:
    """Return the name of the Struct field of a property."""
    if prop.name.isidentifier() and not iskeyword(prop.name):
        return prop.name
    return f"field_{prop.name.encode().hex()}"


class StructTypes:
    """Creates the Structs of one vocabulary.

    Args:
        has_further: whether open shapes are read as dictionaries.

    Attributes:
        open_object: the type of objects of open shapes, or None if they are read as Structs.
        untyped: properties of merged nodes whose kinds differ: their Struct does not check the constraints.
    """

    def __init__(self, *, has_further: bool) -> None:
        self.open_object = _OPEN_OBJECT if has_further else None
        self._structs: dict[Shape, Annotation] = {}
        self.untyped: set[Prop] = set()

    def struct(self, shape: Shape) -> Annotation:
        """Return the Struct of a shape.

        Raises:
            UnsupportedVocabularyError: there is none.
        """
        shape = shape.base or shape
        if shape.open and self.open_object is not None:
            return self.open_object
        if shape not in self._structs:
            self._structs[shape] = None
            fields: list[Field] = [(one, self._annotation(one.kind), one.required) for one in shape.props.values()]
            fields += [(one, self._unchecked_annotation(one.kind), False) for one in shape.suggested.values()]
            self._structs[shape] = _define(shape.name, fields)
        if self._structs[shape] is None:
            raise UnsupportedVocabularyError(f"{shape.name} contains itself.")
        return self._structs[shape]

    def _annotation(self, kind: Kind) -> Annotation:
        if kind.scalar_type is not None:
            return _scalar(kind.scalar_type)
        if isinstance(kind, ObjectKind):
            return self.struct(kind.shape)
        if isinstance(kind, ListKind):
            return Annotated[list[self._annotation(kind.items)], msgspec.Meta(min_length=1)]  # type: ignore[misc]
        if isinstance(kind, NodeKind):
            return self._node(kind.shapes)
        raise UnsupportedVocabularyError(f"No type for values of {kind.notation()}.")

    def _unchecked_annotation(self, kind: Kind) -> Annotation:
        """Return the usual type of a suggested property. Other values are valid too, but are not decoded here.

        The properties of unchecked objects are sorted, as in the normal form.
        """
        if kind.scalar_type is not None:
            python_type = kind.scalar_type.python_type
            # Nothing checks how a fraction is written here, so the validator reads it.
            return _scalar(ScalarType(int if python_type is float else python_type))
        if isinstance(kind, ListKind):
            return list[self._unchecked_annotation(kind.items)]  # type: ignore[misc]
        if not isinstance(kind, ObjectKind):
            raise UnsupportedVocabularyError(f"No type for unchecked values of {kind.notation()}.")
        shape = kind.shape
        props = sorted((*shape.props.values(), *shape.suggested.values()), key=lambda prop: prop.name)
        return _define(shape.name, [(prop, self._unchecked_annotation(prop.kind), False) for prop in props])

    def _node(self, shapes: Sequence[Shape]) -> Annotation:
        """Return one Struct for nodes of these shapes, with the fields of all of them.

        msgspec's tagged unions write the tag first, but the normal form begins with the id.
        """
        if len(shapes) == 1:
            return self.struct(shapes[0])
        names = " | ".join(shape.name for shape in shapes)
        graph = TopologicalSorter[str]()
        for shape in shapes:
            for before, name in pairwise(shape.props):
                graph.add(name, before)
        try:
            order = tuple(graph.static_order())
        except CycleError:
            raise UnsupportedVocabularyError(f"The properties of {names} have no common order.") from None
        if any(shape.open or "type" not in shape.props for shape in shapes):
            raise UnsupportedVocabularyError(f"One of {names} is open or has no type.")
        fields = []
        for name in order:
            props = [shape.props[name] for shape in shapes if name in shape.props]
            is_required = len(props) == len(shapes) and all(prop.required for prop in props)
            if name == "type":
                annotation: Annotation = Literal[tuple(shape.name for shape in shapes)]
            else:
                annotation = self._common_annotation(props)
            fields.append((props[0], annotation, is_required))
        return _define("".join(shape.name for shape in shapes), fields)

    def _common_annotation(self, props: Sequence[Prop]) -> Annotation:
        """Return a type for all of several properties of one name."""
        annotations = [self._annotation(prop.kind) for prop in props]
        if all(annotation == annotations[0] for annotation in annotations):
            return annotations[0]
        scalars = [prop.kind.scalar_type for prop in props if prop.kind.scalar_type is not None]
        if len(scalars) < len(props):
            raise UnsupportedVocabularyError(f'The kinds of "{props[0].name}" differ and are not all scalars.')
        self.untyped.update(props)
        return reduce(or_, {_scalar(ScalarType(scalar.python_type)) for scalar in scalars})


def _scalar(scalar: ScalarType) -> Annotation:
    if scalar.values:
        return Literal[scalar.values]
    if scalar.python_type is float:
        return _EXACT_INTEGER | float  # `check_codegen` tests the constraints
    constraints: dict[str, Any] = dict(scalar.constraints)
    if scalar.python_type is int:
        constraints.setdefault("ge", -MAX_EXACT_INTEGER)
        constraints.setdefault("le", MAX_EXACT_INTEGER)
    if not constraints:
        return scalar.python_type
    return Annotated[scalar.python_type, msgspec.Meta(**constraints)]


def _define(name: str, fields: Sequence[Field]) -> Annotation:
    definitions = [
        (field_name(prop), annotation) if is_required else (field_name(prop), annotation | UnsetType, UNSET)
        for prop, annotation, is_required in fields
    ]
    rename = {field_name(prop): prop.name for prop, _, _ in fields}
    return msgspec.defstruct(name, definitions, rename=rename, gc=False, kw_only=True, forbid_unknown_fields=True)
