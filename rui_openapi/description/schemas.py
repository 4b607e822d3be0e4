"""What a schema of OpenAPI 3.0 or 3.1 states about a value: its types, properties, elements and values.

A name exists if one alternative of `oneOf` or `anyOf`, or one part of `allOf`, has it. Where a schema states too
little, the facts are unknown, and no warning is derived from them.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from rui_common.json_values import as_list, as_object
from rui_common.suggest import edit_distance, nearest
from rui_openapi.reading.references import Located, References

MAX_WORK = 2_000
"""Schemas that are read for one value; beyond, its facts are unknown. A hostile description has many such values."""

MAX_EXAMPLES = 20  # examples of one value that are kept
MAX_DEPTH = 60  # levels of `allOf`, `oneOf` and references that are followed for one value
MIN_MISSPELT = 5  # length from which an unlisted property of an open object may be a misspelt one

NULL = "null"
_TYPE_OF = {
    bool: "boolean", int: "number", float: "number", str: "string", dict: "object", list: "array", type(None): NULL,
}  # fmt: skip
_SCALARS = frozenset({"boolean", "number", "string"})


class Facts(NamedTuple):
    """The known facts about a value."""

    # its JSON types without null, ``number`` for integers, too; None if it can have any type
    types: frozenset[str] | None = None
    # name → the schemas of that property
    properties: dict[str, tuple[Located, ...]] = {}  # noqa: RUF012  never changed
    others: tuple[Located, ...] = ()  # the schemas of properties with any other name
    is_open: bool = False  # whether an object may have other properties, of which there is no schema
    items: tuple[Located, ...] = ()  # the schemas of the elements of a list
    values: tuple[object, ...] | None = None  # the only values, without null; None if there is no fixed set
    formats: frozenset[str] | None = None  # the formats of strings; None if one alternative has no format
    doc: str = ""  # the description of the schema, or ``""``
    examples: tuple[object, ...] = ()  # the examples of the schema and its parts

    @property
    def is_unknown(self) -> bool:
        return self.types is None

    @property
    def has_unlisted(self) -> bool:
        """Whether the value may be an object with properties of which there is no schema."""
        if self.types is None or self.is_open:
            return True
        return "object" in self.types and not self.properties and not self.others

    @property
    def may_be_scalar(self) -> bool:
        """Whether the value may be a string, a number or a boolean."""
        return self.types is None or not self.types.isdisjoint(_SCALARS)

    @property
    def may_be_list(self) -> bool:
        return self.types is None or "array" in self.types

    def inner(self, name: str) -> tuple[Located, ...]:
        """Return the schemas of a property, or of the element of a list with a number as its name."""
        if name in self.properties:
            return self.properties[name]
        is_element = self.types is not None and "array" in self.types and name.isdecimal()
        if self.others or self.has_unlisted or not is_element:
            return self.others
        return self.items

    def type_text(self) -> str:
        """Return the types in words, such as ``a string or a number``."""
        if self.types is None:
            return "any value"
        words = {"array": "a list", "object": "an object"}
        return " or ".join(words.get(name, f"a {name}") for name in sorted(self.types)) or "null"


UNKNOWN = Facts()


class SchemaReader:
    """Computes the facts of schemas, each once."""

    def __init__(self, references: References) -> None:
        self._references = references
        self._facts: dict[tuple[int, ...], Facts] = {}
        self._active: set[int] = set()
        self._work = 0

    def facts(self, schemas: tuple[Located, ...]) -> Facts:
        """Return the facts of a value with any one of the schemas; unknown without a schema."""
        key = tuple([id(schema.value) for schema in schemas])
        if key not in self._facts:
            self._work = MAX_WORK
            found = _join([self._read(schema) for schema in schemas])
            if self._work < 0:
                found = UNKNOWN
            self._facts[key] = found
        return self._facts[key]

    def field(self, facts: Facts, name: str) -> Facts | None:
        """Return the facts of a property, or of the element of a list with a number as its name; None without it."""
        if facts.types is None:
            return UNKNOWN
        schemas = facts.inner(name)
        if schemas:
            return self.facts(schemas)
        if facts.has_unlisted:
            if _is_misspelt(name, facts.properties):
                return None
            return UNKNOWN
        if "array" in facts.types and name.isdecimal():
            return UNKNOWN
        return None

    def _read(self, schema: Located) -> Facts | None:
        """Return the facts of one schema; None if it is only reached through itself."""
        self._work -= 1
        if self._work < 0 or len(self._active) > MAX_DEPTH:
            self._work = -1
            return UNKNOWN
        value = schema.value
        if not isinstance(value, dict):
            return UNKNOWN
        if id(value) in self._active:
            return None
        self._active.add(id(value))
        parts = [self._read(part) for part in self._parts(value, schema.base)]
        for keyword in ("oneOf", "anyOf"):
            alternatives = [self._read(inner) for inner in _schemas(value.get(keyword), schema.base)]
            if alternatives:
                parts.append(_join(alternatives))
        self._active.discard(id(value))
        facts = _meet([_own_facts(value, schema.base), *parts])
        if facts.is_unknown and None in parts:
            return None
        return facts

    def _parts(self, value: dict[str, object], base: str) -> Iterator[Located]:
        """Yield the schemas that hold in addition to a schema's own keywords."""
        reference = value.get("$ref")
        if isinstance(reference, str):
            yield self._references.target(reference, base) or Located(True, base)
        yield from _schemas(value.get("allOf"), base)
        yield from _schemas([value.get("then"), value.get("else")], base)


def _is_misspelt(name: str, names: Iterable[str]) -> bool:
    """Return whether a name that may exist differs from a listed one in a letter, other than that of a plural."""
    match = nearest(name, names)
    if len(name) < MIN_MISSPELT or match is None or match.removesuffix("s") == name.removesuffix("s"):
        return False
    return edit_distance(name.lower(), match.lower()) <= 1


def _schemas(values: object, base: str) -> tuple[Located, ...]:
    """Return the schemas in a list; `false` allows no value and is left out."""
    return tuple(Located(value, base) for value in as_list(values) if isinstance(value, dict) or value is True)


def _own_facts(value: dict[str, object], base: str) -> Facts:
    named = as_object(value.get("properties")).items()
    properties: dict[str, tuple[Located, ...]] = {
        name: (Located(inner, base),) for name, inner in named if inner is not False
    }
    additional = value.get("additionalProperties", value.get("unevaluatedProperties"))
    others = [additional, *as_object(value.get("patternProperties")).values()]
    located_others = _schemas([inner for inner in others if isinstance(inner, dict) and inner], base)
    elements = value.get("items")
    items = _schemas([elements, *as_list(elements), *as_list(value.get("prefixItems"))], base)
    values = _values(value)
    types = _declared_types(value)
    if types is None and values is not None:
        types = frozenset(_TYPE_OF.get(type(value), "object") for value in values)
    elif types is None and (properties or located_others):
        types = frozenset(("object",))
    elif types is None and items:
        types = frozenset(("array",))
    is_discriminated = "discriminator" in value and "oneOf" not in value and "anyOf" not in value
    is_open = additional is True or additional == {} or is_discriminated
    form = value.get("format")
    formats = frozenset((form,)) if isinstance(form, str) else None
    doc = next((text for text in (value.get("description"), value.get("title")) if isinstance(text, str)), "")
    examples = ([value["example"]] if "example" in value else []) + as_list(value.get("examples"))
    return Facts(types, properties, located_others, is_open, items, values, formats, doc, tuple(examples))


def _declared_types(value: dict[str, object]) -> frozenset[str] | None:
    names = [name for name in [value.get("type"), *as_list(value.get("type"))] if isinstance(name, str)]
    types = {"number" if name == "integer" else name for name in names}
    if not types:
        return None
    return frozenset(types - {NULL})


def _values(value: dict[str, object]) -> tuple[object, ...] | None:
    allowed = [value["const"]] if "const" in value else value.get("enum")
    if not isinstance(allowed, list):
        return None
    return tuple(value for value in allowed if value is not None)


def _meet(parts: Iterable[Facts | None]) -> Facts:
    """Return the facts of a value to which all parts apply. A contradiction is read as either of them."""
    known = [part for part in parts if part is not None]
    types: frozenset[str] | None = None
    values: tuple[object, ...] | None = None
    for part in known:
        if types is None:
            types = part.types
        elif part.types is not None:
            types = types & part.types or types | part.types
        if values is None:
            values = part.values
        elif part.values is not None:
            values = tuple(value for value in values if value in part.values) or values
    formats = next((part.formats for part in known if part.formats), None)
    doc = next((part.doc for part in known if part.doc), "")
    is_open = any(part.is_open for part in known)
    return _merged(known)._replace(types=types, is_open=is_open, values=values, formats=formats, doc=doc)


def _join(alternatives: Iterable[Facts | None]) -> Facts:
    """Return the facts of a value to which one of several applies; None, and null among others, is left out."""
    found = [facts for facts in alternatives if facts is not None]
    known = [facts for facts in found if facts.types != frozenset()] or found
    if len(known) == 1:
        return known[0]
    types: set[str] = set()
    values: dict[str, object] = {}
    formats: set[str] = set()
    for facts in known:
        if facts.types is None:
            return UNKNOWN._replace(examples=_examples(known))
        types.update(facts.types)
        values.update((repr(value), value) for value in facts.values or ())
        formats.update(facts.formats or ())
    if not known:
        return UNKNOWN
    return _merged(known)._replace(
        types=frozenset(types),
        is_open=any(facts.has_unlisted for facts in known),
        values=tuple(values.values()) if all(facts.values is not None for facts in known) else None,
        formats=frozenset(formats) if all(facts.formats for facts in known) else None,
        doc=known[0].doc,
    )


def _merged(known: Iterable[Facts]) -> Facts:
    """Return the schemas of the properties and elements of all facts."""
    properties: dict[str, tuple[Located, ...]] = {}
    for facts in known:
        for name, schemas in facts.properties.items():
            properties[name] = _unique([properties.get(name, ()), schemas])
    others = _unique(facts.others for facts in known)
    items = _unique(facts.items for facts in known)
    return Facts(properties=properties, others=others, items=items, examples=_examples(known))


def _examples(known: Iterable[Facts]) -> tuple[object, ...]:
    return tuple([example for facts in known for example in facts.examples][:MAX_EXAMPLES])


def _unique(groups: Iterable[tuple[Located, ...]]) -> tuple[Located, ...]:
    return tuple({id(schema.value): schema for group in groups for schema in group}.values())
