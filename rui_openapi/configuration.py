"""`rui.toml`: which OpenAPI description applies to a document."""

import os
import tomllib
from fnmatch import fnmatchcase
from typing import Any

from rui_common.suggest import did_you_mean
from rui_openapi.discovery import ApiChoice
from rui_openapi.errors import OpenApiError
from rui_openapi.reading.files import read_data

Table = dict[str, Any]


class ProjectConfiguration:
    """The content of one `rui.toml`, whose path is `path`."""

    def __init__(self, path: str) -> None:
        self.path = path
        try:
            content = tomllib.loads(read_data(path).decode("utf-8-sig"))
        except UnicodeDecodeError:
            raise OpenApiError(f"cannot read {path}: it is not UTF-8") from None
        except (tomllib.TOMLDecodeError, RecursionError) as error:
            raise OpenApiError(f"cannot read {path}: it is not TOML: {error}") from None
        api = self._table("", content, "api").get("api", {})
        self._default = self._table("api", api, "openapi", "strict", "overrides")
        overrides = self._default.get("overrides", [])
        if not isinstance(overrides, list):
            raise self._error("`api.overrides` is no array of tables; write [[api.overrides]]")
        self._overrides = [self._override(override) for override in overrides]

    def choice(self, document: str) -> ApiChoice:
        """Return the description for a document: that of the last override whose globs match, else the default."""
        folder = os.path.dirname(self.path)
        relative = os.path.relpath(document, folder).replace(os.sep, "/")
        chosen = self._default
        for override in self._overrides:
            if any(_matches(relative, pattern) for pattern in override["files"]):
                chosen = {**self._default, **override}
        openapi = chosen.get("openapi")
        return ApiChoice(os.path.join(folder, openapi) if openapi else "", chosen.get("strict", False))

    def _override(self, override: object) -> Table:
        table = self._table("api.overrides", override, "files", "openapi", "strict")
        files = table.get("files")
        patterns = files if isinstance(files, list) else [files]
        if not patterns or not all(isinstance(pattern, str) for pattern in patterns):
            raise self._error('an override needs `files`, such as files = ["admin/*.rui.json"]')
        return {**table, "files": patterns}

    def _table(self, name: str, value: object, *keys: str) -> Table:
        """Return a value if it is a table without unknown keys and with values that can be used."""
        if not isinstance(value, dict):
            raise self._error(f"`{name}` is no table")
        for key in value:
            if key not in keys:
                advice = did_you_mean(key, keys) or f"; it may have {', '.join(keys)}"
                full_name = f"{name}.{key}".removeprefix(".")
                raise self._error(f"`{full_name}` is unknown{advice}")
        openapi = value.get("openapi", False)
        if openapi is not False and not isinstance(openapi, str):
            raise self._error("`openapi` is no file name; write the path of a file, or false")
        if not isinstance(value.get("strict", False), bool):
            raise self._error("`strict` is neither true nor false")
        return value

    def _error(self, reason: str) -> OpenApiError:
        return OpenApiError(f"cannot use {self.path}: {reason}")


def _matches(path: str, pattern: str) -> bool:
    """Return whether a path fits a glob; one without a slash is compared with the name of the file alone."""
    if "/" not in pattern:
        return fnmatchcase(path.rpartition("/")[2], pattern)
    pattern = pattern.removeprefix("./")
    return fnmatchcase(path, pattern) or ("**/" in pattern and fnmatchcase(path, pattern.replace("**/", "")))
