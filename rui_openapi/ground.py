"""State where the data of a document comes from: the operation, the types and the examples of a description."""

import json
import math
from collections.abc import Iterable, Sequence

from rui_common.grounding import Grounding, StatedValue
from rui_common.json_values import as_list
from rui_common.texts import shorten
from rui_common.validation.analysis import Analysis
from rui_openapi.bindings import Block, bindings_of
from rui_openapi.description.api import Api, values_inside
from rui_openapi.description.schemas import Facts

MAX_ROWS = 3  # rows of an example that are shown
MAX_EXAMPLE = 80  # characters of an example that are shown
MAX_TITLE = 200  # characters of an operation that are shown
MAX_BITS = 10_000  # Size of an integer that is shown. Python refuses to write larger ones, which YAML may have.


def describe_data(analysis: Analysis, api: Api) -> Grounding:
    """Return what a description states about the bindings of a document. No value is made up.

    An example is a scalar in an `example` or `examples` of the response or of a schema, or the first value of an enum.
    """
    blocks = bindings_of(analysis.tree)
    grounding = Grounding(bindings=len(blocks))
    for block in blocks:
        _add(grounding, api, block)
    return grounding


def _add(grounding: Grounding, api: Api, block: Block) -> None:
    operation = api.operation(block.endpoint.value)
    if operation is None:
        return
    title = f"GET {operation.path}"
    if operation.summary:
        title = f"{title}: {operation.summary}"
    grounding.operations[block.path] = shorten(title, MAX_TITLE)
    facts = api.value(api.response(operation), block.select.value)
    if facts is None:
        return
    is_list = bool(block.plan.field) and facts.may_be_list
    if facts.is_unknown or (is_list and api.row(facts).is_unknown):
        grounding.unstated += 1
    else:
        grounding.found += 1
    examples = api.response_examples(operation, block.select.value)
    if is_list:
        _add_fields(grounding, api, block, facts, examples)
    elif not block.plan.field:
        grounding.values[block.path] = _stated(facts, _texts(examples)[:1])


def _add_fields(grounding: Grounding, api: Api, block: Block, facts: Facts, examples: Iterable[object]) -> None:
    """Add the fields of a list: of its first example with rows, or else examples of the fields."""
    row = api.row(facts)
    lists = [value for value in map(as_list, examples) if any(isinstance(item, dict) for item in value)]
    rows = lists[0] if lists else row.examples
    for field in block.fields:
        name = field.name.value
        field_facts = api.field(row, name)
        path = field.name.path[:-1]
        if field_facts is None:
            grounding.lacking += 1
            grounding.values[path] = StatedValue("not in the description")
            continue
        names = [name] if name in row.properties else name.split(".")
        texts = ["".join(_texts(values_inside(row, names))) for row in rows[:MAX_ROWS]]
        if not any(texts):
            texts = _texts(api.examples(facts.items, names))[:1]
        grounding.values[path] = _stated(field_facts, texts)


def _stated(facts: Facts, examples: Sequence[str]) -> StatedValue:
    types = "type not stated"
    if not facts.is_unknown:
        types = facts.type_text()
    if facts.formats:
        types = f"{types} ({', '.join(sorted(facts.formats))})"
    noun = "no example"
    if any(examples):
        noun = "example"
    return StatedValue(f"{shorten(types, MAX_EXAMPLE)} · {noun}", tuple(examples))


def _texts(values: Iterable[object]) -> list[str]:
    """Return the scalars among values as texts; null, for which a description also has other examples, comes last."""
    scalars = [value for value in values if _is_shown(value)]
    scalars.sort(key=lambda value: value is None)
    return [shorten(value if isinstance(value, str) else json.dumps(value), MAX_EXAMPLE) for value in scalars]


def _is_shown(value: object) -> bool:
    """Return whether a value is a scalar with a text of its own, as an infinite number or an empty text have none."""
    if isinstance(value, str):
        return bool(value.strip())
    if isinstance(value, int):
        return value.bit_length() <= MAX_BITS
    return value is None or (isinstance(value, float) and math.isfinite(value))
