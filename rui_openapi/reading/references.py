"""Resolve `$ref` in a description: within its file and to files below its folder, never over a network."""

import os
import re
from collections.abc import Iterable
from typing import Any, NamedTuple
from urllib.parse import unquote

from rui_common.document_files import is_network_path, leads_out
from rui_openapi.errors import OpenApiError
from rui_openapi.reading.files import FileVersion, read_value, version_of

MAX_CHAIN = 50  # references that lead to each other without a value between them
MAX_PROBLEMS = 5  # references that cannot be resolved and are reported

_SCHEME = re.compile(r"[A-Za-z][\w+.-]*:")


class Located(NamedTuple):
    """A value of a description, and the path of its file, to which its references are relative."""

    value: Any
    base: str


class References:
    """The files of one description."""

    def __init__(self, path: str, *, may_be_pipe: bool) -> None:
        self.path = path  # the name of the main file
        self._may_be_pipe = may_be_pipe
        self.versions: dict[str, FileVersion | None] = {}  # the files that were read → their versions at that time
        # a sentence for each reference that could not be resolved, in the order of their first use
        self.problems: list[str] = []
        self._targets: dict[tuple[str, str], Located | None] = {}
        self._files: dict[str, Any] = {}

    def resolve(self, located: Located) -> Located | None:
        """Return the value without `$ref` that a value leads to, or None."""
        for _ in range(MAX_CHAIN):
            if not isinstance(located.value, dict) or not isinstance(located.value.get("$ref"), str):
                return located
            target = self.target(located.value["$ref"], located.base)
            if target is None:
                return None
            located = target
        return None

    def target(self, reference: str, base: str) -> Located | None:
        """Return the value that one reference leads to, or None."""
        key = (base, reference)
        if key not in self._targets:
            self._targets[key] = None
            try:
                self._targets[key] = self._look_up(reference, base)
            except OpenApiError as error:
                if len(self.problems) < MAX_PROBLEMS:
                    self.problems.append(str(error))
        return self._targets[key]

    def value_of(self, path: str) -> Any:  # noqa: ANN401  any JSON value
        """Return the value of a file, which is read once.

        Raises:
            OpenApiError: it cannot be used.
        """
        if path not in self._files:
            self.versions[path] = version_of(path)
            self._files[path] = read_value(path, may_be_pipe=self._may_be_pipe and path == self.path)
        return self._files[path]

    def resolve_all(self, schemas: Iterable[Located]) -> None:
        """Look up all references that can be reached from schemas. A copy in another process needs no files then."""
        pending = list(schemas)
        seen: set[int] = set()
        while pending:
            value, base = pending.pop()
            if id(value) in seen:
                continue
            seen.add(id(value))
            if isinstance(value, list):
                pending += [Located(inner, base) for inner in value]
            elif isinstance(value, dict):
                pending += [Located(inner, base) for inner in value.values()]
                reference = value.get("$ref")
                target = self.target(reference, base) if isinstance(reference, str) else None
                if target is not None:
                    pending.append(target)

    def __getstate__(self) -> dict[str, object]:
        """Return the state for pickle: all but the values of the files."""
        return {**self.__dict__, "_files": {}}

    def _look_up(self, reference: str, base: str) -> Located:
        encoded, _, fragment = reference.partition("#")
        address = unquote(encoded)
        path = base
        if address:
            path = os.path.normpath(os.path.join(os.path.dirname(base), address))
        try:
            is_address = _SCHEME.match(address) or is_network_path(address)
            if is_address or (address and leads_out(path, os.path.dirname(self.path))):
                raise OpenApiError(
                    f"{base}: the reference {reference!r} leads out of the folder of the description, and is not read"
                )
            return Located(_value_at(self.value_of(path), unquote(fragment)), path)
        except (LookupError, TypeError, ValueError):  # a ValueError for a zero byte in the address, too
            raise OpenApiError(f"{base}: the reference {reference!r} leads to no value") from None


def _value_at(value: Any, pointer: str) -> Any:  # noqa: ANN401  any JSON value
    """Return the value at a JSON pointer (RFC 6901); raise an error without one. An anchor is no pointer."""
    if pointer and not pointer.startswith("/"):
        raise LookupError
    for part in pointer.split("/")[1:]:
        token = part.replace("~1", "/").replace("~0", "~")
        value = value[int(token)] if isinstance(value, list) else value[token]
    return value
