"""A page for every rule, and all rules on one page (docs/rules.md)."""

from __future__ import annotations

import json
from typing import NamedTuple

from rui_common.describe.examples import broken_example, minimal_example
from rui_common.describe.markdown import block, bullets, code, json_block, lower_headings, page, snippet, table
from rui_common.syntax.paths import format_path
from rui_common.validation.findings import Finding
from rui_common.validation.validator import validate
from rui_common.validation.wording import hint_of, message_of
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_common.vocabulary.rules import MESSAGES, RULES, WARNINGS, OwnWarning, Rule
from rui_common.vocabulary.schema import Vocabulary


def rule_page(number: str, vocabulary: Vocabulary = VOCABULARY) -> str:
    """Return the documentation of one rule as Markdown.

    Args:
        number: such as ``R7`` or ``R7b``.

    Raises:
        KeyError: there is no such rule.
    """
    rule = RULES[number]
    message, hint = MESSAGES[rule.code]
    return page(
        f"# {rule.number} {rule.code}",
        "## What it does",
        f"Finds this: {rule.condition}",
        bullets([f"Code: {code(rule.code)}", f"Message: {code(message)}", f"Hint: {hint}"]),
        "## Why it matters",
        rule.why,
        "## Example",
        f"At {code(rule.at)} of the minimal document:" if rule.at else "As the whole text:",
        snippet(rule.wrong),
        _report(rule, vocabulary),
        "## Use instead",
        snippet(rule.right),
    )


def rules_markdown(vocabulary: Vocabulary = VOCABULARY) -> str:
    """Return all rules on one page. ``#r7b`` is the anchor of R7b."""
    return page(
        "# Validation rules",
        f"The {len(RULES)} rules of RUI {vocabulary.version}, in order. `rui explain R7b` prints one of them. "
        "`make docs` generates this page from the catalogue.",
        table(
            ["Rule", "Code", "Condition"],
            [[f"[{rule.number}](#{anchor(rule.number)})", code(rule.code), rule.condition] for rule in RULES.values()],
        ),
        "The toolkit has warnings of its own, which do not make a document invalid. The last ones need an OpenAPI "
        "description of the API (docs/decisions.md, section 10).",
        table(
            ["Warning", "Condition"],
            [[f"[{warning.code}](#{anchor(name)})", warning.condition] for name, warning in WARNINGS.items()],
        ),
        "The examples are values in the minimal document:",
        json_block(minimal_example(vocabulary)),
        *(_section(number, rule_page(number, vocabulary)) for number in RULES),
        *(_section(name, _warning_page(warning)) for name, warning in WARNINGS.items()),
    )


def _section(name: str, markdown: str) -> str:
    return f'<a id="{anchor(name)}"></a>\n\n{lower_headings(markdown)}'


class RulePage(NamedTuple):
    """The page of a rule, or of a warning, whose number is its code."""

    number: str
    code: str

    def markdown(self) -> str:
        warning = WARNINGS.get(self.number)
        if warning is None:
            return rule_page(self.number)
        return _warning_page(warning)


def pages_of(word: str = "") -> list[RulePage]:
    """Return the pages of a rule number or a code, in any case; all pages without a word."""
    pages = [RulePage(rule.number, rule.code) for rule in RULES.values()]
    pages += [RulePage(name, name) for name in WARNINGS]
    return [page for page in pages if not word or word.strip().upper() in {page.number.upper(), page.code}]


def about_warning(warning: OwnWarning) -> str:
    """Return where a warning is reported, in a sentence."""
    if warning.needs_api:
        return "A warning of `rui check` with an OpenAPI description; an error with `--strict-api`."
    if warning.is_in_answers:
        return "A warning, never an error. HTTP responses have it with `?warnings=true`."
    return "A warning of editor and command line, never an error and never in an HTTP response."


def _warning_page(warning: OwnWarning) -> str:
    parts = [bullets([f"Message: {code(warning.message)}", f"Hint: {warning.hint}"])]
    if warning.needs_api:
        condition = f"Finds this: {warning.condition}"
        parts = [condition, *parts, snippet(warning.wrong), "Use instead:", snippet(warning.right)]
    return page(f"# {warning.code}", f"{about_warning(warning)} {warning.why}", *parts)


def anchor(number: str) -> str:
    """Return the anchor of a rule on the page: ``r7b``."""
    return number.lower()


def _report(rule: Rule, vocabulary: Vocabulary) -> str:
    """Return the errors that the validator reports for the example."""
    if rule.number == "R0":
        return "The service responds with 400 and this one error; its path is empty. Editor and terminal show where."
    value = json.loads(broken_example(rule, vocabulary))
    blocks = [_reported(finding) for finding in validate(value, vocabulary).findings]
    return "This is reported:\n\n" + block("\n\n".join(blocks), "text")


def _reported(finding: Finding) -> str:
    """Return a finding as text, without the signatures that an HTTP response adds to the first hint."""
    item = {
        "path": format_path(finding.path),
        "code": finding.code,
        "message": message_of(finding),
        "hint": hint_of(finding),
    }
    return "\n".join(f"{name:9}{text}" for name, text in item.items())
