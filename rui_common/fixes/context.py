"""What the functions that find fixes share: the document, its names, and the declarations that a finding concerns."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence

from rui_common.editing.edits import set_value
from rui_common.editing.generate import ValueGenerator
from rui_common.editing.references import ReferenceIndex
from rui_common.editing.traversal import label_of
from rui_common.fixes.model import MAX_FIXES, Fix, fixes_from
from rui_common.json_values import as_object
from rui_common.syntax.document import Document
from rui_common.syntax.paths import Path, value_at
from rui_common.validation.wording import shorten
from rui_common.vocabulary.lookup import SchemaLocation, schema_location, shape_at
from rui_common.vocabulary.schema import Kind, Shape, Vocabulary


class FixContext:
    """A document in which fixes are searched.

    Attributes:
        document: the document.
        vocabulary: its vocabulary.
        names: the definitions and uses of its names.
    """

    def __init__(self, document: Document, vocabulary: Vocabulary) -> None:
        self.document = document
        self.vocabulary = vocabulary
        self.names = ReferenceIndex(document, vocabulary)
        self._counts: dict[Path, Counter[object]] = {}

    def value(self, path: Path) -> object:
        """The value at a path; None if there is none."""
        return value_at(self.document.value, path)

    def object_at(self, path: Path) -> dict[str, object]:
        """The object at a path; an empty one if there is none."""
        return as_object(self.value(path))

    def counts_at(self, path: Path) -> Counter[object]:
        """How often each property of the object at a path occurs."""
        if path not in self._counts:  # an object may have thousands, each with a finding
            self._counts[path] = Counter(member.step for member in self.document.members(path))
        return self._counts[path]

    def location(self, path: Path) -> SchemaLocation | None:
        """The declaration for a path."""
        return schema_location(self.document.value, path, self.vocabulary)

    def kind_at(self, path: Path) -> Kind | None:
        """The kind of value that is expected at a path."""
        location = self.location(path)
        if location is None:
            return None
        return location.kind

    def shape_at(self, path: Path) -> Shape | None:
        """The shape by which the object at a path is read."""
        return shape_at(self.document.value, path, self.vocabulary)

    def generator_at(self, path: Path) -> ValueGenerator:
        """A generator of values for the object or array at `path`."""
        return ValueGenerator(self.names, path)

    def description(self, path: Path) -> str:
        """A node or element in titles, by its label, id or number: ``Section "Today"``, ``page 2``."""
        value = self.value(path)
        shape = self.shape_at(path)
        name = "element" if shape is None else shape.name
        label = label_of(value, shape) or as_object(value).get("id")
        if isinstance(label, str) and label:
            return f"{name} {quote(label)}"
        if isinstance(path[-1], int):
            words = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower()
            return f"{words} {path[-1] + 1}"
        return name


def use_value(context: FixContext, path: Path, value: object, *, is_safe: bool = False) -> list[Fix]:
    """Set the value at a path."""
    return fixes_from(f"Use {quote(value)}", [set_value(context.document, path, value)], is_safe=is_safe)


def choices(
    context: FixContext, path: Path, values: Sequence[str], meant: str | None, *, is_safe: bool = True
) -> Iterator[Fix]:
    """Set the value that the one at a path is a misspelling of, if there is one, or another value."""
    if meant is not None:
        yield from use_value(context, path, meant, is_safe=is_safe)
    for value in values[:MAX_FIXES]:
        if value != meant:
            title = f"Use {quote(value)} instead of {quote(context.value(path))}"
            yield from fixes_from(title, [set_value(context.document, path, value)])


def quote(value: object) -> str:
    """A value as JSON in a title; long ones are cut."""
    return shorten(json.dumps(value, ensure_ascii=False))


def has_content(value: object) -> bool:
    """Whether a value contains text or objects, which a fix must not lose unasked."""
    if isinstance(value, str):
        return bool(value.strip())
    return isinstance(value, dict | list) and bool(value)
