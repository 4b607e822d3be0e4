"""The values of a description that fit a place: for completion, and as choices at the tab stops of snippets."""

from __future__ import annotations

import json
import re

from rui_common.editing.snippets import Part, Snippet, TabStop
from rui_common.syntax.document import Document
from rui_common.syntax.paths import Path
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_common.vocabulary.schema import ENDPOINT
from rui_openapi.bindings import Block, block_at
from rui_openapi.description.api import Api
from rui_openapi.description.schemas import Facts

MAX_CHOICES = 100
"""Choices of one tab stop."""

_KEY = re.compile(r'"([^"\\]*)":\s*"$')


def choices_at(document: Document, path: Path, api: Api) -> dict[str, list[str]]:
    """Return name of a property → the texts that it may have in the object or list at a path."""
    paths = [*api.operations]
    choices = {prop.name: paths for _, prop in VOCABULARY.props if prop.role == ENDPOINT}
    block = block_at(document.value, path)
    if block is not None:
        choices[block.plan.select[-1]] = [*block.values(api)]
        if block.plan.field:
            choices[block.plan.field[-1]] = [*field_values(block, api)]
        if block.plan.option_field:
            choices[block.plan.option_field[-1]] = block.field_names
    return choices


def with_choices(snippet: Snippet, choices: dict[str, list[str]]) -> Snippet:
    """Return a snippet whose tab stops offer the texts of their properties."""
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
