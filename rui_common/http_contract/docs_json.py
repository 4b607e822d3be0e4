"""The body of ``GET /api/docs``: workflow, contracts of the endpoints, catalogue of errors (section 4.5)."""

from __future__ import annotations

from rui_common.describe.examples import minimal_example
from rui_common.describe.vocabulary_json import DOCS_VERSION, limits_payload
from rui_common.http_contract.endpoints import ANY_ENDPOINT, COMPACT, ENDPOINTS, JSON
from rui_common.http_contract.example_bodies import answer_examples, items_of, request_examples
from rui_common.vocabulary.queries import rules_of_code
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_common.vocabulary.rules import MESSAGES, RULES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rui_common.http_contract.endpoints import Endpoint, Parameter, ResponseSpec
    from rui_common.vocabulary.schema import Vocabulary

    Json = dict[str, object]

RETRY_TARGET = 5
"""Rounds of validating in which a client should be done: a guideline of section 8, enforced by nobody."""


def docs_payload(base_url: str, vocabulary: Vocabulary = VOCABULARY) -> Json:
    """The documentation of the service as plain JSON.

    Args:
        base_url: the address of the service, without a slash at its end.
        vocabulary: what the examples are made from.

    Returns:
        An object with `docsVersion`, the versions of validation and registry, `baseUrl`, `workflow`, `conventions`,
        `endpoints`, `anyEndpoint`, `errors` by code, and `limits`.
    """
    examples, requests = answer_examples(base_url, vocabulary), request_examples(vocabulary)
    return {
        "docsVersion": DOCS_VERSION,
        "validationVersion": vocabulary.version,
        "registryVersion": vocabulary.version,
        "baseUrl": base_url,
        "workflow": workflow(base_url),
        "conventions": list(CONVENTIONS),
        "endpoints": [_endpoint(route, examples, requests, vocabulary) for route in ENDPOINTS],
        "anyEndpoint": [_answer(answer, examples, {}) for answer in ANY_ENDPOINT],
        "errors": error_catalogue(vocabulary),
        "limits": limits_payload(vocabulary) | {"retryTarget": RETRY_TARGET},
    }


def workflow(base_url: str) -> list[Json]:
    """The five steps of a client (specification, section 1)."""
    steps = (
        (f"Fetch the vocabulary: all of it, or with ?form={COMPACT} in few words, for a model's context.",
         f"GET {base_url}/api/schema"),
        ("Write a RUI: a JSON document, saved as *.rui.json.", ""),
        (f"Validate it; mend what `errors[]` says and validate again, until `valid` is true. All independent faults "
         f"are reported at once: aim at no more than {RETRY_TARGET} rounds.", f"POST {base_url}/api/validate"),
        ("Store it.", f"POST {base_url}/api/specs"),
        ("Give `viewUrl` to people, and keep `url` for programs.", f"GET {base_url}/api/specs/:id"),
    )  # fmt: skip
    return [
        {"step": number, "does": does, **({"request": request} if request else {})}
        for number, (does, request) in enumerate(steps, 1)
    ]


CONVENTIONS = (
    "The body of a POST is the RUI itself, sent as application/json. It is never wrapped in an object such as "
    '{"rui": ...}.',
    "200 can mean invalid: only `valid` tells. 400 means that no RUI could be read, whatever it holds.",
    "Every item of `errors[]` has `path`, `code`, `message` and `hint`. The path leads to the fault, as in "
    "pages[0].children[0].binding; the hint says how to mend it.",
    "Errors come in canonical order, those of unknown properties after those of known ones. `truncated` is true when "
    "there were more than are shown.",
    "`normalizedRui` has the same content in canonical order; it is what is stored and hashed.",
    "`contentHash` is sha256: and the SHA-256 of `normalizedRui` in the canonical form of RFC 8785.",
    "A stored spec never changes. Storing the same RUI again makes a new spec.",
    "There is no authentication; every endpoint is public. What takes GET takes HEAD too.",
)
"""What holds at every endpoint."""


def error_catalogue(vocabulary: Vocabulary = VOCABULARY) -> list[Json]:
    """Every code, with its words, its rules and an example of each: wrong, what is answered to that, and right."""
    return [
        {
            "code": code,
            "message": message,
            "hint": hint,
            "rules": [
                {
                    "rule": number,
                    "condition": RULES[number].condition,
                    "why": RULES[number].why,
                    "at": RULES[number].at,
                    "wrong": RULES[number].wrong,
                    "answered": items_of(RULES[number], vocabulary),
                    "right": RULES[number].right,
                }
                for number in rules_of_code(code)
            ],
        }
        for code, (message, hint) in MESSAGES.items()
    ]


def _endpoint(route: Endpoint, examples: dict[str, Json], requests: dict[str, str], vocabulary: Vocabulary) -> Json:
    described: Json = {"method": route.method, "path": route.path, "summary": route.summary}
    if route.request:
        described["request"] = route.request
    for title, parameters in (("query", route.query), ("form", route.fields)):
        if parameters:
            described[title] = {parameter.name: _parameter(parameter) for parameter in parameters}
    sent = {}
    if route.method == "POST" and route.takes == JSON:
        described["requestExample"] = minimal_example(vocabulary)
        sent = requests
    return described | {"answers": [_answer(answer, examples, sent) for answer in route.answers]}


def _parameter(parameter: Parameter) -> Json:
    described: Json = {"description": parameter.words, "required": parameter.required}
    return described | ({"values": list(parameter.values)} if parameter.values else {})


def _answer(answer: ResponseSpec, examples: dict[str, Json], requests: dict[str, str]) -> Json:
    described: Json = {"status": answer.status, "when": answer.when}
    if answer.media_type:
        described["mediaType"] = answer.media_type
    described["body"] = answer.shape
    if answer.example in requests:
        described["toBody"] = requests[answer.example]
    if answer.example:
        described["example"] = examples[answer.example]
    return described
