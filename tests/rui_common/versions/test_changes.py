"""What changes between two versions: the sentences that a person would write, and that nothing is left out."""

import copy

import pytest
from hypothesis import given

from rui_common.version import RUI_VERSION
from rui_common.versions.changes import ChangeKind
from rui_common.versions.compare import compare, comparison_of
from rui_common.versions.match import match
from rui_common.versions.sentences import MAX_NAME, Mark, Verb, code, parts, plain, sentence_of, strong
from rui_common.vocabulary.kinds import ListKind, NodeKind
from rui_common.vocabulary.rui_0_1 import TEXT, node
from rui_common.vocabulary.schema import NodeRole, Prop, Shape, Vocabulary
from tests.rui_common.versions.truths import CLINIC, TRUTHS, Truth
from tests.support.later_version import LATER
from tests.support.strategies import texts


@pytest.mark.parametrize("truth", TRUTHS, ids=lambda truth: truth.name)
def test_sentences(truth: Truth) -> None:
    assert compare(truth.old, truth.new).summary.lines == truth.forth
    assert compare(truth.new, truth.old).summary.lines == truth.back


SIDES = Vocabulary(RUI_VERSION, Shape("RUI", "", [Prop("boards", ListKind(NodeKind(
    node("Board", NodeRole.LAYOUT, "", *(
        Prop(name, ListKind(NodeKind(TEXT, child="R13"), rule="R16"), "") for name in ("left", "right")
    )), child="R12"), rule="R8"), "")]), planned={})  # fmt: skip
"""A vocabulary whose nodes have two lists of nodes."""


def test_types_of_a_later_version_are_compared_without_code() -> None:
    gizmo = {"id": "c", "type": "Gizmo", "caption": "Curve", "series": [{"name": "a", "line": "solid"}],
             "source": {"verb": "FETCH", "from": "/x", "pick": "p"}, "note": "Day by day"}  # fmt: skip
    before = {"boards": [{"id": "b", "type": "Board", "name": "Main", "flow": "across", "blocks": [gizmo]}]}
    after = copy.deepcopy(before)
    [changed] = after["boards"][0]["blocks"]
    changed["source"] |= {"pick": "q", "sort": "up"}
    changed["series"][0]["line"] = "dotted"
    changed["series"].append({"name": "z"})
    changed["note"] = "Week by week"
    assert comparison_of(match(before, after, LATER, by_index=True)).summary.lines == [
        "**Curve** reads `q` instead of `p`.",
        "Series **z** is new in **Curve**.",
        "The sort of the source of **Curve** says “up” now.",
        "**Curve** says “Week by week” instead of “Day by day”.",
        "`line` of series **a** of **Curve** is “dotted” instead of “solid”.",
    ]


def test_a_node_moves_between_two_lists_of_a_node() -> None:
    text = {"id": "t", "type": "Text", "content": "x"}
    old = {"boards": [{"id": "b", "type": "Board", "left": [text], "right": []}]}
    new = {"boards": [{"id": "b", "type": "Board", "left": [], "right": [text]}]}
    comparison = comparison_of(match(old, new, SIDES, by_index=True))
    assert comparison.summary.lines == ["**“x”** moves from `left` to `right`."]


def test_each_screen_has_its_changes() -> None:
    [truth] = [truth for truth in TRUTHS if truth.name == "everything at once"]
    found = compare(truth.old, truth.new)
    screens = [
        (plain(screen.title), screen.kind, [plain(change.sentence) for change in screen.changes])
        for screen in found.screens
    ]
    assert screens == [
        ("page Reception", ChangeKind.CHANGED, [
            "Column Owner of Patients is now called Keeper.", "Keeper is the first column of Patients."]),
        ("page Overnight", ChangeKind.CHANGED, [
            "Page Ward is now called Overnight.", "Open bills reads /api/invoices instead of /api/bills.",
            "Open bills moves from page Pharmacy to page Overnight."]),
        ("page Contacts", ChangeKind.CHANGED, [
            "The text in section People says “Call first.” instead of “Call the reception first.”",
            "Vet on duty moves from page Reception to page Contacts."]),
        ("page Pharmacy", ChangeKind.REMOVED, ["Page Pharmacy is gone.", "Endpoint /api/medicines is no longer read."]),
    ]  # fmt: skip
    assert [(plain(change.sentence), change.topic) for change in found.hidden] == [
        ("pageId of navigation item Overnight is “overnight” instead of “ward”.", "renamed ids"),
        ("id of page Overnight is “overnight” instead of “ward”.", "renamed ids"),
    ]


def test_screens_without_a_change() -> None:
    found = compare(CLINIC, CLINIC)
    assert [(screen.kind, screen.changes) for screen in found.screens] == [(None, [])] * 4


def test_a_moved_node_changes_both_screens() -> None:
    [truth] = [truth for truth in TRUTHS if truth.name == "moved to another page"]
    kinds = [
        (plain(screen.title), screen.kind, len(screen.changes)) for screen in compare(truth.old, truth.new).screens
    ]
    assert kinds == [
        ("page Reception", ChangeKind.CHANGED, 0), ("page Ward", None, 0), ("page Pharmacy", None, 0),
        ("page Contacts", ChangeKind.CHANGED, 1),
    ]  # fmt: skip


@given(texts, texts)
def test_a_text_of_a_document_contains_no_mark(name: str, path: str) -> None:
    shown = " ".join(name.split())[:MAX_NAME]
    found = [*parts(sentence_of([f"x {strong(name)}"], Verb.READS, f"{code(path)} y"))]
    assert {mark for mark, _ in found} == {
        Mark.PLAIN,
        *([Mark.NAME] if shown else []),
        *([Mark.CODE] if path.strip() else []),
    }
    assert "".join(text for mark, text in found if mark is Mark.NAME).startswith(shown.rstrip())
    if path.strip():
        assert next(text for mark, text in found if mark is Mark.CODE).startswith(path[:MAX_NAME].rstrip())
