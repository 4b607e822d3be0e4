"""Documents with merge conflicts in an editor: one error, its quick fixes, and features that work on ours."""

import json

import pytest

from rui_common.syntax.document import read
from tests.rui_common.versions.merge_cases import BASE, CONFLICTS, OWNER, added, conflict, edited
from tests.rui_lsp.marked import actions, done, opened

OURS, THEIRS, MARKED, _ = CONFLICTS["one property"]
TEXT = edited(MARKED).replace("<<< ours", "<<< ou<|>rs")


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_one_error_with_two_choices(line_end: str) -> None:
    editor = opened(TEXT.replace("\n", line_end))
    found = {action["title"]: action for action in actions(editor, only=["quickfix"])}
    assert list(found) == ["Use ours", "Use theirs"]
    for title, edits in (("Use ours", OURS), ("Use theirs", THEIRS)):
        assert done(editor, found[title]) == edited(edits).replace("\n", line_end)
        (item,) = found[title]["diagnostics"]
        assert (item["code"], item["message"].split("\n")[0]) == (
            "INVALID_JSON",
            "Merge conflict between ours and theirs",
        )
        assert not found[title].get("isPreferred")


def test_both_of_two_added_elements() -> None:
    age, sex = ('{"key": "age"}', '{"key": "sex"}')
    text = BASE.replace(f"{OWNER}\n", f"{OWNER},\n{conflict(age, sex)}")
    editor = opened(text.replace("<<< ours", "<<< ou<|>rs"))
    (both,) = (action for action in actions(editor, only=["quickfix"]) if action["title"] == "Use both")
    assert read(done(editor, both)).value == json.loads(edited([added(OWNER, age, sex)]))


def test_fix_all_chooses_no_side() -> None:
    assert actions(opened(TEXT), only=["source.fixAll.rui"]) == []


def test_other_features_work_on_ours() -> None:
    editor = opened(edited(MARKED).replace('"label": "Ward"', '"label": "Wa<|>rd"'))
    names = json.dumps(editor.request("textDocument/documentSymbol"))
    assert "Night" in names
    assert "Day" not in names
