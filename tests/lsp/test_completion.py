"""Completion."""

import json

import pytest

from rui_common.document import read
from rui_lsp.features import completion
from tests.lsp.client import Client
from tests.lsp.marked import CURSOR, DOCUMENT, URI, check_survives, opened

SNIPPETS = {"textDocument": {"completion": {"completionItem": {"snippetSupport": True}}}}


def items(text):
    at = opened(text)
    return at, completion.answer(at.workspace, at.params())


def accepted(at, item):
    """The text with an item in it; the client indents its lines as it is told to (`insertTextMode`)."""
    assert item["insertTextMode"] == 2
    line = at.text[: at.cursor].rpartition("\n")[2]
    indent = line[: len(line) - len(line.lstrip(" "))]
    edit = {**item["textEdit"], "newText": item["textEdit"]["newText"].replace("\n", "\n" + indent)}
    return at.with_edits([edit, *item.get("additionalTextEdits", [])])


def check(text, label, expected):
    """Accepting the item `label` makes `expected`."""
    at, found = items(text)
    (item,) = [item for item in found if item["label"] == label]
    assert accepted(at, item) == expected


@pytest.mark.parametrize(
    ("text", "label", "expected"),
    [
        ("{<|>}", "version", '{"version": "0.1"}'),
        ('{"ver<|>', "version", '{"version": "0.1"'),
        ('{"ver<|>"}', "version", '{"version": "0.1"}'),
        ('{"ver<|>": 7}', "version", '{"version": 7}'),
        ('{"version": <|>}', "0.1", '{"version": "0.1"}'),
        ('{"version": "<|>\n}', "0.1", '{"version": "0.1"\n}'),
        ('{"version": <|>"meta": {}}', "0.1", '{"version": "0.1","meta": {}}'),
        ('{"ver<|>, "meta": {}}', "version", '{"version": "0.1", "meta": {}}'),
        ('{"meta": {}\n<|>}', "version", '{"meta": {},\n"version": "0.1"}'),
    ],
)
def test_what_is_written(text, label, expected):
    check(text, label, expected)


def test_names_and_values_of_the_document():
    _, found = items(DOCUMENT.replace('"tody"', f'"{CURSOR}tody"'))
    assert [item["label"] for item in found] == ["home", "stock"]
    _, found = items(DOCUMENT.replace('"field": "status"', f'"field": "{CURSOR}"'))
    assert [item["label"] for item in found] == ["status", "home"]


def test_documentation_comes_with_resolve():
    at, found = items("{<|>}")
    assert "**RUI.version**" in completion.resolve(at.workspace, found[0])["documentation"]["value"]


def test_snippets_only_for_clients_that_can():
    at = opened('{"pages": [<|>]}', SNIPPETS)
    (page,) = completion.answer(at.workspace, at.params())
    assert page["insertTextFormat"] == 2
    at, (page,) = items('{"pages": [<|>]}')
    assert page["insertTextFormat"] == 1
    json.loads(accepted(at, page))


def test_nothing_accepted_adds_a_fault():
    for cut in range(0, len(DOCUMENT), 7):
        at, found = items(DOCUMENT[:cut] + CURSOR)
        before = len(read(at.text).syntax)
        for item in found:
            after = read(accepted(at, item)).syntax
            assert len(after) <= before, (at.text[-40:], item, after)


def test_it_survives_anything():
    check_survives(completion.answer)


def test_over_the_wire():
    with Client.start() as client:
        client.open(URI, "{}")
        found = client.request("textDocument/completion", opened("{<|>}").params())
        assert found[0]["label"] == "version"
        assert "documentation" in client.request("completionItem/resolve", found[0])
        about = opened('{"ver<|>sion": "0.1"}')
        client.open("file:///hover.rui.json", about.text)
        params = {**about.params(), "textDocument": {"uri": "file:///hover.rui.json"}}
        assert "RUI.version" in client.request("textDocument/hover", params)["contents"]["value"]
