"""A page for every rule and every warning, and all of them on one page (docs/rules.md)."""

import json
from collections.abc import Iterator
from typing import NamedTuple

from rui_common.describe.examples import broken_example, minimal_example
from rui_common.describe.markdown import block, bullets, code, json_block, lower_headings, page, snippet, table
from rui_common.problems.finding import Finding, LintRule
from rui_common.problems.lints import WARNINGS
from rui_common.syntax.paths import format_path
from rui_common.validation.analysis import validate
from rui_common.vocabulary.queries import broken_rules
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_common.vocabulary.rules import MESSAGES, RULES, UNKNOWN_PROP
from rui_common.vocabulary.schema import Vocabulary

RULES_TITLE = f"The rules of RUI {VOCABULARY.version}"


class RulePage(NamedTuple):
    """The documentation of a rule, or of a warning, whose number is its code: the attributes of `Rule` and more."""

    number: str
    code: str
    condition: str
    why: str
    at: str
    wrong: str
    right: str
    message: str
    hint: str
    about: str = ""  # where a warning is reported, in a sentence

    def markdown(self, vocabulary: Vocabulary = VOCABULARY) -> str:
        example = []
        if self.wrong:
            example = ["## Example", self._place(), snippet(self.wrong)]
            example += [self._report(vocabulary), "## Use instead", snippet(self.right)]
        title = self.code if self.about else f"{self.number} {self.code}"
        return page(
            f"# {title}",
            "## What it does",
            f"Finds this: {self.condition}",
            self.about,
            bullets([f"Code: {code(self.code)}", f"Message: {code(self.message)}", f"Hint: {self.hint}"]),
            "## Why it matters",
            self.why,
            *example,
        )

    def places(self) -> Iterator[str]:
        """Yield the shapes and properties that can break the rule, as ``Table.columns``."""
        for shape in VOCABULARY.shapes.values():
            if self.number == UNKNOWN_PROP and not shape.open:
                yield shape.name
            for prop in shape.props.values():
                if self.number in dict(broken_rules(prop)).values():
                    yield f"{shape.name}.{prop.name}"

    def _place(self) -> str:
        if self.about:
            return "In this part of a document:"
        if self.at:
            return f"At {code(self.at)} of the minimal document:"
        return "As the whole text:"

    def _report(self, vocabulary: Vocabulary) -> str:
        if self.about:
            return ""
        if self.number == "R0":
            return (
                "The service responds with 400 and this one error; its path is empty. Editor and terminal show where."
            )
        findings = validate(json.loads(broken_example(RULES[self.number], vocabulary)), vocabulary).findings
        return "This is reported:\n\n" + block("\n\n".join(map(_reported, findings)), "text")


def pages_of(word: str = "") -> list[RulePage]:
    """Return the pages of a rule number or a code, in any case; all pages without a word."""
    rules = [RulePage(*rule, *MESSAGES[rule.code]) for rule in RULES.values()]
    pages = [*rules, *map(_page_of_warning, WARNINGS.values())]
    return [page for page in pages if not word or word.strip().upper() in {page.number.upper(), page.code}]


def _page_of_warning(warning: LintRule) -> RulePage:
    about = "A warning of editor and command line, which a `rui.toml` may make an error. HTTP responses never have it."
    if warning.needs_api:
        about = "A warning of `rui check` with an OpenAPI description; an error with `--strict-api`."
    elif warning.is_in_answers:
        about = "A warning, which a `rui.toml` may make an error. HTTP responses have it with `?warnings=true`."
    return RulePage(
        number=warning.code,
        code=warning.code,
        condition=warning.condition,
        why=warning.why,
        at="",
        wrong=warning.wrong,
        right=warning.right,
        message=warning.message,
        hint=warning.hint,
        about=about,
    )


def _reported(finding: Finding) -> str:
    """Return a finding as text, without the signatures that an HTTP response adds to the first hint."""
    texts = (format_path(finding.path), finding.code, finding.message, finding.hint)
    names = ("path", "code", "message", "hint")
    return "\n".join(f"{name:9}{text}" for name, text in zip(names, texts, strict=True))


def rule_tables() -> list[str]:
    rules = [[f"[{rule.number}]({anchor(rule.number)})", code(rule.code), rule.condition] for rule in RULES.values()]
    warnings = [[f"[{name}]({anchor(name)})", warning.condition] for name, warning in WARNINGS.items()]
    return [
        table(["Rule", "Code", "Condition"], rules),
        "The toolkit has warnings of its own, which do not make a document invalid. The last ones need an OpenAPI "
        "description of the API (docs/decisions.md, section 10).",
        table(["Warning", "Condition"], warnings),
    ]


def rules_markdown(vocabulary: Vocabulary = VOCABULARY) -> str:
    """Return all rules on one page. ``#r7b`` is the anchor of R7b."""
    return page(
        "# Validation rules",
        f"The {len(RULES)} rules of RUI {vocabulary.version}, in order. `rui explain R7b` prints one of them. "
        "`make docs` generates this page from the catalogue.",
        *rule_tables(),
        "The examples are values in the minimal document:",
        json_block(minimal_example(vocabulary)),
        *(
            f'<a id="{anchor(rule_page.number)[1:]}"></a>\n\n{lower_headings(rule_page.markdown(vocabulary))}'
            for rule_page in pages_of()
        ),
    )


def anchor(number: str) -> str:
    """Return the address of a rule on this page: ``#r7b``."""
    return f"#{number.lower()}"
