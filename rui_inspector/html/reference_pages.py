"""Render the documentation for people from the declarations, and from the body of ``GET /api/docs``."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from rui_common.describe.examples import broken_example, full_example, minimal_example, shape_example
from rui_common.describe.markdown import MAX_LINE, pretty
from rui_common.describe.rule_pages import about_warning
from rui_common.describe.vocabulary_json import planned_features, symbol_payload
from rui_common.vocabulary.queries import broken_rules, children, parents
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_common.vocabulary.rules import MESSAGES, RULES, UNKNOWN_PROP, WARNINGS, Rule
from rui_common.vocabulary.schema import Prop
from rui_inspector.html.pages import PageHost
from rui_inspector.html.templates import environment
from rui_inspector.html.wireframe import WireframeWriter
from rui_inspector.model.view import view_of
from rui_inspector.model.wireframe import wireframe_of

SAMPLE_WIDTH = 44
"""Maximum length of JSON on one line in examples that are side by side."""

MAX_NODES = 100
"""Maximum number of nodes in the wireframe of an example."""


class RuleEntry(NamedTuple):
    """A rule, or a warning, whose number is its code; `about` is where a warning is reported.

    The examples are at the path `at` of the minimal document; `anchors` are the properties that may break the rule.
    """

    number: str
    code: str
    condition: str
    why: str
    message: str
    hint: str
    wrong: str
    right: str
    at: str = ""
    anchors: Sequence[str] = ()
    about: str = ""


@cache
def rule_entries() -> dict[str, RuleEntry]:
    """Return every rule, then every warning, by number."""
    entries = {}
    for number, rule in RULES.items():
        wrong, right = [_laid_out(text, SAMPLE_WIDTH) for text in (rule.wrong, rule.right)]
        entries[number] = RuleEntry(
            number, rule.code, rule.condition, rule.why, *MESSAGES[rule.code], wrong, right, rule.at,
            list(_anchors_of(rule)),
        )  # fmt: skip
    for code, one in WARNINGS.items():
        entries[code] = RuleEntry(
            code, code, one.condition, one.why, one.message, one.hint, one.wrong, one.right, about=about_warning(one)
        )
    return entries


def example_text(rule: Rule) -> str:
    """Return the faulty example of a rule as a whole document, laid out if it can be parsed."""
    return _laid_out(broken_example(rule), MAX_LINE)


def overview_page(payload: Mapping[str, object], host: PageHost) -> str:
    """Render the first page of the documentation; `payload` is the body of ``GET /api/docs``."""
    example = minimal_example()
    return _render(
        "docs/overview.html", host,
        payload=payload, example=pretty(example, width=SAMPLE_WIDTH), screens=_screens(example),
    )  # fmt: skip


def vocabulary_page(host: PageHost) -> str:
    """Render every shape and property."""
    full = full_example()
    return _render(
        "docs/vocabulary.html", host,
        vocabulary=VOCABULARY, parents=parents, children=children, rules_of=_rules_of, example_of=shape_example,
        symbols=[symbol_payload(symbol, VOCABULARY) for symbol in VOCABULARY.symbols], pretty=pretty,
        planned=planned_features(VOCABULARY), full=full, screens=_screens(full),
    )  # fmt: skip


def rules_page(host: PageHost, word: str = "") -> str | None:
    """Render the rule with a number, or the rules with a code, in any case; all by default, None if there is none."""
    everything = rule_entries().values()
    entries = [entry for entry in everything if word.upper() in (entry.number.upper(), entry.code)]
    if word and not entries:
        return None
    return _render("docs/rules.html", host, entries=entries, everything=everything)


def api_page(payload: Mapping[str, object], host: PageHost) -> str:
    """Render the endpoints; `payload` is the body of ``GET /api/docs``."""
    return _render("docs/api.html", host, payload=payload, pretty=pretty)


def _render(template: str, host: PageHost, **values: object) -> str:
    return environment().get_template(template).render(host=host, version=VOCABULARY.version, **values)


def _rules_of(prop: Prop) -> dict[str, list[str]]:
    """Return the numbers of the rules that a property may break, each with the problems."""
    by_rule: dict[str, list[str]] = {}
    for problem, number in broken_rules(prop):
        by_rule.setdefault(number, []).append(problem.replace(":", " "))
    return by_rule


def _anchors_of(rule: Rule) -> Iterator[str]:
    for shape in VOCABULARY.shapes.values():
        if rule.number == UNKNOWN_PROP and not shape.open:
            yield shape.name
        for prop in shape.props.values():
            if any(number == rule.number for _, number in broken_rules(prop)):
                yield f"{shape.name}.{prop.name}"


def _laid_out(text: str, width: int) -> str:
    try:
        value: object = json.loads(text)
    except ValueError:
        return text
    return pretty(value, width=width)


def _screens(document: dict[str, object]) -> str:
    view = view_of(document)
    return WireframeWriter(view, wireframe_of(view, MAX_NODES), None).screens()
