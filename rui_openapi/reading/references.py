"""Resolve `$ref` in a description: within its file and to files below its folder, never over a network."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any, NamedTuple
from urllib.parse import unquote, urlsplit

from rui_common.document_files import leads_out
from rui_common.network_path import is_network_path
from rui_openapi.errors import OpenApiError
from rui_openapi.reading.files import Version, read_value, version_of

MAX_CHAIN = 50
"""References that lead to each other without a value between them."""

MAX_FILES = 200
"""Files that a description may refer to."""

MAX_PROBLEMS = 5
"""References that cannot be resolved and are reported."""

_NO_VALUE = object()


class Located(NamedTuple):
    """A value of a description.

    Attributes:
        value: the value.
        base: the path of its file, to which its references are relative.
    """

    value: Any
    base: str


class References:
    """The files of one description.

    Attributes:
        root: the value of the main file.
        versions: the files that were read → their versions at that time.
        problems: a sentence for each reference that could not be resolved, in the order of their first use.
    """

    def __init__(self, path: str) -> None:
        self._folder = os.path.dirname(path)
        self.versions: dict[str, Version | None] = {}
        self.problems: list[str] = []
        self._targets: dict[tuple[str, str], Located | None] = {}
        self._files: dict[str, Any] = {}
        self.root = Located(self.value_of(path), path)

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
        self._report(f"a chain of references in {located.base} leads back to its start")
        return None

    def target(self, reference: str, base: str) -> Located | None:
        """Return the value that one reference leads to, or None."""
        key = (base, reference)
        if key not in self._targets:
            try:
                self._targets[key] = self._look_up(reference, base)
            except OpenApiError as error:
                self._report(str(error))
                self._targets[key] = None
        return self._targets[key]

    def value_of(self, path: str) -> Any:  # noqa: ANN401  any JSON value
        """Return the value of a file, which is read once.

        Raises:
            OpenApiError: it cannot be used, or is one file too many.
        """
        if path not in self._files:
            if len(self._files) >= MAX_FILES:
                raise OpenApiError(f"cannot read {path}: the description refers to more than {MAX_FILES} files")
            self.versions[path] = version_of(path)
            self._files[path] = read_value(path)
        return self._files[path]

    def resolve_all(self, schemas: Iterable[Located]) -> None:
        """Look up all references that can be reached from schemas. A copy in another process needs no files then."""
        pending = list(schemas)
        seen: set[int] = set()
        while pending:
            value, base = pending.pop()
            if id(value) in seen or not isinstance(value, dict | list):
                continue
            seen.add(id(value))
            reference = value.get("$ref") if isinstance(value, dict) else None
            target = self.target(reference, base) if isinstance(reference, str) else None
            if target is not None:
                pending.append(target)
            pending += [Located(inner, base) for inner in (value.values() if isinstance(value, dict) else value)]

    def __getstate__(self) -> dict[str, object]:
        """Return what is pickled: everything but the values of the files."""
        return {**self.__dict__, "_files": {}, "root": None}

    def _look_up(self, reference: str, base: str) -> Located:
        address, _, fragment = reference.partition("#")
        path = base
        if address:
            path = os.path.normpath(os.path.join(os.path.dirname(base), unquote(address)))
        if address and (_is_remote(address) or leads_out(path, self._folder)):
            raise OpenApiError(
                f"{base}: the reference {reference!r} leads out of the folder of the description, and is not read"
            )
        value = _value_at(self.value_of(path), unquote(fragment))
        if value is _NO_VALUE:
            raise OpenApiError(f"{base}: the reference {reference!r} leads to no value")
        return Located(value, path)

    def _report(self, problem: str) -> None:
        if len(self.problems) < MAX_PROBLEMS and problem not in self.problems:
            self.problems.append(problem)


def _is_remote(address: str) -> bool:
    """Return whether a reference is no relative path: it has a scheme, a drive or a host."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return True
    return bool(parts.scheme or parts.netloc) or is_network_path(unquote(address))


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
