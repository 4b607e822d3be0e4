"""What the process of `ApiRegistry` does with descriptions."""

import gc
import pickle

from rui_common.syntax.line_index import Encoding
from rui_openapi.description.api import Api, read_api
from rui_openapi.editing.definition import FileRange, Target, definition_of
from rui_openapi.errors import OpenApiError

_apis: dict[str, Api] = {}  # the descriptions that were read, with the values of their files


def read_description(path: str) -> bytes | str:
    """Return the pickled index of a description, or a sentence with the reason why there is none."""
    gc.set_threshold(20_000)  # The default collects so often that a large description takes twice the time.
    try:
        _apis[path] = read_api(path)
        return pickle.dumps(_apis[path], pickle.HIGHEST_PROTOCOL)
    except OpenApiError as error:
        return str(error)
    except RecursionError:
        return f"cannot use {path}: it has too many levels of nesting"


def find_definition(path: str, target: Target, encoding: Encoding) -> FileRange | None:
    """Return the range of a target in the files of a description; None if it is not there any more."""
    try:
        if path not in _apis:  # the process has been replaced
            _apis[path] = read_api(path)
        return definition_of(_apis[path], target, encoding)
    except OpenApiError:
        return None
