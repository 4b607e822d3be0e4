"""Examples of request and response bodies. A test compares them with the running service."""

from __future__ import annotations

import json

from rui_common.describe.examples import broken_example, minimal_example
from rui_common.hashing import content_hash
from rui_common.http_contract import errors
from rui_common.http_contract.endpoints import UNKNOWN_FORM
from rui_common.syntax.document import read
from rui_common.validation.diagnostics import where_broken
from rui_common.validation.validator import validate
from rui_common.validation.wording import error_items as worded_items
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_common.vocabulary.rules import MESSAGES, RULES, Rule
from rui_common.vocabulary.schema import Vocabulary

Json = dict[str, object]

EXAMPLE_RULE = "R7b"
"""The rule that the invalid document breaks."""

SPEC_ID = "4be0643f-1d98-473b-97cd-ca98a65347dd"
CREATED_AT = "2026-01-31T09:15:00.123Z"
"""Id and time of the stored spec."""


def request_examples(vocabulary: Vocabulary = VOCABULARY) -> dict[str, str]:
    """Request bodies by the name of the response."""
    valid = json.dumps(minimal_example(vocabulary), ensure_ascii=False)
    return {
        "valid": valid,
        "saved": valid,
        "invalid": broken_example(RULES[EXAMPLE_RULE], vocabulary),
        "noJson": broken_example(RULES["R0"], vocabulary),
    }


def response_examples(base_url: str, vocabulary: Vocabulary = VOCABULARY) -> dict[str, Json]:
    """Response bodies by the names in `rui_common.http_contract.errors`."""
    document = minimal_example(vocabulary)
    versions = {"validationVersion": vocabulary.version, "registryVersion": vocabulary.version}
    items = error_items(RULES[EXAMPLE_RULE], vocabulary)
    return {
        "valid": {"valid": True, **versions, "normalizedRui": document},
        "invalid": {"valid": False, **versions, "errors": items, "truncated": False},
        "noJson": {"valid": False, "errors": error_items(RULES["R0"], vocabulary)},
        "saved": {
            "specId": SPEC_ID,
            "url": f"{base_url}/api/specs/{SPEC_ID}",
            "viewUrl": f"{base_url}/specs/{SPEC_ID}",
            "createdAt": CREATED_AT,
            "contentHash": content_hash(document),
            **versions,
            "normalizedRui": document,
        },
        "noSuchSpec": {"error": errors.NOT_FOUND, "specId": SPEC_ID},
        "deleted": {"error": errors.GONE, "specId": SPEC_ID},
        "noSuchForm": {"error": errors.BAD_REQUEST, "message": UNKNOWN_FORM},
        "invalidSpecId": _error(errors.INVALID_SPEC_ID),
        "storeDown": _error(errors.STORAGE_UNAVAILABLE),
        "noSuchPath": _error(errors.NOT_FOUND),
        "methodNotAllowed": _error(errors.METHOD_NOT_ALLOWED, method="POST"),
        "badRequest": _error(errors.BAD_REQUEST),
        "forbidden": _error(errors.FORBIDDEN),
        "internalError": _error(errors.INTERNAL_ERROR),
        "overloaded": _error(errors.OVERLOADED),
        "healthy": {"status": "ok"},
        "ready": {"status": "ready"},
    }


def error_items(rule: Rule, vocabulary: Vocabulary = VOCABULARY) -> list[dict[str, str]]:
    """The `errors[]` of the response to the wrong example of a rule."""
    document = read(broken_example(rule, vocabulary))
    value = document.value
    if document.valid and isinstance(value, dict):
        return worded_items(validate(value, vocabulary=vocabulary), vocabulary)
    code = RULES["R0"].code
    message, hint = MESSAGES[code]
    return [{"path": "", "code": code, "message": message, "hint": f"{hint} {where_broken(document)}"}]


def _error(code: str, **values: str) -> Json:
    return {"error": code, "message": errors.ERROR_MESSAGES[code].format(**values)}
