"""Self-description of the service (specification, section 4.5; docs/decisions.md, section 6)."""

import json
from pathlib import Path

import httpx
import pytest
from litestar.testing import TestClient
from openapi_spec_validator import OpenAPIV31SpecValidator

from rui_api.app import create_app
from rui_api.commands.store import main as store_command
from rui_api.config.options import Settings
from rui_api.contract.bodies import SPEC_ID
from rui_api.contract.compact_form import compact_payload
from rui_api.contract.docs_json import docs_payload
from rui_api.contract.example_bodies import request_examples, response_examples
from rui_api.contract.llms_txt import llms_txt
from rui_common.describe import json_schema, vocabulary_payload
from rui_common.describe.structured_schema import structured_schema
from rui_common.vocabulary.rules import MAX_ERRORS, MESSAGES
from tests.rui_api.live import Down, Service, described, patient_app, running


def test_llms_txt(service: Service) -> None:
    answer = service.client.get("/llms.txt")
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    assert answer.text == llms_txt(service.url)
    assert service.client.get("/api/docs").json() == docs_payload(service.url)


def test_openapi_speaks_of_this_service(service: Service) -> None:
    document = service.client.get("/api/openapi.json").json()
    assert document["openapi"].startswith("3.1.")
    assert document["servers"] == [{"url": service.url}]
    assert document["paths"] == json.loads(json.dumps(described()["paths"]).replace("http://localhost", service.url))


def test_openapi_is_openapi() -> None:
    """The document is valid under the JSON Schema of OpenAPI 3.1, and has the schemas of the vocabulary."""
    document = described()
    OpenAPIV31SpecValidator(document).validate()
    schemas = document["components"]["schemas"]
    assert json_schema()["$defs"].keys() <= schemas.keys()
    assert schemas["ErrorItem"]["properties"]["code"]["enum"] == list(MESSAGES)
    assert schemas["Invalid"]["properties"]["errors"]["maxItems"] == MAX_ERRORS


NOT_PROVOKED = {"BadRequest", "Forbidden", "InternalError", "Overloaded", "RateLimited", "Unreachable"}
"""Examples that need an error of the service or of HTTP (tests/rui_api/routes/test_errors.py), or a proxy."""

MADE_UP = {"specId", "url", "viewUrl", "createdAt"}
"""What differs from one stored spec to the next."""


def answers_of(service: Service, store: str) -> dict[str, httpx.Response]:
    """Return the responses of the running service to the requests of the examples."""
    client = service.client
    answers = {
        name: service.post("/api/specs" if name == "SavedSpec" else "/api/validate", request.encode())
        for name, request in request_examples().items()
    }
    with TestClient(create_app(Settings(), Down())) as without_store:
        answers["StorageUnavailable"] = without_store.get(f"/api/specs/{SPEC_ID}")
    spec_id = str(service.store()["specId"])
    assert store_command(["delete", spec_id, "--reason", "a test", "--store", store]) == 0
    return answers | {
        "DeletedSpec": client.get(f"/api/specs/{spec_id}"), "NoSuchSpec": client.get(f"/api/specs/{SPEC_ID}"),
        "InvalidSpecId": client.get("/api/specs/1"), "NotFound": client.get("/nothing"),
        "MethodNotAllowed": client.post("/api/health"), "Health": client.get("/api/health"),
        "Ready": client.get("/api/ready"),
    }  # fmt: skip


def test_the_examples_are_what_the_service_answers(tmp_path: Path) -> None:
    store = f"sqlite:///{tmp_path}/rui.db"
    with running(patient_app(Settings(store=store))) as service:
        examples = response_examples(service.url)
        answered = {name: answer.json() for name, answer in answers_of(service, store).items()}
    missing = examples.keys() - answered.keys() - NOT_PROVOKED
    assert not missing, f"answers_of sends no request whose response has the Body {missing}"
    assert answered.keys() <= examples.keys(), "answers_of has a name that no Body has"
    for name, answer in answered.items():
        made_up = MADE_UP if name in ("SavedSpec", "DeletedSpec") else set()
        expected = {key: value for key, value in examples[name].items() if key not in made_up}
        assert answer.keys() == examples[name].keys(), f"the example of {name} has other properties than the response"
        assert {key: answer[key] for key in expected} == expected, f"the example of {name} is not the response"


@pytest.mark.parametrize(("query", "expected"), [
    ("", vocabulary_payload()), ("?form=full", vocabulary_payload()), ("?form=compact", compact_payload()),
    ("?form=structured", structured_schema()),
])  # fmt: skip
def test_forms_of_the_schema(service: Service, query: str, expected: object) -> None:
    assert service.client.get(f"/api/schema{query}").json() == expected


@pytest.mark.parametrize(("query", "words"), [
    ("?form=", "one of compact, full, structured, and occurs once"), ("?form=compact&form=full", "occurs once"),
    ("?form=full&form=full", "occurs once"), ("?form=compact,full", "one of"), ("?form=Compact", "one of"),
    ("?type=Table", "only form."), ("?Form=full", "only form."),
])  # fmt: skip
def test_parameters_that_there_are_not(service: Service, query: str, words: str) -> None:
    answer = service.client.get(f"/api/schema{query}")
    assert (answer.status_code, answer.json()["error"]) == (400, "BAD_REQUEST")
    assert words in answer.json()["message"]
