"""The blocks of a document that request data: what each requests and shows, by the roles in the vocabulary."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import NamedTuple

from rui_common.json_values import as_list, as_object
from rui_common.syntax.paths import Path
from rui_common.vocabulary.kinds import ListKind, ObjectKind
from rui_common.vocabulary.lookup import shape_of
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_common.vocabulary.schema import ENDPOINT, FIELD, OPTION, SELECT, JsonForm, Kind, Prop, Shape
from rui_openapi.description.api import Api
from rui_openapi.description.operations import Operation
from rui_openapi.description.schemas import Facts


class Text(NamedTuple):
    """A text of a document; a placeholder is the one of its property, which the author has not set yet."""

    value: str
    path: Path
    is_placeholder: bool = False


class Shown(NamedTuple):
    """A value that a block shows.

    Attributes:
        name: the property of each row, or the value path.
        shown_as: the type that it is shown as, or None.
        forms: type → what a value may be, so that it can be shown as that type.
        label: its title on the screen, or ``""``.
    """

    name: Text
    shown_as: Text | None
    forms: Mapping[str, JsonForm]
    label: str

    @property
    def form(self) -> JsonForm | None:
        """What the value may be, or None."""
        if self.shown_as is None:
            return None
        return self.forms[self.shown_as.value]


class FieldList(NamedTuple):
    """A property with a list of objects, their shape, and their property with the name of a field."""

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
    select: Prop
    fields: FieldList | None
    options: list[OptionList]


@dataclass(eq=False)
class Block:
    """An object of a document that requests data; it may be incomplete."""

    value: dict[str, object]
    path: Path
    shape: Shape
    plan: BlockPlan

    @cached_property
    def endpoint(self) -> Text:
        """The path of the request; without a value if it is absent or malformed."""
        return self._request_text(self.plan.endpoint)

    @cached_property
    def select(self) -> Text:
        """The value path; ``""`` is the whole response."""
        return self._request_text(self.plan.select)

    @property
    def request_path(self) -> Path:
        """The path of the object with the request."""
        return (*self.path, self.plan.request.name)

    @property
    def field_list_path(self) -> Path:
        """The path of the list of fields."""
        if self.plan.fields is None:
            return self.path
        return (*self.path, self.plan.fields.prop.name)

    @property
    def is_complete(self) -> bool:
        """Whether the path of the request is well-formed, and the value path, too, if there is one."""
        request = as_object(self.value.get(self.plan.request.name))
        return bool(self.endpoint.value) and (bool(self.select.value) or self.select.path[-1] not in request)

    @property
    def shown(self) -> Shown | None:
        """The single value that the block shows, or None."""
        if self.shape.wireframe is None or self.plan.fields is not None:
            return None
        return _shown(self.select, self.value, self.shape, self.path)

    @cached_property
    def fields(self) -> list[Shown]:
        """The properties of the rows that the block shows."""
        fields = self.plan.fields
        found: list[Shown] = []
        if fields is None:
            return found
        for index, element in enumerate(as_list(self.value.get(fields.prop.name))):
            name = as_object(element).get(fields.key.name)
            if isinstance(name, str):
                path = (*self.field_list_path, index)
                text = Text(name, (*path, fields.key.name))
                found.append(_shown(text, as_object(element), fields.shape, path))
        return found

    @property
    def field_names(self) -> list[str]:
        """The names of those properties."""
        return [field.name.value for field in self.fields]

    @property
    def options(self) -> Iterator[tuple[str, Text]]:
        """The values that filters compare with a field, each after the name of the field."""
        for plan in self.plan.options:
            owner = as_object(self.value.get(plan.prop.name))
            field = owner.get(plan.field.name)
            for index, element in enumerate(as_list(owner.get(plan.options.name))):
                text = as_object(element).get(plan.value.name)
                if isinstance(field, str) and isinstance(text, str):
                    path = (*self.path, plan.prop.name, plan.options.name, index, plan.value.name)
                    yield field, Text(text, path)

    @property
    def label(self) -> str:
        """The title on the screen, or ``""``."""
        return _label(self.value, self.shape)

    def operation(self, api: Api) -> Operation | None:
        """Return the operation of the request, or None."""
        return api.operation(self.endpoint.value)

    def row(self, api: Api) -> Facts | None:
        """Return the known properties of the rows that the block shows; None if they are too few."""
        operation = self.operation(api)
        facts = None if operation is None else api.place(operation, self.select.value).facts
        if facts is None or not facts.may_be_list or not api.row(facts).properties:
            return None
        return api.row(facts)

    def values(self, api: Api) -> dict[str, Facts]:
        """Return the value paths that the block can show, each with what is known of its value."""
        operation = self.operation(api)
        if operation is None:
            return {}
        return {path: facts for path, facts in api.values_in(api.response(operation)) if self.shows(facts)}

    def shows(self, facts: Facts) -> bool:
        """Return whether the block can show a value: a list if it has a list of fields, else a single value."""
        fits = facts.may_be_scalar if self.plan.fields is None else facts.may_be_list
        return fits and not facts.is_unknown

    def _request_text(self, prop: Prop) -> Text:
        text = as_object(self.value.get(self.plan.request.name)).get(prop.name)
        if not isinstance(text, str) or not prop.kind.accepts(text):
            text = ""
        return Text(text, (*self.request_path, prop.name), text == prop.placeholder)


def bindings_of(value: object) -> list[Block]:
    """Return the blocks of a document whose requests are complete."""
    return [block for block in _blocks_in(value, ObjectKind(VOCABULARY.root), ()) if block.is_complete]


def _blocks_in(value: object, kind: Kind, path: Path) -> Iterator[Block]:
    if isinstance(kind, ListKind):
        for index, inner in enumerate(as_list(value)):
            yield from _blocks_in(inner, kind.items, (*path, index))
        return
    shape = shape_of(value, kind)
    if shape is None or not isinstance(value, dict):
        return
    plan = plan_of(shape)
    if plan is not None:
        yield Block(value, path, shape, plan)
    for name, prop in shape.props.items():
        if name in value and prop.kind.inner_shapes:
            yield from _blocks_in(value[name], prop.kind, (*path, name))


@cache
def plan_of(shape: Shape) -> BlockPlan | None:
    """Return the properties of a shape that request data; None if there are none."""
    for prop in shape.props.values():
        if isinstance(prop.kind, ObjectKind):
            roles = map(prop.kind.shape.props_with_role, (ENDPOINT, SELECT))
            for endpoint, select in zip(*roles, strict=True):
                fields = _field_list(shape)
                options = [] if fields is None else [*_option_lists(shape, fields)]
                return BlockPlan(prop, endpoint, select, fields, options)
    return None


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


def _shown(name: Text, value: dict[str, object], shape: Shape, path: Path) -> Shown:
    """Return how an object shows its one value."""
    shown_as = None
    forms: Mapping[str, JsonForm] = {}
    if shape.wireframe is not None:
        forms = shape.wireframe.forms
        chosen = value.get(shape.wireframe.prop)
        if isinstance(chosen, str) and chosen in forms:
            shown_as = Text(chosen, (*path, shape.wireframe.prop))
    return Shown(name, shown_as, forms, _label(value, shape))


def _label(value: dict[str, object], shape: Shape) -> str:
    """Return the first title of an object, or ``""``."""
    texts = [value.get(prop.name) for prop in shape.labels]
    return next((text.strip() for text in texts if isinstance(text, str) and text.strip()), "")
