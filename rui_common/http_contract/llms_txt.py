"""The body of ``GET /llms.txt``: where an agent begins, after the grammar of llmstxt.org.

A title, a summary, words without headings, then lists of links. The words hold the instructions and the whole
vocabulary in short, so that an agent that reads nothing else can write a valid RUI.
"""

from __future__ import annotations

import json

from rui_common.describe.examples import full_example, minimal_example, varied_examples
from rui_common.describe.markdown import block, bullets, page
from rui_common.describe.vocabulary_json import planned_features
from rui_common.http_contract.docs_json import CONVENTIONS, workflow
from rui_common.http_contract.endpoints import COMPACT, ENDPOINTS
from rui_common.http_contract.schema_slices import NOTATION, forms, names
from rui_common.vocabulary.queries import signature
from rui_common.vocabulary.rui_0_1 import VOCABULARY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from rui_common.vocabulary.schema import Vocabulary

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
        f"The vocabulary in short. {NOTATION[:-1]}:",
        block("\n".join(signature(shape) for shape in vocabulary.shapes.values()), "text"),
        bullets([*forms(vocabulary), *_names(vocabulary)]),
        "The smallest valid RUI:",
        block(_compact(minimal_example(vocabulary))),
        "One with everything in it:",
        block(_compact(full_example(vocabulary))),
        "And one from another trade; write your own words and paths:",
        block(_compact(next(iter(varied_examples(vocabulary).values())))),
        "## Start here",
        bullets(_links(base_url, optional=False)),
        "## Optional",
        bullets(_links(base_url, optional=True)),
    )


def _compact(value: dict[str, object]) -> str:
    return json.dumps(value, ensure_ascii=False)


def _request(step: dict[str, object]) -> str:
    return f" {step['request']}" if "request" in step else ""


def _names(vocabulary: Vocabulary) -> Iterator[str]:
    yield from names(vocabulary)
    listed = [f"{feature} {', '.join(planned)}" for feature, planned in planned_features(vocabulary).items() if planned]
    if listed:
        yield f"Not yet: {'; '.join(listed)} are planned for a later version and refused until then."


def _links(base_url: str, *, optional: bool) -> Iterator[str]:
    for route in ENDPOINTS:
        if route.path in LINKED and (route.path in OPTIONAL) is optional:
            yield f"[{LINKED[route.path]}]({base_url}{route.path}): {route.summary}"
            parameters = {parameter.name: parameter.words for parameter in route.query}
            if "form" in parameters:
                compact = f"{base_url}{route.path}?form={COMPACT}"
                yield f"[{LINKED[route.path]}, in short]({compact}): the same in few words, for a model's context."
                yield f"[One shape]({base_url}{route.path}?type={_a_shape()}): {parameters['type']}"


def _a_shape() -> str:
    """The name of a shape that holds others, to show what is asked for."""
    return max(VOCABULARY.nodes, key=lambda name: len(VOCABULARY.nodes[name].props))
