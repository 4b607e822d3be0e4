"""The placeholders in a fix, for which an editor asks by tab stops."""

from __future__ import annotations

import json
import re

from rui_common.editing.snippets import Part, Snippet, TabStop
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_common.vocabulary.schema import Vocabulary

_PAIR = re.compile(r'("(?:[^"\\]|\\.)*"\s*:\s*")((?:[^"\\]|\\.)*)"')


def open_snippet(text: str, vocabulary: Vocabulary = VOCABULARY) -> Snippet | None:
    """Inserted JSON with a tab stop at every placeholder; None if it has none."""
    placeholders = _placeholders(vocabulary)
    parts: list[Part] = []
    end = 0
    for pair in _PAIR.finditer(text):
        name = json.loads(pair[1][: pair[1].index('"', 1) + 1])
        if (name, pair[2]) in placeholders:
            parts += [text[end : pair.end(1)], TabStop(pair[2])]
            end = pair.end(2)
    if not parts:
        return None
    return Snippet((*parts, text[end:]))


def _placeholders(vocabulary: Vocabulary) -> set[tuple[str, str]]:
    """The placeholders of all properties: name and value."""
    props = (prop for shape in vocabulary.shapes.values() for prop in shape.props.values())
    return {(prop.name, prop.placeholder) for prop in props if prop.placeholder}
