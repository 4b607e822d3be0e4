"""Hints that mend: what is written as a hint says brings no other fault with it.

`benchmarks/agent_loop.py` has a client that knows nothing but the answers; here it has fewer documents.
"""

import json
from itertools import islice

import pytest

from benchmarks.agent_loop import ALL, MOST_ROUNDS, apply, share, trials
from rui_common.catalog import MAX_ERRORS
from rui_common.findings import Finding
from rui_common.remedies import Given, NewName, freed
from rui_common.validator import validate

TEXT = {"id": "note", "type": "Text", "content": "x"}
SECTION = {"id": "main", "type": "Section", "direction": "row", "children": [TEXT]}
BINDING = {"type": "read", "method": "GET", "path": "/orders"}


def document(*pages: object, items: object = None) -> dict[str, object]:
    linked = [{"pageId": page["id"]} for page in pages if isinstance(page, dict) and "id" in page]
    navigation = {"items": linked if items is None else items}
    return {"version": "0.1", "meta": {}, "navigation": navigation, "pages": list(pages)}


def page(*sections: object, name: str = "home") -> dict[str, object]:
    return {"id": name, "type": "Page", "title": "Home", "children": list(sections)}


def table(**props: object) -> dict[str, object]:
    return page(SECTION | {"children": [{"id": "orders", "type": "Table", "binding": BINDING} | props]})


def post(value: object) -> dict[str, object]:
    findings = list(islice(validate(json.loads(json.dumps(value))), MAX_ERRORS))
    return {"valid": not findings, "errors": [finding.to_item() for finding in findings]}


@pytest.mark.parametrize(
    ("value", "said"),
    {
        "a block without a section is wrapped": (
            document(page(TEXT | {"id": "section-1"})),
            'Wrap it: {"id": "section-2", "type": "Section", "direction": "stack", "children": […]}.'),
        "a section in a section is taken out of the way": (
            document(page(SECTION | {"children": [SECTION | {"id": "inner"}]})), "Put its `children` in its place."),
        "a page that nothing opens is linked": (
            document(page(SECTION), page(SECTION | {"id": "b", "children": [TEXT | {"id": "c"}]}, name="more"),
                     items=[{"pageId": "home"}]),
            'Add {"pageId": "more"} to navigation.items.'),
        "an id has to be free": (
            document(page(SECTION | {"children": [TEXT, TEXT | {"id": "note-2"}, TEXT]})), 'For example "note-3".'),
        "an example brings free ids": (
            document(page(SECTION | {"id": "text-1", "children": []})), '[{"id": "text-2", "type": "Text"'),
        "a lost page is the one that is waited for": (
            document(items=[{"pageId": "home"}, {"pageId": "more"}]), '{"id": "more", "type": "Page"'),
        "columns that are lost are those that the filter needs": (
            document(table(filter={"field": "state"})), '{"key": "state"}'),
        "a filter that is lost gets a column that is there": (
            document(table(columns=[{"key": "age"}], filter={})), '"field": "age"'),
        "an item without a page gets the one that nothing opens": (
            document(page(SECTION), items=[{}]), '"pageId": "home"'),
        "a page id of another form is the name that is waited for": (
            document(page(SECTION, name="Home Page"), items=[{"pageId": "start"}]), 'For example "start".'),
        "a name that waits for it is right": (
            document(page(SECTION, name="Home Page"), items=[{"pageId": "start"}]), "Mend pages[0].id first."),
        "properties say more than a misspelt type": (
            document(page(SECTION | {"children": [TEXT | {"type": "Table2"}]})), 'For example "Text". Got "Table2".'),
        "a path is made absolute": (
            document(table(columns=[{"key": "age"}], binding=BINDING | {"path": "orders"})), 'For example "/orders".'),
        "a planned block keeps its id": (
            document(page(SECTION | {"children": [{"id": "send", "type": "Button"}]})), '{"id": "send", "type": "T'),
    }.values(),
)  # fmt: skip
def test_a_hint_gives_the_text_to_write(value: object, said: str) -> None:
    answer = post(value)
    assert any(said in item["hint"] for item in answer["errors"]), answer["errors"]
    mended = json.loads(json.dumps(value))
    for item in reversed(answer["errors"]):
        apply(mended, item)
    assert post(mended) == {"valid": True, "errors": []}


@pytest.mark.parametrize("name", ["rui", "document", "", "a.b"])
def test_a_document_within_an_object_is_taken_out_whole(name: str) -> None:
    sound = document(page(SECTION))
    wrapped = {name: sound}
    answer = post(wrapped)
    codes = [item["code"] for item in answer["errors"]]
    assert (len(codes), codes[-1]) == (5, "UNKNOWN_PROP")
    assert not any("For example" in item["hint"] for item in answer["errors"])
    for item in reversed(answer["errors"]):
        apply(wrapped, item)
    assert wrapped == sound


@pytest.mark.parametrize("value", [
    document() | {"rui": document()}, {"a": document(), "b": document()}, {"rui": {"version": "0.1"}},
    {"rui": [document()]},
])  # fmt: skip
def test_nothing_is_taken_out_where_that_is_not_clearly_meant(value: object) -> None:
    assert not any("put the value of" in item["hint"] for item in post(value)["errors"])


def test_two_hints_of_one_answer_never_give_the_same_name_away() -> None:
    value = document(page(SECTION | {"children": [TEXT, TEXT, TEXT]}))
    assert [item["hint"].partition(". ")[2].partition(".")[0] for item in post(value)["errors"]] == [
        'For example "note-2"', 'For example "note-3"',
    ]  # fmt: skip


def test_many_hints_of_one_stem_are_worded_without_trying_every_number_again() -> None:
    """5,000 names of one stem: each goes on where the one before it ended."""
    asked = 0

    class Counting(set[str]):
        def __contains__(self, name: object) -> bool:
            nonlocal asked
            asked += 1
            return super().__contains__(name)

    given = Given()
    given.names = Counting()
    names = [freed(NewName("note"), (), given) for _ in range(5_000)]
    assert len(set(names)) == 5_000
    assert asked <= 2 * 5_000


def test_asking_twice_gives_the_same_hint() -> None:
    findings: list[Finding] = list(validate(document(page(SECTION | {"children": [TEXT, TEXT]}))))
    assert findings[0].hint() == findings[0].hint()


def test_most_single_faults_are_mended_by_the_hint_alone() -> None:
    """The limit of the benchmark, over fewer documents."""
    single, _ = trials(post, range(300), 1)
    several, _ = trials(post, range(300, 400), 5)
    assert share(single[ALL]) >= 0.95
    assert max(*single[ALL], *several[ALL]) <= MOST_ROUNDS
