"""The part of a request at a path of a document, by the roles in the vocabulary; blocks may be incomplete."""

from __future__ import annotations

from enum import Enum, auto
from typing import NamedTuple

from rui_common.json_values import as_list
from rui_common.syntax.paths import Path, value_at
from rui_common.vocabulary.lookup import schema_location, shape_of
from rui_common.vocabulary.schema import Prop, Shape
from rui_openapi.bindings import BlockPlan, FieldList, plan_of, text_of
from rui_openapi.description.api import Api
from rui_openapi.description.operations import Operation
from rui_openapi.description.schemas import Facts


class Part(Enum):
    """The parts of a block that an API describes."""

    ENDPOINT = auto()
    SELECT = auto()
    FIELD_LIST = auto()
    FIELD = auto()
    OPTION = auto()


class Slot(NamedTuple):
    """A part of a block.

    Attributes:
        part: which one.
        block: the block.
        block_path: its path.
        shape: its shape.
        plan: the properties with the request.
        fields: the list of fields that the part is in, or None.
        field_list: the path of that list.
        option_of: the name of the field that an option belongs to, or ``""``.
    """

    part: Part
    block: dict[str, object]
    block_path: Path
    shape: Shape
    plan: BlockPlan
    fields: FieldList | None = None
    field_list: Path = ()
    option_of: str = ""

    @property
    def owner(self) -> Shape:
        """The shape of the object that has the part as a property."""
        if self.part is Part.FIELD and self.fields is not None:
            return self.fields.shape
        if self.part in {Part.ENDPOINT, Part.SELECT}:
            return self.plan.request.kind.inner_shapes[0]
        return self.shape

    @property
    def shows_list(self) -> bool:
        """Whether the block shows the rows of a list, rather than one value."""
        return bool(self.plan.fields)

    @property
    def endpoint(self) -> str | None:
        """The path of the request, or None."""
        return self._request_text(self.plan.endpoint)

    @property
    def select(self) -> str:
        """The value path, or ``""``."""
        return self._request_text(self.plan.select) or ""

    def operation(self, api: Api) -> Operation | None:
        """Return the GET operation of the request, or None."""
        endpoint = self.endpoint
        if endpoint is None:
            return None
        found = api.find(endpoint)
        if found is None or not found[0].is_readable or found[1]:
            return None
        return found[0]

    def row(self, api: Api) -> Facts | None:
        """Return the known properties of the rows that the block shows; None if they are too few."""
        operation = self.operation(api)
        if operation is None:
            return None
        facts = api.place(operation, self.select).facts
        if facts is None or not facts.may_be_list:
            return None
        row = api.row(facts)
        if not row.properties:
            return None
        return row

    def field_names(self) -> list[str]:
        """Return the fields that the block has already."""
        if self.fields is None:
            return []
        elements = as_list(self.block.get(self.fields.prop.name))
        objects = [element for element in elements if isinstance(element, dict)]
        names = [element.get(self.fields.key.name) for element in objects]
        return [name for name in names if isinstance(name, str)]

    def _request_text(self, prop: Prop | None) -> str | None:
        """Return the text of a property of the request, or None."""
        request = self.block.get(self.plan.request.name)
        if prop is None or not isinstance(request, dict):
            return None
        text = text_of(request, prop, ())
        if text is None:
            return None
        return text.value


def slot_at(value: object, path: Path) -> Slot | None:
    """Return the part of a block at a path, whose property may be absent; None if the path is of no part."""
    for size in range(len(path), -1, -1):
        location = schema_location(value, path[:size])
        block = value_at(value, path[:size])
        if location is None:
            continue
        shape = shape_of(block, location.kind)
        if shape is None or not isinstance(block, dict):
            continue
        plan = plan_of(shape)
        if plan is not None:
            return _slot_in(block, path[:size], shape, plan, path[size:])
    return None


def _slot_in(block: dict[str, object], block_path: Path, shape: Shape, plan: BlockPlan, rest: Path) -> Slot | None:
    if rest[:1] == (plan.request.name,) and len(rest) == 2:
        return _request_slot(block, block_path, shape, plan, rest)
    for fields in plan.fields:
        if rest[:1] == (fields.prop.name,):
            return _field_slot(block, block_path, shape, plan, rest, fields)
    for options in plan.options:
        owner = block.get(options.prop.name)
        names = (options.prop.name, options.options.name, options.value.name)
        if isinstance(owner, dict) and (*rest[:2], *rest[3:]) == names:
            option_of = str(owner.get(options.field.name, ""))
            fields = plan.fields[0]
            field_list = (*block_path, fields.prop.name)
            return Slot(Part.OPTION, block, block_path, shape, plan, fields, field_list, option_of)
    return None


def _request_slot(block: dict[str, object], block_path: Path, shape: Shape, plan: BlockPlan, rest: Path) -> Slot | None:
    request = block.get(str(rest[0]))
    if not isinstance(request, dict):
        return None
    if rest[1] == plan.endpoint.name:
        return Slot(Part.ENDPOINT, block, block_path, shape, plan)
    if plan.select is not None and rest[1] == plan.select.name:
        return Slot(Part.SELECT, block, block_path, shape, plan)
    return None


def _field_slot(
    block: dict[str, object], block_path: Path, shape: Shape, plan: BlockPlan, rest: Path, fields: FieldList
) -> Slot | None:
    field_list = (*block_path, rest[0])
    if len(rest) <= 2:
        return Slot(Part.FIELD_LIST, block, block_path, shape, plan, fields, field_list)
    element = value_at(block, rest[:2])
    if len(rest) == 3 and isinstance(element, dict) and rest[2] == fields.key.name:
        return Slot(Part.FIELD, block, block_path, shape, plan, fields, field_list)
    return None
