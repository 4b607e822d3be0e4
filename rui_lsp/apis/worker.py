"""What the worker process does with descriptions."""

from __future__ import annotations

from rui_common.syntax.line_index import Encoding
from rui_openapi.description.api import Api, load_api
from rui_openapi.editing.targets import Target, definition_of
from rui_openapi.errors import OpenApiError
from rui_openapi.reading.locate import FileRange


def read_description(path: str) -> Api | str:
    """Return the index of a description, or a sentence with the reason why there is none."""
    try:
        return load_api(path)
    except OpenApiError as error:
        return str(error)


def find_definition(path: str, target: Target, encoding: Encoding) -> FileRange | None:
    """Return the range of a target in the files of a description; None if it is not there any more."""
    try:
        return definition_of(path, target, encoding)
    except OpenApiError:
        return None
