"""What the service says about itself (specification, section 4.5; docs/decisions.md, section 6)."""

import json

import pytest
from jsonschema import Draft202012Validator

from rui_common.catalog import MAX_ERRORS, MESSAGES
from rui_common.describe import docs_markdown, docs_payload, json_schema, llms_txt, vocabulary_payload
from tests.api.live import Service, described


def test_llms_txt(service: Service) -> None:
    answer = service.client.get("/llms.txt")
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    assert answer.text == llms_txt(service.url)


def test_schema(service: Service) -> None:
    assert service.client.get("/api/schema").json() == vocabulary_payload()


@pytest.mark.parametrize("accept", [
    "", "*/*", "application/json", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
    "text/markdown;q=0", "text/markdown;q=0.5, application/json", "text/markdown;q=0.5, */*", "text/html", "nonsense",
    "text/markdown;q=x", "application/json, text/markdown", "text/markdown2", "text/*;q=0.1, */*;q=0.2",
])  # fmt: skip
def test_docs_as_json(service: Service, accept: str) -> None:
    answer = service.client.get("/api/docs", headers={"Accept": accept})
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["vary"] == "Accept"
    assert answer.json() == docs_payload(service.url)


@pytest.mark.parametrize("accept", [
    "text/markdown", "TEXT/Markdown", "text/markdown, */*", "text/markdown, text/html, */*", "text/*",
    "application/json;q=0.5, text/markdown", "text/markdown; charset=utf-8", "text/markdown;q=0.5, */*;q=0.1",
])  # fmt: skip
def test_docs_as_markdown(service: Service, accept: str) -> None:
    answer = service.client.get("/api/docs", headers={"Accept": accept})
    assert answer.headers["content-type"] == "text/markdown; charset=utf-8"
    assert answer.headers["vary"] == "Accept"
    assert answer.text == docs_markdown(service.url)


def test_openapi_speaks_of_this_service(service: Service) -> None:
    document = service.client.get("/api/openapi.json").json()
    assert document["openapi"].startswith("3.1.")
    assert document["servers"] == [{"url": service.url}]
    assert document["paths"] == json.loads(json.dumps(described()["paths"]).replace("http://localhost", service.url))


def test_openapi_schemas_are_schemas() -> None:
    document = described()
    schemas = document["components"]["schemas"]
    for schema in schemas.values():
        Draft202012Validator.check_schema(schema)
    assert json_schema()["$defs"].keys() <= schemas.keys()
    assert schemas["ErrorItem"]["properties"]["code"]["enum"] == list(MESSAGES)
    assert schemas["Invalid"]["properties"]["errors"]["maxItems"] == MAX_ERRORS


def references(value: object) -> set[str]:
    if isinstance(value, dict):
        own = {value["$ref"]} if isinstance(value.get("$ref"), str) else set()
        return own.union(*map(references, value.values()))
    return set().union(*map(references, value)) if isinstance(value, list) else set()


def test_openapi_references_lead_somewhere() -> None:
    document = described()
    known = {f"#/components/schemas/{name}" for name in document["components"]["schemas"]}
    assert references(document)
    assert references(document) <= known


def test_openapi_examples_fit_their_schemas() -> None:
    document = described()
    examples = 0
    for item in document["paths"].values():
        for method in ("get", "post"):
            for response in item.get(method, {}).get("responses", {}).values():
                for content in response.get("content", {}).values():
                    validator = Draft202012Validator({**content["schema"], "components": document["components"]})
                    for example in content.get("examples", {}).values():
                        validator.validate(example["value"])
                        examples += 1
    assert examples > 10


def test_openapi_operations_have_names_of_their_own() -> None:
    names = [
        operation["operationId"]
        for item in described()["paths"].values()
        for method, operation in item.items()
        if method in ("get", "post", "head")
    ]
    assert len(set(names)) == len(names)
