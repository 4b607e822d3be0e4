"""The bindings of a document: what each block requests and shows, by the roles in the vocabulary."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import NamedTuple

from rui_common.json_values import as_list, as_object
from rui_common.syntax.paths import Path
from rui_common.vocabulary.kinds import ListKind, ObjectKind
from rui_common.vocabulary.lookup import shape_of
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_common.vocabulary.schema import (
    ENDPOINT,
    FIELD,
    OPTION,
    SELECT,
    JsonForm,
    Kind,
    Prop,
    Shape,
)


class Text(NamedTuple):
    """A text of a document; a placeholder is the one of its property, which the author has not set yet."""

    value: str
    path: Path
    is_placeholder: bool = False


class Field(NamedTuple):
    """A property of each row that a block shows; its attributes are those of `Binding`."""

    name: Text
    shown_as: Text | None
    forms: Mapping[str, JsonForm]
    label: str


class Options(NamedTuple):
    """Values that one field of the rows is compared with."""

    field: str
    values: tuple[Text, ...]


class Binding(NamedTuple):
    """What a block requests and shows.

    Attributes:
        path: the path of the object with the request.
        endpoint: the path of the request.
        select: the value path; None if there is none.
        select_path: the path that the value path has, or would have.
        is_value: whether the block shows one value.
        is_list: whether it shows the rows of a list.
        shown_as: the type that the one value is shown as, or None.
        forms: type → what the one value may be, so that it can be shown as that type.
        fields: the properties of the rows that are shown.
        options: the values for filters.
        label: the title of the block on the screen, or ``""``.
    """

    path: Path
    endpoint: Text
    select: Text | None
    select_path: Path
    is_value: bool
    is_list: bool
    shown_as: Text | None
    forms: Mapping[str, JsonForm]
    fields: tuple[Field, ...]
    options: tuple[Options, ...]
    label: str

    @property
    def value_path(self) -> str:
        """The value path; ``""`` for the whole response."""
        if self.select is None:
            return ""
        return self.select.value


class FieldList(NamedTuple):
    """A property with a list of objects, their shape, and their property with the name of a field of the rows."""

    prop: Prop
    shape: Shape
    key: Prop


class OptionList(NamedTuple):
    """A property with an object that has values for one field of the rows."""

    prop: Prop
    field: Prop
    options: Prop
    value: Prop


class BlockPlan(NamedTuple):
    """The properties of a shape that request data; `endpoint` and `select` are those of the request."""

    request: Prop
    endpoint: Prop
    select: Prop | None
    fields: FieldList | None
    options: tuple[OptionList, ...]


def bindings_of(value: object) -> list[Binding]:
    """Return the bindings of a document, without those whose path is malformed or absent."""
    return list(_bindings_in(value, ObjectKind(VOCABULARY.root), ()))


def _bindings_in(value: object, kind: Kind, path: Path) -> Iterator[Binding]:
    if isinstance(kind, ListKind):
        for index, inner in enumerate(as_list(value)):
            yield from _bindings_in(inner, kind.items, (*path, index))
        return
    shape = shape_of(value, kind)
    if shape is None or not isinstance(value, dict):
        return
    plan = plan_of(shape)
    binding = None if plan is None else _binding(value, shape, plan, path)
    if binding is not None:
        yield binding
    for name, prop in shape.props.items():
        if name in value and prop.kind.inner_shapes:
            yield from _bindings_in(value[name], prop.kind, (*path, name))


@cache
def plan_of(shape: Shape) -> BlockPlan | None:
    """Return the properties of a shape that request data; None if there are none."""
    for prop in shape.props.values():
        endpoint = _with_role(prop, ENDPOINT)
        if endpoint is not None:
            fields = _field_list(shape)
            options = () if fields is None else tuple(_option_lists(shape, fields))
            return BlockPlan(prop, endpoint, _with_role(prop, SELECT), fields, options)
    return None


def _with_role(prop: Prop, role: str) -> Prop | None:
    if not isinstance(prop.kind, ObjectKind):
        return None
    return next(iter(prop.kind.shape.props_with_role(role)), None)


def _field_list(shape: Shape) -> FieldList | None:
    for prop in shape.props.values():
        if isinstance(prop.kind, ListKind) and isinstance(prop.kind.items, ObjectKind):
            inner = prop.kind.items.shape
            for key in inner.props_with_role(FIELD):
                return FieldList(prop, inner, key)
    return None


def _option_lists(shape: Shape, fields: FieldList) -> Iterator[OptionList]:
    for prop in shape.props.values():
        if not isinstance(prop.kind, ObjectKind):
            continue
        inner = prop.kind.shape
        uses = [use for use in inner.props.values() if use.uses is not None and use.uses is fields.key.defines]
        for options in (*inner.props.values(), *inner.suggested.values()):
            if uses and isinstance(options.kind, ListKind) and isinstance(options.kind.items, ObjectKind):
                for value in options.kind.items.shape.props_with_role(OPTION):
                    yield OptionList(prop, uses[0], options, value)


def _binding(value: dict[str, object], shape: Shape, plan: BlockPlan, path: Path) -> Binding | None:
    request = value.get(plan.request.name)
    if not isinstance(request, dict):
        return None
    request_path = (*path, plan.request.name)
    endpoint = text_of(request, plan.endpoint, request_path)
    if endpoint is None:
        return None
    select = None
    select_path = request_path
    if plan.select is not None:
        select_path = (*request_path, plan.select.name)
        select = text_of(request, plan.select, request_path)
        if select is None and select_path[-1] in request:
            return None  # the value path is malformed, which is an error of its own
    shown_as, forms = _shown_as(value, shape, path)
    fields = () if plan.fields is None else tuple(_fields(value, plan.fields, path))
    return Binding(
        request_path, endpoint, select, select_path, shape.wireframe is not None, plan.fields is not None,
        shown_as, forms, fields, tuple(_options(value, plan, path)), _label(value, shape),
    )  # fmt: skip


def _fields(value: dict[str, object], fields: FieldList, path: Path) -> Iterator[Field]:
    for index, element in enumerate(as_list(value.get(fields.prop.name))):
        element_path = (*path, fields.prop.name, index)
        name = text_of(as_object(element), fields.key, element_path)
        if name is not None:
            shown_as, forms = _shown_as(as_object(element), fields.shape, element_path)
            yield Field(name, shown_as, forms, _label(as_object(element), fields.shape))


def _options(value: dict[str, object], plan: BlockPlan, path: Path) -> Iterator[Options]:
    for found in plan.options:
        owner = value.get(found.prop.name)
        if not isinstance(owner, dict):
            continue
        field = owner.get(found.field.name)
        values = []
        for index, element in enumerate(as_list(owner.get(found.options.name))):
            text = as_object(element).get(found.value.name)
            if isinstance(text, str):
                values.append(Text(text, (*path, found.prop.name, found.options.name, index, found.value.name)))
        if isinstance(field, str) and values:
            yield Options(field, tuple(values))


def _shown_as(value: dict[str, object], shape: Shape, path: Path) -> tuple[Text | None, Mapping[str, JsonForm]]:
    """Return how an object shows its one value, and what that may be for each type."""
    if shape.wireframe is None:
        return None, {}
    name = shape.wireframe.prop
    chosen = value.get(name)
    if not isinstance(chosen, str) or chosen not in shape.wireframe.forms:
        return None, shape.wireframe.forms
    return Text(chosen, (*path, name)), shape.wireframe.forms


def _label(value: dict[str, object], shape: Shape) -> str:
    """Return the first title of an object, or ``""``."""
    for prop in shape.labels:
        text = value.get(prop.name)
        if isinstance(text, str) and text.strip():
            return text.strip()
    return ""


def text_of(value: dict[str, object], prop: Prop, path: Path) -> Text | None:
    """Return a property if it is a well-formed text."""
    text = value.get(prop.name)
    if not isinstance(text, str) or not prop.kind.accepts(text):
        return None
    return Text(text, (*path, prop.name), text == prop.placeholder)
