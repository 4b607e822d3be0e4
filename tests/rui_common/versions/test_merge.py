"""Merging by identity: each case is a base and what both sides replace in its text, with the text that results."""

import json
import random
from collections.abc import Callable

import pytest

from rui_common.editing.edits import WIDTH
from rui_common.syntax.conflicts import Markers
from rui_common.syntax.document import read
from rui_common.versions.merge import CannotMergeError, merge
from rui_common.versions.merge_order import merge_order
from tests.inputs.histories import KINDS
from tests.inputs.merging import check, choose
from tests.rui_common.versions.merge_cases import (
    BASE,
    CONFLICTS,
    MERGED,
    NEW,
    NOTE,
    OWNER,
    STAFF_LINK,
    TREES,
    VET,
    WARD_TITLE,
    added,
    document_of,
    edited,
)
from tests.support.nightly import seeds


@pytest.mark.parametrize("name", MERGED)
def test_changes_of_both_sides(name: str) -> None:
    ours, theirs, result = MERGED[name]
    merged = merge(read(BASE), read(edited(ours)), read(edited(theirs)))
    assert merged.text == edited(result)
    assert merged.conflicts == merged.errors == ()


@pytest.mark.parametrize(
    ("ours", "theirs", "merged"),
    [
        ("bcadef", "abecdf", "becadf"),  # A cycle: a after c, c after e, and both have a before e.
        ("bacd", "abdc", "badc"),
        ("bcda", "abdc", "bdca"),
        ("dabc", "bacd", "dbac"),
        ("bacd", "acbd", "cbad"),
        ("xabcd", "abcdx", "xabcd"),  # moved to two places,
    ],
)
def test_both_sides_reorder(ours: str, theirs: str, merged: str) -> None:
    assert merge_order(sorted(ours, key="abxcdef".index), [*ours], [*theirs], prefer_ours=True) == [*merged]


@pytest.mark.parametrize("number", [10, 77, 600])
def test_a_list_that_both_sides_sort_is_one_conflict(number: int) -> None:
    chance = random.Random(number)
    columns = [[f"column {index}" for index in range(number)] for _ in range(3)]
    for side in columns[1:]:
        chance.shuffle(side)
    merged = merge(*(read(json.dumps(document_of({"p": {"s": {"t": [*column]}}}), indent=2)) for column in columns))
    assert merged.conflicts == ("The table t: columns: sorted in two ways",)
    assert len(read(merged.text).conflicts) == 1
    for side in (0, 1):
        assert choose(merged.text, side).value == document_of({"p": {"s": {"t": [*columns[side + 1]]}}})


def metrics(*names: str) -> str:
    """Return a document with metrics that are the same but for their ids, and what follows a space."""
    blocks = [
        {"id": name[0], "type": "Metric", "label": f"Open bills{name[1:]}", "binding": {"path": "/api/bills"}}
        for name in names
    ]
    document = document_of({"p": {"s": {}}})
    document["pages"][0]["children"][0]["children"] = blocks
    return json.dumps(document, indent=2)


@pytest.mark.parametrize(("base", "ours", "theirs", "result"), [
    (["a"], ["c", "d"], ["a now"], "Metric Open bills (a): 2 metrics of ours could be it, changed in theirs"),
    (["a", "b"], ["c"], ["a now", "b"], "Metric Open bills (a): 1 metric of ours could be it, changed in theirs"),
    (["a", "b"], ["c"], ["b"], ["c"]), (["a", "b"], ["c"], ["a"], ["c"]), (["a", "b"], ["c"], ["a", "b"], ["c"]),
    (["a", "b"], ["c", "d"], ["a now", "b"], ["c now", "d"]),
])  # fmt: skip
def test_a_new_id_that_could_be_that_of_several(
    base: list[str], ours: list[str], theirs: list[str], result: list[str] | str
) -> None:
    merged = merge(*(read(metrics(*side)) for side in (base, ours, theirs)))
    if isinstance(result, str):
        assert merged.conflicts == (result,)
        assert choose(merged.text, 0).text == metrics(*ours)
    else:
        assert (merged.text, merged.conflicts) == (metrics(*result), ())


@pytest.mark.parametrize("name", CONFLICTS)
def test_what_a_person_must_decide(name: str) -> None:
    ours, theirs, result, words = CONFLICTS[name]
    sides = [edited(ours), edited(theirs)]
    merged = merge(read(BASE), *map(read, sides))
    assert merged.text == edited(result)
    assert list(merged.conflicts) == words
    assert [choose(merged.text, number).value for number in (0, 1)] == [read(side).value for side in sides]


def test_each_side_changes_what_the_other_deletes() -> None:
    """Both members are one conflict: no member that both choices have is between them."""
    metas = [{"title": "a", "area": 1}, {"title": "b"}, {"area": 2}]
    documents = [json.loads(BASE) | {"meta": meta} for meta in metas]
    merged = merge(*(read(json.dumps(document, indent=2)) for document in documents))
    block = ["<<<<<<< ours", '    "title": "b"', "=======", '    "area": 2', ">>>>>>> theirs", "  },"]
    assert "\n".join(['  "meta": {', *block]) in merged.text
    assert [choose(merged.text, number).value for number in (0, 1)] == documents[1:]


@pytest.mark.parametrize("order", [[0, 1], [1, 0]], ids=["forwards", "backwards"])
@pytest.mark.parametrize("name", TREES)
def test_where_elements_are(name: str, order: list[int]) -> None:
    base, *sides, results = TREES[name]
    documents = [base, *(sides[index] for index in order)]
    merged = merge(*(read(json.dumps(document_of(document), indent=2)) for document in documents))
    assert bool(merged.conflicts) == (len(results) > 1)
    chosen = [choose(merged.text, number) for number in (0, 1)]
    assert all(document.valid for document in chosen)
    assert [document.value for document in chosen] == [document_of(results[index % len(results)]) for index in order]


def test_an_error_that_neither_side_has() -> None:
    start = BASE.index('    {\n      "id": "staff"')
    theirs = edited([(f",\n      {STAFF_LINK}", "")], BASE[: start - 2] + "\n  ]\n}\n")
    ours = edited([added(STAFF_LINK, '{ "pageId": "staff", "label": "Rota" }')])
    merged = merge(read(BASE), read(ours), read(theirs))
    assert merged.conflicts == ()
    assert [error.message for error in merged.errors] == ['Navigation pageId "staff" does not match any page.']
    assert read(merged.text).valid


def test_an_error_of_a_side_is_not_new() -> None:
    ours = edited([('"direction": "row"', '"direction": "up"')])
    theirs = edited([('"id": "beds"', '"id": "places"')])
    assert merge(read(BASE), read(ours), read(theirs)).errors == ()


@pytest.mark.parametrize(("old", "why"), [
    ("{", "theirs is not JSON, line 2, column 3"), ('"version": "0.1",', "theirs is not JSON, line 3, column 3"),
    ('"version": "0.1",', 'theirs has the property version twice, line 2'),
])  # fmt: skip
def test_a_side_that_cannot_be_merged(old: str, why: str) -> None:
    new = '"version": "0.1"' if "twice" not in why else f"{old} {old}"
    theirs = BASE.replace(old, "" if old == "{" else new, 1)
    with pytest.raises(CannotMergeError, match=why):
        merge(read(BASE), read(edited([(WARD_TITLE, '"title": "X"')])), read(theirs))


@pytest.mark.parametrize(("theirs", "why"), [
    ("[]", "theirs is no JSON object"), (edited(CONFLICTS["one property"][2]), "theirs has conflict markers"),
])  # fmt: skip
def test_theirs_is_no_document(theirs: str, why: str) -> None:
    with pytest.raises(CannotMergeError, match=f"^{why}$"):
        merge(read(BASE), read(edited([(WARD_TITLE, '"title": "X"')])), read(theirs))


def test_an_element_without_a_name_is_called_by_its_content() -> None:
    nameless = '{"type": "Section", "children": [{"id": "x", "type": "Text", "content": "1"}]}'
    base = edited([added(VET, nameless)])
    merged = merge(read(base), read(base.replace('"x"', '"y"')), read(BASE))
    assert merged.conflicts == ("The section with “1”: changed in ours, deleted in theirs",)


def test_elements_with_one_name_have_their_ids() -> None:
    twin = '{"id": "twin", "type": "Text", "content": "Rounds at eight."}'
    base = edited([added(NOTE, twin)])
    ours, theirs = (base.replace(NOTE, NOTE.replace("eight", hour)) for hour in ("nine", "ten"))
    merged = merge(read(base), read(ours), read(theirs))
    assert merged.conflicts == ("Text “Rounds at eight.” (note): changed in two ways",)


@pytest.mark.parametrize("new", [NEW, (NEW[0], NEW[0])], ids=["two contents", "one content"])
def test_one_id_is_added_at_two_places(new: tuple[str, str]) -> None:
    merged = merge(read(BASE), read(edited([added(VET, new[0])])), read(edited([added(NOTE, new[1])])))
    assert merged.conflicts == ("Text “1”: both sides add it, at two places; choose the same side at each",)
    assert [choose(merged.text, number).text.count('"id": "new"') for number in (0, 1)] == [1, 1]


# Name of a conflict, whose text is the base → what the sides choose, and the conflicts that are left.
CRISS_CROSS: dict[str, tuple[str, int, int, list[str]]] = {
    "both choose the same": ("one property", 0, 0, []),
    "each chooses another one": ("one property", 0, 1, ['Page Night: title: changed in two ways']),
    "an element is kept and deleted": (
        "changed and deleted", 0, 1, ['Text “Rounds at nine.”: changed in ours, deleted in theirs'],
    ),
    "an element is deleted and kept": (
        "changed and deleted", 1, 0, ['Text “Rounds at nine.”: deleted in ours, changed in theirs'],
    ),
    "an object": ("an object on one line", 1, 0, ['Table Patients: binding: changed in two ways']),
}  # fmt: skip


@pytest.mark.parametrize("name", CRISS_CROSS)
def test_the_choices_of_a_base_in_conflict_count_as_changes(name: str) -> None:
    """In a criss-cross merge, git passes a base with markers."""
    conflict_name, ours, theirs, words = CRISS_CROSS[name]
    base = edited(CONFLICTS[conflict_name][2])
    sides = [choose(base, side).text for side in (ours, theirs)]
    merged = merge(read(base), read(edited([('"label": "A"', '"label": "Ada"')], sides[0])), read(sides[1]))
    assert list(merged.conflicts) == words
    assert '"label": "Ada"' in merged.text


@pytest.mark.parametrize("base", [None, "", "[]", "no JSON"])
def test_both_add_the_document(base: str | None) -> None:
    theirs = edited([added(STAFF_LINK, '{ "pageId": "ward", "label": "Again" }'), (WARD_TITLE, '"title": "X"')])
    merged = merge(None if base is None else read(base), read(BASE), read(theirs))
    assert merged.conflicts == ("Page Ward: title: added in two ways",)
    assert '"label": "Again"' in choose(merged.text, 0).text


@pytest.mark.parametrize("change", [
    lambda text: text.replace("\n", "\r\n"), lambda text: "\ufeff" + text, lambda text: text.replace("  ", "\t"),
])  # fmt: skip
def test_the_layout_is_that_of_ours(change: Callable[[str], str]) -> None:
    for name in ("both add at one place", "a block on several lines"):
        ours, theirs, result = MERGED[name]
        assert merge(read(BASE), read(change(edited(ours))), read(edited(theirs))).text == change(edited(result))
    ours, theirs, result, _ = CONFLICTS["one property"]
    assert merge(read(BASE), read(change(edited(ours))), read(edited(theirs))).text == change(edited(result))


def test_an_element_of_theirs_has_the_lines_of_ours() -> None:
    column = '{\n                  "key": "age"\n                }'
    ours, theirs = [(WARD_TITLE, '"title": "X"')], [added(OWNER, column)]
    merged = merge(read(BASE), read(edited(ours).replace("\n", "\r\n")), read(edited(theirs)))
    assert merged.text == edited([*ours, *theirs]).replace("\n", "\r\n")
    merged = merge(read(BASE), read(edited(ours)), read(edited(theirs).replace("  ", "\t")))
    assert merged.text == edited([*ours, added(OWNER, '{"key": "age"}')])


@pytest.mark.parametrize("length", [WIDTH, WIDTH + 1])
def test_a_line_of_theirs_is_kept_up_to_the_width(length: int) -> None:
    column = '{"key":"age","label":""}'.replace('""', f'"{"x" * (length - 24)}"')
    merged = merge(read(BASE), read(edited([(WARD_TITLE, '"title": "X"')])), read(edited([added(OWNER, column)])))
    assert len(column) == length
    assert (column in merged.text) == (length == WIDTH)


def test_markers_have_line_ends_that_git_knows() -> None:
    ours, theirs, _, words = CONFLICTS["one property"]
    merged = merge(*(read(text.replace("\n", "\r")) for text in (BASE, edited(ours), edited(theirs))))
    assert list(merged.conflicts) == words
    assert [choose(merged.text, number).value for number in (0, 1)] == [
        read(edited(side)).value for side in (ours, theirs)
    ]


def test_a_side_without_a_change_leaves_the_other_one_as_it_is() -> None:
    changed = json.dumps(json.loads(edited([(WARD_TITLE, '"title": "X"')])), indent="\t")
    assert merge(read(BASE), read(BASE), read(changed)).text == changed
    assert merge(read(BASE), read(changed), read(BASE)).text == changed


def test_a_document_on_one_line_stays_on_it() -> None:
    ours, theirs, result = MERGED["both add at one place"]
    compact = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
    texts = [compact(json.loads(text)) for text in (BASE, edited(ours), edited(result))]
    assert merge(read(texts[0]), read(texts[1]), read(edited(theirs))).text == texts[2]


def test_markers_in_a_document_on_one_line() -> None:
    ours, theirs, _, words = CONFLICTS["one property"]
    documents = [read(text.replace("\n", " ")) for text in (BASE, edited(ours), edited(theirs))]
    merged = merge(documents[0], documents[1], documents[2], Markers(9))
    assert list(merged.conflicts) == words
    assert (
        '"type": "Page",\n<<<<<<<<< ours\n"title": "Night",\n=========\n"title": "Day",\n>>>>>>>>> theirs\n'
        in merged.text
    )
    assert choose(merged.text, 1).value == read(edited(theirs)).value


@pytest.mark.parametrize("kind", ["", *KINDS])
@pytest.mark.parametrize("seed", seeds(5))
def test_laws_on_random_histories(seed: int, kind: str) -> None:
    """tests/inputs/merging.py checks thousands."""
    check(seed, kind)
