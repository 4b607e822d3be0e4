"""Properties of the findings of every document, valid or not."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from typing import Any, Self

import pytest
from hypothesis import given

from benchmarks.breaking import BREAKS, broken
from benchmarks.other_words import draft
from rui_common.validation import run as validator
from rui_common.validation import validator as walk
from rui_common.validation.events import PageSlot
from rui_common.validation.fast_check import NodeChecks
from rui_common.validation.findings import Finding
from rui_common.validation.run import merge_reports, validate, validate_page, validate_shell
from rui_common.validation.scopes import Scope
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from tests.oracle import faults
from tests.strategies import mutants, mutate, randoms, restructure, shuffle_keys, sound_document, sound_documents

Json = Any

MANY = 4000
"""Number of documents of the tests without shrinking. Fixed seeds generate them, which is much faster."""


def many_mutants() -> Iterator[Json]:
    for seed in range(MANY):
        chance = random.Random(seed)
        yield mutate(sound_document(chance), chance, chance.randint(0, 8))


def outcome(document: Json) -> list[tuple[object, ...]]:
    """Return all fields of the findings of a document, for comparison."""
    return [(f.path, f.rule, f.message(), f.hint(), f.related) for f in list(validate(document))]


@given(sound_documents)
def test_sound_documents_are_valid(document: Json) -> None:
    assert outcome(document) == []


def test_another_reading_of_the_decisions_agrees() -> None:
    """Rules, paths and order equal those of tests/oracle.py."""
    for document in many_mutants():
        assert [(f.path, f.rule) for f in validate(document)] == faults(document)


def test_another_reading_of_the_decisions_agrees_on_other_structures() -> None:
    for seed in range(MANY // 4):
        chance = random.Random(seed)
        document = sound_document(chance)
        restructure(document, chance)
        document = mutate(document, chance, chance.randint(0, 2))
        assert [(f.path, f.rule) for f in validate(document)] == faults(document)


@given(mutants)
def test_another_reading_of_the_decisions_agrees_on_small_documents(document: Json) -> None:
    assert [(f.path, f.rule) for f in validate(document)] == faults(document)


def test_every_way_to_break_a_document_is_found() -> None:
    met: set[str] = set()
    for seed in range(1000):
        chance = random.Random(seed)
        document, breaks = broken(sound_document(chance), chance, 1)
        met |= {one.sort for one in breaks}
        assert outcome(document) != [], breaks
    assert met == set(BREAKS)


@given(mutants, randoms)
def test_the_order_of_keys_does_not_matter(document: Json, chance: random.Random) -> None:
    """Hints are not compared: the hint of a wrong object shows it as received."""

    def found(value: Json) -> list[tuple[object, ...]]:
        return [(f.path, f.rule, f.related) for f in validate(value)]

    assert found(shuffle_keys(document, chance)) == found(document)


@given(mutants)
def test_no_two_findings_have_one_path_and_code(document: Json) -> None:
    found = [(f.path, f.code) for f in validate(document)]
    assert len(set(found)) == len(found)


@given(mutants)
def test_validating_changes_nothing(document: Json) -> None:
    before = repr(document)
    outcome(document)
    assert repr(document) == before


def test_what_is_accepted_at_a_glance_has_no_findings(monkeypatch: pytest.MonkeyPatch) -> None:
    """The compiled predicates only save time. Without them, the walk finds the same errors."""
    quick = [outcome(document) for document in many_mutants()]
    monkeypatch.setattr(walk, "node_checks", lambda _: NodeChecks({}, None))
    for document, expected in zip(many_mutants(), quick, strict=True):
        assert outcome(document) == expected


def many_drafts() -> Iterator[Json]:
    """Yield documents in other systems' words, with other faults."""
    for seed in range(MANY // 4):
        chance = random.Random(seed)
        yield mutate(draft(sound_document(chance), chance).sent, chance, chance.randint(0, 4))


def test_properties_that_are_skipped_have_no_findings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the checks of properties, elements and names, the walk finds the same errors."""
    documents = [*itertools.islice(many_mutants(), MANY // 4), *many_drafts()]
    quick = [outcome(document) for document in documents]
    monkeypatch.setattr(walk, "compile_prop_check", lambda shape: lambda _, __: [*shape.props.values()])
    monkeypatch.setattr(walk, "compile_value_check", lambda _: None)
    monkeypatch.setattr(Scope, "is_consistent", lambda *_, **__: False)
    walk._quick_check.cache_clear()
    try:
        for document, expected in zip(documents, quick, strict=True):
            assert outcome(document) == expected
    finally:
        walk._quick_check.cache_clear()


def reports(document: Json) -> dict[int, list[str]]:
    """Return the report of each page by its index."""
    scope = Scope(VOCABULARY.root, document)
    slots = [event for event in validate_shell(document, scope) if isinstance(event, PageSlot)]
    return {int(slot.path[-1]): [repr(event) for event in validate_page(slot)] for slot in slots}


@given(mutants, mutants)
def test_the_report_of_a_page_depends_on_nothing_else(document: Json, other: Json) -> None:
    pages = document.get("pages")
    if isinstance(pages, list):
        for index, expected in reports(document).items():
            alone = {**other, "pages": [None] * index + [pages[index]]}
            assert reports(alone)[index] == expected


@given(mutants)
def test_reports_kept_from_before_join_to_the_same(document: Json) -> None:
    scope = Scope(VOCABULARY.root, document)
    head = list(validate_shell(document, scope))
    kept = {event.path: list(validate_page(event)) for event in head if isinstance(event, PageSlot)}
    joined = merge_reports(scope, head, lambda slot: kept[slot.path])
    assert [(f.path, f.rule, f.hint(), f.related) for f in joined] == [
        (f.path, f.rule, f.hint(), f.related) for f in validate(document)
    ]


def test_findings_are_looked_for_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """A caller that reads fifty of 131,000 findings does not wait for the others."""
    made = itertools.count()

    class Counted(Finding):
        def __new__(cls, *args: Any, **more: Any) -> Self:
            next(made)
            return super().__new__(cls, *args, **more)

    monkeypatch.setattr(walk, "Finding", Counted)
    monkeypatch.setattr(validator, "Finding", Counted)
    document = {"version": "0.1", "meta": {}, "navigation": {"items": [{"pageId": "a"}]}, "pages": [0] * 131_000}
    found = validate(document)
    first = list(itertools.islice(found, 50))
    assert [f.path for f in first] == [("pages", index) for index in range(50)]
    assert next(made) <= 51
    assert sum(1 for _ in found) == 131_000 - 50
