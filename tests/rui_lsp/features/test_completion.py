"""Completion."""

import json
import os
import re
from collections import Counter

import pytest

from rui_common.describe.examples import minimal_example
from rui_common.syntax.document import read
from rui_common.validation.analysis import Analysis
from rui_common.validation.diagnostics import without_placeholders
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from tests.rui_lsp.conversation import REFRESHES, Conversation
from tests.rui_lsp.marked import CURSOR, DOCUMENT, URI, accept_defaults, opened
from tests.support.nightly import NIGHTLY
from tests.support.small import BLOCK_TYPES, TYPES_OF_A_TEXT
from tests.support.tables import without_cross


def client(**item):
    return {"textDocument": {"completion": {"completionItem": item}}}


VALID_TEXT = json.dumps(minimal_example(VOCABULARY) | {"meta": {}})
SNIPPETS = client(snippetSupport=True)
PLAIN = client()
CLIENTS = {
    "adjusts": client(snippetSupport=True, insertTextModeSupport={"valueSet": [1, 2]}, labelDetailsSupport=True),
    "inserts as it is": client(snippetSupport=True, insertTextModeSupport={"valueSet": [1]}),
    "expands snippets": SNIPPETS,
    "inserts plain text": PLAIN,
}


def items(text, capabilities=SNIPPETS):
    editor = opened(text, capabilities)
    return editor, editor.request("textDocument/completion")


def accepted(editor, item, capabilities=SNIPPETS):
    """Return the text after a client of these capabilities has inserted an item."""
    takes = capabilities["textDocument"]["completion"]["completionItem"]
    mode = item.get("insertTextMode", 2 if "snippetSupport" in takes else 1)
    assert item.get("insertTextMode") in {None, *takes.get("insertTextModeSupport", {}).get("valueSet", ())}
    new = item["textEdit"]["newText"]
    if item["insertTextFormat"] == 2:
        assert "snippetSupport" in takes
        new = accept_defaults(new)
    if mode == 2:
        line = re.split("\r\n|\r|\n", editor.text[: editor.cursor])[-1]
        new = new.replace("\n", "\n" + line[: len(line) - len(line.lstrip(" \t"))])
    return editor.with_edits([{**item["textEdit"], "newText": new}, *item.get("additionalTextEdits", [])])


def check(text, label, expected):
    """Accepting the item `label` yields `expected`."""
    editor, found = items(text)
    (item,) = [item for item in found if item["label"] == label]
    assert accepted(editor, item) == expected


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
        ('{"version":<|> -1.5e3}', "0.1", '{"version":"0.1"}'),
        ('{"version":<|> null}', "0.1", '{"version":"0.1"}'),
        ('{"ver<|>, "meta": {}}', "version", '{"version": "0.1", "meta": {}}'),
        ('{"version": "<|> "meta": {}}', "0.1", '{"version": "0.1", "meta": {}}'),
        ('{"meta": {}\n<|>}', "version", '{"meta": {},\n"version": "0.1"}'),
    ],
)
def test_what_is_written(text, label, expected):
    check(text, label, expected)


VALUES = [
    '"x"', '""', '"a\\"b"', '"a,b // c"', '"{"', '"x" \t', "12", "-1", "1.5e3", "true", "null",
    "{}", "[]", '{"c": 1}', '[\n"c"\n]',
]  # fmt: skip


TYPED = ["t", "ti", '"', '"t', '"t<|>"']
FOLLOWING = ["", '\n"b": 1', ',\n"b": 1']


@pytest.mark.parametrize(("value", "typed", "following"), [
    *without_cross(VALUES, TYPED, FOLLOWING),
    *(('"x"', typed, following) for typed in TYPED for following in FOLLOWING),
])  # fmt: skip
def test_a_property_is_offered_below_a_value_without_a_comma(value: str, typed: str, following: str):
    typed = typed if CURSOR in typed else typed + CURSOR
    text = VALID_TEXT.replace('"meta": {', f'"meta": {{\n"a": {value}\n  {typed}{following}\n')
    for line_end in ("\n", "\r\n", "\r"):
        editor, found = items(text.replace("\n", line_end))
        (item,) = [item for item in found if item["label"] == "title"]
        after = json.loads(accepted(editor, item))
        meta = {"a": json.loads(value), "title": after["meta"]["title"], **({"b": 1} if following else {})}
        assert after == {**json.loads(VALID_TEXT), "meta": {**json.loads(VALID_TEXT)["meta"], **meta}}


BELOW = {
    "a comment": ('"a": 1 // one, two\n  t<|>', '"a": 1, // one, two\n  "title": '),
    "a line of comments": ('"a": "x"\n// y "z\n\n  t<|>', '"a": "x",\n// y "z\n\n  "title": '),
    "an address": ('"a": "http://x"\n  t<|>', '"a": "http://x",\n  "title": '),
    "an opening brace": ('t<|>\n"b": 1', '"title": "${1:TODO}",\n"b": 1'),
}


@pytest.mark.parametrize(("text", "expected"), BELOW.values(), ids=BELOW)
def test_the_comma_comes_after_the_value(text: str, expected: str):
    editor, found = items(f'{{"meta": {{{text}}}}}')
    (item,) = [item for item in found if item["label"] == "title"]
    edits = [item["textEdit"], *item.get("additionalTextEdits", [])]
    assert expected in editor.with_edits(edits)


NOT_OFFERED = {
    "a word after a string in its line": '{"meta": {"a": "x" t<|>}}',
    "a word after a number in its line": '{"meta": {"a": 12 t<|>}}',
    "a line of a string that is not closed": '{"meta": {"a": "two\nt<|>}}',
    "a key without a value": '{"meta": {"a"\nt<|>}}',
}


@pytest.mark.parametrize("text", NOT_OFFERED.values(), ids=NOT_OFFERED)
def test_nothing_is_offered_in_what_may_be_a_broken_value(text: str):
    assert items(text)[1] == []


def test_an_element_is_offered_below_one_without_a_comma():
    editor, found = items(VALID_TEXT.replace("]}]}]}", "]}]}\nP<|>]}"))
    (item,) = [item for item in found if item["label"] == "Page"]
    assert without_placeholders(Analysis(read(accepted(editor, item))).diagnostics) == []


def test_a_client_that_leaves_choices_empty_gets_a_default():
    conversation = Conversation(SNIPPETS, clientInfo={"name": "Neovim", "version": "0.11"})
    editor = opened(DOCUMENT.replace('"direction": "stack", ', CURSOR))
    conversation.open(editor.text, uri=URI)
    found = conversation.request("textDocument/completion", editor.params())
    (item,) = [item for item in found if item["label"] == "direction"]
    assert item["textEdit"]["newText"] == '"direction": "${1:stack}",'


@pytest.mark.parametrize("typed", [CURSOR, f"p{CURSOR},", f"{{{CURSOR}", f"{{{CURSOR} "])
def test_a_page_comes_with_its_navigation_entry(typed: str):
    text = VALID_TEXT.replace('"pages": [', '"pages": [' + typed)
    editor, found = items(text)
    (item,) = [item for item in found if item["label"] == "Page"]
    after = accepted(editor, item)
    assert without_placeholders(Analysis(read(after)).diagnostics) == []
    assert '"pageId": "page-2"' in after
    assert item["textEdit"]["newText"].startswith('{"id":"${1:page-2}",')


GROUPS = [
    f"Section with {name}s" if shape.wireframe else f"Section with {name}"
    for name, shape in VOCABULARY.nodes.items()
    if name in BLOCK_TYPES and name != "Text"
]
"""Sections with other blocks than the usual one; several of those that show one value."""

OFFERED = {
    "elements for a list": (DOCUMENT.replace('"children": []', '"children": <|>'), [
        "[Section]", *(f"[{group}]" for group in GROUPS), "[ ]"]),
    "elements in a list": (DOCUMENT.replace('"children": []', '"children": [<|>]'), ["Section", *GROUPS]),
    "every type, the likeliest first": (DOCUMENT.replace('"type": "Text"', '"type": <|>'), TYPES_OF_A_TEXT),
    "another type": (DOCUMENT.replace('"type": "Text"', '"type": "<|>Text"'), TYPES_OF_A_TEXT),
    "an empty string": (DOCUMENT.replace('"title": "Stock"', '"title": <|>'), ['""']),
    "a whole document": ("<|>", ["RUI"]),
    "an id that is free": (DOCUMENT.replace('"id": "note"', '"id": "<|>"').replace("orders", "text-1"), ["text-2"]),
}  # fmt: skip


@pytest.mark.parametrize(("text", "labels"), OFFERED.values(), ids=OFFERED)
def test_what_is_offered(text, labels):
    assert [item["label"] for item in items(text)[1]] == labels


def document_of(path: str) -> str:
    return DOCUMENT.replace("/api/orders", path)


def paths_at(client: Conversation) -> list[tuple[str, str]]:
    """Return the paths that are proposed in a new document, each with the name of the document that has it."""
    editor = opened(document_of("<|>"))
    client.open(editor.text, uri=URI)
    found = client.request("textDocument/completion", editor.params())
    return [(item["label"], item["labelDetails"]["description"]) for item in found]


@pytest.mark.parametrize(
    "capabilities", [CLIENTS["adjusts"], {**CLIENTS["adjusts"], **REFRESHES}], ids=["push", "pull"]
)
def test_paths_are_learned_from_the_folder(tmp_path, capabilities):
    for age, name in enumerate(("new", "old", "gone", "open")):
        path = tmp_path / f"{name}.rui.json"
        path.write_text(document_of(f"/{name}"))
        os.utime(path, (1_000_000 - age, 1_000_000 - age))
    capabilities = {**capabilities, "textDocument": {**REFRESHES["textDocument"], **CLIENTS["adjusts"]["textDocument"]}}
    client = Conversation(capabilities, workspaceFolders=[{"uri": tmp_path.as_uri(), "name": "w"}])
    if client.server.supports_pull:
        assert paths_at(client) == []  # No file is read for completion.
    client.say({"method": "initialized", "params": {}})
    client.request("workspace/diagnostic", {"previousResultIds": []})
    (tmp_path / "gone.rui.json").unlink()
    client.open(document_of("/edited"), uri=(tmp_path / "open.rui.json").as_uri())
    client.open(document_of("/last"), uri="untitled:last.rui.json")
    expected = [("/last", "untitled:last.rui.json"), ("/edited", "open.rui.json"), ("/new", "new.rui.json")]
    assert paths_at(client) == [*expected, ("/old", "old.rui.json")]
    change = {"textDocument": {"uri": (tmp_path / "open.rui.json").as_uri(), "version": 2}}
    client.say({"method": "textDocument/didChange", "params": {
        **change, "contentChanges": [{"text": document_of("/again")}]}})  # fmt: skip
    assert paths_at(client)[:2] == [("/again", "open.rui.json"), expected[0]]


def test_a_placeholder_is_no_filter():
    editor, found = items(document_of("/TODO<|>").replace('"note", "type": "Text", "content": "See https://example.org/a."',
        '"n", "type": "Table", "binding": {"path": "/orders"}'))  # fmt: skip
    assert [item["filterText"] for item in found] == ['"/TODO" "/orders"']
    assert accepted(editor, found[0]) == editor.text.replace("/TODO", "/orders")
    _, found = items(editor.text.replace("/TODO", "/o<|>"))
    assert [item["filterText"] for item in found] == ['"/orders"']


@pytest.mark.parametrize("text", [CURSOR, f"\n{CURSOR}\n"])
def test_a_new_document_is_valid(text: str):
    editor, (item,) = items(text)
    assert without_placeholders(Analysis(read(accepted(editor, item))).diagnostics) == []


@pytest.mark.parametrize(("text", "expected"), [
    ("<|>", "RUI"), ('{"ver<|>', '"version"'), ('{"meta": {}, ver<|>}', "version"), ('{"version": "<|>', '"0.1"'),
])  # fmt: skip
def test_the_filter_begins_with_a_quote_where_one_is_typed(text: str, expected: str):
    assert items(text)[1][0]["filterText"] == expected


@pytest.mark.parametrize(
    ("length", "end", "has_lines"), [(99, "", True), (100, "", False), (100, "\n", True), (100, "\r", True)]
)
def test_nodes_are_on_one_line_in_a_long_text_without_lines(length: int, end: str, has_lines: bool):
    text = '{"version":"0.1","meta":{"title":"@"},"pages":[<|>]}'
    text = text.replace("@", "x" * (length + len(CURSOR) + 1 - len(text))) + end
    (item,) = [item for item in items(text)[1] if item["label"] == "Page"]
    assert ("\n" in item["textEdit"]["newText"]) is has_lines


def test_documentation_comes_with_resolve():
    editor, found = items("{<|>}")
    assert editor.ask("completionItem/resolve", found[0])["documentation"]["kind"] == "plaintext"
    editor, found = items("{<|>}", client(documentationFormat=["markdown", "plaintext"]))
    written = editor.ask("completionItem/resolve", found[0])["documentation"]
    assert written["kind"] == "markdown"
    assert "**RUI.version**" in written["value"]


MINIFIED = json.dumps(json.loads(DOCUMENT), ensure_ascii=False, separators=(",", ":"))
TEXTS = {
    "sound": DOCUMENT,
    "a cr a line": DOCUMENT.replace("\n", "\r"),
    "on one line": re.sub(r"\n +", " ", DOCUMENT),
    "minified, emoji before the cursor": MINIFIED,
    "commas missing": DOCUMENT.replace('"Table",', '"Table"').replace('"stack",', '"stack"'),
    "quotes missing": DOCUMENT.replace('"At home"', '"At home').replace('"/api/orders"', '"/api/orders'),
    "brackets missing": DOCUMENT.replace('"status"}]}}', '"status"}'),
    "single quotes": DOCUMENT.replace('"home", "label"', "'home', 'label'"),
    "values missing": DOCUMENT.replace('"stack"', "").replace('"note"', ""),
    "a comment": DOCUMENT.replace('"meta"', '// "x\n "meta"'),
}
STEP = 1 if NIGHTLY else 7
"""Characters from one tested place to the next one: each place of a word is tested in one of the texts."""
TRUNCATED = {"crlf": DOCUMENT.replace("\n", "\r\n"), "tabs": DOCUMENT.replace("  ", "\t"), "minified": MINIFIED}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_nothing_accepted_at_any_offset_adds_a_fault_or_takes_anything_away(text):
    for cut in range(0, len(text) + 1, STEP):
        check_accepting(text[:cut] + CURSOR + text[cut:], list(CLIENTS.values())[cut % len(CLIENTS)])


@pytest.mark.parametrize("text", TRUNCATED.values(), ids=TRUNCATED)
def test_nothing_accepted_at_the_end_of_a_truncated_document_adds_a_fault(text):
    for cut in range(0, len(text) + 1, STEP):
        check_accepting(text[:cut] + CURSOR, list(CLIENTS.values())[cut % len(CLIENTS)])


def check_accepting(text, capabilities):
    """No completion item at the cursor adds a syntax error, and at most the text at the cursor disappears."""
    editor, found = items(text, capabilities)
    before = read(editor.text)
    for item in found:
        replaced = editor.shown(item["textEdit"]["range"])
        assert re.fullmatch(r"""[^"]*|[ \t]*"([^"\\]|\\.)*"?""", replaced), replaced
        after = read(accepted(editor, item, capabilities))
        assert len(after.syntax) <= len(before.syntax), (text[-60:], item, after.syntax)
        assert (words(before.value) - words(after.value)).total() <= 1, (text[-60:], item)


def words(value):
    """Count all keys and scalar values in a value."""
    if isinstance(value, dict):
        return sum((words(below) for below in value.values()), Counter(value.keys()))
    return sum(map(words, value), Counter()) if isinstance(value, list) else Counter([str(value)])


def test_of_a_long_list_what_contains_the_text_typed_comes_first():
    block = '{{"id": "b{0}", "type": "Metric", "label": "L", "binding": {{"type": "read", "path": "{1}"}}}}'
    paths = [f"/api/{'customers' if number % 50 == 7 else 'orders'}/{number}" for number in range(150)]

    def completed(typed, count=150):
        blocks = [block.format(number, path) for number, path in enumerate(paths[:count])]
        blocks.append(block.format("x", f"{typed}{CURSOR}"))
        section = f'{{"type": "Section", "children": [{", ".join(blocks)}]}}'
        text = f'{{"pages": [{{"type": "Page", "children": [{section}]}}]}}'
        return opened(text, SNIPPETS).request("textDocument/completion")

    assert len(completed("", 90)) == 90
    found = completed("")
    assert (found["isIncomplete"], len(found["items"])) == (True, 100)
    found = completed("/API/cust")
    assert [item["label"] for item in found["items"][:3]] == [
        "/api/customers/107",
        "/api/customers/57",
        "/api/customers/7",
    ]
    assert [item["sortText"] for item in found["items"]] == sorted(item["sortText"] for item in found["items"])
