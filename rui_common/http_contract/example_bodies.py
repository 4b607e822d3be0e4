"""An example of every body that is sent and answered; a test has the running service give the same ones."""

from __future__ import annotations

import json

from rui_common.describe.examples import broken_example, minimal_example
from rui_common.hashing import content_hash
from rui_common.http_contract.endpoints import (
    BAD_REQUEST,
    FAULTS,
    INTERNAL_ERROR,
    INVALID_SPEC_ID,
    METHOD_NOT_ALLOWED,
    NOT_FOUND,
    OVERLOADED,
    STORAGE_UNAVAILABLE,
)
from rui_common.http_contract.schema_slices import NO_FORM, NoSuchPartError, slice_payload
from rui_common.syntax.document import read
from rui_common.validation.diagnostics import where_broken
from rui_common.validation.run import validate
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_common.vocabulary.rules import MESSAGES, RULES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rui_common.vocabulary.rules import Rule
    from rui_common.vocabulary.schema import Vocabulary

    Json = dict[str, object]

BROKEN_IN_EXAMPLES = "R7b"
"""The rule that the invalid document of the examples breaks."""

SPEC_ID = "4be0643f-1d98-473b-97cd-ca98a65347dd"
CREATED_AT = "2026-01-31T09:15:00.123Z"
"""What a made-up stored spec is called and when it was stored."""

NO_SHAPE = "Tabel"
NO_FORM_NAME = "tiny"
"""Names that no shape and no form of the vocabulary has."""


def request_examples(vocabulary: Vocabulary = VOCABULARY) -> dict[str, str]:
    """The body of a request, by the name of the answer that it gets."""
    return {
        "valid": json.dumps(minimal_example(vocabulary), ensure_ascii=False),
        "saved": json.dumps(minimal_example(vocabulary), ensure_ascii=False),
        "invalid": broken_example(RULES[BROKEN_IN_EXAMPLES], vocabulary),
        "noJson": broken_example(RULES["R0"], vocabulary),
    }


def answer_examples(base_url: str, vocabulary: Vocabulary = VOCABULARY) -> dict[str, Json]:
    """An example of every JSON body, by the names that `rui_common.http_contract.endpoints` uses."""
    document = minimal_example(vocabulary)
    versions = {"validationVersion": vocabulary.version, "registryVersion": vocabulary.version}
    requests = request_examples(vocabulary)
    items = items_of(RULES[BROKEN_IN_EXAMPLES], vocabulary)
    return {
        "valid": {"valid": True, **versions, "normalizedRui": document},
        "invalid": {"valid": False, **versions, "errors": items, "truncated": False},
        "noJson": {"valid": False, "errors": [_unreadable(requests["noJson"])]},
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
        "noSuchForm": {"error": BAD_REQUEST, "message": NO_FORM},
        "noSuchShape": {"error": NOT_FOUND, "message": _no_such_shape(vocabulary)},
        "invalidSpecId": _fault(INVALID_SPEC_ID),
        "storeDown": _fault(STORAGE_UNAVAILABLE),
        "noSuchPath": _fault(NOT_FOUND),
        "methodNotAllowed": _fault(METHOD_NOT_ALLOWED, method="POST"),
        "badRequest": _fault(BAD_REQUEST),
        "internalError": _fault(INTERNAL_ERROR),
        "overloaded": _fault(OVERLOADED),
        "healthy": {"status": "ok"},
        "ready": {"status": "ready"},
    }


def items_of(rule: Rule, vocabulary: Vocabulary = VOCABULARY) -> list[dict[str, str]]:
    """The `errors[]` that are answered to the wrong example of a rule."""
    text = broken_example(rule, vocabulary)
    if not read(text).valid:
        return [_unreadable(text)]
    return [finding.to_item() for finding in list(validate(json.loads(text), vocabulary=vocabulary))]


def _fault(error: str, **values: str) -> Json:
    return {"error": error, "message": FAULTS[error].format(**values)}


def _unreadable(text: str) -> dict[str, str]:
    code = RULES["R0"].code
    message, gist = MESSAGES[code]
    return {"path": "", "code": code, "message": message, "hint": f"{gist} {where_broken(read(text))}"}


def _no_such_shape(vocabulary: Vocabulary) -> str:
    try:
        slice_payload([NO_SHAPE], vocabulary)
    except NoSuchPartError as fault:
        return str(fault)
    raise AssertionError("there is such a shape")
