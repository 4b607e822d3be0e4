"""The answers in the section of editors/README.md for coding agents are those of the server."""

import json
import re
from itertools import pairwise
from pathlib import Path
from typing import Any

from tests.rui_lsp.conversation import REFRESHES, Conversation

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"


def documented() -> list[Any]:
    """Return the messages in their order: requests, and the parts of their answers that matter."""
    text = (ROOT / "editors" / "README.md").read_text(encoding="utf-8").partition("## Coding agents")[2]
    folder = EXAMPLES.as_uri()
    return [
        json.loads(block.replace("file:///…/examples", folder))
        for block in re.findall(r"```json\n(.*?)```", text, re.S)
    ]


def is_part(part: Any, whole: Any) -> bool:
    """Return whether all properties of a value have the same values in another one."""
    return all(whole.get(name) == value for name, value in part.items())


def test_the_answers_are_those_of_the_server() -> None:
    client = Conversation(REFRESHES, rootUri=EXAMPLES.as_uri())
    draft = EXAMPLES / "first-draft.rui.json"
    client.open(draft.read_text(encoding="utf-8"), uri=draft.as_uri())
    exchanges = [(asked, answer) for asked, answer in pairwise(documented()) if "method" in asked]
    assert len(exchanges) == 3
    for asked, answer in exchanges:
        result: Any = client.request(asked["method"], asked["params"])
        found = result["items"] if isinstance(result, dict) else result
        if isinstance(answer, list):
            assert found == answer
        else:
            assert is_part(answer, found[0])
