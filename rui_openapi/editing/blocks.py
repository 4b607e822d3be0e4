"""The block around a path of a document, and the part of its request at the path; blocks may be incomplete."""

from __future__ import annotations

from enum import Enum, auto
from typing import NamedTuple

from rui_common.json_values import as_object
from rui_common.syntax.paths import Path, value_at
from rui_common.vocabulary.lookup import schema_location, shape_of
from rui_openapi.bindings import Block, plan_of


class Part(Enum):
    """The parts of a block that an API describes."""

    ENDPOINT = auto()
    SELECT = auto()
    FIELD_LIST = auto()
    FIELD = auto()
    OPTION = auto()


class BlockPart(NamedTuple):
    """A part of a block; `option_of` is the name of the field that an option belongs to, or ``""``."""

    part: Part
    block: Block
    option_of: str = ""


def block_at(value: object, path: Path) -> Block | None:
    """Return the innermost block with a request around a path, or None."""
    for size in range(len(path), -1, -1):
        location = schema_location(value, path[:size])
        block = value_at(value, path[:size])
        shape = None if location is None else shape_of(block, location.kind)
        plan = None if shape is None else plan_of(shape)
        if shape is not None and plan is not None and isinstance(block, dict):
            return Block(block, path[:size], shape, plan)
    return None


def part_at(value: object, path: Path) -> BlockPart | None:
    """Return the part of a block at a path, whose property may be absent; None if the path is of no part."""
    block = block_at(value, path)
    if block is None:
        return None
    for part, text in ((Part.ENDPOINT, block.endpoint), (Part.SELECT, block.select)):
        if path == text.path:
            return BlockPart(part, block)
    rest = path[len(block.path) :]
    fields = block.plan.fields
    if fields is not None and rest[:1] == (fields.prop.name,):
        if len(rest) <= 2:
            return BlockPart(Part.FIELD_LIST, block)
        if rest[2:] == (fields.key.name,):
            return BlockPart(Part.FIELD, block)
    for options in block.plan.options:
        if (*rest[:2], *rest[3:]) == (options.prop.name, options.options.name, options.value.name):
            owner = as_object(block.value.get(options.prop.name))
            return BlockPart(Part.OPTION, block, str(owner.get(options.field.name, "")))
    return None
