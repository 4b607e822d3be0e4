"""Properties of the findings of every document, valid or not."""

import random
from typing import Any

import pytest
from hypothesis import given

from rui_common.describe import minimal_example
from rui_common.validation.analysis import validate
from rui_common.validation.validator import validate_document
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from tests.support.nightly import seeds
from tests.support.oracle import faults
from tests.support.strategies import mutants, mutate, sound_document

Json = Any

MANY = 1000
"""Number of documents of the test without shrinking. Seeds generate them, which is much faster."""


def check(document: Json) -> None:
    """Check that rules, paths and order equal those of the oracle, and that the document did not change."""
    before = repr(document)
    assert [(finding.path, finding.rule) for finding in validate(document).findings] == faults(document)
    assert repr(document) == before


def test_another_reading_of_the_decisions_agrees() -> None:
    for seed in seeds(MANY):
        chance = random.Random(seed)
        sound = sound_document(chance)
        assert validate(sound).findings == []
        check(mutate(sound, chance, chance.choice((1, 2, 4, 8, 20))))


@pytest.mark.parametrize("version", ["0.2", "1", "0.1.0", "0.1", "0.", ".2", "v0.2", "\u0660.\u0662", "", 0.2, None])
@pytest.mark.parametrize("name", ["entities", "operations", "entity"])
def test_a_later_version_is_judged_alike(version: Json, name: str) -> None:
    check(minimal_example() | {"version": version, name: [{"id": 5}], "more": 1})


@given(mutants)
def test_a_limit_keeps_the_first_findings(document: Json) -> None:
    found = validate(document).findings
    assert len({(finding.path, finding.code) for finding in found}) == len(found)
    for limit in (1, 2, 5):
        limited = validate(document, limit=limit).findings
        assert [repr(finding) for finding in limited] == [repr(finding) for finding in found[:limit]]


@pytest.mark.parametrize("last", [{"id": "b"}, {"id": "c"}, {"type": "Page"}, {"id": 5}, "x"], ids=repr)
def test_names_are_known_after_the_limit(last: Json) -> None:
    """Whether the page b exists decides about the first finding."""
    navigation = {"items": [{"pageId": "b"}]}
    document = {"version": "0.1", "meta": {}, "navigation": navigation, "pages": [{"id": "a"}, {"id": "a"}, last]}
    for limit in (1, 2, 3):
        found = validate(document).findings[:limit]
        assert [repr(finding) for finding in validate(document, limit=limit).findings] == [
            repr(finding) for finding in found
        ]
    assert (found[0].path == ("navigation", "items", 0, "pageId")) == (last == {"id": "c"})


@given(mutants)
def test_each_node_is_at_its_path(document: Json) -> None:
    tree = validate(document).tree
    assert [tree.at(node.path) for node in tree] == [*tree]


def test_an_element_that_is_no_object_is_no_node() -> None:
    page = {"id": "home", "type": "Page"}
    tree = validate({"pages": [7, page, page]}).tree
    assert [getattr(tree.at(("pages", index)), "step", None) for index in range(4)] == [None, 1, 2, None]
    assert tree.at(("pages", 0, "children", 0)) is None


@given(mutants)
def test_a_finding_carries_the_declaration_of_its_path(document: Json) -> None:
    for finding in validate(document).findings:
        if finding.prop is not None:
            assert finding.shape is not None
            assert finding.shape.props[finding.prop.name] is finding.prop
            assert finding.path[-1] == finding.prop.name


def test_a_type_that_may_be_lost_is_not_missing() -> None:
    """The path of a node in `incomplete`: a syntax error in it may have lost properties."""
    document: Json = minimal_example()
    node = ("pages", 0, "children", 0, "children", 0)
    del document["pages"][0]["children"][0]["children"][0]["type"]
    assert [(finding.path[-1], finding.code) for finding in validate(document).findings] == [
        ("type", "MISSING_REQUIRED_PROP")
    ]
    assert validate_document(document, VOCABULARY, partial=frozenset({node})).findings == []
