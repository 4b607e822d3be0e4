"""Formatting of documents. tests/rui_common/editing has the layout."""

import re

import pytest

from rui_lsp.protocol.errors import RequestFailedError
from tests.rui_lsp.conversation import Conversation
from tests.rui_lsp.marked import URI, opened

OPTIONS = {"tabSize": 2, "insertSpaces": True}
FORMAT = "textDocument/formatting"
NEAT = '{\n  "version": "0.1",\n  "meta": {}\n}\n'


@pytest.mark.parametrize("options", [{"tabSize": 4, "insertSpaces": False, "trimFinalNewlines": False}, OPTIONS])
@pytest.mark.parametrize("text", [NEAT, '{"meta":{},"version":"0.1"}', '{ "version" :\t"0.1"\n\n,"meta":{ } }\n\n'])
def test_a_document_has_one_layout(text, options):
    """Also with other options (docs/decisions.md, section 8)."""
    editor = opened(text)
    edits = editor.request(FORMAT, options=options)
    assert editor.with_edits(edits) == NEAT
    assert bool(edits) == (text != NEAT)


def test_line_endings_stay():
    editor = opened('{"meta":{},\r\n"version":"0.1"}')
    assert editor.with_edits(editor.request(FORMAT, options=OPTIONS)) == NEAT.replace("\n", "\r\n")


LEFT_ALONE = {
    "": "Line 1: ",
    '{\n"a": 1,}': "Line 2: ",
    "[]": "Line 1: The root is not an object",
    '{"a": 1,\n"a": 2}': 'Line 1: The property "a" occurs twice',
    '{"a": 1}\n// x': "Line 2: ",
    '{"a": True}': "Line 1: Unknown value True, did you mean true?",
}


@pytest.mark.parametrize(("text", "reason"), LEFT_ALONE.items())
def test_what_is_broken_is_left_alone_for_a_reason(text, reason):
    with pytest.raises(RequestFailedError, match=re.escape(f"Not formatted. {reason}")) as raised:
        opened(text).request(FORMAT, options=OPTIONS)
    assert "?." not in str(raised.value)


def test_a_client_that_ignores_the_error_gets_a_message():
    conversation = Conversation(clientInfo={"name": "Neovim"})
    conversation.open('{\n"version": 1,}', uri=URI)
    params = {"textDocument": {"uri": URI}, "options": OPTIONS}
    assert conversation.request(FORMAT, params) is None
    assert conversation.shown()[0].startswith("marked.rui.json: Not formatted. Line 2: ")


@pytest.mark.parametrize(("name", "option"), [("Neovim", None), ("Neovim", True), ("Emacs", False), (None, None)])
@pytest.mark.parametrize("ending", ["", "\n", "\n\n", "\r\n"])
@pytest.mark.parametrize("text", ['{"meta":{},"version":"0.1"}', NEAT.strip()], ids=["untidy", "neat"])
def test_a_final_line_end_is_inserted_unless_the_editor_does_so(text, ending, option, name):
    conversation = Conversation(clientInfo={"name": name} if name else None)
    conversation.open(text + ending, uri=URI)
    options = OPTIONS if option is None else OPTIONS | {"insertFinalNewline": option}
    edits = conversation.request(FORMAT, {"textDocument": {"uri": URI}, "options": options})
    formatted = opened(text + ending).with_edits(edits)
    is_left = not ending and (name == "Neovim" or option is False)
    assert formatted.replace("\r\n", "\n") == (NEAT.strip() if is_left else NEAT)
    assert bool(edits) == (formatted != text + ending)
