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
from rui_openapi.bindings import Block
from rui_openapi.description.api import Api
from rui_openapi.description.schemas import Facts
from rui_openapi.editing.blocks import BlockPart, Part, part_at
from rui_openapi.editing.choices import field_values, with_choices
from rui_openapi.editing.columns import missing_fields, title_of

MAX_VALUES = 5
"""Values of an enum that the list of completions shows."""

_PLACEHOLDER = re.compile(r"(\{[^{}/]*\})")


def add_api_completions(
    document: Document, context: CompletionContext, api: Api, completions: list[Completion]
) -> list[Completion]:
    """Return the completions of a description; those of the vocabulary where it knows too little."""
    own = [one._replace(snippet=with_choices(one.snippet, document, context.path, api)) for one in completions]
    path = context.path
    if context.expects is Expects.ELEMENT:
        path = (*path, 0)
    elif context.key is not None:
        path = (*path, context.key)
    found = part_at(document.value, path)
    if found is None or context.expects is Expects.KEY:
        return own
    block = found.block
    match found.part:
        case Part.ENDPOINT:
            paths = [*_paths(api)]
            labels = {one.label for one in paths}
            return [*paths, *[one for one in own if one.label not in labels and api.operation(one.label)]]
        case Part.SELECT:
            values = block.values(api)
        case Part.FIELD:
            values = field_values(block, api, value_at(document.value, path))
        case Part.OPTION:
            return [*_options(found, api)] or own
        case Part.FIELD_LIST:
            return [*_field_list(document, context, block, api), *own]
    return [_text_completion(name, _detail(facts)) for name, facts in values.items()] or own


def _paths(api: Api) -> Iterator[Completion]:
    """Yield the paths; their parameters are tab stops."""
    for operation in api.operations.values():
        parts = [json.dumps(part, ensure_ascii=False)[1:-1] for part in _PLACEHOLDER.split(operation.path)]
        stops = [TabStop(part) if index % 2 else part for index, part in enumerate(parts)]
        yield _completion(Snippet(('"', *stops, '"')), operation.path, operation.summary)


def _options(found: BlockPart, api: Api) -> Iterator[Completion]:
    row = found.block.row(api)
    facts = None if row is None else api.field(row, found.option_of)
    for value in () if facts is None else facts.values or ():
        if isinstance(value, str):
            yield _text_completion(value, f"{found.option_of}: {title_of(value)}")


def _field_list(document: Document, context: CompletionContext, block: Block, api: Api) -> Iterator[Completion]:
    """Yield all fields at once, then each of them; as a list if the list is not there yet."""
    fields = block.plan.fields
    if fields is None:
        return
    objects = missing_fields(document, block, api)
    texts = {str(one[fields.key.name]): _inline(one) for one in objects}
    is_element = context.expects is not Expects.VALUE
    if len(objects) > 1:
        kind = "other " if block.field_names else ""
        label = f"all {len(objects)} {kind}{fields.prop.name}"
        yield _completion(_field_snippet([*texts.values()], is_element), label, ", ".join(texts))
    for name, text in texts.items():
        yield _completion(_field_snippet([text], is_element), name, "")


def _field_snippet(texts: list[str], is_element: bool) -> Snippet:
    if is_element:
        return Snippet((",\n".join(texts),))
    return Snippet((f"[\n{INDENT}" + f",\n{INDENT}".join(texts) + "\n]",))


def _inline(value: dict[str, object]) -> str:
    pairs = [f"{json.dumps(name)}: {json.dumps(inner, ensure_ascii=False)}" for name, inner in value.items()]
    return "{ " + ", ".join(pairs) + " }"


def _text_completion(text: str, detail: str) -> Completion:
    return _completion(Snippet((json.dumps(text, ensure_ascii=False),)), text, detail)


def _completion(snippet: Snippet, label: str, detail: str) -> Completion:
    return Completion(label, snippet, detail, "", "", None, detail)


def _detail(facts: Facts) -> str:
    """Return the type of a value and what it means, in a phrase."""
    text = facts.type_text()
    if facts.values:
        text = " | ".join(str(value) for value in facts.values[:MAX_VALUES])
    first = facts.doc.strip().partition("\n")[0]
    if first:
        return f"{text}: {first}"
    return text
