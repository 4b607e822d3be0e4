"""The documentation pages: complete, without dead anchors, and true, because the validator gets their examples."""

import html
import json
import re
from pathlib import Path

import pytest

from rui_api.contract.api_page import api_markdown
from rui_api.contract.docs_json import docs_payload
from rui_common.describe import full_example, minimal_example
from rui_common.describe.rule_pages import pages_of
from rui_common.problems.lints import WARNINGS
from rui_common.syntax.document import read
from rui_common.validation.analysis import Analysis
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_common.vocabulary.rules import RULES
from rui_inspector.html.markdown import hover_html, page_html
from rui_inspector.html.pages import PageHost
from rui_inspector.html.reference_pages import api_page, overview_page, rules_page, vocabulary_page
from tests.rui_inspector.pages import HOSTILE, check
from tests.rui_openapi.shop import api_of, metric, reported, table
from tests.support.small import BLOCK_TYPES, DOCUMENT

HOST = PageHost("/inspector.css", "/inspector.js", "/inspector.svg", "/", docs="/docs")
PAYLOAD = docs_payload("http://127.0.0.1:8000")


def samples(page: str) -> list[str]:
    """Return the texts of the JSON examples of a page."""
    found = re.findall(r'<pre class="json[^>]*><code>(.*?)</code></pre>', page, re.DOTALL)
    return [html.unescape(re.sub("<[^>]+>", "", text)) for text in found]


@pytest.mark.parametrize("name", [*RULES, *WARNINGS])
def test_a_page_shows_the_rule_and_its_examples(name: str) -> None:
    [rule] = [page for page in pages_of(name) if page.number == name]
    page = check(rules_page(HOST, name))
    for text in (rule.why, rule.condition, rule.about, rule.message, rule.hint):
        assert text.replace("`", "") in page.text
    assert ("/?example=" in page.html) == (name in RULES)
    shown = ["".join(text.split()) for text in samples(page.html)]
    assert shown == ["".join(text.split()) for text in (rule.wrong, rule.right) if text]


@pytest.mark.parametrize(
    "name", [name for name, warning in WARNINGS.items() if warning.wrong and not warning.needs_api]
)
def test_the_examples_of_a_warning_are_true(name: str) -> None:
    """tests/rui_common/vocabulary checks those of a rule."""
    wrong, right = (
        [diagnostic.code for diagnostic in Analysis(read(in_document(text))).diagnostics]
        for text in (WARNINGS[name].wrong, WARNINGS[name].right)
    )
    assert name in wrong and name not in right


def in_document(text: str) -> str:
    """Return the text of an example in a document: that of a block, or of a part of a table. Any other is the root."""
    example = json.loads(text)
    names = example.keys()
    binding = {"type": "read", "method": "GET", "path": "/orders"}
    column: dict[str, object] = {"key": "status"}
    filter_: dict[str, object] = {"field": "status"}
    if example.get("type") in BLOCK_TYPES:
        return DOCUMENT.replace("BLOCK", text)
    if "path" in names:
        binding |= example
    elif "key" in names:
        column, filter_ = example, {"field": example["key"]}
    elif "options" in names:
        filter_ |= example
    elif not names.isdisjoint(("value", "label")):
        filter_["options"] = [example]
    else:
        return text
    block = {"id": "orders", "type": "Table", "binding": binding, "columns": [column], "filter": filter_}
    return DOCUMENT.replace("BLOCK", json.dumps(block))


ROWS = """
openapi: 3.1.0
info: {title: Orders, version: "1"}
paths: {/orders: {get: {responses: {200: {content: {application/json: {schema: {type: object, properties: {
  total: {type: integer},
  items: {type: array, items: {type: object, properties: {
    customer: {type: string}, status: {type: string, enum: [open]}}}}}}}}}}}}}
"""


def with_example(name: str, example: dict[str, object]) -> str:
    """Return a document with the example of a warning that needs an OpenAPI description."""
    if name == "NOT_SCALAR":
        return metric(example["path"], example["valuePath"])
    if "path" in example:
        return table(example["path"], example.get("valuePath"), "customer")
    if "value" in example:
        return table("/orders", "items", "status", filter={"field": "status", "options": [example]})
    return table("/orders", "items", example)


@pytest.mark.parametrize("name", [name for name, warning in WARNINGS.items() if warning.needs_api])
def test_the_examples_of_a_warning_about_an_api_are_true(name: str, tmp_path: Path) -> None:
    api = api_of(ROWS, tmp_path)
    codes = {
        text: [line.partition(" ")[0] for line in reported(with_example(name, json.loads(text)), api)]
        for text in (WARNINGS[name].wrong, WARNINGS[name].right)
    }
    assert name in codes[WARNINGS[name].wrong]
    assert name not in codes[WARNINGS[name].right]


def test_the_page_of_the_vocabulary_is_complete_and_true() -> None:
    page = check(vocabulary_page(HOST))
    shapes = VOCABULARY.shapes.values()
    anchors = {shape.name for shape in shapes}
    anchors |= {f"{shape.name}.{name}" for shape in shapes for name in (*shape.props, *shape.suggested)}
    assert anchors <= set(page.ids)
    assert [json.loads(text) for text in samples(page.html)][-2:] == [minimal_example(), full_example()]
    for shape in VOCABULARY.shapes.values():
        assert shape.doc.replace("`", "") in page.text
        for prop in (*shape.props.values(), *shape.suggested.values()):
            assert prop.doc.replace("`", "") in page.text


def test_the_page_of_the_api_shows_what_the_json_contains() -> None:
    page = check(api_page(api_markdown(PAYLOAD), HOST))
    shown = [json.loads(text) for text in samples(page.html) if not text.endswith(",}")]
    for endpoint in PAYLOAD["endpoints"]:
        assert f"{endpoint['method']} {endpoint['path']}" in " ".join(page.text.split())
        assert endpoint["summary"].replace("`", "") in page.text
        for answer in endpoint["answers"]:
            assert answer["when"].replace("`", "") in page.text
            assert "example" not in answer or answer["example"] in shown


def test_the_overview_shows_the_smallest_document_and_its_wireframe() -> None:
    page = check(overview_page(PAYLOAD["workflow"], HOST))
    assert [json.loads(text) for text in samples(page.html)] == [minimal_example()]
    assert 'class="screen' in page.html
    for step in PAYLOAD["workflow"]:
        assert step["does"].replace("`", "") in page.text


BLOCKS = ("a\n\n| `b` |\n|---|\n| `c` |", "a\n\n```x y\n<b>", "a\n\n# `b`\n\n    <i>", "a\n=\n\n> - 1. b")


@pytest.mark.parametrize("text", [*BLOCKS, *(text for text in HOSTILE if text.strip())])
def test_words_of_a_document_are_text(text: str) -> None:
    """In a hover text, which has labels of the document, as in a page."""
    check(hover_html(f"Text `note`: {text}"))
    check(page_html(f"# Title\n\n{text}\n\n```json\n{text}\n```", {}).body)


@pytest.mark.parametrize(("markdown", "html"), [
    ("[R7](docs/rules/R7)", '<a href="docs/rules/R7">R7</a>'),
    ("[x](https://example.org)", "[x](https://example.org)"), ("[x](//example.org)", "[x](//example.org)"),
    ("[x](javascript:alert(1))", "[x](javascript:alert(1))"), ("<https://example.org>", "&lt;https://example.org&gt;"),
    ("<b>x</b>", "&lt;b&gt;x&lt;/b&gt;"),
    ("![x](/a.png)", '!<a href="/a.png">x</a>'),
])  # fmt: skip
def test_markdown_loads_nothing_and_leads_nowhere_else(markdown: str, html: str) -> None:
    assert hover_html(markdown) == f"<p>{html}</p>\n"
