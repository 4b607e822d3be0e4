"""Push diagnostics over standard input and output, in every position encoding."""

import itertools
import re

import pytest

from rui_common.fixes.quick_fixes import find_fixes
from rui_common.syntax.document import read
from rui_common.validation.diagnostics import diagnose
from tests.rui_lsp.conversation import Conversation
from tests.rui_lsp.lsp_client import Client
from tests.rui_lsp.model import position

ERROR, WARNING = 1, 2
NUMBERS = itertools.count(1)
"""Every document of a test has a name of its own, as the servers are shared."""


@pytest.fixture(scope="module", params=["utf-8", "utf-16", "utf-32", None])
def client(request):
    with Client.start(request.param and [request.param]) as client:
        assert client.server["capabilities"]["positionEncoding"] == (request.param or "utf-16")
        yield client


def opened(client, text):
    """Open `text` as a new document; return its URI and its diagnostics."""
    uri = f"file:///document-{next(NUMBERS)}.rui.json"
    client.open(uri, text)
    return uri, client.diagnostics(uri, 1)


def check(client, marked):
    """The ranges of the diagnostics equal the marks (`^^^ CODE` below the text), in the client's units."""
    text, expected = "", []
    for line in marked.strip("\n").split("\n"):
        if not re.fullmatch(r"( *\^+ [A-Z_]+)+", line):
            start_of_line = len(text)
            text += line + "\n"
            continue
        expected += [
            (start_of_line + mark.start(1), start_of_line + mark.end(1), mark[2])
            for mark in re.finditer(r"(\^+) ([A-Z_]+)", line)
        ]
    encoding = client.server["capabilities"]["positionEncoding"]
    _, found = opened(client, text)
    assert sorted((str(item["range"]), item["code"]) for item in found) == sorted(
        (str({"start": position(text, start, encoding), "end": position(text, end, encoding)}), code)
        for start, end, code in expected
    )


VALID = """
{
  "version": "0.1",
  "meta": {},
  "navigation": {"items": [{"pageId": "home"}]},
  "pages": [
    {"id": "home", "type": "Page", "title": "Größe 😀", "children": [
      {"id": "main", "type": "Section", "direction": "row", "children": [
        {"id": "t", "type": "Text", "content": "é😀"}
      ]}
    ]}
  ]
}
"""
MARKED = {
    "valid": VALID,
    "faults": """
{
  "version": "0.1", "meta": {"é😀": 1}, "é😀": 2, "navigation": {"items": [{"pageId": "home"}]},
                                       ^^^^ UNKNOWN_PROP
  "pages": [
    {"title": "é😀", "id": "home", "type": "Page", "layout": 1, "children": [
                                                  ^^^^^^^^ UNKNOWN_PROP
      {"title": "𝄞", "id": "Main 😀", "type": "Section", "direction": "é😀", "children": [
                           ^^^^^^^^ INVALID_ID_FORMAT                ^^^^ INVALID_PROP_TYPE
        {"content": "漢字 é😀", "type": "Text"}
                                     ^^^^^^ MISSING_REQUIRED_PROP
      ]}
    ]}
  ]
}
""",
    "a syntax error": """
{"version": "0.1", "meta": {"é😀": tru}, "navigation": {"items": [{"pageId": "home"}]}, "pages": [
                                  ^^^ INVALID_JSON
{"id": "home", "type": "Page", "title": "é😀", "children": [{"id": "s", "type": "Section", "direction": "row",
"children": [{"id": "t", "type": "Text", "content": "t"}]}]}]}
""",
    "warnings": """
{"version": "0.1", "meta": {"é😀": 1, "é😀": 2}, "navigation": {"items": [{"pageId": "home"}]}, "pages": [
                            ^^^^ DUPLICATE_KEY
{"id": "home", "type": "Page", "title": "é😀", "children": [{"id": "s", "type": "Section", "direction": "row",
"children": [{"id": "t", "type": "Metric", "label": "é😀", "binding": {"type": "read", "method": "GET",
"path": "/TODO", "valuePath": "TODO"
        ^^^^^^^ PLACEHOLDER
                              ^^^^^^ PLACEHOLDER
}}]}]}]}
""",
}


@pytest.mark.parametrize("marked", MARKED.values(), ids=MARKED)
def test_ranges_after_wide_characters(client, marked):
    check(client, marked)


def test_lines_end_as_lsp_has_it(client):
    _, [fault] = opened(client, '[\r"\u2028\x85",\r\n "\u2029", \ntru\r]')
    assert fault["range"]["start"] == {"line": 3, "character": 0}


def published(text):
    """Return the diagnostics for a client without capabilities."""
    conversation = Conversation()
    conversation.open(text)
    return conversation.sent[-1]["params"]["diagnostics"]


def test_what_a_diagnostic_holds():
    text = VALID.replace('"id": "t"', '"id": "main"')
    [found] = published(text)
    [said] = diagnose(read(text))
    assert (found["severity"], found["code"], found["source"]) == (ERROR, "DUPLICATE_ID", "rui")
    assert found["message"] == f"{said.message}\n{said.hint}"
    assert "codeDescription" not in found
    fixes = found["data"].pop("fixes")
    assert found["data"] == {"path": "pages[0].children[0].children[0].id", "rule": said.rule}
    assert [fix["title"] for fix in fixes] == [fix.title for fix in find_fixes(read(text), said)]
    assert "tags" not in found
    [related] = found["relatedInformation"]
    start = {"line": 7, "character": 13}
    assert related["location"]["range"] == {"start": start, "end": {**start, "character": 19}}


def test_what_a_warning_holds():
    [found] = published(VALID.replace('"meta": {}', '"meta": {"a": 1, "a": 2}'))
    assert (found["severity"], found["code"], found["tags"]) == (WARNING, "DUPLICATE_KEY", [1])
    assert found["data"]["path"] == "meta.a"
    assert len(found["relatedInformation"]) == 1


def test_changes_are_made_one_after_the_other(client):
    uri, found = opened(client, VALID)
    assert found == []
    line = VALID.split("\n").index('  "meta": {},')
    client.change(uri, 2, [{"range": span(line, 12, line, 13), "text": ""}])
    assert {item["code"] for item in client.diagnostics(uri, 2)} == {"INVALID_JSON"}
    client.change(uri, 3, [{"range": span(line, 12, line, 12), "text": ","}])
    assert client.diagnostics(uri, 3) == []
    client.change(uri, 4, [
        {"text": "[]"},
        {"text": VALID},
        {"range": span(2, 0, 2, 0), "text": "\n\n"},
        {"range": span(4, 13, 4, 18), "text": '"0.2"'},
        {"range": span(2, 0, 4, 0), "text": ""},
    ])  # fmt: skip
    [found] = client.diagnostics(uri, 4)
    assert (found["code"], found["range"]) == ("VERSION_MISMATCH", span(2, 13, 2, 18))
    client.close(uri)
    assert client.diagnostics(uri, None) == []


def span(line, start, last_line, end):
    return {"start": {"line": line, "character": start}, "end": {"line": last_line, "character": end}}
