"""Every kind of value on every surface, and a kind that the product does not have: one class and one declaration."""

import json

import pytest
from jsonschema import Draft202012Validator

from rui_api.decoding.typed_decoder import FastPath
from rui_common.describe import json_schema
from rui_common.editing.hover import prop_text
from rui_common.editing.snippets import property_snippet
from rui_common.fixes.quick_fixes import FixFinder
from rui_common.syntax.document import read
from rui_common.validation.analysis import Analysis
from rui_common.validation.validator import validate
from rui_common.validation.wording import error_items
from rui_common.vocabulary import kinds
from rui_common.vocabulary.kinds import EnumKind, ListKind, NodeKind, ObjectKind, TextKind
from rui_common.vocabulary.problems import Problem
from rui_common.vocabulary.queries import broken_rules
from rui_common.vocabulary.rui_0_1 import METRIC, TEXT
from rui_common.vocabulary.rules import WRONG_TYPE
from rui_common.vocabulary.schema import Kind, Prop, ScalarType, Shape, Violation, Vocabulary


class IntegerKind(Kind):
    """An integer between two bounds."""

    json_type = "integer"
    word = "an integer"

    def __init__(self, minimum: int, maximum: int, *, rule: str) -> None:
        self.minimum = minimum
        self.maximum = maximum
        self.rule = rule
        self.form = f"an integer from {minimum} to {maximum}"
        self.scalar_type = ScalarType(int, {"ge": minimum, "le": maximum})

    def notation(self) -> str:
        return f"{self.minimum}..{self.maximum}"

    def json_schema(self, reference: object) -> dict[str, object]:
        return {"type": "integer", "minimum": self.minimum, "maximum": self.maximum}

    def violation(self, value: object) -> Violation | None:
        if type(value) is not int:
            return Violation(Problem.WRONG_TYPE, WRONG_TYPE, self.word)
        return None if self.minimum <= value <= self.maximum else Violation(Problem.MALFORMED, self.rule, self.form)

    def coerce(self, value: object, source_text: str) -> object:
        if isinstance(value, str) and value.isdecimal() and len(value) < 10 and self.accepts(int(value)):
            return int(value)
        return None

    def completions(self, example: object) -> tuple[object, ...]:
        return example, self.minimum, self.maximum


OF_EACH_TYPE = {
    "null": None, "boolean": True, "number": 7, "string": "some text!", "array": ["some text!"], "object": {"some": 1},
}  # fmt: skip
JSON_TYPES = {"integer": "number"}

POINT = Shape("Point", "", [Prop("x", TextKind(), "", required=True)])
TEXT_NODE = {"id": "t", "type": "Text", "content": "a"}
EXAMPLES: dict[str, tuple[Kind, list[object], list[object]]] = {
    "text": (TextKind(), ["", "a"], []),
    "pattern": (TextKind(r"^a+$", rule="R4", form="only a"), ["a", "aa"], ["", "b", "a\n"]),
    "prefix": (TextKind(r"^/[\s\S]*$", rule="R24"), ["/", "/a"], ["", "a/"]),
    "length": (TextKind(r"^a+$", rule="R4", max_length=3), ["a"], ["aaaa", "b"]),
    "enum": (EnumKind(("a", "b"), "R7b", {}), ["a", "b"], ["c", ""]),
    "literal": (EnumKind(("a",), "R7b", {"b": "Later."}), ["a"], ["b"]),
    "object": (ObjectKind(POINT), [{"x": "a"}], [{}, {"x": 1}, {"x": "a", "y": 1}]),
    "node": (NodeKind(TEXT, METRIC, child="R13"), [TEXT_NODE], [{}, {**TEXT_NODE, "id": "T"}, {**TEXT_NODE, "z": 1}]),
    "list": (ListKind(TextKind(r"^a+$", rule="R4"), empty="R8"), [["a"], ["a", "aa"]], [[], ["b"], [1]]),
    "integer": (IntegerKind(2, 500, rule="R7b"), [50, 2, 500], [0, 501, -1]),
    "objects": (ListKind(ObjectKind(POINT), empty="R8"), [[{"x": "a"}]], [[], [{}], ["x"]]),
}
EVERY_KIND = pytest.mark.parametrize(("kind", "valid", "invalid"), EXAMPLES.values(), ids=EXAMPLES)


def wrong_types(kind: Kind) -> list[object]:
    own = JSON_TYPES.get(kind.json_type, kind.json_type)
    fraction = [50.5] if kind.json_type == "integer" else []
    return [*fraction, *(value for name, value in OF_EACH_TYPE.items() if name != own)]


def test_every_kind_has_examples() -> None:
    classes = {value for name, value in vars(kinds).items() if name.endswith("Kind") and value is not Kind}
    assert {type(kind) for kind, _, _ in EXAMPLES.values()} == classes | {IntegerKind}


def vocabulary_of(kind: Kind) -> Vocabulary:
    return Vocabulary("0.1", Shape("Holder", "", [Prop("value", kind, "A value.", required=True)]), planned={})


@EVERY_KIND
def test_validator(kind: Kind, valid: list[object], invalid: list[object]) -> None:
    rules = {rule for _, rule in broken_rules(Prop("value", kind, ""))}
    for value in (*valid, *invalid, *wrong_types(kind)):
        found = [finding.rule for finding in validate({"value": value}, vocabulary_of(kind)).findings]
        assert (found == []) == (value in valid and value not in wrong_types(kind)), value
        if value not in invalid:
            assert set(found) <= rules
            assert kind.accepts(value) == (found == [])


@EVERY_KIND
def test_decoder(kind: Kind, valid: list[object], invalid: list[object]) -> None:
    decoder = FastPath(vocabulary_of(kind))
    for value in valid:
        assert decoder.read(json.dumps({"value": value}).encode()) is not None, value
    for value in (*invalid, *wrong_types(kind)):
        assert decoder.read(json.dumps({"value": value}).encode()) is None, value


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
        ("many", 'Must be an integer: an integer from 2 to 500. Got "many".'),
    ):
        assert error_items(validate({"value": value}, vocabulary).findings, vocabulary)[0]["hint"].startswith(hint)
    document = read('{"value": "50"}')
    analysis = Analysis(document, vocabulary)
    [finding] = analysis.diagnostics
    assert FixFinder(analysis).find(finding)[0].title == "Convert to an integer: 50"


@pytest.mark.parametrize("missing", ["notation", "json_schema", "violation"])
def test_a_kind_that_lacks_a_method_cannot_be_created(missing: str) -> None:
    members = {name: value for name, value in vars(IntegerKind).items() if name != missing}
    with pytest.raises(TypeError, match=missing):
        type("Incomplete", (Kind,), members)(1, 2, rule="R7b")
