"""Each kind of value with valid and invalid values, and a kind that the product does not have."""

import pytest

from rui_common.vocabulary.kinds import EnumKind, ListKind, NodeKind, ObjectKind, TextKind
from rui_common.vocabulary.rui_0_1 import METRIC, TEXT
from rui_common.vocabulary.rules import WRONG_TYPE
from rui_common.vocabulary.schema import Kind, Mismatch, Prop, ScalarType, Shape, Violation, Vocabulary


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
            return Violation(Mismatch.WRONG_TYPE, WRONG_TYPE, self.word)
        return None if self.minimum <= value <= self.maximum else Violation(Mismatch.MALFORMED, self.rule, self.form)

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
    "pattern without a rule": (TextKind(r"^a+$", form="only a"), ["a"], ["", "b"]),
    "maximum length": (TextKind(max_length=3, form="at most 3 characters"), ["", "aaa"], ["aaaa"]),
    "length": (TextKind(r"^a+$", rule="R4", max_length=3), ["a"], ["aaaa", "b"]),
    "enum": (EnumKind(("a", "b"), "R7b", {}), ["a", "b"], ["c", ""]),
    "literal": (EnumKind(("a",), "R7b", {"b": "Later."}), ["a"], ["b"]),
    "object": (ObjectKind(POINT), [{"x": "a"}], [{}, {"x": 1}, {"x": "a", "y": 1}]),
    "node": (NodeKind(TEXT, METRIC, child="R13"), [TEXT_NODE], [{}, {**TEXT_NODE, "id": "T"}, {**TEXT_NODE, "z": 1}]),
    "list": (ListKind(TextKind(r"^a+$", rule="R4"), rule="R8"), [["a"], ["a", "aa"]], [[], ["b"], [1]]),
    "2 or 3": (ListKind(TextKind(), at_least=2, at_most=3, rule="R17"), [["a"] * 2, ["a"] * 3], [[], ["a"], ["a"] * 4]),
    "at least 2": (ListKind(TextKind(), at_least=2), [["a"] * 2, ["a"] * 40], [[], ["a"]]),
    "at most 1": (ListKind(TextKind(), at_least=0, at_most=1), [[], ["a"]], [["a"] * 2]),
    "exactly 2": (ListKind(TextKind(), at_least=2, at_most=2), [["a"] * 2], [["a"], ["a"] * 3]),
    "any number": (ListKind(TextKind(), at_least=0), [[], ["a"]], [[1]]),
    "integer": (IntegerKind(2, 500, rule="R7b"), [50, 2, 500], [0, 501, -1]),
    "objects": (ListKind(ObjectKind(POINT), rule="R8"), [[{"x": "a"}]], [[], [{}], ["x"]]),
}

EVERY_KIND = pytest.mark.parametrize(("kind", "valid", "invalid"), EXAMPLES.values(), ids=EXAMPLES)


def wrong_types(kind: Kind) -> list[object]:
    json_type = JSON_TYPES.get(kind.json_type, kind.json_type)
    fraction = [50.5] if kind.json_type == "integer" else []
    return [*fraction, *(value for name, value in OF_EACH_TYPE.items() if name != json_type)]


def vocabulary_of(kind: Kind) -> Vocabulary:
    return Vocabulary("0.1", Shape("Holder", "", [Prop("value", kind, "A value.", required=True)]), planned={})
