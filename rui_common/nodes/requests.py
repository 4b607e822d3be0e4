"""What an object requests: one answer for nodes, completion and the inspector."""

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from rui_common.syntax.paths import text_at
from rui_common.vocabulary.kinds import ObjectKind
from rui_common.vocabulary.schema import Role, Shape


class Request(NamedTuple):
    """The request that fetches the data of an object; `select` is the path in the response, ``""`` for all of it."""

    method: str
    path: str
    select: str


class RequestProps(NamedTuple):
    """The names of the properties that form a request; ``""`` for one that the shape does not have."""

    method: str
    endpoint: str
    select: str


@cache
def request_props(shape: Shape) -> RequestProps | None:
    """Return the properties that form a request in objects of this shape; None if it has none."""
    names = []
    for role in (Role.METHOD, Role.ENDPOINT, Role.SELECT):
        props = shape.props_with_role(role)
        names.append(props[0].name if props else "")
    found = RequestProps(*names)
    if found.method and found.endpoint:
        return found
    return None


@cache
def requests_in(shape: Shape) -> tuple[tuple[str, RequestProps], ...]:
    """Return the properties of a shape that hold a request, each with the names of the properties in it."""
    inner = [(prop.name, prop.kind.shape) for prop in shape.props.values() if isinstance(prop.kind, ObjectKind)]
    found = [(name, request_props(inner_shape)) for name, inner_shape in inner]
    return tuple((name, names) for name, names in found if names is not None)


def request_of(value: object, names: RequestProps) -> Request | None:
    """Return the request in an object whose properties have these names; None if method or path is missing."""
    method = text_at(value, names.method)
    path = text_at(value, names.endpoint)
    if method and path:
        return Request(method, path, text_at(value, names.select))
    return None


def requests_of(members: Mapping[str, object], shape: Shape | None) -> list[Request]:
    """Return the requests in the properties of an object: what a block reads."""
    found = [request_of(members.get(name), names) for name, names in (() if shape is None else requests_in(shape))]
    return [request for request in found if request is not None]
