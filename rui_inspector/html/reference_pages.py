"""The documentation for people: the reference in Markdown as HTML, in the frame of all pages."""

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache

from rui_common.describe.examples import broken_example, full_example, minimal_example
from rui_common.describe.markdown import MAX_LINE, bullets, code, json_block, lower_headings, numbered, page, pretty
from rui_common.describe.rule_pages import RULES_TITLE, RulePage, anchor, pages_of, rule_tables
from rui_common.describe.vocabulary_page import vocabulary_markdown
from rui_common.vocabulary.queries import rule_url
from rui_common.vocabulary.rules import Rule
from rui_inspector.html.markdown import page_html
from rui_inspector.html.pages import PageHost
from rui_inspector.html.templates import environment
from rui_inspector.html.wireframe import WireframeWriter
from rui_inspector.model.view import View
from rui_inspector.model.wireframe import wireframe_of

MAX_NODES = 100  # maximum number of nodes in the wireframe of an example


def example_text(rule: Rule) -> str:
    """Return the faulty example of a rule as a whole document, laid out if it can be parsed."""
    text = broken_example(rule)
    try:
        value: object = json.loads(text)
    except ValueError:
        return text
    return pretty(value, width=MAX_LINE)


@lru_cache(maxsize=128)
def _reference_page(markdown: str, host: PageHost, here: str, summary: str, example: str = "") -> str:
    """Render a page of the documentation.

    Args:
        here: the part of the documentation that it belongs to: a path below `PageHost.docs`.
        summary: a description for search results.
        example: a document as JSON, whose wireframe follows the text.
    """
    names = [rule.number for rule in pages_of()]
    urls = {f"{file}{anchor(name)}": rule_url(host.docs, name) for name in names for file in ("", "rules.md")}
    html = page_html(markdown, urls)
    screens = ""
    if example:
        view = View(json.loads(example))
        screens = WireframeWriter(view, wireframe_of(view, MAX_NODES), None).screens()
    template = environment().get_template("docs.html")
    return template.render(host=host, here=here, html=html, summary=summary, screens=screens)


def overview_page(steps: Sequence[Mapping[str, object]], host: PageHost) -> str:
    """Render the first page of the documentation, which ends with the smallest document; `steps` are the workflow."""
    summary = "How to describe an app as a RUI: the vocabulary, the rules, and the API of this service."
    example = minimal_example()
    reference = (
        f"[Vocabulary]({host.docs}/vocabulary): every type and property, with examples.",
        f"[Rules]({host.docs}/rules): each error that the validator reports, with a faulty example and a repaired one.",
        f"[API]({host.docs}/api): the endpoints of this service, with requests, responses and examples.",
    )
    programs = (
        f"[llms.txt]({host.home}llms.txt) for language models",
        f"[The vocabulary as JSON]({host.home}api/schema)",
        f"[This documentation as JSON]({host.home}api/docs)",
        f"[OpenAPI 3.1]({host.home}api/openapi.json)",
    )
    markdown = page(
        "# Documentation",
        summary,
        "## From a draft to a page",
        numbered(f"{step['does']} {code(str(step['request'])) if 'request' in step else ''}" for step in steps),
        "## Reference",
        bullets(reference),
        "## For programs",
        bullets(programs),
        "## The smallest document",
        "Each valid document looks like this one, with more of everything. The wireframe is what it describes.",
        json_block(example),
    )
    return _reference_page(markdown, host, "", summary, json.dumps(example))


def api_page(markdown: str, host: PageHost) -> str:
    """Render the endpoints, which the service describes in Markdown."""
    return _reference_page(markdown, host, "/api", "The endpoints of the service, with requests and responses.")


def vocabulary_page(host: PageHost) -> str:
    """Render every shape and property."""
    summary = "Every type with its properties, in canonical order."
    return _reference_page(vocabulary_markdown(), host, "/vocabulary", summary, json.dumps(full_example()))


def rules_page(host: PageHost, word: str) -> str | None:
    """Render the rule with a number, or the rules with a code, in any case; all by default, None if there is none."""
    pages = pages_of(word) if word else []
    if word and not pages:
        return None
    summary = "Each error of the validator has a code, and a page with its reason."
    if pages:
        summary = pages[0].condition
    parts = [f"# {RULES_TITLE}", summary]
    if len(pages) == 1:
        parts = [_rule_markdown(pages[0], host)]
    elif pages:
        parts = [f"# {pages[0].code}", f"{len(pages)} rules have this code."]
        parts += [lower_headings(_rule_markdown(rule, host)) for rule in pages]
    rules, about_warnings, warnings = rule_tables()
    markdown = page(*parts, "## Rules", rules, "## Warnings", about_warnings, warnings)
    return _reference_page(markdown, host, "/rules", summary)


def _rule_markdown(rule: RulePage, host: PageHost) -> str:
    """Return the page of a rule with what only a service has: links to properties, and to the editor."""
    anchors = [f"[`{name}`]({host.docs}/vocabulary#{name})" for name in rule.places()]
    links = [f"Applies to: {', '.join(anchors)}"] if anchors else []
    if not rule.about:
        links.append(f"[Try the faulty example]({host.home}?example={rule.number}#BOX)")
    return page(rule.markdown(), bullets(links))
