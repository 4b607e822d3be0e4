"""Code actions: their ranges, kinds and edits."""

import json
from collections import Counter
from typing import Any

import pytest
from pygls.protocol import default_converter

from rui_common.describe.examples import broken_example
from rui_common.syntax.document import read
from rui_common.syntax.paths import format_path
from rui_common.validation.diagnostics import diagnose, without_placeholders
from rui_common.vocabulary.rules import RULES
from rui_lsp.client.convert import to_diagnostics
from tests.rui_lsp.lsp_client import Client
from tests.rui_lsp.marked import CURSOR, DOCUMENT, URI, Opened, broken_texts, check_survives, opened

START = {"line": 0, "character": 0}
RESOLVES = {"textDocument": {"codeAction": {"resolveSupport": {"properties": ["edit"]}}}}


def actions(at: Opened, end: int | None = None, **context: Any) -> list[dict[str, Any]]:
    """Return the actions from the cursor to an offset, by default at the cursor alone."""
    line, character = at.document.positions.position(at.cursor if end is None else end)
    params = at.params(context={"diagnostics": [], **context})
    params["range"] = {"start": params["position"], "end": {"line": line, "character": character}}
    found = at.ask("textDocument/codeAction", params)
    assert found is not None
    return found


def check(marked: str, title: str, expected: str, **context: Any) -> dict[str, Any]:
    """Apply the action with this title and compare the text."""
    at = opened(marked)
    found = {action["title"]: action for action in actions(at, **context)}
    assert title in found
    assert done(at, found[title]) == expected
    return found[title]


def done(at: Opened, action: dict[str, Any]) -> str:
    assert list(action["edit"]["changes"]) == [URI]
    return at.with_edits(action["edit"]["changes"][URI])


def keys(text: str) -> Counter[tuple[str, str, str]]:
    return Counter((one.code, one.rule, format_path(one.path)) for one in without_placeholders(diagnose(read(text))))


FIXES = {
    "a comma too many": ('{"version": "0.1"<|>,}', "Remove the comma", '{"version": "0.1"}'),
    "all that is missing": ('<|>{\n  "version": "0.1"\n}', "Add all 3 missing properties", """\
{
  "version": "0.1",
  "meta": {},
  "navigation": {
    "items": [
      {"pageId": "page-1"}
    ]
  },
  "pages": [
    {
      "id": "page-1",
      "type": "Page",
      "title": "TODO",
      "children": [
        {
          "id": "section-1",
          "type": "Section",
          "direction": "stack",
          "children": [
            {"id": "text-1", "type": "Text", "content": "TODO"}
          ]
        }
      ]
    }
  ]
}"""),
}  # fmt: skip


def test_an_edit_that_fixes_several_faults_is_one_action() -> None:
    found = [action for action in actions(opened('<|>{\n  "version": "0.1"\n}')) if action["kind"] == "quickfix"]
    titles = [action["title"] for action in found]
    assert len(titles) == len(set(titles))
    [together] = [action for action in found if action["title"] == "Add all 3 missing properties"]
    assert [item["data"]["path"] for item in together["diagnostics"]] == ["meta", "navigation", "pages"]


@pytest.mark.parametrize(("marked", "title", "expected"), FIXES.values(), ids=FIXES)
def test_a_quick_fix(marked: str, title: str, expected: str) -> None:
    action = check(marked, title, expected)
    assert action["kind"] == "quickfix"
    assert {item["source"] for item in action["diagnostics"]} == {"rui"}


def test_a_quick_fix_is_preferred_when_it_is_safe() -> None:
    marked = DOCUMENT.replace('"tody"', '"to<|>dy"').replace('"stock"', '"today"')
    found = {action["title"]: action.get("isPreferred", False) for action in actions(opened(marked))}
    assert found == {
        'Use "today"': True, 'Add a Page "tody"': False, 'Use "home" instead of "tody"': False,
        "Remove navigation item 2": False,
    }  # fmt: skip


def resolved(at: Opened, action: dict[str, Any]) -> str:
    return done(at, at.ask("codeAction/resolve", action))


METRIC = '{"id": "m", "type": "Metric<|>", "label": "M"}'


def test_an_inserted_address_is_a_tab_stop() -> None:
    capabilities = {"workspace": {"workspaceEdit": {"snippetEditSupport": True, "documentChanges": True}}}
    at = opened(DOCUMENT.replace('{"id": "note"', f'{METRIC},\n{{"id": "note"'), capabilities)
    (action,) = (one for one in actions(at) if one["title"] == 'Add "binding"')
    (edit,) = action["edit"]["documentChanges"][0]["edits"]
    assert '"path": "${1:/' in edit["snippet"]["value"]
    assert '"valuePath": "${2:' in edit["snippet"]["value"]
    assert edit["snippet"]["kind"] == "snippet"


def test_an_inserted_address_is_marked_until_it_is_set() -> None:
    at = opened(DOCUMENT.replace('{"id": "note"', f'{METRIC},\n{{"id": "note"'))
    (action,) = (one for one in actions(at) if one["title"] == 'Add "binding"')
    after = done(at, action)
    found = [one for one in diagnose(read(after)) if one.code == "PLACEHOLDER"]
    assert [after[one.span.start : one.span.end] for one in found] == ['"/TODO"', '"TODO"']
    assert [one["message"] for one in sent(opened(after)) if one["code"] == "PLACEHOLDER"] == [
        f"{one.message}\n{one.hint}" for one in found
    ]


def test_structure_is_fixed_in_the_layout_of_its_author() -> None:
    start, end = DOCUMENT.index('{"id": "main"'), DOCUMENT.index('{"id": "orders"')
    text = DOCUMENT[:start] + DOCUMENT[end:].replace('/a."}\n        ]}', '/a."}')
    assert text != DOCUMENT
    at = opened(text.replace('"type": "Table"', '"type": <|>"Table"'))
    titles = [action["title"] for action in actions(at, only=["quickfix"])]
    assert titles == ["Wrap in a Section", "Wrap 2 blocks in a Section", 'Remove Table "Orders"']
    wrapped = done(at, actions(at)[1])
    assert "R12" not in {one.rule for one in diagnose(read(wrapped))}
    assert wrapped.count('"type": "Section"') == 1
    assert "\n            " + "{\n" not in wrapped


def test_an_object_in_a_page_is_wrapped_line_by_line() -> None:
    text = broken_example(RULES["R12"])
    path = read(text).range_of(("pages", 0, "children", 0)).start
    at = opened(text[:path] + CURSOR + text[path:])
    once = done(at, next(action for action in actions(at) if action["title"].startswith("Wrap")))
    assert keys(once) == Counter()


def test_where_nothing_is_wrong_what_the_client_sends_along_counts() -> None:
    """Neovim sends the diagnostics of the whole line, independent of the cursor."""
    at = opened('{"version": "0.2", "me<|>ta": {}}')
    [item] = [one for one in sent(at) if one["code"] == "VERSION_MISMATCH"]
    assert actions(at, only=["quickfix"]) == []
    found = actions(at, only=["quickfix"], diagnostics=[item])
    assert [action["title"] for action in found] == ['Use "0.1" instead of "0.2"']
    assert found[0]["diagnostics"] == [item]


def sent(at: Opened) -> list[dict[str, Any]]:
    """Return the diagnostics as the client has received them, without fixes."""
    settings = at.server.settings_for(URI)
    items = to_diagnostics(at.document.diagnostics, URI, at.document.positions, settings)
    return json.loads(json.dumps(default_converter().unstructure(items)))  # type: ignore[no-any-return]


def test_only_what_is_asked_for_is_given() -> None:
    marked = DOCUMENT.replace('"tody"', '"to<|>dy"')
    at = opened(marked)
    every = {action["kind"] for action in actions(at, only=[""])}
    assert {"quickfix", "source.fixAll.rui"} >= every >= {"quickfix"}
    assert {action["kind"] for action in actions(at, only=["quickfix"])} == {"quickfix"}
    assert actions(at, only=["quickfix.other"]) == []
    assert actions(at, only=["source.organizeImports"]) == []
    assert {action["kind"] for action in actions(at, only=["refactor"])} <= {
        "refactor.extract.rui", "refactor.move.rui", "refactor.rewrite.delete.rui"
    }  # fmt: skip


def test_diagnostics_of_the_request_choose() -> None:
    text = DOCUMENT.replace('"Orders"', "7")
    at = opened(CURSOR + text)
    everything = actions(at, len(text), only=["quickfix"])
    items = {item["code"]: item for action in everything for item in action["diagnostics"]}
    assert len(items) > 2
    for code, item in items.items():
        for sent in (item, {name: item[name] for name in ("range", "code", "message")}):
            found = actions(at, len(text), only=["quickfix"], diagnostics=[sent])
            assert {one["code"] for action in found for one in action["diagnostics"]} == {code}


def test_changes_carry_the_version_where_the_client_can_tell() -> None:
    at = opened('{"version": "1.0"<|>}', {"workspace": {"workspaceEdit": {"documentChanges": True}}})
    (change,) = actions(at, only=["quickfix"])[0]["edit"]["documentChanges"]
    assert change["textDocument"] == {"uri": URI, "version": 7}


FAULTY = DOCUMENT.replace('"GET"', '"get"').replace("tody", "stock").replace('"stack"', '"Stack"')


def test_everything_safe_is_fixed_at_once() -> None:
    at = opened(FAULTY)
    (action,) = actions(at, only=["source.fixAll"])
    assert action["kind"] == "source.fixAll.rui"
    assert done(at, action) == DOCUMENT.replace("tody", "stock")
    # The action makes small edits instead of replacing the document, and a second run has no edits.
    assert sorted(edit["newText"] for edit in action["edit"]["changes"][URI]) == ['"GET"', '"stack"']
    assert actions(opened(done(at, action)), only=["source.fixAll"]) == []


def test_what_takes_longer_is_resolved_when_it_is_chosen() -> None:
    at = opened(FAULTY, RESOLVES)
    action = next(action for action in actions(at) if action["kind"] == "source.fixAll.rui")
    assert "edit" not in action
    assert done(at, at.ask("codeAction/resolve", action)) == DOCUMENT.replace("tody", "stock")
    at.change(8, [{"text": "{}"}])
    assert "edit" not in at.ask("codeAction/resolve", action)
    assert at.ask("codeAction/resolve", {"title": "x", "kind": "y", "data": 7}) == {
        "title": "x", "kind": "y", "data": 7
    }  # fmt: skip


def test_refactorings_are_offered() -> None:
    text = DOCUMENT.replace('"note"', '"no<|>te"')
    found = {action["title"]: action["kind"] for action in actions(opened(text), only=["refactor"])}
    assert found == {
        "Extract the Text into a new Section": "refactor.extract.rui", "Move the Text up": "refactor.move.rui",
        "Delete the Text": "refactor.rewrite.delete.rui",
    }  # fmt: skip


def test_nothing_makes_it_fall() -> None:
    every = {"range": {"start": START, "end": {"line": 99, "character": 99}}}
    check_survives("textDocument/codeAction", **every, context={"diagnostics": []})
    check_survives("textDocument/codeAction", **every, context={"only": ["source", "refactor"], "diagnostics": []})


def test_at_every_place_of_broken_texts() -> None:
    for text in broken_texts():
        at = opened(text)
        for at.cursor in range(0, len(text), 1 + len(text) // 25):
            for action in actions(at, only=["quickfix", "refactor"]):
                assert done(at, action) != text


def test_over_the_wire() -> None:
    with Client.start() as client:
        assert client.server["capabilities"]["codeActionProvider"]["resolveProvider"]
        client.open(URI, '{"version": 0.1}')
        place = {"start": {"line": 0, "character": 14}, "end": {"line": 0, "character": 14}}
        params = {"textDocument": {"uri": URI}, "range": place, "context": {"diagnostics": []}}
        found = client.request("textDocument/codeAction", params)
        assert [action["title"] for action in found if action["kind"] == "quickfix"] == ['Use "0.1"']
        action = {"title": "x", "kind": "source.fixAll.rui", "data": {"uri": URI, "version": 1}}
        resolved = client.request("codeAction/resolve", action)
        assert resolved["edit"]["changes"][URI][0]["newText"].startswith('"0.1", "meta"')
