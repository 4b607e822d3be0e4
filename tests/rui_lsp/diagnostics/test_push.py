"""Push diagnostics over standard input and output, in every position encoding."""

import itertools
import re

import pytest

from rui_common.fixes.quick_fixes import find_fixes
from rui_common.syntax.document import read
from rui_common.validation.diagnostics import diagnose
from rui_lsp.client.convert import Positions, to_diagnostic
from rui_lsp.client.settings import Settings
from tests.rui_lsp.lsp_client import Client

ENCODINGS = ["utf-8", "utf-16", "utf-32"]
ERROR, WARNING = 1, 2

NUMBERS = itertools.count(1)
"""Every document of a test has a name of its own, as the servers are shared."""


@pytest.fixture(scope="module", params=ENCODINGS)
def client(request):
    with Client.start([request.param]) as client:
        assert client.server["capabilities"]["positionEncoding"] == request.param
        yield client


@pytest.fixture(scope="module")
def plain_client():
    """A client without `positionEncodings`."""
    with Client.start() as client:
        assert client.server["capabilities"]["positionEncoding"] == "utf-16"
        yield client


def encoding_of(client):
    return client.server["capabilities"]["positionEncoding"]


def opened(client, text):
    """Open `text` as a new document; return its URI and its diagnostics."""
    uri = f"file:///document-{next(NUMBERS)}.rui.json"
    client.open(uri, text)
    return uri, client.diagnostics(uri, 1)


def unmark(marked):
    """Split a text with lines of marks (`^^^ CODE`) into the text and (line, start, end, code) of each mark.

    Columns are characters of the line above, from zero.
    """
    lines, marks = [], []
    for line in marked.strip("\n").split("\n"):
        if not re.fullmatch(r"( *\^+ [A-Z_]+)+", line):
            lines.append(line)
            continue
        found = re.finditer(r"(\^+) ([A-Z_]+)", line)
        marks += [(len(lines) - 1, mark.start(1), mark.end(1), mark[2]) for mark in found]
    return "\n".join(lines), marks


def check(client, marked):
    """The ranges of the diagnostics equal the marks, in the client's units."""
    text, marks = unmark(marked)
    lines = text.split("\n")

    def character(line, column):
        codec = {"utf-8": "utf-8", "utf-16": "utf-16-le", "utf-32": "utf-32-le"}[encoding_of(client)]
        width = {"utf-8": 1, "utf-16": 2, "utf-32": 4}[encoding_of(client)]
        return len(lines[line][:column].encode(codec)) // width

    expected = [(line, character(line, start), character(line, end), code) for line, start, end, code in marks]
    _, found = opened(client, text)
    assert all(item["range"]["start"]["line"] == item["range"]["end"]["line"] for item in found)
    assert sorted(
        (
            item["range"]["start"]["line"],
            item["range"]["start"]["character"],
            item["range"]["end"]["character"],
            item["code"],
        )
        for item in found
    ) == sorted(expected)


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


def test_a_valid_document_has_none(client):
    check(client, VALID)


def test_ranges_behind_wide_characters(client):
    check(
        client,
        """
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
    )


def test_a_syntax_error_behind_wide_characters(client):
    check(
        client,
        """
{"version": "0.1", "meta": {"é😀": tru}, "navigation": {"items": [{"pageId": "home"}]}, "pages": [
                                  ^^^ INVALID_JSON
{"id": "home", "type": "Page", "title": "é😀", "children": [{"id": "s", "type": "Section", "direction": "row",
"children": [{"id": "t", "type": "Text", "content": "t"}]}]}]}
""",
    )


def test_repeated_keys_are_warned_of(client):
    check(
        client,
        """
{
  "version": "0.1", "meta": {"é😀": 1, "é😀": 2, "a": 1},
                             ^^^^ DUPLICATE_KEY
  "navigation": {"items": [{"pageId": "home"}]},
  "pages": [{"id": "home", "type": "Page", "title": "t", "children": [
    {"id": "s", "type": "Section", "direction": "row", "children": [{"id": "t", "type": "Text", "content": "t"}]}
  ]}]
}
""",
    )


def test_placeholders_are_marked(client):
    check(
        client,
        """
{"version": "0.1", "meta": {}, "navigation": {"items": [{"pageId": "home"}]}, "pages": [
{"id": "home", "type": "Page", "title": "é😀", "children": [{"id": "s", "type": "Section", "direction": "row",
"children": [{"id": "t", "type": "Metric", "label": "é😀", "binding": {"type": "read", "method": "GET",
"path": "/TODO", "valuePath": "TODO"
        ^^^^^^^ PLACEHOLDER
                              ^^^^^^ PLACEHOLDER
}}]}]}]}
""",
    )


def test_lines_end_as_lsp_has_it(client):
    _, [fault] = opened(client, '[\r"\u2028\x85",\r\n "\u2029", \ntru\r]')
    assert fault["range"]["start"] == {"line": 3, "character": 0}


def test_what_a_diagnostic_holds(plain_client):
    text = VALID.replace('"id": "t"', '"id": "main"')
    uri, [found] = opened(plain_client, text)
    [said] = diagnose(read(text))
    assert found["severity"] == ERROR
    assert found["code"] == "DUPLICATE_ID"
    assert found["source"] == "rui"
    assert found["message"] == f"{said.message}\n{said.hint}"
    assert "codeDescription" not in found
    fixes = found["data"].pop("fixes")
    assert found["data"] == {"path": "pages[0].children[0].children[0].id", "rule": said.rule}
    assert [fix["title"] for fix in fixes] == [fix.title for fix in find_fixes(read(text), said)]
    assert "tags" not in found
    [related] = found["relatedInformation"]
    start = {"line": 7, "character": 13}
    assert related["location"] == {"uri": uri, "range": {"start": start, "end": {**start, "character": 19}}}


def test_what_a_warning_holds(plain_client):
    uri, [found] = opened(plain_client, VALID.replace('"meta": {}', '"meta": {"a": 1, "a": 2}'))
    assert (found["severity"], found["code"], found["tags"]) == (WARNING, "DUPLICATE_KEY", [1])
    assert found["data"]["path"] == "meta.a"
    assert [related["location"]["uri"] for related in found["relatedInformation"]] == [uri]


def test_without_documentation_there_is_no_link():
    document = read(VALID.replace('"id": "t"', '"id": "main"'))
    [diagnostic] = diagnose(document)
    settings = Settings()
    assert settings.docs_url == ""
    assert (
        to_diagnostic(diagnostic, "file:///a", Positions(document.lines, "utf-16"), settings).code_description is None
    )


@pytest.mark.parametrize(
    ("options", "base"),
    [
        ({"rui.server.url": "http://127.0.0.1:9000"}, "http://127.0.0.1:9000/docs"),
        ({"rui": {"server": {"url": 5}}}, ""),
        ([], ""),
        ({"rui.server.url": "http://127.0.0.1:8000"}, ""),
    ],
)
def test_the_link_leads_where_the_client_says(options, base):
    with Client.start(options=options) as client:
        _, [found] = opened(client, "[]")
        expected = {"href": f"{base}/rules/R0"} if base else None
        assert found.get("codeDescription") == expected


def test_all_of_many_are_told(plain_client):
    _, found = opened(plain_client, VALID.replace('"meta": {}', ", ".join(f'"x{number}": 1' for number in range(300))))
    assert [item["code"] for item in found].count("UNKNOWN_PROP") == 300


def test_breaking_and_fixing(client):
    uri, found = opened(client, VALID)
    assert found == []
    line = VALID.split("\n").index('  "meta": {},')
    client.change(uri, 2, [{"range": span(line, 12, line, 13), "text": ""}])
    assert {item["code"] for item in client.diagnostics(uri, 2)} == {"INVALID_JSON"}
    client.change(uri, 3, [{"range": span(line, 12, line, 12), "text": ","}])
    assert client.diagnostics(uri, 3) == []


def test_closing_clears(client):
    uri, found = opened(client, "[]")
    assert found != []
    client.close(uri)
    assert client.diagnostics(uri, None) == []


def test_several_changes_in_one_notification_are_made_one_after_the_other(client):
    uri, _ = opened(client, "[]")
    client.change(
        uri,
        2,
        [
            {"text": VALID},
            {"range": span(2, 0, 2, 0), "text": "\n\n"},
            {"range": span(4, 13, 4, 18), "text": '"0.2"'},
            {"range": span(2, 0, 4, 0), "text": ""},
        ],
    )
    [found] = client.diagnostics(uri, 2)
    assert (found["code"], found["range"]) == ("VERSION_MISMATCH", span(2, 13, 2, 18))


def span(line, start, last_line, end):
    return {"start": {"line": line, "character": start}, "end": {"line": last_line, "character": end}}
