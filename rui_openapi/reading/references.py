"""Resolve `$ref` in a description: within its file and to files beside it, never over a network."""

from __future__ import annotations

import os
from typing import Any
from urllib.parse import unquote, urljoin, urlsplit
from urllib.request import pathname2url, url2pathname

from rui_common.network_path import is_network_path
from rui_openapi.errors import OpenApiError
from rui_openapi.reading.files import Version, read_value, version_of
from rui_openapi.reading.located import Located

MAX_CHAIN = 50
"""References that lead to each other without a value between them."""

MAX_FILES = 200
"""Files that a description may refer to."""

MAX_PROBLEMS = 5
"""References that cannot be resolved and are reported."""

_NO_VALUE = object()


class References:
    """The files of one description.

    Attributes:
        root: the value of the main file.
        versions: the files that were read → their versions at that time.
        problems: a sentence for each reference that could not be resolved, in the order of their first use.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        self.versions: dict[str, Version | None] = {}
        self.problems: list[str] = []
        self._loaded: dict[str, Any] = {}
        self._resolved: dict[tuple[str, str], Located | None] = {}
        base = "file://" + pathname2url(os.path.abspath(path))
        self.root = Located(self._load(base), base)

    def resolve(self, located: Located) -> Located | None:
        """Follow the `$ref` of an object, and that of its target, until there is none.

        Returns:
            The value; the argument if it has no reference; None if the reference has no value.
        """
        for _ in range(MAX_CHAIN):
            value = located.value
            if not isinstance(value, dict) or not isinstance(value.get("$ref"), str):
                return located
            target = self.target(value["$ref"], located.base)
            if target is None:
                return None
            located = target
        self._report(f"a chain of references in {self.name_of(located.base)} leads back to its start")
        return None

    def target(self, reference: str, base: str) -> Located | None:
        """Return the value that one reference leads to, or None."""
        key = (base, reference)
        if key not in self._resolved:
            self._resolved[key] = self._look_up(reference, base)
        return self._resolved[key]

    def _look_up(self, reference: str, base: str) -> Located | None:
        uri, _, fragment = urljoin(base, reference).partition("#")
        if not self._is_local(uri):
            self._report(f"{self.name_of(base)}: the reference {reference!r} is remote, and is not fetched")
            return None
        try:
            value = _value_at(self._load(uri), unquote(fragment))
        except OpenApiError as error:
            self._report(str(error))
            return None
        if value is _NO_VALUE:
            self._report(f"{self.name_of(base)}: the reference {reference!r} leads to no value")
            return None
        return Located(value, uri)

    def _is_local(self, uri: str) -> bool:
        """Return whether a URI is a file of this computer, or of that of the main file."""
        parts = urlsplit(uri)
        if parts.scheme != "file" or parts.netloc:
            return False
        return not is_network_path(url2pathname(parts.path)) or is_network_path(self._path)

    def _load(self, uri: str) -> Any:  # noqa: ANN401  any JSON value
        if uri not in self._loaded:
            name = self.name_of(uri)
            if len(self._loaded) >= MAX_FILES:
                raise OpenApiError(f"cannot read {name}: the description refers to more than {MAX_FILES} files")
            self.versions[name] = version_of(name)
            self._loaded[uri] = read_value(name)
        return self._loaded[uri]

    def value_of(self, uri: str) -> Any:  # noqa: ANN401  any JSON value
        """Return the value of a file that has been read."""
        return self._loaded[uri]

    def name_of(self, uri: str) -> str:
        """Return the path of a file, relative to the same folder as that of the main file."""
        path = url2pathname(urlsplit(uri).path)
        folder = os.path.dirname(self._path)
        return os.path.join(folder, os.path.relpath(path, os.path.abspath(folder)))

    def _report(self, problem: str) -> None:
        if len(self.problems) < MAX_PROBLEMS and problem not in self.problems:
            self.problems.append(problem)


def _value_at(value: Any, pointer: str) -> Any:  # noqa: ANN401  any JSON value
    """Return the value at a JSON pointer (RFC 6901), or `_NO_VALUE`. An anchor is no pointer."""
    if not pointer:
        return value
    if not pointer.startswith("/"):
        return _NO_VALUE
    for part in pointer[1:].split("/"):
        token = part.replace("~1", "/").replace("~0", "~")
        if isinstance(value, dict) and token in value:
            value = value[token]
        elif isinstance(value, list) and token.isdecimal() and int(token) < len(value):
            value = value[int(token)]
        else:
            return _NO_VALUE
    return value
