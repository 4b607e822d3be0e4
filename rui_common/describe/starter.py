"""The text of a new document, made from the examples of the vocabulary."""

from __future__ import annotations

import json

from rui_common.describe.examples import full_example, minimal_example
from rui_common.document import read
from rui_common.formatter import format_document


def starter_text(title: str = "", *, full: bool = False) -> str:
    """A valid document in canonical form, to start from.

    Args:
        title: the name of the app; the example's own if it is empty.
        full: with every sort of block and every property, to learn from.

    Raises:
        UnicodeEncodeError: the title has half a surrogate pair in it.
    """
    title.encode()
    value = full_example() if full else minimal_example()
    meta = value.get("meta")
    if title and isinstance(meta, dict):
        meta["title"] = title
    return format_document(read(json.dumps(value, ensure_ascii=False)))
