"""The choices at the tab stops of a snippet: paths, value paths and fields that a description has."""

from __future__ import annotations

import json
import re

from rui_common.editing.snippets import Part, Snippet, TabStop
from rui_common.syntax.document import Document
from rui_common.syntax.paths import Path
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_common.vocabulary.schema import ENDPOINT
from rui_openapi.comparison.hints import values_in
from rui_openapi.description.api import Api
from rui_openapi.editing.blocks import Block, block_at

MAX_CHOICES = 100
"""Choices of one tab stop."""

Choices = dict[str, list[str]]
"""Name of a property → the texts that it may have."""

_KEY = re.compile(r'"([^"\\]*)":\s*"$')


def with_choices(snippet: Snippet, choices: Choices) -> Snippet:
    """Return a snippet whose tab stops offer what a description has."""
    if all(isinstance(part, str) for part in snippet.parts):
        return snippet
    parts: list[Part] = []
    before = ""
    for part in snippet.parts:
        if isinstance(part, str):
            before += part
            parts.append(part)
            continue
        key = _KEY.search(before)
        names = choices.get(key[1], []) if key is not None else []
        parts.append(_with_names(part, names))
        before = ""
    return Snippet(tuple(parts))


def _with_names(stop: TabStop, names: list[str]) -> TabStop:
    if not names or stop.choices:
        return stop
    texts = [json.dumps(name, ensure_ascii=False)[1:-1] for name in names[:MAX_CHOICES]]
    texts.sort(key=lambda text: text != stop.default)
    return stop._replace(default=texts[0], choices=tuple(texts))


def choices_at(document: Document, path: Path, api: Api) -> Choices:
    """Return what a description offers in the object or list at a path."""
    paths = [operation.path for operation in api.readable()]
    endpoints = {prop.name for shape in VOCABULARY.shapes.values() for prop in shape.props_with_role(ENDPOINT)}
    choices = dict.fromkeys(endpoints, paths)
    block = block_at(document.value, path)
    if block is None:
        return choices
    plan = block.plan
    if plan.select is not None:
        choices[plan.select.name] = select_choices(block, api)
    if plan.fields is not None:
        choices[plan.fields.key.name] = field_choices(block, api)
    for options in plan.options:
        choices[options.field.name] = block.field_names()
    return choices


def select_choices(block: Block, api: Api) -> list[str]:
    """Return the value paths that a block can show."""
    operation = block.operation(api)
    if operation is None:
        return []
    return [path for path, facts in values_in(api, api.response(operation)) if block.shows(facts)]


def field_choices(block: Block, api: Api) -> list[str]:
    """Return the single values of the rows that a block does not show yet: properties, then paths into the row."""
    row = block.row(api)
    if row is None:
        return []
    present = block.field_names()
    return [
        path
        for path, facts in values_in(api, row)
        if path not in present and facts.may_be_scalar and not ("." in path and facts.is_unknown)
    ]
