"""Derive an OpenAPI 3.1 description of the endpoints that documents need, with the parts of the responses they show."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from urllib.parse import parse_qsl

from rui_common.json_values import JsonObject
from rui_common.nodes.node import NodeTree
from rui_common.vocabulary.schema import JsonForm
from rui_openapi.bindings import Block, bindings_of
from rui_openapi.description.path_index import path_only

_PLACEHOLDER = re.compile(r"\$?\{([^{}/]+)\}|:([A-Za-z_]\w*)(?=/|$)|<([^<>/]+)>")


@dataclass
class Need:
    """What documents need of one value in a response."""

    # what documents need of each property, by its name, if the value is an object
    properties: dict[str, Need] = field(default_factory=dict)
    element: Need | None = None  # what documents need of each element; None if the value is no list
    # the forms in which the value itself is shown; None means any scalar
    forms: list[JsonForm | None] = field(default_factory=list)

    def at(self, path: str) -> Need:
        """Return the needs of the value at a path of names joined by dots; ``""`` is the value itself."""
        need = self
        for name in path.split(".") if path else ():
            need = need.properties.setdefault(name, Need())
        return need

    def schema(self) -> JsonObject:
        alternatives: list[JsonObject] = []
        if self.properties:
            properties = {name: need.schema() for name, need in self.properties.items()}
            alternatives.append({"type": "object", "properties": properties, "required": list(properties)})
        if self.element is not None:
            alternatives.append({"type": "array", "items": self.element.schema()})
        if self.forms:
            alternatives.append(_scalar_schema(self.forms))
        if len(alternatives) > 1:
            return {"anyOf": alternatives}
        return next(iter(alternatives), {})


class _Endpoint:
    def __init__(self, path: str) -> None:
        self.path, self.parameters = _template(path)
        self.queries: dict[str, str] = {}
        self.response = Need()

    def add(self, block: Block) -> None:
        _, _, query = block.endpoint.value.partition("#")[0].partition("?")
        for name, value in parse_qsl(query, keep_blank_values=True):
            self.queries.setdefault(name, value)
        if block.select.is_placeholder:
            return
        need = self.response.at(block.select.value)
        if block.shown is not None:
            need.forms.append(block.shown.form)
            return
        need.element = need.element or Need()
        for shown in block.fields:
            need.element.at(shown.name.value).forms.append(shown.form)

    def operation(self) -> JsonObject:
        parameters: list[JsonObject] = [
            {"name": name, "in": "path", "required": True, "schema": {"type": "string"}} for name in self.parameters
        ]
        for name, value in self.queries.items():
            parameters.append({"name": name, "in": "query", "schema": {"type": "string"}, "example": value})
        content = {"application/json": {"schema": self.response.schema()}}
        return {"parameters": parameters, "responses": {"200": {"description": "The data.", "content": content}}}


def derive(documents: Iterable[NodeTree], title: str = "") -> JsonObject:
    """Return the description of the endpoints that documents need, in the order of their first use.

    Placeholders in the documents are no endpoints.
    """
    endpoints: dict[str, _Endpoint] = {}
    for tree in documents:
        for block in bindings_of(tree):
            if not block.endpoint.is_placeholder:
                path = block.endpoint.value
                endpoints.setdefault(_key(path), _Endpoint(path)).add(block)
    return {
        "openapi": "3.1.0",
        "info": {"title": title or "API", "version": "0.1.0"},
        "paths": {endpoint.path: {"get": endpoint.operation()} for endpoint in endpoints.values()},
    }


def _scalar_schema(forms: list[JsonForm | None]) -> JsonObject:
    """Return the schema of a value that can be shown in all forms: the first type of the first form that fits all."""
    known = [form for form in forms if form is not None]
    if not known:
        return {"type": ["string", "number", "boolean"]}
    common = [name for name in known[0].types if all(name in form.types for form in known)]
    if not common:
        return {"type": sorted({form.types[0] for form in known})}
    formats = [form.formats[0] for form in known if form.formats]
    if common[0] == "string" and formats:
        return {"type": "string", "format": formats[0]}
    return {"type": common[0]}


def _key(path: str) -> str:
    """Return a path without the names of its parameters: two templates that differ only in names are the same."""
    return _PLACEHOLDER.sub("{}", path_only(path))


def _template(path: str) -> tuple[str, list[str]]:
    """Return a path as a template of OpenAPI, and the names of its parameters, which differ from each other."""
    names: list[str] = []

    def replaced(match: re.Match[str]) -> str:
        name = next(filter(None, match.groups()))
        while name in names:
            name += "2"
        names.append(name)
        return f"{{{name}}}"

    return _PLACEHOLDER.sub(replaced, path_only(path)), names
