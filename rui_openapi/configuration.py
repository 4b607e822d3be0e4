"""`rui.toml`: which OpenAPI description applies to a document."""

from __future__ import annotations

import os
import tomllib
from fnmatch import fnmatchcase
from typing import NamedTuple

from rui_common.suggest import nearest
from rui_openapi.errors import OpenApiError
from rui_openapi.reading.files import read_data

_API_KEYS = ("openapi", "strict", "overrides")
_OVERRIDE_KEYS = ("files", "openapi", "strict")


class ApiChoice(NamedTuple):
    """The description for some documents.

    Attributes:
        openapi: its file, or ``""`` for none.
        is_strict: whether mismatches are errors.
    """

    openapi: str = ""
    is_strict: bool = False


class Configuration:
    """The content of one `rui.toml`.

    Attributes:
        path: its path.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        api = _read(path).get("api", {})
        _check_keys(path, "api", api, _API_KEYS)
        self._default = self._choice(api, ApiChoice())
        overrides = api.get("overrides", [])
        if not isinstance(overrides, list):
            raise OpenApiError(f"cannot use {path}: `api.overrides` is no array of tables; write [[api.overrides]]")
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
        _check_keys(self.path, "api.overrides", override, _OVERRIDE_KEYS)
        if not isinstance(override, dict):
            return [], self._default
        files = override.get("files")
        patterns = [files] if isinstance(files, str) else files
        if not isinstance(patterns, list) or not all(isinstance(pattern, str) for pattern in patterns):
            raise OpenApiError(
                f'cannot use {self.path}: an override needs `files`, such as files = ["admin/*.rui.json"]'
            )
        return patterns, self._choice(override, self._default)

    def _choice(self, table: dict[str, object], base: ApiChoice) -> ApiChoice:
        openapi = table.get("openapi", base.openapi)
        is_strict = table.get("strict", base.is_strict)
        if openapi is False:
            openapi = ""
        if not isinstance(openapi, str):
            raise OpenApiError(f"cannot use {self.path}: `openapi` is no file name; write the path of a file, or false")
        if not isinstance(is_strict, bool):
            raise OpenApiError(f"cannot use {self.path}: `strict` is neither true nor false")
        if openapi and "openapi" in table:
            openapi = os.path.join(os.path.dirname(self.path), openapi)
        return ApiChoice(openapi, is_strict)


def _read(path: str) -> dict[str, dict[str, object]]:
    try:
        content = tomllib.loads(read_data(path).decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise OpenApiError(f"cannot read {path}: it is not TOML: {error}") from None
    _check_keys(path, "", content, ("api",))
    return content


def _check_keys(path: str, name: str, table: object, keys: tuple[str, ...]) -> None:
    """Raise OpenApiError if a value is no table, or has an unknown key."""
    if not isinstance(table, dict):
        raise OpenApiError(f"cannot use {path}: `{name}` is no table")
    for key in table:
        if key not in keys:
            match = nearest(key, keys)
            question = f"; did you mean {match}?" if match else f"; it may have {', '.join(keys)}"
            full_name = f"{name}.{key}" if name else key
            raise OpenApiError(f"cannot use {path}: `{full_name}` is unknown{question}")


def _matches(path: str, pattern: str) -> bool:
    """Return whether a path fits a glob; one without a slash is compared with the name of the file alone."""
    if "/" not in pattern:
        return fnmatchcase(path.rpartition("/")[2], pattern)
    pattern = pattern.removeprefix("./")
    return fnmatchcase(path, pattern) or ("**/" in pattern and fnmatchcase(path, pattern.replace("**/", "")))
