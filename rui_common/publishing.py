"""Publishing a document: the request body, and the errors of the service as diagnostics."""

import json
from collections.abc import Iterable

from rui_common.client import ErrorItem, SavedSpec
from rui_common.hashing import content_hash
from rui_common.json_values import JsonObject, as_object
from rui_common.syntax.document import Document
from rui_common.syntax.paths import parse_path, text_at
from rui_common.validation.diagnostics import Diagnostic, Severity
from rui_common.vocabulary.queries import path_with_role
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_common.vocabulary.rules import MAX_BODY_BYTES
from rui_common.vocabulary.schema import Role

_OUTER, _NAME = path_with_role(VOCABULARY, Role.REPLACES)  # ``meta.replaces``


def request_body(document: Document, replaced_id: str = "") -> bytes:
    """Return a valid document as the body of a request, with the id of the stored spec that it replaces, if any.

    Without one, the text is sent unchanged. If only its layout makes it longer than a body may be (specification,
    section 8), it is sent without layout: the service stores the same.
    """
    if replaced_id:
        return _without_layout(_replacing(as_object(document.value), replaced_id))
    body = document.text.encode()
    if len(body) <= MAX_BODY_BYTES:
        return body
    return _without_layout(document.value)


def is_unchanged(document: Document, spec: SavedSpec) -> bool:
    """Return whether a spec has the content of a valid document, apart from the id of the spec that it replaces."""
    value = as_object(document.value)
    if content_hash(value) == spec.content_hash:
        return True
    replaced_id = replaced_id_of(spec.normalized_rui)
    if not replaced_id or not replaced_id.isascii():  # half a surrogate pair has no hash
        return False
    return content_hash(_replacing(value, replaced_id)) == spec.content_hash


def replaced_id_of(value: object) -> str:
    """Return the id of the spec that a document replaces; ``""`` if it has none."""
    return text_at(value, _OUTER, _NAME)


def without_replaced_id(value: object) -> object:
    if not replaced_id_of(value):
        return value
    document = as_object(value)
    inner = {key: item for key, item in as_object(document[_OUTER]).items() if key != _NAME}
    return {**document, _OUTER: inner}


def _replacing(value: JsonObject, replaced_id: str) -> JsonObject:
    return {**value, _OUTER: {**as_object(value[_OUTER]), _NAME: replaced_id}}


def _without_layout(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def service_diagnostics(document: Document, errors: Iterable[ErrorItem]) -> list[Diagnostic]:
    """Return the errors of a service as diagnostics with positions in the text.

    They occur in a document that is valid here if the service is older or newer.
    """
    diagnostics = []
    for error in errors:
        try:
            path = parse_path(error.path)
        except ValueError:
            path = ()
        span = document.range_of(path)
        diagnostics.append(Diagnostic(Severity.ERROR, error.code, "", path, error.message, error.hint, span))
    return diagnostics
