"""What the process of `ApiProcess` does with descriptions."""

from __future__ import annotations

import gc
import pickle

from rui_common.syntax.line_index import Encoding
from rui_openapi.description.api import load_api
from rui_openapi.editing.targets import Target, definition_of
from rui_openapi.errors import OpenApiError
from rui_openapi.reading.locate import FileRange


def read_description(path: str) -> bytes | str:
    """Return the pickled index of a description, or a sentence with the reason why there is none."""
    gc.set_threshold(20_000)  # The default collects so often that a large description takes twice the time.
    try:
        return pickle.dumps(load_api(path), pickle.HIGHEST_PROTOCOL)
    except OpenApiError as error:
        return str(error)
    except RecursionError:
        return f"cannot use {path}: it has too many levels of nesting"


def find_definition(path: str, target: Target, encoding: Encoding) -> FileRange | None:
    """Return the range of a target in the files of a description; None if it is not there any more."""
    try:
        return definition_of(path, target, encoding)
    except OpenApiError:
        return None
