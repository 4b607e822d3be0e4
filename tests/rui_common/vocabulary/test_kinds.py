"""Every kind of value on every surface, and a kind that the product does not have: one class and one declaration."""

import pytest
from jsonschema import Draft202012Validator

from rui_common.describe import json_schema
from rui_common.editing.hover import prop_text
from rui_common.editing.snippets import property_snippet
from rui_common.fixes.quick_fixes import find_fixes
from rui_common.syntax.document import read
from rui_common.validation.analysis import Analysis, validate
from rui_common.validation.answers import error_items
from rui_common.vocabulary import kinds
from rui_common.vocabulary.queries import broken_rules
from rui_common.vocabulary.rules import RULES
from rui_common.vocabulary.schema import Kind, Prop, Vocabulary
from tests.rui_common.vocabulary.kind_examples import (
    EVERY_KIND,
    EXAMPLES,
    POINT,
    IntegerKind,
    vocabulary_of,
    wrong_types,
)


def test_every_kind_has_examples() -> None:
    classes = {value for name, value in vars(kinds).items() if name.endswith("Kind") and value is not Kind}
    assert {type(kind) for kind, _, _ in EXAMPLES.values()} == classes | {IntegerKind}


@EVERY_KIND
def test_validator(kind: Kind, valid: list[object], invalid: list[object]) -> None:
    rules = {rule for _, rule in broken_rules(Prop("value", kind, ""))}
    for value in (*valid, *invalid, *wrong_types(kind)):
        found = [finding.rule for finding in validate({"value": value}, vocabulary_of(kind)).findings]
        assert (found == []) == (value in valid and value not in wrong_types(kind)), value
        assert set(found) <= {*RULES}
        if value not in invalid:
            assert set(found) <= rules
            assert kind.accepts(value) == (found == [])


@EVERY_KIND
def test_json_schema(kind: Kind, valid: list[object], invalid: list[object]) -> None:
    constraint = kind.json_schema(lambda shape: f"#/$defs/{shape.name}")
    definitions = {**json_schema()["$defs"], **json_schema(Vocabulary("0.1", POINT, planned={}))["$defs"]}
    schema = Draft202012Validator({**constraint, "$defs": definitions})
    for value in valid:
        assert schema.is_valid(value), value
    for value in (*(value for value in invalid if not str(value).endswith("\n")), *wrong_types(kind)):
        assert not schema.is_valid(value), value


@EVERY_KIND
def test_descriptions(kind: Kind, valid: list[object], invalid: list[object]) -> None:
    prop = Prop("value", kind, "A value.", example=valid[0])
    assert f"`{kind.notation()}`" in prop_text(None, prop)
    assert property_snippet(prop, prop.example).text.startswith('"value": ')
    assert kind.accepts(kind.default(valid[0]))
    assert all(kind.accepts(value) for value in kind.completions(valid[0]))
    for value in invalid:
        assert all(kind.accepts(new) for new, _ in kind.corrections(value, valid[0]))


def test_a_new_kind_has_hints_and_fixes() -> None:
    vocabulary = vocabulary_of(EXAMPLES["integer"][0])
    for value, hint in (
        (501, "Must be an integer from 2 to 500. Got 501."),
        ("many", 'Must be an integer from 2 to 500. Got "many".'),
    ):
        assert error_items(validate({"value": value}, vocabulary).findings)[0]["hint"].startswith(hint)
    document = read('{"value": "50"}')
    analysis = Analysis(document, vocabulary)
    [finding] = analysis.diagnostics
    assert find_fixes(analysis, finding)[0].title == "Convert to an integer: 50"


@pytest.mark.parametrize(("name", "count", "hint"), [
    ("list", 0, "Add a `pages` array with one or more Page nodes."),
    ("2 or 3", 1, "Define `columns[]` with unique `key`. Must be an array of 2 to 3 elements. Got 1."),
    ("at least 2", 1, "Must be an array of at least 2 elements. Got 1."),
    ("at most 1", 2, "Must be an array of 0 to 1 elements. Got 2."),
    ("exactly 2", 3, "Must be an array of 2 elements. Got 3."),
])  # fmt: skip
def test_a_list_of_another_length_has_a_hint(name: str, count: int, hint: str) -> None:
    [finding] = validate({"value": ["a"] * count}, vocabulary_of(EXAMPLES[name][0])).findings
    assert finding.hint == hint


@pytest.mark.parametrize("missing", ["notation", "json_schema", "violation"])
def test_a_kind_that_lacks_a_method_cannot_be_created(missing: str) -> None:
    members = {name: value for name, value in vars(IntegerKind).items() if name != missing}
    with pytest.raises(TypeError, match=missing):
        type("Incomplete", (Kind,), members)(1, 2, rule="R7b")
