"""Edits that write a short form in full (`rui_common.problems.short_forms`). They keep the text of what is in it."""

from collections.abc import Iterator
from typing import NamedTuple

from rui_common.editing.edits import set_value, space_after_colon
from rui_common.json_values import as_json
from rui_common.problems.short_forms import Array, Map, OnlyElement, Text, short_form
from rui_common.problems.words import titled
from rui_common.syntax.document import Document
from rui_common.syntax.paths import Path, value_at
from rui_common.syntax.spans import Edit, Span
from rui_common.syntax.tree import Member
from rui_common.vocabulary.schema import Kind


class Written(NamedTuple):
    """The title and the edits of a fix; no edits if the value is no short form."""

    title: str
    edits: list[Edit | None]


def write_in_full(document: Document, path: Path, kind: Kind) -> Written:
    member = document.find(path)
    form = short_form(value_at(document.value, path), kind)
    if member is None or member.span is None:
        return Written("", [])
    start, end = member.span
    space = space_after_colon(document.text)
    match form:
        case Text():
            return Written(f"Write {titled(form.full)}", [set_value(document, path, form.full)])
        case Array():
            before = f"{{{as_json(form.prop.name)}:{space}"
            title = f"Put it into {titled(form.prop.name)}"
            return Written(title, [Edit(Span(start, start), before), Edit(Span(end, end), "}")])
        case OnlyElement():
            (element,) = _members(member)
            edits: list[Edit | None] = [Edit(Span(start, element.start), ""), Edit(Span(element.end, end), "")]
            return Written("Write its only element", edits)
        case Map():
            return Written("Write an array", [*_map_edits(document.text, member, form, space)])
    return Written("", [])


def _members(member: Member) -> list[Member]:
    members = member.members()
    return [] if members is None else [*members.all()]


def _map_edits(text: str, container: Member, form: Map, space: str) -> Iterator[Edit | None]:
    """Yield the edits that make the array of a map; None for each repeated key."""
    yield Edit(Span(container.start, container.start + 1), "[")
    yield Edit(Span(container.end - 1, container.end), "]")
    keys = set()
    for member in _members(container):
        assert member.key_span is not None  # noqa: S101  a property has a key
        if member.step in keys:
            yield None
        keys.add(member.step)
        pair = f"{as_json(form.key.name)}:{space}{text[slice(*member.key_span)]}"
        start = member.first_offset
        if text[member.start] != "{":
            label = as_json("" if form.label is None else form.label.name)
            value = text[member.start : member.end]
            yield Edit(Span(start, member.end), f"{{{pair}, {label}:{space}{value}}}")
            continue
        inner = _members(member)
        if any(property_.step == form.key.name for property_ in inner):
            yield Edit(Span(start, member.start), "")
            continue
        # The key goes to the place of the first property, so that the layout stays.
        separator = f",{text[member.start + 1 : inner[0].first_offset] or ' '}" if inner else ""
        first = inner[0].first_offset if inner else member.start + 1
        yield Edit(Span(start, member.start), "")
        yield Edit(Span(first, first), pair + separator)
