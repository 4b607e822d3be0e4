"""Completion in requests: paths of the API, value paths of a response, fields of its rows, and all fields at once."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from rui_common.editing.completion import Completion
from rui_common.editing.completion_context import CompletionContext, Expects
from rui_common.editing.snippets import INDENT, Snippet, TabStop
from rui_common.syntax.document import Document
from rui_common.syntax.paths import value_at
from rui_openapi.comparison.hints import values_in
from rui_openapi.description.api import Api
from rui_openapi.description.schemas import Facts
from rui_openapi.editing.blocks import Block, BlockPart, Part, part_at
from rui_openapi.editing.columns import missing_fields, title_of

MAX_VALUES = 5
"""Values of an enum that the list of completions shows."""

_PLACEHOLDER = re.compile(r"(\{[^{}/]*\})")


def add_api_completions(
    document: Document, context: CompletionContext, api: Api, completions: list[Completion]
) -> list[Completion]:
    """Return the completions of a description; those of the vocabulary where it knows too little."""
    if context.expects is Expects.KEY:
        return completions
    path = context.path
    if context.expects is Expects.ELEMENT:
        path = (*path, 0)
    elif context.key is not None:
        path = (*path, context.key)
    found = part_at(document.value, path)
    if found is None:
        return completions
    block = found.block
    proposals: list[Completion] = []
    match found.part:
        case Part.ENDPOINT:
            proposals = [*_paths(block, api)]
            labels = {one.label for one in proposals}
            return [*proposals, *[one for one in completions if one.label not in labels and _exists(one.label, api)]]
        case Part.SELECT:
            proposals = [*_value_paths(block, api)]
        case Part.FIELD:
            proposals = [*_fields(block, api, value_at(document.value, path))]
        case Part.OPTION:
            proposals = [*_options(found, api)]
        case Part.FIELD_LIST:
            return [*_field_list(document, context, block, api), *completions]
    return proposals or completions


def _exists(path: str, api: Api) -> bool:
    match = api.find(path)
    return match is not None and match[0].is_readable and not match[1]


def _paths(block: Block, api: Api) -> Iterator[Completion]:
    owner = block.plan.request.kind.inner_shapes[0].name
    for operation in api.readable():
        snippet = _path_snippet(operation.path)
        yield _completion(snippet, operation.path, operation.summary, owner, block.plan.endpoint.name)


def _path_snippet(path: str) -> Snippet:
    """Return a path whose parameters are tab stops."""
    parts = [json.dumps(part, ensure_ascii=False)[1:-1] for part in _PLACEHOLDER.split(path)]
    stops = [TabStop(part) if index % 2 else part for index, part in enumerate(parts)]
    return Snippet(('"', *stops, '"'))


def _value_paths(block: Block, api: Api) -> Iterator[Completion]:
    operation = block.operation(api)
    if operation is None or block.plan.select is None:
        return
    owner = block.plan.request.kind.inner_shapes[0].name
    for path, facts in values_in(api, api.response(operation)):
        if block.shows(facts):
            yield _completion(_string(path), path, _detail(facts), owner, block.plan.select.name)


def _fields(block: Block, api: Api, present: object) -> Iterator[Completion]:
    """Yield the single values of the rows: those that the block does not have, and the one that is replaced."""
    row = block.row(api)
    fields = block.plan.fields
    if row is None or fields is None:
        return
    taken = {*block.field_names()} - {present}
    for path, facts in values_in(api, row):
        is_known = facts.may_be_scalar and not ("." in path and facts.is_unknown)
        if path not in taken and (is_known or path == present):
            yield _completion(_string(path), path, _detail(facts), fields.shape.name, fields.key.name)


def _options(found: BlockPart, api: Api) -> Iterator[Completion]:
    row = found.block.row(api)
    facts = None if row is None else api.field(row, found.option_of)
    for value in () if facts is None else facts.values or ():
        if isinstance(value, str):
            detail = f"{found.option_of}: {title_of(value)}"
            yield _completion(_string(value), value, detail, found.block.shape.name, "")


def _field_list(document: Document, context: CompletionContext, block: Block, api: Api) -> Iterator[Completion]:
    """Yield all fields at once, then each of them; as a list if the list is not there yet."""
    fields = block.plan.fields
    if fields is None:
        return
    owner, prop = block.shape.name, fields.prop.name
    objects = missing_fields(document, block, api)
    texts = {str(one[fields.key.name]): _inline(one) for one in objects}
    is_element = context.expects is not Expects.VALUE
    if len(objects) > 1:
        kind = "other " if block.field_names() else ""
        label = f"all {len(objects)} {kind}{prop}"
        yield _completion(_field_snippet([*texts.values()], is_element), label, ", ".join(texts), owner, prop)
    for name, text in texts.items():
        yield _completion(_field_snippet([text], is_element), name, "", owner, prop)


def _field_snippet(texts: list[str], is_element: bool) -> Snippet:
    if is_element:
        return Snippet((",\n".join(texts),))
    return Snippet((f"[\n{INDENT}" + f",\n{INDENT}".join(texts) + "\n]",))


def _inline(value: dict[str, object]) -> str:
    pairs = [f"{json.dumps(name)}: {json.dumps(inner, ensure_ascii=False)}" for name, inner in value.items()]
    return "{ " + ", ".join(pairs) + " }"


def _completion(snippet: Snippet, label: str, detail: str, shape: str, prop: str) -> Completion:
    return Completion(label, snippet, detail, shape, prop, None, detail)


def _string(text: str) -> Snippet:
    return Snippet((json.dumps(text, ensure_ascii=False),))


def _detail(facts: Facts) -> str:
    """Return the type of a value and what it means, in a phrase."""
    text = facts.type_text()
    if facts.values:
        text = " | ".join(str(value) for value in facts.values[:MAX_VALUES])
    first = facts.doc.strip().partition("\n")[0]
    if first:
        return f"{text}: {first}"
    return text
