"""The text of a new document, made from the examples of the vocabulary."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from rui_common.describe.examples import full_example, minimal_example
from rui_common.editing.formatter import format_document
from rui_common.syntax.document import read
from rui_common.vocabulary.kinds import ObjectKind
from rui_common.vocabulary.rui_0_1 import VOCABULARY

if TYPE_CHECKING:
    from rui_common.vocabulary.schema import Vocabulary


def starter_text(title: str = "", *, full: bool = False, vocabulary: Vocabulary = VOCABULARY) -> str:
    """A valid document in canonical form, to start from.

    Args:
        title: the name of the app; the example's own if it is empty.
        full: with every sort of block and every property, to learn from.
        vocabulary: what the document is written in.

    Raises:
        UnicodeEncodeError: the title has half a surrogate pair in it.
    """
    title.encode()
    value = full_example(vocabulary) if full else minimal_example(vocabulary)
    if title:
        for prop in vocabulary.root.props.values():  # The first object below the root that has a name names the app.
            about = value.get(prop.name)
            if isinstance(prop.kind, ObjectKind) and isinstance(about, dict) and prop.kind.shape.labels:
                about[prop.kind.shape.labels[0].name] = title
                break
    return format_document(read(json.dumps(value, ensure_ascii=False)))
