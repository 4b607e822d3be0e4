"""Values of a fix that only the author knows: the address of data. An editor asks for them by tab stops."""

from __future__ import annotations

import json
import re

from rui_common.editing.snippets import Snippet, TabStop
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_common.vocabulary.schema import ENDPOINT, SELECT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rui_common.editing.snippets import Part

_PAIR = re.compile(r'("(?:[^"\\]|\\.)*"\s*:\s*")((?:[^"\\]|\\.)*)"')


def open_snippet(text: str) -> Snippet | None:
    """Inserted JSON with a tab stop at every address of data; None if it has none."""
    names = _address_names()
    parts: list[Part] = []
    end = 0
    for pair in _PAIR.finditer(text):
        name = json.loads(pair[1][: pair[1].index('"', 1) + 1])
        if name in names:
            parts += [text[end : pair.end(1)], TabStop(pair[2])]
            end = pair.end(2)
    if not parts:
        return None
    return Snippet((*parts, text[end:]))


def _address_names() -> set[str]:
    props = (prop for shape in VOCABULARY.shapes.values() for prop in shape.props.values())
    return {prop.name for prop in props if prop.role in {ENDPOINT, SELECT}}
