"""The values of a description that fit a place: for completion, and as choices at the tab stops of snippets."""

from __future__ import annotations

import json
import re

from rui_common.editing.snippets import Part, Snippet, TabStop
from rui_common.syntax.document import Document
from rui_common.syntax.paths import Path
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_common.vocabulary.schema import ENDPOINT
from rui_openapi.bindings import Block
from rui_openapi.description.api import Api
from rui_openapi.description.schemas import Facts
from rui_openapi.editing.blocks import block_at

MAX_CHOICES = 100
"""Choices of one tab stop."""

_KEY = re.compile(r'"([^"\\]*)":\s*"$')


def with_choices(snippet: Snippet, document: Document, path: Path, api: Api) -> Snippet:
    """Return a snippet for a path, whose tab stops offer what the description has."""
    choices = _choices_at(document, path, api)
    parts: list[Part] = []
    before = ""
    for part in snippet.parts:
        if isinstance(part, TabStop):
            key = _KEY.search(before)
            names = choices.get(key[1], []) if key is not None else []
            parts.append(_with_names(part, names))
            before = ""
        else:
            parts.append(part)
            before += part
    return Snippet(tuple(parts))


def _with_names(stop: TabStop, names: list[str]) -> TabStop:
    if not names or stop.choices:
        return stop
    texts = [json.dumps(name, ensure_ascii=False)[1:-1] for name in names[:MAX_CHOICES]]
    texts.sort(key=lambda text: text != stop.default)
    return stop._replace(default=texts[0], choices=tuple(texts))


def _choices_at(document: Document, path: Path, api: Api) -> dict[str, list[str]]:
    """Return name of a property → the texts that it may have in the object or list at a path."""
    paths = [*api.operations]
    choices = {prop.name: paths for shape in VOCABULARY.shapes.values() for prop in shape.props_with_role(ENDPOINT)}
    block = block_at(document.value, path)
    if block is None:
        return choices
    choices[block.plan.select.name] = [*block.values(api)]
    if block.plan.fields is not None:
        choices[block.plan.fields.key.name] = [*field_values(block, api)]
    for options in block.plan.options:
        choices[options.field.name] = block.field_names
    return choices


def field_values(block: Block, api: Api, replaced: object = None) -> dict[str, Facts]:
    """Return the single values of the rows that a block does not show, and that of the field that is replaced."""
    row = block.row(api)
    if row is None:
        return {}
    shown = {*block.field_names} - {replaced}
    return {
        path: facts
        for path, facts in api.values_in(row)
        if path not in shown and (path == replaced or (facts.may_be_scalar and not ("." in path and facts.is_unknown)))
    }
