"""The body of ``GET /llms.txt``: where an agent begins, after the grammar of llmstxt.org.

A title, a summary, words without headings, then lists of links. The words hold the instructions and the whole
vocabulary in short, so that an agent that reads nothing else can write a valid RUI.
"""

from __future__ import annotations

import json

from rui_common.catalog import RULES
from rui_common.declarations import Text
from rui_common.describe.contracts import ROUTES
from rui_common.describe.docs_payload import CONVENTIONS, workflow
from rui_common.describe.examples import full_example, minimal_example
from rui_common.describe.facts import signature
from rui_common.describe.markdown import block, bullets, page
from rui_common.vocabulary import VOCABULARY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from rui_common.declarations import Vocabulary

LINKED = {
    "/api/schema": "Vocabulary",
    "/api/docs": "Documentation",
    "/api/openapi.json": "OpenAPI",
    "/api/health": "Health",
    "/api/ready": "Readiness",
}
OPTIONAL = ("/api/openapi.json", "/api/health", "/api/ready")
"""What a reader in a hurry may leave out: a section of this name has that meaning in the grammar."""


def llms_txt(base_url: str, vocabulary: Vocabulary = VOCABULARY) -> str:
    """The index for agents.

    Args:
        base_url: the address of the service, without a slash at its end.
        vocabulary: what is described.
    """
    steps = [f"{step['step']}. {step['does']}{_request(step)}" for step in workflow(base_url)]
    return page(
        f"# RUI {vocabulary.version}",
        "> A service that validates, normalizes and stores RUIs. A RUI is a JSON document that describes an app as "
        "screens, blocks and data bindings: a structured specification, not UI code.",
        "How to work with it:",
        "\n".join(steps),
        "What to know before the first request:",
        bullets(CONVENTIONS),
        "The vocabulary in short. `*` marks what is required; every array has at least one element; a shape takes no "
        "other properties unless it ends in `anything else`:",
        block("\n".join(signature(shape) for shape in vocabulary.shapes.values()), "text"),
        bullets([*_forms(vocabulary), *_names(vocabulary)]),
        "The smallest valid RUI:",
        block(_compact(minimal_example(vocabulary))),
        "One with everything in it; write your own words and paths:",
        block(_compact(full_example(vocabulary))),
        "## Start here",
        bullets(_links(base_url, optional=False)),
        "## Optional",
        bullets(_links(base_url, optional=True)),
    )


def _compact(value: dict[str, object]) -> str:
    return json.dumps(value, ensure_ascii=False)


def _request(step: dict[str, object]) -> str:
    return f" {step['request']}" if "request" in step else ""


def _forms(vocabulary: Vocabulary) -> Iterator[str]:
    """What strings of a form look like; a property that stands in many shapes is described once."""
    described: dict[str, str] = {}
    for shape in vocabulary.shapes.values():
        for prop in shape.props.values():
            if isinstance(prop.kind, Text) and prop.kind.form:
                described.setdefault(f"`{prop.name}`: {prop.kind.form}.", prop.doc)
    return (f"{form} {doc}" for form, doc in described.items())


def _names(vocabulary: Vocabulary) -> Iterator[str]:
    for symbol in vocabulary.symbols:
        broken = [RULES[number] for number in (symbol.duplicate, symbol.dangling, symbol.unused) if number]
        faults = " ".join(f"{rule.code}: {rule.condition}" for rule in broken)
        yield f"{symbol.name}: {symbol.doc} {faults}"
    planned = [*vocabulary.planned]
    if planned:
        yield f"Not yet: {', '.join(planned)} are planned for a later version and refused until then."


def _links(base_url: str, *, optional: bool) -> Iterator[str]:
    for route in ROUTES:
        if route.path in LINKED and (route.path in OPTIONAL) is optional:
            yield f"[{LINKED[route.path]}]({base_url}{route.path}): {route.summary}"
