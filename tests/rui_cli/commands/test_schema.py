"""`rui schema`: the vocabulary and its JSON Schema."""

from __future__ import annotations

import json

import pytest

from rui_common.describe import json_schema, vocabulary_payload
from rui_common.describe.structured_schema import structured_schema
from tests.rui_cli.running import rui


@pytest.mark.parametrize(
    ("options", "expected"),
    [((), vocabulary_payload()), (("--json-schema",), json_schema()), (("--structured",), structured_schema())],
)
def test_the_vocabulary_is_printed(options: tuple[str, ...], expected: object) -> None:
    assert json.loads(rui("schema", *options).out) == json.loads(json.dumps(expected))
