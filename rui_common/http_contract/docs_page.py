"""`GET /api/docs` as Markdown: the JSON of `rui_common.http_contract.docs_json` as a page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from rui_common.describe.markdown import bullets, code, code_list, json_block, page, snippet, table
from rui_common.http_contract.docs_json import docs_payload, numbered_steps
from rui_common.http_contract.endpoints import JSON
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_common.vocabulary.schema import Vocabulary

Json = dict[str, Any]


def docs_markdown(base_url: str, vocabulary: Vocabulary = VOCABULARY) -> str:
    """The documentation of the service as Markdown.

    Args:
        base_url: the address of the service, without a slash at its end.
    """
    docs: Json = docs_payload(base_url, vocabulary)
    shown: list[Json] = []
    return page(
        "# RUI validation and storage service",
        f"Docs {docs['docsVersion']}, vocabulary {vocabulary.version}, at {base_url}.",
        "## Workflow",
        numbered_steps(base_url, "`{}`"),
        "## Conventions",
        bullets(docs["conventions"]),
        "## Endpoints",
        table(["Endpoint", "Purpose"], [[code(_name(entry)), entry["summary"]] for entry in docs["endpoints"]]),
        "A RUI as the body of `POST /api/validate` and `POST /api/specs`:",
        json_block(docs["endpoints"][0]["requestExample"]),
        *(part for entry in docs["endpoints"] for part in _endpoint(entry, shown)),
        "### Any address",
        *_answers(docs["anyEndpoint"], shown),
        "## Errors",
        "Every hint begins with the text given here and continues with the fix for the particular error. The examples "
        "are values in the document above, at the given path. Without a path, an example is the whole text.",
        *(_error(entry) for entry in docs["errors"]),
        "## Limits",
        table(["Limit", "Value"], _limits(docs["limits"])),
    )


def _name(endpoint: Json) -> str:
    return f"{endpoint['method']} {endpoint['path']}"


def _endpoint(endpoint: Json, shown: list[Json]) -> Iterator[str]:
    yield f"### {_name(endpoint)}"
    yield endpoint["summary"]
    yield endpoint.get("request", "")
    yield bullets(f"`?{name}=` {_parameter(value)}" for name, value in endpoint.get("query", {}).items())
    yield bullets(f"`{name}`: {_parameter(value)}" for name, value in endpoint.get("form", {}).items())
    yield from _answers(endpoint["answers"], shown)


def _parameter(parameter: Json) -> str:
    parts = [parameter["description"]]
    if "values" in parameter:
        parts.append(f"One of {code_list(parameter['values'])}.")
    if parameter["required"]:
        parts.append("Required.")
    return " ".join(parts)


def _answers(answers: Iterable[Json], shown: list[Json]) -> Iterator[str]:
    """Yield the JSON responses with their examples, each of which is shown once; then a list of the others."""
    others = []
    for answer in answers:
        media_type = f" ({answer['mediaType']})" if "mediaType" in answer else ""
        summary = f"**{answer['status']}**{media_type}: {answer['when']}"
        if answer.get("mediaType") == JSON:
            body = code(answer["body"]) if answer["body"].startswith("{") else answer["body"]
            yield page(summary, f"Body: {body}", _example(answer, shown))
        else:
            others.append(summary)
    yield bullets(others)


def _example(answer: Json, shown: list[Json]) -> str:
    example = answer.get("example")
    if example is None:
        return ""
    if example in shown:
        return "Example: as above."
    shown.append(example)
    if "toBody" not in answer or example.get("valid", True):
        return json_block(example)
    return page("To this body:", snippet(answer["toBody"]), "the response is:", json_block(example))


def _error(entry: Json) -> str:
    parts = [f"### {entry['code']}", bullets([f"Message: {code(entry['message'])}", f"Hint: {entry['hint']}"])]
    for rule in entry["rules"]:
        where = f"At {code(rule['at'])}, wrong:" if rule["at"] else "Wrong:"
        parts += [f"**{rule['rule']}** {rule['condition']} {where}", snippet(rule["wrong"])]
        details = rule["answered"][0]["hint"].removeprefix(entry["hint"]).strip()
        if details:
            parts.append(f"The hint continues: {details}")
        parts += ["Right:", snippet(rule["right"])]
    return page(*parts)


def _limits(limits: Json) -> list[list[str]]:
    return [
        ["Request body", f"{limits['maxBodyBytes']} bytes"],
        ["Depth of nesting", f"{limits['maxDepth']} levels"],
        ["Items of `errors[]`", f"{limits['maxErrors']}"],
        ["Length of a node id", f"{limits['minIdLength']} to {limits['maxIdLength']} characters"],
        [f"Elements of {code_list(limits['minItems'])}", "at least 1"],
        ["Rounds of validation", f"{limits['retryTarget']}, a guideline"],
    ]
