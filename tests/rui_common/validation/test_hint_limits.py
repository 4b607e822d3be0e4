"""Limits and properties of every hint and message (docs/decisions.md, section 3)."""

from __future__ import annotations

import copy
import json
import random
import re
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest

from benchmarks.breaking import BREAKS, at, broken, places
from benchmarks.hint_client import Item, misleading, rounds
from benchmarks.hint_client import fix as follow_all
from rui_common.validation.findings import Finding
from rui_common.validation.run import validate
from rui_common.vocabulary.rules import MAX_ERRORS, MESSAGES
from tests.strategies import ODD_VALUES, mutate, sound_document

Json = Any

MAX_HINT = 300
MAX_VALUE = 200
LONG = "Long " * 40_000
EXAMPLE = re.compile(r"For example |Wrap it: |[Aa]dd (?=\{)")


def findings_of(document: Json) -> list[Finding]:
    return list(islice(validate(document), MAX_ERRORS))


def without_examples(hint: str) -> str:
    """Return a hint without the JSON values of its examples."""
    kept = ""
    match = EXAMPLE.search(hint)
    while match is not None:
        kept += hint[: match.end()]
        hint = hint[match.end() :]
        hint = hint[end_of_json(hint) :]
        match = EXAMPLE.search(hint)
    return kept + hint


def end_of_json(text: str) -> int:
    """Return the end of the value, or of the property, at the start of a text."""
    text = text.replace("[…]", "[0]", 1)
    value, end = json.JSONDecoder().raw_decode(text)
    if isinstance(value, str) and text[end : end + 2] == ": ":
        _, end = json.JSONDecoder().raw_decode(text, end + 2)
    return int(end)


def suggestions(finding: Finding) -> Iterator[Json]:
    """Yield the values that a hint suggests for the path of its finding."""
    hint = finding.hint()
    match = re.search(r"For example |did you mean |Write ", hint)
    if match is None:
        return
    text = hint[match.end() :]
    value, end = json.JSONDecoder().raw_decode(text)
    if isinstance(value, str) and text[end : end + 2] == ": ":
        value, _ = json.JSONDecoder().raw_decode(text, end + 2)
    yield value


def documents() -> Iterator[Json]:
    for seed in range(400):
        chance = random.Random(seed)
        yield mutate(sound_document(chance), chance, chance.randint(1, 8))


TEXT = {"id": "note", "type": "Text", "content": "a"}


def document(*blocks: object, **root: object) -> Json:
    section = {"id": "main", "type": "Section", "direction": "row", "children": list(blocks)}
    page = {"id": "home", "type": "Page", "title": "Home", "children": [section]}
    items = [{"pageId": "home"}]
    return {"version": "0.1", "meta": {}, "navigation": {"items": items}, "pages": [page]} | root


TABLE = {"id": "t", "type": "Table", "binding": {"type": "read", "method": "GET", "path": "/"}}
HOSTILE: dict[str, Json] = {
    "a long type": document(TEXT | {"type": LONG}),
    "a long planned type": document({"id": "a", "type": "Form", "title": LONG, "fields": [{"label": LONG}] * 50}),
    "a long id": document(TEXT | {"id": LONG}),
    "a long name of a property": document(TEXT | {LONG: 1}),
    "a long name in an open object": document(TABLE | {"columns": [{LONG: 1}]}),
    "a long path": document({"id": "m", "type": "Metric", "label": "a", "binding": {"type": "read", "path": LONG}}),
    "a long text in place of a node": document(LONG),
    "a long value of another type": document(TEXT | {"content": [LONG, LONG]}),
    "many names of columns": document(TABLE | {"columns": [{"key": f"{LONG}{n}"} for n in range(30)],
                                               "filter": {"field": "a"}}),
    "a long column key twice": document(TABLE | {"columns": [{"key": LONG}, {"key": LONG}]}),
    "long page ids": document(TEXT, navigation={"items": [{"pageId": LONG}]}),
    "a wrapper with a long name": {LONG: document(TEXT)},
    "a long property of a wrapped document": {"rui": document(TEXT | {LONG: 1})},
    "many unknown page ids": document(TEXT, navigation={"items": [{"pageId": f"p{n}"} for n in range(500)]}),
    "many pages that are expected": {"navigation": {"items": [{"pageId": f"page-{n}"} for n in range(500)]}},
    "a page id with many uses": document(TEXT, navigation={"items": [{"pageId": "Home"}] * 50},
                                         pages=[{"id": "Home", "type": "Page", "title": "a", "children": []}]),
    "null": document(TEXT, pages=[None] * 60),
}  # fmt: skip


def check_limits(found: list[Finding]) -> None:
    for finding in found:
        template, _ = MESSAGES[finding.code]
        assert len(finding.message()) <= len(template) + MAX_VALUE
        assert len(without_examples(finding.hint())) <= MAX_HINT, finding.hint()[:1_000]


@pytest.mark.parametrize("value", HOSTILE.values(), ids=HOSTILE.keys())
def test_hints_and_messages_about_hostile_documents_are_short(value: Json) -> None:
    found = findings_of(value)
    assert found
    check_limits(found)


def test_hints_and_messages_are_short() -> None:
    for value in documents():
        if isinstance(value, dict):
            check_limits(findings_of(value))


def test_no_hint_suggests_what_was_sent() -> None:
    for value in (*documents(), *HOSTILE.values()):
        if not isinstance(value, dict):
            continue
        for finding in findings_of(value):
            assert finding.got not in list(suggestions(finding)), finding.hint()


def items_of(document: Json) -> list[Item]:
    return [finding.to_item() for finding in list(validate(document))]


def check_followed(value: Json, *, why: object) -> None:
    """Check that hints that were followed leave no fault behind, and cause none in what they gave."""
    errors = items_of(value)
    fixed = copy.deepcopy(value)
    followed = follow_all(fixed, errors)
    assert misleading(followed, errors, items_of(fixed)) == [], why


@pytest.mark.parametrize("new", [None, *ODD_VALUES], ids=json.dumps)
def test_a_hint_about_a_value_that_was_replaced_does_not_mislead(new: Json) -> None:
    for seed in range(5):
        chance = random.Random(seed)
        original = sound_document(chance)
        for path in places(original):
            if path:
                value = copy.deepcopy(original)
                at(value, path[:-1])[path[-1]] = copy.deepcopy(new)
                check_followed(value, why=(seed, path))


def test_a_hint_about_a_value_that_was_removed_does_not_mislead() -> None:
    for seed in range(30):
        chance = random.Random(seed)
        original = sound_document(chance)
        for path in places(original):
            if path:
                value = copy.deepcopy(original)
                del at(value, path[:-1])[path[-1]]
                check_followed(value, why=(seed, path))


def test_following_the_hints_of_several_faults_does_not_mislead() -> None:
    for seed in range(300):
        chance = random.Random(seed)
        value, breaks = broken(sound_document(chance), chance, 1 + seed % 4)
        check_followed(value, why=(seed, breaks))
    assert BREAKS


def post(text: str) -> Json:
    errors = [finding.to_item() for finding in findings_of(json.loads(text))]
    return {"valid": not errors, "errors": errors}


def test_documents_with_several_faults_are_valid_after_two_rounds() -> None:
    for seed in range(100):
        chance = random.Random(seed)
        value, breaks = broken(sound_document(chance), chance, 4)
        assert rounds(post, json.dumps(value)).rounds <= 2, (seed, breaks)
