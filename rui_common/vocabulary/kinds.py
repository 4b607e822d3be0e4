"""The kinds of value: one class each, with everything that depends on the kind."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import KW_ONLY, dataclass
from typing import Any

from rui_common.json_values import JsonObject
from rui_common.vocabulary.rules import PLANNED, WRONG_TYPE
from rui_common.vocabulary.schema import (
    Correction,
    Kind,
    Mismatch,
    OtherValue,
    ScalarType,
    Shape,
    Symbol,
    Violation,
    Vocabulary,
)

# No class contains the bracket that a step begins with, so that the search takes linear time.
_QUOTED_STEP = re.compile(r"\[\s*(['\"])([^'\"\[\]]*)\1\s*\]")
_INDEX = re.compile(r"\[\s*([0-9]+)\s*\]")
_STEP = re.compile(r"\[[^\[\]]*\]|^\$")
_BEFORE_PATH = re.compile(r"\AGET\s+\Z|[{}$<>]|:[0-9]+\Z", re.IGNORECASE)
"""What stands before the first slash, and is no part of a path: the method, a template, or a host with its port."""


@dataclass(eq=False)
class TextKind(Kind):
    """A string, optionally with a pattern and a maximum length."""

    json_type = "string"
    word = "a string"
    # regular expression for the whole string, in the syntax that Python and ECMA-262 share, or None
    pattern: str | None = None
    _: KW_ONLY
    rule: str = WRONG_TYPE  # number of the rule that a malformed or too long string breaks
    form: str = ""  # description of the pattern, for the hint
    sample: str = ""  # how a signature writes a value, or ``""``
    max_length: int | None = None  # maximum number of characters, or None

    def __post_init__(self) -> None:
        self.is_free_text = self.pattern is None
        self._is_any_text = self.pattern is None and self.max_length is None
        # `re.fullmatch` of `pattern`, or None without a pattern
        self.matches = re.compile(self.pattern).fullmatch if self.pattern else None
        if not self._is_any_text:
            self.breaks = {**self.breaks, "form": self.rule}
        self.scalar_type = ScalarType(str, {} if self.max_length is None else {"max_length": self.max_length})

    def fits(self, text: str) -> bool:
        if self.max_length is not None and len(text) > self.max_length:
            return False
        return self.matches is None or self.matches(text) is not None

    def notation(self) -> str:
        return self.json_type

    def json_schema(self, reference: Callable[[Shape], str]) -> JsonObject:
        schema: JsonObject = {"type": "string"}
        if not self.fits(""):
            schema["minLength"] = 1
        if self.max_length is not None:
            schema["maxLength"] = self.max_length
        if self.pattern is not None:
            schema["pattern"] = self.pattern
        return schema

    def violation(self, value: object) -> Violation | None:
        if not isinstance(value, str):
            return Violation(Mismatch.WRONG_TYPE, WRONG_TYPE, self.word)
        if self.fits(value):
            return None
        return Violation(Mismatch.MALFORMED, self.rule, self.form)

    def corrections(self, value: object, example: object) -> Iterator[Correction]:
        if not isinstance(value, str) or not isinstance(example, str) or not example:
            return
        forms = [(text, True) for text in _certain_normalizations(value, example)]
        forms += [(text, False) for text in _possible_normalizations(value, example)]
        for text, is_certain in forms:
            if text and text != value and self.fits(text):
                yield text, is_certain

    def accepts(self, value: object) -> bool:
        return isinstance(value, str) and (self._is_any_text or self.fits(value))

    def typed_test(self) -> Callable[[Any], object] | None:
        """Return the test of the pattern, if a subclass does not test strings in another way."""
        kind = type(self)
        if kind.accepts is TextKind.accepts and kind.fits is TextKind.fits:
            return self.matches
        return self.accepts

    def coerce(self, value: object, source_text: str) -> object:
        is_number = isinstance(value, int | float)
        if is_number and self.fits(source_text):
            return source_text
        return None

    def completions(self, example: object) -> tuple[object, ...]:
        """Return no values: an author seldom wants the text of the example."""
        return ()


def _certain_normalizations(text: str, example: str) -> Iterator[str]:
    """Yield corrections that are certain if they match: the string has no other reading.

    The first punctuation mark of the valid `example` may be missing in a text that has the mark later.
    """
    stripped = text.strip()
    yield stripped
    if stripped.startswith("$."):
        yield stripped[2:]
    mark = example[:1]
    if mark.isalnum() and not re.search(r"(^|/)[0-9]+(/|$)", stripped):
        yield stripped.strip("/").replace("/", ".")  # a JSON Pointer without an index
        yield stripped.strip(".")
    first_segment, separator, _ = stripped.partition(mark)
    # A first segment with a dot or a colon is a host or a relative path.
    is_word = first_segment.replace("-", "").replace("_", "").isalnum()
    if is_word and separator and not mark.isalnum() and not any(letter.isspace() for letter in stripped):
        yield mark + stripped


def _possible_normalizations(text: str, example: str) -> Iterator[str]:
    """Yield corrections that may lose a part of the string, such as a host or a wildcard."""
    stripped = text.strip()
    dotted = _INDEX.sub(r".\1", _QUOTED_STEP.sub(r".\2", stripped))
    yield _STEP.sub("", dotted).strip(".")
    mark = example[:1]
    if mark.isalnum():
        yield dotted.lstrip("#").strip("/").replace("/", ".")  # a JSON Pointer
        return
    _, separator, address = stripped.partition("://")
    if separator:
        yield mark + address.partition(mark)[2]
        return
    first, separator, rest = stripped.partition(mark)
    if not separator:
        return
    if _BEFORE_PATH.search(first):
        yield mark + rest
    elif not any(letter.isspace() for letter in first):  # words, or another method
        yield mark + stripped.lstrip("." + mark)


class EnumKind(Kind):
    """One of a few strings."""

    json_type = "string"
    word = "a string"

    def __init__(
        self,
        values: tuple[str, ...],
        rule: str,
        planned: Mapping[str, str],
        other_values: Mapping[str, OtherValue] | None = None,
    ) -> None:
        self.values = values  # the strings, in the order of completion
        self.rule = rule  # number of the rule that any other value breaks, regardless of its type
        self.planned = planned  # strings of a later version, each with its description
        self.other_values = other_values or {}  # strings of other systems, each with what it is here
        self.scalar_type = ScalarType(str, {}, values)
        self.breaks = {"value": rule}
        if planned:
            self.breaks["planned"] = PLANNED

    def notation(self) -> str:
        return " | ".join(f'"{value}"' for value in self.values)

    def json_schema(self, reference: Callable[[Shape], str]) -> JsonObject:
        if len(self.values) == 1:
            return {"const": self.values[0]}
        return {"enum": list(self.values)}

    def violation(self, value: object) -> Violation | None:
        if value in self.values:
            return None
        return Violation(Mismatch.NOT_ALLOWED, self.rule, "", self.values)

    def accepts(self, value: object) -> bool:
        return value in self.values

    def typed_test(self) -> None:
        return None

    def default(self, example: object) -> object:
        if example in self.values:
            return example
        return self.values[0]

    def completions(self, example: object) -> tuple[object, ...]:
        return self.values


class _Container(Kind):
    """Objects or arrays. Only their type is examined here; the validator examines the values in them."""

    python_type: type = dict
    json_type = "object"
    word = "an object"

    def violation(self, value: object) -> Violation | None:
        if isinstance(value, self.python_type):
            return None
        return Violation(Mismatch.WRONG_TYPE, WRONG_TYPE, self.word)


class ObjectKind(_Container):
    """An object of one shape."""

    def __init__(self, shape: Shape) -> None:
        self.shape = shape
        self.inner_shapes = (shape,)
        self.breaks = self.breaks | {f"missing:{name}": shape.props[name].missing for name in shape.tightened}

    def shape_of(self, value: dict[str, object], vocabulary: Vocabulary) -> Shape | None:
        return self.shape

    def notation(self) -> str:
        tightened = self.shape.tightened
        if not tightened:
            return self.shape.name
        return f"{self.shape.name} with {', '.join(tightened)}"

    def json_schema(self, reference: Callable[[Shape], str]) -> JsonObject:
        schema: JsonObject = {"$ref": reference(self.shape)}
        if self.shape.tightened:
            # `$ref` states the type, too; strict validators, such as ajv, want it beside `required`.
            schema |= {"type": "object", "required": self.shape.tightened}
        return schema


class NodeKind(_Container):
    """A node of one of several shapes, which its ``type`` selects."""

    def __init__(
        self,
        *shapes: Shape,
        child: str,
        nested: Mapping[str, str] | None = None,
        at_type: bool = False,
        defines: Symbol | None = None,
    ) -> None:
        self.shapes = shapes
        self.inner_shapes = shapes
        self.types = {shape.name: shape for shape in shapes}  # the allowed shapes by ``type``
        # types of other systems, each with what it is here; the first shape counts
        self.other_values = {word: OtherValue(shape.name) for shape in reversed(shapes) for word in shape.others.types}
        self.child = child  # number of the rule that a node of another type, or a value that is no object, breaks
        self.nested = nested or {}  # rules for particular types, by type; they take precedence over `child`
        self.at_type = at_type  # whether a node of another type is reported at its ``type`` rather than at the node
        self.defines = defines  # a symbol that the ``id`` of every node defines here, regardless of its type
        self.breaks = {"child": child, "planned": PLANNED}
        self.breaks |= {f"child:{name}": rule for name, rule in self.nested.items()}
        if defines is not None and defines.unused:
            self.breaks["unused"] = defines.unused

    def shape_of(self, value: dict[str, object], vocabulary: Vocabulary) -> Shape | None:
        """Return the shape by which a node is read, which may be one that is not allowed here.

        A node of a planned type has none, nor has one with an unusable type that no allowed shape fits.
        """
        node_type = value.get("type")
        if isinstance(node_type, str):
            if node_type in vocabulary.nodes:
                return vocabulary.nodes[node_type]
            if node_type in vocabulary.planned:
                return None
        return self.shape_by_properties(value)

    def shape_by_properties(self, value: dict[str, object]) -> Shape | None:
        """Return the only shape that has all properties of `value` and requires no others, if there is one."""
        names = value.keys() - {"type"}
        shapes = [shape for shape in self.shapes if {*shape.required} - {"type"} <= names <= shape.props.keys()]
        if len(shapes) == 1:
            return shapes[0]
        return None

    def notation(self) -> str:
        names = " | ".join(self.types)
        if len(self.shapes) > 1:
            return f"({names})"
        return names

    def json_schema(self, reference: Callable[[Shape], str]) -> JsonObject:
        schemas: list[JsonObject] = [{"$ref": reference(shape)} for shape in self.shapes]
        if len(schemas) == 1:
            return schemas[0]
        return {"anyOf": schemas}

    def violation(self, value: object) -> Violation | None:
        if isinstance(value, dict):
            return None
        return Violation(Mismatch.WRONG_TYPE, self.child, self.word, tuple(self.types))


class ListKind(_Container):
    """An array."""

    python_type = list
    json_type = "array"
    word = "an array"

    def __init__(self, items: Kind, *, at_least: int = 1, at_most: int | None = None, rule: str = WRONG_TYPE) -> None:
        self.items = items
        self.inner_shapes = items.inner_shapes
        self.defines = items.defines
        self.at_least = at_least  # minimum number of elements
        self.at_most = at_most  # maximum number of elements, or None
        self.rule = rule  # number of the rule that an array with too few or too many elements breaks
        # the number of elements in words; ``""`` if only an empty array is wrong, as everywhere (`signatures.MARKS`)
        self.length = _length(at_least, at_most)
        if self.length:
            self.form = f"an array of {self.length}"
        if at_least:
            self.breaks = {**self.breaks, "empty": rule}
        if at_least > 1 or at_most is not None:
            self.breaks = {**self.breaks, "length": rule}
        if isinstance(items, NodeKind):
            self.breaks = self.breaks | items.breaks

    def allows(self, count: int) -> bool:
        """Return whether an array may have this number of elements."""
        return self.at_least <= count and (self.at_most is None or count <= self.at_most)

    def notation(self) -> str:
        return f"{self.items.notation()}[]"

    def json_schema(self, reference: Callable[[Shape], str]) -> JsonObject:
        schema: JsonObject = {"type": "array"}
        if self.at_least:
            schema["minItems"] = self.at_least
        if self.at_most is not None:
            schema["maxItems"] = self.at_most
        return schema | {"items": self.items.json_schema(reference)}


def _length(at_least: int, at_most: int | None) -> str:
    """Return a number of elements in words, such as ``2 to 12 elements``; ``""`` for at least one."""
    if at_most is None:
        words = {0: "any number of elements", 1: ""}
        return words.get(at_least, f"at least {at_least} elements")
    if at_least == at_most:
        return f"{at_least} element{'s' if at_least > 1 else ''}"
    return f"{at_least} to {at_most} elements"
