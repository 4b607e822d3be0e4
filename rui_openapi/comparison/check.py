"""Compare the blocks of a document with an OpenAPI description: a warning for each name that does not exist."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from rui_common.syntax.document import Document
from rui_common.syntax.paths import Path
from rui_common.validation.diagnostics import ERROR, WARNING, Diagnostic, Proposal
from rui_common.validation.wording import MAX_IN_MESSAGE, shorten
from rui_common.vocabulary.rules import (
    NOT_LIST,
    NOT_SCALAR,
    UNKNOWN_FIELD,
    UNKNOWN_OPTION,
    UNKNOWN_PATH,
    UNKNOWN_VALUE_PATH,
    WARNINGS,
    WRONG_FORM,
)
from rui_common.vocabulary.schema import JsonForm
from rui_openapi.bindings import Block, Shown, Text, bindings_of
from rui_openapi.comparison.hints import (
    Advice,
    choice_advice,
    field_advice,
    inner_advice,
    listed,
    option_advice,
    path_advice,
    value_advice,
)
from rui_openapi.description.api import Api
from rui_openapi.description.schemas import Facts

_NUMERIC_FORMATS = frozenset({"decimal", "double", "float", "int32", "int64", "integer", "number", "uint32", "uint64"})
"""Formats of strings that contain a number."""

_OTHER_FORMATS = frozenset(
    {"binary", "byte", "email", "hostname", "idn-email", "ipv4", "ipv6", "iri", "password", "uri", "uri-reference",
     "uri-template", "url", "uuid"}
)  # fmt: skip
"""Formats of strings that contain neither a number nor a date."""


class Mismatch(NamedTuple):
    """One name or type in a document that the description does not have.

    Attributes:
        code: the code of its warning.
        text: its text in the document.
        block: its block.
        advice: how to fix it.
        fix_path: the path of the text that the advice replaces, if it is another one.
        field: the field of the rows that it is about, or ``""``.
        types: the types that a value has, in words, or ``""``.
    """

    code: str
    text: Text
    block: Block
    advice: Advice
    fix_path: Path | None = None
    field: str = ""
    types: str = ""

    def message(self) -> str:
        """Return the message of its warning."""
        path = self.block.endpoint.value
        subject = f"The response of GET {path}"
        if self.block.select.value:
            subject = f'The value "{self.block.select.value}" in the response of GET {path}'
        text = WARNINGS[self.code].message
        names = {"path": path, "subject": subject, "value": self.text.value, "field": self.field, "types": self.types}
        for name, value in names.items():
            text = text.replace(f"{{{name}}}", shorten(value, MAX_IN_MESSAGE))
        return text

    def diagnostic(self, document: Document, severity: str) -> Diagnostic:
        """Return the diagnostic in a document."""
        path = self.text.path
        hint = f"{WARNINGS[self.code].hint} {self.advice.text}".rstrip()
        diagnostic = Diagnostic(severity, self.code, "", path, self.message(), hint, document.range_of(path))
        diagnostic.proposals = tuple(Proposal(self.fix_path or path, text) for text in self.advice.texts)
        return diagnostic


def api_diagnostics(document: Document, api: Api, *, is_strict: bool = False) -> list[Diagnostic]:
    """Return a warning for each mismatch between a document and a description; errors if `is_strict`.

    Where the text of a request is broken, its names are not compared.
    """
    severity = ERROR if is_strict else WARNING
    incomplete = document.incomplete
    return [
        mismatch.diagnostic(document, severity)
        for mismatch in mismatches(document.value, api)
        if not incomplete or not _is_doubtful(mismatch, incomplete)
    ]


def mismatches(value: object, api: Api) -> Iterator[Mismatch]:
    """Yield the mismatches between the value of a document and a description, in text order."""
    for block in bindings_of(value):
        yield from _check_block(block, api)


def _is_doubtful(mismatch: Mismatch, incomplete: frozenset[Path]) -> bool:
    request = mismatch.block.request_path
    return mismatch.text.path in incomplete or any(path[: len(request)] == request for path in incomplete)


def _check_block(block: Block, api: Api) -> Iterator[Mismatch]:
    endpoint = block.endpoint
    if endpoint.is_placeholder:
        return
    operation = api.operation(endpoint.value)
    if operation is None:
        yield Mismatch(UNKNOWN_PATH, endpoint, block, path_advice(api, endpoint.value))
        return
    if block.select.is_placeholder:
        return
    place = api.place(operation, block.select.value)
    if place.facts is None:
        advice = value_advice(api, operation, block, place)
        yield Mismatch(UNKNOWN_VALUE_PATH, block.select, block, advice)
    elif block.plan.fields is not None and place.facts.may_be_list:
        yield from _check_list(block, api, place.facts)
    elif block.plan.fields is not None:
        yield _wrong_type(NOT_LIST, block, choice_advice(api, operation, block), place.facts)
    elif block.shown is not None and place.facts.may_be_scalar:
        yield from _check_form(api, block, block.shown, place.facts)
    elif block.shown is not None:
        yield _wrong_type(NOT_SCALAR, block, choice_advice(api, operation, block), place.facts)


def _check_list(block: Block, api: Api, facts: Facts) -> Iterator[Mismatch]:
    row = api.row(facts)
    if row.is_unknown:
        return
    fields: dict[str, Facts] = {}
    for field in block.fields:
        name = field.name.value
        inner = api.field(row, name)
        if inner is None:
            yield Mismatch(UNKNOWN_FIELD, field.name, block, field_advice(api, row, name))
            continue
        fields[name] = inner
        yield from _check_form(api, block, field, inner)
    for name, option in block.options:
        values = fields[name].values if name in fields else None
        allowed = [_as_text(value) for value in values or ()]
        if values is not None and option.value not in allowed:
            yield Mismatch(UNKNOWN_OPTION, option, block, option_advice(option.value, allowed), field=name)


def _wrong_type(code: str, block: Block, advice: Advice, facts: Facts) -> Mismatch:
    """Return the mismatch of a value path, or of a request without one, which is marked at its path."""
    fix_path = block.select.path
    if block.select.value:
        return Mismatch(code, block.select, block, advice, fix_path, types=facts.type_text())
    return Mismatch(code, block.endpoint, block, advice, fix_path, types=facts.type_text())


def _check_form(api: Api, block: Block, field: Shown, facts: Facts) -> Iterator[Mismatch]:
    """Yield the mismatch of a type that a value cannot be shown as."""
    if field.shown_as is None or field.form is None or _can_be(facts, field.form):
        return
    fitting = [other for other, form in field.forms.items() if _can_be(facts, form)]
    advice = Advice(f"These fit: {listed(fitting)}.", tuple(fitting))
    fix_path = field.shown_as.path
    if not fitting:
        advice = inner_advice(api, field.name.value, facts)
        fix_path = field.name.path
    types = facts.type_text()
    yield Mismatch(WRONG_FORM, field.shown_as, block, advice, fix_path, field=field.name.value, types=types)


def _can_be(facts: Facts, form: JsonForm) -> bool:
    """Return whether a value can be shown in a form."""
    if not facts.types:
        return True
    common = facts.types.intersection(form.types)
    if common - {"string"}:
        return True
    if not common:
        return "string" in facts.types and bool(facts.formats) and _NUMERIC_FORMATS.issuperset(facts.formats or ())
    if not form.formats or not facts.formats:
        return True
    return not _OTHER_FORMATS.issuperset(facts.formats)


def _as_text(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return str(value)
