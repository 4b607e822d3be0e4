"""Formatting of documents and ranges."""

import asyncio
import itertools
import json
import random
import re
from typing import Any

import pytest
from pygls.exceptions import JsonRpcContentModified

from benchmarks.sample import sample_text
from rui_common.editing.edits import apply
from rui_common.editing.formatter import format_document
from rui_common.editing.text_diff import text_edits, whitespace_edits
from rui_common.syntax.document import read
from rui_lsp.client.convert import edits_data
from rui_lsp.protocol.errors import RequestFailedError
from tests.rui_lsp.conversation import LOOP, Conversation
from tests.rui_lsp.lsp_client import Client
from tests.rui_lsp.marked import DOCUMENT, EXAMPLES, URI, broken_texts, check_survives, opened

OPTIONS = {"tabSize": 2, "insertSpaces": True}
EVERYTHING = {"start": {"line": 0, "character": 0}, "end": {"line": 10_000, "character": 0}}


FORMAT, FORMAT_RANGE = "textDocument/formatting", "textDocument/rangeFormatting"


@pytest.mark.parametrize("options", [{"tabSize": 4, "insertSpaces": False, "insertFinalNewline": False}, OPTIONS])
def test_options_count_for_nothing(options: dict[str, Any]) -> None:
    """A document has one layout (docs/decisions.md, section 8)."""
    at = opened(LAYOUTS["on one line"])
    edits = at.request(FORMAT, options=options)
    assert at.with_edits(edits) == LAYOUTS["as it should be"]


def check(text: str, expected: str | None, **where: Any) -> list[dict[str, Any]]:
    """Format a text, or a range of it; `expected` is None if no edit is expected."""
    at = opened(text)
    edits = at.request(FORMAT_RANGE if where else FORMAT, options=OPTIONS, **where)
    assert (None if edits is None else at.with_edits(edits)) == expected
    return edits or []


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


def test_numbers_and_strings_stay_as_they_are_written() -> None:
    text = '{"meta": {"a": 1.0, "b": 1e5, "c": "\\u00e9", "d": -0, "e": 123456789012345678901234567890}}'
    edits = check(text, format_document(read(text)))
    assert edits
    assert all(not edit["newText"].strip() for edit in edits)


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
        check(text, None)
    check(text, None, range=EVERYTHING)


def test_changes_are_small() -> None:
    text = format_document(read(sample_text(20_000)))
    assert check(text, text) == []
    at = text.index('"method": "GET"')
    shifted = text[:at] + "   " + text[at:]
    (edit,) = check(shifted, text)
    assert edit["range"]["start"]["line"] == edit["range"]["end"]["line"]
    line = text.rindex("\n", 0, at)
    assert len(check(text[:line] + text[line:].replace("\n", "\n\n", 1), text)) == 1


def test_a_range() -> None:
    text = '{\n"version":"0.1",\n"navigation":{},\n"meta":{}\n}'
    second = {"start": {"line": 2, "character": 3}, "end": {"line": 2, "character": 16}}
    check(text, '{\n"version":"0.1",\n  "navigation": {},\n"meta":{}\n}', range=second)
    # Properties keep their order.
    check(text, '{\n  "version": "0.1",\n  "navigation": {},\n  "meta": {}\n}\n', range=EVERYTHING)


@pytest.mark.parametrize("file", EXAMPLES, ids=lambda file: file.name)
def test_the_examples_in_every_layout(file: Any) -> None:
    value = json.loads(file.read_text())
    for text in (json.dumps(value), json.dumps(value, indent=4), json.dumps(value, indent="\t", sort_keys=True)):
        expected = format_document(read(text))
        check(text, expected)
        check(text, format_document(read(text), keep_order=True), range=EVERYTHING)


def test_differences_of_any_texts() -> None:
    chance = random.Random(5)
    pieces = ['"a"', ",", "{", "}", "\r", "\n", "\r\n", " ", "1", "x\u2028", '"', "\\", "\t", '"b c"', "😀"]
    texts = ["".join(chance.choices(pieces, k=chance.randrange(30))) for _ in range(300)]
    for before, after in itertools.pairwise(texts):
        edits = text_edits(before, after)
        assert apply(before, edits) == after
        assert opened(before).with_edits(edits_data(edits, opened(before).document.text)) == after
    assert whitespace_edits('{"a": 1}', '{"a": 2}') is None
    assert whitespace_edits('{"a": 1}', '{"a": 1, "b": 2}') is None


def test_nothing_makes_it_fall() -> None:
    check_survives(FORMAT, options=OPTIONS)
    check_survives(FORMAT_RANGE, options=OPTIONS, range=EVERYTHING)


def test_whatever_the_text_the_value_stays() -> None:
    for text in [*broken_texts(), DOCUMENT]:
        at = opened(text)
        try:
            edits = at.request(FORMAT, options=OPTIONS)
        except RequestFailedError:
            continue
        if edits is not None:
            assert read(at.with_edits(edits)).value == read(text).value


def test_a_client_that_ignores_the_error_gets_a_message() -> None:
    conversation = Conversation(initialized=False)
    conversation.request("initialize", {"capabilities": {}, "clientInfo": {"name": "Neovim"}})
    conversation.open('{\n"version": 1,}', uri=URI)
    params = {"textDocument": {"uri": URI}, "options": OPTIONS}
    assert conversation.request(FORMAT, params) is None
    (shown,) = [message for message in conversation.sent if message.get("method") == "window/showMessage"]
    assert shown["params"]["message"].startswith("marked.rui.json: Not formatted. Line 2: ")


def test_what_was_changed_meanwhile_is_not_answered() -> None:
    at = opened(sample_text(20_000, indent=None))

    async def both() -> None:
        answer = asyncio.ensure_future(at.asking(FORMAT, at.params(options=OPTIONS)))
        await asyncio.sleep(0)
        at.change(8, [{"text": "{}"}])
        with pytest.raises(JsonRpcContentModified, match="changed"):
            await answer

    LOOP.run_until_complete(both())


def test_over_the_wire() -> None:
    with Client.start() as client:
        assert client.server["capabilities"]["documentFormattingProvider"]
        assert client.server["capabilities"]["documentRangeFormattingProvider"]
        client.open(URI, "{ }")
        document = {"textDocument": {"uri": URI}, "options": OPTIONS}
        blank = {"start": {"line": 0, "character": 1}, "end": {"line": 0, "character": 2}}
        (edit, _) = client.request("textDocument/formatting", document)
        assert edit == {"range": blank, "newText": ""}
        assert client.request("textDocument/rangeFormatting", {**document, "range": blank})
        large = sample_text(60_000, indent=None)
        client.open(URI + "2", large)
        document = {"textDocument": {"uri": URI + "2"}, "options": OPTIONS}
        edits = client.request("textDocument/formatting", document)
        assert opened(large).with_edits(edits) == format_document(read(large))
