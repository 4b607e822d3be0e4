"""Code actions: their ranges, kinds and edits."""

import json
from typing import Any

import pytest
from pygls.exceptions import JsonRpcContentModified
from pygls.protocol import default_converter

from rui_common.describe.examples import minimal_example
from rui_common.fixes import fix_all
from rui_lsp.server import RuiLanguageServer
from rui_lsp.session.diagnostics import to_diagnostic
from tests.rui_lsp.conversation import URI as CONVERSATION_URI
from tests.rui_lsp.conversation import Conversation
from tests.rui_lsp.marked import DOCUMENT, URI, Opened, actions, done, opened
from tests.support.small import with_copy

RESOLVES = {"textDocument": {"codeAction": {"resolveSupport": {"properties": ["edit"]}}}}


def test_an_edit_that_fixes_several_faults_is_one_action() -> None:
    found = [action for action in actions(opened('<|>{\n  "version": "0.1"\n}')) if action["kind"] == "quickfix"]
    titles = [action["title"] for action in found]
    assert len(titles) == len(set(titles))
    [together] = [action for action in found if action["title"] == "Add all 3 missing properties"]
    assert [item["data"]["path"] for item in together["diagnostics"]] == ["meta", "navigation", "pages"]


@pytest.mark.parametrize("page", ['"st<|>ock"', '"Tody<|>"'], ids=["dangling", "malformed"])
def test_two_faults_with_the_same_edit_have_one_action_when_all_is_selected(page: str) -> None:
    editor = opened(DOCUMENT.replace('"stock"', page))
    editor.cursor = 0
    found = actions(editor, len(editor.text), only=["quickfix"])
    texts = [done(editor, action) for action in found]
    assert len(texts) == len(set(texts))
    assert found[0]["isPreferred"]
    assert {item["code"] for item in found[0]["diagnostics"]} >= {"INVALID_NAV_PAGE_ID", "ORPHAN_PAGE"}


PAGE_ID = {
    "safe": ('"to<|>dy"', '"today"', [
        ('Use "today"', True), ('Add a Page "tody"', False), ('Use "home" instead of "tody"', False),
        ('Remove navigation item "tody"', False)]),
    "of a page with another id, at its entry": ('"to<|>dy"', '"stock"', [
        ('Use "stock"', True), ('Add a Page "tody"', False), ('Use "home" instead of "tody"', False),
        ('Remove navigation item "tody"', False)]),
    "of a page with another id, at the page": ('"tody"', '"st<|>ock"', [
        ('Use "stock" instead of "tody"', True), ('Add an entry for "stock"', False)]),
}  # fmt: skip


@pytest.mark.parametrize(("used", "defined", "expected"), PAGE_ID.values(), ids=PAGE_ID)
def test_the_first_fix_is_preferred(used: str, defined: str, expected: list[tuple[str, bool]]) -> None:
    marked = DOCUMENT.replace('"tody"', used).replace('"stock"', defined)
    found = actions(opened(marked), only=["quickfix"])
    assert [(action["title"], action.get("isPreferred", False)) for action in found] == expected


def test_the_ids_of_a_copy_are_renamed() -> None:
    before, name, after = with_copy().rpartition('"main"')
    editor = opened(f"{before}<|>{name}{after}")
    found = actions(editor, only=["quickfix"])
    assert (found[0]["title"], found[0]["isPreferred"]) == ("Rename all repeated ids in this Page", True)
    assert done(editor, found[0]) == with_copy("-2")


METRIC = '{"id": "m", "type": "Metric<|>", "label": "M"}'


def binding_snippet(metric: str) -> dict[str, str]:
    capabilities = {"workspace": {"workspaceEdit": {"snippetEditSupport": True, "documentChanges": True}}}
    editor = opened(DOCUMENT.replace('{"id": "note"', f'{metric},\n{{"id": "note"'), capabilities)
    (action,) = (action for action in actions(editor) if action["title"] == 'Add "binding"')
    (edit,) = action["edit"]["documentChanges"][0]["edits"]
    snippet: dict[str, str] = edit["snippet"]
    return snippet


def test_an_inserted_address_is_a_tab_stop() -> None:
    snippet = binding_snippet(METRIC)
    assert '"path": "${1:/' in snippet["value"]
    assert '"valuePath": "${2:' in snippet["value"]
    assert snippet["kind"] == "snippet"


def test_the_client_adds_the_indentation_of_the_line() -> None:
    value = binding_snippet(METRIC.replace(", ", ",\n      ").replace("}", "\n    }"))["value"]
    assert value.startswith(',\n"binding": ')


def test_where_nothing_is_wrong_what_the_client_sends_along_counts() -> None:
    """Neovim sends the diagnostics of the whole line, independent of the cursor."""
    editor = opened('{"version": "0.2", "me<|>ta": {}}')
    [item] = [item for item in sent(editor) if item["code"] == "VERSION_MISMATCH"]
    assert actions(editor, only=["quickfix"]) == []
    found = actions(editor, only=["quickfix"], diagnostics=[item])
    assert [action["title"] for action in found] == ['Use "0.1" instead of "0.2"']
    assert found[0]["diagnostics"] == [item]


def sent(editor: Opened) -> list[dict[str, Any]]:
    """Return the diagnostics as the client has received them, without fixes."""
    settings = editor.server.settings_for(URI)
    items = [
        to_diagnostic(diagnostic, URI, editor.document.positions, settings)
        for diagnostic in editor.document.diagnostics
    ]
    return json.loads(json.dumps(default_converter().unstructure(items)))  # type: ignore[no-any-return]


FAULTY = DOCUMENT.replace('"GET"', '"get"').replace("tody", "stock").replace('"stack"', '"Stack"')


def test_everything_safe_is_fixed_at_once() -> None:
    editor = opened(FAULTY)
    (action,) = actions(editor, only=["source.fixAll"])
    assert action["kind"] == "source.fixAll.rui"
    assert done(editor, action) == DOCUMENT.replace("tody", "stock")
    # The action makes small edits instead of replacing the document, and a second run has no edits.
    assert sorted(edit["newText"] for edit in action["edit"]["changes"][URI]) == ['"GET"', '"stack"']
    assert actions(opened(done(editor, action)), only=["source.fixAll"]) == []


def test_what_takes_longer_is_resolved_when_it_is_chosen() -> None:
    editor = opened(FAULTY, RESOLVES)
    action = next(action for action in actions(editor) if action["kind"] == "source.fixAll.rui")
    assert "edit" not in action
    assert done(editor, editor.ask("codeAction/resolve", action)) == DOCUMENT.replace("tody", "stock")
    foreign = {"title": "of another server"}
    assert editor.ask("codeAction/resolve", foreign) == foreign
    editor.change(8, "{}")
    with pytest.raises(JsonRpcContentModified, match="the document has changed since"):
        editor.ask("codeAction/resolve", action)
    closed = action | {"data": action["data"] | {"uri": "file:///closed.rui.json"}}
    with pytest.raises(JsonRpcContentModified):
        editor.ask("codeAction/resolve", closed)


OLD = {"textDocument": {"codeAction": {"codeActionLiteralSupport": None}}, "workspace": {"applyEdit": True}}


@pytest.mark.parametrize(("text", "capabilities", "count"), [
    (FAULTY, OLD, 1), (DOCUMENT.replace("tody", "stock"), OLD, 0), (FAULTY, OLD | {"workspace": {}}, 0),
])  # fmt: skip
def test_a_client_without_action_literals_gets_commands(text: str, capabilities: Any, count: int) -> None:
    client = Conversation(capabilities)
    client.results["workspace/applyEdit"] = {"applied": True}
    client.open(text)
    start = {"line": 0, "character": 0}
    params = {"textDocument": {"uri": CONVERSATION_URI}, "range": {"start": start, "end": start}}
    found: Any = client.request("textDocument/codeAction", params | {"context": {"diagnostics": []}})
    assert [sorted(command) for command in found] == [["arguments", "command", "title"]] * count
    for command in found:
        assert client.run(command["command"], *command["arguments"])["fixed"] > 0


@pytest.mark.parametrize(("work", "note"), [(10, fix_all.NONE_IS_SAFE), (600, fix_all.FIXED_IN_PART)])
def test_the_author_is_told_that_there_is_more(work: int, note: str, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[str] = []
    monkeypatch.setattr(RuiLanguageServer, "show_message", lambda _, __, message: shown.append(message))
    monkeypatch.setattr(fix_all, "MAX_CHARACTERS", work)
    editor = opened(FAULTY, RESOLVES)
    action = next(action for action in actions(editor) if action["kind"] == "source.fixAll.rui")
    assert shown == []
    editor.ask("codeAction/resolve", action)
    assert shown == [note]
    actions(editor, only=["source.fixAll"])
    assert shown == [note, note]


def test_no_kinds_are_all_kinds() -> None:
    editor = opened(FAULTY.replace('"id"', '<|>"id"', 1), RESOLVES)
    every = actions(editor)
    assert {action["kind"] for action in every} >= {"source.fixAll.rui"}
    assert actions(editor, only=[]) == every
    assert actions(editor, only=["source.organizeImports"]) == []


def test_a_reversed_range_has_the_actions_of_the_range() -> None:
    found = actions(opened(f"<|>{FAULTY}"), len(FAULTY), only=["quickfix"])
    assert found
    assert actions(opened(f"{FAULTY}<|>"), 0, only=["quickfix"]) == found


def test_refactorings_are_offered() -> None:
    text = DOCUMENT.replace('"note"', '"no<|>te"')
    found = {action["title"]: action["kind"] for action in actions(opened(text), only=["refactor"])}
    assert found == {
        "Extract the Text into a new Section": "refactor.extract.rui", "Move the Text up": "refactor.move.rui",
        "Duplicate the Text": "refactor.rewrite.duplicate.rui",
    }  # fmt: skip
    text = DOCUMENT.replace('"orders"', '"<|>other"')
    found = {action["title"]: action["kind"] for action in actions(opened(text), only=["refactor.rewrite.id"])}
    assert found == {'Derive the id from the title: "orders"': "refactor.rewrite.id.rui"}


def test_the_cursor_follows_where_the_client_can_show_a_place() -> None:
    text = DOCUMENT.replace('"note"', '"no<|>te"')
    editor = opened(text, {"window": {"showDocument": {"support": True}}})
    commands = {action["title"]: action.get("command") for action in actions(editor, only=["refactor"])}
    path = "pages[0].children[0].children[2]"
    assert commands["Duplicate the Text"] == {
        "title": "Duplicate the Text", "command": "rui.showNode", "arguments": [{"uri": URI, "path": path}],
    }  # fmt: skip
    assert commands["Extract the Text into a new Section"]["arguments"] == [
        {"uri": URI, "path": "pages[0].children[1]"}
    ]
    assert commands["Move the Text up"] is None
    assert [action for action in actions(opened(text), only=["refactor"]) if "command" in action] == []


def test_several_faults_have_a_quick_fix_for_all() -> None:
    editor = opened(FAULTY.replace('"Stack"', '"<|>Stack"'), RESOLVES)
    (action,) = [action for action in actions(editor, only=["quickfix"]) if action["title"].startswith("Fix all")]
    assert action["title"] == "Fix all 2 problems that are safe to fix"
    assert done(editor, editor.ask("codeAction/resolve", action)) == DOCUMENT.replace("tody", "stock")
    editor = opened(
        json.dumps(minimal_example()).replace('"Page"', '"P<|>aeg"').replace('"stack"', '"Stack"'), RESOLVES
    )
    assert [action["title"] for action in actions(editor, only=["quickfix"])][-1] == "Fix all 2 problems"
    many = opened('{"pages": [' + '{"id": "a", "tpye": 1}, ' * 20 + '{"id": "b", "type": "P<|>aeg"}]}', RESOLVES)
    assert [action["title"] for action in actions(many, only=["quickfix"])][-1] == "Fix all that is safe to fix"
    editor = opened(FAULTY.replace('"Stack"', '"<|>Stack"'))
    titles = [action["title"] for action in actions(editor, only=["quickfix"])]
    assert titles == ['Use "stack"', 'Use "row" instead of "Stack"']


NO_FIX_ALL = {
    "where nothing is wrong": FAULTY.replace('"0.1"', '"0<|>.1"'),
    "of one": DOCUMENT.replace('"stack"', '"Sta<|>ck"'),
    "that are not safe": '{"version": 2, "meta": {}, <|>"pages": []}',
}


MENU_WITH_FIX_ALL = {
    "a quick fix where there are several": (FAULTY.replace('"get"', '"g<|>et"'), ["quickfix"]),
    "an action of the source elsewhere": (FAULTY.replace('"0.1"', '"0<|>.1"'), ["source.fixAll.rui"]),
    "the only one": (DOCUMENT.replace('"stack"', '"Sta<|>ck"'), ["source.fixAll.rui"]),
    "none is safe": ('{"version": 2, "meta": {}, <|>"pages": []}', []),
    "none is wrong": (DOCUMENT.replace('"0.1"', '"0<|>.1"'), []),
}


@pytest.mark.parametrize(("marked", "kinds"), MENU_WITH_FIX_ALL.values(), ids=MENU_WITH_FIX_ALL)
def test_a_menu_of_all_kinds_fixes_everything_at_most_once(marked: str, kinds: list[str]) -> None:
    """Neovim shows such a menu. No entry of it is without effect."""
    found = [item for item in actions(opened(marked, RESOLVES)) if item["title"].startswith("Fix all")]
    assert [item["kind"] for item in found] == kinds


@pytest.mark.parametrize("marked", NO_FIX_ALL.values(), ids=NO_FIX_ALL)
def test_there_is_no_fix_for_all(marked: str) -> None:
    titles = [action["title"] for action in actions(opened(marked, RESOLVES), only=["quickfix"])]
    assert [title for title in titles if title.startswith("Fix all")] == []
