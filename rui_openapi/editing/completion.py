"""Completion in requests: paths of the API, value paths of a response, fields of its rows, and all fields at once."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator

from rui_common.editing.completion import Completion
from rui_common.editing.completion_context import CompletionContext, Expects
from rui_common.editing.snippets import INDENT, Snippet, TabStop
from rui_common.syntax.document import Document
from rui_common.syntax.paths import value_at
from rui_common.vocabulary.schema import Prop
from rui_openapi.comparison.hints import values_in
from rui_openapi.description.api import Api
from rui_openapi.description.schemas import Facts
from rui_openapi.editing.columns import missing_fields, shown_fields, title_of
from rui_openapi.editing.slots import Part, Slot, slot_at

MAX_VALUES = 5
"""Values of an enum that the list of completions shows."""

_PLACEHOLDER = re.compile(r"(\{[^{}/]*\})")


def add_api_completions(
    document: Document, context: CompletionContext, api: Api, completions: list[Completion]
) -> list[Completion]:
    """Return the completions in a context with what a description knows.

    Args:
        document: the document.
        context: the context.
        api: the description.
        completions: those of the vocabulary, which stay where the description knows too little.
    """
    if context.expects is Expects.KEY:
        return completions
    path = context.path
    if context.expects is Expects.ELEMENT:
        path = (*path, 0)
    elif context.key is not None:
        path = (*path, context.key)
    slot = slot_at(document.value, path)
    if slot is None:
        return completions
    found = [*_FINDERS[slot.part](document, context, slot, api)]
    if slot.part is Part.ENDPOINT:
        labels = {one.label for one in found}
        return [*found, *[one for one in completions if one.label not in labels and _exists(one.label, api)]]
    if slot.part is Part.FIELD_LIST:
        return [*found, *completions]
    return found or completions


def _exists(path: str, api: Api) -> bool:
    match = api.find(path)
    return match is not None and match[0].is_readable and not match[1]


def _paths(_: Document, __: CompletionContext, slot: Slot, api: Api) -> Iterator[Completion]:
    for operation in api.readable():
        yield _completion(_path_snippet(operation.path), operation.path, operation.summary, slot, slot.plan.endpoint)


def _path_snippet(path: str) -> Snippet:
    """Return a path whose parameters are tab stops."""
    parts = [json.dumps(part, ensure_ascii=False)[1:-1] for part in _PLACEHOLDER.split(path)]
    stops = [TabStop(part) if index % 2 else part for index, part in enumerate(parts)]
    return Snippet(('"', *stops, '"'))


def _value_paths(_: Document, __: CompletionContext, slot: Slot, api: Api) -> Iterator[Completion]:
    operation = slot.operation(api)
    if operation is None or slot.plan.select is None:
        return
    for path, facts in values_in(api, api.response(operation)):
        fits = facts.may_be_scalar
        if slot.shows_list:
            fits = facts.may_be_list
        if fits and not facts.is_unknown:
            yield _completion(_string(path), path, _detail(facts), slot, slot.plan.select)


def _fields(document: Document, context: CompletionContext, slot: Slot, api: Api) -> Iterator[Completion]:
    row = slot.row(api)
    if row is None or slot.fields is None:
        return
    names = slot.field_names()
    own = value_at(document.value, (*context.path, str(context.key)))
    if isinstance(own, str) and own in names:
        names.remove(own)
    for name, facts in shown_fields(api, row).items():
        if name not in names:
            yield _completion(_string(name), name, _detail(facts), slot, slot.fields.key)
    for path, facts in values_in(api, row):
        if "." in path and path not in names and facts.may_be_scalar and not facts.is_unknown:
            yield _completion(_string(path), path, _detail(facts), slot, slot.fields.key)


def _options(_: Document, __: CompletionContext, slot: Slot, api: Api) -> Iterator[Completion]:
    row = slot.row(api)
    if row is None:
        return
    facts = api.field(row, slot.option_of)
    if facts is None:
        return
    for value in facts.values or ():
        if isinstance(value, str):
            yield _completion(_string(value), value, f"{slot.option_of}: {title_of(value)}", slot, slot.plan.endpoint)


def _field_list(document: Document, context: CompletionContext, slot: Slot, api: Api) -> Iterator[Completion]:
    """Yield all fields at once, then each of them; as a list if the list is not there yet."""
    if slot.fields is None:
        return
    objects = missing_fields(document, slot, api)
    texts = [_inline(one) for one in objects]
    wrap: Callable[[list[str]], str] = ",\n".join
    if context.expects is Expects.VALUE:
        wrap = _list
    prop = slot.fields.prop
    if len(objects) > 1:
        kind = "other " if slot.field_names() else ""
        label = f"all {len(objects)} {kind}{prop.name}"
        yield _completion(Snippet((wrap(texts),)), label, _listed(objects, slot), slot, prop)
    for one, text in zip(objects, texts, strict=True):
        name = str(one[slot.fields.key.name])
        yield _completion(Snippet((wrap([text]),)), name, "", slot, prop)


def _list(texts: list[str]) -> str:
    return f"[\n{INDENT}" + f",\n{INDENT}".join(texts) + "\n]"


def _inline(value: dict[str, object]) -> str:
    pairs = [f"{json.dumps(name)}: {json.dumps(inner, ensure_ascii=False)}" for name, inner in value.items()]
    return "{ " + ", ".join(pairs) + " }"


def _listed(objects: list[dict[str, object]], slot: Slot) -> str:
    assert slot.fields is not None  # noqa: S101  the slot is a list of fields
    return ", ".join(str(one[slot.fields.key.name]) for one in objects)


def _completion(snippet: Snippet, label: str, detail: str, slot: Slot, prop: Prop) -> Completion:
    return Completion(label, snippet, detail, slot.owner.name, prop.name, None, detail)


def _string(text: str) -> Snippet:
    return Snippet((json.dumps(text, ensure_ascii=False),))


def _detail(facts: Facts) -> str:
    """Return the type of a value and what it means, in a phrase."""
    text = facts.type_text()
    if facts.values:
        text = " | ".join(str(value) for value in facts.values[:MAX_VALUES])
    first = facts.doc.strip().partition("\n")[0]
    if not first:
        return text
    return f"{text}: {first}"


_FINDERS: dict[Part, Callable[[Document, CompletionContext, Slot, Api], Iterator[Completion]]] = {
    Part.ENDPOINT: _paths,
    Part.SELECT: _value_paths,
    Part.FIELD: _fields,
    Part.OPTION: _options,
    Part.FIELD_LIST: _field_list,
}
