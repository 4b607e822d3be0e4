"""The body of ``GET /llms.txt``, the entry point for agents, in the format of llmstxt.org.

The format has a title, a summary, text without headings, and lists of links. The text contains the instructions and
the vocabulary in short form, so that an agent can write a valid RUI without reading further.
"""

import json
from collections.abc import Iterator, Mapping

from rui_api.contract.docs_json import CONVENTIONS, workflow
from rui_api.contract.endpoints import COMPACT, ENDPOINTS, STRUCTURED
from rui_common.describe.examples import full_example, minimal_example
from rui_common.describe.markdown import block, bullets, page
from rui_common.describe.vocabulary_json import planned_features
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_common.vocabulary.schema import Vocabulary
from rui_common.vocabulary.signatures import legend, signatures

REQUIRED = {"/api/schema": "Vocabulary", "/api/docs": "Documentation"}
OPTIONAL = {"/api/openapi.json": "OpenAPI", "/api/health": "Health", "/api/ready": "Readiness"}
"""Titles of the links of the section "Optional", which readers may skip according to the format."""


def llms_txt(base_url: str, vocabulary: Vocabulary = VOCABULARY) -> str:
    """Return the index for agents.

    Args:
        base_url: the address of the service, without a slash at its end.
    """
    return page(
        f"# RUI {vocabulary.version}",
        "> A service that validates, normalizes and stores RUIs. A RUI is a JSON document that describes an app as "
        "screens, blocks and data bindings: a structured specification, not UI code.",
        "Workflow:",
        "\n".join(f"{step['step']}. {step['does']} {step.get('request', '')}".rstrip() for step in workflow(base_url)),
        "Conventions:",
        bullets(CONVENTIONS),
        f"The vocabulary in short. {legend(vocabulary)}",
        block("\n".join(signatures(vocabulary)), "text"),
        bullets(_planned(vocabulary)),
        "The smallest valid RUI:",
        _json_block(minimal_example(vocabulary)),
        "One with every shape and property; write your own words and paths:",
        _json_block(full_example(vocabulary)),
        "## Start here",
        bullets(_links(base_url, REQUIRED)),
        "## Optional",
        bullets(_links(base_url, OPTIONAL)),
    )


def _json_block(value: dict[str, object]) -> str:
    return block(json.dumps(value, ensure_ascii=False))


def _planned(vocabulary: Vocabulary) -> list[str]:
    planned = {feature: ", ".join(names) for feature, names in planned_features(vocabulary).items() if names}
    listed = "; ".join(f"{feature} {names}" for feature, names in planned.items())
    if not listed:
        return []
    return [f"Not yet: {listed} are planned for a later version and refused until then."]


def _links(base_url: str, titles: Mapping[str, str]) -> Iterator[str]:
    for endpoint in ENDPOINTS:
        if endpoint.path not in titles:
            continue
        title = titles[endpoint.path]
        url = f"{base_url}{endpoint.path}"
        yield f"[{title}]({url}): {endpoint.summary}"
        if any(parameter.name == "form" for parameter in endpoint.query):
            yield f"[{title}, in short]({url}?form={COMPACT}): a short form for a model's context."
            yield f"[{title}, as JSON Schema]({url}?form={STRUCTURED}): for the structured output of language models."
