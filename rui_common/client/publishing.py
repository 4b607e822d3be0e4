"""What is sent to a service when a document is published."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from rui_common.catalog import MAX_BODY_BYTES

if TYPE_CHECKING:
    from rui_common.document import Document


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
