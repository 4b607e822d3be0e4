"""An OpenAPI description: its operations by path, and the facts of their responses."""

from collections.abc import Iterable, Iterator
from functools import lru_cache

from rui_common.json_values import as_object
from rui_openapi.description.operations import Operation, read_operations
from rui_openapi.description.path_index import PathIndex
from rui_openapi.description.schemas import UNKNOWN, Facts, SchemaReader
from rui_openapi.reading.references import Located, References

MAX_CACHED = 10_000  # paths of which the operation is kept: an edit looks up all paths of a document
MAX_VISITED = 400  # values of a response that are listed
MAX_LEVELS = 4  # levels below the root of a response that are listed


class Api:
    """The index of a description."""

    def __init__(self, references: References, operations: Iterable[Operation]) -> None:
        self.references = references  # what its references lead to
        self.reader = SchemaReader(references)  # the reader of its schemas
        # path template → GET operation, in the order of the file
        self.operations = {operation.path: operation for operation in operations}
        # returns the operation for the path of a binding, or the path that is probably meant
        self.find = lru_cache(MAX_CACHED)(PathIndex(self.operations.values()).find)

    def __reduce__(self) -> tuple[object, ...]:
        """Return the state for pickle: operations, and the targets of the references in their responses."""
        operations = [*self.operations.values()]
        self.references.resolve_all(operation.body for operation in operations if operation.body is not None)
        return Api, (self.references, operations)

    def operation(self, path: str) -> Operation | None:
        """Return the operation for the path of a binding; None without one, or if another path is probably meant."""
        return self.find(path).operation

    def response(self, operation: Operation | None) -> Facts:
        """Return the facts of the successful JSON response of an operation; unknown without a schema."""
        if operation is None or operation.schema is None:
            return UNKNOWN
        return self.reader.facts((operation.schema,))

    def response_examples(self, operation: Operation, path: str) -> Iterator[object]:
        """Yield the values at a path of names in the examples of a response: first its own, then those of schemas."""
        if operation.body is None or operation.schema is None:
            return
        body = operation.body
        names = path.split(".") if path else []
        unnamed = [Located({"value": body.value["example"]}, body.base)] if "example" in body.value else []
        named = as_object(body.value.get("examples")).values()
        for located in (*unnamed, *(self.references.resolve(body._replace(value=example)) for example in named)):
            if located is not None and "value" in as_object(located.value):  # An `externalValue` is not read.
                yield from values_inside(located.value["value"], names)
        yield from self.examples((operation.schema,), names)

    def examples(self, schemas: tuple[Located, ...], names: list[str]) -> Iterator[object]:
        """Yield the values at a path of names in the examples of schemas, the outermost first, then the first value."""
        facts = UNKNOWN
        for index in range(len(names) + 1):
            facts = self.reader.facts(schemas)
            for example in facts.examples:
                yield from values_inside(example, names[index:])
            if index < len(names):
                schemas = facts.inner(names[index])
        yield from (facts.values or ())[:1]

    def follow(self, facts: Facts, path: str) -> tuple[Facts, list[str]]:
        """Return the last value on a path of names that exists, and the names after it; ``""`` is the value itself."""
        names = path.split(".") if path else []
        for index, name in enumerate(names):
            inner = self.reader.field(facts, name)
            if inner is None:
                return facts, names[index:]
            facts = inner
        return facts, []

    def value(self, facts: Facts, path: str) -> Facts | None:
        """Return the facts of the value at a path of names; None if there is none."""
        found, rest = self.follow(facts, path)
        if rest:
            return None
        return found

    def values_in(self, root: Facts) -> Iterator[tuple[str, Facts]]:
        """Yield the values that a path of names can select, level by level, each with its path."""
        pending = [("", root)]
        visited = 0
        for _ in range(MAX_LEVELS):
            found = []
            for path, facts in pending:
                for name, schemas in facts.properties.items():
                    visited += 1
                    if visited > MAX_VISITED:
                        return
                    inner = (f"{path}.{name}" if path else name, self.reader.facts(schemas))
                    yield inner
                    found.append(inner)
            pending = found

    def row(self, facts: Facts) -> Facts:
        """Return the facts of the elements of a list."""
        return self.reader.facts(facts.items)

    def field(self, row: Facts, name: str) -> Facts | None:
        """Return the facts of a property of a row; names joined by dots lead to inner ones. None if there is none."""
        found = self.reader.field(row, name)
        if found is None and "." in name:
            return self.value(row, name)
        return found


def values_inside(value: object, names: list[str]) -> Iterator[object]:
    """Yield the value at a path of names in a value, if there is one."""
    for name in names:
        if isinstance(value, dict) and name in value:
            value = value[name]
        elif isinstance(value, list) and name.isdecimal() and int(name) < len(value):
            value = value[int(name)]
        else:
            return
    yield value


def read_api(path: str, *, may_be_pipe: bool = False) -> Api:
    """Return the index of a file; it may be a pipe if the user has named it.

    Raises:
        OpenApiError: the file cannot be used.
    """
    references = References(path, may_be_pipe=may_be_pipe)
    return Api(references, read_operations(references))
