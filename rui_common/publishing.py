"""Publishing a document: the request body, and the errors of the service as diagnostics."""

import json
from collections.abc import Iterable

from rui_common.client import ErrorItem, SavedSpec
from rui_common.json_values import as_object
from rui_common.syntax.document import Document
from rui_common.syntax.paths import parse_path
from rui_common.validation.diagnostics import Diagnostic, Severity
from rui_common.versions.replaced import version_hash, with_replaced_id
from rui_common.vocabulary.rules import MAX_BODY_BYTES


def request_body(document: Document, replaced_id: str) -> bytes:
    """Return a valid document as the body of a request, with the id of the stored spec that it replaces, if any.

    Without one, the text is sent unchanged. If only its layout makes it longer than a body may be (specification,
    section 8), it is sent without layout: the service stores the same.
    """
    if replaced_id:
        return _without_layout(with_replaced_id(as_object(document.value), replaced_id))
    body = document.text.encode()
    if len(body) <= MAX_BODY_BYTES:
        return body
    return _without_layout(document.value)


def is_unchanged(document: Document, spec: SavedSpec) -> bool:
    """Return whether a spec has the content of a valid document, apart from the id of the spec that it replaces."""
    return bool(own_hash := version_hash(document.value)) and own_hash == version_hash(spec.normalized_rui)


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
