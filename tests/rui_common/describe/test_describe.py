"""The generated descriptions are complete, correct, and equal to the files in docs/."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from jsonschema.validators import extend

from rui_common.describe import (
    full_example,
    json_schema,
    minimal_example,
    vocabulary_payload,
)
from rui_common.describe.__main__ import generated_files, main
from rui_common.describe.examples import new_document_text
from rui_common.describe.markdown import MAX_LINE, lower_headings, numbered, pretty, snippet
from rui_common.describe.structured_schema import structured_schema
from rui_common.editing.normal_form import normalize
from rui_common.validation.analysis import validate
from rui_common.vocabulary.rui_0_1 import READ_BINDING, VOCABULARY
from rui_common.vocabulary.rules import RULES
from rui_common.vocabulary.schema import Role
from tests.support.strategies import mutants

ROOT = Path(__file__).parent.parent.parent.parent

# Every object of the payloads ---------------------------------------------------------------------------------------


def objects(value: object) -> Iterator[dict[str, object]]:
    """Yield all objects in a JSON value."""
    if isinstance(value, dict):
        yield value
        for inner in value.values():
            yield from objects(inner)
    if isinstance(value, list):
        for inner in value:
            yield from objects(inner)


def rules(document: dict[str, object]) -> list[str]:
    return [finding.rule for finding in validate(document).findings]


# Examples -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("make", [minimal_example, full_example])
def test_an_example_is_valid_and_in_normal_form(make) -> None:
    document = make()
    assert rules(document) == []
    assert json.dumps(normalize(validate(document).tree)) == json.dumps(document)


def test_the_full_example_has_every_property_of_every_shape() -> None:
    found = {name for holder in objects(full_example()) for name in holder}
    for shape in VOCABULARY.shapes.values():
        assert {prop.name for prop in shape.all_props if prop.role is not Role.REPLACES} <= found
        if shape.is_node:
            whole = [holder for holder in objects(full_example()) if holder.get("type") == shape.name]
            assert any([*holder] == [*shape.props] for holder in whole)


def test_a_new_document_is_an_example_with_a_title() -> None:
    assert json.loads(new_document_text()) == minimal_example()
    assert json.loads(new_document_text(full=True)) == full_example()
    titled = json.loads(new_document_text("A"))
    assert titled == minimal_example() | {"meta": minimal_example()["meta"] | {"title": "A"}}
    with pytest.raises(UnicodeEncodeError):
        new_document_text("\ud800")


# JSON Schema --------------------------------------------------------------------------------------------------------


def ecma_pattern(validator, pattern, instance, schema) -> Iterator[object]:
    """Match a pattern as ECMA-262 does: `$` does not match before a final line feed, as it does in Python."""
    if isinstance(instance, str) and re.search(re.sub(r"\$$", r"\\Z", pattern), instance) is None:
        from jsonschema import ValidationError

        yield ValidationError(f"{instance!r} does not match {pattern!r}")


SCHEMA = extend(Draft202012Validator, {"pattern": ecma_pattern})(json_schema())

NAMES_OF_THE_DOCUMENT = {"R3", "R10", "R11", "R21"}


def structural(document: dict[str, object]) -> list[str]:
    """Return the findings that a schema can express: all except duplicates, references and orphans."""
    return [
        repr(finding)
        for finding in validate(document).findings
        if finding.rule not in NAMES_OF_THE_DOCUMENT and not (finding.rule == "R17" and finding.path[-1] == "key")
    ]


def test_the_schema_is_one_and_suggested_properties_do_not_constrain() -> None:
    Draft202012Validator.check_schema(json_schema())
    for shape in VOCABULARY.shapes.values():
        for name in shape.suggested:
            assert json_schema()["$defs"][shape.name]["properties"][name].keys() == {"description", "examples"}


@given(mutants)
def test_the_schema_and_the_validator_agree_on_structure(document: dict[str, object]) -> None:
    assert SCHEMA.is_valid(document) == (structural(document) == [])


@given(st.text(st.characters(codec="utf-8") | st.sampled_from("a.-_²½é\u0301"), max_size=6))
@example("a\u200bb")
@example("data.😀")
@example("हिन्दी.४२")
def test_the_schema_and_the_validator_agree_on_value_paths(text: str) -> None:
    document = full_example()
    document["pages"][0]["children"][0]["children"][0]["binding"]["valuePath"] = text
    assert SCHEMA.is_valid(document) == (structural(document) == [])


# Payloads -----------------------------------------------------------------------------------------------------------


def test_the_vocabulary_payload_names_every_rule_where_it_can_be_broken() -> None:
    named = {number for holder in objects(vocabulary_payload()) for number in holder.get("breaks", {}).values()}
    assert named == RULES.keys() - {"R0"}


def test_the_vocabulary_payload_has_every_shape_rule_and_example() -> None:
    payload = vocabulary_payload()
    assert payload["docsVersion"] == payload["registryVersion"] == "0.1"
    assert [*payload["shapes"]] == [*VOCABULARY.shapes]
    assert [rule["rule"] for rule in payload["rules"]] == [*RULES]
    assert payload["planned"]["blocks"] == VOCABULARY.planned
    assert payload["planned"]["bindings"].keys() == {"write", "action"}
    assert payload["idPattern"] == {"pattern": "^[a-z][a-z0-9-]*$", "minLength": 1, "maxLength": 64}
    assert payload["limits"]["maxBodyBytes"] == 262_144
    bindings = {place["in"]: place["requires"] for place in payload["bindings"]}
    assert bindings["Metric.binding"] == ["type", "method", "path", "valuePath"]
    assert bindings["Table.binding"] == ["type", "method", "path"]
    assert bindings.keys() == {
        f"{name}.{prop.name}"
        for name, shape in VOCABULARY.nodes.items()
        for prop in shape.props.values()
        if READ_BINDING.name in [shape.name for shape in prop.kind.inner_shapes]
    }
    assert (payload["minimalExample"], payload["fullExample"]) == (minimal_example(), full_example())
    assert payload["jsonSchema"] == json_schema()


# Files --------------------------------------------------------------------------------------------------------------


TYPED = {
    "object": {"required", "properties", "additionalProperties", "propertyNames", "minProperties"},
    "array": {"items", "prefixItems", "minItems", "maxItems", "uniqueItems", "contains"},
    "string": {"pattern", "minLength", "maxLength", "format"},
    "number": {"minimum", "maximum", "multipleOf"},
}
"""The keywords that hold for values of one type."""


def schemas_in(schema: object) -> Iterator[dict[str, object]]:
    if isinstance(schema, dict):
        yield schema
        for keyword, value in schema.items():
            if keyword in {"properties", "$defs"}:
                for inner in value.values():
                    yield from schemas_in(inner)
            elif keyword not in {"examples", "default", "const", "enum"}:
                yield from schemas_in(value)
    elif isinstance(schema, list):
        for inner in schema:
            yield from schemas_in(inner)


@pytest.mark.parametrize("schema", [json_schema(), structured_schema()], ids=["schema", "structured"])
def test_keywords_of_a_type_have_it_beside_them(schema: object) -> None:
    """ajv reports others in its strict mode (`strictTypes`), in which OpenAPI generators and Fastify run it."""
    for inner in schemas_in(schema):
        for type_, keywords in TYPED.items():
            assert not keywords & inner.keys() or inner.get("type") in {type_, "integer"}, inner


@pytest.mark.parametrize("name", generated_files())
def test_the_committed_file_is_current(name: str) -> None:
    path = ROOT / "docs" / name
    assert path.exists(), "run make docs"
    assert path.read_text(encoding="utf-8") == generated_files()[name], f"docs/{name} is stale: run make docs"


def test_the_files_are_written(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "docs"
    for _ in range(2):
        assert main([str(folder)]) == 0
        assert {path.name: path.read_bytes().decode() for path in folder.iterdir()} == generated_files()


@pytest.mark.parametrize("arguments", [[], ["a", "b"]])
def test_one_folder_is_needed(
    arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(arguments) == 2
    assert capsys.readouterr().err == "usage: python -m rui_common.describe FOLDER\n"
    assert list(tmp_path.iterdir()) == []


# Markdown -----------------------------------------------------------------------------------------------------------

PRETTY = {
    "scalars": ({"a": None, "b": [1.5, "é"]}, 99, '{"a": null, "b": [1.5, "é"]}'),
    "empty, without space": ([{}, []], 1, "[\n  {},\n  []\n]"),
    "a line of the width": ([{"a": 1}], 10, '[{"a": 1}]'),
    "a longer line": ([{"a": 1}], 9, '[\n  {\n    "a": 1\n  }\n]'),
    "an inner line of the width": ([{"a": 1}, 2], 10, '[\n  {"a": 1},\n  2\n]'),
}  # fmt: skip


@pytest.mark.parametrize(("value", "width", "expected"), PRETTY.values(), ids=PRETTY)
def test_json_has_lines_of_a_width(value: object, width: int, expected: str) -> None:
    assert pretty(value, width=width) == expected


@pytest.mark.parametrize("length", [MAX_LINE, MAX_LINE + 1])
def test_a_long_text_has_several_lines(length: int) -> None:
    text = '{"a":"@"}'.replace("@", "x" * (length - 8))
    expected = text if length == MAX_LINE else text.replace("{", "{\n  ").replace(":", ": ").replace("}", "\n}")
    assert snippet(text) == f"```json\n{expected}\n```"
    assert snippet(f"{text[:-1]}!") == f"```json\n{text[:-1]}!\n```"  # not JSON


def test_steps_are_numbered_from_1() -> None:
    assert numbered(["a", "b"]) == "1. a\n2. b"


def test_headings_are_lowered_outside_of_code() -> None:
    assert lower_headings("# A\n```sh\n# b\n```\n## C\n#") == "## A\n```sh\n# b\n```\n### C\n##"
