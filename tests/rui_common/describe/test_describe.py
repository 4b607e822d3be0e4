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

from rui_api.contract.compact_form import compact_payload
from rui_api.contract.docs_json import docs_payload
from rui_api.contract.llms_txt import llms_txt
from rui_common.describe import (
    full_example,
    json_schema,
    minimal_example,
    vocabulary_payload,
)
from rui_common.describe.__main__ import generated_files
from rui_common.editing.normal_form import normalize
from rui_common.validation.validator import validate
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_common.vocabulary.rules import MESSAGES, RULES
from rui_common.vocabulary.schema import Role
from tests.strategies import mutants

ROOT = Path(__file__).parent.parent.parent.parent
BASE = "https://rui.example.org"

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


# JSON Schema --------------------------------------------------------------------------------------------------------


def ecma_pattern(validator, pattern, instance, schema) -> Iterator[object]:
    """Match a pattern as ECMA-262 does: `$` does not match before a final line feed, as it does in Python."""
    if isinstance(instance, str) and re.search(re.sub(r"\$$", r"\\Z", pattern), instance) is None:
        from jsonschema import ValidationError  # noqa: PLC0415

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
    assert payload["planned"]["blocks"].keys() == {"Form", "Button"}
    assert payload["planned"]["bindings"].keys() == {"write", "action"}
    assert payload["idPattern"] == {"pattern": "^[a-z][a-z0-9-]*$", "minLength": 1, "maxLength": 64}
    assert payload["limits"]["maxBodyBytes"] == 262_144
    assert {place["in"]: place["requires"] for place in payload["bindings"]} == {
        "Metric.binding": ["type", "method", "path", "valuePath"],
        "Table.binding": ["type", "method", "path"],
    }
    assert (payload["minimalExample"], payload["fullExample"]) == (minimal_example(), full_example())
    assert payload["jsonSchema"] == json_schema()


def test_the_docs_payload_has_every_endpoint_of_section_4() -> None:
    payload = docs_payload(BASE)
    assert payload["docsVersion"] == "0.1"
    assert len(payload["workflow"]) == 5
    endpoints = {f"{endpoint['method']} {endpoint['path']}": endpoint for endpoint in payload["endpoints"]}
    statuses = {name: {answer["status"] for answer in endpoint["answers"]} for name, endpoint in endpoints.items()}
    expected = {
        "POST /api/validate": {200, 400},
        "POST /api/specs": {201, 200, 400, 503},
        "GET /api/specs/:id": {200, 304, 400, 404, 410, 503},
        "GET /api/docs": {200, 304},
        "GET /llms.txt": {200, 304},
    }
    assert statuses.items() >= expected.items()
    assert {"GET /specs/:id", "GET /api/schema"} <= statuses.keys()
    assert [entry["code"] for entry in payload["errors"]] == [*MESSAGES]
    assert {rule["rule"] for entry in payload["errors"] for rule in entry["rules"]} == RULES.keys()


def test_the_compact_form_names_every_shape_prop_rule_and_limit() -> None:
    compact = compact_payload()
    shapes = " ".join(compact["shapes"])
    for shape in VOCABULARY.shapes.values():
        for prop in shape.all_props:
            assert f'"{prop.name}"{"" if prop.required else "?"}: ' in shapes
    assert [name.split()[0] for name in compact["rules"]] == [*RULES]
    assert compact["planned"] == {"blocks": ["Form", "Button"], "bindings": ["write", "action"]}
    # The limit is 2,500 tokens. Models count about 3.9 characters per token; 3.5 leaves a margin.
    characters = len(json.dumps(compact, ensure_ascii=False, separators=(",", ":")))
    assert characters <= 3.5 * 2_500
    [stated] = re.findall(r"\?form=compact` returns it in about ([\d,]+) tokens", (ROOT / "README.md").read_text())
    assert int(stated.replace(",", "")) == round(characters / 3.9, -2)


# Pages --------------------------------------------------------------------------------------------------------------


def headings(markdown: str) -> list[str]:
    without_code = re.sub(r"```.*?```", "", markdown, flags=re.DOTALL)
    return re.findall(r"^#+ .*$", without_code, flags=re.MULTILINE)


def test_llms_txt_keeps_its_grammar() -> None:
    text = llms_txt(BASE)
    title, summary, words, *sections = re.split(r"\n\n(?=> |Workflow:)|\n\n(?=## )", text)
    assert re.fullmatch(r"# [^\n]+", title)
    assert re.fullmatch(r"> [^\n]+", summary)
    assert headings(words) == []
    for section in sections:
        heading, links = section.strip().split("\n\n")
        assert re.fullmatch(r"## [^\n]+", heading)
        for line in links.splitlines():
            assert re.fullmatch(rf"- \[[^\]]+\]\({re.escape(BASE)}/[^)]+\): .+\.", line)
    assert [section.split("\n")[0] for section in sections] == ["## Start here", "## Optional"]


def test_llms_txt_gives_the_instructions() -> None:
    text = llms_txt(BASE)
    assert re.findall(r"^(\d)\. ", text, flags=re.MULTILINE) == ["1", "2", "3", "4", "5"]
    assert "Not yet: blocks Form, Button; bindings write, action are planned" in text
    documents = [json.loads(block) for block in re.findall(r"```json\n(.*?)\n```", text, flags=re.DOTALL)]
    assert documents == [minimal_example(), full_example()]


# Files --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", generated_files())
def test_the_committed_file_is_current(name: str) -> None:
    path = ROOT / "docs" / name
    assert path.exists(), "run make docs"
    assert path.read_text(encoding="utf-8") == generated_files()[name], f"docs/{name} is stale: run make docs"
