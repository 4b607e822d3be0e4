"""Catalogue → one page a rule, with the same headings on each, and all of them as one page."""

from __future__ import annotations

import json
from collections import namedtuple

from rui_common.describe.examples import broken_example, minimal_example
from rui_common.describe.markdown import block, bullets, code, deeper, json_block, page, snippet, table
from rui_common.validation.run import validate
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_common.vocabulary.rules import MESSAGES, RULES, WARNINGS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rui_common.vocabulary.rules import OwnWarning, Rule
    from rui_common.vocabulary.schema import Vocabulary

NO_JSON = "R0"


def rule_page(number: str, vocabulary: Vocabulary = VOCABULARY) -> str:
    """What there is to know about one rule, as Markdown.

    Args:
        number: such as ``R7`` or ``R7b``.
        vocabulary: what the example document is made from.

    Raises:
        KeyError: there is no such rule.
    """
    rule = RULES[number]
    template, gist = MESSAGES[rule.code]
    place = f"At {code(rule.at)} of the minimal document:" if rule.at else "As the whole text:"
    return page(
        f"# {rule.number} {rule.code}",
        "## What it does",
        f"Finds this: {rule.condition}",
        bullets([f"Code: {code(rule.code)}", f"Message: {code(template)}", f"Hint: {gist}"]),
        "## Why it matters",
        rule.why,
        "## Example",
        place,
        snippet(rule.wrong),
        _answer(rule, vocabulary),
        "## Use instead",
        snippet(rule.right),
    )


def rules_markdown(vocabulary: Vocabulary = VOCABULARY) -> str:
    """All rules on one page (docs/rules.md); ``#r7b`` leads to R7b."""
    return page(
        "# Validation rules",
        f"The {len(RULES)} rules of RUI {vocabulary.version}, in order. `rui explain R7b` prints one of them. "
        "Generated from the catalogue by `make docs`: edit that.",
        table(
            ["Rule", "Code", "Condition"],
            [[f"[{rule.number}](#{anchor(rule.number)})", code(rule.code), rule.condition] for rule in RULES.values()],
        ),
        "The examples stand in the minimal document:",
        json_block(minimal_example(vocabulary)),
        *(_anchored(rule, vocabulary) for rule in RULES.values()),
        *(f'<a id="{anchor(warning.code)}"></a>\n\n{_warning(warning)}' for warning in WARNINGS.values()),
    )


class RulePage(namedtuple("RulePage", ("number", "code"))):
    """The page of a rule; of a warning of our own, whose number is its code."""

    __slots__ = ()
    number: str
    code: str

    def markdown(self) -> str:
        """Its text."""
        warning = WARNINGS.get(self.number)
        return f"{_warning(warning, heading='#')}\n" if warning else rule_page(self.number)


def pages_of(word: str = "") -> list[RulePage]:
    """The page of a rule by its number, or the pages of a code, both in any case; without a word all there are."""
    rules = [RulePage(rule.number, rule.code) for rule in RULES.values()]
    pages = [*rules, *(RulePage(code, code) for code in WARNINGS)]
    return [page for page in pages if not word or word.strip().upper() in {page.number.upper(), page.code}]


def _warning(warning: OwnWarning, heading: str = "##") -> str:
    """A warning of our own, which is no rule: the editor links to it, too."""
    return "\n\n".join([
        f"{heading} {warning.code}",
        f"A warning of editor and command line, never an error and never in an HTTP answer. {warning.why}",
        bullets([f"Message: {code(warning.message)}", f"Hint: {warning.hint}"]),
    ])  # fmt: skip


def anchor(number: str) -> str:
    """The name that a rule has in addresses: ``r7b``."""
    return number.lower()


def _anchored(rule: Rule, vocabulary: Vocabulary) -> str:
    return f'<a id="{anchor(rule.number)}"></a>\n\n{deeper(rule_page(rule.number, vocabulary))}'


def _answer(rule: Rule, vocabulary: Vocabulary) -> str:
    """What the service answers to the example: the real thing, not a promise."""
    if rule.number == NO_JSON:
        return "The service answers 400 with this one error; its path is empty. Editor and terminal point at the fault."
    value = json.loads(broken_example(rule, vocabulary))
    items = [finding.to_item() for finding in validate(value, vocabulary=vocabulary)]
    # One line a field, the names in a column.
    lines = ["\n".join(f"{name:9}{text}" for name, text in item.items()) for item in items]
    return "This is reported:\n\n" + block("\n\n".join(lines), "text")
