"""The vocabulary and the rules as the documentation pages show them. Everything is derived from the declarations."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from rui_common.describe.examples import broken_example, shape_example
from rui_common.describe.markdown import MAX_LINE, pretty
from rui_common.describe.rule_pages import about_warning
from rui_common.fixes.quick_fixes import FixFinder
from rui_common.syntax.document import Document, read
from rui_common.validation.diagnostics import diagnose
from rui_common.vocabulary.queries import broken_rules, children, parents, rules_of_code
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_common.vocabulary.rules import MESSAGES, RULES, UNKNOWN_PROP, WARNINGS, OwnWarning, Rule
from rui_common.vocabulary.schema import Prop, Shape, Vocabulary
from rui_inspector.model.problems import DisplayedDiagnostic, displayed_diagnostics

SAMPLE_WIDTH = 44
"""Maximum length of JSON on one line in examples that are side by side."""


class RuleLink(NamedTuple):
    """A rule that a property may break: its number, and what is wrong, such as ``missing``."""

    number: str
    problems: str


class PropEntry(NamedTuple):
    """A property.

    Attributes:
        anchor: its anchor, such as ``Metric.label``.
        prop: its declaration.
        presence: ``required``, ``optional`` or ``by convention``.
        value: the notation of its kind.
        example: a valid value as JSON.
        rules: the rules that it may break.
    """

    anchor: str
    prop: Prop
    presence: str
    value: str
    example: str
    rules: list[RuleLink]


class ShapeEntry(NamedTuple):
    """A shape.

    Attributes:
        shape: its declaration.
        sort: such as ``strict block``.
        parents: the anchors of the properties that contain it.
        children: the types of the nodes in it.
        props: its properties in canonical order.
        example: an object of it as JSON.
    """

    shape: Shape
    sort: str
    parents: Sequence[str]
    children: Sequence[str]
    props: list[PropEntry]
    example: str


class RuleEntry(NamedTuple):
    """A rule, or a warning, whose number is its code.

    Attributes:
        number: such as ``R18``.
        code: its error code.
        is_warning: whether it is a warning of editor and command line only.
        about: where a warning is reported, in a sentence; ``""`` for a rule.
        condition: the condition under which it is reported.
        why: its reason.
        message: the template of the message.
        hint: the gist of the hint.
        at: the path of the examples in the minimal document; ``""`` for a whole text.
        wrong: a faulty example as JSON, or ``""``.
        right: the same without the fault.
        problems: what the validator reports for the faulty example.
        fixes: the titles of the quick fixes for it.
        anchors: the anchors of the properties and shapes that may break it.
        same_code: the numbers of the other rules with this code.
    """

    number: str
    code: str
    is_warning: bool
    about: str
    condition: str
    why: str
    message: str
    hint: str
    at: str
    wrong: str
    right: str
    problems: list[DisplayedDiagnostic]
    fixes: list[str]
    anchors: list[str]
    same_code: list[str]


def prop_anchor(shape: Shape, prop: Prop) -> str:
    """Return the anchor of a property on the page of the vocabulary."""
    return f"{shape.name}.{prop.name}"


@cache
def shape_entries(vocabulary: Vocabulary = VOCABULARY) -> list[ShapeEntry]:
    """Return every shape, in the order of the vocabulary."""
    return [_shape_entry(shape, vocabulary) for shape in vocabulary.shapes.values()]


@cache
def rule_entries(vocabulary: Vocabulary = VOCABULARY) -> dict[str, RuleEntry]:
    """Return every rule, then every warning, by number."""
    entries = [_rule_entry(rule, vocabulary) for rule in RULES.values()]
    entries += [_warning_entry(warning) for warning in WARNINGS.values()]
    return {entry.number: entry for entry in entries}


def rules_named(word: str) -> list[RuleEntry]:
    """Return the rule with a number, or the rules with a code, in any case; none if there is no such name."""
    name = word.upper()
    return [entry for entry in rule_entries().values() if name in (entry.number.upper(), entry.code)]


def rule_text(rule: Rule, vocabulary: Vocabulary = VOCABULARY) -> str:
    """Return the faulty example of a rule as a whole document, laid out if it can be parsed."""
    return _laid_out(broken_example(rule, vocabulary))


def _shape_entry(shape: Shape, vocabulary: Vocabulary) -> ShapeEntry:
    sort = "strict"
    if shape.open:
        sort = "open"
    return ShapeEntry(
        shape,
        f"{sort} {shape.role}".rstrip(),
        parents(vocabulary, shape),
        children(shape),
        list(_prop_entries(shape)),
        pretty(shape_example(shape)),
    )


def _prop_entries(shape: Shape) -> Iterator[PropEntry]:
    for prop in shape.props.values():
        presence = "optional"
        if prop.required:
            presence = "required"
        yield _prop_entry(shape, prop, presence, _rule_links(prop))
    for prop in shape.suggested.values():
        yield _prop_entry(shape, prop, "by convention", [])


def _prop_entry(shape: Shape, prop: Prop, presence: str, rules: list[RuleLink]) -> PropEntry:
    return PropEntry(
        prop_anchor(shape, prop),
        prop,
        presence,
        prop.kind.notation(),
        pretty(shape_example(shape)[prop.name]),
        rules,
    )


def _rule_links(prop: Prop) -> list[RuleLink]:
    by_rule: dict[str, list[str]] = {}
    for problem, number in broken_rules(prop):
        by_rule.setdefault(number, []).append(problem.replace(":", " "))
    return [RuleLink(number, ", ".join(problems)) for number, problems in by_rule.items()]


def _rule_entry(rule: Rule, vocabulary: Vocabulary) -> RuleEntry:
    message, hint = MESSAGES[rule.code]
    document = read(rule_text(rule, vocabulary))
    return RuleEntry(
        rule.number, rule.code, False, "", rule.condition, rule.why, message, hint, rule.at,
        _laid_out(rule.wrong, SAMPLE_WIDTH), _laid_out(rule.right, SAMPLE_WIDTH),
        displayed_diagnostics(document), _fix_titles(document),
        list(_anchors_of(rule, vocabulary)), [number for number in rules_of_code(rule.code) if number != rule.number],
    )  # fmt: skip


def _anchors_of(rule: Rule, vocabulary: Vocabulary) -> Iterator[str]:
    for shape in vocabulary.shapes.values():
        if rule.number == UNKNOWN_PROP and not shape.open:
            yield shape.name
        for prop in shape.props.values():
            if any(number == rule.number for _, number in broken_rules(prop)):
                yield prop_anchor(shape, prop)


def _warning_entry(warning: OwnWarning) -> RuleEntry:
    document = read(warning.wrong)
    problems = [problem for problem in displayed_diagnostics(document) if problem.code == warning.code]
    return RuleEntry(
        warning.code, warning.code, True, about_warning(warning),
        warning.condition, warning.why, warning.message, warning.hint, "",
        warning.wrong, warning.right, problems, [], [], [],
    )  # fmt: skip


def _fix_titles(document: Document) -> list[str]:
    finder = FixFinder(document)
    titles = [fix.title for diagnostic in diagnose(document) for fix in finder.find(diagnostic)]
    return list(dict.fromkeys(titles))


def _laid_out(text: str, width: int = MAX_LINE) -> str:
    try:
        value: object = json.loads(text)
    except ValueError:
        return text
    return pretty(value, width=width)
