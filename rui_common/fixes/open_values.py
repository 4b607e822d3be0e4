"""Values of a fix that only the author knows: the address of data. They are left open instead of invented."""

from __future__ import annotations

import json
import re

from rui_common.editing.edits import Edit
from rui_common.editing.snippets import Snippet, TabStop
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_common.vocabulary.schema import ENDPOINT, SELECT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from rui_common.editing.snippets import Part

_PAIR = re.compile(r'("(?:[^"\\]|\\.)*"\s*:\s*")((?:[^"\\]|\\.)*)"')


def open_snippet(text: str) -> Snippet | None:
    """Inserted JSON with an empty tab stop at every address of data; None if it has none."""
    names = _address_names()
    parts: list[Part] = []
    end = 0
    for pair in _PAIR.finditer(text):
        name = json.loads(pair[1][: pair[1].index('"', 1) + 1])
        if name in names:
            parts += [text[end : pair.end(1)], TabStop()]
            end = pair.end(2)
    if not parts:
        return None
    return Snippet((*parts, text[end:]))


def without_addresses(edits: Iterable[Edit]) -> tuple[Edit, ...]:
    """Edits in which every address of data is empty, which is an error until the author writes it."""
    snippets = [(edit, open_snippet(edit.text)) for edit in edits]
    return tuple(edit if snippet is None else Edit(edit.span, snippet.text) for edit, snippet in snippets)


def _address_names() -> set[str]:
    props = (prop for shape in VOCABULARY.shapes.values() for prop in shape.props.values())
    return {prop.name for prop in props if prop.role in {ENDPOINT, SELECT}}
