"""The operations of an OpenAPI description: their paths, and the schemas of their responses."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from rui_common.json_values import as_list, as_object
from rui_openapi.errors import OpenApiError
from rui_openapi.reading.references import Located, References

_JSON_MEDIA = re.compile(r"((application|text)/([\w.+-]+\+)?json|\*/\*|application/\*)\s*(;|$)")
_ORIGIN = re.compile(r"[a-z]+://[^/]*")
_VERSION = re.compile(r"3\.\d+(\.\d+)?(-.*)?")


class Operation(NamedTuple):
    """A GET operation."""

    path: str  # its path template
    summary: str  # what it does, in a phrase, or ``""``
    doc: str  # its description, or ``""``
    body: Located | None  # the JSON body of its first successful response that has a schema, or None
    templates: tuple[str, ...]  # the path template, also with the path of each server, such as ``/v1``
    takes_rest: bool  # whether its last segment is a parameter that may contain slashes

    @property
    def schema(self) -> Located | None:
        """The schema of the body, or None."""
        if self.body is None:
            return None
        return self.body._replace(value=self.body.value["schema"])


def read_operations(references: References) -> Iterator[Operation]:
    """Yield the operations of a description, in the order of the file.

    Raises:
        OpenApiError: the file cannot be used.
    """
    root = Located(references.value_of(references.path), references.path)
    _check_version(root.base, root.value)
    bases = _bases(root.value.get("servers"))
    paths = references.resolve(root._replace(value=root.value.get("paths"))) or root._replace(value={})
    for template, value in as_object(paths.value).items():
        item = references.resolve(paths._replace(value=value))
        if not template.startswith("/") or item is None:
            continue
        # OpenAPI has no references in place of operations and of all paths, but descriptions of many files have.
        get = references.resolve(item._replace(value=as_object(item.value).get("get")))
        if get is not None and isinstance(get.value, dict):
            yield _operation(template, item, get, bases, references)


def _operation(template: str, item: Located, get: Located, bases: list[str], references: References) -> Operation:
    servers = _bases(get.value.get("servers")) or _bases(item.value.get("servers")) or bases
    return Operation(
        template,
        _first_text(get.value.get("summary"), get.value.get("operationId")),
        _first_text(get.value.get("description")),
        _response_body(get, references),
        tuple(base + template for base in dict.fromkeys((*servers, ""))),
        any(_takes_rest(template, owner, references) for owner in (item, get)),
    )


def _first_text(*values: object) -> str:
    return next((value.strip() for value in values if isinstance(value, str)), "")


def _takes_rest(template: str, owner: Located, references: References) -> bool:
    """Return whether a parameter of a path item or operation marks the last segment of the path as one with slashes."""
    for parameter in as_list(owner.value.get("parameters")):
        located = references.resolve(owner._replace(value=parameter))
        value = as_object(None if located is None else located.value)
        if value.get("x-multi-segment") is True and template.endswith(f"/{{{value.get('name')}}}"):
            return True
    return False


def _response_body(operation: Located, references: References) -> Located | None:
    """Return the JSON body of the first successful response that has a schema; ``2XX`` comes last."""
    responses = as_object(operation.value.get("responses"))
    for status in sorted(responses, key=lambda status: (status.upper() == "2XX", status)):
        response = references.resolve(operation._replace(value=responses[status]))
        body = _json_body(response) if status.startswith("2") and response is not None else None
        if body is not None:
            return body
    return None


def _check_version(path: str, value: object) -> None:
    """Raise OpenApiError if a value is no description that this package reads."""
    if not isinstance(value, dict):
        raise OpenApiError(f"cannot use {path}: it is no OpenAPI description; its root is no object")
    version = value.get("openapi")
    if "swagger" in value and version is None:
        raise OpenApiError(f"cannot use {path}: it is Swagger {value['swagger']}; convert it to OpenAPI 3.0 or 3.1")
    if not _VERSION.fullmatch(str(version)):
        raise OpenApiError(f'cannot use {path}: it is no OpenAPI description; its root has no "openapi": "3.…"')


def _bases(servers: object) -> list[str]:
    """Return the paths of servers without a slash at the end, with the defaults of their variables."""
    bases = []
    for server in map(as_object, as_list(servers)):
        url = str(server.get("url"))
        for name, variable in as_object(server.get("variables")).items():
            url = url.replace(f"{{{name}}}", str(as_object(variable).get("default")))
        path = _ORIGIN.sub("", url).rstrip("/")
        if path.startswith("/"):
            bases.append(path)
    return bases


def _json_body(response: Located) -> Located | None:
    content = as_object(as_object(response.value).get("content"))
    for media_type, body in content.items():
        if _JSON_MEDIA.match(media_type.lower()) and isinstance(as_object(body).get("schema"), dict):
            return response._replace(value=body)
    return None
