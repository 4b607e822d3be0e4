"""The fields of a block for every property of the rows in a response."""

from __future__ import annotations

import re
from collections.abc import Mapping

from rui_common.editing.generate import NamesInUse
from rui_common.syntax.document import Document
from rui_common.vocabulary.schema import JsonForm
from rui_openapi.bindings import Block, FieldList
from rui_openapi.description.api import Api
from rui_openapi.description.schemas import Facts

MAX_FIELDS = 100
"""Fields that are made at once."""

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_A-Za-z]+")


def missing_fields(document: Document, block: Block, api: Api) -> list[dict[str, object]]:
    """Return an object for each property of the rows that is a single value and that the block does not show yet."""
    row = block.row(api)
    if row is None or block.plan.fields is None:
        return []
    generator = NamesInUse(document).generator_at(block.field_list_path)
    present = set(block.field_names)
    found: list[dict[str, object]] = []
    for name, schemas in row.properties.items():
        facts = api.reader.facts(schemas)
        if facts.may_be_scalar and name not in present:
            fixed = _new_field(block.plan.fields, name, facts)
            found.append(generator.new_object(block.plan.fields.shape, None, fixed))
    return found[:MAX_FIELDS]


def _new_field(fields: FieldList, name: str, facts: Facts) -> dict[str, object]:
    """Return the properties for a property of the rows: its name, a title and, if it is no plain text, its type."""
    shape = fields.shape
    fixed: dict[str, object] = {fields.key.name: name}
    if shape.labels:
        fixed[shape.labels[0].name] = title_of(name)
    if shape.wireframe is not None:
        form = _form_of(shape.wireframe.forms, facts)
        if form != next(iter(shape.wireframe.forms)):  # values are shown as that without a type
            fixed[shape.wireframe.prop] = form
    return fixed


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
