"""A digest of a description: what comparing needs of it, made in one process for another one.

GitHub's description takes half a second of `json.loads`, which a language server cannot spend between two key strokes,
and 150 MB of memory. Its digest takes 1 MB; each schema in it is decoded when it is first used.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from typing import Any, NamedTuple

from rui_openapi.description.api import Api, load_api
from rui_openapi.description.operations import Operation
from rui_openapi.reading.files import Version
from rui_openapi.reading.located import Located

MAX_DEPTH = 100
"""Levels of schemas in each other that are kept; deeper ones are unknown."""

MAX_BYTES = 32 * 1024 * 1024
"""Size of all schemas that are kept; further ones are unknown."""

MAX_DOC = 400
"""Characters of a description that are kept."""

_PLAIN = ("$ref", "type", "format", "enum", "const", "title")
_DOC = "description"
_FLAG = "discriminator"
_SCHEMAS = ("additionalProperties", "unevaluatedProperties", "items", "then", "else")
_LISTS_OF_SCHEMAS = ("allOf", "oneOf", "anyOf", "prefixItems", "items")
_MAPS_OF_SCHEMAS = ("properties", "patternProperties")


class Target(NamedTuple):
    """What a reference leads to.

    Attributes:
        number: the index of the schema.
        base: the URI of its file.
    """

    number: int
    base: str


class Digest(NamedTuple):
    """A digest, which can be pickled.

    Attributes:
        name: the name of the file.
        versions: its files and their versions when they were read.
        problems: a sentence for each reference that could not be resolved.
        operations: its operations; the schema of each is a reference.
        targets: base and reference → the schema, or None.
        schemas: each schema, pickled.
    """

    name: str
    versions: dict[str, Version | None]
    problems: list[str]
    operations: list[Operation]
    targets: dict[tuple[str, str], Target | None]
    schemas: list[bytes]


class DigestReferences:
    """What the references of a digest lead to.

    Attributes:
        versions: the files of the description and their versions when they were read.
        problems: a sentence for each reference that could not be resolved.
    """

    def __init__(self, digest: Digest) -> None:
        self.versions = digest.versions
        self.problems = digest.problems
        self._targets = digest.targets
        self._schemas = digest.schemas
        self._values: dict[int, Any] = {}

    def target(self, reference: str, base: str) -> Located | None:
        """Return the value that one reference leads to, or None."""
        target = self._targets.get((base, reference))
        if target is None:
            return None
        if target.number not in self._values:
            self._values[target.number] = pickle.loads(self._schemas[target.number])  # noqa: S301  from `make_digest`
        return Located(self._values[target.number], target.base)


def api_from(digest: Digest) -> Api:
    """Return the index of a digest."""
    return Api(digest.name, DigestReferences(digest), digest.operations)


def digest_of(path: str) -> Digest:
    """Return the digest of a file.

    Raises:
        OpenApiError: the file cannot be used.
    """
    return make_digest(load_api(path))


def make_digest(api: Api) -> Digest:
    """Return the digest of an index that was read from a file."""
    maker = _Maker(api)
    operations = [maker.operation(operation) for operation in api.operations.values()]
    maker.add_pending()
    return Digest(api.name, dict(api.versions), list(api.problems), operations, maker.targets, maker.schemas)


class _Maker:
    """Collects the schemas that operations lead to."""

    def __init__(self, api: Api) -> None:
        self._references = api.references
        self._numbers: dict[int, int] = {}
        self._pending: list[Located] = []
        self._kept: dict[int, dict[str, object]] = {}
        self._size = 0
        self.targets: dict[tuple[str, str], Target | None] = {}
        self.schemas: list[bytes] = []

    def operation(self, operation: Operation) -> Operation:
        """Return an operation whose schema is a reference."""
        schema = operation.schema
        doc = shortened(operation.doc)
        if schema is None:
            return operation._replace(located=None, doc=doc)
        target = self._target(schema)
        reference = f"rui:{target.number}"
        self.targets[target.base, reference] = target
        return operation._replace(located=None, doc=doc, schema=Located({"$ref": reference}, target.base))

    def add_pending(self) -> None:
        """Add all schemas that the ones so far lead to."""
        while len(self.schemas) < len(self._pending):
            located = self._pending[len(self.schemas)]
            schema = b""
            if self._size < MAX_BYTES:
                schema = pickle.dumps(self._schema(located.value, located.base, 0), pickle.HIGHEST_PROTOCOL)
            self._size += len(schema)
            self.schemas.append(schema or pickle.dumps({}))

    def _target(self, located: Located) -> Target:
        key = id(located.value)
        if key not in self._numbers:
            self._numbers[key] = len(self._pending)
            self._pending.append(located)
        return Target(self._numbers[key], located.base)

    def _schema(self, value: object, base: str, depth: int) -> object:
        """Return the kept parts of a schema. An alias in YAML gives the same object each time."""
        if not isinstance(value, dict):
            return value if isinstance(value, bool) else True
        if depth > MAX_DEPTH:
            return {}
        if id(value) in self._kept:
            return self._kept[id(value)]
        kept: dict[str, object] = {}
        self._kept[id(value)] = kept
        kept.update({name: value[name] for name in _PLAIN if name in value})
        if isinstance(value.get(_DOC), str):
            kept[_DOC] = shortened(value[_DOC])
        if _FLAG in value:
            kept[_FLAG] = True
        kept.update(self._inner(value, base, depth + 1))
        self._add_reference(kept.get("$ref"), base)
        return kept

    def _inner(self, value: dict[str, Any], base: str, depth: int) -> Iterator[tuple[str, object]]:
        for name in _SCHEMAS:
            if isinstance(value.get(name), dict | bool):
                yield name, self._schema(value[name], base, depth)
        for name in _LISTS_OF_SCHEMAS:
            if isinstance(value.get(name), list):
                yield name, [self._schema(inner, base, depth) for inner in value[name]]
        for name in _MAPS_OF_SCHEMAS:
            if isinstance(value.get(name), dict):
                yield name, {str(key): self._schema(inner, base, depth) for key, inner in value[name].items()}

    def _add_reference(self, reference: object, base: str) -> None:
        if not isinstance(reference, str) or (base, reference) in self.targets:
            return
        located = self._references.target(reference, base)
        self.targets[base, reference] = None if located is None else self._target(located)


def shortened(doc: str) -> str:
    """Return the first paragraph of a description, or as much of it as is kept."""
    first = doc.strip().partition("\n\n")[0]
    if len(first) <= MAX_DOC:
        return first
    return first[: MAX_DOC - 1].rstrip() + "…"
