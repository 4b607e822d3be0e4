"""`GET /api/docs` as Markdown: the payload again, for those who would rather read it."""

from __future__ import annotations

from rui_common.describe.examples import minimal_example
from rui_common.describe.markdown import bullets, code, json_block, or_none, page, snippet, table
from rui_common.describe.vocabulary_json import DOCS_VERSION, limits_payload
from rui_common.http_contract.docs_json import CONVENTIONS, RETRY_TARGET, workflow
from rui_common.http_contract.endpoints import ANY_ENDPOINT, ENDPOINTS, JSON
from rui_common.http_contract.example_bodies import answer_examples, items_of, request_examples
from rui_common.vocabulary.queries import rules_of_code
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_common.vocabulary.rules import MESSAGES, RULES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from rui_common.http_contract.endpoints import Endpoint, Parameter, ResponseSpec
    from rui_common.vocabulary.schema import Vocabulary

    Json = dict[str, object]


def docs_markdown(base_url: str, vocabulary: Vocabulary = VOCABULARY) -> str:
    """The documentation of the service as Markdown.

    Args:
        base_url: the address of the service, without a slash at its end.
        vocabulary: what the examples are made from.
    """
    examples = _Examples(answer_examples(base_url, vocabulary), request_examples(vocabulary))
    steps = [f"{step['step']}. {step['does']}{_request(step)}" for step in workflow(base_url)]
    return page(
        "# RUI validation and storage service",
        f"Docs {DOCS_VERSION}, vocabulary {vocabulary.version}, at {base_url}.",
        "## Workflow",
        "\n".join(steps),
        "## What holds everywhere",
        bullets(CONVENTIONS),
        "## Endpoints",
        table(["Endpoint", "What it is for"], [[code(_name(route)), route.summary] for route in ENDPOINTS]),
        "A RUI, such as `POST /api/validate` and `POST /api/specs` take it:",
        json_block(minimal_example(vocabulary)),
        *(part for route in ENDPOINTS for part in _endpoint(route, examples)),
        "### Any address",
        *(_answer(answer, examples) for answer in ANY_ENDPOINT),
        "## Errors",
        "Every hint begins with the words given here and goes on with what mends this very fault. The examples are "
        "values in the document above, at the path given; where none is given, they are the whole text.",
        *(_error(error_code, vocabulary) for error_code in MESSAGES),
        "## Limits",
        table(["Limit", "Value"], _limits(vocabulary)),
    )


class _Examples:
    """Shows every example body once."""

    def __init__(self, bodies: dict[str, Json], requests: dict[str, str]) -> None:
        self._bodies = bodies
        self._requests = requests
        self._shown: set[str] = set()

    def show(self, name: str) -> str:
        """The example called `name`, or that it was shown before; nothing for no name."""
        if not name:
            return ""
        if name in self._shown:
            return "Example: as above."
        self._shown.add(name)
        answer = json_block(self._bodies[name])
        if name not in self._requests or self._bodies[name].get("valid", True):
            return answer
        return page("To this body:", snippet(self._requests[name]), "the answer is:", answer)


def _request(step: Json) -> str:
    return f" {code(str(step['request']))}" if "request" in step else ""


def _name(route: Endpoint) -> str:
    return f"{route.method} {route.path}"


def _endpoint(route: Endpoint, examples: _Examples) -> Iterator[str]:
    yield f"### {_name(route)}"
    yield route.summary
    yield route.request
    yield bullets(f"`?{parameter.name}=` {_parameter(parameter)}" for parameter in route.query)
    yield bullets(f"`{parameter.name}`: {_parameter(parameter)}" for parameter in route.fields)
    told = [answer for answer in route.answers if answer.media_type == JSON or answer.example]
    yield from (_answer(answer, examples) for answer in told)
    yield bullets(_briefly(answer) for answer in route.answers if answer not in told)


def _parameter(parameter: Parameter) -> str:
    values = f" One of {or_none(parameter.values)}." if parameter.values else ""
    return f"{parameter.words}{values}{' Required.' if parameter.required else ''}"


def _briefly(answer: ResponseSpec) -> str:
    """An answer without a body that a program would read."""
    media_type = f" ({answer.media_type})" if answer.media_type else ""
    return f"**{answer.status}**{media_type}: {answer.when}"


def _answer(answer: ResponseSpec, examples: _Examples) -> str:
    body = code(answer.shape) if answer.shape.startswith("{") else answer.shape
    return page(_briefly(answer), f"Body: {body}", examples.show(answer.example))


def _error(error_code: str, vocabulary: Vocabulary) -> str:
    message, hint = MESSAGES[error_code]
    parts = [f"### {error_code}", bullets([f"Message: {code(message)}", f"Hint: {hint}"])]
    for number in rules_of_code(error_code):
        rule = RULES[number]
        place = f" At {code(rule.at)}, wrong:" if rule.at else " Wrong:"
        more = items_of(rule, vocabulary)[0]["hint"].removeprefix(hint).strip()
        parts += [f"**{number}** {rule.condition}{place}", snippet(rule.wrong)]
        parts += [f"The hint goes on: {more}"] if more else []
        parts += ["Right:", snippet(rule.right)]
    return page(*parts)


def _limits(vocabulary: Vocabulary) -> Iterator[list[str]]:
    limits = limits_payload(vocabulary)
    yield ["Request body", f"{limits['maxBodyBytes']} bytes"]
    yield ["Depth of nesting", f"{limits['maxDepth']} levels"]
    yield ["Items of `errors[]`", f"{limits['maxErrors']}"]
    yield ["Length of a node id", f"{limits['minIdLength']} to {limits['maxIdLength']} characters"]
    yield ["Every array of the vocabulary", "at least 1 element"]
    yield ["Rounds of validating", f"{RETRY_TARGET}, a guideline"]
