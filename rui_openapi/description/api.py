"""An OpenAPI description: its operations by path, and the facts of their responses."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from rui_openapi.description.operations import Operation, read_operations
from rui_openapi.description.path_index import PathIndex
from rui_openapi.description.schemas import UNKNOWN, Facts, SchemaReader
from rui_openapi.reading.files import Version, version_of
from rui_openapi.reading.references import References

MAX_CACHED = 10_000
"""Paths of which the operation is kept."""


class Place(NamedTuple):
    """Where a value path leads in a response.

    Attributes:
        facts: the facts of the value; None if there is no such value.
        known: the segments that exist.
        last: the facts of the value at `known`.
    """

    facts: Facts | None
    known: tuple[str, ...]
    last: Facts


class Api:
    """The index of a description.

    Attributes:
        operations: path template → operation, in the order of the file.
        references: what its references lead to.
        reader: the reader of its schemas.
    """

    def __init__(self, references: References, operations: Iterable[Operation]) -> None:
        self.references = references
        self.reader = SchemaReader(references)
        self._index = PathIndex()
        self.operations: dict[str, Operation] = {}
        self._matches: dict[str, tuple[Operation, str] | None] = {}
        for operation in operations:
            self.operations[operation.path] = operation
            self._index.add(
                operation.path,
                operation.bases,
                operation.integers,
                operation.with_slashes,
                is_readable=operation.is_readable,
            )

    def __reduce__(self) -> tuple[object, ...]:
        """Return what is pickled: operations, and what the references in their responses lead to."""
        self.references.resolve_all(op.schema for op in self.readable() if op.schema is not None)
        return Api, (self.references, [operation._replace(located=None) for operation in self.operations.values()])

    @property
    def problems(self) -> list[str]:
        """Return a sentence for each reference that could not be resolved so far."""
        return self.references.problems

    @property
    def versions(self) -> dict[str, Version | None]:
        """Return its files and their versions when they were read."""
        return self.references.versions

    @property
    def is_current(self) -> bool:
        """Whether none of its files has changed since it was read."""
        return all(version_of(name) == version for name, version in self.versions.items())

    def find(self, path: str) -> tuple[Operation, str] | None:
        """Return the operation for the path of a binding, and the path that is probably meant instead, or ``""``.

        Of several templates, the first with a GET operation counts.
        """
        if path not in self._matches:
            if len(self._matches) >= MAX_CACHED:
                self._matches.clear()
            self._matches[path] = self._find(path)
        return self._matches[path]

    def _find(self, path: str) -> tuple[Operation, str] | None:
        matches = self._index.find(path)
        found = [(self.operations[match.template], match.suspect) for match in matches]
        readable = [item for item in found if item[0].is_readable]
        return next(iter(readable or found), None)

    def closest(self, path: str) -> str | None:
        """Return the path with a GET operation that a path without one is probably meant as, or None."""
        closest = self._index.closest(path)
        if closest is None or closest == path:
            return None
        found = self.find(closest)
        if found is None or not found[0].is_readable:
            return None
        return closest

    def readable(self) -> list[Operation]:
        """Return the operations with GET."""
        return [operation for operation in self.operations.values() if operation.is_readable]

    def response(self, operation: Operation) -> Facts:
        """Return the facts of the successful JSON response of a GET operation; unknown without a schema."""
        if operation.schema is None:
            return UNKNOWN
        return self.reader.facts((operation.schema,))

    def place(self, operation: Operation, value_path: str) -> Place:
        """Return where a value path leads in the response; ``""`` is the whole response."""
        return self.place_in(self.response(operation), value_path)

    def place_in(self, facts: Facts, value_path: str) -> Place:
        """Return where a path leads from a value."""
        known: tuple[str, ...] = ()
        for segment in value_path.split(".") if value_path else ():
            inner = self.reader.field(facts, segment)
            if inner is None:
                return Place(None, known, facts)
            facts = inner
            known = (*known, segment)
        return Place(facts, known, facts)

    def row(self, facts: Facts) -> Facts:
        """Return the facts of the elements of a list."""
        return self.reader.facts(facts.items)

    def field(self, row: Facts, name: str) -> Facts | None:
        """Return the facts of a property of a row; names joined by dots lead to inner ones. None if there is none."""
        found = self.reader.field(row, name)
        if found is None and "." in name:
            return self.place_in(row, name).facts
        return found


def read_api(path: str) -> Api:
    """Return the index of a file.

    Raises:
        OpenApiError: the file cannot be used.
    """
    references = References(path)
    return Api(references, read_operations(path, references))


_loaded: dict[str, Api] = {}


def load_api(path: str) -> Api:
    """Return the index of a file, which is kept until one of its files changes.

    Raises:
        OpenApiError: the file cannot be used.
    """
    api = _loaded.get(path)
    if api is None or not api.is_current:
        api = read_api(path)
        _loaded[path] = api
    return api
