"""A JSON Schema for the structured output of language models.

It uses only what the large providers document for structured output: closed objects that require every property,
`enum`, `anyOf`, `$ref`, `$defs`, `pattern` and `minItems` up to 1. An absent property is a definition of its own
instead of null, which RUI does not allow. A document that satisfies the schema can have faults of references, of
uniqueness, of the form of strings and of the number of elements only.
"""

from collections import Counter
from itertools import product

from rui_common.json_values import JsonObject
from rui_common.vocabulary.kinds import EnumKind, ListKind, NodeKind, ObjectKind, TextKind
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_common.vocabulary.schema import Kind, Prop, Role, Shape, reachable

MAX_PATTERN_LENGTH = 30
"""Longer patterns are left out: grammar engines compile them slowly, and validation reports what they exclude."""


def structured_schema() -> JsonObject:
    """Return the schema of a document for structured output: without whitespace, 1 KB, and one for each block type."""
    variants: dict[str, list[Prop]] = {}
    for shape in reachable(VOCABULARY.root):
        variants |= _variants(shape)
    uses = Counter(name for props in variants.values() for prop in props for name in _names_in(prop.kind))
    writer = _Writer(variants, {name for name, count in uses.items() if count > 1})
    root = writer.object(VOCABULARY.root.name)
    objects = {name: writer.object(name) for name in sorted(writer.shared)}
    return {**root, "$defs": objects | writer.names}


def _variants(shape: Shape) -> dict[str, list[Prop]]:
    """Return the sets of properties that objects of a shape may have, each with the name of its definition."""
    variants: dict[str, list[Prop]] = {}
    # A model cannot know the id of a stored spec.
    props = [prop for prop in shape.all_props if prop.role is not Role.REPLACES]
    for absent in product(*[(None, prop) for prop in props if not _is_always_present(prop)]):
        left_out = "".join(f"Without{prop.name[0].upper()}{prop.name[1:]}" for prop in absent if prop is not None)
        variants[shape.name + left_out] = [prop for prop in props if prop not in absent]
    return variants


def _is_always_present(prop: Prop) -> bool:
    """Return whether every draft can have the property: it is required, text for people, or an enum."""
    return prop.required or prop.is_free_text or bool(prop.kind.values)


def _names_in(kind: Kind) -> list[str]:
    return [name for shape in kind.inner_shapes for name in _variants(shape)]


class _Writer:
    """Writes schemas. Objects that are used in several places are references, others are written where they are used.

    Strings that signatures name, such as ``ID``, are references too: every node has one.
    """

    def __init__(self, variants: dict[str, list[Prop]], shared: set[str]) -> None:
        self._variants = variants
        self.shared = shared  # the names of the objects that are references
        self.names: dict[str, JsonObject] = {}  # the schemas of such strings so far, by name

    def object(self, name: str) -> JsonObject:
        props = self._variants[name]
        return {
            "type": "object",
            "properties": {prop.name: self._value(prop.kind) for prop in props},
            "required": [prop.name for prop in props],
            "additionalProperties": False,
        }

    def _value(self, kind: Kind) -> JsonObject:
        if isinstance(kind, ListKind):
            # A larger minimum, or a maximum, is not documented by all providers.
            return {"type": "array", "items": self._value(kind.items), "minItems": min(kind.at_least, 1)}
        if isinstance(kind, NodeKind | ObjectKind):
            schemas: list[JsonObject] = [
                {"$ref": f"#/$defs/{name}"} if name in self.shared else self.object(name) for name in _names_in(kind)
            ]
            return schemas[0] if len(schemas) == 1 else {"anyOf": schemas}
        if isinstance(kind, EnumKind):
            return {"type": "string", "enum": list(kind.values)}
        if isinstance(kind, TextKind) and kind.pattern is not None and len(kind.pattern) <= MAX_PATTERN_LENGTH:
            return self._text(kind)
        return {"type": kind.json_type}

    def _text(self, kind: TextKind) -> JsonObject:
        schema: JsonObject = {"type": "string", "pattern": kind.pattern}
        if not kind.sample.isidentifier():
            return schema
        self.names[kind.sample] = schema
        return {"$ref": f"#/$defs/{kind.sample}"}
