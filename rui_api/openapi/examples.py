"""Examples in the OpenAPI document: of every rule a document that breaks it, and what the validator says to that.

None is written by hand: the documents are those that the tests hold every surface to.
"""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING

from rui_common.describe.examples import broken_example, full_example, minimal_example
from rui_common.validation.run import validate
from rui_common.vocabulary.rui_0_1 import VERSION
from rui_common.vocabulary.rules import RULES

if TYPE_CHECKING:
    Json = dict[str, object]

SOUND = "minimal", "full"


@cache
def example_components() -> dict[str, Json]:
    """All of them, by the names that `requests` and `failures` refer to."""
    sound = {
        "minimal": _example("The smallest valid RUI.", minimal_example()),
        "full": _example("A valid RUI with everything in it.", full_example()),
    }
    return sound | {
        name: example
        for number, document in _broken().items()
        for name, example in {
            f"breaks{number}": _example(f"{number}: {RULES[number].condition}", document),
            f"failure{number}": _example(f"{number}: {RULES[number].condition}", _failure(document)),
        }.items()
    }


def requests() -> dict[str, Json]:
    """What can be sent to be validated or stored."""
    return _references([*SOUND, *(f"breaks{number}" for number in _broken())])


def failures() -> dict[str, Json]:
    """What is answered to a RUI that breaks a rule."""
    return _references([f"failure{number}" for number in _broken()])


@cache
def _broken() -> dict[str, Json]:
    """A document for every rule that an object can break, by its number."""
    documents = {number: json.loads(broken_example(rule)) for number, rule in RULES.items() if number != "R0"}
    return {number: document for number, document in documents.items() if isinstance(document, dict)}


def _failure(document: Json) -> Json:
    errors = [finding.to_item() for finding in validate(document)]
    return {
        "valid": False, "validationVersion": VERSION, "registryVersion": VERSION, "errors": errors, "truncated": False,
    }  # fmt: skip


def _example(summary: str, value: object) -> Json:
    return {"summary": summary, "value": value}


def _references(names: list[str]) -> dict[str, Json]:
    return {name: {"$ref": f"#/components/examples/{name}"} for name in names}
