"""The operations of an OpenAPI description: their paths, and the schemas of their responses."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple
from urllib.parse import urlsplit

from rui_common.json_values import as_list, as_object
from rui_openapi.errors import OpenApiError
from rui_openapi.reading.references import Located, References

READ_METHOD = "get"
OTHER_METHODS = ("post", "put", "patch", "delete", "head", "options", "trace", "query")

_JSON_MEDIA = re.compile(r"(application|text)/([\w.+-]+\+)?json|\*/\*|application/\*")
_VERSION = re.compile(r"3\.\d+(\.\d+)?(-.*)?")


class Operation(NamedTuple):
    """What is at one path template.

    Attributes:
        path: the template.
        is_readable: whether there is a GET operation.
        others: the other methods, in upper case.
        summary: what the GET operation does, in a phrase, or ``""``.
        doc: its description, or ``""``.
        schema: the schema of its successful JSON response, or None.
        bases: the paths of its servers, such as ``/v1`` or ``""``.
        integers: the names of its parameters that are integers.
        with_slashes: the names of its parameters that may contain slashes.
        located: the GET operation itself; None in a copy in another process.
    """

    path: str
    is_readable: bool
    others: tuple[str, ...]
    summary: str
    doc: str
    schema: Located | None
    bases: tuple[str, ...]
    integers: frozenset[str]
    with_slashes: frozenset[str]
    located: Located | None


def read_operations(name: str, references: References) -> Iterator[Operation]:
    """Yield the operations of a description, in the order of the file.

    Raises:
        OpenApiError: the file is no description that this package reads.
    """
    root = references.root
    _check_version(name, root.value)
    paths = root.value.get("paths")
    bases = _bases(root.value.get("servers")) or ("",)
    for template, item in as_object(paths).items():
        if not isinstance(template, str) or not template.startswith("/"):
            continue
        located = references.resolve(root._replace(value=item))
        if located is not None and isinstance(located.value, dict):
            operation = _operation(template, located, bases, references)
            if operation is not None:
                yield operation


def _operation(template: str, item: Located, bases: tuple[str, ...], references: References) -> Operation | None:
    value = item.value.get(READ_METHOD)
    others = tuple(method.upper() for method in OTHER_METHODS if isinstance(item.value.get(method), dict))
    if not isinstance(value, dict):
        if not others:
            return None
        value = None
    get: dict[str, object] = value or {}
    located = None if value is None else item._replace(value=value)
    integers, with_slashes = _parameters(item, references)
    own = _bases(get.get("servers")) or _bases(item.value.get("servers")) or bases
    return Operation(
        template,
        value is not None,
        others,
        _first_text(get.get("summary"), get.get("operationId")),
        _first_text(get.get("description")),
        None if located is None else _response_schema(located, references),
        tuple(dict.fromkeys((*own, ""))),
        integers,
        with_slashes,
        located,
    )


def _first_text(*values: object) -> str:
    return next((value.strip() for value in values if isinstance(value, str)), "")


def _parameters(item: Located, references: References) -> tuple[frozenset[str], frozenset[str]]:
    """Return the parameters of a path that are integers, and those that may contain slashes."""
    integers = set()
    with_slashes = set()
    for parameter in _path_parameters(item, references):
        schema = parameter.get("schema")
        if isinstance(schema, dict) and schema.get("type") == "integer":
            integers.add(str(parameter.get("name")))
        if parameter.get("x-multi-segment") is True:
            with_slashes.add(str(parameter.get("name")))
    return frozenset(integers), frozenset(with_slashes)


def _path_parameters(item: Located, references: References) -> Iterator[dict[str, object]]:
    for owner in (item.value, item.value.get(READ_METHOD)):
        for parameter in as_list(as_object(owner).get("parameters")):
            located = references.resolve(item._replace(value=parameter))
            if located is not None and isinstance(located.value, dict) and located.value.get("in") == "path":
                yield located.value


def _response_schema(operation: Located, references: References) -> Located | None:
    responses = operation.value.get("responses")
    if not isinstance(responses, dict):
        return None
    for status in sorted(map(str, responses), key=lambda status: (status.upper() == "2XX", status)):
        if status[:1] != "2":
            continue
        value = responses.get(status)
        if value is None and status.isdecimal():
            value = responses.get(int(status))
        response = references.resolve(operation._replace(value=value))
        if response is None:
            continue
        schema = _json_schema(response)
        if schema is not None:
            return schema
    return None


def _check_version(path: str, value: object) -> None:
    """Raise OpenApiError if a value is no description that this package reads."""
    if not isinstance(value, dict):
        raise OpenApiError(f"cannot use {path}: it is no OpenAPI description; its root is no object")
    version = value.get("openapi")
    if "swagger" in value and version is None:
        raise OpenApiError(f"cannot use {path}: it is Swagger {value['swagger']}; convert it to OpenAPI 3.0 or 3.1")
    if not isinstance(version, str | float) or not _VERSION.fullmatch(str(version)):
        raise OpenApiError(f'cannot use {path}: it is no OpenAPI description; its root has no "openapi": "3.…"')


def _bases(servers: object) -> tuple[str, ...]:
    """Return the paths of servers without a slash at the end."""
    bases = []
    for server in map(as_object, as_list(servers)):
        url = server.get("url")
        if isinstance(url, str):
            bases.append(_base_path(url, server.get("variables")))
    return tuple(dict.fromkeys(bases))


def _base_path(url: str, variables: object) -> str:
    """Return the path of the URL of a server, with the defaults of its variables."""
    for name, variable in as_object(variables).items():
        default = as_object(variable).get("default")
        if isinstance(default, str | int | float):
            url = url.replace(f"{{{name}}}", str(default))
    try:
        path = urlsplit(url).path.rstrip("/")
    except ValueError:
        return ""
    if not path.startswith("/"):
        return ""
    return path


def _json_schema(response: Located) -> Located | None:
    content = as_object(response.value).get("content")
    for media_type, body in as_object(content).items():
        essence = str(media_type).partition(";")[0].strip().lower()
        if _JSON_MEDIA.fullmatch(essence) and isinstance(body, dict) and isinstance(body.get("schema"), dict):
            return response._replace(value=body["schema"])
    return None
