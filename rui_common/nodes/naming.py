"""What people call an object: one answer for fixes, comparison, merge, editor and inspector."""

import re
from collections.abc import Mapping
from functools import cache

from rui_common.vocabulary.schema import Prop, Role, Shape


@cache
def _texts(shape: Shape) -> tuple[Prop, ...]:
    """Return the properties whose text people read, labels first; a description is none."""
    return tuple(prop for role in (Role.LABEL, Role.CONTENT) for prop in shape.props_with_role(role))


@cache
def _names(shape: Shape) -> tuple[str, ...]:
    """Return the properties that name an object: the key of a column, the id of a node; else the first text."""
    named = [prop.name for prop in shape.all_props if prop.defines is not None or prop.uses is not None]
    texts = [prop.name for prop in shape.all_props if prop.kind.json_type == "string" and not prop.kind.values]
    return tuple(named or texts[:1])


def text_of(members: Mapping[str, object], shape: Shape | None) -> str:
    """Return the text by which people know an object, on one line: its label, or its content; ``""`` without one."""
    for prop in () if shape is None else _texts(shape):
        text = members.get(prop.name)
        if isinstance(text, str) and text.strip():
            return " ".join(text.split())
    return ""


def own_name_of(members: Mapping[str, object], shape: Shape | None) -> str:
    """Return the name that an object defines or uses, its first text, or its id; ``""`` without one."""
    for key in (*(() if shape is None else _names(shape)), "id"):
        text = members.get(key)
        if isinstance(text, str) and text.strip():
            return text
    return ""


def name_of(members: Mapping[str, object], shape: Shape | None) -> str:
    """Return what people call an object: its text, or else its own name; ``""`` without one."""
    return text_of(members, shape) or own_name_of(members, shape)


def noun_of(shape: Shape | None) -> str:
    """Return what an object is, in words: ``navigation item``."""
    return "element" if shape is None else re.sub(r"(?<=[a-z])(?=[A-Z])", " ", shape.name).lower()
