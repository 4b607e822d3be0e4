"""The fields of a block for every property of the rows in a response."""

from __future__ import annotations

import re

from rui_common.editing.generate import NamesInUse
from rui_common.syntax.document import Document
from rui_common.vocabulary.schema import Shape
from rui_openapi.description.api import Api
from rui_openapi.description.schemas import Facts
from rui_openapi.editing.slots import Slot

MAX_FIELDS = 100
"""Fields that are made at once."""

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_A-Za-z]+")


def shown_fields(api: Api, row: Facts) -> dict[str, Facts]:
    """Return the properties of the rows that are single values."""
    found = {name: api.reader.facts(schemas) for name, schemas in row.properties.items()}
    return {name: facts for name, facts in found.items() if facts.may_be_scalar}


def missing_fields(document: Document, slot: Slot, api: Api) -> list[dict[str, object]]:
    """Return an object for each property of the rows that the block does not show yet."""
    row = slot.row(api)
    if row is None or slot.fields is None:
        return []
    present = set(slot.field_names())
    names = [name for name in shown_fields(api, row) if name not in present]
    return [new_field(document, slot, name, api.reader.facts(row.properties[name])) for name in names[:MAX_FIELDS]]


def new_field(document: Document, slot: Slot, name: str, facts: Facts) -> dict[str, object]:
    """Return the object for a property of the rows: its name, a title and, if it is no plain text, its type."""
    assert slot.fields is not None  # noqa: S101  the slot is in a list of fields
    shape = slot.fields.shape
    fixed: dict[str, object] = {slot.fields.key.name: name}
    if shape.labels:
        fixed[shape.labels[0].name] = title_of(name)
    form = _form_of(shape, facts)
    if shape.wireframe is not None and form is not None:
        fixed[shape.wireframe.prop] = form
    return NamesInUse(document).generator_at(slot.field_list).new_object(shape, None, fixed)


def _form_of(shape: Shape, facts: Facts) -> str | None:
    """Return the type that fits a value best; None if it is the first one, as which values are shown without a type."""
    forms = {} if shape.wireframe is None else shape.wireframe.forms
    first = next(iter(forms), None)
    if facts.types is None or len(facts.types) != 1:
        return None
    by_format = [name for name, form in forms.items() if facts.formats and facts.formats.issubset(form.formats)]
    by_type = [name for name, form in forms.items() if form.types[0] in facts.types and not form.formats]
    best = next(iter(by_format or by_type), first)
    return None if best == first else best


def title_of(name: str) -> str:
    """Return the words of a name.

    >>> title_of("created_at"), title_of("orderID"), title_of("customer.name")
    ('Created at', 'Order ID', 'Customer name')
    """
    words = [word if word.isupper() else word.lower() for word in _WORD.findall(name)]
    text = " ".join(words) or name
    return text[:1].upper() + text[1:]
