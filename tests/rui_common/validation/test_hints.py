"""Hints that fix: a change that follows a hint causes no other error.

The client, `benchmarks/hint_client.py`, knows only the responses of the service. Here it fixes fewer documents.
"""

import json
import re
from collections.abc import Callable
from itertools import islice

import pytest

from benchmarks.agent_loop import (
    ALL,
    KEPT,
    LOST,
    share,
    text_trials,
    trials,
)
from benchmarks.breaking_text import TEXT_BREAKS
from benchmarks.hint_client import MAX_ROUNDS, fix, fixed_text
from rui_common.syntax.document import read
from rui_common.validation.diagnostics import root_fault, where_broken
from rui_common.validation.findings import Finding
from rui_common.validation.free_names import FreshIdPlaceholder, with_free_ids
from rui_common.validation.model import SuggestedNames
from rui_common.validation.run import validate
from rui_common.vocabulary.rules import MAX_ERRORS

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
            document(page(SECTION | {"children": [TEXT, SECTION | {"id": "inner", "children": [TEXT | {"id": "b"}]}]})),
            "Replace it by its `children`."),
        "a section with nothing but sections is taken out of the way": (
            document(page(SECTION | {"children": [SECTION | {"id": "a"}, SECTION | {"id": "b", "children": [
                TEXT | {"id": "c"}]}]})),
            "Replace pages[0].children[0] by its `children`."),
        "a page that nothing opens is linked": (
            document(page(SECTION), page(SECTION | {"id": "b", "children": [TEXT | {"id": "c"}]}, name="more"),
                     items=[{"pageId": "home"}]),
            'Add {"pageId": "more"} to navigation.items.'),
        "what is missing within the document is no key of its root": (
            document(page({"id": "a", "type": "Section", "direction": "row", "children": [TEXT | {"type": "Text"}]},
                          {"id": "b", "type": "Section", "children": [TEXT | {"id": "c"}]})),
            "`title`, `direction`, `children`. For example \"direction\": \"stack\"."),
        "what comes of a wrong type alone waits for that": (
            document(page(SECTION) | {"type": "Section"}), "Fix pages[0].type first."),
        "a column that is lost is the one that the filter needs": (
            document(table(columns=[{"key": None}], filter={"field": "state"})), 'For example "state".'),
        "columns that are lost stand there once": (
            document(table(columns=[], filter={"field": "status"})), '"columns": [{"key": "status"}].'),
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
            document(page(SECTION, name="Home Page"), items=[{"pageId": "start"}]), "Fix pages[0].id first."),
        "properties say more than a misspelt type": (
            document(page(SECTION | {"children": [TEXT | {"type": "Table2"}]})), 'Write "Text" instead of "Table2".'),
        "a path is made absolute": (
            document(table(columns=[{"key": "age"}], binding=BINDING | {"path": "orders"})), 'For example "/orders".'),
        "a planned block keeps its id": (
            document(page(SECTION | {"children": [{"id": "send", "type": "Button"}]})), '{"id": "send", "type": "T'),
    }.values(),
)  # fmt: skip
def test_a_hint_gives_the_text_to_write(value: object, said: str) -> None:
    answer = post(value)
    assert any(said in item["hint"] for item in answer["errors"]), answer["errors"]
    fixed = json.loads(json.dumps(value))
    fix(fixed, answer["errors"])
    assert post(fixed) == {"valid": True, "errors": []}


@pytest.mark.parametrize("name", ["rui", "document", "", "a.b"])
@pytest.mark.parametrize("written", [lambda value: value, json.dumps], ids=["object", "string"])
def test_a_document_within_an_object_is_taken_out_whole(name: str, written: Callable[[object], object]) -> None:
    sound = document(page(SECTION))
    wrapped = {name: written(sound)}
    answer = post(wrapped)
    codes = [item["code"] for item in answer["errors"]]
    assert (len(codes), codes[-1]) == (5, "UNKNOWN_PROP")
    assert not any("For example" in item["hint"] for item in answer["errors"])
    fix(wrapped, answer["errors"])
    assert wrapped == sound


@pytest.mark.parametrize("value", [
    document() | {"rui": document()}, {"a": document(), "b": document()},
    {"rui": [document()]}, {"rui": "{"}, {"rui": "{}"}, {"rui": json.dumps(document())[:-1]},
    {"rui": "{" + "[" * 100_000},
])  # fmt: skip
def test_nothing_is_taken_out_where_that_is_not_clearly_meant(value: object) -> None:
    assert not any(" in the place of the object around it" in item["hint"] for item in post(value)["errors"])


def test_two_hints_of_one_answer_never_give_the_same_name_away() -> None:
    value = document(page(SECTION | {"children": [TEXT, TEXT, TEXT]}))
    assert [item["hint"].partition(". ")[2].partition(".")[0] for item in post(value)["errors"]] == [
        'For example "note-2"', 'For example "note-3"',
    ]  # fmt: skip


def test_many_hints_of_one_stem_are_worded_without_trying_every_number_again() -> None:
    """Each of 5,000 names with one stem continues with the next number."""
    asked = 0

    class Counting(set[str]):
        def __contains__(self, name: object) -> bool:
            nonlocal asked
            asked += 1
            return super().__contains__(name)

    suggested = SuggestedNames()
    suggested.names = Counting()
    names = [with_free_ids(FreshIdPlaceholder("note"), (), suggested) for _ in range(5_000)]
    assert len(set(names)) == 5_000
    assert asked <= 2 * 5_000


def test_asking_twice_gives_the_same_hint() -> None:
    findings: list[Finding] = list(validate(document(page(SECTION | {"children": [TEXT, TEXT]}))))
    assert findings[0].hint() == findings[0].hint()


# Texts that are not JSON ---------------------------------------------------------------------------------------------

SOUND = json.dumps(document(page(SECTION)))


def answer_to(text: str) -> dict[str, object]:
    """Return the response of the service to a text."""
    read_text = read(text.encode())
    if read_text.valid and isinstance(read_text.value, dict):
        return post(read_text.value)
    why = root_fault(read_text.value) if read_text.valid else where_broken(read_text)
    return {"valid": False, "errors": [{"path": "", "code": "INVALID_JSON", "message": "", "hint": why}]}


@pytest.mark.parametrize(("old", "new", "said"), {
    "a comma": ('"0.1",', '"0.1"', "Put a comma after the value before it."),
    "=": ('"version":', '"version" =', "Write : instead of =."),
    ";": ('"0.1",', '"0.1";', "Write , instead of ;."),
    "another quote": ('"Home"', "'Home'", "Write \"Home\" instead of 'Home'."),
    "a quote within": ('"Home"', "'Ho\"me'", "Write \"Ho\\\"me\" instead of 'Ho\"me'."),
    "a long string": ('"Home"', f"'{'word ' * 40}'",
                      "Write \"word word word word wor…rd word word word word \" instead of 'word"),
    "a name": ('"title"', "title", 'Write "title" instead of title.'),
    "a word": ('"meta": {}', '"meta": {"draft": True}', "Write true instead of True, or put"),
    "a comment": ('"meta": {}', '"meta": {} /* or so */', "Remove it, from /* to */;"),
    "a quote in a string": ('"Home"', '"The "new" home"', 'Write \\" instead of this quote and of the next one.'),
    "a line break": ('"Home"', '"The\nnew\nhome"', "the line break at the end of this line and of the next one."),
    "a line break alone": ('"Home"', '"The\nhome"', "Write \\n instead of the line break at the end of this line."),
    "a tab": ('"Home"', '"Ho\tme"', "Write \\t instead of it."),
    "a backslash": ('"Home"', '"\\Home"', "Write \\\\ instead of this backslash."),
    "an ellipsis": ('"title"', '..., "title"', "Remove the ..., or write out the omitted part."),
    "no value": ('"Home"', "", "here, for example null."),
    "no end": ("}]}]}]}", "", "Add }]}]}]}; the innermost is the { in line 1. If the text was cut off, the whole"),
    "an end within a string": ('"x"}]}]}]}', '"x', 'Add "}]}]}]}; the innermost'),
    "an end behind a comma": (', "content": "x"}]}]}]}', ",", "Write }]}]}]} instead of the comma at the end; the"),
    "an end behind a colon": ('"x"}]}]}]}', "", "Add null}]}]}]}, with the value of the property instead of null."),
    "an end behind a name": (': "x"}]}]}]}', "", "Add : null}]}]}]}, with the value of the property instead of null."),
    "an end within a name": ('nt": "x"}]}]}]}', "", 'Add ": null}]}]}]}, with the value of the property'),
    "a space of no width": (" ", "\ufeff\u200b", "Remove every U+FEFF and U+200B."),
    "a bracket": ("}]}]}]}", "}]}]}}", "Add ] for the [ in line 1."),
    "another bracket": ("}]}]}]}", "}]}]}}}", "Write ] instead of } for the [ in line 1."),
    "words": (SOUND, f"Here it is: {SOUND}.", "Remove everything before the first { and after the last }: a"),
    "an array": (SOUND, f"[{SOUND}]", "Send the one object of the array, without [ and ] around it."),
    "a string": (SOUND, json.dumps(SOUND), "Send the text of the string itself, as an object without quotes"),
}.values())  # fmt: skip
def test_a_hint_gives_the_mark_to_write(old: str, new: str, said: str) -> None:
    assert SOUND.count(old) >= 1
    text = SOUND.replace(old, new, 1)
    answer = answer_to(text)
    assert said in answer["errors"][0]["hint"]
    assert read(fixed_text(text, answer["errors"])[0]).valid


def test_what_is_to_be_done_at_many_places_is_said_once() -> None:
    text = SOUND.replace('"', "'").replace("'meta'", "meta")
    hint = answer_to(text)["errors"][0]["hint"]
    assert hint.count("Write ") == 2
    assert "The same at line:column 1:13, 1:" in hint
    assert json.loads(fixed_text(text, answer_to(text)["errors"])[0]) == json.loads(SOUND)


def test_faults_of_several_sorts_are_told_in_one_answer() -> None:
    text = SOUND.replace('"0.1",', '"0.1"').replace('"Home"', "Home", 1).replace("{}", "{,}")
    assert json.loads(fixed_text(text, answer_to(text)["errors"])[0]) == json.loads(SOUND)


@pytest.mark.parametrize("text", ['"a": [1, 2', '"a": {"b": [', 'a: 1, "b": 2', '1, {"b": 2'])
def test_a_bracket_that_was_put_in_stands_in_no_line(text: str) -> None:
    """The missing bracket belongs before the text, so the hint must not contain a line for it."""
    lines = re.findall(r"[Ll]ine (-?\d+)", answer_to(text)["errors"][0]["hint"])
    assert lines
    assert set(lines) == {"1"}


def test_most_slips_in_a_text_are_fixed_by_the_hint_alone() -> None:
    """The limits of the benchmark with fewer texts, also for the share of texts that keep their values."""
    counts, failed = text_trials(answer_to, range(5 * len(TEXT_BREAKS)))
    assert share(counts[ALL]) >= 0.95, failed
    assert max(*counts[ALL], *counts[LOST]) <= MAX_ROUNDS
    assert share(counts[KEPT]) >= 0.95


def test_most_single_faults_are_fixed_by_the_hint_alone() -> None:
    """The limits of the benchmark with fewer documents."""
    single, _ = trials(answer_to, range(300), 1)
    several, _ = trials(answer_to, range(300, 400), 5)
    assert share(single[ALL]) >= 0.95
    assert max(*single[ALL], *several[ALL]) <= MAX_ROUNDS
