"""Every snippet of the vocabulary with its default values is valid JSON of its shape."""

import json

import pytest

from rui_common.editing.snippets import TabStop, property_snippet, shape_snippet
from rui_common.validation.validator import validate
from rui_common.vocabulary.rui_0_1 import METRIC, SECTION, VOCABULARY
from rui_common.vocabulary.schema import Prop, Shape, Vocabulary

SHAPES = [*VOCABULARY.shapes.values()]
PROPS = [
    pytest.param(shape, prop, id=f"{shape.name}.{prop.name}")
    for shape in VOCABULARY.shapes.values()
    for prop in (*shape.props.values(), *shape.suggested.values())
]


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.name)
def test_a_shape_snippet_is_plainly_valid(shape: Shape) -> None:
    alone = Vocabulary("0.1", shape, {})
    dangling = {symbol.dangling for symbol in VOCABULARY.symbols}
    found = validate(json.loads(shape_snippet(shape).text), vocabulary=alone)
    assert [finding for finding in found if finding.rule not in dangling] == []


@pytest.mark.parametrize(("shape", "prop"), PROPS)
def test_a_property_snippet_is_one_property(shape: Shape, prop: Prop) -> None:
    text = property_snippet(prop).text
    assert list(json.loads("{" + text + "}")) == [prop.name]


def test_the_snippet_of_a_whole_document_is_valid() -> None:
    assert validate(json.loads(shape_snippet(VOCABULARY.root).text)) == []


def test_an_enum_is_a_choice() -> None:
    assert property_snippet(SECTION.props["direction"]).parts == (
        '"direction": ', '"', TabStop("stack", ("stack", "row")), '"',
    )  # fmt: skip


def test_a_nested_example_is_preferred_to_that_of_the_property() -> None:
    assert TabStop("data.open") in shape_snippet(METRIC).parts
