"""A small description and documents with one block, for the tests of this folder."""

import json
from pathlib import Path

import yaml

from rui_common.syntax.document import read
from rui_common.validation.analysis import Analysis
from rui_openapi.comparison.check import api_diagnostics
from rui_openapi.description.api import Api, read_api
from tests.support.small import DOCUMENT

CURSOR = "<|>"
"""A mark in a document, which tests take out."""

SHOP = """
openapi: 3.1.0
info: {title: Shop, version: "1"}
servers: [{url: "https://shop.example/v1"}]
paths:
  /orders:
    get:
      summary: List orders
      responses:
        200: {content: {application/json: {schema: {$ref: "#/components/schemas/OrderPage"}}}}
    post: {responses: {}}
  /orders/latest: {get: {responses: {200: {content: {application/json: {schema: {$ref: "#/components/schemas/Order"}}}}}}}
  /orders/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
    get: {responses: {2XX: {content: {application/json: {schema: {$ref: "#/components/schemas/Order"}}}}}}
  /checkout: {post: {responses: {}}, put: {responses: {}}}
  /summary: {get: {responses: {200: {content: {application/json: {schema: {$ref: "#/components/schemas/Summary"}}}}}}}
  /anything: {get: {responses: {200: {description: No schema}}}}
  /files/{name}: {get: {parameters: [{name: name, in: path, x-multi-segment: true}], responses: {}}}
components:
  schemas:
    OrderPage:
      type: object
      properties:
        items: {type: array, items: {$ref: "#/components/schemas/Order"}}
        total: {type: integer}
    Order:
      allOf:
        - {type: object, properties: {id: {type: integer}, status: {type: string, enum: [open, shipped]}}}
        - properties:
            customer: {oneOf: [{$ref: "#/components/schemas/Person"}, {$ref: "#/components/schemas/Firm"}, {type: "null"}]}
            created: {type: string, format: date-time}
            email: {type: string, format: email}
            amount: {type: string, format: decimal}
            paid: {type: [boolean, "null"]}
            extra: {}
    Person: {type: object, properties: {name: {type: string}, manager: {$ref: "#/components/schemas/Person"}}}
    Firm: {type: object, properties: {name: {type: string}, vat: {type: string}}}
    Summary:
      type: object
      properties:
        data: {type: object, properties: {open: {type: integer}, label: {type: string}, byDay: {type: object, additionalProperties: {type: number}}}}
"""  # noqa: E501


def api_of(text: str, folder: Path, name: str = "openapi.yaml") -> Api:
    """The index of a description."""
    (folder / name).write_text(text)
    return read_api(str(folder / name))


def metric(path: str, select: str, **others: object) -> str:
    """A document with a Metric."""
    binding = {"type": "read", "method": "GET", "path": path, "valuePath": select}
    return document({"id": "block", "type": "Metric", "label": "Label", "binding": binding, **others})


def table(path: str, select: str | None, *columns: str | dict[str, object], **others: object) -> str:
    """A document with a Table; a column is its key, or an object."""
    binding = {"type": "read", "method": "GET", "path": path, **({} if select is None else {"valuePath": select})}
    keys = [{"key": column} if isinstance(column, str) else column for column in columns or ("id",)]
    return document({"id": "block", "type": "Table", "binding": binding, "columns": keys, **others})


def document(*blocks: dict[str, object]) -> str:
    """A document with these blocks."""
    return DOCUMENT.replace("BLOCK", ", ".join(json.dumps(block) for block in blocks))


def reported(text: str, api: Api) -> list[str]:
    """The code and the marked text of each difference."""
    read_document = read(text)
    return [
        f"{diagnostic.code} {read_document.text[diagnostic.span.start : diagnostic.span.end]}"
        for diagnostic in api_diagnostics(Analysis(read_document), api)
    ]


def hints(text: str, api: Api) -> list[str]:
    """The hint of each difference."""
    return [diagnostic.hint for diagnostic in api_diagnostics(Analysis(read(text)), api)]


def as_json(text: str) -> str:
    """A YAML text as JSON, with string keys."""
    return json.dumps(yaml.safe_load(text), default=str)
