"""`rui schema`: the vocabulary and its JSON Schema."""

from __future__ import annotations

import json

from rui_common.describe import json_schema, vocabulary_payload
from tests.rui_cli.running import rui


def test_the_vocabulary_is_printed() -> None:
    assert json.loads(rui("schema").out) == json.loads(json.dumps(vocabulary_payload()))
    assert json.loads(
        rui(
            "schema",
            "--json-schema",
        ).out
    ) == json.loads(json.dumps(json_schema()))
