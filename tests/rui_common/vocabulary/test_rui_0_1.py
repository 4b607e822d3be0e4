"""The declarations are complete, and all other surfaces derive from them."""

import json

import pytest
from jsonschema import Draft202012Validator

from rui_common.describe import (
    full_example,
    json_schema,
    rules_markdown,
    vocabulary_markdown,
    vocabulary_payload,
)
from rui_common.editing.normal_form import normalize
from rui_common.json_values import as_list
from rui_common.syntax.paths import format_path
from rui_common.validation.analysis import validate
from rui_common.validation.answers import error_items
from rui_common.vocabulary.kinds import ListKind
from rui_common.vocabulary.queries import broken_rules
from rui_common.vocabulary.rui_0_1 import TYPE_ADVICE, UNPLACED, VOCABULARY
from rui_common.vocabulary.rules import RULES
from rui_common.vocabulary.schema import NodeRole, Role, Vocabulary
from tests.rui_common.vocabulary.gizmo import EXTENDED, with_gizmo


def broken(document: dict[str, object], vocabulary: Vocabulary = VOCABULARY) -> list[tuple[str, str]]:
    return [(format_path(finding.path), finding.rule) for finding in validate(document, vocabulary).findings]


def test_every_property_is_documented_and_has_an_example_and_a_role() -> None:
    every = [(shape, prop) for shape in VOCABULARY.shapes.values() for prop in shape.all_props]
    for shape, prop in every:
        assert prop.doc.endswith(".")
        assert prop.role is Role.REPLACES or prop.kind.accepts(prop.example)
        assert not isinstance(prop.kind, ListKind) or prop.kind.allows(len(as_list(prop.example)))
        assert bool(prop.row) == (prop.role is Role.LAYOUT)
        assert not prop.row or prop.row in prop.kind.values
        if prop.is_free_text and shape.is_node:
            assert prop.role in (Role.LABEL, Role.DESCRIPTION, Role.CONTENT)


def test_what_a_property_breaks_is_a_rule() -> None:
    for shape in VOCABULARY.shapes.values():
        for prop in shape.props.values():
            assert {rule for _, rule in broken_rules(prop)} <= {*RULES}, (shape.name, prop.name)
            assert prop.kind.form or "form" not in prop.kind.breaks, (shape.name, prop.name)


def test_kinds_with_the_same_sample_have_the_same_form() -> None:
    """The legend of the signatures explains each sample once."""
    kinds = [prop.kind for shape in VOCABULARY.shapes.values() for prop in shape.all_props if prop.kind.sample]
    forms = {kind.sample: kind.form for kind in kinds}
    assert [(kind.sample, kind.form) for kind in kinds if kind.form != forms[kind.sample]] == []


def test_what_exists_is_not_called_absent() -> None:
    types = {name.lower() for name in VOCABULARY.nodes}
    types |= {word for shape in VOCABULARY.nodes.values() for word in shape.others.types}
    assert types & {*UNPLACED.split()} == set()
    assert types & {*TYPE_ADVICE} == set()
    names = {prop.name.lower() for shape in VOCABULARY.shapes.values() for prop in shape.all_props}
    assert names & {*UNPLACED.split()} == set()


# A vocabulary with an additional block type, from data alone ------------------------------------------------------


IN_BLOCK = "pages[0].children[0].children[0]"


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, []),
        ({"style": None}, [(f"{IN_BLOCK}.style", "R6")]),
        ({"series": []}, [(f"{IN_BLOCK}.series", "R17")]),
        ({"series": [{}]}, [(f"{IN_BLOCK}.series[0].key", "R6")]),
        ({"colour": "red"}, [(f"{IN_BLOCK}.colour", "R7")]),
        ({"id": "section-1"}, [(f"{IN_BLOCK}.id", "R3")]),
        ({"type": "Gizom", "style": "pie"}, [(f"{IN_BLOCK}.type", "R5"), (f"{IN_BLOCK}.style", "R7b")]),
    ],
)
def test_a_new_block_type_is_validated(changes: dict[str, object], expected: list[tuple[str, str]]) -> None:
    document = with_gizmo(changes)
    assert broken(document, EXTENDED) == expected
    # The JSON Schema cannot express unique names (R3). For all other rules it must agree.
    structural = [rule for _, rule in expected if rule != "R3"]
    assert Draft202012Validator(json_schema(EXTENDED)).is_valid(document) == (structural == [])


def test_a_new_block_type_has_a_signature() -> None:
    shown = (
        'Gizmo: {"id": ID, "type": "Gizmo", "binding": {"type": "read", "method": "GET", "path": "/…", '
        '"valuePath"?: "a.b"}, "style": "line" | "bar", "series": [{"key": string, "label"?: string, …}], '
        '"unit": string}.'
    )
    for changes in ({"style": None}, {"type": "Gizom"}):
        items = error_items(validate(with_gizmo(changes), EXTENDED).findings)
        assert sum(item["hint"].count(shown) for item in items) == 1


def test_a_new_block_type_is_normalized_and_described() -> None:
    shuffled = with_gizmo({})
    section = shuffled["pages"][0]["children"][0]
    section["children"] = [dict(reversed(section["children"][0].items()))]
    normal = normalize(validate(shuffled, EXTENDED).tree)["pages"][0]["children"][0]["children"][0]
    assert [*normal] == ["id", "type", "binding", "style", "series", "unit"]
    document = full_example(EXTENDED)
    assert broken(document, EXTENDED) == []
    blocks = document["pages"][0]["children"][0]["children"]
    assert [block["style"] for block in blocks if block["type"] == "Gizmo"] == ["line"]
    payload = json.loads(json.dumps(vocabulary_payload(EXTENDED)))
    assert payload["nodeTypes"] == [*VOCABULARY.nodes, "Gizmo"]
    old = [name for name, shape in VOCABULARY.nodes.items() if shape.role is NodeRole.BLOCK]
    assert payload["shapes"]["Section"]["allowedChildren"] == [*old, "Gizmo"]
    assert payload["shapes"]["Series"]["allowedIn"] == ["Gizmo.series"]
    assert any(place["in"] == "Gizmo.binding" for place in payload["bindings"])
    assert {"Gizmo", "Series"} <= payload["jsonSchema"]["$defs"].keys()
    assert "## Gizmo" in vocabulary_markdown(EXTENDED)
    assert rules_markdown(EXTENDED).startswith("# ")
