"""The text of a new document."""

from __future__ import annotations

import json

from rui_common.describe.examples import full_example, minimal_example
from rui_common.editing.formatter import format_document
from rui_common.syntax.document import read
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_common.vocabulary.schema import Vocabulary


def new_document_text(title: str = "", *, full: bool = False, vocabulary: Vocabulary = VOCABULARY) -> str:
    """A valid document in canonical form.

    Args:
        title: the name of the app; by default that of the example.
        full: whether to include every type of node and every property.

    Raises:
        UnicodeEncodeError: the title contains a lone surrogate.
    """
    title.encode()
    value = full_example(vocabulary) if full else minimal_example(vocabulary)
    if title:
        _set_title(value, title, vocabulary)
    return format_document(read(json.dumps(value, ensure_ascii=False)))


def _set_title(value: dict[str, object], title: str, vocabulary: Vocabulary) -> None:
    """Set the label of the first object below the root that has one."""
    for prop in vocabulary.root.props.values():
        inner = value.get(prop.name)
        labels = [label for shape in prop.kind.inner_shapes for label in shape.labels]
        if isinstance(inner, dict) and labels:
            inner[labels[0].name] = title
            return
