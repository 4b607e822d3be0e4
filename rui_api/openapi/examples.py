"""Generated examples of the OpenAPI document: valid documents, and for every rule an invalid one with its response."""

from __future__ import annotations

import json
from functools import cache

from rui_common.describe.examples import broken_example, full_example, minimal_example
from rui_common.validation.validator import validate
from rui_common.validation.wording import error_items
from rui_common.vocabulary.rui_0_1 import VERSION
from rui_common.vocabulary.rules import RULES

Json = dict[str, object]


@cache
def example_components() -> dict[str, Json]:
    """Return all examples by name."""
    examples = {
        "minimal": _example("The smallest valid RUI.", minimal_example()),
        "full": _example("A valid RUI with everything in it.", full_example()),
    }
    for number, document in _invalid_documents().items():
        summary = f"{number}: {RULES[number].condition}"
        examples[f"breaks{number}"] = _example(summary, document)
        examples[f"failure{number}"] = _example(summary, _response_to(document))
    return examples


def request_examples() -> dict[str, Json]:
    """Return references to the examples of requests."""
    return _references(["minimal", "full", *(f"breaks{number}" for number in _invalid_documents())])


def invalid_examples() -> dict[str, Json]:
    """Return references to the examples of responses to invalid documents."""
    return _references([f"failure{number}" for number in _invalid_documents()])


@cache
def _invalid_documents() -> dict[str, Json]:
    """Return a document for every rule that an object can break, by the number of the rule."""
    documents = {number: json.loads(broken_example(rule)) for number, rule in RULES.items() if number != "R0"}
    return {number: document for number, document in documents.items() if isinstance(document, dict)}


def _response_to(document: Json) -> Json:
    errors = error_items(validate(document))
    return {
        "valid": False,
        "validationVersion": VERSION,
        "registryVersion": VERSION,
        "errors": errors,
        "truncated": False,
    }


def _example(summary: str, value: object) -> Json:
    return {"summary": summary, "value": value}


def _references(names: list[str]) -> dict[str, Json]:
    return {name: {"$ref": f"#/components/examples/{name}"} for name in names}
