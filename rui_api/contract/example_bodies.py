"""Examples of request and response bodies. A test compares them with the running service."""

import json

from rui_api.contract import bodies
from rui_api.contract.endpoints import BODIES
from rui_api.contract.errors import INVALID_JSON
from rui_common.describe.examples import broken_example, minimal_example
from rui_common.describe.unreadable import where_broken
from rui_common.hashing import content_hash
from rui_common.json_values import JsonObject
from rui_common.syntax.document import read
from rui_common.validation.analysis import validate
from rui_common.validation.answers import error_items
from rui_common.version import RUI_VERSION
from rui_common.vocabulary.rules import MESSAGES, RULES, Rule

EXAMPLE_RULE = "R7b"  # the rule that the invalid document breaks
CREATED_AT = "2026-01-31T09:15:00.123Z"  # the time of the stored spec


def request_examples() -> dict[str, str]:
    """Request bodies by the name of the body of the response."""
    valid = json.dumps(minimal_example(), ensure_ascii=False)
    return {
        bodies.VALID.name: valid,
        bodies.SAVED_SPEC.name: valid,
        bodies.INVALID.name: broken_example(RULES[EXAMPLE_RULE]),
        bodies.TRANSPORT_FAILURE.name: broken_example(RULES["R0"]),
    }


def response_examples(base_url: str) -> dict[str, JsonObject]:
    document = minimal_example()
    versions = {"validationVersion": RUI_VERSION, "registryVersion": RUI_VERSION}
    items = example_errors(RULES[EXAMPLE_RULE])
    return {
        **{body.name: body.example for body in BODIES if body.example is not None},
        bodies.VALID.name: {"valid": True, **versions, "normalizedRui": document},
        bodies.INVALID.name: {"valid": False, **versions, "errors": items, "truncated": False},
        bodies.TRANSPORT_FAILURE.name: {"valid": False, "errors": example_errors(RULES["R0"])},
        bodies.SAVED_SPEC.name: {
            "specId": bodies.SPEC_ID,
            "url": f"{base_url}/api/specs/{bodies.SPEC_ID}",
            "viewUrl": f"{base_url}/specs/{bodies.SPEC_ID}",
            "createdAt": CREATED_AT,
            "contentHash": content_hash(document),
            **versions,
            "normalizedRui": document,
        },
    }


def example_errors(rule: Rule) -> list[dict[str, str]]:
    """Return the `errors[]` of the response to the wrong example of a rule."""
    document = read(broken_example(rule))
    value = document.value
    if document.valid and isinstance(value, dict):
        return error_items(validate(value).findings)
    code = INVALID_JSON.code
    message, hint = MESSAGES[code]
    return [{"path": "", "code": code, "message": message, "hint": f"{hint} {where_broken(document)}"}]
