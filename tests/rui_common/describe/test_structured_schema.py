"""The schema for structured output: its keywords, its size, and the documents that it accepts."""

import json
import random
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import llguidance
from jsonschema import Draft202012Validator

from rui_common.describe.structured_schema import MAX_PATTERN_LENGTH, structured_schema
from rui_common.problems.elements import WrongLength
from rui_common.validation.analysis import validate
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_common.vocabulary.rules import RULES
from tests.support.nightly import seeds
from tests.support.small import BLOCK_TYPES

SCHEMA = structured_schema()
TEXT = json.dumps(SCHEMA, separators=(",", ":"))
DOCUMENTED = {
    "type", "properties", "required", "additionalProperties", "items", "minItems", "enum", "pattern", "anyOf", "$ref",
    "$defs",
}  # fmt: skip
"""The keywords that all large providers document for structured output."""

STRUCTURAL = {
    "UNKNOWN_TYPE", "MISSING_REQUIRED_PROP", "INVALID_PROP_TYPE", "UNKNOWN_PROP", "EMPTY_PAGES", "EMPTY_NAVIGATION",
    "INVALID_PAGE_CHILD", "INVALID_SECTION_CHILD", "INVALID_NESTING", "EMPTY_PAGE", "EMPTY_SECTION", "VERSION_MISMATCH",
    "MISSING_BINDING", "MISSING_VALUE_PATH", "INVALID_BINDING", "PLANNED_NOT_SUPPORTED",
}  # fmt: skip
STRINGS = {
    "", "a", "a.b", "ü", "b-1", "c", "/", "/a?b=c",
    *(prop.example for _, prop in VOCABULARY.props if isinstance(prop.example, str)),
}  # fmt: skip


def schemas(schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield a schema and those in it."""
    yield schema
    parts = [*schema.get("properties", {}).values(), *schema.get("$defs", {}).values(), *schema.get("anyOf", [])]
    if "items" in schema:
        parts.append(schema["items"])
    for part in parts:
        yield from schemas(part)


def test_the_schema_is_small_closed_and_has_documented_keywords() -> None:
    Draft202012Validator.check_schema(SCHEMA)
    assert len(TEXT) < 1_024 * (1 + len(BLOCK_TYPES))  # 4 KB in version 0.1
    assert SCHEMA["type"] == "object"
    assert {keyword for schema in schemas(SCHEMA) for keyword in schema} <= DOCUMENTED
    for schema in schemas(SCHEMA):
        if schema.get("type") == "object":
            assert schema["additionalProperties"] is False
            assert schema["required"] == [*schema["properties"]]
        assert len(schema.get("pattern", "")) <= MAX_PATTERN_LENGTH


def test_an_object_that_is_used_twice_is_a_reference() -> None:
    objects = Counter(json.dumps(schema) for schema in schemas(SCHEMA) if schema.get("type") == "object")
    references = Counter(schema["$ref"] for schema in schemas(SCHEMA) if "$ref" in schema)
    shared = {name for name, schema in SCHEMA["$defs"].items() if schema["type"] == "object"}
    assert {*objects.values()} == {1}
    assert {name for name in shared if references[f"#/$defs/{name}"] < 2} == set()


def test_a_filter_without_options_can_be_written() -> None:
    """It is a free search."""
    filters = [schema for schema in schemas(SCHEMA) if "field" in schema.get("properties", {})]
    assert sorted("options" in schema["properties"] for schema in filters) == [False, True]


def test_a_grammar_engine_compiles_the_schema() -> None:
    grammar = llguidance.LLMatcher.grammar_from_json_schema(TEXT)
    assert llguidance.LLMatcher.validate_grammar(grammar) == ""


def test_generated_documents_have_no_structural_fault() -> None:
    types: set[str] = set()
    for seed in seeds(30):
        document = generated(SCHEMA, random.Random(seed))
        Draft202012Validator(SCHEMA).validate(document)
        # Providers do not document bounds but at least 1.
        findings = [
            finding
            for finding in validate(document).findings
            if not isinstance(finding, WrongLength) or finding.count == 0
        ]
        assert not {RULES[finding.rule].code for finding in findings} & STRUCTURAL
        types |= {*re.findall(r'"type": "(\w+)"', json.dumps(document))}
    assert types >= VOCABULARY.nodes.keys()


def generated(schema: dict[str, Any], chance: random.Random) -> Any:
    """Return a random value that satisfies a schema."""
    if "$ref" in schema:
        return generated(SCHEMA["$defs"][schema["$ref"].rpartition("/")[2]], chance)  # type: ignore[index]
    if "anyOf" in schema:
        return generated(chance.choice(schema["anyOf"]), chance)
    if "enum" in schema:
        return chance.choice(schema["enum"])
    if schema["type"] == "object":
        return {name: generated(part, chance) for name, part in schema["properties"].items()}
    if schema["type"] == "array":
        return [generated(schema["items"], chance) for _ in range(chance.randint(schema["minItems"], 3))]
    pattern = schema.get("pattern", "")
    return chance.choice([text for text in sorted(STRINGS) if re.search(pattern, text)])
