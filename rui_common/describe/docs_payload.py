"""The body of ``GET /api/docs``: workflow, contracts of the endpoints, catalogue of errors (section 4.5)."""

from __future__ import annotations

import json

from rui_common.catalog import MESSAGES, RULES
from rui_common.content_hash import content_hash
from rui_common.describe.contracts import (
    ANY_ROUTE,
    BAD_REQUEST,
    INTERNAL_ERROR,
    INVALID_SPEC_ID,
    METHOD_NOT_ALLOWED,
    NOT_FOUND,
    OVERLOADED,
    ROUTES,
    STORAGE_UNAVAILABLE,
)
from rui_common.describe.examples import broken_example, minimal_example
from rui_common.describe.facts import rules_of_code
from rui_common.describe.vocabulary_payload import DOCS_VERSION, limits_payload
from rui_common.validator import validate
from rui_common.vocabulary import VOCABULARY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rui_common.declarations import Vocabulary
    from rui_common.describe.contracts import Answer, Route

    Json = dict[str, object]

RETRY_TARGET = 5
"""Rounds of validating in which a client should be done: a guideline of section 8, enforced by nobody."""

BROKEN_IN_EXAMPLES = "R7b"
"""The rule that the invalid document of the examples breaks."""

SPEC_ID = "4be0643f-1d98-473b-97cd-ca98a65347dd"
CREATED_AT = "2026-01-31T09:15:00.123Z"
"""What a made-up stored spec is called and when it was stored."""


def docs_payload(base_url: str, vocabulary: Vocabulary = VOCABULARY) -> Json:
    """The documentation of the service as plain JSON.

    Args:
        base_url: the address of the service, without a slash at its end.
        vocabulary: what the examples are made from.

    Returns:
        An object with `docsVersion`, the versions of validation and registry, `baseUrl`, `workflow`, `conventions`,
        `endpoints`, `anyEndpoint`, `errors` by code, and `limits`.
    """
    examples = answer_examples(base_url, vocabulary)
    return {
        "docsVersion": DOCS_VERSION,
        "validationVersion": vocabulary.version,
        "registryVersion": vocabulary.version,
        "baseUrl": base_url,
        "workflow": workflow(base_url),
        "conventions": list(CONVENTIONS),
        "endpoints": [_endpoint(route, examples, vocabulary) for route in ROUTES],
        "anyEndpoint": [_answer(answer, examples) for answer in ANY_ROUTE],
        "errors": error_catalogue(),
        "limits": limits_payload(vocabulary) | {"retryTarget": RETRY_TARGET},
    }


def workflow(base_url: str) -> list[Json]:
    """The five steps of a client (specification, section 1)."""
    steps = (
        ("Fetch the vocabulary.", f"GET {base_url}/api/schema"),
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
    "Errors come in the order of the document. `truncated` is true when there were more than are shown.",
    "`normalizedRui` has the same content in canonical order; it is what is stored and hashed.",
    "`contentHash` is sha256: and the SHA-256 of `normalizedRui` in the canonical form of RFC 8785.",
    "A stored spec never changes. Storing the same RUI again makes a new spec.",
    "There is no authentication; every endpoint is public. What takes GET takes HEAD too.",
)
"""What holds at every endpoint."""


def answer_examples(base_url: str, vocabulary: Vocabulary = VOCABULARY) -> dict[str, Json]:
    """An example of every JSON body, by the names that `rui_common.describe.contracts` uses."""
    document = minimal_example(vocabulary)
    versions = {"validationVersion": vocabulary.version, "registryVersion": vocabulary.version}
    broken = json.loads(broken_example(RULES[BROKEN_IN_EXAMPLES], vocabulary))
    items = [finding.to_item() for finding in validate(broken, vocabulary=vocabulary)]
    message, hint = MESSAGES["INVALID_JSON"]
    return {
        "valid": {"valid": True, **versions, "normalizedRui": document},
        "invalid": {"valid": False, **versions, "errors": items, "truncated": False},
        "noJson": {
            "valid": False,
            "errors": [{"path": "", "code": "INVALID_JSON", "message": message, "hint": hint}],
        },
        "saved": {
            "specId": SPEC_ID,
            "url": f"{base_url}/api/specs/{SPEC_ID}",
            "viewUrl": f"{base_url}/specs/{SPEC_ID}",
            "createdAt": CREATED_AT,
            "contentHash": content_hash(document),
            **versions,
            "normalizedRui": document,
        },
        "noSuchSpec": {"error": NOT_FOUND, "specId": SPEC_ID},
        "invalidSpecId": {"error": INVALID_SPEC_ID, "message": "The id of a spec is a UUID."},
        "storeDown": {"error": STORAGE_UNAVAILABLE, "message": "The store does not answer; try again soon."},
        "noSuchPath": {"error": NOT_FOUND, "message": "There is nothing at this address."},
        "methodNotAllowed": {"error": METHOD_NOT_ALLOWED, "message": "This address does not take POST."},
        "badRequest": {"error": BAD_REQUEST, "message": "The request cannot be understood."},
        "internalError": {"error": INTERNAL_ERROR, "message": "The service failed; the fault is not in your request."},
        "overloaded": {"error": OVERLOADED, "message": "The service has too much to do; try again soon."},
        "healthy": {"status": "ok"},
        "ready": {"status": "ready"},
    }


def error_catalogue() -> list[Json]:
    """Every code, with its words, its rules and an example of each, wrong and right."""
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
                    "right": RULES[number].right,
                }
                for number in rules_of_code(code)
            ],
        }
        for code, (message, hint) in MESSAGES.items()
    ]


def _endpoint(route: Route, examples: dict[str, Json], vocabulary: Vocabulary) -> Json:
    described: Json = {"method": route.method, "path": route.path, "summary": route.summary}
    if route.request:
        described["request"] = route.request
    if route.method == "POST":
        described["requestExample"] = minimal_example(vocabulary)
    return described | {"answers": [_answer(answer, examples) for answer in route.answers]}


def _answer(answer: Answer, examples: dict[str, Json]) -> Json:
    described: Json = {"status": answer.status, "when": answer.when}
    if answer.media_type:
        described["mediaType"] = answer.media_type
    described["body"] = answer.shape
    if answer.example:
        described["example"] = examples[answer.example]
    return described
