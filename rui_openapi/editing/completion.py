"""Completion in requests: paths, value paths, fields of rows, one by one and all at once; also at tab stops."""

import json
import re
from collections.abc import Iterator, Mapping

from rui_common.editing.completion import Completion
from rui_common.editing.completion_context import CompletionContext, Expects
from rui_common.editing.edits import INDENT
from rui_common.editing.snippets import Snippet, SnippetPart, TabStop
from rui_common.syntax.paths import Path, value_at
from rui_common.validation.analysis import Analysis
from rui_common.vocabulary.schema import JsonForm, Role
from rui_openapi.bindings import Block, BlockPlan, block_at
from rui_openapi.description.api import Api
from rui_openapi.description.schemas import Facts

MAX_VALUES = 5  # values of an enum that the list of completions shows
MAX_FIELDS = 100  # fields that are written at once
MAX_CHOICES = 100  # choices of one tab stop

_KEY = re.compile(r'"([^"\\]*)":\s*"$')
_PLACEHOLDER = re.compile(r"(\{[^{}/]*\})")
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_A-Za-z]+")


def add_api_completions(
    analysis: Analysis, context: CompletionContext, api: Api, completions: list[Completion]
) -> list[Completion]:
    """Return the completions of a description; those of the vocabulary where it knows too little."""
    choices = choices_at(analysis, context.path, api)
    declared = [item._replace(snippet=with_choices(item.snippet, choices)) for item in completions]
    path = context.path
    if context.expects is Expects.ELEMENT:
        path = (*path, 0)
    elif context.key is not None:
        path = (*path, context.key)
    block = block_at(analysis, path)
    if block is None or context.expects is Expects.KEY:
        return declared
    role = block.role_of(path)
    if role is Role.ENDPOINT:
        return [*_paths(api)] or declared
    if block.is_field_list(path):
        return [*_field_list(context, block, api), *declared]
    if role is Role.OPTION:
        return [*_options(block, api)] or declared
    values: dict[str, Facts] = {}
    if role is Role.SELECT:
        values = block.values(api)
    elif role is Role.FIELD:
        values = field_values(block, api, value_at(analysis.document.value, path))
    return [_completion(name, _detail(facts)) for name, facts in values.items()] or declared


def _paths(api: Api) -> Iterator[Completion]:
    """Yield the paths; their parameters are tab stops."""
    for operation in api.operations.values():
        parts = [json.dumps(part, ensure_ascii=False)[1:-1] for part in _PLACEHOLDER.split(operation.path)]
        stops = [TabStop(part) if index % 2 else part for index, part in enumerate(parts)]
        yield _completion(operation.path, operation.summary, Snippet(('"', *stops, '"')))


def _options(block: Block, api: Api) -> Iterator[Completion]:
    facts = block.option_facts(api)
    for value in () if facts is None else facts.values or ():
        if isinstance(value, str):
            yield _completion(value, f"{block.option_field}: {title_of(value)}")


def _field_list(context: CompletionContext, block: Block, api: Api) -> Iterator[Completion]:
    """Yield all missing fields at once, then each of them; as a list if the list is not there yet."""
    row = block.row(api)
    if row is None:
        return
    texts: dict[str, str] = {}
    present = block.field_names
    for name, schemas in row.properties.items():
        facts = api.reader.facts(schemas)
        if facts.may_be_scalar and name not in present and len(texts) < MAX_FIELDS:
            texts[name] = _field_text(block.plan, name, facts)
    is_element = context.expects is not Expects.VALUE
    if len(texts) > 1:
        kind = ""
        if present:
            kind = "other "
        label = f"all {len(texts)} {kind}{block.plan.field[-2]}"
        yield _completion(label, ", ".join(texts), _field_snippet([*texts.values()], is_element))
    for name, text in texts.items():
        yield _completion(name, "", _field_snippet([text], is_element))


def _field_text(plan: BlockPlan, name: str, facts: Facts) -> str:
    """Return the object for a property of the rows: its name, a title and, if it is no plain text, its type."""
    shape = plan.fields[plan.field]
    value = {plan.field[-1]: name}
    if shape.labels:
        value[shape.labels[0].name] = title_of(name)
    if shape.wireframe is not None:
        form = _form_of(shape.wireframe.forms, facts)
        if form != next(iter(shape.wireframe.forms)):  # values are shown as that without a type
            value[shape.wireframe.prop] = form
    pairs = [f"{json.dumps(prop)}: {json.dumps(text, ensure_ascii=False)}" for prop, text in value.items()]
    return "{ " + ", ".join(pairs) + " }"


def _form_of(forms: Mapping[str, JsonForm], facts: Facts) -> str:
    """Return the type that fits a value best, else the first one."""
    if facts.types is None or len(facts.types) != 1:
        return next(iter(forms))
    by_format = [name for name, form in forms.items() if facts.formats and facts.formats.issubset(form.formats)]
    by_type = [name for name, form in forms.items() if form.types[0] in facts.types and not form.formats]
    return [*by_format, *by_type, *forms][0]


def title_of(name: str) -> str:
    """Return the words of a name.

    >>> title_of("created_at"), title_of("orderID"), title_of("customer.name")
    ('Created at', 'Order ID', 'Customer name')
    """
    words = [word if word.isupper() else word.lower() for word in _WORD.findall(name)]
    text = " ".join(words) or name
    return text[:1].upper() + text[1:]


def _field_snippet(texts: list[str], is_element: bool) -> Snippet:
    if is_element:
        return Snippet((",\n".join(texts),))
    return Snippet((f"[\n{INDENT}" + f",\n{INDENT}".join(texts) + "\n]",))


def _completion(label: str, detail: str, snippet: Snippet | None = None) -> Completion:
    """Return a completion that inserts a snippet, or its label as a string."""
    snippet = snippet or Snippet((json.dumps(label, ensure_ascii=False),))
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


def choices_at(analysis: Analysis, path: Path, api: Api) -> dict[str, list[str]]:
    """Return name of a property → the texts that it may have in the object or list at a path."""
    paths = [*api.operations]
    choices = {prop.name: paths for _, prop in analysis.vocabulary.props if prop.role is Role.ENDPOINT}
    block = block_at(analysis, path)
    if block is not None:
        choices[block.plan.select[-1]] = [*block.values(api)]
        for names in block.plan.fields:
            choices[names[-1]] = [*field_values(block, api)]
        if block.plan.option_field:
            choices[block.plan.option_field[-1]] = block.field_names
    return choices


def with_choices(snippet: Snippet, choices: dict[str, list[str]]) -> Snippet:
    """Return a snippet whose tab stops offer the texts of their properties."""
    parts: list[SnippetPart] = []
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
    if not names:
        return stop
    texts = [json.dumps(name, ensure_ascii=False)[1:-1] for name in names[:MAX_CHOICES]]
    texts.sort(key=lambda text: text != stop.default)
    return stop._replace(default=texts[0], choices=tuple(texts))


def field_values(block: Block, api: Api, replaced: object = None) -> dict[str, Facts]:
    """Return the single values of the rows that a block does not show, and that of the field that is replaced."""
    row = block.row(api)
    values: dict[str, Facts] = {}
    for path, facts in api.values_in(row) if row is not None else ():
        can_be_shown = facts.may_be_scalar and not ("." in path and facts.is_unknown)
        if path == replaced or (can_be_shown and path not in block.field_names):
            values[path] = facts
    return values
