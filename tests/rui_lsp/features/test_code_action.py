"""Code actions: their ranges, kinds and edits."""

import json
from typing import Any

from pygls.protocol import default_converter

from rui_lsp.session.diagnostics import to_diagnostic
from tests.rui_lsp.marked import DOCUMENT, URI, Opened, opened

RESOLVES = {"textDocument": {"codeAction": {"resolveSupport": {"properties": ["edit"]}}}}


def actions(at: Opened, end: int | None = None, **context: Any) -> list[dict[str, Any]]:
    """Return the actions from the cursor to an offset, by default at the cursor alone."""
    line, character = at.document.positions.position(at.cursor if end is None else end)
    params = at.params(context={"diagnostics": [], **context})
    params["range"] = {"start": params["position"], "end": {"line": line, "character": character}}
    found = at.ask("textDocument/codeAction", params)
    assert found is not None
    return found


def done(at: Opened, action: dict[str, Any]) -> str:
    assert list(action["edit"]["changes"]) == [URI]
    return at.with_edits(action["edit"]["changes"][URI])


def test_an_edit_that_fixes_several_faults_is_one_action() -> None:
    found = [action for action in actions(opened('<|>{\n  "version": "0.1"\n}')) if action["kind"] == "quickfix"]
    titles = [action["title"] for action in found]
    assert len(titles) == len(set(titles))
    [together] = [action for action in found if action["title"] == "Add all 3 missing properties"]
    assert [item["data"]["path"] for item in together["diagnostics"]] == ["meta", "navigation", "pages"]


def test_a_quick_fix_is_preferred_when_it_is_safe() -> None:
    marked = DOCUMENT.replace('"tody"', '"to<|>dy"').replace('"stock"', '"today"')
    found = {action["title"]: action.get("isPreferred", False) for action in actions(opened(marked))}
    assert found == {
        'Use "today"': True, 'Add a Page "tody"': False, 'Use "home" instead of "tody"': False,
        "Remove navigation item 2": False,
    }  # fmt: skip


METRIC = '{"id": "m", "type": "Metric<|>", "label": "M"}'


def test_an_inserted_address_is_a_tab_stop() -> None:
    capabilities = {"workspace": {"workspaceEdit": {"snippetEditSupport": True, "documentChanges": True}}}
    at = opened(DOCUMENT.replace('{"id": "note"', f'{METRIC},\n{{"id": "note"'), capabilities)
    (action,) = (one for one in actions(at) if one["title"] == 'Add "binding"')
    (edit,) = action["edit"]["documentChanges"][0]["edits"]
    assert '"path": "${1:/' in edit["snippet"]["value"]
    assert '"valuePath": "${2:' in edit["snippet"]["value"]
    assert edit["snippet"]["kind"] == "snippet"


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
    items = [to_diagnostic(one, URI, at.document.positions, settings) for one in at.document.diagnostics]
    return json.loads(json.dumps(default_converter().unstructure(items)))  # type: ignore[no-any-return]


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
    at.change(8, "{}")
    assert "edit" not in at.ask("codeAction/resolve", action)


def test_a_reversed_range_has_the_actions_of_the_range() -> None:
    found = actions(opened(f"<|>{FAULTY}"), len(FAULTY), only=["quickfix"])
    assert found
    assert actions(opened(f"{FAULTY}<|>"), 0, only=["quickfix"]) == found


def test_refactorings_are_offered() -> None:
    text = DOCUMENT.replace('"note"', '"no<|>te"')
    found = {action["title"]: action["kind"] for action in actions(opened(text), only=["refactor"])}
    assert found == {
        "Extract the Text into a new Section": "refactor.extract.rui", "Move the Text up": "refactor.move.rui",
        "Delete the Text": "refactor.rewrite.delete.rui",
    }  # fmt: skip
