"""Compare the bindings of a document with an OpenAPI description: a warning for each name that does not exist."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

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
from rui_openapi.bindings import Binding, Options, Text, bindings_of
from rui_openapi.comparison.hints import (
    Advice,
    choice_advice,
    field_advice,
    form_advice,
    inner_advice,
    inner_fields,
    listed,
    option_advice,
    path_advice,
    value_advice,
)
from rui_openapi.description.api import Api
from rui_openapi.description.operations import Operation
from rui_openapi.description.schemas import UNKNOWN, Facts

MAX_CONSEQUENCES = 3
"""Differences after a change that the hint for it lists, other than unknown fields."""

_NUMERIC_FORMATS = frozenset({"decimal", "double", "float", "int32", "int64", "integer", "number", "uint32", "uint64"})
"""Formats of strings that contain a number."""

_OTHER_FORMATS = frozenset(
    {"binary", "byte", "email", "hostname", "idn-email", "ipv4", "ipv6", "iri", "password", "uri", "uri-reference",
     "uri-template", "url", "uuid"}
)  # fmt: skip
"""Formats of strings that contain neither a number nor a date."""


class Mismatch:
    """One name or type in a document that the description does not have.

    Attributes:
        code: the code of its warning.
        path: its path in the document.
        request: the path of the object with the request.
        endpoint: the path of the request.
        names: placeholder of the message → text.
        advice: how to fix it.
        fix_path: the path of the text that the advice replaces.
    """

    __slots__ = ("advice", "code", "endpoint", "fix_path", "names", "path", "request")

    def __init__(
        self, code: str, path: Path, binding: Binding, advice: Advice, *, fix_path: Path | None = None, **names: str
    ) -> None:
        self.code = code
        self.path = path
        self.request = binding.path
        self.endpoint = binding.endpoint.value
        self.names = {"path": self.endpoint, **names}
        self.advice = advice
        self.fix_path = fix_path or path

    def message(self) -> str:
        """Return the message of its warning."""
        text = WARNINGS[self.code].message
        for name, value in self.names.items():
            text = text.replace(f"{{{name}}}", shorten(value, MAX_IN_MESSAGE))
        return text

    def hint(self) -> str:
        """Return the hint of its warning, and the advice."""
        return f"{WARNINGS[self.code].hint} {self.advice.text}".rstrip()

    def proposals(self) -> tuple[Proposal, ...]:
        """Return the changes that the advice proposes."""
        advice = self.advice
        if advice.is_superfluous:
            return (Proposal(self.fix_path, None),)
        texts = advice.alternatives
        if advice.replacement is not None:
            texts = (advice.replacement,)
        return tuple(Proposal(self.fix_path, text) for text in texts)

    def diagnostic(self, document: Document, severity: str) -> Diagnostic:
        """Return the diagnostic in a document."""
        span = document.range_of(self.path)
        diagnostic = Diagnostic(severity, self.code, "", self.path, self.message(), self.hint(), span)
        diagnostic.proposals = self.proposals()
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
    for binding in bindings_of(value):
        yield from _check_binding(binding, api)


def _is_doubtful(mismatch: Mismatch, incomplete: frozenset[Path]) -> bool:
    request = mismatch.request
    return mismatch.path in incomplete or any(path[: len(request)] == request for path in incomplete)


def _check_binding(binding: Binding, api: Api) -> Iterator[Mismatch]:
    if binding.endpoint.is_placeholder:
        return
    endpoint = binding.endpoint.value
    found = api.find(endpoint)
    if found is None or not found[0].is_readable or found[1]:
        operation, suspect = found or (None, "")
        advice = path_advice(api, endpoint, operation, suspect)
        advice = _with_consequences(api, binding, advice, binding.endpoint)
        yield Mismatch(UNKNOWN_PATH, binding.endpoint.path, binding, advice, value=endpoint)
        return
    if binding.select is not None and binding.select.is_placeholder:
        return
    operation = found[0]
    place = api.place(operation, binding.value_path)
    if place.facts is None:
        advice = value_advice(api, operation, place, binding.value_path, _fits(binding))
        advice = _with_consequences(api, binding, advice, binding.select)
        yield Mismatch(UNKNOWN_VALUE_PATH, binding.select_path, binding, advice, value=binding.value_path)
    elif binding.is_list:
        yield from _check_list(binding, api, operation, place.facts)
    elif binding.is_value:
        yield from _check_value(binding, api, operation, place.facts)


def _with_consequences(api: Api, binding: Binding, advice: Advice, replaced: Text | None) -> Advice:
    """Return an advice with what differs after the change that it proposes: an author needs one round less."""
    text = advice.replacement
    if advice.is_superfluous:
        later = binding._replace(select=None)
    elif text is None:
        return advice
    elif replaced is binding.endpoint:
        later = binding._replace(endpoint=Text(text, binding.endpoint.path))
    else:
        later = binding._replace(select=Text(text, binding.select_path))
    found = list(_check_binding(later, api))
    sentences = [advice.text]
    fields = [mismatch.names["value"] for mismatch in found if mismatch.code == UNKNOWN_FIELD]
    if fields:
        row = _row_of(api, later)
        sentences.append(f"Its rows have no {listed(fields)}; they have {listed(row.properties)}.")
        inner = [path for name in fields for path in inner_fields(api, row, name)]
        if inner:
            sentences.append(f"Inside them: {listed(inner)}.")
    others = [mismatch for mismatch in found if mismatch.code != UNKNOWN_FIELD][:MAX_CONSEQUENCES]
    sentences += [f"Then: {mismatch.message()} {mismatch.advice.text}".rstrip() for mismatch in others]
    return advice._replace(text=" ".join(sentences))


def _row_of(api: Api, binding: Binding) -> Facts:
    """Return the facts of the rows of a binding whose path and value path exist."""
    found = api.find(binding.endpoint.value)
    if found is None:
        return UNKNOWN
    facts = api.place(found[0], binding.value_path).facts
    if facts is None:
        return UNKNOWN
    return api.row(facts)


def _fits(binding: Binding) -> Callable[[Facts], bool]:
    if binding.is_list:
        return _is_list
    return _is_scalar


def _is_list(facts: Facts) -> bool:
    return facts.may_be_list and not facts.is_unknown


def _is_scalar(facts: Facts) -> bool:
    return facts.may_be_scalar and not facts.is_unknown


def _check_value(binding: Binding, api: Api, operation: Operation, facts: Facts) -> Iterator[Mismatch]:
    endpoint = binding.endpoint.value
    select = binding.value_path
    if not facts.may_be_scalar:
        advice = choice_advice(api, operation, select, "single values", _is_scalar)
        subject = _subject(select, endpoint)
        yield Mismatch(
            NOT_SCALAR, binding.select_path, binding, advice, subject=subject, types=facts.type_text()
        )  # fmt: skip
        return
    if binding.shown_as is not None:
        name = binding.select or Text("", binding.select_path)
        yield from _check_form(api, binding, binding.shown_as, binding.forms, name, facts)


def _check_list(binding: Binding, api: Api, operation: Operation, facts: Facts) -> Iterator[Mismatch]:
    endpoint = binding.endpoint.value
    if not facts.may_be_list:
        select = binding.value_path
        advice = choice_advice(api, operation, select, "lists", _is_list)
        advice = _with_consequences(api, binding, advice, binding.select)
        path = binding.path
        if binding.select is not None:
            path = binding.select_path
        subject = _subject(select, endpoint)
        yield Mismatch(
            NOT_LIST, path, binding, advice, fix_path=binding.select_path, subject=subject, types=facts.type_text()
        )
        return
    row = api.row(facts)
    if row.is_unknown:
        return
    fields: dict[str, Facts] = {}
    for field in binding.fields:
        inner = api.field(row, field.name.value)
        if inner is None:
            advice = field_advice(api, row, field.name.value)
            yield Mismatch(UNKNOWN_FIELD, field.name.path, binding, advice, value=field.name.value)
            continue
        fields[field.name.value] = inner
        if field.shown_as is not None:
            yield from _check_form(api, binding, field.shown_as, field.forms, field.name, inner)
    for options in binding.options:
        if options.field in fields:
            yield from _check_options(binding, options, fields[options.field])


def _subject(select: str, endpoint: str) -> str:
    if not select:
        return f"The response of GET {endpoint}"
    return f'The value "{select}" in the response of GET {endpoint}'


def _check_form(
    api: Api, binding: Binding, shown_as: Text, forms: Mapping[str, JsonForm], name: Text, facts: Facts
) -> Iterator[Mismatch]:
    if _can_be(facts, forms[shown_as.value]):
        return
    fitting = [other for other, form in forms.items() if _can_be(facts, form)]
    advice = form_advice(fitting)
    fix_path = shown_as.path
    if not fitting:
        advice = inner_advice(api, name.value, facts)
        fix_path = name.path
    yield Mismatch(
        WRONG_FORM, shown_as.path, binding, advice, fix_path=fix_path,
        value=shown_as.value, field=name.value, types=facts.type_text(),
    )  # fmt: skip


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


def _check_options(binding: Binding, options: Options, facts: Facts) -> Iterator[Mismatch]:
    if facts.values is None:
        return
    allowed = [_as_text(value) for value in facts.values]
    for option in options.values:
        if option.value not in allowed:
            advice = option_advice(option.value, allowed)
            yield Mismatch(UNKNOWN_OPTION, option.path, binding, advice, value=option.value, field=options.field)


def _as_text(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return str(value)
