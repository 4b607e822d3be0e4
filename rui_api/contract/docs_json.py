"""The body of ``GET /api/docs``: workflow, endpoints, catalogue of errors (section 4.5)."""

from rui_api.contract.compact_form import HOW_TO_SEND
from rui_api.contract.endpoints import (
    ANY_ENDPOINT,
    API_PREFIX,
    COMPACT,
    ENDPOINTS,
    ERROR_PAGES,
    OF_PROXIES,
    STRUCTURED,
    Endpoint,
    ResponseSpec,
)
from rui_api.contract.example_bodies import example_errors, request_examples, response_examples
from rui_common.describe.examples import minimal_example
from rui_common.describe.vocabulary_json import limits_payload, versions_payload
from rui_common.json_values import JsonObject
from rui_common.problems.lints import WARNINGS
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_common.vocabulary.rules import MESSAGES, RULES, Rule

RETRY_TARGET = 5  # Recommended maximum of validations for one document (section 8). It is not enforced.

CONVENTIONS = (
    *HOW_TO_SEND,
    "Every item of `errors[]` has `path`, `code`, `message` and `hint`. The path leads to the error, as in "
    "pages[0].children[0].binding. The hint describes the fix.",
    "Add `?warnings=true` to a POST: `warnings[]` names what is valid, and probably not shown or not meant.",
    "Add `?fix=true` to POST /api/validate: if a fix is safe, `fixed.rui` has all safe fixes. Store it if "
    "`fixed.errors` is empty.",
    "Errors come in canonical order, those of unknown properties after those of known ones. `truncated` is true if "
    "there were more errors.",
    "`normalizedRui` has the same values in canonical order; it is stored and hashed. Numbers have their shortest "
    "spelling.",
    "`contentHash` is sha256: and the SHA-256 of `normalizedRui` in the canonical form of RFC 8785.",
    f"Errors of {API_PREFIX} are JSON. Those of the pages for people are pages; others are if `Accept` prefers "
    "text/html to JSON, as in browsers.",
    "A stored spec never changes. To edit one, POST what changes to /api/specs?base=ID, with "
    '`{"id": "open-bills"}` in place of each node that stays.',
    "After a response with `Retry-After`, send the request again. After any other status from 500, and without a "
    "response, a RUI that was sent to be stored may be stored.",
    "There is no authentication; every endpoint is public. Every endpoint with GET has HEAD, too.",
)
"""Facts about all endpoints."""


def docs_payload(base_url: str) -> JsonObject:
    """Return the documentation of the service as JSON.

    Args:
        base_url: the address of the service, without a slash at its end.

    Returns:
        An object with `docsVersion`, the versions of validation and registry, `baseUrl`, `workflow`, `conventions`,
        `endpoints`, `anyEndpoint`, `errors` by code, `warnings` and `limits`.
    """
    examples = response_examples(base_url)
    return {
        **versions_payload(VOCABULARY),
        "baseUrl": base_url,
        "workflow": workflow(base_url),
        "conventions": [*CONVENTIONS, VOCABULARY.advice],
        "endpoints": [_endpoint(endpoint, examples) for endpoint in ENDPOINTS],
        "anyEndpoint": [_response(response, examples, {}) for response in (*ANY_ENDPOINT, *OF_PROXIES, *ERROR_PAGES)],
        "errors": _error_catalogue(),
        "warnings": [
            {"code": warning.code, "condition": warning.condition, "message": warning.message, "hint": warning.hint}
            for warning in WARNINGS.values()
            if warning.is_in_answers
        ],
        "limits": limits_payload() | {"retryTarget": RETRY_TARGET},
    }


def workflow(base_url: str) -> list[JsonObject]:
    """Return the five steps of a client (specification, section 1)."""
    steps = (
        (f"Fetch the vocabulary, or with ?form={COMPACT} a short form for a model's context, with "
         f"?form={STRUCTURED} a JSON Schema for structured output.",
         f"GET {base_url}/api/schema"),
        ("Write a RUI: a JSON document, saved as *.rui.json.", ""),
        (f"Validate it. Fix the errors in `errors[]` and validate again, until `valid` is true. All independent errors "
         f"are reported at once: aim at no more than {RETRY_TARGET} rounds.", f"POST {base_url}/api/validate"),
        ("Store it.", f"POST {base_url}/api/specs"),
        ("Give `viewUrl` to people, and keep `url` for programs.", f"GET {base_url}/api/specs/:id"),
    )  # fmt: skip
    return [
        {"step": number, "does": action} | ({"request": request} if request else {})
        for number, (action, request) in enumerate(steps, 1)
    ]


def _error_catalogue() -> list[JsonObject]:
    return [
        {
            "code": code,
            "message": message,
            "hint": hint,
            "rules": [_rule(rule) for rule in RULES.values() if rule.code == code],
        }
        for code, (message, hint) in MESSAGES.items()
    ]


def _rule(rule: Rule) -> JsonObject:
    return {
        "rule": rule.number,
        "condition": rule.condition,
        "why": rule.why,
        "at": rule.at,
        "wrong": rule.wrong,
        "answered": example_errors(rule),
        "right": rule.right,
    }


def _endpoint(endpoint: Endpoint, examples: dict[str, JsonObject]) -> JsonObject:
    payload: JsonObject = {"method": endpoint.method, "path": endpoint.path, "summary": endpoint.summary}
    if endpoint.request:
        payload["request"] = endpoint.request
    if endpoint.query:
        payload["query"] = {
            parameter.name: {"description": parameter.description}
            | ({"values": [*parameter.values]} if parameter.values else {})
            for parameter in endpoint.query
        }
    requests = {}
    if endpoint.method == "POST":
        payload["requestExample"] = minimal_example()
        requests = request_examples()
    return payload | {"answers": [_response(response, examples, requests) for response in endpoint.responses]}


def _response(response: ResponseSpec, examples: dict[str, JsonObject], requests: dict[str, str]) -> JsonObject:
    payload: JsonObject = {"status": response.status, "when": response.when}
    if response.media_type:
        payload["mediaType"] = response.media_type
    if isinstance(response.body, str):
        return payload | {"body": response.body}
    payload["body"] = response.body.notation
    if response.body.name in requests:
        payload["toBody"] = requests[response.body.name]
    return payload | {"example": examples[response.body.name]}
