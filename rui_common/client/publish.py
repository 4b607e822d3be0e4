"""What is sent to a service when a document is published, and what it says about it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from rui_common.syntax.paths import parse_path
from rui_common.validation.diagnostics import ERROR, Diagnostic
from rui_common.vocabulary.rules import MAX_BODY_BYTES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rui_common.client.models import ErrorItem
    from rui_common.syntax.document import Document


def body_of(document: Document) -> bytes:
    """A valid document as the body of a request.

    It is sent as its author wrote it. Only if its layout alone makes it longer than a body may be
    (specification, section 8), the layout is left away: what is stored is the same.

    Args:
        document: a document without errors.
    """
    body = document.text.encode()
    if len(body) <= MAX_BODY_BYTES:
        return body
    return json.dumps(document.value, ensure_ascii=False, separators=(",", ":")).encode()


def located(document: Document, errors: Iterable[ErrorItem]) -> list[Diagnostic]:
    """What a service finds in a document that is in order here, with its place in the text.

    Its rules are not ours, then: it is older or newer.
    """
    found = []
    for error in errors:
        try:
            path = parse_path(error.path)
        except ValueError:
            path = ()
        found.append(Diagnostic(ERROR, error.code, "", path, error.message, error.hint, document.range_of(path)))
    return found
