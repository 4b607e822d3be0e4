"""References, responses, versions and bad files."""

import json
import os
import pickle
import threading
from functools import partial
from pathlib import Path

import pytest

from rui_openapi.description.api import MAX_VISITED, Api, read_api
from rui_openapi.errors import OpenApiError
from rui_openapi.reading import yaml_text
from rui_openapi.reading.files import read_data, read_value, version_of
from rui_openapi.reading.references import MAX_PROBLEMS
from tests.rui_openapi.shop import api_of, as_json, metric, reported, table

ONE = """
openapi: 3.0.3
paths:
  /a: {get: {responses: {200: {content: {application/json: {schema: SCHEMA}}}}}}
components: {schemas: {
  Loop: {$ref: "#/components/schemas/Loop"},
  Ring: {oneOf: [{$ref: "#/components/schemas/Ring"}, {type: object, properties: {ring: {type: string}}}]},
  Tower: {allOf: [{$ref: "#/components/schemas/Tower"}, {properties: {tower: {type: string}}}]},
  Pet: {type: object, discriminator: {propertyName: kind}, properties: {kind: {type: string}}}
}}
"""


def copied(api: Api) -> Api:
    """The index in another process, where the files of the description are not read."""
    return pickle.loads(pickle.dumps(api))  # type: ignore[no-any-return]


def facts_of(schema: str, folder: Path) -> Api:
    return api_of(ONE.replace("SCHEMA", schema), folder)


# Schema → names that exist in the response, and names that do not.
NAMES = {
    "{type: object, properties: {a: {}, b: false}}": ("a", "b c"),
    "{properties: {a: {}}}": ("a", "b"),
    "{}": ("a b", ""),
    "{type: object, additionalProperties: true, properties: {a: {}}}": ("a b", ""),
    "{type: object, additionalProperties: {type: string}, properties: {a: {}}}": ("a b", "b.c"),
    "{type: object, additionalProperties: false, properties: {a: {}}}": ("a", "b"),
    "{patternProperties: {^x-: {type: string}}}": ("x-a", "x-a.b"),
    "{anyOf: [{properties: {a: {}}}, {properties: {b: {}}}]}": ("a b", "c"),
    "{anyOf: [{properties: {a: {}}}, {}]}": ("a b", ""),
    "{anyOf: [{properties: {a: {}}}, {type: object}]}": ("a b", ""),
    "{type: object, properties: {a: {}}, anyOf: [{required: [a]}, {required: [b]}]}": ("a", "b"),
    "{allOf: [{properties: {a: {}}}, {properties: {b: {}}}], properties: {c: {}}}": ("a b c", "d"),
    "{if: {}, then: {properties: {a: {}}}, else: {properties: {b: {}}}}": ("a b", "c"),
    "{properties: {a: {nullable: true, allOf: [{properties: {b: {}}}]}}}": ("a.b", "a.c"),
    "{properties: {a: {type: array, prefixItems: [{properties: {b: {}}}]}}}": ("a.0.b", "a.0.c a.b"),
    "{$ref: '#/components/schemas/Ring'}": ("ring", "b"),
    "{$ref: '#/components/schemas/Tower'}": ("tower", "b"),
    "{$ref: '#/components/schemas/Pet'}": ("kind bark", ""),
    "{$ref: '#/components/schemas/Loop'}": ("a b", ""),
    "{$ref: '#/components/schemas/None'}": ("a b", ""),
    "{const: 1}": ("", "a"),
    "{enum: [{}]}": ("a", ""),
}


@pytest.mark.parametrize("schema", NAMES)
def test_names_in_a_response(schema: str, tmp_path: Path) -> None:
    """The same in the index of a file, and in a copy of it."""
    present, absent = NAMES[schema]
    read = facts_of(schema, tmp_path)
    for api in (copied(read), read):
        response = api.response(api.operations["/a"])
        assert {name for name in present.split() if api.value(response, name) is None} == set()
        assert {name for name in absent.split() if api.value(response, name) is not None} == set()


# Schema → the values that it allows, and the examples of the response: those of the schema, then its first value.
VALUES = {
    "{enum: [a, b]}": (("a", "b"), ["a"]),
    "{allOf: [{enum: [a, b, c]}, {enum: [c, b, d]}]}": (("b", "c"), ["b"]),
    "{allOf: [{enum: [a]}, {enum: [b]}]}": (("a",), ["a"]),
    "{enum: [a, b], example: b}": (("a", "b"), ["b", "a"]),
    "{type: string}": (None, []),
}


@pytest.mark.parametrize("schema", VALUES)
def test_values_and_examples(schema: str, tmp_path: Path) -> None:
    api = facts_of(schema, tmp_path)
    values, examples = VALUES[schema]
    assert api.response(api.operations["/a"]).values == values
    assert [*api.response_examples(api.operations["/a"], "")] == examples


def test_values_are_searched_up_to_a_limit(tmp_path: Path) -> None:
    for count in (MAX_VISITED, MAX_VISITED + 1):
        properties = ", ".join(f"p{number}: {{type: string}}" for number in range(count))
        api = facts_of(f"{{type: object, properties: {{{properties}}}}}", tmp_path)
        assert len([*api.values_in(api.response(api.operations["/a"]))]) == MAX_VISITED


MEDIA = {
    "application/json": True, "application/json; charset=utf-8": True, "application/problem+json": True,
    "application/vnd.github.v3+json": True, "*/*": True, "text/html": False, "application/xml": False,
}  # fmt: skip


def test_json_media_types(tmp_path: Path) -> None:
    for media, is_json in MEDIA.items():
        api = api_of(ONE.replace("application/json", f'"{media}"').replace("SCHEMA", "{type: string}"), tmp_path)
        assert api.response(api.operations["/a"]).is_unknown is not is_json, media


def test_references_lead_to_files_beside_it(tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "order.json").write_text('{"Order": {"properties": {"by": {"$ref": "../person.yaml"}}}}')
    (tmp_path / "person.yaml").write_text(
        "properties: {name: {$ref: '#/definitions/Name'}}\ndefinitions: {Name: {type: string}}"
    )
    (tmp_path / "path.yaml").write_text(
        "get: {responses: {200: {content: {application/json: {schema: {$ref: 'parts/order.json#/Order'}}}}}}"
    )
    api = api_of("openapi: 3.1.0\npaths: {/order: {$ref: path.yaml}}", tmp_path)
    assert reported(metric("/order", "by.name"), api) == []
    assert reported(metric("/order", "by.nme"), api) == ['UNKNOWN_VALUE_PATH "by.nme"']
    assert api.references.problems == []
    names = ["openapi.yaml", "path.yaml", "parts/order.json", "person.yaml"]
    assert api.references.versions == {str(tmp_path / name): version_of(str(tmp_path / name)) for name in names}


@pytest.mark.parametrize("text", [
    "openapi: 3.1.0\npaths: {/order: {get: {$ref: get.yaml}}}",
    "openapi: 3.1.0\npaths: {$ref: 'paths.yaml#/all'}",
    "openapi: 3.1.0\npaths: {/order: {$ref: 'paths.yaml#/all/~1order'}}",
])  # fmt: skip
def test_references_in_place_of_operations_and_of_all_paths(tmp_path: Path, text: str) -> None:
    responses = "responses: {200: {content: {application/json: {schema: {properties: {id: {type: string}}}}}}}"
    (tmp_path / "get.yaml").write_text(responses)
    (tmp_path / "paths.yaml").write_text("all: {/order: {get: {$ref: get.yaml}, post: {}}, /other: {post: {}}}")
    api = api_of(text, tmp_path)
    assert [*api.operations] == ["/order"]
    assert reported(metric("/order", "ids"), api) == ['UNKNOWN_VALUE_PATH "ids"']


@pytest.mark.parametrize(
    ("reference", "problem"),
    [
        ("#/components/schemas/None", "openapi.yaml: the reference '#/components/schemas/None' leads to no value"),
        ("https://example.com/a.json", "the reference 'https://example.com/a.json' leads out of the folder"),
        ("//example.com/a.json", "leads out of the folder of the description, and is not read"),
        ("file:////example.com/a.json", "leads out of the folder"),
        ("C:/a.json", "leads out of the folder"),
        (r"%5C%5Cexample.com\a.json", "leads out of the folder"),
        ("../other/a.json", "leads out of the folder"),
        ("link.json", "leads out of the folder"),
        ("missing.yaml#/A", "missing.yaml: no such file or directory"),
        ("broken.json", "broken.json: line 1, column 2: Expecting property name enclosed in double quotes"),
        ("#A", "the reference '#A' leads to no value"),
        ("a%00.json", "the reference 'a%00.json' leads to no value"),
    ],
)
def test_references_without_a_value_are_reported_once(reference: str, problem: str, tmp_path: Path) -> None:
    (tmp_path / "broken.json").write_text("{")
    (tmp_path / "link.json").symlink_to("/etc/hosts")
    api = facts_of(f"{{$ref: '{reference}'}}", tmp_path)
    assert reported(metric("/a", "any"), api) + reported(metric("/a", "other"), api) == []
    assert len(api.references.problems) == 1 and problem in api.references.problems[0]


UNUSABLE = {
    "{": "line 1, column 2: Expecting property name",
    "a: [": "did not find expected node content",
    "": "its root is no object",
    '{"a" 1}': "line 1, column 6: Expecting ':' delimiter",
    "a: 1": 'its root has no "openapi": "3.…"',
    "openapi: 4.0.0": 'its root has no "openapi": "3.…"',
    "swagger: '2.0'": "it is Swagger 2.0; convert it to OpenAPI 3.0 or 3.1",
    "[" * 100_000: "too many levels of nesting",
    "a: " + "[" * 300: "more than 200 levels of nesting",
    "a: " + "[" * 200_000: "nesting",  # libyaml 0.2.6 has a limit too, with its own message
}


@pytest.mark.parametrize("text", UNUSABLE, ids=UNUSABLE.values())
def test_files_that_cannot_be_used(text: str, tmp_path: Path) -> None:
    with pytest.raises(OpenApiError) as caught:
        api_of(text, tmp_path, "openapi.txt")
    assert UNUSABLE[text] in str(caught.value) and "\n" not in str(caught.value)


def test_the_suffix_decides_before_the_first_character(tmp_path: Path) -> None:
    assert [*api_of("{openapi: 3.1.0, paths: {/a: {get: {}}}}", tmp_path, "openapi.yml").operations] == ["/a"]


def test_a_few_problems_are_enough(tmp_path: Path) -> None:
    parts = ", ".join(f"{{$ref: '#/none{number}'}}" for number in range(MAX_PROBLEMS + 2))
    api = facts_of(f"{{allOf: [{parts}]}}", tmp_path)
    assert reported(metric("/a", "any"), api) == []
    assert len(api.references.problems) == MAX_PROBLEMS


@pytest.mark.skipif(os.name == "nt", reason="Windows has no pipes in folders")
def test_only_the_description_itself_may_be_a_pipe(tmp_path: Path) -> None:
    path, part = tmp_path / "openapi.yaml", tmp_path / "part.json"
    os.mkfifo(path)
    os.mkfifo(part)
    text = ONE.replace("SCHEMA", "{$ref: part.json}")
    threading.Thread(target=path.write_text, args=[text], daemon=True).start()
    api = read_api(str(path), may_be_pipe=True)
    assert reported(metric("/a", "any"), api) == []
    assert len(api.references.problems) == 1 and "part.json: " in api.references.problems[0]
    assert version_of(str(part)) is None
    for read in (partial(read_value, may_be_pipe=False), read_data):
        with pytest.raises(OpenApiError, match="it is a pipe"):
            read(str(part))


def test_descriptions_with_odd_paths_have_no_operations(tmp_path: Path) -> None:
    for text in ("openapi: 3.1", "openapi: 3.0.0\npaths: 7", "openapi: 3.0.0\npaths: {/a: 7, /b: {get: 7}, 3: {}}"):
        assert api_of(text, tmp_path).operations == {}


def test_large_files_are_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    huge = tmp_path / "huge.json"
    huge.write_bytes(b" " * 20_000_000)
    with pytest.raises(OpenApiError, match="it has more than 16,777,216 bytes"):
        read_api(str(huge))
    (tmp_path / "large.yaml").write_text("a: 1\n" + "#" * 4 * 1024 * 1024)
    with pytest.raises(OpenApiError, match="it has more than 4,194,304 characters, the limit for YAML"):
        read_api(str(tmp_path / "large.yaml"))
    monkeypatch.setattr(yaml_text, "MAX_SIZE", 10)
    with pytest.raises(OpenApiError, match="it has more than 10 characters, the limit for YAML"):
        api_of("openapi: 3.0.0\npaths: {}", tmp_path)


def test_schemas_that_explode_are_unknown(tmp_path: Path) -> None:
    """Each schema has two alternatives, all of them different objects: 2 to the power of 59 in total."""
    schemas: list[dict[str, object]] = [{"type": "object", "properties": {"a": {}}}]
    for number in range(59):
        below = {"$ref": f"#/components/schemas/S{number}"}
        schemas.append({"oneOf": [{"allOf": [below]}, {"allOf": [dict(below)]}]})
    value = json.loads(as_json(ONE.replace("SCHEMA", "{$ref: '#/components/schemas/S59'}")))
    value["components"]["schemas"] = {f"S{number}": schema for number, schema in enumerate(schemas)}
    api = api_of(json.dumps(value), tmp_path, "openapi.json")
    assert api.value(api.response(api.operations["/a"]), "any") is not None


def test_variables_of_servers_have_defaults(tmp_path: Path) -> None:
    servers = 'servers: [{url: "https://{host}/{base}/v2/", variables: {base: {default: api}}}, {url: /relative}, {url: "http://[/x"}]'
    api = api_of(ONE.replace("SCHEMA", "{type: array}") + servers, tmp_path)
    for path in ("/a", "/api/v2/a", "/relative/a"):
        assert reported(table(path, None), api) == []
    assert reported(table("/other/a", None), api) == ['UNKNOWN_PATH "/other/a"']


def test_a_copy_reports_files_and_problems(tmp_path: Path) -> None:
    api = copied(facts_of("{$ref: 'missing.yaml#/A'}", tmp_path))
    assert api.references.versions[str(tmp_path / "missing.yaml")] is None
    assert "missing.yaml: no such file" in api.references.problems[0]


def test_a_copy_of_aliases_that_explode_is_small(tmp_path: Path) -> None:
    levels = "".join(f"  L{n}: &L{n} {{properties: {{a: *L{n - 1}, b: *L{n - 1}}}}}\n" for n in range(1, 60))
    text = f"x:\n  L0: &L0 {{properties: {{end: {{type: string}}}}}}\n{levels}"
    responses = "{200: {content: {application/json: {schema: *L59}}}}"
    api = api_of(f"openapi: 3.0.0\n{text}paths: {{/a: {{get: {{responses: {responses}}}}}}}", tmp_path)
    assert len(pickle.dumps(api)) < 20_000
    api = copied(api)
    assert api.value(api.response(api.operations["/a"]), "a.b.a.b") is not None
    assert api.value(api.response(api.operations["/a"]), "a.b.a.c") is None


def test_a_parameter_may_have_slashes_at_the_end_of_a_path(tmp_path: Path) -> None:
    marked = "parameters: [{$ref: '#/none'}, {name: path, in: path, x-multi-segment: true}]"
    paths = f"{{'/files/{{path}}': {{get: {{{marked}}}}}, '/raw/{{path}}/lines': {{get: {{{marked}}}}}}}"
    api = api_of(f"openapi: 3.0.0\npaths: {paths}", tmp_path)
    for path, is_found in (
        ("/files/a", True),
        ("/files/a/b.txt", True),
        ("/raw/a/lines", True),
        ("/raw/a/lines/b", False),
    ):
        assert (api.operation(path) is not None) == is_found, path


def test_a_copy_has_operations_without_a_response(tmp_path: Path) -> None:
    api = copied(api_of("openapi: 3.0.0\npaths: {/a: {get: {responses: {}}}}", tmp_path))
    assert [*api.operations] == ["/a"]


def test_the_template_of_the_same_name_comes_first(tmp_path: Path) -> None:
    """`{id}` fits any parameter, also one of another template with as many segments."""
    ok = "{get: {responses: {}}}"
    paths = f"{{'/api/vehicles/{{vin}}': {ok}, '/api/{{kind}}/{{id}}': {ok}, '/api/vehicles/{{id}}': {ok}}}"
    api = api_of(f"openapi: 3.0.0\npaths: {paths}", tmp_path)
    for path, template in (
        ("/api/vehicles/{id}", "/api/vehicles/{id}"),
        ("/api/vehicles/7", "/api/vehicles/{vin}"),
        ("/api/trips/{id}", "/api/{kind}/{id}"),
    ):
        found = api.find(path)
        assert found.operation is not None and found.operation.path == template


# Path templates → paths, each with the template that it fits, or the path that is meant, or neither.
MEANT = {
    ("/orders/{id}", "/order/latest"): {"/orders/latest": ("/orders/{id}", "")},
    ("/files/{name}.json",): {"/files/a.xml": ("", "/files/{name}.json"), "/files/a.json": ("/files/{name}.json", "")},
    ("/reporta", "/reportb"): {"/reportc": ("", ""), "/reporta": ("/reporta", "")},
    ("/", "/orders"): {"/": ("/", ""), "": ("", ""), "orders": ("", "")},
    ("/v3/orders/{id}", "/v3/orders"): {
        "/v1/orders/7": ("", "/v3/orders/7"), "/v1/order": ("", "/v3/orders"), "/v2.1/orders": ("", "/v3/orders"),
        "/value/orders": ("", ""),
    },
    ("/v2/orders", "/v3/orders"): {"/v1/orders": ("", "")},
    ("/accounts/{id}", "/accounts/{id}/files"): {
        "/account/7": ("", "/accounts/7"), "/account/files": ("", ""), "/account/7/files": ("", "/accounts/7/files"),
    },
}  # fmt: skip


def test_a_word_of_most_paths_makes_none_of_them_similar(tmp_path: Path) -> None:
    names = ("orders", "bills", "stock", "bins", "carts", "users", "rooms", "order-lines/old")
    paths = {f"/api/v1/{name}": {"get": {"responses": {}}} for name in names}
    api = api_of(json.dumps({"openapi": "3.0.0", "paths": paths}), tmp_path)
    assert api.find("/api/v1/weather/today").similar == ()
    assert api.find("/api/v1/orders/old").similar == ("/api/v1/order-lines/old", "/api/v1/orders")


@pytest.mark.parametrize("templates", MEANT, ids=" ".join)
def test_what_a_path_is_meant_as(templates: tuple[str, ...], tmp_path: Path) -> None:
    paths = {template: {"get": {"responses": {}}} for template in templates}
    api = api_of(json.dumps({"openapi": "3.0.0", "paths": paths}), tmp_path)
    for path, expected in MEANT[templates].items():
        found = api.find(path)
        assert ("" if found.operation is None else found.operation.path, found.meant) == expected, path
