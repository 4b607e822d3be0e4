"""Formatting of documents."""

import json
import re
from typing import Any

import pytest

from rui_common.editing.formatter import format_document
from rui_common.syntax.document import read
from rui_lsp.protocol.errors import RequestFailedError
from tests.rui_lsp.conversation import Conversation
from tests.rui_lsp.marked import EXAMPLES, URI, opened

OPTIONS = {"tabSize": 2, "insertSpaces": True}

FORMAT = "textDocument/formatting"


@pytest.mark.parametrize("options", [{"tabSize": 4, "insertSpaces": False, "insertFinalNewline": False}, OPTIONS])
def test_options_count_for_nothing(options: dict[str, Any]) -> None:
    """A document has one layout (docs/decisions.md, section 8)."""
    at = opened(LAYOUTS["on one line"])
    edits = at.request(FORMAT, options=options)
    assert at.with_edits(edits) == LAYOUTS["as it should be"]


def check(text: str, expected: str) -> list[dict[str, Any]]:
    """Format a text; return the edits."""
    at = opened(text)
    edits = at.request(FORMAT, options=OPTIONS)
    assert at.with_edits(edits) == expected
    return edits


LAYOUTS = {
    "as it should be": '{\n  "version": "0.1",\n  "meta": {}\n}\n',
    "on one line": '{"version":"0.1","meta":{}}',
    "in another order": '{\n  "meta": {},\n  "version": "0.1"\n}\n',
    "with other blanks": '{ "version" :\t"0.1"\n\n,"meta":{ } }\n\n',
}


@pytest.mark.parametrize("text", LAYOUTS.values(), ids=LAYOUTS)
def test_a_document(text: str) -> None:
    check(text, LAYOUTS["as it should be"])


@pytest.mark.parametrize("line_end", ["\n", "\r\n"], ids=["lf", "crlf"])
def test_line_endings_stay(line_end: str) -> None:
    check('{"meta":{},\n"version":"0.1"}'.replace("\n", line_end),
          LAYOUTS["as it should be"].replace("\n", line_end))  # fmt: skip


LEFT_ALONE = {
    "": "Line 1: ",
    "{": "Line 1: ",
    '{\n"a": 1,}': "Line 2: ",
    "[]": "Line 1: The root is not an object.",
    "7": "Line 1: ",
    '{"a": 1,\n"a": 2}': 'Line 1: The property "a" occurs twice',
    '{"a": 1}\n// x': "Line 2: ",
}


@pytest.mark.parametrize(("text", "reason"), LEFT_ALONE.items())
def test_what_is_broken_is_left_alone_for_a_reason(text: str, reason: str) -> None:
    with pytest.raises(RequestFailedError, match=re.escape(f"Not formatted. {reason}")):
        check(text, "")


@pytest.mark.parametrize("file", EXAMPLES, ids=lambda file: file.name)
def test_the_examples_in_every_layout(file: Any) -> None:
    value = json.loads(file.read_text())
    for text in (json.dumps(value), json.dumps(value, indent=4), json.dumps(value, indent="\t", sort_keys=True)):
        expected = format_document(read(text))
        check(text, expected)


def test_a_client_that_ignores_the_error_gets_a_message() -> None:
    conversation = Conversation(initialized=False)
    conversation.request("initialize", {"capabilities": {}, "clientInfo": {"name": "Neovim"}})
    conversation.open('{\n"version": 1,}', uri=URI)
    params = {"textDocument": {"uri": URI}, "options": OPTIONS}
    assert conversation.request(FORMAT, params) is None
    (shown,) = [message for message in conversation.sent if message.get("method") == "window/showMessage"]
    assert shown["params"]["message"].startswith("marked.rui.json: Not formatted. Line 2: ")
