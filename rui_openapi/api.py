"""An OpenAPI description: its operations by path, and the facts of their responses."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

from rui_openapi.errors import OpenApiError
from rui_openapi.files import EXTRA, version_of
from rui_openapi.path_index import PathIndex
from rui_openapi.schemas import UNKNOWN, SchemaReader

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rui_openapi.located import Located
    from rui_openapi.references import References
    from rui_openapi.schemas import Facts

READ_METHOD = "get"
OTHER_METHODS = ("post", "put", "patch", "delete", "head", "options", "trace", "query")

MAX_CACHED = 10_000
"""Paths and value paths of which the result is kept."""

_JSON_MEDIA = re.compile(r"(application|text)/([\w.+-]+\+)?json|\*/\*|application/\*")
_VERSION = re.compile(r"3\.\d+(\.\d+)?(-.*)?")


class Operation(NamedTuple):
    """What is at one path template.

    Attributes:
        path: the template.
        located: the GET operation, or None if there are only others.
        others: the other methods, in upper case.
    """

    path: str
    located: Located | None
    others: tuple[str, ...]

    @property
    def summary(self) -> str:
        """Return what the GET operation does, in a phrase, or ``""``."""
        value = {} if self.located is None else self.located.value
        return next((value[key] for key in ("summary", "operationId") if isinstance(value.get(key), str)), "")


class Place(NamedTuple):
    """Where a value path leads in a response.

    Attributes:
        facts: the facts of the value; None if there is no such value.
        known: the segments that exist.
        last: the facts of the value at `known`.
    """

    facts: Facts | None
    known: tuple[str, ...]
    last: Facts


class Api:
    """The index of a description.

    Attributes:
        name: the name of its file.
        operations: path template → operation, in the order of the file.
        problems: a sentence for each reference that could not be resolved so far.
    """

    def __init__(self, path: str) -> None:
        try:
            from rui_openapi.references import References  # noqa: PLC0415  its dependency may be missing
        except ModuleNotFoundError as error:
            raise OpenApiError(f"cannot read {path}: {error.name} is not installed: pip install '{EXTRA}'") from None
        self.name = path
        self._references: References = References(path)
        root = self._references.root
        _check_version(path, root.value)
        self._reader = SchemaReader(self._references)
        self._index = PathIndex()
        self.operations: dict[str, Operation] = {}
        self._matches: dict[str, tuple[Operation, str] | None] = {}
        self._responses: dict[str, Facts] = {}
        self._places: dict[tuple[str, str], Place] = {}
        self._read_paths(root)

    @property
    def problems(self) -> list[str]:
        """Return a sentence for each reference that could not be resolved so far."""
        return self._references.problems

    @property
    def is_current(self) -> bool:
        """Whether none of its files has changed since it was read."""
        return all(version_of(name) == version for name, version in self._references.versions.items())

    @property
    def reader(self) -> SchemaReader:
        """Return the reader of its schemas."""
        return self._reader

    def find(self, path: str) -> tuple[Operation, str] | None:
        """Return the operation for the path of a binding, and the path that is probably meant instead, or ``""``.

        Of several templates, the first with a GET operation counts.
        """
        if path not in self._matches:
            if len(self._matches) >= MAX_CACHED:
                self._matches.clear()
            self._matches[path] = self._find(path)
        return self._matches[path]

    def _find(self, path: str) -> tuple[Operation, str] | None:
        matches = self._index.find(path)
        found = [(self.operations[match.template], match.suspect) for match in matches]
        readable = [item for item in found if item[0].located is not None]
        return next(iter(readable or found), None)

    def closest(self, path: str) -> str | None:
        """Return the path with a GET operation that a path without one is probably meant as, or None."""
        closest = self._index.closest(path)
        if closest is None or closest == path:
            return None
        found = self.find(closest)
        return closest if found is not None and found[0].located is not None else None

    def readable(self) -> list[Operation]:
        """Return the operations with GET."""
        return [operation for operation in self.operations.values() if operation.located is not None]

    def response(self, operation: Operation) -> Facts:
        """Return the facts of the successful JSON response of a GET operation; unknown without a schema."""
        if operation.path not in self._responses:
            schema = None if operation.located is None else self._response_schema(operation.located)
            self._responses[operation.path] = UNKNOWN if schema is None else self._reader.facts((schema,))
        return self._responses[operation.path]

    def place(self, operation: Operation, value_path: str) -> Place:
        """Return where a value path leads in the response; ``""`` is the whole response."""
        key = (operation.path, value_path)
        if key not in self._places:
            if len(self._places) >= MAX_CACHED:
                self._places.clear()
            self._places[key] = self.place_in(self.response(operation), value_path)
        return self._places[key]

    def place_in(self, facts: Facts, value_path: str) -> Place:
        """Return where a path leads from a value."""
        known: tuple[str, ...] = ()
        for segment in value_path.split(".") if value_path else ():
            inner = self._reader.field(facts, segment)
            if inner is None:
                return Place(None, known, facts)
            facts = inner
            known = (*known, segment)
        return Place(facts, known, facts)

    def row(self, facts: Facts) -> Facts:
        """Return the facts of the elements of a list."""
        return self._reader.facts(facts.items)

    def field(self, row: Facts, name: str) -> Facts | None:
        """Return the facts of a property of a row; names joined by dots lead to inner ones. None if there is none."""
        found = self._reader.field(row, name)
        if found is None and "." in name:
            return self.place_in(row, name).facts
        return found

    def _read_paths(self, root: Located) -> None:
        paths = root.value.get("paths")
        bases = _bases(root.value.get("servers")) or ("",)
        for template, item in paths.items() if isinstance(paths, dict) else ():
            if not isinstance(template, str) or not template.startswith("/"):
                continue
            located = self._references.resolve(root._replace(value=item))
            if located is None or not isinstance(located.value, dict):
                continue
            operation = _operation(template, located)
            if operation is None:
                continue
            self.operations[template] = operation
            integers, with_slashes = self._parameters(located)
            value = {} if operation.located is None else operation.located.value
            own = _bases(value.get("servers")) or _bases(located.value.get("servers")) or bases
            self._index.add(
                template,
                tuple(dict.fromkeys((*own, ""))),
                integers,
                with_slashes,
                is_readable=operation.located is not None,
            )

    def _parameters(self, item: Located) -> tuple[frozenset[str], frozenset[str]]:
        """Return the parameters of a path that are integers, and those that may contain slashes."""
        integers = set()
        with_slashes = set()
        for parameter in self._path_parameters(item):
            schema = parameter.get("schema")
            if isinstance(schema, dict) and schema.get("type") == "integer":
                integers.add(str(parameter.get("name")))
            if parameter.get("x-multi-segment") is True:
                with_slashes.add(str(parameter.get("name")))
        return frozenset(integers), frozenset(with_slashes)

    def _path_parameters(self, item: Located) -> Iterator[dict[str, object]]:
        operation = item.value.get(READ_METHOD)
        for owner in (item.value, operation):
            parameters = owner.get("parameters") if isinstance(owner, dict) else None
            for parameter in parameters if isinstance(parameters, list) else ():
                located = self._references.resolve(item._replace(value=parameter))
                if located is not None and isinstance(located.value, dict) and located.value.get("in") == "path":
                    yield located.value

    def _response_schema(self, operation: Located) -> Located | None:
        responses = operation.value.get("responses")
        if not isinstance(responses, dict):
            return None
        for status in sorted(map(str, responses), key=lambda status: (status.upper() == "2XX", status)):
            if status[:1] != "2":
                continue
            value = responses.get(status, responses.get(int(status) if status.isdecimal() else status))
            response = self._references.resolve(operation._replace(value=value))
            schema = None if response is None else _json_schema(response)
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


def _operation(template: str, located: Located) -> Operation | None:
    item = located.value
    get = item.get(READ_METHOD)
    others = tuple(method.upper() for method in OTHER_METHODS if isinstance(item.get(method), dict))
    if not isinstance(get, dict) and not others:
        return None
    return Operation(template, located._replace(value=get) if isinstance(get, dict) else None, others)


def _bases(servers: object) -> tuple[str, ...]:
    """Return the paths of servers without a slash at the end."""
    bases = []
    for server in servers if isinstance(servers, list) else ():
        url = server.get("url") if isinstance(server, dict) else None
        if isinstance(url, str):
            bases.append(_base_path(url, server.get("variables")))
    return tuple(dict.fromkeys(bases))


def _base_path(url: str, variables: object) -> str:
    """Return the path of the URL of a server, with the defaults of its variables."""
    for name, variable in variables.items() if isinstance(variables, dict) else ():
        default = variable.get("default") if isinstance(variable, dict) else None
        if isinstance(default, str | int | float):
            url = url.replace(f"{{{name}}}", str(default))
    try:
        path = urlsplit(url).path.rstrip("/")
    except ValueError:
        return ""
    return path if path.startswith("/") else ""


def _json_schema(response: Located) -> Located | None:
    content = response.value.get("content") if isinstance(response.value, dict) else None
    for media_type, body in content.items() if isinstance(content, dict) else ():
        essence = str(media_type).partition(";")[0].strip().lower()
        if _JSON_MEDIA.fullmatch(essence) and isinstance(body, dict) and isinstance(body.get("schema"), dict):
            return response._replace(value=body["schema"])
    return None


_loaded: dict[str, Api] = {}


def load_api(path: str) -> Api:
    """Return the index of a file, which is kept until one of its files changes.

    Raises:
        OpenApiError: the file cannot be used.
    """
    api = _loaded.get(path)
    if api is None or not api.is_current:
        api = Api(path)
        _loaded[path] = api
    return api
