"""`GET /api/docs` as Markdown."""

from __future__ import annotations

from collections.abc import Iterator

from rui_common.describe.examples import minimal_example
from rui_common.describe.markdown import bullets, code, code_list, json_block, page, snippet, table
from rui_common.describe.vocabulary_json import DOCS_VERSION, limits_payload, required_lists
from rui_common.http_contract.docs_json import CONVENTIONS, RETRY_TARGET, numbered_steps
from rui_common.http_contract.endpoints import (
    ANY_ENDPOINT,
    ENDPOINTS,
    ERROR_PAGES,
    JSON,
    Endpoint,
    Parameter,
    ResponseSpec,
)
from rui_common.http_contract.example_bodies import error_items, request_examples, response_examples
from rui_common.vocabulary.queries import rules_of_code
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_common.vocabulary.rules import MESSAGES, RULES
from rui_common.vocabulary.schema import Vocabulary


def docs_markdown(base_url: str, vocabulary: Vocabulary = VOCABULARY) -> str:
    """The documentation of the service as Markdown.

    Args:
        base_url: the address of the service, without a slash at its end.
    """
    examples = _Examples(base_url, vocabulary)
    return page(
        "# RUI validation and storage service",
        f"Docs {DOCS_VERSION}, vocabulary {vocabulary.version}, at {base_url}.",
        "## Workflow",
        numbered_steps(base_url, "`{}`"),
        "## Conventions",
        bullets([*CONVENTIONS, vocabulary.advice]),
        "## Endpoints",
        table(["Endpoint", "Purpose"], [[code(_name(endpoint)), endpoint.summary] for endpoint in ENDPOINTS]),
        "A RUI as the body of `POST /api/validate` and `POST /api/specs`:",
        json_block(minimal_example(vocabulary)),
        *(part for endpoint in ENDPOINTS for part in _endpoint(endpoint, examples)),
        "### Any address",
        *(_response(response, examples) for response in ANY_ENDPOINT),
        bullets(_summary(response) for response in ERROR_PAGES),
        "## Errors",
        "Every hint begins with the text given here and continues with the fix for the particular error. The examples "
        "are values in the document above, at the given path. Without a path, an example is the whole text.",
        *(_error(error_code, vocabulary) for error_code in MESSAGES),
        "## Limits",
        table(["Limit", "Value"], _limits(vocabulary)),
    )


class _Examples:
    """Shows every example body once."""

    def __init__(self, base_url: str, vocabulary: Vocabulary) -> None:
        self._bodies = response_examples(base_url, vocabulary)
        self._requests = request_examples(vocabulary)
        self._shown: set[str] = set()

    def show(self, name: str) -> str:
        """The example of a name, or a reference to it if it was shown before; ``""`` for no name."""
        if not name:
            return ""
        if name in self._shown:
            return "Example: as above."
        self._shown.add(name)
        body = json_block(self._bodies[name])
        if name not in self._requests or self._bodies[name].get("valid", True):
            return body
        return page("To this body:", snippet(self._requests[name]), "the response is:", body)


def _name(endpoint: Endpoint) -> str:
    return f"{endpoint.method} {endpoint.path}"


def _endpoint(endpoint: Endpoint, examples: _Examples) -> Iterator[str]:
    yield f"### {_name(endpoint)}"
    yield endpoint.summary
    yield endpoint.request
    yield bullets(f"`?{parameter.name}=` {_parameter(parameter)}" for parameter in endpoint.query)
    yield bullets(f"`{parameter.name}`: {_parameter(parameter)}" for parameter in endpoint.fields)
    with_body = [response for response in endpoint.responses if response.media_type == JSON or response.example]
    yield from (_response(response, examples) for response in with_body)
    yield bullets(_summary(response) for response in endpoint.responses if response not in with_body)


def _parameter(parameter: Parameter) -> str:
    parts = [parameter.description]
    if parameter.values:
        parts.append(f"One of {code_list(parameter.values)}.")
    if parameter.required:
        parts.append("Required.")
    return " ".join(parts)


def _summary(response: ResponseSpec) -> str:
    media_type = f" ({response.media_type})" if response.media_type else ""
    return f"**{response.status}**{media_type}: {response.when}"


def _response(response: ResponseSpec, examples: _Examples) -> str:
    body = code(response.shape) if response.shape.startswith("{") else response.shape
    return page(_summary(response), f"Body: {body}", examples.show(response.example))


def _error(error_code: str, vocabulary: Vocabulary) -> str:
    message, hint = MESSAGES[error_code]
    parts = [f"### {error_code}", bullets([f"Message: {code(message)}", f"Hint: {hint}"])]
    for number in rules_of_code(error_code):
        rule = RULES[number]
        where = f"At {code(rule.at)}, wrong:" if rule.at else "Wrong:"
        parts += [f"**{number}** {rule.condition} {where}", snippet(rule.wrong)]
        details = error_items(rule, vocabulary)[0]["hint"].removeprefix(hint).strip()
        if details:
            parts.append(f"The hint continues: {details}")
        parts += ["Right:", snippet(rule.right)]
    return page(*parts)


def _limits(vocabulary: Vocabulary) -> list[list[str]]:
    limits = limits_payload(vocabulary)
    return [
        ["Request body", f"{limits['maxBodyBytes']} bytes"],
        ["Depth of nesting", f"{limits['maxDepth']} levels"],
        ["Items of `errors[]`", f"{limits['maxErrors']}"],
        ["Length of a node id", f"{limits['minIdLength']} to {limits['maxIdLength']} characters"],
        [f"Elements of {code_list(required_lists(vocabulary))}", "at least 1"],
        ["Rounds of validation", f"{RETRY_TARGET}, a guideline"],
    ]
