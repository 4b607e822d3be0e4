"""What a description states about the data of a document: operations, types and its own examples, nothing else."""

import json
import pickle
import random
from pathlib import Path

import pytest

from rui_common.grounding import Grounding
from rui_common.syntax.document import read
from rui_common.syntax.paths import format_path
from rui_common.validation.analysis import Analysis
from rui_openapi.description.api import Api, read_api
from rui_openapi.ground import MAX_EXAMPLE, describe_data
from tests.inputs.api_samples import document_of, own_examples, samples
from tests.rui_openapi.shop import SHOP, api_of, document, metric, table
from tests.support.nightly import seeds

GITHUB = Path(__file__).parents[1] / "inputs" / "github-openapi.json"
"""Some operations of GitHub's REST API, from @octokit/openapi (MIT License, Copyright GitHub, Inc.)."""


def grounded(text: str, api: Api) -> Grounding:
    return describe_data(Analysis(read(text)), api)


def api_with(folder: Path, body: object, version: str = "3.1.0", **components: object) -> Api:
    """A description whose only operation, GET /x, has this body."""
    operation = {"responses": {"200": {"content": {"application/json": body}}}}
    root = {"openapi": version, "paths": {"/x": {"get": operation}}, "components": components}
    return api_of(json.dumps(root), folder)


def shown(grounding: Grounding) -> list[tuple[str, ...]]:
    return [value.examples for value in grounding.values.values()]


NUMBER = {"type": "number"}
OPEN = {"type": "object", "properties": {"open": NUMBER}}


def of(schema: object, **media: object) -> dict[str, object]:
    return {"schema": schema, **media}


REFERRED = {
    "schemas": {"Open": {**OPEN, "example": {"open": 4}}, "Count": {"type": "integer", "examples": [5, 6]}},
    "examples": {"one": {"value": {"open": 7}}, "far": {"externalValue": "https://example.org/x.json"}},
}
# The body of the response → the example of the value at `open`.
SINGLE = {
    "of the property": (of({**OPEN, "properties": {"open": {**NUMBER, "example": 1}}}), "1"),
    "a list of examples": (of({**OPEN, "properties": {"open": {**NUMBER, "examples": [2, 3]}}}), "2"),
    "of the schema": (of({**OPEN, "example": {"open": 3}}), "3"),
    "of the response": (of(OPEN, example={"open": 4}), "4"),
    "named": (of(OPEN, examples={"a": {"summary": "x"}, "b": {"value": {"open": 5}}}), "5"),
    "the response comes before schemas": (of({**OPEN, "example": {"open": 6}}, example={"open": 7}), "7"),
    "without the property": (of({**OPEN, "example": {"open": 8}}, example={"closed": 1}), "8"),
    "a reference to a schema": (of({"$ref": "#/components/schemas/Open"}), "4"),
    "a reference of the property": (of({**OPEN, "properties": {"open": {"$ref": "#/components/schemas/Count"}}}), "5"),
    "a reference to an example": (of(OPEN, examples={"a": {"$ref": "#/components/examples/one"}}), "7"),
    "an external value": (of(OPEN, examples={"a": {"$ref": "#/components/examples/far"}}), None),
    "an external value, and one of its own": (
        of(OPEN, examples={"a": {"externalValue": "x.json"}, "b": {"value": {"open": 1}}}), "1",
    ),
    "all of": (of({"allOf": [{"type": "object", "properties": {"a": NUMBER}}, {**OPEN, "example": {"open": 9}}]}), "9"),
    "one of": (of({"oneOf": [{"type": "null"}, {**OPEN, "example": {"open": 10}}]}), "10"),
    "any of": (of({**OPEN, "properties": {"open": {"anyOf": [{"type": "string"}, {**NUMBER, "example": 11}]}}}), "11"),
    "nullable": (of({**OPEN, "properties": {"open": {"type": ["number", "null"], "examples": [None, 12]}}}), "12"),
    "null alone": (of({**OPEN, "properties": {"open": {"type": ["number", "null"], "example": None}}}), "null"),
    "of an enum": (of({**OPEN, "properties": {"open": {"enum": ["low", "high"]}}}), "low"),
    "of an enum with null": (of({**OPEN, "properties": {"open": {"enum": [None, "high"]}}}), "high"),
    "a constant": (of({**OPEN, "properties": {"open": {"const": "only"}}}), "only"),
    "an example before an enum": (of({**OPEN, "properties": {"open": {"enum": ["a", "b"], "example": "b"}}}), "b"),
    "further properties": (of({"type": "object", "additionalProperties": {**NUMBER, "example": 13}}), "13"),
    "a boolean": (of(OPEN, example={"open": False}), "false"),
    "zero": (of(OPEN, example={"open": 0}), "0"),
    "a fraction": (of(OPEN, example={"open": 0.5}), "0.5"),
    "a long number": (of(OPEN, example={"open": int("7" * 400)}), "7" * (MAX_EXAMPLE - 1) + "…"),
    "a long text": (of(OPEN, example={"open": "ä" * 5000}), "ä" * (MAX_EXAMPLE - 1) + "…"),
    "markup": (of(OPEN, example={"open": "<script>alert(1)</script>"}), "<script>alert(1)</script>"),
    "control characters": (of(OPEN, example={"open": "\0\x1b[2J\u202e"}), "\0\x1b[2J\u202e"),
    "a password": (of(OPEN, example={"open": "hunter2"}), "hunter2"),
    "an object": (of(OPEN, example={"open": {"a": 1}}), None),
    "an empty text": (of(OPEN, example={"open": " "}), None),
    "a default": (of({**OPEN, "properties": {"open": {**NUMBER, "default": 14, "minimum": 3}}}), None),
    "no example": (of(OPEN), None),
    "an example in words": (of({**OPEN, "description": "for example 15", "x-example": {"open": 15}}), None),
    "examples that are no list": (of({**OPEN, "examples": {"open": 16}}), None),
    "a reference in an example": (of(OPEN, example={"$ref": "#/components/examples/one"}), None),
    "an example that is a list": (of(OPEN, example=[{"open": 17}]), None),
}  # fmt: skip


@pytest.mark.parametrize(("body", "expected"), SINGLE.values(), ids=SINGLE)
@pytest.mark.parametrize("version", ["3.0.3", "3.1.0"])
def test_the_example_of_a_single_value(body: object, expected: str | None, version: str, tmp_path: Path) -> None:
    api = api_with(tmp_path, body, version, **REFERRED)
    copy = pickle.loads(pickle.dumps(api))  # as the language server has it
    for each in (api, copy):
        [examples] = shown(grounded(metric("/x", "open"), each))
        assert examples == (() if expected is None else (expected,))
        assert each.references.problems == []
        (tmp_path / "openapi.yaml").unlink(missing_ok=True)


ROW = {"type": "object", "properties": {"id": NUMBER, "name": {"type": "string", "example": "Ada"}, "in": OPEN}}
ROWS = {"type": "object", "properties": {"rows": {"type": "array", "items": ROW}}}
# The body → the examples of the columns id, name, in.open.
TABLES = {
    "rows of the response": (of(ROWS, example={"rows": [{"id": 1, "name": "a", "in": {"open": 2}}, {"id": 3}]}),
                             [("1", "3"), ("a", ""), ("2", "")]),
    "at most three": (of(ROWS, example={"rows": [{"id": number} for number in range(9)]}),
                      [("0", "1", "2"), ("Ada",), ()]),
    "of the list": (of({"properties": {"rows": {"type": "array", "items": ROW, "example": [{"id": 4}]}}}),
                    [("4",), ("Ada",), ()]),
    "of the elements": (of({"type": "object", "properties": {"rows": {"type": "array", "items": {
                        **ROW, "examples": [{"id": 5, "name": "b"}, {"id": 6, "name": None}]}}}}),
                        [("5", "6"), ("b", "null"), ()]),
    "of the properties alone": (of(ROWS), [(), ("Ada",), ()]),
    "an empty list": (of(ROWS, example={"rows": []}), [(), ("Ada",), ()]),
    "rows that are no objects": (of(ROWS, example={"rows": [1, None]}), [(), ("Ada",), ()]),
    "another row is an object": (of(ROWS, example={"rows": [None, {"id": 7}]}), [("", "7"), ("Ada",), ()]),
}  # fmt: skip


@pytest.mark.parametrize(("body", "expected"), TABLES.values(), ids=TABLES)
def test_the_examples_of_columns(body: object, expected: list[tuple[str, ...]], tmp_path: Path) -> None:
    text = table("/x", "rows", "id", "name", "in.open")
    assert shown(grounded(text, api_with(tmp_path, body))) == expected


def test_operations_types_and_counts(tmp_path: Path) -> None:
    api = api_of(SHOP, tmp_path)
    text = document(
        *(json.loads(text)["pages"][0]["children"][0]["children"][0] for text in (
            metric("/summary", "data.open"), metric("/summary", "data.opn"), metric("/sumary", "data.open"),
            metric("/anything", "x"), metric("/TODO", "TODO"), table("/orders?x=1", "items", "id", "created", "nme"),
        ))
    )  # fmt: skip
    found = grounded(text, api)
    block = "pages[0].children[0].children"
    assert {format_path(path): title for path, title in found.operations.items()} == {
        f"{block}[0]": "GET /summary", f"{block}[1]": "GET /summary", f"{block}[3]": "GET /anything",
        f"{block}[5]": "GET /orders: List orders",
    }  # fmt: skip
    assert {format_path(path).removeprefix(block): value.note for path, value in found.values.items()} == {
        "[0]": "a number · no example", "[3]": "type not stated · no example",
        "[5].columns[0]": "a number · no example", "[5].columns[1]": "a string (date-time) · no example",
        "[5].columns[2]": "not in the description",
    }  # fmt: skip
    assert found.text() == "2 of 6 bindings are in the description; for 1 it has no schema; 1 field is not"


COUNTS = {
    (): "",
    (1, 1): "1 of 1 binding is in the description",
    (1, 0): "0 of 1 binding is in the description",
    (8, 7): "7 of 8 bindings are in the description",
    (8, 1, 2, 3): "1 of 8 bindings is in the description; for 2 it has no schema; 3 fields are not",
}


@pytest.mark.parametrize("counts", COUNTS)
def test_the_line_of_counts(counts: tuple[int, ...]) -> None:
    assert Grounding({}, {}, *counts).text() == COUNTS[counts]


def test_an_incomplete_request_is_no_binding(tmp_path: Path) -> None:
    found = grounded(metric("", "data.open"), api_of(SHOP, tmp_path))
    assert (found.bindings, found.text()) == (0, "")


def test_endless_schemas_and_large_numbers_end(tmp_path: Path) -> None:
    loop = {"$ref": "#/components/schemas/Loop"}
    api = api_with(tmp_path, of({"$ref": "#/components/schemas/Loop"}), schemas={
        "Loop": {"type": "object", "properties": {"open": loop, "n": {**NUMBER, "example": 1}}, "example": {"n": 2}},
    })  # fmt: skip
    assert shown(grounded(metric("/x", ".".join(["open"] * 60 + ["n"])), api)) == [("2",)]
    body = f"application/json: {{schema: {{}}, example: {{open: 0x{'f' * 9000}, far: 1e999}}}}"
    large = f"openapi: 3.1.0\npaths: {{/x: {{get: {{responses: {{200: {{content: {{{body}}}}}}}}}}}}}"
    for name in ("open", "far"):
        assert shown(grounded(metric("/x", name), api_of(large, tmp_path))) == [()]


# Nothing is invented --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", seeds(2))
def test_no_value_of_a_real_description_is_invented(seed: int) -> None:
    api = read_api(str(GITHUB))
    chosen = samples(api, random.Random(seed), 100)
    found = describe_data(Analysis(read(json.dumps(document_of([sample.block() for sample in chosen])))), api)
    examples = {*own_examples(json.loads(GITHUB.read_text(encoding="utf-8")))}
    cut = {text[: MAX_EXAMPLE - 1] + "…" for text in examples if len(text) > MAX_EXAMPLE}
    texts = [text for value in found.values.values() for text in value.examples if text]
    assert len(texts) > 150
    assert {*texts} <= examples | cut
    assert (found.bindings, found.found, found.lacking) == (100, 100, 0)


def test_known_examples_of_github() -> None:
    api = read_api(str(GITHUB))
    path = "/repos/octocat/hello"
    assert shown(grounded(metric("/rate_limit", "rate.limit"), api)) == [("5000",)]
    assert shown(grounded(metric(f"{path}/releases/latest", "author.login"), api)) == [("octocat",)]
    assert shown(grounded(metric("/search/topics", "total_count"), api)) == [("6",)]
    found = grounded(table(f"{path}/labels", None, "name", "color", "default"), api)
    assert shown(found) == [("bug", "enhancement"), ("f29513", "a2eeef"), ("true", "false")]
    assert [*found.operations.values()] == ["GET /repos/{owner}/{repo}/labels: List labels for a repository"]
