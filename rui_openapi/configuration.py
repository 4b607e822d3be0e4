"""`rui.toml`: which OpenAPI description applies to a document."""

from __future__ import annotations

import os
import tomllib
from fnmatch import fnmatchcase
from typing import NamedTuple

from rui_common.json_values import as_list
from rui_common.suggest import nearest
from rui_openapi.errors import OpenApiError
from rui_openapi.reading.files import read_data

_API_KEYS = ("openapi", "strict", "overrides")
_OVERRIDE_KEYS = ("files", "openapi", "strict")


class ApiChoice(NamedTuple):
    """The description for some documents: its file, or ``""`` for none, and whether mismatches are errors."""

    openapi: str = ""
    is_strict: bool = False


class Configuration:
    """The content of one `rui.toml`, whose path is `path`."""

    def __init__(self, path: str) -> None:
        self.path = path
        try:
            content = tomllib.loads(read_data(path).decode())
        except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
            raise OpenApiError(f"cannot read {path}: it is not TOML: {error}") from None
        api = self._table("", content, ("api",)).get("api", {})
        table = self._table("api", api, _API_KEYS)
        self._default = self._choice(table, ApiChoice())
        overrides = table.get("overrides", [])
        if not isinstance(overrides, list):
            raise self._error("`api.overrides` is no array of tables; write [[api.overrides]]")
        self._overrides = [self._override(override) for override in overrides]

    def choice(self, document: str) -> ApiChoice:
        """Return the description for a document: that of the last override whose globs match, else the default."""
        relative = os.path.relpath(document, os.path.dirname(self.path) or os.curdir).replace(os.sep, "/")
        chosen = self._default
        for patterns, override in self._overrides:
            if any(_matches(relative, pattern) for pattern in patterns):
                chosen = override
        return chosen

    def _override(self, override: object) -> tuple[list[str], ApiChoice]:
        table = self._table("api.overrides", override, _OVERRIDE_KEYS)
        files = table.get("files")
        patterns = [pattern for pattern in [files, *as_list(files)] if isinstance(pattern, str)]
        if not patterns:
            raise self._error('an override needs `files`, such as files = ["admin/*.rui.json"]')
        return patterns, self._choice(table, self._default)

    def _choice(self, table: dict[str, object], base: ApiChoice) -> ApiChoice:
        openapi = table.get("openapi", base.openapi)
        is_strict = table.get("strict", base.is_strict)
        if openapi is False:
            openapi = ""
        if not isinstance(openapi, str):
            raise self._error("`openapi` is no file name; write the path of a file, or false")
        if not isinstance(is_strict, bool):
            raise self._error("`strict` is neither true nor false")
        if openapi and "openapi" in table:
            openapi = os.path.join(os.path.dirname(self.path), openapi)
        return ApiChoice(openapi, is_strict)

    def _table(self, name: str, value: object, keys: tuple[str, ...]) -> dict[str, object]:
        """Return a value if it is a table without unknown keys, else raise OpenApiError."""
        if not isinstance(value, dict):
            raise self._error(f"`{name}` is no table")
        for key in value:
            if key not in keys:
                match = nearest(key, keys)
                question = f"did you mean {match}?" if match else f"it may have {', '.join(keys)}"
                full_name = f"{name}.{key}".removeprefix(".")
                raise self._error(f"`{full_name}` is unknown; {question}")
        return value

    def _error(self, reason: str) -> OpenApiError:
        return OpenApiError(f"cannot use {self.path}: {reason}")


def _matches(path: str, pattern: str) -> bool:
    """Return whether a path fits a glob; one without a slash is compared with the name of the file alone."""
    if "/" not in pattern:
        return fnmatchcase(path.rpartition("/")[2], pattern)
    pattern = pattern.removeprefix("./")
    return fnmatchcase(path, pattern) or ("**/" in pattern and fnmatchcase(path, pattern.replace("**/", "")))
