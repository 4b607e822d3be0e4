"""Compare the blocks of a document with an OpenAPI description: a warning for each name that does not exist."""

import json
from collections.abc import Iterator
from typing import NamedTuple

from rui_common.problems.api import (
    NOT_LIST,
    NOT_SCALAR,
    UNKNOWN_FIELD,
    UNKNOWN_OPTION,
    UNKNOWN_PATH,
    UNKNOWN_VALUE_PATH,
    WRONG_FORM,
)
from rui_common.problems.finding import LintRule
from rui_common.problems.suggestion import Suggestion
from rui_common.validation.analysis import Analysis
from rui_common.validation.diagnostics import Diagnostic, Severity, finding_diagnostic
from rui_common.vocabulary.schema import JsonForm
from rui_openapi.bindings import Block, Shown, Text, bindings_of
from rui_openapi.comparison.api_lint import ApiLint, Replaceable
from rui_openapi.comparison.suggestions import (
    suggest_field,
    suggest_fitting_value,
    suggest_inner,
    suggest_option,
    suggest_path,
    suggest_type,
    suggest_value,
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


def api_diagnostics(analysis: Analysis, api: Api, *, is_strict: bool = False) -> list[Diagnostic]:
    """Return a warning for each name or type that a description does not have, in text order; errors if `is_strict`.

    Where the text of a request is broken, its names are not compared.
    """
    document = analysis.document
    comparison = _Comparison(analysis, api, Severity.ERROR if is_strict else Severity.WARNING)
    incomplete = document.incomplete
    found: list[Diagnostic] = []
    for block in bindings_of(analysis.tree):
        request = block.endpoint.path[:-1]
        if not any(path[: len(request)] == request for path in incomplete):
            found += [lint for lint in comparison.check(block) if lint.path not in incomplete]
    return found


class _Comparison(NamedTuple):
    """A document, a description, and the severity of differences."""

    analysis: Analysis
    api: Api
    severity: Severity

    def check(self, block: Block) -> Iterator[Diagnostic]:
        if block.endpoint.is_placeholder:
            return
        operation = self.api.operation(block.endpoint.value)
        if operation is None:
            suggestions = suggest_path(self.api, block.endpoint.value, self._text(block.endpoint))
            yield self._warning(UNKNOWN_PATH, block, block.endpoint, suggestions)
            return
        if block.select.is_placeholder:
            return
        facts, missing = self.api.follow(self.api.response(operation), block.select.value)
        if missing:
            suggestions = suggest_value(self.api, block, self._text(block.select))
            yield self._warning(UNKNOWN_VALUE_PATH, block, block.select, suggestions)
        elif block.plan.field and facts.may_be_list:
            yield from self._check_list(block, self.api.row(facts))
        elif block.plan.field:
            yield self._wrong_type(NOT_LIST, block, facts)
        elif block.shown is not None and facts.may_be_scalar:
            yield from self._check_form(block, block.shown, facts)
            yield from self._check_options(block)
        elif block.shown is not None:
            yield self._wrong_type(NOT_SCALAR, block, facts)

    def _check_list(self, block: Block, row: Facts) -> Iterator[Diagnostic]:
        for field in block.fields:
            name = field.name.value
            facts = self.api.field(row, name)
            if facts is None:
                suggestions = suggest_field(self.api, row, name, self._text(field.name))
                yield self._warning(UNKNOWN_FIELD, block, field.name, suggestions)
            else:
                yield from self._check_form(block, field, facts)
        if block.option_field in block.field_names:
            yield from self._check_options(block)

    def _check_options(self, block: Block) -> Iterator[Diagnostic]:
        facts = block.option_facts(self.api)
        if facts is None or facts.values is None:
            return
        allowed = [value if isinstance(value, str) else json.dumps(value) for value in facts.values]
        for option in block.options:
            if option.value not in allowed:
                suggestions = suggest_option(option.value, allowed, self._text(option))
                yield self._warning(UNKNOWN_OPTION, block, option, suggestions, field=block.option_field)

    def _check_form(self, block: Block, field: Shown, facts: Facts) -> Iterator[Diagnostic]:
        if field.form is None or _can_be(facts, field.form):
            return
        name = field.name.value
        fitting = [shown_type for shown_type, form in field.forms.items() if _can_be(facts, form)]
        suggestions = suggest_type(fitting, self._text(field.shown_as))
        if not fitting:
            suggestions = suggest_inner(self.api, name, facts, self._text(field.name))
        yield self._warning(WRONG_FORM, block, field.shown_as, suggestions, field=name, types=facts.type_text())

    def _wrong_type(self, about: LintRule, block: Block, facts: Facts) -> Diagnostic:
        """Return the difference of a value path, or of a request without one, which is marked at its path."""
        marked = block.select if block.select.value else block.endpoint
        suggestions = suggest_fitting_value(self.api, block, self._text(block.select))
        return self._warning(about, block, marked, suggestions, types=facts.type_text())

    def _text(self, text: Text) -> Replaceable:
        return Replaceable(self.analysis, text.path)

    def _warning(
        self, about: LintRule, block: Block, marked: Text, suggestions: list[Suggestion], **words: str
    ) -> Diagnostic:
        """Return the diagnostic of one text; the message contains the words."""
        path = block.endpoint.value
        subject = f"The response of GET {path}"
        if block.select.value:
            subject = f'The value "{block.select.value}" in the response of GET {path}'
        words |= {"path": path, "subject": subject, "value": marked.value}
        lint = ApiLint(self.analysis.nearest(marked.path[:-1]), marked.path[-1], about, words, suggestions)
        return finding_diagnostic(self.analysis.document, lint, self.severity)


def _can_be(facts: Facts, form: JsonForm) -> bool:
    if not facts.types:
        return True
    common = facts.types.intersection(form.types)
    if common - {"string"}:
        return True
    if not common:
        return "string" in facts.types and facts.formats is not None and _NUMERIC_FORMATS.issuperset(facts.formats)
    if not form.formats or not facts.formats:
        return True
    return not _OTHER_FORMATS.issuperset(facts.formats)
